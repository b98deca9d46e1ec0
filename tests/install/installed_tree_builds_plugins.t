#!/bin/sh
# `cmake --install` into a folder of its own; then a plugin is built against what
# is there in three ways, and the installed program finds and checks each.
# slow
# about: core/include harness/cli harness/commands plugins/common reports/scanbench_results tools *CMakeLists.txt
set -u

. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=${SCANBENCH_BUILD:-build}
prefix="$work/a prefix"
plugins=$work/plugins
mkdir "$plugins"
unset SCANBENCH_PLUGIN_PATH

lists() {
    "$prefix/bin/scanbench" list >"$work/list" && cat "$work/list" && grep -qw "$1" "$work/list"
}

lists_outside() {
    SCANBENCH_PLUGIN_PATH=$plugins lists "$1"
}

measures() {
    SCANBENCH_PLUGIN_PATH=$plugins "$prefix/bin/scanbench" run --plugins "$1" --sizes 1000 \
        --csv - >"$work/csv" && cat "$work/csv" && grep -q ',run,ok,' "$work/csv"
}

# Three claims about the plugin $1, built by $2.
check() {
    claim "the plugin built $2 exports scan_entry alone" exports_entry_alone "$plugins/$1.so"
    claim "the installed program lists the plugin built $2" lists_outside "$1"
    claim "the installed program measures the plugin built $2" measures "$1"
}

by_hand() {
    source_of by_hand cpu
    cc -shared -fPIC -I "$prefix/include" "$work/by_hand/by_hand.c" -o "$plugins/by_hand.so"
}

by_pkg_config() {
    source_of by_pkg_config cpu
    flags=$(PKG_CONFIG_PATH="$prefix/share/pkgconfig" pkg-config --cflags --libs scanbench) &&
        eval "cc \"$work/by_pkg_config/by_pkg_config.c\" $flags -o \"$plugins/by_pkg_config.so\""
}

by_cmake() {
    source_of by_cmake cpu && cmake_builds by_cmake && cp "$work/by_cmake/build/by_cmake.so" "$plugins"
}

# A wrapper of a library in C++, as `new` writes it, in a project of its own.
peer_by_cmake() {
    (cd "$work" && "$prefix/bin/scanbench" new cc_peer --role peer) &&
        cmake_builds cc_peer -DCMAKE_CXX_FLAGS="-Wall -Werror" &&
        cp "$work/cc_peer/build/cc_peer.so" "$plugins"
}

# The lines of CMake that the README shows, in a project whose languages are both.
by_readme() {
    source_of my_scan cpu || return 1
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(mine LANGUAGES C CXX)' \
        >"$work/my_scan/CMakeLists.txt"
    sed -n 's/^    \(find_package(scanbench REQUIRED)\)$/\1/p; s/^    \(scanbench_add_plugin(my_scan .*\)$/\1/p' \
        "$root/README.md" >>"$work/my_scan/CMakeLists.txt"
    cat "$work/my_scan/CMakeLists.txt"
    cmake_builds my_scan && exports_entry_alone "$work/my_scan/build/my_scan.so"
}

plan 24
cd "$root" || exit 1
claim "the build installs" cmake --install "$build" --prefix "$prefix"
for file in bin/scanbench lib/scanbench/plugins/cpu_serial.so lib/scanbench/plugins/not_built.txt \
    include/scan_plugin.h share/doc/scanbench/LICENSE; do
    claim "$file is installed" test -e "$prefix/$file"
done

claim "one line of cc builds a plugin" by_hand
check by_hand "by one line of cc"
claim "the CMake package builds a plugin" by_cmake
check by_cmake "with the CMake package"
claim "the lines of CMake in the README build a plugin" by_readme
if command -v c++ >/dev/null 2>&1; then
    claim "the CMake package builds a wrapper in C++" peer_by_cmake
    check cc_peer "in C++"
else
    skip 4 "there is no C++ compiler"
fi
if command -v pkg-config >/dev/null 2>&1; then
    claim "the flags of pkg-config build a plugin" by_pkg_config
    check by_pkg_config "with pkg-config"
else
    skip 4 "pkg-config is not installed"
fi

mv "$prefix" "$work/moved"
prefix=$work/moved
claim "moved elsewhere, the program still finds its own plugins" lists cpu_serial
