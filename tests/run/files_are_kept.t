#!/bin/sh
# What is in a file of results stays: two runs do not write one file, no option overwrites what
# another writes or a plugin, and --resume mixes, repeats and deletes no rows in silence.
# shellcheck disable=SC2016 # perl's variables
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
fixtures=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# sweep FILE [OPTION...]: a short one, of two plugins and two sizes unless the options say others.
sweep() {
    file=$1
    shift
    case " $* " in *" --sizes "*) ;; *) set -- --sizes 10,20 "$@" ;; esac
    case " $* " in *" --plugins "*) ;; *) set -- --plugins cpu_serial,cpu_memcpy "$@" ;; esac
    "$scanbench" -q --max-samples 6 --time-limit 0.02 --csv "$file" "$@"
}

rows() { grep -v ',calibrator,' "$1" | grep -c ',run,'; }

# copy NAME: of the first sweep, with its metadata.
copy() {
    cp base.csv "$1" && cp base.csv-metadata.json "$1-metadata.json"
}

one_writer() {
    "$scanbench" -q --plugins cpu_serial --sizes 1000 --min-samples 1000000 --max-samples 1000000 \
        --time-limit 3 --csv held.csv 2>held.err &
    run=$!
    for _ in $(seq 3000); do
        [ -e held.csv-metadata.json ] && break
        sleep 0.02
    done
    exits 2 "held.csv is being written by" sweep held.csv || return 1
    exits 2 "held.csv is being written by" sweep held.csv --resume || return 1
    ! [ -e /proc/locks ] || grep -q "process $run on this host" output || return 1
    wait "$run" && [ "$(rows held.csv)" -eq 1 ]
}

# same WORD FILE SAMPLES: refused, and FILE is not there or as it was.
same() {
    cp base.csv kept.csv
    exits 2 "$1" sweep "$2" --samples "$3" && { ! [ -e "$2" ] || cmp "$2" kept.csv; }
}

through_links() {
    cp base.csv linked.csv && ln linked.csv hard.csv && ln -s linked.csv soft.csv && ln -s later.csv dangling.csv &&
        same "would both write" linked.csv hard.csv && same "would both write" linked.csv soft.csv &&
        same "would both write" later.csv dangling.csv && same "would both write" soft.csv ./soft.csv
}

no_plugin_lost() {
    cp "$fixtures/right.so" mine.so && cp mine.so before.so
    exits 2 "would overwrite a plugin" sweep base2.csv --plugins ./mine.so --samples mine.so &&
        cmp mine.so before.so && ! [ -e base2.csv ]
}

sorted() {
    copy sorted.csv && (head -n 1 base.csv && tail -n +2 base.csv | sort -t , -k 19,19r -k 14,14) >sorted.csv
    before=$(wc -l <sorted.csv)
    tail -n 1 sorted.csv | grep -q ',create,' || return 1
    sweep sorted.csv --resume && [ "$(wc -l <sorted.csv)" -eq "$before" ]
}

sorted_and_cut() {
    copy cut.csv && (head -n 1 base.csv && grep ',create,' base.csv && grep -v ',calibrator,' base.csv | grep ',run,' | tail -n +2) >cut.csv
    cp cut.csv kept.csv
    exits 2 "was the file sorted or edited" sweep cut.csv --resume && cmp cut.csv kept.csv
}

# unsound TEXT SED: with a cell changed like that the file is left alone.
unsound() {
    copy odd.csv && sed "$2" base.csv >odd.csv && cp odd.csv kept.csv
    cmp -s base.csv odd.csv && return 1
    exits 2 "$1" sweep odd.csv --resume && cmp odd.csv kept.csv
}

# mixed TEXT SED: with metadata changed like that nothing is measured.
mixed() {
    copy mixed.csv && sed "$2" base.csv-metadata.json >mixed.csv-metadata.json
    cmp -s base.csv-metadata.json mixed.csv-metadata.json && return 1
    exits 2 "$1" sweep mixed.csv --sizes 10,20,30 --resume && cmp base.csv mixed.csv
}

# As pandas, a spreadsheet and others save it: saved TEXT COMMAND..., which edits $_, the cells in @F
# and the names in @names.
saved() {
    copy saved.csv && perl -e '
        my $edit = shift;
        while (<>) {
            chomp; our @F = split /,/, $_, -1; our @names = @F if $. == 1; our %at; @at{@names} = 0 .. $#names if $. == 1;
            eval $edit; die $@ if $@; print join(",", @F), "\n";
        }' "$2" base.csv >saved.csv && cp saved.csv kept.csv
    cmp -s base.csv saved.csv && return 1
    exits 2 "$1" sweep saved.csv --sizes 10,20,30 --resume && cmp kept.csv saved.csv
}

