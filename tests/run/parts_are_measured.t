#!/bin/sh
# --parts: one problem in several parts. Rows say in how many and how they are laid out, and are held
# against a copy in as many; plugins that know nothing of parts are measured once.
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
all=$mocks/parts_contiguous.so,$mocks/parts_cyclic.so,$mocks/parts_on_device.so,$mocks/parts_copy.so

sweep() {
    case " $* " in *" --time-limit "*) ;; *) set -- "$@" --time-limit 0.1 ;; esac
    "$scanbench" -q --csv "$csv" --plugins "$@"
}

# holds EXPRESSION [NAME=VALUE...]: it is true of the list `rows` of those with these cells, and there
# is one.
holds() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
wanted = dict(a.split("=", 1) for a in sys.argv[3:])
rows = [r for r in csv.DictReader(open(sys.argv[1])) if all(r[k] == v for k, v in wanted.items())]
rows = [r for r in rows if r["role"] != "calibrator"]
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

# Tiles are read back in windows of 8 MiB of the whole array, whose ends cut tiles.
compares_windows() {
    sweep "$mocks/parts_on_device.so" --sizes 2097153,5000001 --parts 3 --max-samples 2 &&
        holds 'len(rows) == 2 and all(r["status"] == "ok" and r["verified"] == "1" for r in rows)' phase=run
}

# Rounds are spread over a quarter of --time-limit for each configuration: 8 s, if those count that the
# plugin refuses. The best of three tries, since this machine may be busy.
leaves_no_time() {
    for _ in 1 2 3; do
        began=$(date +%s)
        sweep "$mocks/parts_cyclic.so" --sizes 1000 --parts 1,10..40 --time-limit 1 &&
            holds 'len(rows) == 32 and all(r["status"] == "unsupported" for r in rows if r["params"] != "parts=1")' phase=run ||
            return 1
        took=$(($(date +%s) - began))
        echo "took $took s"
        [ "$took" -gt 5 ] || return 0
    done
    return 1
}

resumes() {
    sweep "$mocks/parts_cyclic.so" --sizes 1000 --parts 1,2 &&
        sweep "$mocks/parts_cyclic.so" --sizes 1000 --parts 1,2,3 --resume &&
        holds '[r["parts"] for r in rows] == ["1", "2", "3"]' phase=run &&
        holds 'len({r["run_id"] for r in rows}) == 2' phase=run
}

# The CSV of a version that did not know of parts: its header ends before them.
is_read_without_columns() {
    sweep "$mocks/right.so" --sizes 1000 || return 1
    newer=$(head -n 1 "$csv" | grep -o ',parts,.*' | tr -cd , | wc -c)
    sed "s/\(,[^,]*\)\{$newer\}\$//" "$csv" >"$work/old.csv"
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

sees_early() {
    sweep "$mocks/parts_early.so" --sizes 1000 --parts 3 --time-limit 0.2
    holds "rows[0]['status'] == 'error' and 'returned before it was done' in rows[0]['reason']" phase=run
}

races_without_parts() {
    "$scanbench" tune "$mocks/parts_cyclic.so" --sizes 1000 --csv "$csv" --time-limit 0.2 &&
        holds 'all(r["parts"] == "1" for r in rows)'
}

# A claim about parts of which none, or one alone, was tried is no claim.
proves_nothing() {
    exits 0 "# SKIP $2" "$scanbench" validate "$mocks/parts_cyclic.so" --claims parts --parts "$1"
}

plan 19
claim "every number of parts is a row, compared in full; a plugin without parts has one" counts_all
claim "a row says how its parts are laid out" says_layout
claim "a row is held against a copy in as many parts, and against no other" needs_same_parts
claim "a device's parts are copied there and back" copies_parts
claim "--resume adds the numbers of parts that are missing" resumes
claim "a CSV without the columns is compared and reported, and --resume leaves it alone" is_read_without_columns
claim "a wrong carry between parts is seen" finds_wrong parts_carry 4 'first at index 500'
claim "a write behind a part is seen, and which" finds_wrong parts_past 4 'past the end of part 2 of the output'
claim "a part that is left out is seen" finds_wrong parts_last 3 'never written'
claim "what is refused takes no part of the time" leaves_no_time
claim "more than is read back at once is compared" compares_windows
claim "more parts than a plugin takes are unsupported" exits 0 'parts=10: parts_cyclic takes 1 to 9' \
    "$scanbench" --plugins "$mocks/parts_cyclic.so" --sizes 10 --parts 10
claim "tune leaves a problem in one part" races_without_parts
claim "a part that run does not wait for is seen" sees_early
claim "a tile that changes is seen" finds_wrong parts_tile 4 'later'
claim "a tile of no elements is seen" finds_wrong parts_no_tile 4 'returned 0 elements'
claim "more parts than any plugin takes are refused" exits 2 '--parts: 65 is too large; the most is 64' \
    "$scanbench" --plugins "$mocks/parts_cyclic.so" --sizes 10 --parts 1..65
claim "a proof in one part says that it proved no more" proves_nothing 1 'right in 1 part, but nothing ran in more'
claim "so it does of numbers of parts that the plugin does not take" proves_nothing 12 \
    'it takes none of the numbers of parts'
