#!/bin/sh
# Parts in processes of their own: mpi_scan in ranks that mpirun starts. Every rank makes and compares
# its slice; one that dies, hangs or is wrong costs one row, the sweep goes on, and no process is left.
# RANK_KILLS=50 kills that many ranks.
# slow
# about: core harness tests/fixtures plugins/common plugins/mpi_scan
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
mark=ranks_$$
base=${TMPDIR:-/tmp}/mpi_$$
mkdir "$base" || exit 1
# Its programs may still be removing what they had.
trap 'for _ in 1 2 3 4 5; do find "$base" -type d -empty -delete; [ -d "$base" ] || break; sleep 0.2; done; rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# variant NAME FILE SED: mpi_scan with a change in one of its sources, as a plugin file.
variant() {
    mkdir -p "$work/$1" && cp "$root"/plugins/mpi_scan/*.[ch] "$work/$1" &&
        sed "$3" "$root/plugins/mpi_scan/$2" >"$work/$1/$2" &&
        ! cmp -s "$root/plugins/mpi_scan/$2" "$work/$1/$2" &&
        mpicc -O2 -shared -fPIC -I "$root/core/include" -I "$root/plugins/common/cpu" -include stdlib.h \
            -include time.h "$work/$1"/*.c -o "$work/${mark}_$1.so" -lm
}

# Open MPI keeps its files in a folder for all its programs, which the last one to end removes: also if another has
# just begun. So each sweep has one of its own, and what is left there is found by tests/tap.
sweep() {
    file=$1 && shift
    TMPDIR=$(mktemp -d "$base/XXXXXX") "$scanbench" -q --csv "$csv" --time-limit 0.1 --plugins "$file" "$@"
}

# holds EXPRESSION [NAME=VALUE...]: it is true of the list `rows` of those with these cells.
holds() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
wanted = dict(a.split("=", 1) for a in sys.argv[3:])
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["role"] != "calibrator" and all(r[k] == v for k, v in wanted.items())]
for r in rows:
    print({k: r[k] for k in "plugin n params parts layout phase status reason verified pct_copy median_ns".split()})
sys.exit(not (rows and eval("(" + sys.argv[2] + ")")))
END
}

measures() {
    sweep "$build/plugins/mpi_scan.so" --sizes 0,1,3,1e3,1e5,1e6 --parts 1,2,3 --types "$1" --ops "$2" &&
        holds 'len(rows) == 18 and all(r["status"] == "ok" and r["verified"] == "1" for r in rows)' \
            plugin=mpi_scan phase=run
}

is_bounded() {
    sweep "$build/plugins/mpi_scan.so" --sizes 1e5 --parts 2 &&
        holds 'rows[0]["layout"] == "contiguous" and 0 < float(rows[0]["pct_copy"]) < 100' \
            plugin=mpi_scan phase=run
}

# The processes that run file $1 as a rank.
ranks_of() {
    grep -als "$1" /proc/[0-9]*/cmdline | while IFS=/ read -r _ _ id _; do
        { tr '\0' ' ' <"/proc/$id/cmdline"; } 2>/dev/null | grep -q '^[^ ]*scanbench worker .*@/proc/' && echo "$id"
    done
}

