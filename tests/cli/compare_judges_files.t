#!/bin/sh
# scanbench compare, with files whose rows are written here: each verdict, what is missing, exit
# statuses, the table, Markdown and JSON. The columns are those that the program writes, and
# those of calibrated times, which earlier builds wrote.
# shellcheck disable=SC2016 # expressions of Perl
# slow
# about: harness/cli harness/commands harness/output reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
"$scanbench" -q --plugins cpu_serial --sizes 10 --time-limit 0.01 2>/dev/null |
    awk -F, -v OFS=, 'NR == 1 {
        for (i = 1; i <= NF; i++) {
            line = line (i > 1 ? "," : "") $i
            if ($i == "pct_copy_hi")
                for (k = split("spin scan copy", of, " "); k > 0; k--)
                    line = line ",time_per_" of[k] ",time_per_" of[k] "_lo,time_per_" of[k] "_hi"
        }
        print line
    }' >"$work/header"

# write FILE: a row for each line of stdin, whose words are COLUMN=VALUE. spin=10 scan=2 copy=4
# are the calibrated times, pct the percentage of the copy; half is the half width of every
# interval in percent.
write() {
    perl -e '
        my ($header, $run) = @ARGV;
        open my $file, "<", $header or die; my $line = <$file>; chomp $line;
        my @columns = split /,/, $line;
        print "$line\n";
        my %of = (spin => "time_per_spin", scan => "time_per_scan", copy => "time_per_copy", pct => "pct_copy");
        while (<STDIN>) {
            my %row = (schema => 1, run_id => $run, timestamp_utc => "t", host => "here", backend => "cpu",
                device => "CPU", kind => "exclusive", op => "sum", dtype => "i32", n => 100000, cache => "hot",
                phase => "run", status => "ok", half => 0.5, rounds => 20, median_ns => 1000);
            $row{$1} = $2 while /(\w+)=("[^"]*"|\S*)/g;
            my ($lo, $hi) = (1 / (1 + $row{half} / 100), 1 + $row{half} / 100);
            for (keys %of) {
                next unless defined $row{$_};
                my $name = $of{$_};
                @row{$name, "${name}_lo", "${name}_hi"} = ($row{$_}, $row{$_} * $lo, $row{$_} * $hi);
            }
            @row{"ci_lo_ns", "ci_hi_ns"} = ($row{median_ns} * $lo, $row{median_ns} * $hi) if $row{median_ns};
            for my $known (keys %row) { next if $known =~ /^(spin|scan|copy|pct|half)$/; die $known unless grep { $_ eq $known } @columns }
            print join(",", map { $row{$_} // "" } @columns), "\n";
        }' "$work/header" "$1" >"$work/$1"
}

# Like its file in a.csv.
same='plugin=cpu_same spin=10.02 scan=2.01 copy=4.01'
write a.csv <<'END'
plugin=cpu_slow spin=10 scan=2 copy=4
plugin=cpu_fast spin=10 scan=2 copy=4 params=pad=1;way=2
plugin=cpu_same spin=10 scan=2 copy=4
plugin=cpu_state spin=10 scan=2 copy=4
plugin=cpu_noisy spin=10 scan=2 copy=4 half=9
plugin=cpu_near spin=10 scan=2 copy=4
plugin=cpu_gone spin=10 scan=2 copy=4 n=12345
plugin=cpu_never status=unavailable median_ns= reason=nobody
plugin=cuda_x backend=cuda device=H200 driver=1 pct=50 median_ns=200000
plugin=cuda_y backend=cuda device=H200 driver=1 pct=50 median_ns=200000
END
write b.csv <<'END'
plugin=cpu_same spin=10.02 scan=2.01 copy=4.01
plugin=cpu_near spin=10.3 scan=2.06 copy=4.12
plugin=cpu_noisy spin=10.4 scan=2.08 copy=4.16 half=9
plugin=cpu_state spin=11 scan=2.0 copy=4.5
plugin=cpu_fast spin=8 scan=1.61 copy=3.21 params=pad=1;way=2
plugin=cpu_slow spin=10.8 scan=2.15 copy=4.4
plugin=cpu_new spin=10 scan=2 copy=4
plugin=cpu_never status=unavailable median_ns= reason=nobody
plugin=cuda_x backend=cuda device=H200 driver=2 pct=40 median_ns=250000
plugin=cuda_y backend=cuda device=H200 driver=2 pct=50 median_ns=200000
END

# says VERDICT PLUGIN: its line of the table that was printed last.
says() {
    grep -E "^  $2 .*  $1" "$work/output" >/dev/null || { cat "$work/output" && return 1; }
}

compares() {
    status=$1
    shift
    "$scanbench" compare "$@" >"$work/output" 2>&1
    found=$?
    cat "$work/output"
    echo "exit status $found, expected $status"
    [ "$found" -eq "$status" ]
}

is_narrow() {
    fits_in 80 "$work/output"
}

# By effect: the changes of the lines, without their signs, never rise.
is_sorted() {
    sed 's/ to / /' "$work/output" | grep -oE '^  [^ ].* [+-][0-9.]+ %( +[+-][0-9.]+ %){2}' | sed 's/ %/%/g' | awk '
        { change = $(NF - 2); gsub(/[-+%]/, "", change); ratio = 1 + ($(NF - 2) ~ /^-/ ? -1 : 1) * change / 100
          effect = log(ratio); if (effect < 0) effect = -effect
          if (NR > 1 && effect > before + 0.002) { print "out of order: " $0; wrong = 1 } before = effect }
        END { exit wrong || NR < 5 }'
}

notes() {
    grep -qF "] $1" "$work/output" || { cat "$work/output" && return 1; }
}

# json FILE EXPRESSION: it is JSON, and the expression holds of %$j, in which %p has the pairs by
# their plugins.
json() {
    perl -MJSON::PP -0777 -e '
        my ($path, $expression) = @ARGV;
        open my $file, "<:raw", $path or die "$path: $!"; local $_ = <$file>;
        my $j = JSON::PP->new->utf8->decode($_);
        my %p = map { $_->{plugin} => $_ } @{ $j->{pairs} };
        my $good = eval $expression; die $@ if $@;
        print JSON::PP->new->pretty->canonical->encode($j) unless $good;
        exit !$good' "$1" "$2"
}

plan 86
claim "a regression ends with status 4" compares 4 "$work/a.csv" "$work/b.csv"
claim "three times that are longer are slower" says slower cpu_slow
claim "three that are shorter are faster" says faster cpu_fast
claim "small changes are the same" says same cpu_same
claim "estimates that disagree are inconclusive" says 'inconclusive  \[1\]' cpu_state
claim "because the machine's state changed" notes "the machine's state changed"
claim "as are wide intervals" says inconclusive cpu_noisy
claim "which are too noisy" notes "too noisy"
claim "as are those about the threshold" says inconclusive cpu_near
claim "which are too near it" notes "too near the threshold"
claim "a device is judged by its time and its copy" says slower cuda_x
claim "what only one file has is named" grep -qF "1 only in $work/a.csv: cpu_gone" "$work/output"
claim "for each of the two" grep -qF "1 only in $work/b.csv: cpu_new" "$work/output"
claim "what neither has measured is counted" grep -q "^1 without times in either" "$work/output"
claim "another driver is named once" [ "$(grep -c "^  driver" "$work/output")" -eq 1 ]
claim "as what it was and is" grep -qxF "  driver of cuda: 1 -> 2" "$work/output"
claim "a line sums up" grep -qx \
    "2 slower, 1 faster, 2 same, 3 inconclusive, 2 missing; threshold 3 %" "$work/output"
claim "no line is longer than 80 columns" is_narrow
claim "the greatest effect comes first" is_sorted
claim "the other way round there is a regression too" compares 4 "$work/b.csv" "$work/a.csv"
claim "of that which was faster" says slower cpu_fast

write good.csv <<END
$same
plugin=cpu_fast spin=8 scan=1.61 copy=3.21 params=pad=1;way=2
plugin=cpu_state spin=11 scan=2.0 copy=4.5
END
claim "nothing slower ends with status 0" compares 0 "$work/a.csv" "$work/good.csv"
claim "a file is the same as itself" compares 0 "$work/a.csv" "$work/a.csv"
claim "in every row" grep -q "^0 slower, 0 faster, 9 same, 0 inconclusive, 0 missing" "$work/output"
write fine.csv <<END
plugin=cpu_slow spin=10.2 scan=2.04 copy=4.08
END
claim "a threshold of 3 % calls 2 % the same" compares 0 "$work/a.csv" "$work/fine.csv"
claim "one of 1.5 % calls it slower" compares 4 --threshold 1.5% "$work/a.csv" "$work/fine.csv"
claim "--threshold takes a number too" compares 4 --threshold 1.5 "$work/a.csv" "$work/fine.csv"
claim "and nothing else" compares 2 --threshold little "$work/a.csv" "$work/fine.csv"

write wrong.csv <<END
plugin=cpu_same status=wrong median_ns= reason="y[3]: got 1, expected 2"
END
claim "what has become wrong is a regression" compares 4 "$work/a.csv" "$work/wrong.csv"
claim "and says why" notes "now wrong: y[3]: got 1, expected 2"
write none.csv <<END
plugin=cpu_same status=unavailable median_ns= reason="no device"
END
claim "where all is no longer available nothing was compared" compares 2 "$work/a.csv" "$work/none.csv"
claim "and says why too" notes "now unavailable: no device"
claim "nor where all was wrong before" compares 2 "$work/wrong.csv" "$work/a.csv"
write some.csv <<END
plugin=cpu_same status=unavailable median_ns= reason="no device"
plugin=cpu_near
END
claim "what is no longer available is no regression" compares 0 "$work/a.csv" "$work/some.csv"
claim "one file of which nothing is compared is named" compares 2 "$work/a.csv" "$work/some.csv" "$work/none.csv"
claim "so" grep -qF "nothing was compared: no configuration has times in both $work/a.csv and $work/none.csv" "$work/output"
claim "a regression in another is one" compares 4 "$work/a.csv" "$work/none.csv" "$work/wrong.csv"

write old.csv <<END
plugin=cpu_slow rounds= median_ns=1000
plugin=cpu_same rounds= median_ns=1000
END
claim "without rounds nothing is certain" compares 0 "$work/old.csv" "$work/b.csv"
claim "which is said of the file" grep -qF "old.csv has no intervals from rounds" "$work/output"
write bare.csv <<END
plugin=cpu_slow median_ns=1000
END
write bare2.csv <<END
plugin=cpu_slow median_ns=1500
END
claim "nor without calibrators" compares 0 "$work/bare.csv" "$work/bare2.csv"
claim "which is said too" grep -qF "no calibrators (" "$work/output"
sed 's/,here,/,there,/' "$work/good.csv" >"$work/there.csv"
compares 0 "$work/a.csv" "$work/there.csv" >/dev/null
claim "another machine is named" grep -qx "  host: here -> there" "$work/output"
write gpu.csv <<END
plugin=cuda_x backend=cuda device=H100 pct=50 median_ns=200000
END
claim "a configuration is compared on another device" compares 0 "$work/a.csv" "$work/gpu.csv"
claim "which is named" grep -qF "device of cuda: H200 -> H100" "$work/output"
write pocl.csv <<END
plugin=cpu_x spin=1 scan=1 copy=1
plugin=opencl_x backend=opencl device=pthread-CPU spin=10 scan=2 copy=4 pct=100 median_ns=5000
END
write pocl2.csv <<END
plugin=cpu_x spin=1 scan=1 copy=1
plugin=opencl_x backend=opencl device=pthread-CPU spin=11 scan=2.2 copy=4.4 pct=100 median_ns=5000
END
claim "a processor behind OpenCL is judged as a processor" compares 4 "$work/pocl.csv" "$work/pocl2.csv"
write devices.csv <<END
plugin=cuda_x backend=cuda device=H200 pct=50 median_ns=200000
plugin=cuda_x backend=cuda device=H200 pct=25 median_ns=400000
END
write devices2.csv <<END
plugin=cuda_x backend=cuda device=H200 pct=50 median_ns=200100
plugin=cuda_x backend=cuda device=H200 pct=25 median_ns=400100
END
claim "two devices of one name are compared in their order" compares 0 "$work/devices.csv" "$work/devices2.csv"
claim "each with one" grep -q "^0 slower, 0 faster, 2 same" "$work/output"
# A copy is all that its own copy can be held against. The spins of long times follow the host.
self='pct_copy=100 pct_copy_lo=100 pct_copy_hi=100'
gpu='backend=cuda device=H200 clock_mhz=1980'
write clock.csv <<END
plugin=cuda_copy $gpu $self median_ns=200000 spin=40
plugin=cuda_still $gpu $self median_ns=200000 spin=40
plugin=cuda_bare $gpu median_ns=200000
plugin=cuda_clock $gpu $self median_ns=200000
plugin=cuda_hot $gpu $self median_ns=200000
plugin=cuda_shared $gpu $self median_ns=200000 flags=noisy;gpu_shared
plugin=cuda_other $gpu median_ns=200000
plugin=cuda_host $gpu median_ns=25000 spin=5
plugin=cuda_short $gpu $self median_ns=9000 spin=2
plugin=cuda_spin $gpu $self median_ns=9000 spin=2
plugin=cuda_little $gpu $self median_ns=9000 spin=2
plugin=cuda_moved $gpu pct=50 median_ns=200000
END
write clock2.csv <<END
plugin=cuda_copy $gpu $self median_ns=212000 spin=42
plugin=cuda_still $gpu $self median_ns=200500 spin=44
plugin=cuda_bare $gpu median_ns=180000
plugin=cuda_clock $gpu $self median_ns=220000 clock_mhz=1755
plugin=cuda_hot $gpu $self median_ns=220000 flags=throttled
plugin=cuda_shared $gpu $self median_ns=220000
plugin=cuda_other $gpu median_ns=220000 device=H100
plugin=cuda_host $gpu median_ns=30000 spin=4.6
plugin=cuda_short $gpu $self median_ns=12000 spin=2.66
plugin=cuda_spin $gpu $self median_ns=12000 spin=2.01
plugin=cuda_little $gpu $self median_ns=9500 spin=2.1
plugin=cuda_moved $gpu pct=40 median_ns=200000
END
claim "a copy on a GPU whose clock is known is judged by its time" compares 4 "$work/clock.csv" "$work/clock2.csv"
claim "as slower" says slower cuda_copy
claim "as the same, whatever the spins of the host say of a long run" says same cuda_still
claim "as is a kernel beside which no copy was measured" says faster cuda_bare
claim "not if the clock has changed" says inconclusive cuda_clock
claim "which is said of it" notes "the GPU's clock changed, and there is no copy to tell by"
claim "nor if the GPU was throttled" notes "the GPU was throttled, and there"
claim "nor if it was shared" notes "the GPU was shared, and there"
claim "nor if it is another" notes "the devices differ, and there"
claim "nor if the frequency of the host counts" notes "the frequency of the host changed, and there"
claim "a short run is judged by its spins too" says slower cuda_short
claim "and by both alike" says inconclusive cuda_spin
claim "a change of what another run shows anyway is none" says inconclusive cuda_little
claim "a copy that moved is a change of the machine" notes "the machine's state changed"
write lacks.csv <<END
plugin=cuda_bare backend=cuda device=H200 median_ns=200000
END
compares 0 "$work/lacks.csv" "$work/clock2.csv" >/dev/null
claim "a file with neither a copy nor a clock is said to lack them" grep -qF "lacks.csv has neither a copy on the device" "$work/output"
write ticks.csv <<END
plugin=cuda_tick $gpu $self phase=device median_ns=3000
plugin=cuda_kernel $gpu phase=device median_ns=300000
plugin=cuda_copies $gpu $self phase=e2e median_ns=300000
END
write ticks2.csv <<END
plugin=cuda_tick $gpu $self phase=device median_ns=3200
plugin=cuda_kernel $gpu phase=device median_ns=330000
plugin=cuda_copies $gpu $self phase=e2e median_ns=600000
END
compares 4 --phase device,e2e "$work/ticks.csv" "$work/ticks2.csv" >/dev/null
claim "200 ns by the device's clock are no change" says inconclusive cuda_tick
claim "30 us are" says slower cuda_kernel
claim "for which its clock is enough" sh -c '! grep -q "has neither" "$1"' sh "$work/output"
claim "the clock of a GPU says nothing of copies to it" says inconclusive cuda_copies
claim "whose host may have changed" notes "no calibrators, so the machine may have changed"
write two.csv <<END
plugin=cpu_slow pct=60 phase=device median_ns=1000
plugin=cpu_slow spin=10 scan=2 copy=4
END
write two2.csv <<END
plugin=cpu_slow pct=50 phase=device median_ns=1200
plugin=cpu_slow spin=10.01 scan=2 copy=4
END
claim "other phases are left out" compares 0 "$work/two.csv" "$work/two2.csv"
claim "unless --phase asks for them" compares 4 --phase run,device "$work/two.csv" "$work/two2.csv"

compares 4 --json "$work/out.json" "$work/a.csv" "$work/good.csv" "$work/b.csv" >/dev/null
claim "--json writes an array of pairs" json "$work/out.json" '
    @{ $j->{pairs} } == 9 + 10 && @{ $j->{files} } == 3 && $j->{threshold} == 0.03 &&
    $j->{summary}{slower} == 2 && $j->{summary}{regressions} == 2'
claim "with ratio, interval, verdict and reason" json "$work/out.json" '
    $p{cpu_slow}{verdict} eq "slower" && abs($p{cpu_slow}{ratio} - 1.08) < 1e-6 &&
    $p{cpu_slow}{lo} < 1.08 && $p{cpu_slow}{hi} > 1.1 && $p{cpu_slow}{n} == 100000 &&
    $p{cpu_slow}{regression} && !$p{cpu_fast}{regression} && $p{cpu_fast}{params} eq "pad=1;way=2" &&
    !defined $p{cpu_gone}{ratio} && $p{cpu_gone}{reason} =~ /^only in/ && !defined $p{cpu_gone}{block}'
claim "a table is printed for each further file" [ "$(grep -c ' -> /' "$work/output")" -eq 2 ]
claim "apart from the one before" grep -qzP '[^ ]\n\n[^ ]*a\.csv -> ' "$work/output"
write strange.csv <<'END'
plugin=cpu_same status=error median_ns= reason="a\b|<x>é*"
END
perl -pe 's/<x>/"".chr(1).chr(255)/e' "$work/strange.csv" >"$work/stranger.csv"
compares 4 --json - "$work/a.csv" "$work/stranger.csv" >"$work/log2"
claim "JSON on stdout is alone there, and valid" json "$work/output" '$p{cpu_same}{verdict} eq "missing"'
claim "--markdown prints a table" compares 4 --markdown "$work/a.csv" "$work/b.csv"
claim "of the same numbers" grep -qE '^\| cpu_slow \| 1e5 \| \+8.0 % \| .* \| slower \|' "$work/output"
claim "and no more columns than its head" awk -F'[^\\\\][|]' '/^[|]/ && NF != 7 { print; bad = 1 } END { exit bad }' "$work/output"
claim "-q prints nothing" sh -c '[ -z "$("$1" compare -q "$2" "$3")" ]' sh "$scanbench" "$work/a.csv" "$work/b.csv"
"$scanbench" compare --markdown "$work/a.csv" "$work/strange.csv" >"$work/output"
claim "strange characters are escaped" grep -qF 'now error: a\\b\|\<x\>' "$work/output"
head -n 1 "$work/a.csv" >"$work/header.csv"
claim "a header alone is a file without rows, in which nothing was compared" compares 2 "$work/a.csv" "$work/header.csv"
claim "it is named" grep -qF "nothing was compared: $work/header.csv has no rows" "$work/output"
claim "as the first file too" compares 2 "$work/header.csv" "$work/a.csv"
write long.csv <<'END'
plugin=cpu_plugin_with_a_rather_long_identifier spin=10 scan=2 copy=4 params=threads=16;way=3;prefetch=yes;unroll=8;alignment=64;another=1234567 n=123456789012
plugin=cpu_überlänge_überlänge_überlänge spin=10 scan=2 copy=4
END
compares 0 "$work/long.csv" "$work/long.csv" >/dev/null
claim "long names are wrapped, not cut" sh -c 'tr -d " \n" <"$1" | grep -qF "threads=16way=3prefetch=yesunroll=8alignment=64another=1234567"' sh "$work/output"
claim "within 80 columns" is_narrow
{ printf '%s\n' 'plugin=cpu_one spin=10.32 scan=2.064 copy=4.128 half=1.7'; seq 1000 | sed 's/.*/plugin=cpu_& spin=10 scan=2 copy=4/'; } | write many2.csv
{ printf '%s\n' 'plugin=cpu_one spin=10 scan=2 copy=4 half=1.7'; seq 1000 | sed 's/.*/plugin=cpu_& spin=10 scan=2 copy=4/'; } | write many.csv
claim "among 1000 comparisons a small difference is not certain" compares 0 "$work/many.csv" "$work/many2.csv"
claim "which is said" notes "not certain among so many comparisons"
