#!/bin/sh
# The notebook in docs/examples makes its figures of the committed results, by pandas and matplotlib, without Jupyter.
# Where these are missing that is skipped, or fails with SCANBENCH_REQUIRE_READERS: .ci/tools installs them.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
tool=$root/tests/lib/notebook.py
notebook=$root/docs/examples/figures.ipynb
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import pandas, matplotlib' >/dev/null 2>&1 || break
done

# sees CHECK SED TEXT: in a notebook changed like that, what the text says is found.
sees() {
    sed "$2" "$notebook" >"$work/altered.ipynb"
    ! cmp -s "$notebook" "$work/altered.ipynb" || { echo "the notebook has no such text" && return 1; }
    exits 1 "$3" "$python" "$tool" "$root" "$1" "$work/altered.ipynb"
}

plan 7
claim "it is a notebook without outputs" "$python" "$tool" "$root" form
claim "outputs would be seen" sees form 's/"execution_count": null/"execution_count": 1/' "has outputs"
claim "the commands above its figures measured their CSVs" "$python" "$tool" "$root" commands
claim "another command would be seen" sees commands 's/--sizes 1e3\.\.1e8/--sizes 1e3..1e9/' "told:"
if "$python" -c 'import pandas, matplotlib' >/dev/null 2>&1 || [ -n "${SCANBENCH_REQUIRE_READERS-}" ]; then
    claim "it makes three figures of what the CSVs have" "$python" "$tool" "$root" figures
    claim "the slowest setting instead of the fastest would be seen" sees figures 's/idxmin/idxmax/' "bandwidth of"
    claim "and another unit" sees figures 's/line \/ 1e3/line \/ 1e6/' "times on the GPU"
else
    skip 3 "pandas or matplotlib is not installed; .ci/tools installs them"
fi
