#!/bin/sh
# What ./bootstrap prints before it does anything: help and mistakes.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

mkdir "$work/empty"
# clone NAME: what bootstrap reads before it builds, in a folder of that name.
clone() {
    mkdir -p "$work/$1/tools" && cp "$root/bootstrap" "$work/$1/" && cp "$root/tools/packages.sh" "$work/$1/tools/"
}

dollar() {
    # shellcheck disable=SC2016 # a name
    clone 'a$b' && exits 2 "move the clone to another path" "$work/a\$b/bootstrap" run
}

plan 8
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
