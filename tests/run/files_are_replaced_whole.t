#!/bin/sh
# Pages, outcomes, metadata and files of rows that are replaced are whole at any time: a full disk, a
# kill, a link that waits or a folder that cannot be written costs nothing. What is read does not hang.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
right=$build/tests/fixtures/plugins/right.so
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# sweep_of SIZES OPTION...
sweep_of() {
    sizes=$1
    shift
    "$scanbench" -q --plugins cpu_serial --sizes "$sizes" --max-samples 2 --time-limit 0.01 "$@"
}

sweep() { sweep_of 10,20 "$@"; }

# limited FILE TEXT COMMAND...: where no file may have more than some KiB, it fails with the text, and
# the file is as it was, and no other is left.
limited() {
    limited_file=$1
    limited_text=$2
    shift 2
    : >output && cp "$limited_file" before && names=$(ls -A) || return 1
    (
        ulimit -f 1 && exits 2 "$limited_text" "$@"
    ) || return 1
    cmp "$limited_file" before && [ "$(ls -A)" = "$names" ]
}

# As limited, but on a disk that is full: a file system of its own, of 1.3 MB, in which the page fits once.
full_disk() {
    mkdir -p disk
    # shellcheck disable=SC2016 # the inner shell's
    unshare -rm sh -c '
        mount -t tmpfs -o size=1300k none disk && cp out.csv page.html disk && cd disk || exit 1
        "$1" report out.csv -o page.html 2>message
        [ $? -eq 2 ] && cat message && grep -q "page.html: cannot be written: No space left" message &&
            cmp page.html ../page.html && [ -z "$(find . -name ".scanbench*")" ] || exit 1
        "$1" -q --plugins cpu_serial --sizes 10 --max-samples 2 --csv new.csv --page page.html 2>message
        cat message
        cmp page.html ../page.html && "$1" compare new.csv new.csv >/dev/null' - "$scanbench"
}

outcomes() {
    limited proof.json "proof.json cannot be written: File too large" \
        "$scanbench" validate "$right" --claims loads,entry,sizes --max-n 100 --json proof.json &&
        limited same.json "same.json: cannot be written: File too large" \
            "$scanbench" compare many.csv many.csv --json same.json
}

metadata_of_a_csv() {
    limited out.csv-metadata.json "cannot be written: File too large" sweep_of 10,20,30 --csv out.csv --resume
}

# The links that waited for FILE.new lead to a file that must not change.
links_wait() {
    echo precious >precious
    for file in out.csv-metadata.json out.csv raw.csv page.html raw.csv-metadata.json; do
        ln -sf precious "$file.new"
    done
    sweep --csv out.csv --samples raw.csv --page page.html --overwrite && "$scanbench" report out.csv -o page.html &&
        sweep_of 10,20,30 --csv out.csv --samples raw.csv --resume --retry && [ "$(cat precious)" = precious ]
}

