#!/bin/sh
# The page of `scanbench report -o` in headless Chromium: no errors of scripts, no horizontal
# scrolling, no text below 11 px or cut off, no NaN, no plot without data, no accessibility errors,
# every row of the CSV shown, 100,000 rows in time.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=${SCANBENCH_BUILD:-$root/build}
case $build in /*) ;; *) build=$root/$build ;; esac

skip_all() {
    printf 'TAP version 13\n1..0 # SKIP %s\n' "$1"
    exit 0
}

chromium=$(command -v chromium) || skip_all "there is no chromium"
chromedriver=$(command -v chromedriver) || skip_all "there is no chromedriver (chromium-driver)"
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import selenium' 2>/dev/null; then
        cd "$(dirname -- "$0")" || exit 1
        exec "$python" page_is_readable.py "$root" "$build" "$chromium" "$chromedriver"
    fi
done
skip_all "there is no selenium for Python (python3-selenium)"
