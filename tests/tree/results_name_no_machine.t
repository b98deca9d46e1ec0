#!/bin/sh
# Committed results name plugins relative to the repository: an absolute path is of one machine.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

all_relative() {
    ! git -C "$root" grep -nE '"file": "/' -- '*-metadata.json' | cut -c 1-120 | grep .
}

plan 1
claim "metadata hold no absolute path of a plugin" all_relative
