#!/bin/sh
# Every number in the prose of README.md, docs/scans.md and reports/ is what the committed CSVs, recorded runs or
# sources say; reports_are_fresh.t has those in the tables.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
prose=$root/tests/lib/prose.py

# sees PAGE SED TEXT: in a copy of the page changed like that, the number of the text is found.
sees() {
    sed "$2" "$root/$1" >"$work/altered.md"
    ! cmp -s "$root/$1" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "$3" python3 "$prose" "$root" "$1" "$work/altered.md"
}

cd "$root" || exit 1
set -- README.md docs/scans.md reports/README.md reports/*/README.md
plan $(($# + 12))
for page in "$@"; do
    claim "$page is measured" python3 "$prose" "$root" "$page"
done
claim "a gain that the CSV does not have would be seen" sees README.md 's/1\.6×/1.7×/' "1.7 is not measured"
claim "so would a share of the copy" sees README.md 's/reach 66 %/reach 68 %/' "68 is not measured"
claim "and a number that nothing accounts for" sees README.md 's/^What it teaches:/& 4 things./' "4 is not measured"
claim "and a rate that is not that of the recorded runs" sees README.md 's/| 98\.7 %/| 99.7 %/' "99.7 % should be 98.7 %"
claim "and a line of a terminal that no run showed" \
    sees README.md 's/^    \([*=^] cpu_chained  *\)\([0-9]\)/    \19\2/' "no row of docs/examples/terminal.csv is"
claim "and in a page of reports a date that no row has" \
    sees reports/h200/README.md 's/^\(- measured 2026-11-\)2[0-9]/\119/' "2026 is not measured"
claim "and a count of rows" sees reports/h200/README.md 's/ of [0-9][0-9]* rows/ of 98765 rows/' "98765 is not measured"
claim "and in docs/scans.md more traffic than a plugin has" \
    sees docs/scans.md 's/^\(The order.*\|.*Traffic \)3n: two/\14n: two/' "does not say: Traffic 3n"
claim "and a sum that nobody measured" sees docs/scans.md 's/^Less work, and yet slower/& by 30 %/' "30 is not measured"
claim "and work that a kernel's source does not have" \
    sees docs/scans.md 's/^Traffic 2n\. Work 4¼n/Traffic 2n. Work 2n/' "does not say: Traffic 2n. Work 4¼n"
claim "and a time of one value per thread" sees docs/scans.md 's/it takes 953 µs/it takes 565 µs/' "does not say: With one value"
claim "and another year" sees docs/scans.md 's/NVR-2016-002, 2016/NVR-2016-002, 2015/' "2015 is not measured"
