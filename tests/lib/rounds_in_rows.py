# What the rounds of a CSV must hold: `python3 rounds_in_rows.py CLAIM ROWS SAMPLES TABLE`: exit status
# 0 if the claim holds, else what breaks it is printed. The rule of intervals is written again here.
import csv
import math
import sys
from collections import defaultdict

KEY = "run_id plugin kind op dtype n block vt params cache kinds phase".split()
SPREAD = 5
FLOOR = 0.005


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def times(cell):
    return [math.nan if one == "-" else float(one) for one in cell.split()]


def median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def interval(values):
    """(median, lo, hi) with NaN for the limits below six values; None without values."""
    known = sorted(v for v in values if not math.isnan(v))
    n, rank, tail = len(known), 0, 0.0
    if n == 0:
        return None
    while True:
        tail += math.comb(n, rank) / 2**n
        if tail > 0.025:
            break
        rank += 1
    middle = median(known)
    if rank == 0:
        return middle, math.nan, math.nan
    lo, hi = min(known[rank - 1], middle * (1 - FLOOR)), max(known[-rank], middle * (1 + FLOOR))
    q1, q3 = known[(n - 1) // 4], known[n - 1 - (n - 1) // 4]
    if q3 - q1 > SPREAD * (hi - lo):
        lo, hi = min(lo, q1 * (1 - FLOOR)), max(hi, q3 * (1 + FLOOR))
    return middle, lo, hi


def ratio(over, under):
    return interval([a / b for a, b in zip(times(over["rounds_ns"]), times(under["rounds_ns"]))])


def near(got, wanted):
    return abs(got - wanted) <= 1e-8 * abs(wanted)


def samples(rows, found, _):
    """Each value is the median of the samples of its round; no round is missing."""
    by_row = defaultdict(lambda: defaultdict(list))
    for one in found:
        by_row[tuple(one[c] for c in KEY)][int(one["round"])].append(float(one["ns"]))
    bad = []
    for row in rows:
        if row["status"] != "ok" or row["role"] == "calibrator":
            continue
        if row["phase"] == "create":
            bad += [row] if row["rounds_ns"] or row["spins_ns"] else []
            continue
        rounds = by_row.pop(tuple(row[c] for c in KEY))
        values = times(row["rounds_ns"])
        wanted = [median(rounds[i]) if i in rounds else math.nan for i in range(max(rounds) + 1)]
        same = len(values) == len(wanted) and all(a != a and b != b or near(a, b) for a, b in zip(values, wanted))
        whole = interval(values)
        same = same and near(float(row["median_ns"]), whole[0]) and int(row["rounds"]) == len(rounds)
        same = same and (not row["ci_lo_ns"] or near(float(row["ci_lo_ns"]), whole[1]))
        spins = times(row["spins_ns"])
        same = same and len(spins) == len(values) and all(a != a or b > 0 for a, b in zip(values, spins))
        bad += [] if same else [(row["plugin"], row["n"], values, wanted, spins)]
    return bad + [key for key in by_row if key[KEY.index("phase")] != "create"]


def groups_of(rows):
    groups = defaultdict(list)
    for row in rows:
        if row["phase"] == "run" and row["status"] == "ok" and row["role"] != "calibrator":
            groups[row["run_id"], row["group_id"]].append(row)
    return groups


def differs(row, column, wanted, factor):
    """Is a ratio or an end of its interval another than `wanted`?"""
    cells = [row[column], row[column + "_lo"], row[column + "_hi"]]
    if not cells[1]:
        return []
    same = all(near(float(cell), factor * value) for cell, value in zip(cells, wanted))
    return [] if same else [(row["plugin"], row["n"], column, cells, wanted)]


def ratios(rows, *_):
    bad, seen = [], 0
    for members in groups_of(rows).values():
        for row in members:
            if row["op"]:
                same = [r for r in members if r["plugin"] == "cpu_serial" and r["cache"] == row["cache"]]
                bad += differs(row, "speedup", ratio(same[0], row), 1) if same[0] is not row else []
                copies = [r for r in members if r["role"] == "ceiling" and r["cache"] == row["cache"]]
                bad += differs(row, "pct_copy", ratio(copies[0], row), 100) if copies else []
                seen += bool(row["speedup_lo"]) + bool(row["pct_copy_lo"])
    return bad if seen > 4 else ["no ratios"]


def marks_of(table):
    """The mark of each plugin, by n, of a table of one problem."""
    marks, n = {}, None
    for line in open(table, encoding="utf-8"):
        if line.startswith("n = "):
            n = line[4:].strip().replace(",", "")
        elif n and line[:1] in "*=?^ " and line[2:3].isalpha() and len(line.split()) > 3:
            marks[n, line[2:].split()[0]] = line[0]
    return marks


def marks_wanted(rows):
    wanted = {}
    for members in groups_of(rows).values():
        ranked = sorted((r for r in members if r["op"]), key=lambda r: float(r["median_ns"]))
        slower = False
        for row in ranked:
            _, lo, hi = ratio(row, ranked[0])
            mark = "?" if math.isnan(lo) or hi < 1 else " " if lo > 1 else "="
            slower = slower or mark == " "
            wanted[row["n"], row["plugin"]] = "*" if row is ranked[0] else "?" if slower and mark == "=" else mark
    return wanted


def ties(rows, _, table):
    wanted, got = marks_wanted(rows), marks_of(table)
    return [(key, mark, got.get(key)) for key, mark in wanted.items() if got.get(key) != mark]


def unknown(rows, _, table):
    got = [mark for mark in marks_of(table).values() if mark in "=?* "]
    return [] if got.count("?") == len(got) - 1 > 0 else [got]


def alone(rows, _, table):
    """One configuration a group, so nothing is known of ratios, and there are no calibrators."""
    bad = [members for members in groups_of(rows).values() if len(members) != 1]
    bad += [row for row in rows if row["role"] == "calibrator" or (row["speedup_lo"] and row["plugin"] != "cpu_serial")]
    return bad + unknown(rows, None, table)


def gaps(rows, *_):
    values = [row["rounds_ns"].split() for row in rows if row["phase"] == "run" and row["plugin"] == "known_time"]
    return [] if values and any("-" in one for one in values) else values


def main():
    *claims, rows, found, table = sys.argv[1:]
    problems = []
    for name in claims:
        problems += globals()[name](read(rows), read(found), table)
    for one in problems[:10]:
        print(one)
    return 1 if problems else 0


sys.exit(main())
