#!/bin/sh
# Every plugin of the build folder exports scan_entry and nothing else, so no two
# plugins and no plugin and its host can take each other's functions.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=${SCANBENCH_BUILD:-$root/build}

# A library that exports more, to see that the claim can fail.
refuses_others() {
    printf 'int scan_entry = 1;\nint another = 2;\n' >"$work/two.c" &&
        cc -shared -fPIC "$work/two.c" -o "$work/two.so" && ! exports_entry_alone "$work/two.so"
}

set -- "$build/plugins/"*.so
if [ ! -e "$1" ]; then
    plan 1
    claim "there are plugins in $build/plugins" test -e "$1"
    exit
fi
plan $(($# + 1))
claim "a library that exports more is found out" refuses_others
for plugin; do
    claim "$(basename "$plugin") exports scan_entry alone" exports_entry_alone "$plugin"
done
