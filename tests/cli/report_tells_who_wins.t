#!/bin/sh
# scanbench report, with files whose rows are written here: winners, ties, what is missing, the width
# of the terminal, colours, Markdown, claims, and files that are large, old or broken.
# slow
# about: harness/cli harness/commands harness/output reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
cd "$work" || exit 1
unset NO_COLOR

# rows FILE: for each line of stdin, PLUGIN ROLE N BLOCK TIME, a row whose interval has a half width
# of 0.5 %, by itself and over the frozen scan.
rows() {
    awk 'BEGIN {
            print "schema,run_id,host,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache," \
                "phase,status,reason,median_ns,ci_lo_ns,ci_hi_ns,rounds,time_per_scan,time_per_scan_lo," \
                "time_per_scan_hi,bytes_per_s,flags"
        }
        NF == 5 {
            kind = $2 == "ceiling" ? "," : "exclusive,sum"
            printf "1,r,here,%s,%s,cpu,CPU,%s,i32,%s,%s,,,hot,run,ok,,%s,%s,%s,20,%s,%s,%s,%s,\n", $1, $2, kind,
                $3, $4 == "-" ? "" : $4, $5, $5 * 0.995, $5 * 1.005, $5, $5 * 0.995, $5 * 1.005, 8 * $3 / $5 * 1e9
        }
        NF == 4 { printf "1,r,here,%s,%s,cpu,CPU,exclusive,sum,i32,%s,,,,hot,run,%s,it did,,,,,,,,,\n", $1, $2, $3, $4 }
        ' >"$1"
}

rows some.csv <<'END'
cpu_memcpy ceiling 1000 - 50
cpu_serial baseline 1000 - 200
fast algorithm 1000 64 100
fast algorithm 1000 128 130
near algorithm 1000 - 102
cpu_memcpy ceiling 100000 - 5000
cpu_serial baseline 100000 - 9000
fast algorithm 100000 64 10000
fast algorithm 100000 128 10010
near algorithm 100000 - 9010
broken algorithm 1000 crashed
END

shows() {
    text=$1
    shift
    "$scanbench" report "$@" >out 2>&1 || return
    cat out
    grep -qF -- "$text" out
}

# At most so many columns; of characters, not bytes.
fits() {
    width=$1
    shift
    "$@" >out 2>&1 || return
    python3 -c '
import re, sys
lines = open("out", encoding="utf-8").read().split("\n")
wide = [l for l in lines if len(re.sub("\x1b\\[[0-9;]*m", "", l.rstrip("\r"))) > int(sys.argv[1])]
print(*wide, sep="\n")
sys.exit(len(lines) < 10 or bool(wide))' "$width"
}

# on_terminal COLUMNS ARGUMENTS...: what a terminal of that width gets.
on_terminal() {
    python3 - "$@" <<'END'
import fcntl, os, pty, struct, sys, termios
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
try:
    while text := os.read(terminal, 65536):
        sys.stdout.buffer.write(text)
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
END
}

colours() { # colours COMMAND...: some of the output is bold
    "$@" >out 2>&1 && grep -q "$(printf '\033\[1m')" out
}

colourless() {
    "$@" >out 2>&1 && ! grep -q "$(printf '\033')" out
}

quiet() {
    "$scanbench" report -q some.csv >out 2>&1 && [ ! -s out ]
}

only_failures() {
    printf 'a algorithm 1000 crashed\nb algorithm 1000 error\n' | rows bad.csv
    shows "a: crashed: it did (1 row)" bad.csv && ! grep -q "winner" out
}

one_row() {
    echo 'a algorithm 1000 - 5' | rows one.csv
    shows "fastest" one.csv && ! grep -q nan out
}

# The columns of the first version alone.
old_file() {
    cut -d, -f 1-19 some.csv >old.csv
    shows "? by the medians alone: no intervals from rounds" old.csv && grep -q '2\.0 %?' out
}

# Twenty thousand rows: anything quadratic would need many times the limit.
large() {
    awk 'BEGIN { for (n = 1; n <= 2000; n++) for (p = 0; p < 10; p++)
        print "plugin" p, "algorithm", n, 32 * (p + 1), n + p }' | rows large.csv
    [ "$(wc -l <large.csv)" -eq 20001 ] || return
    prlimit --cpu=20 "$scanbench" report large.csv >out && [ "$(grep -c plugin0 out)" -gt 1999 ]
}

several() {
    sed 's/,here,/,there,/' some.csv >other.csv
    shows "exclusive i32 sum, processor: other" some.csv other.csv && grep -q "processor: some" out
}

cat >good.recipe <<'END'
title   Is my plugin at least as fast as another?
claim   It is, from 10⁵ on, within 3 %.
expect  from n = 1e5 on: best(near) / best(cpu_serial) < 1.03
claim   It is twice as fast at 1000.
expect  best(near, n=1000) * 2 < median(cpu_serial, n=1000)
claim   It beats the other at all sizes.
expect  for each n: best(near) < best(fast)
END

claims_are_judged() {
    shows "Holds: It is, from 10⁵ on" --claims good.recipe some.csv &&
        grep -qF "Does not hold here: It is twice as fast" out &&
        grep -qF "Does not hold here: It beats the other" out &&
        grep -q "^ *n=1e3 .* no  " out && grep -q "^ *n=1e5 .* yes  " out
}

