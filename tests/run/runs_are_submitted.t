#!/bin/sh
# scanbench submit makes one file of a run that is whole, quiet and of known plugins, without the names of this machine,
# and reports/add takes it into the results under the machine's name; what may not be handed in is refused with what to
# do. How quiet this machine is does not matter here: flags are taken out of the rows first.
# slow
# about: harness/cli harness/commands harness/output reports
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
secret=$work/heorot-folder
mkdir "$secret" && cd "$secret" || exit 1
host=$(uname -n)

measure() { # ARGUMENTS...: of a run of half a second, without its rows
    "$scanbench" -q --plugins cpu_serial,cpu_memcpy --time-limit 0.05 "$@"
}

# flag CSV WORD: its rows have that flag alone; "": none. The metadata know how long the file is then.
flag() {
    awk -F, -v OFS=, -v flag="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "flags") f = i }
        NR > 1 { $f = flag }
        1' "$1" >"$1.new" && mv "$1.new" "$1" &&
        sed -i "s/\"bytes\": [0-9]*/\"bytes\": $(wc -c <"$1")/" "$1-metadata.json"
}

quiet() { flag "$1" ""; }

# copy TO: of the good run.
copy() {
    cp good.csv "$1.csv" && sed "s/good\\.csv/$1.csv/" good.csv-metadata.json >"$1.csv-metadata.json"
}

# refused TEXT CSV ARGUMENTS...: with exit status 2, and nothing is written.
refused() {
    exits 2 "$1" "$scanbench" submit "$2.csv" -o refused.gz && [ ! -e refused.gz ]
}

is_one_file() {
    exits 0 "zcat shows all" "$scanbench" submit good.csv -o good.gz --proof proof.json &&
        ! grep -q 'not proved' "$work/output" && zcat good.gz >good.txt &&
        grep -q '"machine": ".*, [0-9]* core' good.txt && grep -q '"claims": [1-9]' good.txt &&
        [ "$(zcat good.gz | grep -c ',run,ok,')" -eq "$(grep -c ',run,ok,' good.csv)" ]
}

has_no_names() {
    [ -s good.txt ] && ! grep -nF -e heorot -e "$work" -e "\"$host\"" -e ",$host," good.txt && ! grep -n '"/\|/home' good.txt
}

# From another folder, through another path, with another name of the host in its rows.
is_the_same_elsewhere() {
    mkdir -p other/place && sed "s/,$host,/,other-host,/" good.csv >other/place/good.csv &&
        sed "s/\"host\": \".*\"/\"host\": \"other-host\"/; s/\"bytes\": [0-9]*/\"bytes\": $(wc -c <other/place/good.csv)/" \
            good.csv-metadata.json >other/place/good.csv-metadata.json &&
        (cd other && "$scanbench" submit -q place/good.csv --proof "$secret/proof.json" -o ../again.gz) && zcat again.gz | diff good.txt - && cmp good.gz again.gz
}

has_its_name() {
    "$scanbench" submit -q good.csv --name "Two cores, quiet" && zcat two-cores-quiet.gz | grep -q ',"Two cores, quiet",' &&
        exits 2 'write --name "H200, 16 cores"' "$scanbench" submit good.csv --name "../x"
}

says_what_is_not_proved() {
    exits 0 "not proved: cpu_memcpy, cpu_serial" "$scanbench" submit good.csv -o unproved.gz
}

# ---- what may not be handed in

is_interrupted() {
    # perl lets SIGINT through, which a shell's background ignores.
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$scanbench" -q --plugins cpu_serial --sizes 1e3..1e4/20 --time-limit 0.3 \
        --max-samples 1000000 --min-samples 1000000 --csv "$1.csv" 2>/dev/null &
    run=$!
    for _ in $(seq 600); do
        grep -qs ',run,ok,' "$1.csv" && break
        sleep 0.1
    done
    kill "-$2" "$run" && ! wait "$run" 2>/dev/null && quiet "$1.csv"
}

