#!/bin/sh
# --parts: one problem in several parts. Rows say in how many and how they are laid out, and are held
# against a copy in as many; plugins that know nothing of parts are measured once.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
all=$mocks/parts_contiguous.so,$mocks/parts_cyclic.so,$mocks/parts_on_device.so,$mocks/parts_copy.so

sweep() {
    "$scanbench" -q --csv "$csv" --time-limit 0.1 --plugins "$@"
}

# holds EXPRESSION [NAME=VALUE...]: it is true of the list `rows` of those with these cells, and there
# is one.
holds() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
wanted = dict(a.split("=", 1) for a in sys.argv[3:])
rows = [r for r in csv.DictReader(open(sys.argv[1])) if all(r[k] == v for k, v in wanted.items())]
for r in rows:
    print({k: r[k] for k in "plugin params parts layout phase status reason verified pct_copy".split()})
sys.exit(not (rows and eval(sys.argv[2])))
END
}

counts_all() {
    sweep "$all,$mocks/right.so" --sizes 10007 --parts 1,2,5 &&
        holds 'len(rows) == 13 and all(r["status"] == "ok" and r["verified"] == "1" for r in rows)' phase=run
}

says_layout() {
    holds '[r["layout"] for r in rows] == ["", "contiguous", "contiguous"]' plugin=parts_contiguous phase=run &&
        holds '[r["layout"] for r in rows] == ["", "cyclic", "cyclic"]' plugin=parts_cyclic phase=run &&
        holds '[(r["parts"], r["layout"]) for r in rows] == [("", "")]' plugin=right phase=run
}

# The copy in two parts has no match in three.
needs_same_parts() {
    holds 'all(r["pct_copy"] for r in rows)' backend=cpu phase=run &&
        sweep "$mocks/parts_copy.so,$mocks/parts_cyclic.so" --sizes 1000 --parts 2 --set parts=1 2>"$work/twice"
    grep -qF 'parts is set twice' "$work/twice" || return 1
    sweep "$mocks/parts_copy.so,$mocks/right.so" --sizes 1000 --parts 2 &&
        holds 'rows[0]["pct_copy"] == ""' plugin=right
}

copies_parts() {
    sweep "$mocks/parts_on_device.so" --sizes 3,1000 --parts 4 &&
        holds 'len(rows) == 2 and all(r["status"] == "ok" for r in rows)' parts=4 phase=e2e
}

resumes() {
    sweep "$mocks/parts_cyclic.so" --sizes 1000 --parts 1,2 &&
        sweep "$mocks/parts_cyclic.so" --sizes 1000 --parts 1,2,3 --resume &&
        holds '[r["parts"] for r in rows] == ["1", "2", "3"]' phase=run &&
        holds 'len({r["run_id"] for r in rows}) == 2' phase=run
}

# The CSV of a version that did not know of parts: its header ends before them.
is_read_without_columns() {
    sweep "$mocks/right.so" --sizes 1000 && sed 's/,[^,]*,[^,]*$//' "$csv" >"$work/old.csv" || return 1
    ! head -n 1 "$work/old.csv" | grep -q parts && cp "$work/old.csv" "$work/kept.csv"
    "$scanbench" compare "$work/old.csv" "$csv" && "$scanbench" report "$work/old.csv" | grep right &&
        exits 2 "its header is not this version's; choose another file name" \
            "$scanbench" -q --plugins "$mocks/right.so" --sizes 1000,2000 --csv "$work/old.csv" --resume &&
        cmp "$work/old.csv" "$work/kept.csv"
}

finds_wrong() {
    sweep "$mocks/$1.so" --sizes 1000 --parts "$2"
    holds "rows[0]['status'] == 'wrong' and '$3' in rows[0]['reason']"
}

races_without_parts() {
    "$scanbench" tune "$mocks/parts_cyclic.so" --sizes 1000 --csv "$csv" --time-limit 0.2 &&
        holds 'all(r["parts"] == "1" for r in rows)'
}

plan 11
claim "every number of parts is a row, compared in full; a plugin without parts has one" counts_all
claim "a row says how its parts are laid out" says_layout
claim "a row is held against a copy in as many parts, and against no other" needs_same_parts
claim "a device's parts are copied there and back" copies_parts
claim "--resume adds the numbers of parts that are missing" resumes
claim "a CSV without the columns is compared and reported, and --resume leaves it alone" is_read_without_columns
claim "a wrong carry between parts is seen" finds_wrong parts_carry 4 'first at index 500'
claim "a write behind a part is seen, and which" finds_wrong parts_past 4 'past the end of part 2 of the output'
claim "a part that is left out is seen" finds_wrong parts_last 3 'never written'
claim "more parts than a plugin takes are unsupported" exits 0 'parts=10: parts_cyclic takes 1 to 9' \
    "$scanbench" --plugins "$mocks/parts_cyclic.so" --sizes 10 --parts 10
claim "tune leaves a problem in one part" races_without_parts