# What means the same is read by report and compare; where digits may be missing they refuse it.
read_again() {
    saved "the cell n is '10.0', not a whole number" '$F[$at{n}] .= ".0" if $. > 1' &&
        "$scanbench" report saved.csv && exits 0 " 0 missing" "$scanbench" compare base.csv saved.csv &&
        saved "the cell n is '1.00E+01', not a whole number" '$F[$at{n}] = sprintf "%.2E", $F[$at{n}] if $. > 1' &&
        exits 2 "is not a whole number with all its digits" "$scanbench" report saved.csv &&
        exits 2 "is not a whole number with all its digits" "$scanbench" compare base.csv saved.csv
}

# The raw samples are known by the cells of their configuration: none is dropped for its form.
samples_saved() {
    rm -f raw.*
    sweep raw.csv --samples raw.raw && sed '2,$s/,i32,\([0-9]*\),/,i32,\1.0,/' raw.raw >raw.new && mv raw.new raw.raw &&
        cp raw.raw kept.raw && cp raw.csv kept.csv &&
        exits 2 "raw.raw, line 2: the cell n is '10.0'" sweep raw.csv --sizes 10,20,30 --samples raw.raw --resume &&
        cmp raw.raw kept.raw && cmp raw.csv kept.csv &&
        sed 1d kept.raw >raw.raw && exits 2 "raw.raw" sweep raw.csv --sizes 10,20,30 --samples raw.raw --resume &&
        cmp raw.csv kept.csv
}

# Samples of a run that the CSV does not know are those of another file, whatever of them comes first.
samples_of_others() {
    sweep own.csv --samples own.raw && sweep theirs.csv --samples theirs.raw || return 1
    { cat own.raw && sed 1d theirs.raw; } >both.raw
    for name in theirs.raw both.raw; do
        cp "$name" kept.raw && cp own.csv kept.csv || return 1
        exits 2 "is not in own.csv; are these the samples of another file" \
            sweep own.csv --sizes 10,20,30 --samples "$name" --resume &&
            exits 2 "is not in none.csv" sweep none.csv --samples "$name" --resume &&
            cmp "$name" kept.raw && cmp own.csv kept.csv && ! [ -e none.csv ] || return 1
    done
    # Its own, and new ones, go on.
    sweep own.csv --sizes 10,20,30 --samples own.raw --resume && sweep own.csv --sizes 10,20,30 --samples new.raw --resume
}

# What a kill leaves between the samples of the first group and its rows.
samples_before_rows() {
    sweep early.csv --samples early.raw && sed -i 1q early.csv && sweep early.csv --samples early.raw --resume &&
        [ "$(cut -d, -f2 early.raw | sort -u | wc -l)" -eq 2 ] && [ "$(rows early.csv)" -ge 4 ]
}

joined() {
    copy joined.csv && cat base.csv base.csv >joined.csv && line=$(($(wc -l <base.csv) + 1)) &&
        exits 2 "joined.csv, line $line: the names of the columns again" sweep joined.csv --resume &&
        exits 2 "line $line: the names of the columns again" "$scanbench" report joined.csv &&
        sed 1d base.csv >headless.csv &&
        exits 2 "the line with the names of the columns is missing" "$scanbench" report headless.csv
}

# otherwise OPTION VALUE: what the columns mean would differ.
otherwise() {
    copy other.csv && exits 2 "has rows measured with $1 " sweep other.csv --sizes 10,20,30 --resume "$1" "$2" &&
        grep -qF "and this run has $1 $2" output && cmp base.csv other.csv
}

# Defaults that are written out, and what each row says itself, are no difference.
alike() {
    copy alike.csv && sweep alike.csv --sizes 10,20,30 --resume --order rounds --baseline cpu_serial --pin auto \
        --min-samples 3 --timeout 30 && [ "$(rows alike.csv)" -gt "$(rows base.csv)" ]
}

of_tune() {
    rm -f tuned.*
    "$scanbench" tune -q cpu_memcpy --sizes 10 --max-samples 6 --time-limit 0.02 --csv tuned.csv &&
        exits 2 "has rows of another command than run" sweep tuned.csv --resume
}

without_command() {
    copy silent.csv && sed 's/"argv"/"arguments"/' base.csv-metadata.json >silent.csv-metadata.json
    exits 0 "does not say with which --baseline, --order and --pin" sweep silent.csv --sizes 10,20,30 --resume
}

