#!/bin/sh
# What compare says of the committed CSVs, as table, Markdown and JSON, and of mistakes, with the exit
# status, stays as it is in compare.txt. After a change that is meant: comparisons_keep_their_words.t --write
set -u
. "$(dirname -- "$0")/../lib/python.sh"
cd "$root/reports" || exit 1
python_test "$root/tests/golden/comparisons_keep_their_words.py" "$@"
