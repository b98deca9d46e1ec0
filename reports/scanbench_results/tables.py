"""A report as tables, for a terminal or in Markdown."""

from __future__ import annotations

import itertools
import re
from typing import Dict, List, Optional, Sequence

from . import words
from .accuracy import put_accuracy
from .crossover import CrossoverLine, crossover_text, make_crossovers
from .layout import Column, Layout, Name, Table, numbers, plugin_name
from .machine import machine_name, short_name
from .plots import put_time_plot
from .report import Entry, Problem, Report, Standing, View, Workload
from .rows import Row, Use
from .scaling import Gain, ScalingPoint, Way, make_scaling, table_of
from .text import number_text

OF_THE_ROW = (
    "noisy spread above_copy device_exceeds_run device_below_run slow_copies bad_time unknown_phase "
    "coarse_clock".split()
)
"""Flags that cast doubt on the time of a row; the others are about the machine."""

SCALING = (
    "k parts against one, each plugin in its fastest setting: G/s are 10^9 elements per second; own "
    "is the speed-up over one part of the same plugin, best over the fastest scan in one part on that "
    "device (of a copy: the fastest copy). own %, best % and bound % are in percent of k. Where memory "
    "is the limit, the layout bounds them: 100 % for tiles dealt out in turn (cyclic), 2/3 for "
    "contiguous slices, which are read twice."
)


def rows_text(count: int) -> str:
    """ "1 row", "2 rows"."""
    return f"{count} row{'' if count == 1 else 's'}"


# --- who wins at each size


def _next_text(problem: Problem) -> str:
    """ "= a, b": those that are tied with the winner; else the next one."""
    if not problem.tied:
        return words.plugin_text(problem.entries[1].row) if len(problem.entries) > 1 else ""
    tied = [words.plugin_text(entry.row) for entry in problem.tied]
    return "= " + words.some_of(tied)


def _numbers(row: Row) -> List[str]:
    """Time, half width, GB/s, and percent of the copy."""
    return [
        words.time_text(row.median_ns),
        words.half_width_text(row),
        words.digits_text(row.bytes_per_s / 1e9) if row.bytes_per_s > 0 else "",
        words.digits_text(row.pct_copy) if row.pct_copy > 0 else "",
    ]


def _sizes(report: Report, problem: Problem) -> List[str]:
    """n, and the rows where they change with it."""
    changes = report.workloads[problem.workload].sweep.elements
    return [number_text(problem.n), number_text(problem.rows) if changes else ""]


def _put_winners(report: Report, problems: Sequence[Problem], layout: Layout) -> None:
    columns = [
        *numbers("n", "rows"),
        Column("winner", name=True),
        *numbers("time", "±", "GB/s", "% copy", "margin"),
        Column("next"),
    ]
    table = Table(columns, give=("GB/s", "±", "% copy", "margin"))
    for problem in problems:
        entries = problem.entries
        winner = plugin_name(entries[0].row) if entries else Name("copies alone", 0)
        cells = _numbers(entries[0].row) if entries else [""] * 4
        margin = words.margin_text(entries[1].over_winner) if len(entries) > 1 else ""
        table.add(*_sizes(report, problem), winner, *cells, margin, _next_text(problem))
    layout.table(table)


# --- all plugins at one size


def _behind_text(entry: Entry) -> str:
    if entry.standing is Standing.BEST:
        return "fastest"
    if entry.standing is Standing.SHORTEST:
        return "fastest?"
    if entry.standing is Standing.UNKNOWN and entry.over_winner.has_interval:
        return words.margin_text(entry.over_winner) + "?"
    equal = entry.standing is Standing.TIED and entry.over_winner.ratio >= 1
    return ("= " if equal else "") + words.margin_text(entry.over_winner)


