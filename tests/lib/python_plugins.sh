# shellcheck shell=sh
# Tests of plugins that are written in Python.
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
# shellcheck disable=SC2034 # it is the tests'
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH

# plan_with_python N: as plan, or skips all N claims where there is no interpreter.
plan_with_python() {
    plan "$1"
    command -v python3 >/dev/null || {
        skip "$1" "there is no python3"
        exit 0
    }
}
