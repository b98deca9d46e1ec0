#!/bin/sh
# `scanbench run` from its command line to the rows it writes: clean CSV, numbers only
# where something was measured, and scores that follow from the rows they name.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial plugins/opencl_copy reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH NO_COLOR

# rows CLAIM...: a claim about $csv, read by Python.
rows() {
    python3 "$root/tests/lib/rows.py" "$csv" "$@"
}

# run NAME ARGUMENTS...: keeps stdout as $work/NAME.csv and stderr as $work/NAME.err.
run() {
    csv=$work/$1.csv
    errors=$work/$1.err
    shift
    status=0
    "$scanbench" "$@" >"$csv" 2>"$errors" || status=$?
    cat "$errors"
    echo "exit status $status"
}

opencl() {
    run opencl --plugins 'opencl_*,!opencl_copy' --sizes '12312,1e3..1e4/2' \
        --block-sizes 32..64 --types i32,f32 --kinds inclusive,exclusive \
        --time-limit 0.01 --csv -
    [ "$status" -eq 0 ]
}

cpu() {
    run cpu --plugins 'cpu_serial,cpu_memcpy,cpu_stdpar_seq' --sizes 1000,4Ki..8Ki*2 \
        --types i32,f32,u64 --ops sum,max --kinds all --time-limit 0.005
    [ "$status" -eq 0 ]
}

# Every type and operator, and the combinations that are not defined.
all_words() {
    run words --plugins cpu_serial --sizes 100 --types all --ops all --kinds all \
        --time-limit 0.002
    [ "$status" -eq 0 ] && [ "$(grep -v ',calibrator,' "$csv" | grep -c ',run,ok,')" -eq 76 ]
}

# The table for people goes elsewhere than the rows.
table_on_stderr() {
    grep -q '^n = 8,192$' "$work/cpu.err" && grep -q 'cpu_serial .*[mµn]s ' "$work/cpu.err" &&
        ! grep -q GB/s "$work/cpu.csv"
}

table_on_stdout() {
    "$scanbench" --plugins cpu_serial --sizes 1000 --time-limit 0.005 --csv "$work/file.csv" \
        >"$work/out" 2>"$work/err" && cat "$work/out" "$work/err" &&
        grep -q '^n = 1,000$' "$work/out" && grep -q ',run,ok,' "$work/file.csv"
}

quiet() {
    run quiet -q --plugins cpu_serial --sizes 1000 --time-limit 0.005
    [ "$status" -eq 0 ] && [ ! -s "$errors" ]
}

no_escapes() {
    ! LC_ALL=C grep -q "$(printf '\033')" "$work/cpu.csv" "$work/cpu.err"
}

# A ceiling declares no kind and no operator: one row however many are asked for.
ceiling_once() {
    [ "$(grep -c ',cpu_memcpy,.*,,,u64,8192,.*,run,ok,' "$work/cpu.csv")" -ge 1 ] &&
        csv=$work/cpu.csv && rows once
}

# Nobody asks for the values of its list.
every_way() {
    for way in 0 1 2 3 4 5; do
        rows count 1 plugin=cpu_memcpy dtype=u64 n=8192 phase=run status=ok \
            "params=threads=1;way=$way" || return 1
    done
}

# A ceiling that takes a millisecond: a short scan beside it is flagged, and it is not.
above_copy() {
    cat >"$work/slow_copy.c" <<'TEXT'
#include "scan_plugin.h"
#include <string.h>
#include <time.h>
static uint64_t bytes;
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    bytes = problem->n * problem->element_bytes;
    *self_p = &bytes;
    return SCAN_OK;
}
static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    memcpy(scan_host_pointer(out), scan_host_pointer(in), bytes);
    return SCAN_OK;
}
static void destroy(void *self)
{
}
static const scan_plugin slow_copy = {
    .struct_size = sizeof(scan_plugin), .role = SCAN_ROLE_CEILING, .id = "slow_copy",
    .name = "Slow copy", .version = "1", .summary = "a copy that waits", .reference = "",
    .backend = "cpu", .create = create, .run = run, .destroy = destroy};
