#!/bin/sh
# CITATION.cff, the package and CMake name one version, and CITATION.cff has what version 1.2.0 of its format asks for.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
version=$(sed -n 's/^project(scanbench VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

# says FILE PATTERN: the file has a line of the pattern, whose group is the version.
says() {
    found=$(sed -n "s/$2/\1/p" "$1")
    echo "$1: $found, CMakeLists.txt: $version"
    [ -n "$version" ] && [ "$found" = "$version" ]
}

of_citation() { says "${1:-$root/CITATION.cff}" '^version: \(.*\)'; }

another() {
    sed 's/^version: .*/version: 9.9/' "$root/CITATION.cff" >"$work/CITATION.cff"
    ! of_citation "$work/CITATION.cff"
}

# What must be there, and no member of the top level that the format does not know.
has_members() {
    sed -n 's/^\([a-z-]*\):.*/\1/p' "$root/CITATION.cff" | sort >"$work/members"
    for member in authors cff-version message title; do
        grep -qx "$member" "$work/members" || { echo "no $member" && return 1; }
    done
    printf '%s\n' abstract authors cff-version commit contact date-released doi identifiers keywords license license-url \
        message preferred-citation references repository repository-artifact repository-code title type url version |
        comm -13 - "$work/members" | tee "$work/unknown"
    [ ! -s "$work/unknown" ] && [ -z "$(uniq -d "$work/members")" ] && grep -qx 'cff-version: 1.2.0' "$root/CITATION.cff"
}

# Titles are in quotes there, and between stars in docs/scans.md, where lines may break anywhere.
references_are_named() {
    tr -s '\n ' '  ' <"$root/docs/scans.md" >"$work/scans"
    sed -n 's/^  - type: .*//; s/^    title: "\(.*\)"$/\1/p' "$root/CITATION.cff" >"$work/titles"
    [ "$(grep -c . "$work/titles")" -ge 3 ] || return 1
    while IFS= read -r title; do
        [ -z "$title" ] || grep -qF "*$title*" "$work/scans" || { echo "docs/scans.md does not name $title" && return 1; }
    done <"$work/titles"
}

plan 6
claim "CITATION.cff has the version of CMakeLists.txt" of_citation
claim "another one would be seen" another
claim "the package has it, too" says "$root/reports/scanbench_results/version.py" '^VERSION = "\(.*\)"'
claim "CITATION.cff has what its format asks for, and nothing else" has_members
claim "docs/scans.md names each of its references" references_are_named
if command -v cffconvert >/dev/null; then
    claim "cffconvert finds it valid" cffconvert --validate -i "$root/CITATION.cff"
else
    skip 1 "cffconvert is not installed"
fi
