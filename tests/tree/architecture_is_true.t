#!/bin/sh
# ARCHITECTURE.md names files that are there, and the include rules that CI enforces.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
page=$root/ARCHITECTURE.md

# Text between backquotes with a slash in it is a path from the root, from harness/ or from core/;
# words in capitals and * match any text.
paths_exist() {
    missing=0
    # shellcheck disable=SC2016 # the backquotes are those of the page
    for path in $(grep -oE '`[A-Za-z_./*-]+/[A-Za-z_./*-]*`' "$page" | tr -d '`' |
        sed 's/[A-Z][A-Z]*/*/g' | sort -u); do
        found=
        for from in "" harness/ core/; do
            # shellcheck disable=SC2086 # a pattern such as claims_*.c
            set -- "$root/$from"$path
            [ ! -e "$1" ] || found=yes
        done
        [ -n "$found" ] || { echo "there is no $path" && missing=1; }
    done
    return $missing
}

rules_agree() {
    awk '/<!-- include-rules -->/ { on = 1 } /^```$/ && on { on++; next } on == 2' "$page" >"$work/page"
    "$root/.ci/include-rules" --table >"$work/rules"
    diff "$work/rules" "$work/page"
}

folders_are_listed() {
    missing=0
    for folder in "$root"/harness/*/ "$root"/core/*/; do
        name=${folder#"$root"/}
        case $name in */tests/) continue ;; esac
        grep -qF "\`$name\`" "$page" || { echo "$name is not in the table" && missing=1; }
    done
    return $missing
}

plan 3
claim "every path it names is there" paths_exist
claim "its include rules are those of .ci/include-rules" rules_agree
claim "every folder of harness/ and core/ is in its table" folders_are_listed