SCAN_EXPORT_PLUGINS(&slow_copy);
TEXT
    cc -std=c11 -D_GNU_SOURCE -shared -fPIC -I "$root/core/include" "$work/slow_copy.c" \
        -o "$work/slow_copy.so" || return 1
    run above --plugins "$work/slow_copy.so,cpu_serial" --sizes 1000 --time-limit 0.5
    [ "$status" -eq 0 ] && rows count 1 plugin=cpu_serial phase=run flags=*above_copy &&
        rows count 1 plugin=slow_copy phase=run && rows count 1 phase=run flags=*above_copy
}

metadata() {
    python3 - "$work/file.csv" "$build/plugins/cpu_serial.so" "$scanbench" <<'TEXT'
import csv, hashlib, json, sys
def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
with open(sys.argv[1] + "-metadata.json") as file:
    about = json.load(file)
with open(sys.argv[1]) as file:
    header = next(csv.reader(file))
run = about["notes"][0]
hashes = {plugin["id"]: plugin["sha256"] for plugin in run["plugins"]}
print(about["url"], hashes, run["sha256"])
good = about["url"] == "file.csv" and header == [column["name"] for column in about["tableSchema"]["columns"]]
good = good and hashes["cpu_serial"] == digest(sys.argv[2]) and run["sha256"] == digest(sys.argv[3])
sys.exit(0 if good else 1)
TEXT
}

samples() {
    "$scanbench" -q --plugins cpu_serial --sizes 1000 --max-samples 30 --time-limit 0.01 \
        --csv "$work/s.csv" --samples "$work/raw.csv" &&
        [ "$(grep -c ',run,' "$work/raw.csv")" -eq \
            "$(sed -n '/,calibrator,/d; s/.*,run,ok,,1,,\([0-9]*\),.*/\1/p' "$work/s.csv")" ]
}

# Beside the samples; each value of the file is of the type that its column has.
samples_metadata() {
    python3 - "$work/raw.csv" <<'TEXT'
import csv, json, sys
with open(sys.argv[1] + "-metadata.json") as file:
    about = json.load(file)
with open(sys.argv[1]) as file:
    header, *rows = csv.reader(file)
columns = about["tableSchema"]["columns"]
types = {"string": str, "unsignedLong": int, "long": int, "double": float}
assert about["url"] == "raw.csv" and header == [c["name"] for c in columns], header
assert all(c["dc:description"] for c in columns) and rows  # a busy machine takes few
for row in rows:
    for cell, column in zip(row, columns):
        assert cell or not column.get("required"), (column, row)
        types[column["datatype"]](cell or 0)
TEXT
}

# A locale that writes 1,5: the file keeps its decimal points, whoever sets it.
comma() {
    printf 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n' \
        >"$work/comma.source"
    localedef -c -i "$work/comma.source" -f UTF-8 "$work/comma" >/dev/null 2>&1
    LOCPATH=$work LC_ALL='' LC_NUMERIC=comma locale decimal_point 2>/dev/null | grep -qx ','
}

in_comma() {
    LOCPATH=$work LC_ALL='' LC_NUMERIC=comma run locale --plugins cpu_serial --types f32 \
        --sizes 12312 --time-limit 0.01
    [ "$status" -eq 0 ] && rows clean && rows numbers
}

unavailable() {
    awk -F '\t' '{ print $1 }' "$build/plugins/not_built.txt" >"$work/not_built"
    id=$(head -n 1 "$work/not_built")
    run unavailable --plugins "$id" --sizes 1000
    [ "$status" -eq 0 ] && grep -q ",run,unavailable,.*not built: .* install" "$csv"
}

