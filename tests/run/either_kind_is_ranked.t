#!/bin/sh
# --kinds any: programs that are inclusive only and exclusive only meet in one ranking, and every form
# of output says which is which.
# shellcheck disable=SC2016 # expressions of Perl
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1
plugins=cpu_serial,cpu_memcpy,$mocks/two_plugins.so:two_plugins_max,$mocks/max_in_one_kind.so

# sweep ARGUMENTS...: maxima, which max_in_one_kind declares inclusive alone.
sweep() {
    "$scanbench" --plugins "$plugins" --ops max --sizes 1e3,1e4 --pin none --time-limit 0.2 "$@"
}

# cells COLUMN...: those of each row of stdin, a CSV.
cells() {
    perl -MText::ParseWords -e '
        my @names = split /,/, <STDIN> =~ s/\R//r; my %at = map { $names[$_] => $_ } 0 .. $#names;
        while (<STDIN>) { s/\R//; my @row = quotewords(",", 0, $_); print join(" ", map { $row[$at{$_}] // "" } @ARGV), "\n" }' "$@"
}

# runs COLUMN...: of the rows of `run` of any.csv that are no copies and no calibrators, each once.
runs() { cells phase role "$@" <any.csv | sed -n '/^run ceiling/d; /^run calibrator/d; s/^run [a-z]* //p' | sort -u; }

rows() {
    sweep --kinds any --csv any.csv --json any.json --samples samples.csv >table 2>log || { cat log && return 1; }
    runs plugin kind kinds status | tee found
    cat >expected <<'END'
cpu_serial exclusive any ok
max_in_one_kind inclusive any ok
two_plugins_max exclusive any ok
END
    cmp found expected
}
copies() { cells role kind kinds <any.csv | sed -n 's/^ceiling//p' | sort -u | tee found && [ "$(cat found)" = "  " ]; }
# Within rounds, so each has an interval.
speedups() {
    runs speedup speedup_lo speedup_hi pct_copy_lo | tee found
    [ -s found ] && ! grep -vE '^[0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+$' found
}
one_kind() {
    sweep --kinds exclusive --csv one.csv >/dev/null 2>&1
    cells plugin kind kinds status <one.csv | sort -u | tee found
    grep -qx "two_plugins_max exclusive exclusive ok" found && grep -qx "max_in_one_kind exclusive exclusive unsupported" found
}
hint() { cells plugin reason <one.csv | grep "max_in_one_kind does not declare exclusive max of i32, but inclusive: --kinds any"; }
samples() { cells plugin kind kinds <samples.csv | sort -u | tee found && grep -qx "max_in_one_kind inclusive any" found && grep -qx "cpu_memcpy  " found; }
json_rows() { grep '"plugin": *"max_in_one_kind"' any.json | tee found | grep -q '"kinds": *"any"'; }

table() {
    cat table
    [ "$(grep -c "^i32 max any kind" table)" -eq 1 ] && [ "$(grep -c "max_in_one_kind.* inclusive" table)" -eq 2 ] &&
        ! grep "two_plugins_max" table | grep inclusive && grep -q "^inclusive: of that kind" table &&
        [ "$(grep -c '^\*' table)" -ge 2 ]
}
dry_run() { sweep --kinds any --dry-run >plan 2>&1 && cat plan && grep -q "max_in_one_kind i32 max inclusive n=1000 .*kinds=any" plan; }

report() {
    "$scanbench" report --markdown any.csv >report.md 2>&1
    cat report.md
    [ "$(grep -c "^### exclusive or inclusive i32 max" report.md)" -eq 1 ] && ! grep -q "different problems" report.md &&
        grep -q '`max_in_one_kind` (inclusive) .*|.*|' report.md && ! grep -q 'two_plugins_max (incl' report.md
}
# A ratio of both kinds has an interval.
recipe() {
    printf 'title Both\nmeasure --kinds any\nsource a test\nclaim They meet.\nexpect for each n: best(max_in_one_kind) / best(two_plugins_max) > 0.0001\n' >r.recipe
    exits 0 "holds" "$scanbench" report --claims r.recipe any.csv
}
crossover() { "$scanbench" report any.csv | tee found | grep -E "^  (max_in_one_kind \(inclusive\)  [a-z]|[a-z ,?]+: .*max_in_one_kind \(inclusive\))"; }
page() {
    "$scanbench" report any.csv -o page.html 2>&1
    tr -d '\n' <page.html | grep -o '"problems":\[[^]]*\]' | tee found
    [ "$(grep -o '"op":"max"' found | grep -c .)" -eq 1 ] && grep -q '"kind":"any"' found &&
        grep -o '"plugin":"max_in_one_kind"[^}]*' page.html | grep '"kind":"inclusive"'
}

resumed() {
    cp any.csv again.csv && cp any.csv-metadata.json again.csv-metadata.json && cp samples.csv again_samples.csv
    sweep --kinds any --csv again.csv --samples again_samples.csv --resume >log 2>&1
    cat log
    cmp any.csv again.csv && cmp samples.csv again_samples.csv
}
beside() {
    sweep --kinds any,exclusive --csv again.csv --resume >log 2>&1
    cat log
    cells phase plugin kinds kind <again.csv | grep '^run two_plugins_max' | sort | tee found
    [ "$(grep -c "any exclusive" found)" -eq 2 ] && [ "$(grep -c "exclusive exclusive" found)" -eq 2 ]
}
not_repeated() { "$scanbench" report again.csv | tee found && ! grep -q "repeated" found && grep -q "^exclusive i32 max" found && grep -q "^exclusive or inclusive i32 max" found; }

# One of the two is measured again: its samples go, and those of the other stay.
samples_apart() {
    cp one.csv both.csv && cp one.csv-metadata.json both.csv-metadata.json
    sweep --kinds exclusive --csv both.csv --samples both_samples.csv >log 2>&1 &&
        sweep --kinds any --csv both.csv --samples both_samples.csv --resume >>log 2>&1
    perl -i -MText::ParseWords -ne '
        my @row = quotewords(",", 1, s/\R//r); print unless $row[4] eq "two_plugins_max" && $row[-5] eq "any"' both.csv
    sweep --kinds any --csv both.csv --samples both_samples.csv --resume >>log 2>&1
    cat log
    cells plugin kinds n phase index <both_samples.csv | grep "^two_plugins_max" | sort | tee found | uniq -d >twice
    cells run_id plugin kinds <both_samples.csv | grep two_plugins_max | sort -u | tee ids
    [ ! -s twice ] && [ "$(grep -c " any$" ids)" -eq 1 ] && [ "$(grep -c " exclusive$" ids)" -eq 1 ]
}

# came: a plugin that was not there when the rows were written, so that its kind was not known.
came() {
    perl -MText::ParseWords -e '
        my $header = <STDIN>; print $header; my @names = split /,/, $header =~ s/\R//r;
        my %at = map { $names[$_] => $_ } 0 .. $#names;
        while (my $line = <STDIN>) {
            my @row = quotewords(",", 1, $line =~ s/\R//r);
            print $line and next if $row[$at{plugin}] ne "max_in_one_kind";
            next if $row[$at{phase}] ne "run";
            my %keep = map { $_ => 1 } qw(schema run_id timestamp_utc host plugin op dtype n cache phase kinds seed group_id);
            for (@names) { $row[$at{$_}] = "" unless $keep{$_} }
            @row[@at{qw(kind status reason)}] = ("exclusive", "unavailable", "it was not built");
            print join(",", @row), "\n";
        }' <any.csv >came.csv
    cp any.csv-metadata.json came.csv-metadata.json
    sweep --kinds any --csv came.csv --resume >log 2>&1
    cat log
    cells plugin kind status <came.csv | grep "^max_in" | sort -u | tee found
    [ "$(cat found)" = "max_in_one_kind inclusive ok" ] || return 1
    # The baseline that was kept is exclusive, and the one to compare with nevertheless.
    cells plugin phase speedup <came.csv | grep "^max_in_one_kind run" | tee found
    ! grep ' $' found
}

# Rows of two files are one configuration by their kind, whatever word asked for it.
paired() {
    "$scanbench" compare one.csv any.csv --json pairs.json >/dev/null 2>&1
    [ -s pairs.json ] && perl -MJSON::PP -0777 -ne '
        my @p = grep { $_->{plugin} eq "two_plugins_max" && defined $_->{first_ns} && defined $_->{second_ns} } @{ decode_json($_)->{pairs} };
        print scalar @p, " pairs\n"; exit(@p == 2 ? 0 : 1)' pairs.json
}
in_run() {
    "$scanbench" compare --in-run "$mocks/two_plugins.so:two_plugins_max" "$mocks/max_in_one_kind.so" --ops max \
        --kinds any --sizes 1000 --pin none --time-limit 0.1 >told 2>&1
    cat told
    tr '\n' ' ' <told | tr -s ' ' | grep -E "max_in_one_kind inclusive [^|]*against two_plugins_max exclusive .* (slower|faster|same|inconclusive)"
}
tuned() {
    "$scanbench" tune "$mocks/max_in_one_kind.so" --ops max --kinds any --sizes 1000 --time-limit 0.01 >told 2>&1
    cat told
    grep "^max_in_one_kind on .*: i32 max inclusive, n = 1000" told
}

plan 22
claim "each plugin is measured once, with the kind that it has" rows
claim "copies have none" copies
claim "ratios to the baseline and the copy are made within rounds" speedups
claim "without it what lacks the kind is unsupported" one_kind
claim "and its row says what to ask for" hint
claim "samples know what was asked for" samples
claim "so do rows of JSON" json_rows
claim "the closing table has one ranking and marks the other kind" table
claim "--dry-run says what would be measured" dry_run
claim "a report has one ranking and marks the other kind" report
claim "claims compare both kinds" recipe
claim "the sizes from which it is faster are told of both" crossover
claim "a page has one problem" page
claim "--resume measures nothing again" resumed
claim "and one kind beside any" beside
claim "which a report keeps apart" not_repeated
claim "nor are samples of the one taken for those of the other" samples_apart
claim "what was not there has a kind when it comes" came
claim "rows of two files are paired by their kind" paired
claim "compare --in-run says which kind either has" in_run
claim "a race has the kind of its plugin" tuned
claim "a proof is of kinds, not of any" exits 2 "a proof tests each kind" "$scanbench" validate cpu_serial --kinds any
