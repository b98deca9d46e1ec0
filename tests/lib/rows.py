# What a CSV of scanbench must hold, read with Python's csv module as any reader
# would. `python3 rows.py FILE CLAIM [ARGUMENT...]`: exit status 0 if the claim holds,
# else the rows that break it are printed.
import csv
import fnmatch
import io
import math
import sys

# design: an append-only schema. A column more goes to the end, none leaves.
COLUMNS = (
    "schema,run_id,timestamp_utc,host,plugin,plugin_version,role,backend,device,driver,"
    "kind,op,dtype,n,block,vt,params,cache,phase,status,reason,verified,max_rel_error,"
    "samples,median_ns,ci_lo_ns,ci_hi_ns,min_ns,q1_ns,q3_ns,max_ns,mad_ns,mean_ns,stddev_ns,outliers,"
    "elems_per_s,bytes_per_s,pct_copy,speedup,binding,clock_mhz,flags,stop_reason,seed,"
    "rounds,speedup_lo,speedup_hi,pct_copy_lo,pct_copy_hi,"
    "cpu_mhz,load,steal_pct,involuntary_switches,page_faults,gpu_temperature_c,gpu_throttle,gpu_processes,"
    "parts,layout,kinds,in_place,group_id,rounds_ns,spins_ns,rows,inner,max_ulps,result"
).split(",")
STATUSES = "ok skipped unavailable unsupported wrong crashed timeout error".split()
LISTS = {"rounds_ns", "spins_ns"}
WORDS = {"gpu_throttle", "parts", "layout", "kinds", "in_place", "group_id", "rows", "inner", "max_ulps", "result"} | LISTS  # behind "rounds", and no measured numbers
MEASURED = [
    column
    for column in COLUMNS[COLUMNS.index("samples"):COLUMNS.index("speedup") + 1] + COLUMNS[COLUMNS.index("rounds"):]
    if column not in WORDS
]
MAY_BE_ZERO = {"mad_ns", "stddev_ns", "outliers", "load", "steal_pct", "involuntary_switches", "page_faults"}
MAY_BE_ZERO |= {"gpu_temperature_c", "gpu_processes"}
CONFIGURATION = "plugin device kind op dtype n block vt params cache kinds seed rows inner result".split()