nobody_left() {
    nobody_runs "[${mark%"${mark#?}"}]${mark#?}"
}

# strikes SIGNAL STATUS SEED: a rank gets it at a random moment of a sweep, which ends, and of which at
# most one row is lost, to that status; or to a timeout, where the launcher is slow to notice. On a busy machine it
# takes seconds to start ranks; only what hangs takes the whole timeout.
strikes() {
    cp "$build/plugins/mpi_scan.so" "$work/${mark}_victim.so"
    : >"$csv"
    if [ "$1" = STOP ]; then patience=15; else patience=60; fi
    sweep "$work/${mark}_victim.so" --sizes 1e3..1e6/3 --parts 2 --timeout "$patience" >"$work/out" 2>&1 &
    running=$!
    for _ in $(seq 600); do
        [ "$(wc -l <"$csv")" -ge 2 ] && break # the ranks have started
        sleep 0.1
    done
    sleep "$(awk -v seed="$3" 'BEGIN { srand(seed); print 2 * rand() }')"
    victim=$(ranks_of "${mark}_victim" | sort -n | sed -n "$((1 + $3 % 2))p")
    [ -z "$victim" ] || kill "-$1" "$victim"
    wait "$running"
    cat "$work/out"
    echo "rank: $victim"
    holds "sum(r['status'] != 'ok' for r in rows) <= 1 and len(rows) == 20 and
        all(r['status'] in ('ok', 'timeout', '$2') for r in rows)" phase=run && nobody_left
}

survives_kills() {
    for i in $(seq "${RANK_KILLS:-3}"); do
        strikes KILL crashed "$i" || return 1
    done
}

# A rank that is stopped: which row waits for it is told in its reason.
survives_hangs() {
    strikes STOP timeout 2 && strikes STOP timeout 3
}

# Each rank may use one processing unit, and no two the same.
pinned() {
    [ "$(nproc)" -ge 2 ] || return 0
    cp "$build/plugins/mpi_scan.so" "$work/${mark}_pinned.so"
    "$scanbench" -q --plugins "$work/${mark}_pinned.so" --sizes 1e5..1e7/2 --parts 2 \
        --csv "$work/pinned.csv" >"$work/out" 2>&1 &
    running=$!
    units=
    for _ in $(seq 300); do
        sleep 0.1
        units=$(ranks_of "${mark}_pinned" | while read -r id; do
            sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$id/status" 2>/dev/null
        done | sort -u | grep -cx '[0-9]*')
        [ "$units" = 2 ] && break
    done
    kill "$running"
    wait "$running"
    echo "processing units: $units"
    [ "$units" = 2 ] && nobody_left
}

wrong() {
    variant wrong rank_scan.c 's/scan->rank + 1 < (int)scan->problem.parts/scan->rank == 0/' || return 1
    sweep "$work/${mark}_wrong.so" --sizes 999 --parts 2,3
    holds 'rows[0]["status"] == "ok"' plugin=mpi_scan parts=2 phase=run &&
        holds 'rows[0]["status"] == "wrong" and "first at index 666" in rows[0]["reason"]' \
            plugin=mpi_scan parts=3
}

# The guard behind the slice of rank 1, in its own process.
overruns() {
    variant past rank_scan.c 's/^    scan_from(scan, in, out, &carry);/&\
    if (scan->rank == 1)\
        memset((char *)out + scan->count * scan->problem.element_bytes, 0, 4);/' || return 1
    sweep "$work/${mark}_past.so" --sizes 1000 --parts 2
    holds '"past the end of part 1 of the output" in rows[0]["reason"]' plugin=mpi_scan
}

dies() {
    variant dies rank_scan.c 's/^    joining = scan->loops;/&\
    if (scan->rank == 1 \&\& scan->problem.n == 1000)\
        abort();/' || return 1
    sweep "$work/${mark}_dies.so" --sizes 999,1000,1001 --parts 2
    holds '[r["status"] for r in rows] == ["ok", "crashed", "ok"] and
        "the ranks ended during" in rows[1]["reason"]' plugin=mpi_scan phase=run && nobody_left
}

# A rank that disagrees: the others have the instance that it refuses.
disagrees() {
    variant disagrees rank_job.c 's/^    scan_status status = rank_scan_create(host, &c->problem, job.rank, &scan);/&\
    if (c->problem.n == 1000 \&\& status == SCAN_OK)\
        return host->fail(host, SCAN_ERROR, "rank 1 refuses");/' || return 1
    sweep "$work/${mark}_disagrees.so" --sizes 999,1000,1001 --parts 2 --timeout 60
    holds '[r["status"] for r in rows] == ["ok", "crashed", "ok"] and
        "the ranks ended during" in rows[1]["reason"]' plugin=mpi_scan phase=run && nobody_left
}

# Rank 1 works on when rank 0 has returned: the times are not those of the scan.
returns_early() {
    variant early rank_scan.c 's/^    scan_from(scan, in, out, &carry);/    if (scan->rank == 1)\
        nanosleep(\&(struct timespec){.tv_nsec = 20000000}, NULL);\
    scan_from(scan, in, out, \&carry);\
    return SCAN_OK;/' || return 1
    sweep "$work/${mark}_early.so" --sizes 1,1000 --parts 2
    holds 'all(r["status"] == "error" and "before all ranks were done" in r["reason"] for r in rows)' \
        plugin=mpi_scan phase=run
}

# The proof sees it too, and its command repeats it.
proves_wait() {
    "$scanbench" validate "$work/${mark}_early.so" --types i32 --ops sum --parts 1,2 --max-n 5000 \
        --claims parts >"$work/tap" 2>&1
    cat "$work/tap"
    grep -q "fault: 'ranks_returned_early'" "$work/tap" &&
        grep -q "repeat: .* --launcher .* --parts 1,2" "$work/tap"
}

# Every run takes at least as long as its slowest rank.
slow() {
    variant slow rank_scan.c 's/^    joining = scan->loops;/&\
    if (scan->rank == 1)\
        nanosleep(\&(struct timespec){.tv_nsec = 20000000}, NULL);/' || return 1
    sweep "$work/${mark}_slow.so" --sizes 1000 --parts 1,2 &&
        holds 'float(rows[0]["median_ns"]) < 1e7 < 2e7 <= float(rows[1]["median_ns"])' \
            plugin=mpi_scan phase=run
}

proves() {
    "$scanbench" validate "$build/plugins/mpi_scan.so" --types i32,f32x2 --ops sum,affine --parts 1,2,3 \
        --max-n 5000 --claims "$1" >"$work/tap" 2>"$work/err"
    found=$?
    cat "$work/tap" "$work/err"
    [ $found = 0 ] && ! grep -q '^not ok' "$work/tap" && grep -q 'parts 1 to 3' "$work/tap"
}

finds_in_proof() {
    "$scanbench" validate "$work/${mark}_wrong.so" --types i32 --ops sum --parts 1,2,3 --max-n 5000 \
        --claims sizes,parts >"$work/tap" 2>&1
    cat "$work/tap"
    grep -q "^not ok .* mpi_scan is right in 1 to 8 parts" "$work/tap" &&
        [ "$(grep -c '^not ok' "$work/tap")" = 1 ]
}

# A path and an argument with spaces, and the number of ranks twice.
takes_quotes() {
    mkdir -p "$work/a b" || return 1
    cat >"$work/a b/launch" <<'END'
#!/bin/sh
[ "$1" = "2 of 2" ] && shift && exec mpirun "$@"
END
    chmod +x "$work/a b/launch"
    sweep "$build/plugins/mpi_scan.so" --sizes 10 --parts 2 \
        --launcher "'$work/a b/launch' \"{parts} of {parts}\" -n {parts}" &&
        holds 'rows[0]["status"] == "ok"' plugin=mpi_scan phase=run
}

# As the mpirun of another MPI does it: every process takes itself for rank 0 of 1.
finds_twins() {
    cat >"$work/twins" <<'END'
#!/bin/sh
for name in one other; do
    mkdir -p "$TMPDIR/$name"
    TMPDIR=$TMPDIR/$name "$@" &
done
wait
END
    chmod +x "$work/twins"
    # What Open MPI starts for a rank without an mpirun is killed with its rank, and leaves its folder.
    mkdir -p "$work/left"
    TMPDIR=$work/left "$scanbench" -q --csv "$csv" --time-limit 0.1 --plugins "$build/plugins/mpi_scan.so" --sizes 10 \
        --parts 1,2 --launcher "$work/twins" >"$work/out" 2>&1
    cat "$work/out"
    grep -qF 'started several processes as rank 0' "$work/out" &&
        holds '[r["status"] for r in rows] == ["ok", "unsupported"]' plugin=mpi_scan phase=run
}

# What join says is looked at.
misjoins() {
    variant misjoins rank_job.c 's/^    \*rank_p = (uint32_t)job.rank;/    *rank_p = (uint32_t)job.rank + 1;/' ||
        return 1
    sweep "$work/${mark}_misjoins.so" --sizes 10 --parts 2 --timeout 60 >"$work/out" 2>&1
    cat "$work/out"
    grep -qF 'the plugin says rank 2 of 2' "$work/out" &&
        holds 'rows[0]["status"] == "crashed"' plugin=mpi_scan && nobody_left
}

if [ ! -e "$build/plugins/mpi_scan.so" ] || ! command -v mpirun >/dev/null; then
    plan 1
    skip 1 "no MPI here"
    exit 0
fi
plan 22
claim "every slice is right, compared in full by its rank: i32 sum" measures i32 sum
claim "and so it is of a type and an operator that does not commute" measures u32x2 affine
claim "a row in ranks is held against the copy in as many ranks" is_bounded
claim "killed ranks cost one row each, and no process is left" survives_kills
claim "a rank that hangs costs one row, and no process is left" survives_hangs
claim "each rank is pinned to a core of its own" pinned
claim "a wrong carry into the third rank is seen there" wrong
claim "so it is in the proof, by the claim that is meant for it" finds_in_proof
claim "a write behind another rank's slice is seen" overruns
claim "a rank that aborts costs one row, and the sweep goes on" dies
claim "a rank that refuses what the others accept costs one row, and no process is left" disagrees
claim "a slow rank shows in the times" slow
claim "a rank that works on after run is seen" returns_early
claim "so it is in the proof" proves_wait
claim "the proof passes in three ranks" proves sizes,parts,repeat,instances,buffers
claim "a launcher that is not there is named" exits 1 'no_such_launcher -n 2: No such file' \
    "$scanbench" --plugins "$build/plugins/mpi_scan.so" --sizes 10 --parts 2 --launcher 'no_such_launcher -n {parts}'
claim "a launcher that fails is told, with its status" exits 1 'the launcher exited with status 1' \
    "$scanbench" --plugins "$build/plugins/mpi_scan.so" --sizes 10 --parts 2 --launcher 'false {parts}'
claim "a launcher and its arguments may be quoted" takes_quotes
claim "a quote that is open is an error" exits 2 'a quote is not closed; write one as mpirun' \
    "$scanbench" --plugins "$build/plugins/mpi_scan.so" --sizes 10 --parts 2 --launcher "'mpirun -n 2"
claim "a launcher of which every process is rank 0 is told" finds_twins
claim "a rank that is none of those there are is told" misjoins
claim "without ranks there is one part" exits 0 '2 parts, and there is 1 rank (--launcher)' \
    "$scanbench" validate "$build/plugins/mpi_scan.so" --types i32 --ops sum --max-n 100 --claims parts
