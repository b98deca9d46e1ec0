#!/bin/sh
# `scanbench new` writes a plugin that builds and is proved as it stands, by the commands it
# prints: in the tree, where nothing else changes, and outside it.
# slow
# about: core/include harness/cli harness/commands plugins/common *CMakeLists.txt
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH SCANBENCH_BUILD

# A copy of the tree, so that this one stays unchanged, with the program built here.
make_tree() {
    mkdir "$work/tree" && cd "$root" &&
        cp -R CMakeLists.txt CMakePresets.json .proverc cmake core fuzz harness plugins tests tools docs \
            LICENSE README.md CHANGELOG.md "$work/tree" &&
        cd "$work/tree" && mkdir build && ln -s "$scanbench" build/scanbench && list_files >"$work/before"
}

list_files() {
    find . -path ./build -prune -o -type f -print | sort
}

# The commands a `new` printed, without the words around them.
commands() {
    sed -n 's/^    //p' "$work/said"
}

# From the name to a green line of prove, in a tree that is configured once, as usual.
in_the_tree() {
    began=$(date +%s)
    "$scanbench" new my_scan >"$work/said" && cat "$work/said" || return 1
    cmake -S . -B build -DCMAKE_CUDA_COMPILER= -DSCANBENCH_TESTS=OFF >"$work/cmake" || return 1
    cmake --build build --target plugin_my_scan && prove build/plugins/my_scan.so >"$work/prove" || return 1
    cat "$work/prove"
    echo "# from new to green: $(($(date +%s) - began)) s" >"$work/took"
    grep -q '^Result: PASS' "$work/prove"
}

touches_its_folder_alone() {
    list_files | diff "$work/before" - >"$work/changes"
    cat "$work/changes"
    [ "$(grep -c '^>' "$work/changes")" = 2 ] && ! grep -q '^<' "$work/changes" &&
        [ "$(grep -c '^> ./plugins/my_scan/' "$work/changes")" = 2 ]
}

# The commands work from any folder.
from_below() {
    (cd docs && "$scanbench" new from_docs) >"$work/below" || return 1
    cat "$work/below"
    grep -q '^    cd ' "$work/below" && [ -e plugins/from_docs/from_docs.c ] && rm -r plugins/from_docs
}

says_prove() {
    cat "$work/said"
    commands | grep -q 'plugins/my_scan.so$'
}

is_an_algorithm() {
    grep -n 'template_cpu\|ROLE_MOCK' plugins/my_scan/my_scan.c && return 1
    "$scanbench" --plugins build/plugins/my_scan.so --sizes 1000 --csv - >"$work/csv" &&
        grep ',my_scan,.*,algorithm,.*,run,ok,' "$work/csv"
}

# lists_misses REASON WORD...: a plugin with nothing but scanbench_plugin_not_built(WORD...) is
# reported with the reason.
lists_misses() {
    reason=$1
    shift
    mkdir -p plugins/misses && echo "scanbench_plugin_not_built($*)" >plugins/misses/CMakeLists.txt &&
        cmake -S . -B build >"$work/cmake" || return 1
    rm -r plugins/misses
    grep -h '^misses' build/plugins/not_built.txt
    grep -q "^misses	$2	not built: $reason\$" build/plugins/not_built.txt
}

# A backend is the folder it is described in: that of CPUs, under another name.
takes_a_backend() {
    cp -R plugins/common/cpu plugins/common/toy || return 1
    find plugins/common/toy -type f -name 'template_*' | while read -r file; do
        mv "$file" "$(echo "$file" | sed 's/template_cpu/template_toy/')"
    done
    find plugins/common/toy -type f -exec sed -i \
        's/scanbench_cpu/scanbench_toy/; s/common_cpu/common_toy/; s/template_cpu/template_toy/g; s/backend = "cpu"/backend = "toy"/; s/scanbench_add_plugin(template_[a-z_]*/& BACKEND toy/' {} +
    cmake -S . -B build >"$work/cmake" && cmake --build build --target plugin_template_toy_peer &&
        ls build/plugins/template_toy_peer.so && cat build/harness/template_words.h || return 1
    grep -q 'BACKENDS.* toy' build/harness/template_words.h &&
        grep -q 'source = template_toy_peer_source' build/harness/templates.c && rm -r plugins/common/toy
}

