#!/bin/sh
# Ranks, intervals of rounds and of ratios, verdicts across runs, the sign test and
# Holm's rule: the package says of the same data what core/stats says.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/rules_are_those_of_c.py" "${SCANBENCH_BUILD:-$root/build}/tests/stats_rules"
