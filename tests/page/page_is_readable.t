#!/bin/sh
# The page of `scanbench report -o` in headless Chromium: no errors of scripts, no horizontal
# scrolling, no text below 11 px or cut off, no NaN, no plot without data, no accessibility errors,
# every row of the CSV shown, 100,000 rows in time.
# slow
# about: harness/output reports/scanbench_results tests/page
set -u
. "$(dirname -- "$0")/in_browser.sh"
in_browser page_is_readable.py