# outside ID WORD...: what is printed builds it and proves it.
outside() {
    cd "$work" && "$scanbench" new "$@" >"$work/said" && cat "$work/said" || return 1
    commands | sed 's/ validate / validate --claims exports,sizes --max-n 9000 /' >"$work/$1.sh"
    sh -e "$work/$1.sh" >"$work/$1.tap"
    status=$?
    cat "$work/$1.tap"
    [ "$status" -eq 0 ] && grep -q "^ok .*exports nothing but scan_entry" "$work/$1.tap"
}

is_a_peer() {
    grep -n 'template_cpu\|ROLE_MOCK' "$work"/my_peer/* && return 1
    "$scanbench" --plugins "$work/my_peer/my_peer.so" --sizes 1000 --csv - >"$work/csv" &&
        grep ',my_peer,.*,peer,.*,run,ok,' "$work/csv"
}

leaves_nothing() {
    mkdir "$work/locked" && chmod 555 "$work/locked"
    if [ "$(id -u)" -eq 0 ]; then # whom no mode stops: a file for a folder
        exits 2 "Not a directory" "$scanbench" new "$work/said/mine"
    else
        exits 2 "Permission denied" "$scanbench" new "$work/locked/mine"
    fi
}

plan 27
claim "there is a tree to work in" make_tree
cd "$work/tree" || exit 1
claim "in the tree a new plugin builds and is green" in_the_tree
cat "$work/took"
claim "new changes nothing in the tree but the folder it makes" touches_its_folder_alone
claim "new prints the command that proves the plugin in the tree" says_prove
claim "the new plugin is an algorithm, and measured" is_an_algorithm
claim "a plugin that misses a library is listed with the reason" \
    lists_misses "no TBB found" misses cpu '"no TBB found"'
claim "a plugin whose backend is missing is listed with that reason" \
    lists_misses "no CUDA compiler found;.*" misses cuda '"no TBB found"'
claim "a folder in plugins/common is a backend, with its templates" takes_a_backend
claim "from a folder in the tree, too, a plugin goes to plugins/" from_below
claim "new does not overwrite what is there" exits 2 "plugins/my_scan: File exists; choose another name" \
    "$scanbench" new my_scan
claim "an id that is taken is refused" exits 2 "a plugin cpu_serial exists already" \
    "$scanbench" new "$work/cpu_serial"
claim "what is no id is refused, and the nearest one named" exits 2 "did you mean my_scan_2?" \
    "$scanbench" new "$work/My-Scan.2"
claim "a backend that is none is refused" exits 2 "; did you mean cuda?" \
    "$scanbench" new "$work/mine" --backend cud
claim "a role that is none is refused" exits 2 "no such template with --backend cpu; did you mean peer?" \
    "$scanbench" new "$work/mine" --role per
claim "new without a name is refused" exits 2 "as in: scanbench new my_scan" "$scanbench" new
claim "new with two names is refused" exits 2 "as in: scanbench new my_scan" "$scanbench" new one two
claim "where nothing can be written, that is said" leaves_nothing
claim "outside the tree the printed line of cc builds it, and it is proved" outside my_cpu --backend cpu
claim "outside the tree the printed line builds a wrapper of a library, and it is proved" \
    outside my_peer --role peer
claim "the wrapper is a peer, and measured" is_a_peer
claim "it is in C++" test -e "$work/my_peer/my_peer.cc"
claim "with --language c the printed line builds one in C, and it is proved" \
    outside my_peer_c --role peer --language c
claim "a language without a template is refused" exits 2 "--language c++: there is no such template with --backend cpu; did you mean c?" \
    "$scanbench" new "$work/mine" --language c++
if [ ! -e "$build/plugins/template_opencl.so" ]; then
    skip 2 "this build has no OpenCL"
elif "$scanbench" list --plugins template_opencl --require template_opencl >/dev/null 2>&1; then
    claim "outside the tree the printed line builds an OpenCL plugin, and it is proved" outside my_opencl --backend opencl
    claim "and one that wraps a library of OpenCL's" outside my_opencl_peer --backend opencl --role peer
else
    skip 2 "OpenCL has no device here"
fi
if command -v nvcc >/dev/null 2>&1 && "$scanbench" list --require cuda >/dev/null 2>&1; then
    claim "outside the tree the printed line builds a CUDA plugin, and it is proved" outside my_cuda --backend cuda
    claim "and one that wraps a library of CUDA's" outside my_cuda_peer --backend cuda --role peer
else
    skip 2 "there is no nvcc or no GPU here"
fi
