#!/bin/sh
# No output of any command overwrites what that command reads or writes otherwise, by whatever name,
# nor a file of another kind than the one that is written there.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

measure() {
    "$scanbench" -q --plugins cpu_serial --sizes 10 --max-samples 2 --time-limit 0.01 "$@"
}

# spared FILE TEXT COMMAND...: the command is refused with the text, and the file is as it was.
spared() {
    spared_file=$1
    spared_text=$2
    shift 2
    cp "$spared_file" before || return 1
    exits 2 "$spared_text" "$@" && cmp "$spared_file" before && [ -z "$(find . -name '.scanbench*')" ]
}

# names_of FILE: other names of it, one a line.
names_of() {
    ln -sf "$1" "link-$1" && ln -f "$1" "hard-$1" && mkdir -p folder && ln -sf "../$1" "folder/link-$1" &&
        printf '%s\n' "$1" "./$1" "$work/$1" "folder/../$1" "link-$1" "hard-$1" "folder/link-$1"
}

# under_all_names FILE TEXT COMMAND... OPTION: spared, with each name of the file behind the command.
under_all_names() {
    all_file=$1
    all_text=$2
    shift 2
    names_of "$all_file" >names || return 1
    while read -r name; do
        spared "$all_file" "$all_text" "$@" "$name" </dev/null || return 1
    done <names
}

# through_stdin COMMAND...: with the results as stdin.
through_stdin() {
    for name in out.csv /dev/stdin /proc/self/fd/0; do
        cp out.csv before
        exits 2 "this would overwrite results" "$@" "$name" <out.csv && cmp out.csv before || return 1
    done
}

# What a redirection appends to is an output too, and the message is not appended either.
through_redirections() {
    cp out.csv before
    "$scanbench" report ./out.csv >>out.csv 2>message
    [ $? -eq 2 ] && cmp out.csv before && grep -q "stdout (redirected): this would overwrite" message || return 1
    measure --csv ./out.csv 2>>out.csv >message
    [ $? -eq 2 ] && cmp out.csv before && grep -q "would both write" message || return 1
    measure --csv ./out.csv >>out.csv 2>&1
    [ $? -eq 2 ] && cmp out.csv before || return 1
    measure --csv /dev/stdout >>out.csv 2>message
    [ $? -eq 2 ] && cmp out.csv before
}

not_there_yet() {
    ln -s later.html dangling.html
    rm -f none.csv-metadata.json && cp out.csv none.csv || return 1
    exits 2 "this would overwrite the metadata of results" "$scanbench" report none.csv -o none.csv-metadata.json &&
        exits 2 "would both write" measure --csv later.html --page dangling.html &&
        exits 2 "would both write" measure --csv late --samples late-metadata.json &&
        ! [ -e none.csv-metadata.json ] && ! [ -e later.html ] && ! [ -e late ]
}

# A descriptor means the old file even when that is renamed, so what it has can neither be kept nor replaced.
# shellcheck disable=SC2094 # that is what is refused
through_descriptors() {
    ln -sf /proc/self/fd/8 soft.fd
    for name in /dev/fd/8 /proc/self/fd/8 soft.fd; do
        for option in --overwrite --resume --quiet; do
            spared out.csv "this descriptor leads to rows of a run" measure --csv "$name" "$option" 8>>out.csv || return 1
        done
        spared raw.csv "leads to samples of a run" measure --csv fd.csv --samples "$name" 8>>raw.csv &&
            spared rows.jsonl "leads to rows of a run, as JSON lines" measure --json "$name" 8>>rows.jsonl &&
            spared page.html "leads to a page" "$scanbench" report out.csv -o "$name" 8>>page.html || return 1
    done
    # What is empty is written through it, also where it has no name any more.
    measure --csv /dev/fd/8 8>empty.csv && [ "$(wc -l <empty.csv)" -gt 1 ] || return 1
    exec 8<>gone.html && rm gone.html && "$scanbench" report out.csv -o /dev/fd/8 && grep -q '</html>' <&8 || return 1
    exec 8>&-
    [ -z "$(find . -name '*deleted*')" ]
}

# A folder that is mounted elsewhere, too, has two names for a file that is not there yet.
mounted_twice() {
    # shellcheck disable=SC2016 # the inner shell's
    unshare -rm sh -c 'mount --bind . twice && "$@"' - "$scanbench" -q --plugins cpu_serial --sizes 10 --max-samples 2 \
        --csv mounted.csv --page twice/mounted.csv >output 2>&1
    status=$?
    cat output
    [ $status -eq 2 ] && grep -q "would both write" output && ! [ -e mounted.csv ]
}

