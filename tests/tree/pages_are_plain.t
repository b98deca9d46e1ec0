#!/bin/sh
# README.md is short, its sentences and those of the pages that came out of it are too, every page is linked, and no
# link of README.md, docs/ and the pages for developers leads to nothing.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
tool=$root/tests/lib/pages.py

# sees CHECK PAGE SED TEXT: in a copy of the page changed like that, what the text says is found.
sees() {
    sed "$3" "$root/$2" >"$work/altered.md"
    ! cmp -s "$root/$2" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "$4" python3 "$tool" "$root" "$1" "$2" "$work/altered.md"
}

plan 11
claim "every link leads to a page and a heading" python3 "$tool" "$root" links
claim "a link to no page would be seen" sees links README.md 's/(docs\/proof\.md)/(docs\/prove.md)/' "there is no docs/prove.md"
claim "and one to no heading" sees links docs/options.md 's/(#affine)/(#afine)/' "has no heading #afine"
claim "README.md links every page" python3 "$tool" "$root" listed
claim "a page that it does not link would be seen" \
    sees listed README.md 's/(docs\/library\.md)/(docs\/scans.md)/' "README.md does not link docs/library.md"
claim "README.md has at most 1900 words" python3 "$tool" "$root" short
claim "a longer one would be seen" sees short README.md 's/^| .*/& & & &/' "README.md has"
claim "no sentence has more than 30 words" python3 "$tool" "$root" sentences
claim "a longer one would be seen" \
    sees sentences docs/install.md 's/^\(No GPU is needed\)\. Without/\1, and as all of these pages have said so often before, to say it again, without/' \
    "docs/install.md: 40 words"
claim "the options of docs/options.md are the program's" python3 "$tool" "$root" options
claim "another would be seen" sees options docs/options.md 's/--elements N/--element N/' "there is no option --element"
