#!/bin/sh
# How much memory a worker takes, and which configurations are skipped because they need too much.
# With SCANBENCH_SLOW=1 at the sizes the project promises, else at smaller ones.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# The largest VmHWM of the supervisor's workers, in KiB, while it lives.
watch() {
    peak=0
    while kill -0 "$1" 2>/dev/null; do
        # shellcheck disable=SC2013 # numbers on one line
        for worker in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$worker/status" 2>/dev/null)
            [ "${now:-0}" -gt "$peak" ] && peak=$now
        done
        sleep 0.02
    done
}

# frugal N: input, output and 64 MiB are enough for a worker of cpu_serial.
frugal() {
    "$scanbench" -q --plugins cpu_serial --sizes "$1" --time-limit 0.3 --csv "$csv" &
    supervisor=$!
    watch "$supervisor"
    wait "$supervisor" || return 1
    echo "peak $peak KiB, allowed $((2 * 4 * $1 / 1024 + 65536)) KiB"
    [ "$peak" -gt $((2 * 4 * $1 / 1024)) ] && [ "$peak" -le $((2 * 4 * $1 / 1024 + 65536)) ]
}

# skips TEXT ARGUMENTS...: a skipped row that says so, and no failure.
skips() {
    text=$1
    shift
    "$scanbench" -q --plugins cpu_serial --time-limit 0.01 --csv "$csv" "$@" || return 1
    cat "$csv"
    grep ',run,skipped,' "$csv" | grep -qF -- "$text"
}

rest_measured() {
    grep -q ',i32,1000,.*,run,ok,' "$csv"
}

# n = 2^31 + 7 is right, or skipped if there is too little memory.
past_32_bits() {
    "$scanbench" -q --plugins cpu_serial --sizes 2147483655 --time-limit 0.1 --csv "$csv" ||
        return 1
    cat "$csv"
    grep -Eq ',2147483655,.*,run,(ok,,1,|skipped,)' "$csv"
}

plan 7
claim "a worker takes input, output and 64 MiB at 4e6 elements" frugal 4000000
if [ "${SCANBENCH_SLOW:-0}" = 1 ]; then
    claim "and at 1e8 elements" frugal 100000000
    claim "2^31 + 7 elements are right, or skipped for want of memory" past_32_bits
else
    skip 2 "SCANBENCH_SLOW=1 is not set"
fi
claim "what is past --mem-limit is skipped, and the row names the sizes" skips \
    "needs 140.3 MiB of host memory (2 arrays of 40000000 bytes and 64 MiB), the limit is 70.0 MiB" \
    --mem-limit 70Mi --sizes 1000,1e7
claim "what is below it is measured" rest_measured
claim "2^31 + 7 elements where the memory is not there" skips \
    "2 arrays of 8589934620 bytes" --mem-limit 1Gi --sizes 2147483655
claim "more bytes than 64 bits count" skips "" --sizes 9e18
