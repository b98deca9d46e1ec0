#!/bin/sh
# Plugins for OpenCL and CUDA outside the tree, against what is installed: the templates under other
# names, built by their own CMakeLists.txt and by one line of a compiler; and the message if that is
# not possible.
# slow
# about: core/include plugins/common tools *CMakeLists.txt
set -u

. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=${SCANBENCH_BUILD:-build}
prefix="$work/a prefix"
common="$prefix/share/scanbench/common"
scanbench="$prefix/bin/scanbench"
unset SCANBENCH_PLUGIN_PATH
cd "$root" || exit 1
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

by_cc() {
    cc -O3 -shared -fPIC -fvisibility=hidden -I "$prefix/include" -I "$common/opencl" \
        "$work/my_opencl/my_opencl.c" "$common/opencl"/*.c -lOpenCL -o "$work/by_cc.so"
}

# A plugin in C++, by the guide's line for that.
by_cc_in_cxx() {
    cat >"$work/my_opencl/in_cxx.cc" <<'END'
#include "opencl_peer.h"

#include <vector>

/* As a library of C++ would: reads, scans here, writes. */
static scan_status call(const opencl_peer *peer, cl_command_queue queue, cl_mem in, cl_mem out)
{
    std::vector<cl_uint> x(peer->n);
    const size_t bytes = x.size() * sizeof x[0];
    cl_uint sum = 0;
    if (peer->n == 0)
        return SCAN_OK;
    cl_int error = clEnqueueReadBuffer(queue, in, CL_TRUE, 0, bytes, x.data(), 0, nullptr, nullptr);
    for (cl_uint &one : x)
        one = sum += one;
    if (error == CL_SUCCESS)
        error = clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, bytes, x.data(), 0, nullptr, nullptr);
    return error == CL_SUCCESS ? SCAN_OK : opencl_fail(peer->context->host, error, "a library");
}

static scan_status create(const scan_host *, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    opencl_peer_needs needs = {};
    needs.call = call;
    return opencl_peer_create(static_cast<opencl_context *>(context), problem, &needs, self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "in_cxx",
    .name = "in C++",
    .version = "1.0",
    .summary = "a library of C++",
    .reference = "",
    .flags = SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_INCLUSIVE), SCAN_BIT(SCAN_DTYPE_U32)}},
    OPENCL_BACKEND,
    .create = create,
    .run = opencl_peer_run,
    .destroy = opencl_peer_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
END
    line=$(sed -n '/^    cc .*common\/opencl/,/my_scan.so$/p' "$root/docs/plugin-guide.md" | tr -d '\\\n' |
        sed 's/my_scan.so/&\n/g' | grep 'my_scan\.cc ' |
        sed "s,-I PREFIX/include,-I \"$prefix/include\",; s,\$common/opencl/\*,\"$common/opencl\"/*,; s,-I \$common/opencl,-I \"$common/opencl\",
             s,my_scan.cc,\"$work/my_opencl/in_cxx.cc\",; s,my_scan.so,\"$work/in_cxx.so\",")
    echo "$line"
    [ -n "$line" ] && eval "$line"
}

by_nvcc() {
    "$nvcc" -std=c++17 -O3 -shared -Xcompiler -fPIC,-fvisibility=hidden \
        -Xlinker --exclude-libs=ALL -I "$prefix/include" -I "$common/cuda" \
        "$work/my_cuda/my_cuda.cu" "$common/cuda"/*.cu -o "$work/by_nvcc.so"
}

# The claims about the plugin's own code; the rest is common.
proves() {
    "$scanbench" validate "$1" --claims sizes --max-n 70000 >"$work/proof"
    status=$?
    cat "$work/proof"
    [ "$status" -eq 0 ] && grep -q '^ok .* is right at n = 0, tile edges' "$work/proof"
}

# Without a GPU the list has the driver's words.
lists_cuda() {
    "$scanbench" list --plugins "$1" >"$work/list"
    cat "$work/list"
    grep -qw my_cuda "$work/list" && grep -qE 'unavailable: cudaGetDeviceCount: |^on ' "$work/list"
}

# Two folders of one project each find scanbench: what they share is built once.
one_project() {
    mkdir "$work/both"
    source_of other opencl || return 1
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(both LANGUAGES C)' \
        'add_subdirectory(../my_opencl mine)' 'add_subdirectory(../other other)' \
        >"$work/both/CMakeLists.txt"
    cmake_builds both -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
}

all_optimised() {
    commands=$work/both/build/compile_commands.json
    grep '"command"' "$commands" && ! grep '"command"' "$commands" | grep -qv -- ' -O3 '
}

# refuses TEXT LANGUAGE CALL: a project in that language, without OpenCL installed, may not
# make the call, and is told so. CMake breaks lines as it likes.
refuses() {
    mkdir -p "$work/refused"
    text=$1
    language=$2
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' "project(refused LANGUAGES $language)" \
        'find_package(scanbench REQUIRED)' "$3" \
        >"$work/refused/CMakeLists.txt"
    rm -rf "$work/refused/build"
    if cmake_builds refused -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON >"$work/said" 2>&1; then
        echo "CMake took it"
        return 1
    fi
    cat "$work/said"
    tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$text"
}

# A plugin with a library of its own, found in a folder that the compiler does not search. Its
# header has a warning, which nobody sees.
takes_keywords() {
    source_of my_keywords cpu && mkdir -p "$work/my_keywords/folder" || return 1
    printf '%s\n' 'static int unused_here(void) { return 1; }' 'int library_function(void);' \
        >"$work/my_keywords/folder/library.h"
    echo 'int library_function(void) { return 1; }' >"$work/my_keywords/library.c"
    printf '%s\n' '#include "library.h"' '#if OPTION != 3' '#error "no option"' '#endif' \
        'int another(void); int another(void) { return library_function(); }' \
        >>"$work/my_keywords/my_keywords.c"
    sed -i 's/^scanbench_add_plugin.*//' "$work/my_keywords/CMakeLists.txt"
    # shellcheck disable=SC2016 # CMake expands it
    printf '%s\n' 'add_library(library STATIC library.c)' \
        'set_target_properties(library PROPERTIES POSITION_INDEPENDENT_CODE ON)' \
        'scanbench_add_plugin(my_keywords SOURCES my_keywords.c LIBRARIES library' \
        '  INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/folder" OPTIONS -DOPTION=3 -Wall -Werror)' \
        >>"$work/my_keywords/CMakeLists.txt"
    cmake_builds my_keywords && exports_entry_alone "$work/my_keywords/build/my_keywords.so"
}

