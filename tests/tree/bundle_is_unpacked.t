#!/bin/sh
# tools/bundle unpacks packages where bootstrap looks for them, again when they change, and
# says what is wrong with what it is given.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
bundle=$root/tools/bundle
to=$work/unpacked

# package TEXT: $work/packages/stand_in.deb, with that text in a header of one architecture.
package() {
    headers=$work/content/usr/include/any-linux-gnu
    mkdir -p "$headers" "$work/content/DEBIAN" "$work/packages"
    printf 'Package: stand-in\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: none\n' \
        >"$work/content/DEBIAN/control"
    echo "$1" >"$headers/stand_in.h"
    dpkg-deb --root-owner-group -b "$work/content" "$work/packages/stand_in.deb" >"$work/built"
}

unpacks() { # TEXT
    package "$1" && "$bundle" --unpack "$work/packages" "$to" && grep -x "$1" "$to/usr/include/stand_in.h"
}

# A file that somebody put there stays.
unpacks_once() {
    : >"$to/mark" && "$bundle" --unpack "$work/packages" "$to" && [ -e "$to/mark" ]
}

plan 8
claim "--help explains it" exits 0 "usage: tools/bundle" "$bundle" --help
claim "no folder is bad usage" exits 2 "usage: tools/bundle" "$bundle"
claim "./bootstrap bundle is the same" exits 2 "usage: tools/bundle" "$root/bootstrap" bundle
claim "an unknown option is bad usage" exits 2 "usage: tools/bundle" "$bundle" --peer "$work/none"
if ! command -v dpkg-deb >/dev/null 2>&1; then
    skip 4 "dpkg-deb is not installed"
    exit 0
fi
claim "a header of one architecture lies where every compiler looks" unpacks first
claim "what is unpacked is not unpacked again" unpacks_once
claim "another package is" unpacks second
echo rubbish >"$work/packages/stand_in.deb"
claim "what is no package is named" exits 2 "stand_in.deb could not be unpacked" \
    "$bundle" --unpack "$work/packages" "$to"
