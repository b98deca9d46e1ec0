#!/bin/sh
# A plugin whose runs take 20 or 28 us, by the run or by the visit: runs of scanbench that happen to find
# more of one value than of the other are not called faster or slower.
# slow
# about: core harness tests/fixtures
set -u
. "$(dirname -- "$0")/../lib/python.sh"
build=${SCANBENCH_BUILD:-$root/build}
python_test "$root/tests/run/two_values_are_told.py" "$build/scanbench" "$build/tests/fixtures/plugins/two_values.so"
