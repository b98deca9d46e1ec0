#!/bin/sh
# What the page of `scanbench report -o` says and lets choose, in headless Chromium: the size that it opens with,
# what disturbed the run, who is certain, the best lines of many and one picked out of them, the address that keeps
# the choice, the rounds of each row, the copy that a share is of, the map of rows and n.
# slow
# about: harness/output reports/scanbench_results tests/page
set -u
. "$(dirname -- "$0")/in_browser.sh"
in_browser page_answers.py
