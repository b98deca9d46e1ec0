#!/bin/sh
# 1,000 made runs whose ratios are known: the 95 % interval of a ratio holds the true one in 94 to 97 %
# in report, claims and between runs; report, claims and the closing table's C say the same. Of two runs
# of the same at most 5 % are called different, also where the noise of a round outlasts it.
# slow
# about: core/stats harness/output reports/scanbench_results tests/results
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/intervals_cover_ratios.py" "${SCANBENCH_BUILD:-$root/build}/tests/stats_rules"
