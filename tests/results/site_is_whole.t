#!/bin/sh
# The site of reports/site, of all committed results and of small ones: each link leads to a page, no page asks for
# anything or is too long, and each number follows the data.
# slow
# about: reports plugins docs/plugins.md README.md tests/results
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/site_is_whole.py" "$root"
