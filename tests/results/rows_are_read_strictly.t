#!/bin/sh
# The package reads what a run writes, and what editors, pandas and older builds make of it; what is
# no CSV, cut, joined or changed by a spreadsheet is refused, by line.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/rows_are_read_strictly.py"