# What did not fit into the memory that was free then fits now.
skipped() {
    rm -f small.*
    sweep small.csv --sizes 10,1e7 --mem-limit 70Mi && grep -q ',run,skipped,' small.csv || return 1
    exits 0 " skipped; --retry measures them again)" "$scanbench" --plugins cpu_serial,cpu_memcpy --sizes 10,1e7 \
        --max-samples 6 --time-limit 0.02 --csv small.csv --resume --mem-limit 70Mi || return 1
    grep -q ',run,skipped,' small.csv && sweep small.csv --sizes 10,1e7 --resume --retry &&
        ! grep -q ',run,skipped,' small.csv && grep -q ',10000000,.*,run,ok,' small.csv &&
        python3 "$root/tests/lib/rows.py" small.csv once
}

# Two runs that are process 1, each of its container, may begin in one second.
own_names() {
    for name in one two; do
        unshare -rpf "$scanbench" -q --plugins cpu_serial --sizes 10 --max-samples 1 --pin none \
            --csv "$name.csv" || return 1
    done
    cut -d , -f 2 one.csv two.csv | sed -n 's/^[0-9]*T[0-9]*Z-1-//p' | sort -u >names
    cat names
    [ "$(wc -l <names)" -eq 2 ]
}

other_host() {
    copy host.csv && sed "2,\$s/,$(hostname),/,elsewhere,/" base.csv >host.csv && cp host.csv kept.csv
    exits 2 "has rows of another host, elsewhere" sweep host.csv --resume && cmp host.csv kept.csv
}

without_metadata() {
    cp base.csv alone.csv
    sweep alone.csv --resume 2>&1 | grep -q "alone.csv-metadata.json does not describe the run"
}

# The metadata as a build before CSVW wrote them: the last run's, without the columns.
older_build() {
    copy old.csv && python3 - <<'END' || return 1
import json
last = json.load(open("old.csv-metadata.json"))["notes"][0]
json.dump(last, open("old.csv-metadata.json", "w"), indent=2)
END
    cp old.csv-metadata.json old.json
    exits 2 "of an older scanbench" sweep old.csv --sizes 10,20,30 --resume &&
        cmp base.csv old.csv && cmp old.json old.csv-metadata.json
}

earlier_metadata() {
    copy longer.csv && sweep longer.csv --sizes 10,20,30 --resume &&
        sweep longer.csv --sizes 10,20,30,40 --resume &&
        python3 - <<'END'
import csv, json
last = json.load(open("longer.csv-metadata.json"))
runs = {run["run_id"] for run in last["notes"]}
rows = {row["run_id"] for row in csv.DictReader(open("longer.csv"))}
print(runs, rows)
raise SystemExit(0 if runs == rows and len(runs) == 3 else 1)
END
}

failures() {
    set -- "$fixtures/crash_in_run.so" --sizes 1000 --csv failed.csv
    "$scanbench" -q --plugins "$@"
    [ $? -eq 1 ] || return 1
    cp failed.csv kept.csv
    exits 1 "1 kept from before (1 failed; --retry" "$scanbench" --plugins "$@" --resume &&
        cmp failed.csv kept.csv || return 1
    exits 1 "1 crashed" "$scanbench" --plugins "$@" --resume --retry && ! cmp -s failed.csv kept.csv &&
        [ "$(rows failed.csv)" -eq 1 ]
}

# As after a build that found what it needs: before, the plugin was not there.
device_comes() {
    copy came.csv
    python3 - <<'END' || return 1
import csv
rows = list(csv.DictReader(open("base.csv", newline="")))
gone = [dict(r) for r in rows if r["plugin"] == "cpu_serial" and r["phase"] == "run"]
for r in gone:
    for name in r:
        if name not in ("schema", "run_id", "timestamp_utc", "host", "plugin", "kind", "op", "dtype", "n", "cache", "seed", "group_id"):
            r[name] = ""
    r["phase"], r["status"], r["reason"] = "run", "unavailable", "it was not built"
with open("came.csv", "w", newline="") as out:
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(gone + [r for r in rows if r["plugin"] != "cpu_serial"])
END
    [ "$(grep -c unavailable came.csv)" -eq 2 ] && sweep came.csv --resume || return 1
    cut -d, -f 5,14,19,20 came.csv
    ! grep -q unavailable came.csv && [ "$(rows came.csv)" -eq "$(rows base.csv)" ] &&
        python3 "$root/tests/lib/rows.py" came.csv once
}

other_words() {
    mkfifo fifo || return 1
    sed 's/$/\r/' base.csv >crlf.csv
    (printf '\357\273\277' && cat base.csv) >bom.csv
    exits 2 "fifo is a FIFO" sweep fifo --resume && exits 2 "/dev/full is a device" sweep /dev/full --resume &&
        exits 2 "its lines end in CRLF" sweep crlf.csv --resume &&
        exits 2 "begins with a byte-order mark" sweep bom.csv --resume
}

