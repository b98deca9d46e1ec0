#!/bin/sh
# reports/scanbench_results/known_plugins.py has the plugins of the sources, and no other: by id, and by folder, where a
# plugin that is not built or cannot be loaded has that in its row.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

listed() {
    PYTHONPATH=$root/reports PYTHONDONTWRITEBYTECODE=1 python3 -c '
from scanbench_results.known_plugins import PLUGINS
print("\n".join(sorted(PLUGINS)))'
}

# in_sources FOLDER: of plugins/ there, without what is shared and tested.
in_sources() {
    cd "$1/plugins" || return
    {
        grep -rhoE '\.id = "[a-z0-9_]+"' --include='*.c' --include='*.cc' --include='*.cpp' --include='*.cu' \
            --include='*.h' --exclude-dir=common --exclude-dir=tests . | cut -d '"' -f 2
        for folder in */CMakeLists.txt; do dirname "$folder"; done | grep -vx common
    } | LC_ALL=C sort -u
}

is_of() { # FOLDER
    listed >"$work/listed" && in_sources "$1" >"$work/sources" && diff "$work/sources" "$work/listed"
}

another_is_seen() {
    mkdir -p "$work/tree" && cp -R "$root/plugins" "$work/tree/" && mkdir "$work/tree/plugins/cpu_new" || return 1
    touch "$work/tree/plugins/cpu_new/CMakeLists.txt"
    echo '    .id = "cpu_newest",' >"$work/tree/plugins/cpu_new/cpu_new.c"
    ! is_of "$work/tree" >"$work/found" && grep -q '^< cpu_new$' "$work/found" && grep -q '^< cpu_newest$' "$work/found"
}

plan 2
claim "known_plugins.py has the plugins of the sources" is_of "$root"
claim "another plugin would be seen" another_is_seen
