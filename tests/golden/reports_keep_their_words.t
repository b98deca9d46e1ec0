#!/bin/sh
# What a terminal shows of the committed CSVs, and of the claims about them, stays as it is in report.txt, beside this
# test. (Their Markdown is in reports/*/README.md and reports/README.md.) After a change that is meant:
# tests/golden/reports_keep_their_words.t --write
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/golden/reports_keep_their_words.py" "$root" "$@"
