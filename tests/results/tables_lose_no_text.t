#!/bin/sh
# Tables of reports and claims, from 30 to 160 columns wide: no line is wider, no text is cut but names, and each mark is
# explained.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/tables_lose_no_text.py" "$root"
