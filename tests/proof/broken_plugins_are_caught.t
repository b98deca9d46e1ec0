#!/bin/sh
# `scanbench validate` catches every broken plugin of the corpus (tests/fixtures/plugins) and every
# file that is not a plugin (tests/fixtures/loader) by the claim that is meant for it, with the
# right diagnosis, and passes those that are right. tests/lib/corpus.sh says when a sample is enough.
# slow
# about: core harness tests/fixtures docs/proof.md
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/corpus.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/fixtures/plugins
files=$build/tests/fixtures/loader
unset SCANBENCH_PLUGIN_PATH
mark=scanbench_mark_$$
# Some claims below are about these.
corpus_choose "right spine_of_one_block accumulates leaks_threads exports_more crash_in_probe"
grep -v '^#' "$root/tests/fixtures/loader/expected.txt" >"$work/files"

# prove_one FILE STATUS: its TAP becomes $work/NAME.tap.
prove_one() {
    name=$(basename "$1" .so)
    set -- "$1" "$2" --max-n 70000
    case $name-$2 in
    slow_load-*) set -- "$@" --claims quiet,load_time,process ;;
    *_later-* | *_orphans-* | places_*) set -- "$@" --claims sizes,races,leaks,heap,process ;;
    wide_grid-* | *_when_huge-*) set -- "$1" "$2" --claims large --max-n 2e7 ;;
    *_when_larger-*) set -- "$1" "$2" --claims sizes,leaks,heap --max-n 2e6 ;;
    wide_in_doubles-*) set -- "$1" "$2" --claims results --max-n 5e6 ;;
    i8_sum_as_float-*) set -- "$1" "$2" --claims patterns --max-n 1e6 ;;
    *-timeout) set -- "$@" --timeout 0.7 ;;
    esac
    file=$1
    shift 2
    found=0
    # Files that a plugin leaves are counted in its own folder, and found there.
    rm -rf "$work/$name.folder"
    mkdir "$work/$name.folder"
    TMPDIR=$work/$name.folder MOCK_FOLDER=$work/$name.folder MOCK_MARK=$mark \
        "$scanbench" validate "$file" "$@" >"$work/$name.tap" 2>"$work/$name.err" || found=$?
    echo "$found" >"$work/$name.status"
}

# The claims that broke, by their names, each once.
broken_claims() {
    sed -n "s/^  claim: '\(.*\)'/\1/p" "$work/$1.tap" | uniq
}

# breaks NAME CLAIMS: just those claims, with commas between; -: none.
breaks() {
    cat "$work/$1.tap" "$work/$1.err"
    claims=$(broken_claims "$1" | tr '\n' ',')
    echo "broken claims: $claims"
    lines=$(grep -cE '^(not )?ok ' "$work/$1.tap")
    [ "$(sed -n 's/^1\.\.//p' "$work/$1.tap")" = "$lines" ] || return 1
    case $2 in
    -) [ "$(cat "$work/$1.status")" = 0 ] && [ -z "$claims" ] ;;
    *) [ "$(cat "$work/$1.status")" = 1 ] && [ "$claims" = "$2," ] ;;
    esac
}

# shows NAME KEY TEXT: the first failure's value of that key has the text.
shows() {
    sed -n "s/^  $2: '\(.*\)'\$/\1/p" "$work/$1.tap" | head -n 1 | sed "s/''/'/g" >"$work/shown"
    cat "$work/shown"
    grep -qF -- "$3" "$work/shown"
}

# refuses NAME CLAIM TEXT: just that claim breaks; the reason names the file and says that.
refuses() {
    breaks "$1" "$2" && shows "$1" reason "$files/$1.so: " && shows "$1" reason "$3"
}

# repeats NAME: the command of its first failure fails again.
repeats() {
    sed -n "s/^  repeat: '\(.*\)'\$/\1/p" "$work/$1.tap" | head -n 1 | sed "s/''/'/g" >"$work/command"
    cat "$work/command"
    [ -s "$work/command" ] || return 1
    found=0
    PATH=$build:$PATH sh "$work/command" || found=$?
    [ "$found" -eq 1 ]
}