# Of each kind the first that is not the option's: OPTION COMMAND...
of_other_kinds() {
    own=$1
    shift
    for file in out.csv out.csv-metadata.json raw.csv rows.jsonl page.html proof.json same.json r.recipe \
        mine.so notes.txt prog "no rows.csv"; do
        [ "$file" = "$own" ] && continue
        cp "$file" target && chmod u+w target && spared target "would overwrite" "$@" target </dev/null || return 1
    done
    mkdir -p a.folder && exits 2 "is a folder" "$@" a.folder
}

# The program that runs, and the plugin that is read.
programs() {
    cp "$scanbench" prog2
    spared prog2 "would overwrite a plugin or a program" measure --csv prog2 &&
        exits 2 "would overwrite a plugin or a program" measure --csv /proc/self/exe &&
        spared mine.so "would overwrite a plugin" "$scanbench" validate ./mine.so --json mine.so &&
        spared mine.so "would overwrite a plugin" "$scanbench" compare --in-run ./mine.so cpu_serial \
            --sizes 10 --json ./mine.so &&
        spared mine.so "would overwrite a plugin" "$scanbench" tune ./mine.so --sizes 10 --csv mine.so
}

# What is of the kind, empty or not there is written.
of_its_kind() {
    "$scanbench" report out.csv -o page.html && "$scanbench" report out.csv -o page.html &&
        "$scanbench" compare out.csv out.csv --json same.json >/dev/null &&
        "$scanbench" validate ./mine.so --claims loads --json proof.json >/dev/null || return 1
    for option in --csv --samples --json --page; do
        : >empty
        rm -f empty-metadata.json
        if [ "$option" = --csv ]; then set --; else set -- --csv other.csv; fi
        measure "$@" --overwrite "$option" empty || return 1
        [ -s empty ] || return 1
    done
    sed 's/<meta name="generator"[^>]*>//' page.html >older.html && ! cmp -s page.html older.html &&
        "$scanbench" report out.csv -o older.html && cmp page.html older.html
}

devices() {
    measure --csv /dev/null --samples /dev/null --json /dev/null && measure --csv /dev/stdout | grep -q '^schema,' &&
        "$scanbench" report out.csv -o /dev/null && "$scanbench" report out.csv -o - | grep -q '</html>'
}

measure --csv out.csv --samples raw.csv --json rows.jsonl --page page.html || exit 1
cp "$build/tests/fixtures/plugins/right.so" mine.so && cp mine.so prog || exit 1
"$scanbench" validate ./mine.so --claims loads --json proof.json >/dev/null || exit 1
"$scanbench" compare out.csv out.csv --json same.json >/dev/null || exit 1
printf 'title   T\n\nclaim   C.\nexpect  median(cpu_serial, n=10) > 0\n' >r.recipe
echo 'what I must not lose' >notes.txt
printf 'time,value\n1,2\n' >'no rows.csv'

plan 21
claim "report -o spares the results, by any name" under_all_names out.csv "this would overwrite results" \
    "$scanbench" report out.csv -o
claim "and their metadata" under_all_names out.csv-metadata.json "this would overwrite the metadata of results" \
    "$scanbench" report out.csv -o
claim "and the recipe of --claims" under_all_names r.recipe "this would overwrite a recipe" \
    "$scanbench" report --claims r.recipe out.csv -o
claim "compare --json spares what it compares" under_all_names out.csv "this would overwrite results" \
    "$scanbench" compare raw.csv out.csv --json
claim "and what comes by stdin" through_stdin "$scanbench" compare - page.html --json
claim "as report does" through_stdin "$scanbench" report - -o
claim "a redirection is an output, too" through_redirections
claim "so is a file that is not there yet" not_there_yet
claim "a descriptor replaces nothing" through_descriptors
mkdir twice
if unshare -rm mount --bind . twice 2>/dev/null; then
    claim "a folder with two names is one" mounted_twice
else
    skip 1 "no folder can be mounted here"
fi
claim "--csv overwrites no other kind of file" of_other_kinds out.csv measure --csv
claim "nor --samples" of_other_kinds raw.csv measure --csv s.csv --samples
claim "nor --json of a run" of_other_kinds rows.jsonl measure --json
claim "nor --page" of_other_kinds page.html measure --csv p.csv --page
claim "nor report -o" of_other_kinds page.html "$scanbench" report out.csv -o
claim "nor --json of validate" of_other_kinds proof.json "$scanbench" validate ./mine.so --claims loads --json
claim "nor --json of compare" of_other_kinds same.json "$scanbench" compare out.csv out.csv --json
claim "no plugin and no program is overwritten" programs
claim "rows in the name of a page are refused" exits 2 "--page FILE, or by scanbench report" measure -o new.html
claim "and a page in that of rows" exits 2 "choose a name in .html" "$scanbench" report out.csv -o new.csv
claim "what is of its kind, empty or a device is written" eval "of_its_kind && devices"
