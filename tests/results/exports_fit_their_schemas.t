#!/bin/sh
# What `report --export` prints is what the services' own descriptions ask for, and says the times of the rows.
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/exports_fit_their_schemas.py" "$root"
