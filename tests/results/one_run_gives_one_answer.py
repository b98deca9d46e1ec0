"""The claims of one_run_gives_one_answer.t; see there."""

import json
import os
import subprocess
import sys
import tempfile
from typing import Dict, List, Tuple

from scanbench_results import Row, ratio_of, read, run_info
from scanbench_results.page import page_data
from scanbench_results.report import Problem, Report, Standing, View, make_report
from tap import claim, plan

# Some settings of each take as long as others, at sizes of some ns and some µs: ties, and times apart.
SWEEP = "--plugins cpu_serial,cpu_simd,cpu_chained,cpu_memcpy --set threads=1,2 --sizes 1e3,3e4,1e5"
Marks = Dict[Tuple[int, str], str]


def measured(scanbench: str, path: str) -> str:
    """The closing table of a short run."""
    environment = {k: v for k, v in os.environ.items() if k != "SCANBENCH_PLUGIN_PATH"}
    command = [scanbench, "run", *SWEEP.split(), "--time-limit", "0.05", "--csv", path]
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return ran.stdout


def marks_of_table(text: str) -> Marks:
    """The mark before each plugin at each n: * fastest, = tied, ? not known, blank: slower."""
    marks: Marks = {}
    n = 0
    for line in text.splitlines():
        if line.startswith("n = "):
            n = int(line[4:].replace(",", ""))
        elif not line:
            n = 0
        elif n and line[1:2] == " " and line[0] in "*=? ":
            marks[n, line[2:].split()[0]] = line[0]
    return marks


def problems_of(report: Report) -> List[Problem]:
    return [p for w in report.workloads for p in w.problems if p.view is View.RESIDENT]


def marks_of_report(report: Report) -> Marks:
    marks = {Standing.TIED: "=", Standing.UNKNOWN: "?", Standing.BEHIND: " "}
    return {
        (p.n, entry.row.plugin): marks[entry.standing] if place else "*"
        for p in problems_of(report)
        for place, entry in enumerate(p.entries)
    }


def tied_on_page(report: Report) -> Marks:
    """Those that the page calls tied."""
    data = json.loads(page_data(report, [], "", ""))
    rows = [row for file in report.files for row in file.rows]
    winners = [w for w in data["winners"] if w["view"] == "resident"]
    return {(w["n"], rows[row].plugin): "=" for w in winners for row in w["tied"]}


def is_near(value: float, expected: float) -> bool:
    return abs(value - expected) <= 1e-6 * expected


def speedup_is_that_of_rounds(row: Row, baseline: Row) -> bool:
    """Is the interval in the CSV that of the values of the rounds?"""
    ratio = ratio_of(baseline, row)
    if not ratio.has_interval:
        return not row.speedup_lo > 0
    found = (ratio.ratio, ratio.lo, ratio.hi)
    return all(map(is_near, (row.speedup, row.speedup_lo, row.speedup_hi), found))


plan(4)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.csv")
    table = marks_of_table(measured(sys.argv[1], path))
    report = make_report([read(path)], [run_info.read(path)])
marks = marks_of_report(report)
claim("there are three plugins at each of three sizes", len(marks) == 9, marks)
claim("the report marks them as the closing table does", marks == table, marks, table)
tied = {key: mark for key, mark in marks.items() if mark == "="}
claim("so does the page", tied_on_page(report) == tied, tied_on_page(report), tied)
others = [
    (entry.row, baseline)
    for p in problems_of(report)
    for entry in p.entries
    for baseline in [report.baselines.get((p.file, p.workload, p.n))]
    if baseline and entry.row is not baseline
]
wrong = [row for row, baseline in others if not speedup_is_that_of_rounds(row, baseline)]
claim("the speedups are those of the rounds", len(others) == 6 and not wrong, wrong)
