#!/bin/sh
# compare --in-run: each line says which plugin or setting takes longer than which other, in the table,
# in Markdown and in JSON; and one plugin of a file is meant by FILE:ID.
# shellcheck disable=SC2016 # expressions of Perl
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
mkdir "$work/before" "$work/after"
cp "$mocks/known_time.so" "$work/before/scan.so"
cp "$mocks/known_time.so" "$work/after/scan.so"
cp "$mocks/two_plugins.so" "$mocks/right.so" "$work/"

# within ARGUMENTS...: as one line, however the table is folded.
within() {
    "$scanbench" compare --in-run "$@" --pin none --time-limit 0.1 --sizes 1000 >"$work/folded" 2>&1
    cat "$work/folded"
    tr '\n' ' ' <"$work/folded" | tr -s ' ' >"$work/told"
}

# tells TEXT ARGUMENTS...: the output has the text, in one of three tries: on a busy machine one plugin may be
# timed by the processor and the other by the clock, which is inconclusive.
tells() {
    text=$1
    shift
    for _ in 1 2 3; do
        within "$@"
        grep -qE -- "$text" "$work/told" && return
    done
    echo "expected: $text"
    return 1
}

slow="$work/before/scan.so:us=5000,block=64"
one='([-+][0-9.]+ %|[0-9.]+x)'
change="$one $one $one"
plugins() { tells "known_time block=64 us=5000;crash_at=0 against right block=256 1e3 $change slower" "$work/right.so:block=256" "$slow"; }
turned() { tells "right block=256 against known_time block=64 us=5000;crash_at=0 1e3 $change faster" "$slow" "$work/right.so:block=256"; }
meaning() { tells "change: how much longer $work/right.so:block=256 takes than $slow" "$slow" "$work/right.so:block=256"; }
settings() { tells "known_time block=64 us=5000;crash_at=0 against block=64 us=100;crash_at=0 1e3 $change slower" "$work/before/scan.so:us=100,block=64" "$slow"; }
builds() { tells "known_time block=64 us=100;crash_at=0 of $work/after/scan.so 1e3 $change [a-z]" "$work/before/scan.so" "$work/after/scan.so" --set us=100 --set block=64; }
itself() { tells "known_time block=64 us=100;crash_at=0 against itself 1e3 $change [a-z]" "$work/after/scan.so" "$work/after/scan.so" --set us=100 --set block=64; }
markdown() { tells "[|] known.?_time block=64 us=5000;crash.?_at=0 against right block=256 [|] 1000 [|] [^|]*[|][^|]*[|] [*]*slower" "$work/right.so:block=256" "$slow" --markdown; }
wrong() { tells "tail_unwritten is wrong: " "$work/right.so" "$mocks/tail_unwritten.so"; }
was_wrong() { tells "tail_unwritten is wrong: " "$mocks/tail_unwritten.so" "$work/right.so"; }

both() { tells "known_time block=64 us=5000;crash_at=0 of $work/after/scan.so against block=64 us=100;crash_at=0 of $work/before/scan.so 1e3 $change slower" "$work/before/scan.so:us=100,block=64" "$work/after/scan.so:us=5000,block=64"; }
crashing() { tells "before/scan.so:us=100,block=64,crash_at=22 is crashed: " "$work/before/scan.so:us=100,block=64,crash_at=22" "$work/after/scan.so:us=100,block=64"; }

# The other plugin has another version, which nobody has changed.
versions() { tells "changes_folder_on_load block=[0-9]+ against right" "$work/right.so" "$mocks/changes_folder_on_load.so" && ! grep -q "^version of" "$work/folded"; }

json() {
    for _ in 1 2 3; do
        within "$work/right.so:block=256" "$slow" --json "$work/pairs.json"
        json_has_all && return
    done
    return 1
}

json_has_all() {
    perl -MJSON::PP -0777 -ne '
        my ($p, @more) = @{ decode_json($_)->{pairs} };
        print JSON::PP->new->pretty->canonical->encode($p);
        exit !(!@more && $p->{plugin} eq "known_time" && $p->{verdict} eq "slower" && $p->{params} =~ /us=5000/
            && $p->{first_plugin} eq "right" && $p->{second_plugin} eq "known_time" && $p->{first_block} == 256
            && $p->{second_block} == 64 && $p->{second_params} =~ /us=5000/ && $p->{second_ns} > $p->{first_ns}
            && $p->{first_plugin_file} =~ m{/right.so$} && $p->{second_plugin_file} =~ m{/before/scan.so$})' \
        "$work/pairs.json"
}

# both_plugins: a file of two plugins against one: two lines, each with the plugin it is about.
both_plugins() {
    tells "two_plugins against right" "$work/right.so" "$work/two_plugins.so" && grep -q "two_plugins_max against right" "$work/told"
}
of_file() {
    tells "two_plugins against right" "$work/right.so" "$work/two_plugins.so:two_plugins" && ! grep -q "two_plugins_max" "$work/told"
}
unknown() { exits 2 "no plugin of '$work/two_plugins.so' is called 'two'; it has two_plugins two_plugins_max" "$scanbench" compare --in-run "$work/right.so" "$work/two_plugins.so:two"; }
sweep() {
    "$scanbench" --plugins "$work/two_plugins.so:*_max,$work/right.so" --ops max --sizes 10 --time-limit 0.01 -q --csv "$work/rows.csv" 2>&1 || return 1
    awk -F, '{ print $5 }' "$work/rows.csv" | sort -u | tee "$work/ids"
    grep -qx two_plugins_max "$work/ids" && ! grep -qx two_plugins "$work/ids" && grep -qx right "$work/ids"
}
proof() {
    "$scanbench" validate -v "$work/two_plugins.so:two_plugins_max" --claims loads >"$work/tap" 2>&1
    cat "$work/tap"
    grep -q "^# two_plugins_max: " "$work/tap" && ! grep -q "^# two_plugins: " "$work/tap"
}
race() {
    "$scanbench" tune "$work/two_plugins.so:two_plugins" --sizes 10 --time-limit 0.01 -q >"$work/tuned" 2>&1
    cat "$work/tuned"
    grep -q "^two_plugins on" "$work/tuned" && ! grep -q "two_plugins_max" "$work/tuned"
}

plan 20
claim "of two plugins the line names the one that is slower, and than which" plugins
claim "the other way round the one that is faster" turned
claim "what a change is stands above" meaning
claim "of two settings both are named" settings
claim "of two builds the new one's file" builds
claim "of two builds with two settings both files" both
claim "which of two builds crashes is told" crashing
claim "one build and setting is compared with itself" itself
claim "that two plugins have two versions is no change" versions
claim "so in Markdown" markdown
claim "and JSON has both plugins, settings and files" json
claim "a plugin that is wrong is named" wrong
claim "also where it is the first" was_wrong
claim "of a file with two plugins each line names its own" both_plugins
claim "FILE:ID is one plugin of a file" of_file
claim "an id that the file does not have is refused, with those that it has" unknown
claim "FILE:GLOB does in a sweep" sweep
claim "FILE:ID in a proof" proof
claim "and in a race of settings" race
summary() { exits 0 "PATH:ID" "$scanbench" --help; }
claim "the help says how" summary
