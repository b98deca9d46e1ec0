#!/bin/sh
# Whatever plugins, drivers and file names hold, all output is valid UTF-8 without characters that
# terminals and readers obey.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH

odd=$(printf 'odd\nok 1 - made up\r\033[2J\302\233\342\200\256\377\355\240\200')
mkdir "$work/$odd" "$work/twice" "$work/out" || exit 1
cp "$build/tests/fixtures/plugins/hostile_texts.so" "$work/$odd/$odd.so" || exit 1
cp "$build/tests/fixtures/plugins/hostile_texts.so" "$work/twice/" || exit 1
cp "$build/tests/fixtures/plugins/crash_in_load.so" "$work/$odd/no$odd.so" || exit 1
file=$work/$odd/$odd.so
cd "$work/out" || exit 1

# safe [--colors] FILE...: each has a line at least, and no character but printable ones and ends of lines.
cat >"$work/safe.py" <<'EOF2'
import re, sys
colors = sys.argv[1] == "--colors"
bad = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
for path in sys.argv[1 + colors:]:
    text = open(path, "rb").read().decode("utf-8")
    if colors:
        text = re.sub("\x1b\\[[0-9;]*[mK]|\r(?=\n|\x1b|[^\n])", "", text)
    assert text.strip(), path + " is empty"
    for number, line in enumerate(text.split("\n")):
        assert not bad.search(line), f"{path}:{number + 1}: {ascii(line)}"
        assert not line.startswith("ok 1 - made up"), f"{path}:{number + 1}: a made-up line"
EOF2
safe() { python3 "$work/safe.py" "$@"; }

# all NAME STATUS ARGUMENTS...: stdout and stderr of the command are safe, and it was the plugin's.
all() { # with SCANBENCH_PLUGIN_PATH of its caller
    name=$1 status=$2
    shift 2
    found=0
    "$scanbench" "$@" >"$name.out" 2>"$name.err" || found=$?
    cat -v "$name.out" "$name.err" | head -n 60
    echo "exit status $found, expected $status"
    [ "$found" -eq "$status" ] || return 1
    cat "$name.out" "$name.err" >"$name.all"
    safe "$name.all" && grep -qE 'turned|made up' "$name.all"
}

hidden() {
    SCANBENCH_PLUGIN_PATH=$work/$odd:$work/twice all hidden 0 list && grep -q 'warning: hostile_texts of .* is hidden by' hidden.err
}

measured() {
    all run 1 -v --plugins "$file" --sizes 10,11,20 --max-samples 3 --time-limit 0.01 \
        --csv rows.csv --samples samples.csv &&
        safe rows.csv rows.csv-metadata.json samples.csv && grep -q 'running a b' run.err &&
        python3 -c 'import json; json.load(open("rows.csv-metadata.json"))'
}

named() {
    csv=$(printf 'to\033[31m\302\233.csv')
    all named 0 -q --plugins "$file,cpu_serial" --sizes 10 --max-samples 3 --time-limit 0.01 --csv - &&
        cp named.out "$csv" &&
        all compare 0 compare "$csv" "$csv" --json compared.json && safe compared.json &&
        all markdown 0 compare "$csv" "$csv" --markdown
}

# In a terminal of script's, with colours.
on_terminal() {
    script -qec "'$scanbench' --plugins cpu_serial,'$work/twice/hostile_texts.so' --sizes 10,20 \
        --max-samples 3 --time-limit 0.01" /dev/null >terminal 2>&1 </dev/null
    cat -v terminal
    safe --colors terminal && grep -q turned terminal
}

proved() {
    all proof 1 validate "$file" --claims sizes,available,process --types i32 --max-n 5000 --json proof.json &&
        safe proof.json && ! grep -vE '^(TAP version 13|1\.\.[0-9]+|(not )?ok [0-9]+ - .*|  .*|# .*)$' proof.out
}

plan 10
claim "list" all list 0 list --plugins "$file"
claim "list -v, with the messages of workers" all verbose 0 list -v --plugins "$file"
claim "list of a folder in which a file does not load" all folder 0 list -v --plugins "$work/$odd"
claim "a warning of two files with one plugin" hidden
claim "a run, its CSV, its samples and its metadata" measured
claim "the plan of a run" all plan 0 --plugins "$file" --sizes 10,11 --dry-run -v
claim "files that are compared" named
claim "a proof and its JSON" proved
claim "a file that is not there" all none 2 --plugins "$work/$odd/none$odd.so" --csv -
if command -v script >/dev/null 2>&1; then
    claim "a table on a terminal" on_terminal
else
    skip 1 "script is not installed"
fi
