#!/bin/sh
# A proof says what it did not reach, up to where it went, and keeps its TAP whole whatever a file is
# called.
# slow
# about: core harness tests/fixtures
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH

# says NAME TEXT ARGUMENTS...: the proof of that plugin holds a line with the text, and fails nothing.
says() {
    name=$1 text=$2
    shift 2
    "$scanbench" validate "$broken/$name.so" "$@" >"$work/tap" || return 1
    cat "$work/tap"
    grep -qF -- "$text" "$work/tap"
}

has_extent() {
    "$scanbench" validate "$broken/refuses_odd.so" --max-n 5000 --claims sizes --types i32 \
        --json "$work/json" >/dev/null || return 1
    python3 - "$work/json" <<'PYTHON'
import json
import sys

proof = json.load(open(sys.argv[1], encoding="utf-8"))
(extent,) = proof["extent"]
print(extent)
assert extent["max_n"] == 5000 and extent["types"] == "i32 sum"
assert extent["settings"] == {"block": [64, 64]}
assert extent["refused"] > 0 and "n must be even" in extent["first_refused"]
PYTHON
}

# Its lines are the plan, points, YAML and comments, and as many points as planned.
holds_name() {
    odd=$(printf 'a\nok 1 - made up # SKIP \033[31mred\302\233\377.so')
    cp "$broken/last_element.so" "$work/$odd"
    "$scanbench" validate "$work/$odd" --max-n 5000 --claims quiet,sizes >"$work/tap"
    cat -v "$work/tap"
    ! LC_ALL=C grep -q "$(printf '\033')" "$work/tap" &&
        ! grep -vE '^(TAP version 13|1\.\.[0-9]+|(not )?ok [0-9]+ - .*|  .*|# .*)$' "$work/tap" &&
        [ "$(grep -cE '^(not )?ok ' "$work/tap")" = "$(sed -n 's/^1\.\.//p' "$work/tap")" ] &&
        ! grep -q '^ok .* # SKIP' "$work/tap"
}

# within LIMIT N: as far as five arrays of the largest type and a worker fit into it, and no further.
within() {
    "$scanbench" validate "$broken/right.so" --claims sizes --types i32 --mem-limit "$1" --max-n 1e7 \
        >"$work/tap" || return 1
    cat "$work/tap"
    grep -qF "up to n=$2;" "$work/tap"
}

plan 12
claim "one element shows no second tile" \
    says one_element '# SKIP right up to n=1, but no second tile' --claims sizes
claim "a block of a quarter of n shows no third level" \
    says odd_blocks 'no third level of recursion: that is n > 9216' --claims levels --max-n 400
claim "a limit below a second tile is said" says right 'no second tile: that is n > 64' \
    --claims sizes --max-n 50
claim "what was refused is counted, with a reason" \
    says refuses_odd ': n must be even' --claims sizes --max-n 5000
claim "what takes too long is left out and counted" says slow_when_large '# left out: ' --claims sizes,patterns
claim "a claim whose runs are slow ends with a reason" says slow_always \
    'primes # SKIP time is up: right in ' --claims sizes --types i32 --claim-limit 0.5
claim "so do all claims together" says slow_always \
    'misaligned buffers # SKIP time is up: ' --claims sizes,levels,misaligned --claim-limit 0.3
claim "the closing line says how far it went" \
    says right 'up to n=70000; i32 u32 sum; block 4 to 1024' --max-n 70000
claim "so does the JSON" has_extent
claim "a file's name cannot add to the TAP" holds_name
claim "--mem-limit bounds n" within 128Mi 3355443
claim "and is refused where no proof fits" exits 2 "--mem-limit: a proof needs 128.0 MiB at least" \
    "$scanbench" validate "$broken/right.so" --mem-limit 100Mi
