#!/bin/sh
# docs/measuring.md: its constants are those of the sources, its rates those of the recorded runs,
# and what it names is there.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
page=$root/docs/measuring.md
text=$work/text
tr '\n' ' ' <"$page" | tr -s ' ' >"$text"

says() { grep -qF -- "$1" "$text" || { echo "the page does not say: $1" && return 1; }; }

# fact FILE SOURCE TEXT [FACTOR]: FILE has the source, a regular expression, and the page the text.
# The number at the @ of the source stands, times the factor, at the @ of the text.
fact() {
    pattern=$(echo "$2" | sed "s/@/\\\\([0-9][0-9'.e]*\\\\)/")
    found=$(sed -n "/$pattern/{p;q;}" "$root/$1")
    [ -n "$found" ] || { echo "$1 has no: $2" && return 1; }
    number=
    case $2 in *@*)
        number=$(echo "$found" | sed "s/.*$pattern.*/\\1/" | tr -d "'")
        number=$(awk -v n="$number" -v factor="${4:-1}" 'BEGIN { printf "%.6g", n * factor }')
        ;;
    esac
    says "$(echo "$3" | sed "s/@/$number/")"
}

# facts FILE < LINES: of one file, a fact a line: source, text and factor between bars.
facts() {
    bad=0
    while IFS='|' read -r source words factor; do
        fact "$1" "$source" "$words" "${factor:-1}" || bad=1
    done
    return $bad
}

