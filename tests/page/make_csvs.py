"""CSVs for the page's tests: only failures, one row, problems in parts in one file and in one for each number of parts, 100,000
rows. Columns are those of the file
FROM.

usage: make_csvs.py FROM FOLDER
"""
import csv
import math
import random
import sys


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def failures(row):
    """Each status, with a reason that would break the page if it were not escaped."""
    reasons = {
        "skipped": "4 GiB needed, 2 GiB are left",
        "unavailable": "no device",
        "unsupported": "the plugin does not do affine",
        "wrong": "element 17 is 3, expected 4 </script><b>bold</b> & \"quoted\"",
        "crashed": "SIGSEGV",
        "timeout": "no progress for 60 s",
        "error": "clCreateBuffer: -61",
    }
    for number, (status, reason) in enumerate(reasons.items()):
        yield {**identity(row), "plugin": f"cpu_{number}", "n": 10 ** (number + 1), "phase": "run",
               "status": status, "reason": reason}


def identity(row):
    names = "schema run_id timestamp_utc host role backend device kind op dtype cache seed".split()
    return {name: row[name] for name in names if name in row}


def many(row, count):
    """Plugins x problems x sizes x settings x phases, with intervals, by a clock that is made up."""
    rng = random.Random(11)
    sizes = [round(10 ** (3 + step / 10)) for step in range(50)]
    phases = {"run": 1.0, "device": 0.9, "kernel:scan_tile": 0.6, "kernel:add_carry": 0.3, "h2d": 2.0, "d2h": 2.1, "e2e": 5.2}
    made = 0
    for dtype in ("i32", "f32"):
        for n in sizes:
            for plugin in range(18):
                for block in (32, 64, 128, 256, 512, 1024, 2048, 4096):
                    for phase, share in phases.items():
                        if made == count:
                            return
                        made += 1
                        ns = share * (900 + n * (0.01 + plugin * 0.002) * (1 + abs(math.log2(block / 256)) / 5))
                        ns *= rng.uniform(0.97, 1.05)
                        speedup = n * 0.3 / ns + 0.05
                        yield {
                            **identity(row), "plugin": f"plugin_{plugin:02}", "plugin_version": "1.0", "role": "baseline" if plugin == 0 else "algorithm",
                            "backend": "cuda", "device": "A device", "driver": "1", "kind": "exclusive", "op": "sum",
                            "dtype": dtype, "n": n, "block": block, "phase": phase, "status": "ok", "verified": 1,
                            "samples": 100, "median_ns": f"{ns:.10g}", "ci_lo_ns": f"{ns * 0.99:.10g}", "ci_hi_ns": f"{ns * 1.012:.10g}",
                            "speedup": f"{speedup:.10g}", "speedup_lo": f"{speedup * 0.98:.10g}", "speedup_hi": f"{speedup * 1.02:.10g}",
                            "pct_copy": f"{speedup * 2:.10g}", "pct_copy_lo": f"{speedup * 1.9:.10g}", "pct_copy_hi": f"{speedup * 2.1:.10g}",
                            "max_rel_error": f"{rng.uniform(1e-8, 1e-6):.10g}" if dtype == "f32" else "",
                            "rounds": 20, "clock_mhz": rng.randint(1400, 1980), "flags": "noisy;busy" if made % 9 == 0 else "",
                        }


# plugin: role, layout, the time of an element in one part, how much of k times that k parts reach
IN_PARTS = {"slices": ("algorithm", "contiguous", 0.5, 0.62), "tiles": ("algorithm", "cyclic", 0.52, 0.97),
            "copies": ("ceiling", "contiguous", 0.48, 0.99)}


def in_parts(row):
    """Three plugins in 1, 2 and 4 parts, of sizes that give strong and weak scaling."""
    for n in (1000000, 2000000, 4000000, 1000003):
        for plugin, (role, layout, ns_each, share) in IN_PARTS.items():
            for parts in (1, 2, 4):
                ns = n * ns_each / (1 if parts == 1 else parts * share)
                yield {**identity(row), "plugin": plugin, "plugin_version": "1.0", "role": role, "backend": "cuda", "device": "A device",
                       "driver": "1", "kind": "" if role == "ceiling" else "exclusive", "op": "" if role == "ceiling" else "sum",
                       "dtype": "i32", "n": n, "params": f"parts={parts}", "cache": "hot", "phase": "run", "status": "ok", "verified": 1,
                       "samples": 100, "median_ns": f"{ns:.10g}", "ci_lo_ns": f"{ns * 0.99:.10g}", "ci_hi_ns": f"{ns * 1.01:.10g}",
                       "rounds": 20, "parts": parts, "layout": layout if parts > 1 else ""}


def main():
    source, folder = sys.argv[1:]
    with open(source, newline="") as file:
        reader = csv.DictReader(file)
        rows, columns = list(reader), reader.fieldnames
    write(f"{folder}/failures.csv", columns, failures(rows[0]))
    scan = next(r for r in rows if r["status"] == "ok" and r["phase"] == "run" and r["role"] != "ceiling")
    write(f"{folder}/none.csv", columns, [row for row in failures(rows[0]) if row["status"] != "ok"])
    write(f"{folder}/one.csv", columns, [scan])
    new = [column for column in ("parts", "layout") if column not in columns]  # since the file FROM was written
    write(f"{folder}/parts.csv", columns + new, in_parts(rows[0]))
    for parts in (1, 2, 4):
        write(f"{folder}/k{parts}.csv", columns + new, ({**row, "run_id": f"run {parts}"} for row in in_parts(rows[0]) if row["parts"] == parts))
    write(f"{folder}/many.csv", columns, many(rows[0], 100000))


main()