def _put_ranking(report: Report, problem: Problem, layout: Layout) -> None:
    """All plugins at one size, behind the copies that they are held against."""
    texts = [Column("plugin", name=True), Column("role"), Column("setting")]
    columns = [*texts, *numbers("time", "±", "GB/s", "% copy", "speedup", "behind")]
    table = Table(columns, give=("speedup", "GB/s", "±", "setting", "role"))
    for place, entry in enumerate(problem.ceilings + problem.entries):
        row, is_copy = entry.row, place < len(problem.ceilings)
        table.add(
            plugin_name(row),
            "" if row.role == "algorithm" else row.role,
            report.short_setting(row),
            *_numbers(row),
            words.digits_text(row.speedup) if row.speedup > 0 else "",
            "" if is_copy else _behind_text(entry),
        )
    layout.table(table)


def _put_rankings(report: Report, problems: Sequence[Problem], layout: Layout) -> None:
    """In Markdown the largest size is shown, and the others on demand."""
    for problem in reversed(problems):
        n, rows = _sizes(report, problem)
        n += f", {rows} rows" if rows else ""
        folds = problem is not problems[-1]
        if folds:
            layout.line(f"\n<details><summary>All plugins at n = {n}</summary>\n")
        elif layout.markdown:
            layout.line(("\n" if len(problems) > 1 else "") + f"All plugins at n = {n}:\n")
        else:
            layout.wrap(f"n = {n}")
        _put_ranking(report, problem, layout)
        if folds:
            layout.line("\n</details>\n")


# --- a workload on one device


def _put_marks(problems: Sequence[Problem], ranked: bool, layout: Layout) -> None:
    """What the marks of the tables mean, as far as they are used."""
    entries = [e for problem in problems for e in problem.entries[: None if ranked else 2]]
    margins = [e.over_winner for e in entries if e.standing is Standing.UNKNOWN]
    doubts = [margin.doubt for margin in margins if not margin.has_interval]
    if any(problem.tied for problem in problems):
        layout.wrap("= cannot be told from the winner: the 95 % interval of the ratio holds 1")
    if doubts:
        why = f"{doubts[-1]}, so nobody can say whether it is certain"
        layout.wrap(f"? by the medians alone: {why}")
    if any(margin.has_interval for margin in margins):
        layout.wrap("? not known: its rounds are too noisy to tell it from the winner")
    copies = {id(entry.copy) for entry in entries if entry.copy and ranked}
    if copies - {id(problem.ceiling) for problem in problems}:
        layout.wrap("% copy: of the fastest copy by the same backend with at most as many threads")


def _put_settings(report: Report, problems: Sequence[Problem], layout: Layout) -> None:
    """The best settings, where a plugin was measured with several."""
    texts = [Column("plugin", name=True), Column("best setting"), Column("tied with it")]
    table = Table([*numbers("n", "rows"), *texts])
    for problem in problems:
        for e in (e for e in problem.entries if len(e.settings) > 1):
            setting = report.short_setting(e.row)
            sizes = _sizes(report, problem)
            table.add(*sizes, plugin_name(e.row), setting, words.ties_text(e))
    if table.rows:
        layout.line()
    layout.table(table)
    if any(row[-1].text.startswith("?") for row in table.rows):
        layout.wrap("? not known: not all settings have an interval that is narrow enough to tell")


def _put_problems(report: Report, problems: Sequence[Problem], layout: Layout) -> None:
    """Problems that have all but n in common."""
    first = problems[0]
    workload = words.workload_text(report.workloads[first.workload])
    layout.heading(1, f"{workload}, {words.place_text(first)}{report.label(first.file, ': ')}")
    if not layout.markdown:
        layout.line()
    resident = first.view is View.RESIDENT
    if len(problems) > 1 and resident and not layout.markdown:
        put_time_plot(problems, layout)
    if len(problems) > 1:
        _put_winners(report, problems, layout)
    ranked = len(problems) == 1 or layout.markdown
    if ranked:
        _put_rankings(report, problems, layout)
    _put_marks(problems, ranked, layout)
    if resident:
        _put_settings(report, problems, layout)
        put_accuracy(report, problems, layout)
    layout.line()


