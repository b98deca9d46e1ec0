#!/bin/sh
# The closing table of a run, its CSV, the report and the data of the page say the same: who is fastest, who is
# tied with that, of whom nobody can say, and by how much each is faster than the baseline.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
build=${SCANBENCH_BUILD:-$root/build}
python_test "$root/tests/results/one_run_gives_one_answer.py" "$build/scanbench"