rounds() {
    facts harness/sweep/rounds.h <<'END' &&
ROUNDS_FEWEST = @,|The fewest rounds that give an interval are @,
ROUNDS_LEAST = @,|@ are enough when
ROUNDS_WANTED = @,|@ are wanted
ROUNDS_MOST = @ |@ are the end
END
        facts harness/commands/compare_in_run.c <<'END' &&
IN_RUN_ROUNDS = 2 \* ROUNDS_MOST,|80 at least, or
IN_RUN_TIMES = 2,|or twice the time of a sweep
IN_RUN_PATIENCE = @ |up to @ times as much
threshold_pct . 200,|is more than half of the threshold
END
        facts harness/sweep/rounds.c <<'END'
define SPREAD 0.25$|over a quarter of the group's time
ASK_EVERY = 5,|at every fifth round only
LEAST_OFTEN = 3 |every second or third round
time_limit_s \* 1e9 . ROUNDS_WANTED|more than a twentieth of its configuration's time
define SHORT_NS @|less than @ ms|1e-6
define LONG_NS @|if a run takes @ s|1e-9
is_short(estimate) ? 5 : 3|three timed runs; five
SHORT_NS ? 2 : estimate->run_ns < LONG_NS|untimed runs: one, or two
recorded = is_short(estimate) ? 8 : 1|one run each (eight below 1 ms)
trips = is_short(estimate) ? 2 : 1|one trip (two below 1 ms
define TRIPS_SHARE 0.5$|half of `--time-limit`
END
}

race() {
    facts harness/sweep/race.h <<'END'
RACE_FEWEST = @ |From @ rounds on
define RACE_FAR @|was @ times as slow
define RACE_NEAR @|is above @ with 95 %
END
}

samples() {
    facts harness/worker/sampling.c <<'END' &&
define WARM_NS @|at least @ ms of them|1e-6
needed = @ \*|at least @ times as long as reading
TRIES = 3 |taken again, twice at most
END
        fact harness/worker/watch.c 'define WHOLE @' "below @ % of the clock's" 100 &&
        fact harness/worker/watch.c 'ASK_EVERY_NS @' "every @ ms at most" 1e-6 &&
        facts harness/worker/displace.c <<'END' &&
HOST_LEAST ((size_t)@ <<|(@ MiB to
HOST_MOST ((size_t)@ <<|to @ GiB)
DEVICE_USUAL (UINT64_C(@)|a device @ MiB are
END
        facts harness/worker/frozen.c <<'END' &&
define CHAIN @|spin** is @ multiplications
define ADDS @|@ additions|6
END
        facts harness/sweep/measurement.c <<'END' &&
define SHARED @|more than @ times as long
4 \* shared >= known|in a quarter of the rounds
END
        fact harness/sweep/group.c 'LEAST = 1000, CALIBRATOR_N_MOST = 1 << 24' '(4 kB to 64 MiB)' &&
        fact harness/CMakeLists.txt 'falign-loops=@' 'their loops aligned to @ bytes'
}

gates() {
    fact plugins/common/cuda/cuda_gate.cu "PATIENCE_NS = @" "by itself after @ ms" 1e-6 &&
        fact plugins/common/opencl/opencl_gate.c "PATIENCE_MS = @," "by itself after @ ms" &&
        fact plugins/common/cuda/cuda_launch.cu "CUDA_GATES_TO_LOSE = 2;" "after two in a row" &&
        fact plugins/common/opencl/opencl_gate.c "GATES_TO_LOSE = 2 " "after two in a row"
}

intervals() {
    facts core/stats/rounds.h <<'END' &&
define STATS_PRECISION @|a half width of @ %|100
define STATS_FLOOR @|narrower than @ % on each side|100
END
        fact core/stats/stats.c 'tail <= @)' 'the sum is at most @ %' 100 &&
        fact core/stats/verdict.h 'define VERDICT_STATE @' 'moved by more than @ %' 100 &&
        fact core/stats/verdict.h 'define VERDICT_WITHIN_P @' 'sign test is at most @:' &&
        fact core/stats/verdict.c 'double alpha = @;' 'at @ % for all that are shown' 100 &&
        facts harness/compare/estimates.c <<'END' &&
short_run_ns = @;|runs of less than @ µs|1e-3
short_run_half = @;|at least @ % on each side, and|100
device_clock_half_ns = @;|device's clock @ µs|1e-3
clock_agrees = @;|within @ % of the other|100
END
        fact harness/output/row.c 'define ABOVE @' 'above @, is flagged' 100 &&
        fact harness/cli/option_map.h 'threshold_pct, VERB_COMPARE, @,' 'the threshold, @ %,' &&
        fact harness/cli/option_map.h 'time_limit_s, OPTION_TIMING_VERBS, @,' '--time-limit`, @ s'
}

# Binomial coefficients are summed until they are more than 2.5 % of 2^n.
ranks() {
    awk 'BEGIN { for (n = 6; n <= 40; n++) {
            k = 0; term = tail = 2 ^ -n
            while (tail <= 0.025) { below = tail; k++; term *= (n - k + 1) / k; tail += term }
            printf "%d %d %d %.1f\n", n, k, n + 1 - k, 100 * (1 - 2 * below) } }' >"$work/ranks"
    grep -q "^6 1 6 " "$work/ranks" && says "the 1st and 6th of 6 values" &&
        says "$(awk '$1 == 20 { print "the " $2 "th and " $3 "th of 20 (" $4 " %)" }' "$work/ranks")" &&
        says "$(awk '$1 == 40 { print "the " $2 "th and " $3 "th of 40 (" $4 " %)" }' "$work/ranks")"
}

# rate SECTION LINE VERDICTS: the sum of their rates, as the test of the recorded runs prints them.
rate() {
    awk -v section="# $1" -v label="# $2" -v verdicts="$3" '
        /^# .*:$/ { on = $0 == section }
        on && index($0, label) == 1 {
            count = split(verdicts, words, " ")
            for (i = 1; i <= count; i++)
                if ((at = index($0, words[i] " ")) > 0)
                    sum += substr($0, at + length(words[i]) + 1, 6)
            printf "%.1f %%", sum
            exit
        }' "$work/recorded"
}

# row TEXT ACROSS SUFFIX VERDICTS: a row of the table, of quiet and loaded runs of both sizes. ACROSS
# has the section, with @ for the kind of run; SUFFIX the line, with @ for the size.
row() {
    line="| $1 |"
    for runs in quiet loaded; do
        for n in 1e5 1e7; do
            line="$line $(rate "$(echo "$2" | sed "s/@/$runs/")" "$(echo "$3" | sed "s/@/$n/")" "$4") |"
        done
    done
    says "$line"
}

rates() {
    "$build/tests/core_recorded_runs.t" >"$work/recorded" || return 1
    differ="slower faster"
    row "two runs, nothing changed: called faster or slower" "Two @ runs of the same:" "serial, @" "$differ" &&
        row "two runs, nothing changed: called same" "Two @ runs of the same:" "serial, @" same &&
        row "two runs, 5 % slower: found" "Two @ runs, the second slower:" "5 % more time, @, one of 4 " slower &&
        row "two runs, 10 % slower: found" "Two @ runs, the second slower:" "10 % more time, @, one of 4 " slower &&
        row "one run, nothing changed: called faster or slower" "Both in the same rounds of a @ run:" \
            "serial, @, the same" "$differ" &&
        row "one run, 5 % slower: found" "Both in the same rounds of a @ run:" "serial, @, 5 % more time" slower
}

# The shortest times by the device's clock of the sweep in reports/.
ticks() {
    says "step by 32 ns" && python3 - "$root/reports/h200/small.csv" <<'TEXT'
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = [r for r in csv.DictReader(file)
            if (r["backend"], r["phase"], r["status"]) == ("cuda", "device", "ok")]
off = [r["min_ns"] for r in rows if float(r["min_ns"]) % 32 != 0]
print(len(rows), "rows,", len(off), "between ticks")
sys.exit(not rows or bool(off))
TEXT
}

# Words between backquotes with an underscore are columns, flags or plugins; others may be options.
names() {
    missing=0
    tr '`' '\n' <"$page" >"$work/words"
    while read -r name; do
        grep -qw "$name" "$root/docs/csv.md" || [ -d "$root/plugins/$name" ] ||
            { echo "csv.md has no $name" && missing=1; }
    done <<END
$(grep -x '[a-z]*_[a-z_]*' "$work/words")
END
    while read -r name; do
        grep -qF "X(\"$name\"" "$root/harness/cli/option_map.h" || { echo "no option --$name" && missing=1; }
    done <<END
$(sed -n 's/^\(compare \)*--\([a-z-]*\).*/\2/p' "$work/words")
END
    return $missing
}

plan 9
claim "rounds and visits" rounds
claim "the race of tune" race
claim "samples, spin, calibrators and cold caches" samples
claim "gates" gates
claim "intervals, thresholds and limits" intervals
claim "the ranks of an interval are those of the binomial distribution" ranks
claim "the rates are those of the recorded runs" rates
claim "the ticks of the device's clock are those of a recorded sweep" ticks
claim "every column, flag and option it names is there" names
