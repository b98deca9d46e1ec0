#!/bin/sh
# `scanbench new --backend python` and the guide's example are right, or unavailable where NumPy is missing.
# slow
# about: core harness plugins/common/python docs/plugin-guide.md
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"

plan_with_python 15

written() {
    (cd "$work" && "$scanbench" new ./my_scan --backend python) >"$work/said"
    found=$?
    cat "$work/said"
    [ $found = 0 ] && [ "$(ls "$work/my_scan")" = my_scan.py ] && grep -q 'validate ./my_scan/my_scan.py$' "$work/said" &&
        grep -qx 'ROLE = "algorithm"' "$work/my_scan/my_scan.py" && ! grep -q 'template_python\|mock' "$work/my_scan/my_scan.py"
}

# written_for LIBRARY: for arrays of that library, or of the one that hands on its own.
written_for() {
    (cd "$work" && "$scanbench" new "./my_$1" --backend python --language "$1") >"$work/said"
    found=$?
    cat "$work/said"
    [ $found = 0 ] && grep -q 'in Python, on NVIDIA GPUs' "$work/said" && grep -q "^import $1\|^from $1 " "$work/my_$1/my_$1.py" &&
        grep -q '^ARRAYS = "'"${2-$1}"'"' "$work/my_$1/my_$1.py" && ! grep -q 'template_python\|mock' "$work/my_$1/my_$1.py" &&
        python3 -c 'compile(open(0).read(), "", "exec")' <"$work/my_$1/my_$1.py"
}

# In a tree it gets what makes it one of the tree's plugins.
in_a_tree() {
    mkdir -p "$work/tree/plugins" "$work/tree/core/include" && : >"$work/tree/plugins/CMakeLists.txt" &&
        : >"$work/tree/core/include/scan_plugin.h" && (cd "$work/tree" && "$scanbench" new my_scan --backend python -q) &&
        grep -qx 'scanbench_add_python(my_scan)' "$work/tree/plugins/my_scan/CMakeLists.txt"
}

# The guide's first block of Python.
example() {
    awk '/^```python$/ { on = 1; next } on && /^```$/ { exit } on' "$root/docs/plugin-guide.md" >"$work/example.py"
    grep -q '^def create(problem):' "$work/example.py" && python3 -c 'compile(open(0).read(), "", "exec")' <"$work/example.py"
}

# proved FILE
proved() {
    "$scanbench" validate "$1" --types i32,f32 --max-n 5000 >"$work/proof" 2>&1
    found=$?
    cat "$work/proof"
    [ $found = 0 ] && grep -q '^ok .* is right in rows' "$work/proof"
}

claim "new writes a plugin in Python, and says how to prove it" written
claim "and in a tree its line for CMake" in_a_tree
claim "the guide has an example" example
if python3 -c 'import numpy' 2>/dev/null; then
    claim "what new writes is proved" proved "$work/my_scan/my_scan.py"
    claim "and so is the example" proved "$work/example.py"
else
    skip 2 "there is no NumPy"
fi
for library in torch cupy numba jax; do
    claim "new writes one with $library for a GPU" written_for $library
done
claim "and one with triton" written_for triton torch
for library in torch cupy numba jax triton; do
    if [ -e /dev/nvidiactl ] && python3 -c "import $library" 2>/dev/null; then
        claim "that with $library is proved" proved "$work/my_$library/my_$library.py"
    else
        skip 1 "there is no GPU, or no $library"
    fi
done
