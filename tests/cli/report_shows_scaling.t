#!/bin/sh
# scanbench report, with files of rows in parts: what more parts gain, in a terminal, as Markdown and in the data of
# the page; the numbers follow from the rows.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
cd "$work" || exit 1

# rows FILE: for each line of stdin, PLUGIN ROLE N PARTS LAYOUT TIME, a row.
rows() {
    awk 'BEGIN {
            print "schema,run_id,host,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache," \
                "phase,status,reason,median_ns,ci_lo_ns,ci_hi_ns,rounds,parts,layout"
        }
        {
            kind = $2 == "ceiling" ? "," : "exclusive,sum"
            printf "1,%s,here,%s,%s,cuda,GPU,%s,i32,%s,,,%s,hot,run,ok,,%s,%s,%s,20,%s,%s\n", FILE, $1, $2, kind, $3,
                $4 == "-" ? "" : "parts=" $4, $6, $6 * 0.99, $6 * 1.01, $4 == "-" ? "" : $4, $5 == "-" ? "" : $5
        }' FILE="$1" >"$1"
}

rows all.csv <<'END'
copies ceiling 1000000 1 - 1000
copies ceiling 2000000 2 contiguous 1010
tiles algorithm 1000000 1 - 1300
tiles algorithm 1000000 2 cyclic 700
tiles algorithm 2000000 2 cyclic 1400
slices algorithm 1000000 1 - 1250
slices algorithm 1000000 2 contiguous 1000
plain algorithm 1000000 - - 1200
END
head -n 1 all.csv >k1.csv
cp k1.csv k2.csv
grep -v ',2,c[yo]' all.csv | tail -n +2 >>k1.csv
grep ',2,c[yo]' all.csv | sed 's/^1,all.csv/1,second/' >>k2.csv

shows() { # shows TEXT ARGUMENTS...
    text=$1
    shift
    "$scanbench" report "$@" >out 2>&1 || return
    sed -n '/^Scaling/,$p; /^### Scaling/,$p' out
    grep -qF -- "$text" out
}

fits() {
    "$scanbench" report "$@" >out 2>&1 && [ "$(grep -c Scaling out)" -eq 1 ] &&
        python3 -c 'import sys; sys.exit(max(len(line.rstrip("\n")) for line in open("out", encoding="utf-8")) > 80)'
}

without() { # Neither a table nor data.
    grep -v ',2,c[yo]' all.csv | cut -d, -f 1-22 >old.csv
    "$scanbench" report old.csv -o old.html && grep -q '"scaling":\[\]' old.html &&
        ! shows Scaling old.csv && ! shows Scaling --markdown old.csv
}

# The page, the terminal and Markdown have the same numbers.
same_everywhere() {
    "$scanbench" report all.csv -o all.html && "$scanbench" report all.csv >all.txt &&
        "$scanbench" report --markdown all.csv >all.md || return
    python3 - <<'END'
import json, re
page = open("all.html", encoding="utf-8").read()
data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
three = lambda v: f"{v:.0f}" if v >= 99.95 else f"{v:#.3g}"
expected = []
series = data["rows"]["columns"]["series"].split(",") # what is the same as before is empty
for p in data["scaling"]:
    number = next(one for one in series[p["row"]::-1] if one)
    cells = [data["series"][int(number)]["plugin"], str(p["parts"]), three(p["elements_per_s"] / 1e9)]
    for gain in (p["own"], p["best"]):
        cells += [three(gain["speedup"]), three(100 * gain["efficiency"])] if gain["one"] is not None else []
    expected.append(cells + [three(100 * p["bound"] / p["parts"])])
terminal = open("all.txt", encoding="utf-8").read().split("\nScaling\n")[1]
markdown = open("all.md", encoding="utf-8").read().split("### Scaling\n")[1]
missing = [cells for cells in expected
           if not any(all(c in line.split() for c in cells) for line in terminal.splitlines())
           or not any(all(c in re.split(r"[ `|]+", line) for c in cells) for line in markdown.splitlines())]
print(*missing, sep="\n")
raise SystemExit(not expected or bool(missing))
END
}

plan 10
claim "strong: the same n, against one part of the plugin and the best one" \
    shows "tiles   1e6  2   700 ns  1429  1.86   92.9  1.71    85.7      100" all.csv
claim "slices are bounded by two thirds of k" \
    shows "slices  1e6  2  1.00 µs  1000  1.25   62.5  1.20    60.0     66.7" all.csv
claim "weak: the same n in each part" \
    shows "tiles   2e6  2  1.40 µs  1429  1.86   92.9  1.71    85.7      100" all.csv
claim "copies are held against copies" \
    shows "copies  2e6  2  1.01 µs  1980  1.98   99.0  1.98    99.0      100" all.csv
claim "files of one host are taken together" \
    shows "tiles   2e6  2  1.40 µs  1429  1.86   92.9  1.71    85.7      100  k2" k1.csv k2.csv
claim "and it is said that their speed-ups have no interval" \
    shows "speed-ups without a 95 % interval: measured in different runs" k1.csv k2.csv
# shellcheck disable=SC2016 # backquotes of Markdown
claim "Markdown has the table" \
    shows '| `tiles` | 1e6 | 2 | 700 ns | 1429 | 1.86 | 92.9 | 1.71 | 85.7 | 100 | parts=2 |' --markdown all.csv
claim "it fits into 80 columns" fits k1.csv k2.csv
claim "the page, the terminal and Markdown have the same numbers" same_everywhere
claim "a file of one part has no scaling" without