interrupted() { is_interrupted interrupted INT && refused "--resume ends it" interrupted; }

killed() { is_interrupted killed KILL && refused "the run lasts, or was killed" killed; }

resumed() {
    "$scanbench" -q --plugins cpu_serial --sizes 1e3,1122 --time-limit 0.05 --csv killed.csv --resume &&
        quiet killed.csv && "$scanbench" submit -q killed.csv -o resumed.gz
}

cut_off() {
    copy cut && head -c -30 good.csv >cut.csv && refused "line" cut && sed '$d' good.csv >cut.csv &&
        refused "was cut short or edited" cut
}

of_another_run() {
    copy other && sed 's/"run_id": "[^"]*"/"run_id": "20200101T000000Z-1-00000000"/' good.csv-metadata.json >other.csv-metadata.json
    refused "the metadata beside it are of another run" other
}

without_metadata() {
    cp good.csv bare.csv && refused "needs the metadata" bare && echo '{' >bare.csv-metadata.json && refused "cut short" bare
}

is_disturbed() {
    copy busy && flag busy.csv busy && refused "rows were disturbed, more than 10%: cpu_memcpy n=" busy
}

is_tuned() {
    "$scanbench" tune cpu_memcpy -q --sizes 1e4 --time-limit 0.05 --csv tuned.csv >/dev/null && quiet tuned.csv &&
        refused "tune drops settings" tuned
}

# A plugin of the same id that does not lie with the program is another one.
is_foreign() {
    mkdir -p mine && cp "$build/plugins/cpu_serial.so" mine/ &&
        "$scanbench" -q --plugins ./mine/cpu_serial.so --sizes 1e3 --time-limit 0.05 --csv foreign.csv && quiet foreign.csv &&
        refused "not of this scanbench: cpu_serial; --foreign" foreign &&
        exits 0 "named as such: cpu_serial" "$scanbench" submit foreign.csv --foreign -o foreign.gz &&
        zcat foreign.gz | tr -d ' \n' | grep -q '"foreign":\["cpu_serial"\]'
}

on_a_full_disk() {
    exits 2 "No space left" "$scanbench" submit good.csv -o /dev/full || return 1
    cp good.gz small.gz && cp small.gz before.gz
    (ulimit -f 1 && exits 2 "cannot be written" "$scanbench" submit good.csv -o small.gz) && cmp small.gz before.gz &&
        ! find . -name '.scanbench-*' | grep .
}

spares_other_files() {
    exits 2 "would overwrite" "$scanbench" submit good.csv -o good.csv &&
        exits 2 "would overwrite" "$scanbench" submit good.csv -o good.csv-metadata.json &&
        exits 2 "would overwrite" "$scanbench" submit good.csv --proof proof.json -o proof.json || return 1
    echo kept | gzip >mine.gz && cp mine.gz before.gz
    exits 2 "would overwrite" "$scanbench" submit good.csv --name Mine || return 1
    exits 2 "would overwrite" "$scanbench" submit good.csv -o mine.gz && cmp mine.gz before.gz
}

# ---- reports/add

add() { "$root/reports/add" --into "$work/results" "$@"; }

