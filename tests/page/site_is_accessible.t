#!/bin/sh
# The site of reports/site in headless Chromium: accessible to axe-core, light and dark; readable on a phone, a wide
# screen and paper; there at once; the answers chosen with the keyboard, kept by the address, and all there without
# a script.
# slow
# about: reports tests/page
set -u
. "$(dirname -- "$0")/in_browser.sh"
in_browser site_is_accessible.py