# Nothing that a killed run left is in the way of the next, not even where it cannot be removed.
leftovers() {
    rm -f ./*.new
    for file in out.csv-metadata.json out.csv raw.csv page.html; do
        mkdir "$file.new" || return 1
    done
    sweep --csv out.csv --samples raw.csv --page page.html --overwrite && "$scanbench" report out.csv -o page.html
    status=$?
    rmdir ./*.new
    return $status
}

private() {
    rm -f private*
    (umask 022 && : >private.csv && : >private.raw && : >private.html && chmod 600 private.* &&
        sweep --csv private.csv --samples private.raw --page private.html) || return 1
    stat -c '%a %n' private*
    [ "$(stat -c %a private* | sort -u)" = 600 ] || return 1
    (umask 027 && sweep --csv private.new.csv --page private.new.html) &&
        [ "$(stat -c %a private.new* | sort -u)" = 640 ]
}

links_stay() {
    mkdir -p far && ln -sf far/page.html soft.html && ln -sf far/same.json soft.json &&
        "$scanbench" report out.csv -o soft.html && "$scanbench" report out.csv -o soft.html &&
        "$scanbench" compare out.csv out.csv --json soft.json >/dev/null &&
        [ -L soft.html ] && [ -L soft.json ] && grep -q '</html>' far/page.html && [ -s far/same.json ]
}

# The folder cannot be written, the file can: it is written, and where that fails, restored.
locked_folder() (
    mkdir -p locked && cp page.html locked/page.html && chmod 666 locked/page.html && chmod 555 locked &&
        chmod 644 many.csv out.csv && chmod 755 "$work" || return 1
    set --
    [ "$(id -u)" -eq 0 ] && set -- setpriv --reuid 65534 --regid 65534 --clear-groups
    : >locked/page.html
    "$@" "$scanbench" report out.csv -o locked/page.html && grep -q '</html>' locked/page.html &&
        cp locked/page.html before &&
        exits 2 "cannot be created: Permission denied" "$@" "$scanbench" report out.csv -o locked/new.html || return 1
    chmod 444 locked/page.html && exits 2 "cannot be written: Permission denied" "$@" "$scanbench" report out.csv \
        -o locked/page.html && cmp locked/page.html before
)

# ignored WORD: the metadata are no regular file, which is told.
ignored() {
    cp out.csv odd.csv && exits 0 "odd.csv-metadata.json is $1; these metadata are ignored" timeout 20 "$scanbench" report odd.csv
}

odd_metadata() {
    mkfifo odd.csv-metadata.json && ignored "a FIFO" && rm odd.csv-metadata.json &&
        ln -s /dev/zero odd.csv-metadata.json && ignored "a device" && rm odd.csv-metadata.json &&
        mkdir odd.csv-metadata.json && ignored "a folder" && rmdir odd.csv-metadata.json &&
        truncate -s 70M odd.csv-metadata.json && exits 0 "longer than" "$scanbench" report odd.csv &&
        rm odd.csv-metadata.json
}

# Nobody writes to it: it is told, after some seconds.
dead_fifos() {
    mkfifo dead.csv dead.recipe || return 1
    timeout 60 "$scanbench" report dead.csv 2>dead.1 &
    first=$!
    timeout 60 "$scanbench" compare out.csv dead.csv 2>dead.2 &
    second=$!
    timeout 60 "$scanbench" report out.csv --claims dead.recipe 2>dead.3 &
    third=$!
    for run in $first $second $third; do
        wait "$run"
        [ $? -eq 2 ] || return 1
    done
    cat dead.?
    [ "$(cat dead.? | grep -c 'a FIFO, and nobody writes to it')" -eq 3 ]
}

# A plugin that is no regular file is told; its content is not waited for.
odd_plugins() {
    mkfifo fifo.so && ln -s /dev/zero zero.so || return 1
    for file in fifo zero; do
        exits 1 "not a regular file" timeout 20 "$scanbench" -q --plugins "./$file.so" --sizes 10 --csv odd.csv &&
            exits 1 "not a regular file" timeout 20 "$scanbench" validate "./$file.so" &&
            exits 1 "not a regular file" timeout 20 "$scanbench" compare --in-run "./$file.so" "$right" --sizes 10 || return 1
    done
}

live_fifos() {
    mkfifo live.csv || return 1
    (sleep 0.3 && cat out.csv >live.csv) &
    "$scanbench" report live.csv >of_fifo && wait && "$scanbench" report - <out.csv >of_stdin &&
        [ "$(wc -l <of_fifo)" -eq "$(wc -l <of_stdin)" ]
}

nothing_left() { [ -z "$(find . -name '.scanbench*')" ]; }

sweep --csv out.csv --samples raw.csv --page page.html || exit 1
sweep_of 10,20,30,40,50 --csv many.csv || exit 1
"$scanbench" validate "$right" --claims loads --json proof.json >/dev/null || exit 1
"$scanbench" compare out.csv out.csv --json same.json >/dev/null || exit 1

plan 14
claim "a page that does not fit leaves the old one" limited page.html "page.html: cannot be written: File too large" \
    "$scanbench" report out.csv -o page.html
claim "so do the outcomes of validate and compare" outcomes
claim "so do the metadata" metadata_of_a_csv
if unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
    claim "so does a disk that is full" full_disk
else
    skip 1 "no file system can be mounted here"
fi
claim "links that wait for FILE.new are not followed" links_wait
claim "what is called FILE.new is not in the way" leftovers
claim "a private file stays private, and so do its metadata" private
claim "links stay, and what they lead to is replaced" links_stay
if [ "$(id -u)" -ne 0 ] || { command -v setpriv >/dev/null && chmod 755 "$work" &&
    setpriv --reuid 65534 --regid 65534 --clear-groups "$scanbench" report - <out.csv >/dev/null 2>&1; }; then
    claim "a file in a folder that cannot be written is written itself" locked_folder
else
    skip 1 "no other user can run scanbench here"
fi
claim "metadata that are a FIFO, a device, a folder or huge are told and ignored" odd_metadata
claim "a FIFO that nobody writes to is an error" dead_fifos
claim "a plugin that is a FIFO or a device is an error" odd_plugins
claim "one that is written late is read" live_fifos
claim "nothing is left" nothing_left