# within MILLISECONDS COMMAND...: of processor time, its children's too, which other programs hardly
# change; the best of five.
within() {
    limit=$1
    shift
    for _ in 1 2 3 4 5; do
        # shellcheck disable=SC2016 # it is perl's
        took=$(perl -e 'open STDOUT, ">", "/dev/null"; open STDERR, ">&STDOUT"; system(@ARGV) == 0 or exit 1;
            my @t = times; open my $tty, ">&", 3; printf $tty "%d", 1000 * ($t[2] + $t[3])' "$@" 3>&1 >/dev/null) ||
            return 1
        echo "$took ms"
        [ "$took" -lt "$limit" ] && return 0
    done
    return 1
}

dry_run() {
    "$scanbench" --dry-run --plugins cpu_serial,cpu_memcpy --sizes 1e3..1e5 --csv "$work/none.csv" \
        >"$work/dry" && cat "$work/dry" && [ ! -e "$work/none.csv" ] &&
        grep -qx 'cpu_serial i32 sum exclusive n=100000' "$work/dry"
}

plan 31
claim "the OpenCL plugins run over sizes, blocks, types and kinds" opencl
claim "the CPU plugins run over sizes, types, operators and kinds" cpu
if command -v python3 >/dev/null 2>&1; then
    for name in opencl cpu; do
        csv=$work/$name.csv
        claim "$name: the CSV is clean and has the columns of the schema" rows clean
        claim "$name: numbers stand where something was measured, and nowhere else" rows numbers
        claim "$name: no row is there twice" rows once
    done
    csv=$work/cpu.csv
    claim "rates follow from the medians, and ratios lie in their intervals" rows scored
    claim "each configuration has its run" rows count 36 plugin=cpu_serial phase=run status=ok
    claim "each configuration has its create" rows count 36 plugin=cpu_serial phase=create status=ok
    claim "a copy of the same bytes is measured once for all kinds and operators" ceiling_once
    claim "a copy is measured in every way, with one thread" every_way
    claim "a row faster than the copy by more than noise is flagged" above_copy
else
    skip 12 "python3 is not installed"
fi
claim "every type with every operator that is defined on it" all_words
claim "rows on stdout: the table for people is on stderr" table_on_stderr
claim "rows in a file: the table for people is on stdout" table_on_stdout
claim "-q leaves stderr empty" quiet
claim "nothing is coloured where no terminal is" no_escapes
claim "--samples keeps as many samples as the row says" samples
if command -v python3 >/dev/null 2>&1; then
    claim "the metadata beside the samples have their columns, with types" samples_metadata
    claim "the metadata beside the file have its columns and the SHA-256 of plugin and program" metadata
else
    skip 2 "python3 is not installed"
fi
if command -v python3 >/dev/null 2>&1 && comma; then
    claim "a locale with a decimal comma changes nothing" in_comma
else
    skip 1 "python3 is not installed, or no locale can be made"
fi
if [ -s "$build/plugins/not_built.txt" ]; then
    claim "a plugin that was not built is unavailable, and the row says what to install" unavailable
else
    skip 1 "every plugin was built"
fi
claim "--dry-run names the configurations and writes no file" dry_run
claim "--require of a plugin that is there is no error" "$scanbench" -q --plugins cpu_serial \
    --require cpu_serial,cpu --sizes 10 --time-limit 0.002 --csv "$work/required.csv"
claim "--require of one that is not selected ends with status 3" exits 3 \
    "--require opencl: no selected plugin has that id or backend" \
    "$scanbench" --plugins cpu_serial --require opencl --sizes 10
claim "--help takes less than 20 ms of the processor" within 20 "$scanbench" --help
claim "list takes less than 2 s of it" within 2000 "$scanbench" list
claim "--help names every option that list takes" exits 0 "--device LIST" "$scanbench" list --help
claim "the contract's version is told" exits 0 "plugin contract 1.2" "$scanbench" --version
