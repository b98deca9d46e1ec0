#!/bin/sh
# What scanbench submit hands in names no host, user or folder, whatever has one; and what reports/add is given is
# checked as if anybody had made it: damaged and hostile files are refused with a sentence. SCANBENCH_MUTATIONS and
# SCANBENCH_SEED: how many damaged ones, which.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/submissions_are_clean.py"
