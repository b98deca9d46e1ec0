#!/bin/sh
# The time of a report, as tables and as a page, grows as the number of rows does, whatever it is that they
# differ by.
# slow
# about: reports/scanbench_results tests/results
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/report_time_is_linear.py"
