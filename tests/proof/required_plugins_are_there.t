#!/bin/sh
# `prove :: --require LIST`: each plugin of the list that is not available fails in its own file; a
# plugin that was not built fails here.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=${SCANBENCH_BUILD:-$root/build}/scanbench

list=
while [ $# -gt 0 ]; do
    case $1 in
    --require) list=$list,${2-} ;;
    --require=*) list=$list,${1#*=} ;;
    esac
    shift
done
list=${list#,}

plan 2
claim "what is required and not there is found" exits 3 "no selected plugin has that id or backend" \
    "$scanbench" list --require no_such_plugin
if [ -z "$list" ]; then
    skip 1 "nothing is required (prove :: --require cuda)"
else
    claim "what is required is available: $list" exits 0 "" "$scanbench" list --require "$list"
fi
