#!/bin/sh
# What ./bootstrap prints before it does anything: help and mistakes.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

mkdir "$work/empty"
# clone NAME: what bootstrap reads before it builds, in a folder of that name.
clone() {
    mkdir -p "$work/$1/tools" && cp "$root/bootstrap" "$work/$1/" && cp "$root"/tools/*.sh "$work/$1/tools/"
}

dollar() {
    # shellcheck disable=SC2016 # a name
    clone 'a$b' && exits 2 "move the clone to another path" "$work/a\$b/bootstrap" run
}

# Below a mount that root cannot write either.
read_only() {
    # shellcheck disable=SC2016 # it is the inner shell's
    clone clone && unshare -rm sh -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$1/bootstrap" run' \
        - "$work/clone" >"$work/output" 2>&1
    found=$?
    cat "$work/output"
    [ "$found" -eq 2 ] && grep -q "clone cannot be written: copy the clone" "$work/output"
}

plan 9
claim "--help explains the verbs" exits 0 "usage: ./bootstrap" "$root/bootstrap" --help
claim "no verb is bad usage" exits 2 "usage: ./bootstrap" "$root/bootstrap"
claim "an unknown verb is named" exits 2 "unknown verb 'rum'" "$root/bootstrap" rum
claim "--from without a folder is bad usage" exits 2 "--from needs a folder" "$root/bootstrap" --from
claim "--from names the folder that is not there" exits 2 "there is no folder $work/none" \
    "$root/bootstrap" --from "$work/none" run
claim "--from says how to fill a folder without packages" exits 2 \
    "./bootstrap bundle $work/empty" "$root/bootstrap" --from "$work/empty" run
ln -s "$root/bootstrap" "$work/link"
claim "a symbolic link to it is as good" exits 2 "unknown verb 'rum'" "$work/link" rum
claim "a path that make cannot take is told" dollar
if unshare -rm true 2>/dev/null; then
    claim "a clone that cannot be written is told" read_only
else
    skip 1 "no name space can be made here"
fi
