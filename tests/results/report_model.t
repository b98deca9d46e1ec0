#!/bin/sh
# The model of a report: who wins, who is tied, what is missing, crossovers, what more parts gain, labels
# of files, and that no row is lost.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/report_model.py"