# With room for the metadata and the rows of a few groups; the limit is in blocks of 512 bytes.
file_limit() {
    (
        ulimit -f 32
        exits 2 "ended early; finished rows are in limited.csv. The same command with --resume does the rest" \
            sweep limited.csv --sizes 10,20,30,40,50,60,70,80,90,100,110,120 &&
            grep -q "writing limited.csv: File too large" "$work/output"
    ) || return 1
    python3 "$root/tests/lib/rows.py" limited.csv clean && [ "$(rows limited.csv)" -ge 1 ]
}

sweep base.csv || exit 1
plan 44
claim "a second run on one file is refused, and told by whom it is written" one_writer
claim "--csv and --samples may not be one file" same "would both write one.csv" one.csv one.csv
claim "nor through links, also of a file that is not there yet" through_links
claim "nor may the samples be the metadata" same "would both write" m.csv m.csv-metadata.json
claim "nor the metadata of the samples the CSV" same "would both write" m.csv-metadata.json m.csv
claim "nor both stdout" exits 2 "would both write stdout" sweep - --samples -
claim "nor is a plugin overwritten" no_plugin_lost
claim "--resume deletes no row of a file that was sorted" sorted
claim "it says so where rows of one are incomplete" sorted_and_cut
claim "it keeps no row of another schema" unsound "the cell schema is '99', not the one" '2s/^1,/99,/'
claim "nor a time that is no number" unsound "is 'nan', not a number as scanbench writes it" \
    '3s/,ok,,1,,\([0-9]*\),[^,]*,/,ok,,1,,\1,nan,/'
claim "nor a row that is ok without a time" unsound "but the row is ok" \
    '3s/,ok,,1,,\([0-9]*\),[^,]*,/,ok,,1,,\1,,/'
claim "an empty name of a file is a mistake" exits 2 "--csv '': this is empty" sweep ''
claim "it mixes no rows of another build of a plugin" mixed "another build of cpu_serial" \
    '/"id": "cpu_serial"/s/"sha256": "./"sha256": "x/'
claim "nor of another build of scanbench" mixed "another build of scanbench" '/^ *"sha256"/s/: "./: "x/'
claim "nor of another host" other_host
claim "it warns where that is not known" without_metadata
claim "metadata that was damaged is not replaced" mixed "is not JSON any more" '1s/{/{"/'
claim "it keeps the metadata of the rows it keeps" earlier_metadata
claim "nor are those of an older build, which had another form" older_build
claim "kept failures count in the exit status, and --retry measures them again" failures
claim "--retry alone is a mistake" exits 2 "--retry needs --resume" sweep x.csv --retry
claim "a device or plugin that came is one row, not two" device_comes
claim "a FIFO, a device, CRLF and a byte-order mark are told as such" other_words
claim "a file at its size limit is a full disk: whole rows, exit status 2, and how to go on" file_limit
claim "numbers in another form are refused by --resume, and read where that is certain" read_again
claim "so are those with separators" saved "the cell median_ns is '1,000', not a number" '$F[$at{median_ns}] = "\"1,000\"" if $. == 2'
claim "and a time that a spreadsheet has written" saved "the cell timestamp_utc is '31.01.2026 12:00', not a time" \
    '$F[$at{timestamp_utc}] = "31.01.2026 12:00" if $. > 1'
claim "and a file all in quotes" saved "the names of its columns are in quotes" '$_ = "\"$_\"" for @F'
claim "an empty cell that never is" saved "the cell timestamp_utc is '', which is never empty" '$F[$at{timestamp_utc}] = "" if $. == 3'
claim "a word that no run writes" saved "the cell status is 'fine', a word" '$F[$at{status}] = "fine" if $. == 3'
claim "a round that was taken out" saved "not how many rounds_ns has" \
    '$F[$at{rounds_ns}] =~ s/^\S+ // if $. > 1'
claim "no raw sample is dropped because a program has written it otherwise" samples_saved
claim "nor because it is of another run" samples_of_others
claim "the samples of a run that was killed before its first row are known" samples_before_rows
claim "two files in one, and one without its header, are told as such" joined
claim "another --order is refused" otherwise --order sequential
claim "another --baseline too" otherwise --baseline cpu_memcpy
claim "and another --pin" otherwise --pin none
claim "the same, and what rows say themselves, is not" alike
claim "nor are rows of tune mixed with those of run" of_tune
claim "metadata without a command line are told" without_command
claim "--retry measures again what was skipped for lack of memory" skipped
if unshare -rpf true 2>/dev/null; then
    claim "two runs have two names, also as the same process" own_names
else
    skip 1 "no name space of processes can be made here"
fi