is_added() {
    mkdir "$work/results" && exits 0 "now reports/generate writes the pages" add good.gz && folder=$(echo "$work"/results/*-core*) &&
        (cd "$folder" && "$scanbench" report i32_sum_1e3_to_1e4.csv | grep 'machine .* core') &&
        grep -q '"url": "i32_sum_1e3_to_1e4.csv"' "$folder/i32_sum_1e3_to_1e4.csv-metadata.json"
}

# Of the two files the first is left, as where reports/add was killed between them.
is_completed() {
    before=$(ls -R "$work/results") && rm "$work"/results/*/*.csv && add good.gz && [ "$before" = "$(ls -R "$work/results")" ]
}

is_not_added_twice() {
    before=$(ls -lR "$work/results") && exits 0 "has these rows already" add good.gz && [ "$before" = "$(ls -lR "$work/results")" ]
}

beside_the_first() {
    measure --sizes 1e3,1e4 --csv second.csv && quiet second.csv && "$scanbench" submit -q second.csv -o second.gz &&
        exits 0 "i32_sum_1e3_to_1e4-2.csv" add second.gz && [ "$(find "$work/results" -name '*.csv' | wc -l)" -eq 2 ]
}

# Metadata that a kill left are not those of another run.
does_not_complete_others() {
    mkdir "$work/others" && "$root/reports/add" --into "$work/others" good.gz && rm "$work"/others/*/*.csv &&
        exits 0 "i32_sum_1e3_to_1e4-2.csv" "$root/reports/add" --into "$work/others" second.gz
}

# as NAME [FILE]: the submission of a machine of that name.
as() { "$scanbench" submit -q "${2:-good.csv}" --name "$1" ${2:+--foreign} -o as.gz; }

# Of two names that make one name of a folder each has its own; what a kill left in a folder makes it nobody's.
machines_are_apart() {
    as "One, 2 cores" && exits 0 "/one-2-cores/" add as.gz && as "One 2 cores" && exits 0 "/one-2-cores-2/" add as.gz &&
        mkdir "$work/results/three" && : >"$work/results/three/.scanbench-0.new" && as Three && exits 0 "/three/" add as.gz
}

tells_of_its_plugins() {
    as Four && exits 0 "proved: none of its plugins" add as.gz && "$scanbench" submit -q good.csv --proof proof.json --name Five -o as.gz &&
        exits 0 "proved: cpu_memcpy, cpu_serial" add as.gz && as Six foreign.csv &&
        exits 0 "not plugins of scanbench: cpu_serial" add as.gz
}

refuses_others() {
    echo other | gzip >other.gz
    exits 2 "other.gz" add other.gz && ! grep -q "now reports/generate" "$work/output"
}

# at_second DOES STATUS: what reports/add does, and leaves in the folder $1, if that happens before its second file.
at_second() {
    mkdir -p faulty && cat >faulty/sitecustomize.py <<'END'
import os

link, calls = os.link, []


def faulty(new, path):
    calls.append(path)
    if len(calls) == 2:
        exec(os.environ["AT_SECOND_LINK"])
    link(new, path)


os.link = faulty
END
    found=0
    rm -rf "$work/faulty"
    mkdir "$work/faulty"
    PYTHONPATH=faulty AT_SECOND_LINK=$1 "$root/reports/add" --into "$work/faulty" good.gz || found=$?
    find "$work/faulty" ! -type d ! -name '.scanbench-*' -name '*.*' >left
    echo "exit status $found, left:" && cat left
    [ $found -eq "$2" ]
}

fails_between() { at_second 'raise OSError(28, "No space left on device")' 2 && [ ! -s left ]; }
is_killed_between() { at_second 'os._exit(137)' 137 && [ "$(wc -l <left)" -eq 1 ] && grep -q 'metadata.json$' left; }
spares_what_comes() {
    at_second 'open(path, "w").write("theirs")' 2 && [ "$(wc -l <left)" -eq 1 ] && [ "$(cat "$(cat left)")" = theirs ]
}

# What a recipe measures has its name.
by_its_recipe() {
    sed 's|"argv": .*|"argv": ["scanbench", "--sizes=1e3..1e8", "-p", "all", "--csv", "x.csv"],|' good.csv-metadata.json \
        >recipe.csv-metadata.json && cp good.csv recipe.csv && "$scanbench" submit -q recipe.csv -o recipe.gz &&
        exits 0 "/sweep.csv" add recipe.gz
}

a_machine_is_in_the_table() {
    mkdir -p "$work/tree" && cp -R "$root/reports" "$work/tree/" && ln -s "$root/plugins" "$work/tree/" &&
        "$work/tree/reports/add" good.gz &&
        "$work/tree/reports/machines" >"$work/table" && cat "$work/table" && name=$(sed -n 's/.*"machine": "\(.*\)",/\1/p' good.txt) &&
        grep "^| $name |" "$work/table" && grep -F '| H200, 16 cores | [h200](h200) |' "$work/table"
}

fails_whole() {
    before=$(ls -lR "$work/results") && "$scanbench" submit -q good.csv --name "Another" -o another.gz &&
        (ulimit -f 1 && exits 2 "File too large" add another.gz) && [ "$before" = "$(ls -lR "$work/results")" ]
}

lists_each_column() {
    # shellcheck disable=SC2016 # the marks of Markdown
    "$scanbench" --help=columns | sed -n 's/^| `\([a-z0-9_]*\)` |.*/\1/p' | LC_ALL=C sort >columns &&
        PYTHONPATH=$root/reports PYTHONDONTWRITEBYTECODE=1 python3 -c '
from scanbench_results.private import COLUMNS
print("\n".join(sorted(COLUMNS)))' >listed && diff columns listed
}

# The phases stand in the meaning of their column; kernel:<name> has a name of its own. Of the options, those without a
# value must be known, or the word behind one is taken for its value.
knows_each_word() {
    # shellcheck disable=SC2016 # the marks of Markdown
    "$scanbench" --help=columns | sed -n 's/^| `phase` |//p' | grep -oE '`[a-z0-9]+`' | tr -d '`' >phases &&
        [ "$(wc -l <phases)" -ge 6 ] || return 1
    "$scanbench" --help | sed -nE 's/^  (-.,|   ) --([a-z-]+) ( .*|$)/\2/p' >flags && [ "$(wc -l <flags)" -ge 5 ] || return 1
    PYTHONPATH=$root/reports PYTHONDONTWRITEBYTECODE=1 python3 -c '
import re
from scanbench_results.private import COLUMNS, VALUELESS
phases, flags = open("phases").read().split(), open("flags").read().split()
unknown = [word for word in phases if not re.fullmatch(COLUMNS["phase"], word)] + sorted(set(flags) - set(VALUELESS))
raise SystemExit(f"unknown: {unknown}" if unknown else 0)'
}

plan 34
claim "a run is measured" measure --sizes 1e3,1e4 --csv good.csv
claim "and its plugins are proved" "$scanbench" validate cpu_serial cpu_memcpy --claims sizes --types i32 --max-n 2000 --json proof.json
quiet good.csv || exit 1
claim "submit makes one file of both" is_one_file
claim "without names of this host and its folders" has_no_names
claim "which is the same on another host, in another folder" is_the_same_elsewhere
claim "the machine has the name that --name gives" has_its_name
claim "what was not proved is told" says_what_is_not_proved
claim "an interrupted run is refused" interrupted
claim "so is a killed one" killed
claim "until it is resumed" resumed
claim "a file that was cut short is refused" cut_off
claim "so is one with the metadata of another run" of_another_run
claim "or with none, or half of them" without_metadata
claim "or one that other programs disturbed" is_disturbed
claim "or one of tune" is_tuned
claim "somebody's own plugin is taken as such, if at all" is_foreign
claim "a full disk is told, and costs no file" on_a_full_disk
claim "no file of the run is overwritten" spares_other_files
claim "reports/add takes it into a folder of the machine" is_added
claim "once" is_not_added_twice
claim "what was killed in the middle is completed" is_completed
claim "a second run of the machine comes beside it" beside_the_first
claim "which does not complete what was killed of another" does_not_complete_others
claim "machines of one name of a folder stay apart" machines_are_apart
claim "plugins that are foreign or proved are told" tells_of_its_plugins
claim "what is no submission is refused" refuses_others
claim "a failure between the two files leaves neither" fails_between
claim "a kill there leaves the metadata alone" is_killed_between
claim "what somebody puts there meanwhile stays" spares_what_comes
claim "the run of a recipe has its name" by_its_recipe
claim "a new machine is in the table of all" a_machine_is_in_the_table
claim "a full disk leaves nothing half there" fails_whole
claim "of each column it is said whether it may leave" lists_each_column
claim "each phase and each option without a value is known" knows_each_word
