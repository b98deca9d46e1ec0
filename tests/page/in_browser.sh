# shellcheck shell=sh
# in_browser SCRIPT.py: runs the claims of a script beside this file with the browser, or skips all of them.
# Sourced by the tests of this folder.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

skip_all() {
    printf 'TAP version 13\n1..0 # SKIP %s\n' "$1"
    exit 0
}

in_browser() {
    chromium=$(command -v chromium) || skip_all "there is no chromium"
    chromedriver=$(command -v chromedriver) || skip_all "there is no chromedriver (chromium-driver)"
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import selenium' 2>/dev/null; then
            cd "$(dirname -- "$0")" || exit 1
            exec "$python" "$1" "$root" "$chromium" "$chromedriver"
        fi
    done
    skip_all "there is no selenium for Python (python3-selenium)"
}
