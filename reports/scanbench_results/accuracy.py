"""Speed against accuracy: what a plugin's sums of floats are off, and what it costs to be nearer."""

from __future__ import annotations

import math
from typing import List, Sequence

from . import words
from .layout import Column, Layout, Table, numbers, plugin_name
from .report import Entry, Problem, Report
from .rows import Row
from .text import number_text

MEANING = (
    "max ulps is the largest error of an output in units of the last place of the exact sum: one "
    "rounding makes 0.5 at most, 2^k costs the last k bits"
)


def make_accuracy(report: Report, problem: Problem) -> List[Row]:
    """The runs of a problem of float sums whose error is known: of each plugin the fastest, and the
    fastest for each value of its tunable `accurate`; in the order of their times. Empty for other
    problems."""
    if report.workloads[problem.workload].op != "sum":
        return []
    rows = [
        row
        for entry in problem.entries
        for row in _one_for_each_promise(entry)
        if not math.isnan(row.max_ulps)
    ]
    return sorted(rows, key=lambda row: row.median_ns)


def _one_for_each_promise(entry: Entry) -> List[Row]:
    """The settings are sorted by their times."""
    fastest = {entry.row.settings.get("accurate"): entry.row}
    for setting in entry.settings:
        fastest.setdefault(setting.row.settings.get("accurate"), setting.row)
    return list(fastest.values())


def put_accuracy(report: Report, problems: Sequence[Problem], layout: Layout) -> None:
    """A table of the largest size at which errors are known; nothing if there is none."""
    known = [(p, rows) for p in problems for rows in [make_accuracy(report, p)] if rows]
    if not known:
        return
    problem, rows = known[-1]
    texts = [Column("plugin", name=True), Column("setting")]
    table = Table([*texts, *numbers("time", "% copy", "max ulps")], give=("setting",))
    for row in rows:
        table.add(
            plugin_name(row),
            report.short_setting(row),
            words.time_text(row.median_ns),
            words.digits_text(row.pct_copy) if row.pct_copy > 0 else "",
            words.digits_text(row.max_ulps),
        )
    layout.line()
    of_rows = f", {number_text(problem.rows)} rows" if problem.rows > 1 else ""
    layout.heading(2, f"Speed against accuracy at n = {number_text(problem.n)}{of_rows}")
    layout.table(table)
    if layout.markdown:
        layout.line()
    layout.wrap(MEANING)
