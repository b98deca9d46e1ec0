#!/bin/sh
# An installed scanbench knows the plugins that the sources have, and a new one is known without an edit elsewhere.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1

known() { # MODULE'S EXPRESSION
    PYTHONPATH=$root/reports PYTHONDONTWRITEBYTECODE=1 python3 -c "
from pathlib import Path
from scanbench_results.known_plugins import known_plugins, plugins_of
print('\n'.join(sorted($1)))"
}

another_is_seen() {
    mkdir -p plugins/cpu_new plugins/common && touch plugins/cpu_new/CMakeLists.txt plugins/common/CMakeLists.txt &&
        echo '    .id = "cpu_newest",' >plugins/cpu_new/cpu_new.c || return 1
    [ "$(known "plugins_of(Path('plugins'))" | paste -s -d ' ')" = "cpu_new cpu_newest" ]
}

has_both() {
    [ "$(grep -c -x -e cpu_in_place -e cuda_multi -e opencl_blelloch_1 -e numpy_cumsum of_sources)" = 4 ]
}

cd "$work" || exit 1
known 'known_plugins()' >of_sources
plan 3
claim "the list that is installed is that of the sources" diff of_sources "$build/python/plugins.txt"
claim "it has ids and folders" has_both
claim "a plugin of the sources is known by its folder and its ids" another_is_seen
