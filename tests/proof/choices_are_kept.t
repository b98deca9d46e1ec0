#!/bin/sh
# --types, --ops and --kinds bind every claim: a plugin that notes each problem that it is asked about
# sees no other, whatever claims there are and whichever plugin it stands for.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_chained plugins/cpu_memcpy plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
spy=$build/tests/fixtures/plugins/spies.so
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH

# sees FILE EXPECTED ARGUMENTS...: the proof of that file is right, and comes to all expected problems
# ("dtype op kind", numbered as in scan_plugin.h, one a word) and no other.
sees() {
    file=$1 expected=$2
    shift 2
    rm -f "$work/problems"
    MOCK_LOG=$work/problems MOCK_SPIED=$file "$scanbench" validate "$spy" --max-n 3000 "$@" \
        >"$work/tap" || {
        cat "$work/tap"
        return 1
    }
    found=$(sort -u "$work/problems" | tr ' ' . | paste -sd ' ' -)
    echo "asked about: $found; expected: $expected"
    [ "$found" = "$expected" ]
}

# leaves TEXT ARGUMENTS...: no line of the proof that runs the plugin is tested; each is a SKIP with that reason.
leaves() {
    text=$1
    shift
    "$scanbench" validate "$@" --max-n 3000 >"$work/tap" || return 1
    cat "$work/tap"
    sed -n '/says which device it has/,$p' "$work/tap" | sed 1d | grep '^[no]' >"$work/claims"
    [ -s "$work/claims" ] && ! grep -vF "# SKIP $text" "$work/claims"
}

# The command that repeats a failure chooses as the proof did.
repeats() {
    exits 1 "validate $mocks/leaks_threads.so --claims leaks --types u32,i32 --ops sum --kinds inclusive --max-n" \
        "$scanbench" validate "$mocks/leaks_threads.so" --claims leaks --types u32,i32 --ops sum \
        --kinds inclusive --max-n 3000
}

serial=$build/plugins/cpu_serial.so
plan 13
claim "a failure is repeated with the same choice" repeats
claim "one type, operator and kind" sees "$serial" "0.0.0" --types i32 --ops sum --kinds exclusive
claim "a type in both kinds, and its operators" sees "$serial" "2.0.0 2.0.1 2.1.0 2.1.1 2.2.0 2.2.1" --types i64
claim "an operator on its types, in one kind" sees "$serial" "6.3.1 7.3.1" --ops affine --kinds inclusive
claim "two types of threads that work together" sees "$build/plugins/cpu_chained.so" "0.2.0 4.2.0" \
    --types i32,f32 --ops min --kinds exclusive
claim "a copy, which has neither kind nor operator" sees "$build/plugins/cpu_memcpy.so" "5.0.0" \
    --types f64 --ops max --kinds inclusive
claim "a plugin with tunables" sees "$mocks/right.so" "1.0.1" --types u32 --kinds inclusive
claim "without the options, everything that is declared" sees "$mocks/right.so" "0.0.0 0.0.1 1.0.0 1.0.1"
claim "claims without their type say what they need" leaves "needs i32 or u32, which --types leaves out" \
    "$mocks/right.so" --types f32
claim "so do those without their operator" leaves "needs sum, which --ops leaves out" \
    "$mocks/right.so" --ops max
claim "and those without their kind" leaves "needs exclusive, which --kinds leaves out" \
    "$mocks/exclusive_only.so" --kinds inclusive
claim "of several that are missing, too" leaves \
    "--types, --ops and --kinds together leave out all that it needs" "$mocks/right.so" --types f32 --ops max
claim "large arrays are tried in the type that is asked for" exits 0 "f64 sum" \
    "$scanbench" validate cpu_serial --types f64 --ops sum --claims large --max-n 1e5
