# shellcheck shell=sh
# Plugins made from the templates of an installed tree, $prefix; after tap.sh.
# shellcheck disable=SC2154 # tap.sh sets $work, the test $prefix

# source_of ID BACKEND: the backend's template as an algorithm called ID, in $work/ID.
source_of() {
    mkdir -p "$work/$1"
    for from in "$prefix/share/scanbench/common/$2/template/algorithm"/*; do
        to=$(basename "$from" | sed "s/template_$2/$1/")
        sed "s/template_$2/$1/g; s/SCAN_ROLE_MOCK/SCAN_ROLE_ALGORITHM/" "$from" \
            >"$work/$1/$to" || return 1
    done
}

# cmake_builds ID WORD...: the project in $work/ID, configured with the words.
cmake_builds() {
    project=$work/$1
    shift
    cmake -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="$prefix" "$@" &&
        cmake --build "$project/build"
}

exports_entry_alone() {
    symbols=$(nm -D --defined-only "$1" | awk '{ print $NF }')
    echo "exported: $symbols"
    [ "$symbols" = scan_entry ]
}