plan 25
claim "the build installs" cmake --install "$build" --prefix "$prefix"

if [ ! -e "$build/plugins/template_opencl.so" ]; then
    skip 11 "this build has no OpenCL"
else
    source_of my_opencl opencl
    claim "CMake builds an OpenCL plugin" cmake_builds my_opencl
    claim "built with CMake it exports scan_entry alone" \
        exports_entry_alone "$work/my_opencl/build/my_opencl.so"
    claim "one line of cc builds it" by_cc
    claim "built with cc it exports scan_entry alone" exports_entry_alone "$work/by_cc.so"
    if command -v c++ >/dev/null 2>&1; then
        claim "one line of cc builds one in C++" by_cc_in_cxx
        claim "in C++ it exports scan_entry alone" exports_entry_alone "$work/in_cxx.so"
    else
        skip 2 "there is no C++ compiler"
    fi
    claim "two OpenCL plugins with a CMakeLists.txt each build in one project" one_project
    claim "all of it is optimised, though nobody said so" all_optimised
    if "$scanbench" --plugins opencl_copy --require opencl --sizes 10 >/dev/null 2>&1; then
        claim "built with CMake it is right" proves "$work/my_opencl/build/my_opencl.so"
        claim "built with cc it is right" proves "$work/by_cc.so"
        if [ -e "$work/in_cxx.so" ]; then
            claim "in C++ it is right" proves "$work/in_cxx.so"
        else
            skip 1 "there is no C++ compiler"
        fi
    else
        skip 3 "OpenCL has no device here"
    fi
fi

if [ ! -e "$build/plugins/template_cuda.so" ]; then
    skip 6 "this build has no CUDA"
else
    source_of my_cuda cuda
    claim "CMake builds a CUDA plugin" cmake_builds my_cuda -DCMAKE_CUDA_COMPILER="$nvcc"
    claim "built with CMake it exports scan_entry alone" \
        exports_entry_alone "$work/my_cuda/build/my_cuda.so"
    claim "built with CMake it is listed with its device or why there is none" \
        lists_cuda "$work/my_cuda/build/my_cuda.so"
    claim "one line of nvcc builds it" by_nvcc
    claim "built with nvcc it exports scan_entry alone" exports_entry_alone "$work/by_nvcc.so"
    claim "built with nvcc it is listed with its device or why there is none" \
        lists_cuda "$work/by_nvcc.so"
fi

claim "a CUDA plugin without the language is told to enable it" \
    refuses "write project(... LANGUAGES CUDA)" C "scanbench_add_plugin(mine BACKEND cuda SOURCES mine.c)"
claim "an OpenCL plugin without C is told to enable it" \
    refuses "write project(... LANGUAGES C)" NONE "scanbench_add_plugin(mine BACKEND opencl SOURCES mine.c)"
claim "an OpenCL plugin without headers is told what to install" \
    refuses "install ocl-icd-opencl-dev" C "scanbench_add_plugin(mine BACKEND opencl SOURCES mine.c)"
claim "a backend that is none is refused" \
    refuses 'BACKEND is one of cpu, ' NONE "scanbench_add_plugin(mine BACKEND hip SOURCES mine.c)"
claim "a word that belongs to no keyword is refused" \
    refuses '"more.c" belongs to no keyword' NONE "scanbench_add_plugin(mine more.c SOURCES mine.c)"
claim "a plugin that says what it misses is an error" \
    refuses 'mine cannot be built with BACKEND cpu: no TBB found' NONE \
    'scanbench_plugin_not_built(mine cpu "no TBB found")'
claim "a plugin gets its libraries, folders and options" takes_keywords
