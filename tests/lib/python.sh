# shellcheck shell=sh
# Tests in Python of the package scanbench_results: python_test FILE ARGUMENT... runs it, or says why
# not.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

python_test() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
        printf 'TAP version 13\n1..0 # SKIP there is no python3 of version 3.9 or later\n'
        exit 0
    }
    PYTHONPATH=$root/reports:$root/tests/lib/python PYTHONDONTWRITEBYTECODE=1 exec python3 "$@"
}
