#!/bin/sh
# The history of a folder: where times changed, how often that is wrong in recorded and made runs, which files are
# compared, in which order, and what becomes of files that are broken.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/history_finds_changes.py" "$root"