# What each claim caught, as the table of docs/proof.md has it; SCANBENCH_CORPUS_TABLE=FILE keeps it.
write_report() {
    "$scanbench" list --words claims | tr '\t' ' ' >"$work/claims"
    # shellcheck disable=SC2046 # one word per file
    (cd "$work" && awk '
        /^  claim: / {
            word = substr($2, 2, length($2) - 2)
            name = FILENAME
            sub(/\.tap$/, "", name)
            if (!seen[word, name]++) caught[word] = caught[word] ", `" name "`"
        }
        FILENAME == "claims" {
            word = $1
            sub(/^[^ ]* /, "")
            print "| `" word "` | " $0 " | " substr(caught[word], 3) " |"
        }' $(awk '$3 != "-" { print $1 ".tap" }' table) $(awk '{ print $1 ".tap" }' files) halved.tap \
        claims) >"$work/report"
}

# Each claim catches something, and the document says what. Of a sample: the document has all of that.
reported() {
    write_report
    [ -z "${SCANBENCH_CORPUS_TABLE-}" ] || cp "$work/report" "$SCANBENCH_CORPUS_TABLE"
    sed -n '/^| claim |/,/^$/p' "$root/docs/proof.md" | sed '1,2d; /^$/d' >"$work/documented"
    grep '|  |$' "$work/documented" && return 1
    if [ "$corpus" = full ]; then
        diff "$work/documented" "$work/report"
    else
        words <"$work/documented" >"$work/documented.words"
        words <"$work/report" | grep -vxFf "$work/documented.words" && return 1
        return 0
    fi
}

# words: a line "claim plugin" for each plugin of such a table, and one with what the claim says.
words() {
    awk -F'|' '{
        print $2 $3
        count = split($4, names, ",")
        for (i = 1; i <= count; i++) if (names[i] ~ /[^ ]/) { gsub(/ /, "", names[i]); print $2 names[i] }
    }'
}

json_holds() {
    "$scanbench" validate "$broken/spine_of_one_block.so" "$broken/right.so" --max-n 5000 \
        --json "$work/proof.json" >"$work/with.tap" || true
    "$scanbench" validate "$broken/spine_of_one_block.so" "$broken/right.so" --max-n 5000 \
        --json - >"$work/stdout.json" || true
    python3 "$root/tests/lib/proof.py" "$work/proof.json" "$work/with.tap" &&
        python3 "$root/tests/lib/proof.py" "$work/stdout.json" "$work/with.tap"
}

# A command that proves nothing keeps the JSON of an earlier proof.
keeps_json() {
    printf '{"schema": 1, "scanbench": "0.1.0", "seed": 1, "claims": [\nkept\n' >"$work/kept.json"
    exits 2 "there is nothing to prove" "$scanbench" validate "$broken/right.so" --claims sizes \
        --ops max --json "$work/kept.json" && grep -qx kept "$work/kept.json"
}

# A proof that cannot be written says so and does not succeed.
full_disk() {
    [ -e /dev/full ] || return 0
    exits 2 "cannot be written" "$scanbench" validate "$broken/right.so" --claims quiet --json /dev/full
}

head -c 9000 "$broken/right.so" >"$work/halved.so"
plan $((2 * $(wc -l <"$work/table") + $(wc -l <"$work/files") + 20))

# Six proofs at a time, for some of them only wait for a plugin that hangs: each takes a line
# from the pipe and puts it back.
mkfifo "$work/free"
exec 3<>"$work/free"
printf '\n\n\n\n\n\n' >&3
prove_beside() {
    read -r _ <&3
    { prove_one "$@" 3>&- && echo >&3; } &
}
while read -r name status _; do
    prove_beside "$broken/$name.so" "$status"
done <"$work/table"
while read -r name _; do
    prove_beside "$files/$name.so" error
