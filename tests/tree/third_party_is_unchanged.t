#!/bin/sh
# What others made is as they released it: third_party/README.md names each file's SHA-256.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

# hash_is_named FILE
hash_is_named() {
    hash=$(sha256sum "$root/third_party/$1" | cut -d ' ' -f 1)
    echo "third_party/$1 has $hash"
    grep -qF "$hash" "$root/third_party/README.md"
}

plan 2
claim "echarts.min.js is the one that is named" hash_is_named echarts/echarts.min.js
claim "axe.min.js is the one that is named" hash_is_named axe-core/axe.min.js
