#!/bin/sh
# The claim races finds races between threads and rare mistakes as often as docs/proof.md says, and
# blames no plugin whose threads are right.
# slow
# about: core harness tests/fixtures
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=${SCANBENCH_BUILD:-$root/build}/scanbench
broken=${SCANBENCH_BUILD:-$root/build}/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH MOCK_ONE_IN

# prove_races NAME SEED: with so much time that all runs are made, on a busy machine too.
prove_races() {
    "$scanbench" validate "$broken/$1.so" --claims races --seed "$2" --max-n 70000 \
        --claim-limit 1200 --timeout "${timeout-60}"
}

# count_found NAME TIMES: in how many proofs, two at a time, the claim breaks. $work/one is the TAP
# of one of those.
count_found() {
    rm -f "$work"/*.tap
    for odd in 1 2; do
        for seed in $(seq $odd 2 "$2"); do
            prove_races "$1" "$seed" >"$work/$seed.tap"
        done &
    done
    wait
    found=$(grep -l "^  claim: 'races'" "$work"/*.tap | wc -l)
    grep -h "^  with: " "$work"/*.tap
    last=$(grep -l "^  claim: 'races'" "$work"/*.tap | tail -n 1)
    [ -z "$last" ] || cp "$last" "$work/one"
    echo "found $found times of $2"
}

# is_found NAME TIMES LEAST [MOST]
is_found() {
    count_found "$1" "$2"
    [ "$found" -ge "$3" ] && [ "$found" -le "${4:-$2}" ]
}

# rarely_wrong N TIMES LEAST MOST: of a plugin that is wrong in one of N runs.
rarely_wrong() {
    export MOCK_ONE_IN="$1"
    shift
    result=0
    is_found now_and_then "$@" || result=1
    unset MOCK_ONE_IN
    return $result
}

runs_are_as_documented() {
    runs=$(prove_races right 1 | sed -n 's/^ok 1 .* (\([0-9]*\) runs)$/\1/p')
    echo "$runs runs"
    grep -qF "makes $runs runs" "$root/docs/proof.md"
}

passes() {
    prove_races "$1" 1 >"$work/passes" || { cat "$work/passes" && return 1; }
}

plan 15
claim "a value read before it is written is found where the writer is delayed" \
    is_found publishes_early 6 3
claim "a failure says which run was wrong" grep -q "^  with: '[a-z].* n=[0-9]* run=[0-9]* of [0-9]*'" "$work/one"
claim "and looks like a race" grep -q "^  looks_like: 'a race: " "$work/one"
# On a busy machine its threads seldom run side by side.
claim "a counter that is not atomic is found in threads that run starts" is_found takes_tiles_twice 12 3
claim "threads that store bytes through a word that both write are found" is_found packed_threads 4 3
claim "a thread that gives up waiting is found" is_found gives_up 4 1
claim "a race is found that comes out in place alone" is_found races_in_place 4 2
claim "and one that comes out in a large buffer alone" is_found races_in_place_when_large 8 1
timeout=2
claim "a thread that is not woken is found" is_found loses_wakeups 4 2
claim "and the hang is the failure" grep -q "^  reason: 'no progress for 2 s during run" "$work/one"
timeout=60
claim "a plugin that is wrong in one of 400 runs is found" rarely_wrong 400 4 4 4
claim "one that is wrong in one of 4000 runs is found in two proofs of three" rarely_wrong 4000 20 6 19
claim "a proof makes as many runs as docs/proof.md says" runs_are_as_documented
claim "threads that add floats in any order are right" passes any_order
claim "so are threads that create starts" passes pool_of_threads