done <"$work/files"
prove_beside "$work/halved.so" error
wait
exec 3>&-
# Some claims look as long as time allows, and six proofs at a time leave them little on a busy machine. A right plugin
# that is blamed gets no second chance.
while read -r name status claims _; do
    if [ "$claims" = - ] || breaks "$name" "$claims" >/dev/null; then continue; fi
    echo "# $name broke '$(broken_claims "$name" | paste -sd ,)' beside others, and is proved again, alone" >&2
    prove_one "$broken/$name.so" "$status" </dev/null
done <"$work/table"
remove_semaphores
rm -f "/dev/shm/$mark"
while read -r name _ claims looks; do
    case $name-$(nproc) in
    counts_on_its_core-1 | threads_when_huge-1)
        skip 2 "there is one core to run on"
        continue
        ;;
    esac
    case $claims in
    -) claim "$name breaks no claim" breaks "$name" - && skip 1 "$name is right" ;;
    *)
        claim "$name breaks the claim $claims" breaks "$name" "$claims"
        claim "$name looks like $looks" shows "$name" looks_like "$looks"
        ;;
    esac
done <"$work/table"
while read -r name claims reason; do
    claim "$name is refused: $reason" refuses "$name" "$claims" "$reason"
done <"$work/files"
claim "no process that a plugin starts outlives its proof" nobody_runs "${mark%?}[${mark#"${mark%?}"}]"
claim "a file that is cut short breaks the claim file" breaks halved file
if [ "$(nproc)" = 1 ]; then
    skip 1 "the claim races needs two cores to catch its plugin"
else
    claim "every claim catches a plugin, and docs/proof.md lists them" reported
fi
claim "the command for a wrong answer repeats it" repeats spine_of_one_block
claim "the command for a claim about runs repeats it" repeats accumulates
claim "the command for a claim about behaviour repeats it" repeats leaks_threads
claim "the command for a claim about the file repeats it" repeats exports_more
claim "where answers are wrong, the claims that depend on them are skipped" grep -q \
    '# SKIP depends on claim 11, which failed' "$work/spine_of_one_block.tap"
claim "what ended probe is told, also behind the claims that load the file again" shows crash_in_probe \
    reason "lost during probe: killed by signal 11"
claim "a claim can be asked for by name" exits 0 "1..1" "$scanbench" validate "$broken/right.so" \
    --claims process
claim "an unknown claim is refused and the nearest one named" exits 2 '--claims: "proces" is unknown; did you mean process?' \
    "$scanbench" validate "$broken/right.so" --claims proces
claim "a plugin that refuses all it declares is skipped, in its words" exits 0 \
    "# SKIP there is something to scan" \
    "$scanbench" validate "$broken/refuses_default.so" --claims sizes
claim "the claims about a plugin take the next type where one is refused" exits 0 \
    "ok 1 - refuses_a_type gives the same bits again (2 runs)" \
    "$scanbench" validate "$broken/refuses_a_type.so" --claims same_bits
claim "and the next kind" exits 0 "ok 1 - refuses_a_kind gives the same bits again (1 runs)" \
    "$scanbench" validate "$broken/refuses_a_kind.so" --types i32 --claims same_bits
claim "a proof of nothing is refused, and overwrites nothing" keeps_json
claim "a plugin that takes few elements is asked for no more" exits 0 \
    "fake_max_n leaves the process as it was" \
    "$scanbench" validate "$broken/fake_max_n.so"
claim "--require makes a skip of the plugin a failure" exits 3 "(--require)" \
    "$scanbench" validate "$broken/unavailable.so" --require unavailable
claim "--require is about the plugins named" exits 0 "1..1" \
    "$scanbench" validate "$broken/right.so" --claims quiet --require cuda
if command -v python3 >/dev/null 2>&1; then
    claim "JSON says what TAP says" json_holds
else
    skip 1 "python3 is not installed"
fi
claim "JSON that cannot be written is an error" full_disk