def _put_crossovers(report: Report, workload: Workload, layout: Layout) -> None:
    # Of a single size the tables of that size say it.
    lines = [line for line in make_crossovers(report, workload) if len(line.points) > 1]
    for file, of_file in itertools.groupby(lines, key=lambda line: line.row.file):
        baseline = report.files[file].info.baseline
        of_label = report.label(file, ", in ")
        layout.heading(2, f"From which size is it faster than {baseline}{of_label}?")
        _put_crossover_lines(list(of_file), layout)
        layout.line()


def _put_crossover_lines(lines: Sequence[CrossoverLine], layout: Layout) -> None:
    """A table of those that change sides; the others are folded by what is said of them."""
    table = Table([Column("plugin", name=True), Column("copies"), Column("faster")])
    folded: Dict[str, List[str]] = {}
    for line in lines:
        row, text, with_copies = line.row, crossover_text(line), line.row.phase == "e2e"
        if line.crossings:
            table.add(plugin_name(row), "included" if with_copies else "", text)
        else:
            text += ", copies included" if with_copies else ""
            folded.setdefault(text, []).append(words.plugin_text(row))
    layout.table(table)
    if layout.markdown and table.rows and folded:
        layout.line()
    for text, plugins in folded.items():
        layout.wrap(f"{text}: {', '.join(plugins)}")
    if any("?" in text for text in [*folded, *(row[-1].text for row in table.rows)]):
        layout.wrap("? by the medians alone: not all ratios have an interval")


# --- scaling


def _gain_cells(gain: Optional[Gain]) -> List[str]:
    if not gain:
        return ["", ""]
    return [words.digits_text(gain.speedup.ratio), words.digits_text(100 * gain.efficiency)]


def _scaling_heading(point: ScalingPoint) -> str:
    """ "Strong scaling (the same n), exclusive i32 sum, NVIDIA H200"."""
    row = point.row
    strong = point.way is Way.STRONG
    way = "Strong scaling (the same n)" if strong else "Weak scaling (the same n in each part)"
    return f"{way}, {words.problem_text(row, row.kinds)}, {words.device_text(row)}"


def _put_scaling_table(report: Report, points: Sequence[ScalingPoint], layout: Layout) -> None:
    gains = numbers("own", "own %", "best", "best %", "bound %")
    columns = [Column("plugin", name=True), *numbers("n", "k", "time", "G/s"), *gains]
    columns += [Column("file"), Column("setting")]
    table = Table(columns, give=("setting", "file", "G/s", "k"))
    for point in points:
        row, cells = point.row, _gain_cells(point.own) + _gain_cells(point.best)
        table.add(
            plugin_name(row),
            number_text(row.n),
            str(point.parts),
            words.time_text(row.median_ns),
            words.digits_text(point.elements_per_s / 1e9),
            *cells,
            words.digits_text(100 * point.bound / point.parts) if point.bound > 0 else "",
            report.label(row.file),
            report.short_setting(row),
        )
    layout.heading(2, _scaling_heading(points[0]))
    layout.table(table)
    if layout.markdown:
        layout.line()
    ratios = [gain.speedup for point in points for gain in (point.own, point.best) if gain]
    for doubt in dict.fromkeys(speedup.doubt for speedup in ratios if speedup.doubt):
        layout.wrap(f"speed-ups without a 95 % interval: {doubt}")
    layout.line()


def _put_scaling(report: Report, layout: Layout) -> None:
    tables = [list(points) for _, points in itertools.groupby(make_scaling(report), table_of)]
    if tables:
        layout.heading(1, "Scaling")
        layout.paragraph("", SCALING)
        if not layout.markdown:
            layout.line()
    for points in tables:
        _put_scaling_table(report, points, layout)


# --- the report


def _count_rows(report: Report, file: int) -> int:
    """The rows of a file, but those of the harness's own scan and copy."""
    return sum(not row.is_calibrator for row in report.files[file].rows)


