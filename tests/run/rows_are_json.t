#!/bin/sh
# --json FILE: the rows as JSON lines, beside the CSV or instead of it; the same rows after --resume.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

sweep() {
    case " $* " in *" --sizes "*) ;; *) set -- --sizes 10,20 "$@" ;; esac
    case " $* " in *" --plugins "*) ;; *) set -- --plugins cpu_serial,cpu_memcpy "$@" ;; esac
    "$scanbench" -q --types i32,f32 --max-samples 6 --time-limit 0.02 "$@"
}

# alike CSV JSON: every line is an object of RFC 8259 with the columns in their order and the values
# of the row: numbers of a numeric column, arrays of lists, true and false of verified and in_place, null where it is empty.
alike() {
    python3 - "$1" "$2" "$1-metadata.json" <<'END'
import csv, json, sys
def refuse(word):
    raise ValueError(word)
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline="")))
lines = open(sys.argv[2], encoding="utf-8").read().split("\n")
schema = json.load(open(sys.argv[3], encoding="utf-8"))["tableSchema"]["columns"]
lists = {c["name"] for c in schema if "separator" in c}
numeric = {c["name"] for c in schema if c["datatype"] in ("unsignedLong", "long", "double")} - lists
assert lines.pop() == "" and len(lines) == len(rows) > 0, (len(lines), len(rows))
for line, row in zip(lines, rows):
    found = json.loads(line, parse_constant=refuse)
    assert list(found) == list(row), list(found)
    for name, value in found.items():
        cell = row[name]
        if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@"):
            cell = cell[1:]
        if cell == "":
            wanted = None
        elif name in ("verified", "in_place"):
            wanted = cell == "1"
        elif name in lists:
            wanted = [None if item == "-" else json.loads(item) for item in cell.split(" ")]
        elif name in numeric:
            wanted = json.loads(cell)
            assert type(value) in (int, float), (name, value)
        else:
            wanted = cell
        assert value == wanted and type(value) is type(wanted), (name, value, cell)
END
}

beside() { sweep --csv a.csv --json a.jsonl && alike a.csv a.jsonl; }

# The rows alone on stdout, the table on stderr.
on_stdout() {
    "$scanbench" --plugins cpu_serial --sizes 10 --max-samples 2 --json - >only.jsonl 2>only.err &&
        [ "$(grep -c '"plugin":"cpu_serial"' only.jsonl)" -eq 2 ] && ! grep -qv '^{.*}$' only.jsonl && grep -q 'cpu_serial' only.err
}

# The table on stdout and no CSV anywhere.
instead() {
    "$scanbench" --plugins cpu_serial --sizes 10 --max-samples 2 --json b.jsonl >b.out 2>b.err &&
        [ "$(grep -c '"plugin":"cpu_serial"' b.jsonl)" -eq 2 ] && grep -q 'n = 10' b.out && ! grep -q '^schema,' b.out &&
        ! [ -e b.jsonl-metadata.json ]
}

# Even if the JSON has lost lines.
resumed() {
    sweep --csv c.csv --json c.jsonl && head -n 1 c.jsonl >short && mv short c.jsonl &&
        sweep --csv c.csv --json c.jsonl --sizes 10,20,30 --resume && alike c.csv c.jsonl &&
        [ "$(grep -c '"phase":"run"' c.jsonl)" -gt "$(grep -c '"phase":"run"' a.jsonl)" ]
}

# Quotes, a backslash, a character that turns text around, and a beginning that a spreadsheet takes
# for a formula. The loader refuses worse.
hostile() {
    "$scanbench" new hostile >/dev/null || return 1
    python3 - <<'END' || return 1
text = open("hostile/hostile.c").read()
found = text.replace('.version = "1.0"', r'.version = "=1\"2\\3\342\200\256{},"')
assert found != text
open("hostile/hostile.c", "w").write(found)
END
    cc -shared -fPIC -I "$root/core/include" hostile/hostile.c -o hostile.so &&
        sweep --plugins ./hostile.so --csv h.csv --json h.jsonl && cut -c 1-300 h.jsonl &&
        grep -qF '"plugin_version":"=1\"2\\3' h.jsonl && alike h.csv h.jsonl
}

# With room for a few rows; the limit is in blocks of 512 bytes.
file_limit() {
    (
        ulimit -f 32
        exits 2 "writing d.jsonl: File too large" sweep --json d.jsonl --sizes 10,20,30,40,50,60
    ) || return 1
    [ "$(wc -l <d.jsonl)" -ge 4 ] && [ "$(tail -c 1 d.jsonl | od -An -c | tr -d ' ')" = '\n' ] &&
        python3 -c 'import json; [json.loads(line) for line in open("d.jsonl")]'
}

same() {
    exits 2 "would both write x.csv" sweep --csv x.csv --json ./x.csv &&
        exits 2 "would both write" sweep --csv x.csv --json x.csv-metadata.json &&
        exits 2 "--json and --samples would both write stdout" sweep --json - --samples - &&
        exits 2 "--csv and --json would both write stdout" sweep --csv - --json - && ! [ -e x.csv ]
}

one_writer() {
    "$scanbench" -q --plugins cpu_serial --sizes 1000 --min-samples 1000000 --max-samples 1000000 \
        --time-limit 3 --json held.jsonl 2>held.err &
    run=$!
    for _ in $(seq 3000); do
        [ -e held.jsonl ] && break
        sleep 0.02
    done
    sleep 0.2
    exits 2 "held.jsonl is being written by" sweep --json held.jsonl || return 1
    wait "$run" && [ "$(grep '"plugin":"cpu_serial"' held.jsonl | grep -c '"phase":"run"')" -eq 1 ]
}

tunes() {
    "$scanbench" tune cpu_memcpy --sizes 1000 --max-samples 30 --time-limit 0.05 --csv t.csv --json t.jsonl >tune.out &&
        alike t.csv t.jsonl && grep -q best tune.out
}

plan 11
claim "beside the CSV it has the same rows, numbers as numbers, empty cells as null" beside
claim "- is stdout" on_stdout
claim "alone it takes the place of the CSV" instead
claim "after --resume it has the rows of the CSV" resumed
claim "--resume needs the CSV to go on with" exits 2 "--resume needs --csv" sweep --json c.jsonl --resume
claim "texts from plugins stay one string" hostile
claim "a file at its size limit is a full disk: whole lines, exit status 2" file_limit
claim "a full disk is told" exits 2 "No space left on device" sweep --json /dev/full
claim "no two options write one file" same
claim "a second run on one file is refused" one_writer
claim "tune writes them too" tunes
