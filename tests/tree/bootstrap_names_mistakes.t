#!/bin/sh
# What ./bootstrap prints before it does anything: help and mistakes.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

mkdir "$work/empty"
plan 6
claim "--help explains the verbs" exits 0 "usage: ./bootstrap" "$root/bootstrap" --help
claim "no verb is bad usage" exits 2 "usage: ./bootstrap" "$root/bootstrap"
claim "an unknown verb is named" exits 2 "unknown verb 'rum'" "$root/bootstrap" rum
claim "--from without a folder is bad usage" exits 2 "--from needs a folder" "$root/bootstrap" --from
claim "--from names the folder that is not there" exits 2 "there is no folder $work/none" \
    "$root/bootstrap" --from "$work/none" run
claim "--from says how to fill a folder without packages" exits 2 \
    "./bootstrap bundle $work/empty" "$root/bootstrap" --from "$work/empty" run