def _disturbances(report: Report, file: int) -> str:
    """What disturbed the run: flags, how many rows have them, and the load of the machine."""
    rows, info = report.files[file].rows, report.files[file].info
    flags = [
        f for f in report.flags if f.file == file and f.is_disturbed and f.word not in OF_THE_ROW
    ]
    count = _count_rows(report, file)
    texts = [f"{flag.means} ({flag.word}) in {len(flag.rows)} of {count} rows" for flag in flags]
    loads = sorted(row.load for row in rows if row.load >= 0)
    units = re.search(r"(\d+) processing units", info.topology)
    if loads and any(flag.word == "busy" for flag in flags):
        ends = dict.fromkeys(f"{load:.3g}" for load in (loads[0], loads[-1]))
        on = f" on {units[1]} processing units" if units else ""
        texts.append(f"the load was {' to '.join(ends)}{on}")
    return "; ".join(texts)


def _put_file(report: Report, number: int, layout: Layout) -> None:
    file = report.files[number]
    info, rows = file.info, file.rows
    layout.heading(1, file.label)
    disturbed = _disturbances(report, number)
    if disturbed:
        layout.wrap(f"disturbed: {disturbed}")
    name = machine_name(file)
    if name:
        has_processor = not info.cpu or short_name(info.cpu) in name
        layout.wrap(f"machine {name}" + ("" if has_processor else f"; {info.cpu}"))
    if rows and rows[0].timestamp_utc:
        layout.wrap(f"measured {rows[0].timestamp_utc}")
    for device, driver in dict.fromkeys((p.device, p.driver) for p in info.plugins if p.driver):
        layout.wrap(f"{device}: {driver}")
    if info.system:
        layout.wrap(info.system)
    if info.known:
        layout.wrap(f"scanbench {info.scanbench} ({info.git_revision})")
    if info.command:
        layout.command(info.command)
    for warning in info.warnings:
        layout.wrap(f"warning: {warning}")
    if not rows:
        layout.wrap("no rows")
    elif not file.has_rounds:
        layout.wrap("no values of rounds: ratios are estimated from intervals")
    if not info.known:
        layout.wrap(f"no metadata beside it: {file.path}-metadata.json")
    layout.line()


def _put_list(title: str, lines: Sequence[str], layout: Layout) -> None:
    """The lines below their title; nothing if there are none."""
    if lines:
        layout.heading(1, title)
        for line in lines:
            layout.wrap(line)
        layout.line()


def _missing(report: Report) -> List[str]:
    lines = []
    for m in report.missing:
        label, reason = report.label(m.file, suffix=": "), f": {m.reason}" if m.reason else ""
        plugins = words.plugins_text(m.rows)
        lines.append(f"{label}{plugins}: {m.status}{reason} ({rows_text(len(m.rows))})")
    others = ((use, len(report.rows_of(use))) for use in (Use.INCOMPLETE, Use.REPEATED))
    return lines + [f"{use.value}: {rows_text(count)}" for use, count in others if count > 0]


def _constant(report: Report) -> List[str]:
    """Settings that the tables leave out, as no other value was measured."""
    of: Dict[str, List[Row]] = {}
    for row in report.runs:
        for setting in report.constant_settings(row):
            of.setdefault(setting, []).append(row)
    return [f"{setting}: {words.plugins_text(rows)}" for setting, rows in sorted(of.items())]


def _flags(report: Report) -> List[str]:
    lines = []
    totals = [_count_rows(report, file) for file in range(len(report.files))]
    for flag in report.flags:
        label = report.label(flag.file, suffix=": ")
        means = f", {flag.means}" if flag.means else ""
        count = f"{len(flag.rows)} of {totals[flag.file]} rows"
        lines.append(f"{label}{flag.word}{means}: {count}, of {words.plugins_text(flag.rows)}")
    return lines


def put_report(report: Report, layout: Layout) -> None:
    """The whole report."""
    for number in range(len(report.files)):
        _put_file(report, number, layout)
    for workload in report.workloads:
        same_place = itertools.groupby(
            workload.problems, key=lambda p: (p.file, p.view, p.in_place, p.place)
        )
        for _, problems in same_place:
            _put_problems(report, list(problems), layout)
        _put_crossovers(report, workload, layout)
    _put_scaling(report, layout)
    _put_list("Not measured", _missing(report), layout)
    same = "Settings that are the same in all rows of a plugin"
    _put_list(same, _constant(report), layout)
    _put_list("Flags", _flags(report), layout)