mistakes_in_recipes() {
    sed 's/best(near)/worst(near)/' good.recipe >bad.recipe
    mkdir -p empty
    exits 2 'bad.recipe, line 3, column 26: found "worst"; expected median(...), best(...) or a number' \
        "$scanbench" report --claims bad.recipe some.csv &&
        exits 2 "no *.recipe in this folder" "$scanbench" report --claims empty some.csv &&
        exits 2 "No such file" "$scanbench" report --claims nothing.recipe some.csv
}

folder_of_recipes() {
    mkdir -p recipes && cp good.recipe recipes/some.recipe &&
        sed 's/near/fast/' good.recipe >recipes/any.recipe && sed 's/,r,/,r2,/' some.csv >more.csv &&
        shows "Holds, some: It is, from" --claims recipes some.csv more.csv &&
        ! grep -q "Holds, more: It is, from" out && grep -q "hold here, more: It is, from" out
}

# Measured with other arguments than the recipe's; then without metadata.
commands() {
    printf 'title T\nmeasure --sizes 1e5\nclaim C\nexpect best(cpu_serial) < 1 s\n' >one.recipe
    "$scanbench" -q --plugins cpu_serial --sizes 1000 --max-samples 6 --csv measured.csv 2>/dev/null
    shows "Holds: C" --claims one.recipe measured.csv && ! grep -q 1e5 out &&
        tr -s ' \n' ' ' <out | grep -qF -- "--max-samples 6 --csv measured.csv" &&
        rm measured.csv-metadata.json &&
        shows "scanbench --sizes 1e5" --claims one.recipe measured.csv && ! grep -q "max-samples" out
}

# The recipe and the formulas of docs/reports.md.
documented() {
    awk '/^    # mine.recipe/ { on = 1 } on && /^    \$/ { exit } on { sub(/^    /, ""); print }' \
        "$root/docs/reports.md" >documented.recipe
    awk '/^### Formulas/ { on = 1 } on && /^\|/ { exit } on && /^    / { sub(/^    /, "expect "); print }' \
        "$root/docs/reports.md" >formulas
    [ "$(wc -l <formulas)" -gt 3 ] && { printf 'claim C\n' && cat formulas; } >>documented.recipe &&
        shows "Was not measured: It reaches half of the copy" --claims documented.recipe some.csv
}

no_rows() {
    head -n 1 some.csv >empty.csv
    exits 2 "empty.csv has no rows: there is nothing to report" "$scanbench" report empty.csv &&
        exits 2 "Was not measured: It is" "$scanbench" report --claims good.recipe empty.csv &&
        shows "warning: empty.csv has no rows" some.csv empty.csv
}

# A CSV of somebody else may hold characters that a terminal obeys.
nothing_is_obeyed() {
    escape=$(printf '\033')
    sed "s/fast/f${escape}[31mst/" some.csv >strange.csv
    shows "f [31mst" strange.csv && ! grep -q "$escape" out &&
        shows "f [31mst" --markdown strange.csv && ! grep -q "$escape" out
}

plan 28
claim "the winner, with the margin to the next" shows "1e3  fast         100 ns  0.5 %  80.0  +2.0 %  near" some.csv
claim "those that are tied" shows "= near" some.csv
claim "what the mark means" shows "= cannot be told from the winner" some.csv
claim "the best setting and its ties" shows "1e5  fast    block=64      1 of 1" some.csv
claim "from which size one is faster than the baseline" shows "no longer from between 1e3 and 1e5" some.csv
claim "what failed, and why" shows "broken: crashed: it did (1 row)" some.csv
claim "all plugins where there is one size" one_row
claim "it fits into 80 columns" fits 80 "$scanbench" report some.csv
claim "and into a narrower terminal" fits 60 on_terminal 60 "$scanbench" report some.csv
claim "and no more than 160 of a wider one" fits 160 on_terminal 200 "$scanbench" report some.csv
claim "a terminal has colours" colours on_terminal 80 "$scanbench" report some.csv
claim "not with NO_COLOR" colourless env NO_COLOR=1 python3 -c '
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$scanbench" report some.csv
claim "a pipe has none, but with --color" colours "$scanbench" report --color always some.csv
claim "-q prints nothing" quiet
# shellcheck disable=SC2016 # backquotes of Markdown
claim "Markdown has tables" shows '| 1e3 | `fast` | 100 ns | 0.5 % | 80.0 | +2.0 % | near |' --markdown some.csv
claim "several files are told apart" several
claim "a file of failures" only_failures
claim "a file without rows" no_rows
claim "no terminal obeys what a file says" nothing_is_obeyed
claim "a file of the first version" old_file
claim "a file of 20000 rows" large
claim "claims are judged" claims_are_judged
claim "a mistake in a recipe is named by line and column" mistakes_in_recipes
claim "a recipe of the name of a file is judged in that" folder_of_recipes
claim "the command that measured a file stands above its claims" commands
claim "what the documentation shows is a recipe" documented
claim "no file is a mistake" exits 2 "report needs a file of results" "$scanbench" report
claim "a page does not overwrite results" exits 2 "this would overwrite" "$scanbench" report some.csv -o some.csv
