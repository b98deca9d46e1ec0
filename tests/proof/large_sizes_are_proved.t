#!/bin/sh
# The claim large goes as far as memory and time allow, says what it did not reach, and catches what is
# wrong there alone: grids of 65535 blocks, offsets of bytes in 32 bits. What takes gigabytes is tried with
# SCANBENCH_SLOW=1, where there is memory for it.
# slow
# about: core harness tests/fixtures
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
free_gib=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)

# says TEXT PLUGIN ARGUMENTS...: nothing fails, and a line has the text.
says() {
    text=$1 plugin=$2
    shift 2
    exits 0 "$text" "$scanbench" validate "$broken/$plugin.so" --claims large "$@"
}

# fails TEXT PLUGIN ARGUMENTS...
fails() {
    text=$1 plugin=$2
    shift 2
    exits 1 "$text" "$scanbench" validate "$broken/$plugin.so" --claims large "$@"
}

in_json() {
    "$scanbench" validate "$broken/right.so" --claims large --max-n 1e6 --json - >"$work/json" || return 1
    python3 - "$work/json" <<'PYTHON'
import json, sys
(extent,) = json.load(open(sys.argv[1]))["extent"]
print(extent)
assert extent["max_n"] == 1000000 and "is above 1000000" in extent["not_reached"]
PYTHON
}

# with GIB TEXT COMMAND...: a claim that takes so much memory.
with() {
    need=$1
    shift
    if [ "${SCANBENCH_SLOW:-0}" != 1 ]; then
        skip 1 "SCANBENCH_SLOW=1 is not set"
    elif [ "$free_gib" -lt "$need" ]; then
        skip 1 "there are $free_gib GiB of free memory, $need are needed"
    else
        claim "$@"
    fi
}

plan 7
claim "--max-n bounds it, and the line says so" says \
    '# SKIP not beyond 2^29: n=536883201 is above 1000000 (--max-n, --mem-limit or max_n)' right --max-n 1e6
claim "so does --mem-limit" says \
    '# SKIP not beyond 2^29: n=536883201 needs 4.1 GiB of host memory, and 300.0 MiB of it may be used' \
    right --mem-limit 300Mi
claim "the JSON says so, too" in_json
claim "a grid of 65535 blocks is caught" fails 'a dimension of a grid' wide_grid --max-n 2e7
with 5 "a signed offset of bytes is caught beyond 2^29 elements" \
    fails 'elements are wrong' signed_offset --max-n 536883201
with 10 "an offset of 32 bits is caught beyond 2^30 elements" \
    fails 'elements are wrong' narrow_offset --max-n 1073754113
with 20 "2^31 elements are right" says 'up to n=2147495937;' right --max-n 2147495937
