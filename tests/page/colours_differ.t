#!/bin/sh
# The page's colours differ for readers who lack a kind of cones, and stand out from the ground.
set -u
command -v python3 >/dev/null || { printf 'TAP version 13\n1..0 # SKIP there is no python3\n' && exit 0; }
folder=$(dirname -- "$0")
exec python3 "$folder/colours_differ.py" "$folder/../../reports/scanbench_results/template/page.css"
