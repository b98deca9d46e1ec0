#!/bin/sh
# Damaged CSVs and metadata: the package reads them or says what is wrong, and what it reads can be
# compared and printed; nothing else comes out. SCANBENCH_MUTATIONS and SCANBENCH_SEED: how many, which.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/damaged_files_are_refused.py" "$root"