def text_of(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8")


def rows_of(path):
    """All but those of the calibrators, which are no plugins."""
    rows = csv.DictReader(io.StringIO(text_of(path), newline=""))
    return [row for row in rows if row.get("role") != "calibrator"]


def configuration_of(row):
    return tuple(row[column] for column in CONFIGURATION)


def clean(path):
    """UTF-8, LF, the header of the schema, as many fields in each row."""
    text = text_of(path)
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    problems = []
    if "\r" in text or not text.endswith("\n"):
        problems.append("line ends are not LF")
    if lines[0] != COLUMNS:
        problems.append(f"header: {lines[0]}")
    problems += [f"{len(line)} fields: {line}" for line in lines if len(line) != len(COLUMNS)]
    return problems


def number_problem(row, column):
    text = row[column]
    try:
        value = float(text)
    except ValueError:
        return f"{column} is no number: {text!r}"
    if not math.isfinite(value) or value < 0 or (value == 0 and column not in MAY_BE_ZERO):
        return f"{column} is {text}"
    return None


def numbers(path):
    """Numbers are positive and finite where measured, and empty elsewhere."""
    problems = []
    for row in rows_of(path):
        found = []
        if row["status"] not in STATUSES:
            found.append(f"status {row['status']!r}")
        if row["status"] != "ok":
            found += [f"{column} = {row[column]}" for column in [*MEASURED, *LISTS] if row[column]]
            found += [] if row["reason"] else ["no reason"]
        else:
            found += [number_problem(row, column) for column in MEASURED if row[column]]
            found += ["no median"] if not row["median_ns"] or not row["samples"] else []
            if row["role"] in ("algorithm", "baseline", "peer") and row["verified"] != "1":
                found.append("ok without verified=1")
            errors = [row["max_rel_error"], row["max_ulps"]]
            if row["dtype"][0] == "f" and row["role"] != "ceiling" and not all(errors):
                found.append("floats without their error")
            if row["dtype"][0] != "f" and any(errors):
                found.append("integers with an error")
        problems += [f"{configuration_of(row)} {row['phase']}: {one}" for one in found if one]
    return problems


def once(path):
    """No configuration and phase twice."""
    seen = set()
    problems = []
    for row in rows_of(path):
        key = configuration_of(row) + (row["phase"],)
        if key in seen:
            problems.append(f"twice: {key}")
        seen.add(key)
    return problems


def count(path, wanted, *conditions):
    """That many rows hold all of the conditions column=value, in which * is any text."""
    found = 0
    for row in rows_of(path):
        found += all(
            fnmatch.fnmatchcase(row[column], value)
            for column, value in (condition.split("=", 1) for condition in conditions)
        )
    return [] if found == int(wanted) else [f"{found} rows, expected {wanted}: {conditions}"]


def bytes_of(dtype):
    """u32x2: two components of 32 bits."""
    bits, _, components = dtype[1:].partition("x")
    return int(bits) // 8 * int(components or 1)


def rates_problems(row):
    """Rates follow from the median."""
    median, n = float(row["median_ns"]), int(row["n"])
    expected = {"elems_per_s": n / median * 1e9, "bytes_per_s": 2 * n * bytes_of(row["dtype"]) / median * 1e9}
    return [
        f"{column}: {row[column]!r}, expected {value}"
        for column, value in expected.items()
        if not row[column] or abs(float(row[column]) / value - 1) > 1e-6
    ]


def interval_problems(row, column, lo, hi):
    """The number is there and lies in its interval, which is there from six rounds on: for a ratio,
    from six that both plugins took part in."""
    if not row[column]:
        return [f"no {column}"]
    absent = not row[lo] and not row[hi]
    if absent and (int(row["rounds"]) < 6 or column != "median_ns"):
        return []
    if not row[lo] or not row[hi] or not float(row[lo]) <= float(row[column]) <= float(row[hi]):
        return [f"{column}: {row[lo]!r} <= {row[column]!r} <= {row[hi]!r}"]
    return []


def scored(path):
    """Rates follow from the median; the median and the ratios lie in their intervals."""
    problems = []
    for row in rows_of(path):
        if row["phase"] != "run" or row["status"] != "ok":
            continue
        found = rates_problems(row) + interval_problems(row, "median_ns", "ci_lo_ns", "ci_hi_ns")
        if row["role"] in ("baseline", "ceiling"):
            found += interval_problems(row, "pct_copy", "pct_copy_lo", "pct_copy_hi")
        if row["role"] != "ceiling":
            found += interval_problems(row, "speedup", "speedup_lo", "speedup_hi")
        if row["plugin"] == "cpu_serial" and float(row["speedup"] or 0) != 1:
            found.append(f"speedup of the baseline: {row['speedup']}")
        problems += [f"{configuration_of(row)} {one}" for one in found]
    for column in ("speedup_lo", "pct_copy_hi"):
        if not any(row[column] for row in rows_of(path)):
            problems.append(f"no row has {column}")
    return problems


def rounds(path):
    """What --samples keeps: an order that changes from round to round, the same for a seed.

    Prints the plugins of each round, a line a round."""
    orders = {}
    for row in rows_of(path):
        order = orders.setdefault((row["dtype"], row["n"], int(row["round"])), [])
        if row["phase"] == "run" and row["plugin"] not in order:
            order.append(row["plugin"])
    for (dtype, n, _), order in orders.items():
        print(dtype, n, *order)
    sets = {tuple(sorted(order)) for order in orders.values()}
    return [] if len({tuple(order) for order in orders.values()}) > len(sets) else ["the order never changes"]


def main():
    name, *arguments = sys.argv[2:]
    problems = {"clean": clean, "numbers": numbers, "once": once, "count": count, "scored": scored, "rounds": rounds}[
        name
    ](sys.argv[1], *arguments)
    print("\n".join(problems[:20]))
    return 1 if problems else 0


sys.exit(main())
