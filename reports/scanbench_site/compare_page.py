"""machines.html: what each device reaches, and the same problems on several of them."""

from __future__ import annotations

import collections
from html import escape
from typing import Optional, Sequence

from scanbench_results.rows import Row
from scanbench_results.words import digits_text, time_text

from .chart import Line, chart
from .machines import Answer
from .markup import Column, code, columns, folded, link, page, section, table
from .says import (
    gigabytes,
    has_bandwidth,
    of_copy,
    plugin_cell,
    plugin_link,
    scan_text,
    shape_text,
    size_text,
)

PATH = "machines.html"
_SERIES = 8  # colours of page.css
_NOTE = "Ratios are those of the medians: different machines are measured in different runs, so there are no intervals."


def _problem_text(answer: Answer) -> str:
    words = f"{scan_text(answer)}, {answer.workload.types}, {shape_text(answer)}"
    return words if answer.is_resident else words + ", data in host memory"


def _by_device(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = collections.defaultdict(list)
    for answer in answers:
        found[answer.device].append(answer)
    return dict(sorted(found.items(), key=lambda pair: not pair[1][0].on_device))


def _swiftest(rows: Sequence[Optional[Row]]) -> Optional[Row]:
    known: list[Row] = [row for row in rows if row and has_bandwidth(row)]
    return max(known, key=lambda row: row.bytes_per_s) if known else None


def _reach_cells(device: str, answers: Sequence[Answer]) -> list[str]:
    copy = _swiftest([a.problem.ceiling for a in answers])
    scan = _swiftest([a.best.row for a in answers])
    least = min(answers, key=lambda a: a.best.row.median_ns).best.row
    return [
        escape(device),
        gigabytes(copy) if copy else "",
        gigabytes(scan) if scan else "",
        of_copy(scan) if scan else "",
        (plugin_cell(scan, "") + f", {escape(size_text(scan))} {scan.types}") if scan else "",
        time_text(least.median_ns),
        plugin_cell(least, "") + f", {escape(size_text(least))} {least.types}",
        link(answers[0].machine.path, escape(answers[0].machine.name)),
    ]


def _reach(devices: dict[str, list[Answer]]) -> str:
    heads = columns("device, copy GB/s#, scan GB/s#, % of copy#, by, shortest time#, of, machine")
    return table(
        "The highest bandwidth of a copy and of a scan on each device, and the shortest time of any scan, data already "
        "there. Bytes are those that a scan has to read and to write. % of copy compares that scan with the copy of the "
        "same bytes, not with the highest.",
        heads,
        [_reach_cells(device, answers) for device, answers in devices.items()],
    )


def _lines(devices: dict[str, list[Answer]]) -> list[Line]:
    """Of each device the fastest 32-bit exclusive sum against the elements, of all rows together."""
    found = []
    whole = {device: answers for device, answers in devices.items() if not answers[0].is_part}
    for i, (device, answers) in enumerate(whole.items()):
        rows = [
            a.best.row
            for a in answers
            if (scan_text(a), a.workload.types) == ("exclusive sum", "i32")
        ]
        rows = [row for row in rows if row.elements > 0 and has_bandwidth(row)]
        best: dict[int, Row] = {}
        for row in sorted(rows, key=lambda row: row.bytes_per_s):
            best[row.elements] = row
        points = [
            (
                float(of),
                row.bytes_per_s / 1e9,
                f"{device}, {size_text(row)}: {gigabytes(row)} GB/s, {row.plugin}",
            )
            for of, row in sorted(best.items())
        ]
        found.append(Line(device, f"series-{i % _SERIES + 1}", points))
    return found


# ---- the same problem on several devices ---------------------------------------------------------


def _cell(answer: Optional[Answer], least: float) -> str:
    if answer is None:
        return ""
    row = answer.best.row
    over = f"{digits_text(row.median_ns / least)}×"
    return f'<b>{time_text(row.median_ns)}</b> {over}<span class="why">{plugin_link(row.plugin, "")}</span>'


def _common(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Those of one question on several devices, in their order."""
    groups: dict[object, list[Answer]] = collections.defaultdict(list)
    for answer in answers:
        groups[answer.question].append(answer)
    return [group for group in groups.values() if len(group) > 1]


def _matrix(groups: Sequence[list[Answer]], devices: Sequence[str], caption: str) -> str:
    rows = []
    for group in groups:
        of = {answer.device: answer for answer in group}
        least = min(answer.best.row.median_ns for answer in group)
        rows.append(
            [size_text(group[0].best.row), *(_cell(of.get(device), least) for device in devices)]
        )
    return table(caption, [Column("n"), *map(Column, devices)], rows)


def _plugins(group: Sequence[Answer]) -> str:
    """Each plugin that several devices have, at one size."""
    times: dict[str, dict[str, Row]] = collections.defaultdict(dict)
    for answer in group:
        for entry in answer.problem.entries:
            times[entry.row.plugin].setdefault(answer.device, entry.row)
    devices = [answer.device for answer in group]
    rows = []
    for plugin, of in times.items():
        if len(of) > 1:
            least = min(row.median_ns for row in of.values())
            cells = [
                f"{time_text(of[d].median_ns)} {digits_text(of[d].median_ns / least)}×"
                if d in of
                else ""
                for d in devices
            ]
            rows.append([plugin_link(plugin, ""), *cells])
    heads = [Column("plugin"), *(Column(device, True) for device in devices)]
    return (
        table(f"{escape(_problem_text(group[0]))}, n = {size_text(group[0].best.row)}", heads, rows)
        if rows
        else ""
    )


def _against(name: str, title: str, answers: Sequence[Answer], are_unlike: bool = False) -> str:
    """A section. `are_unlike`: a GPU and a processor are among those of each problem."""
    groups, order = _common(answers), list(_by_device(answers))
    groups = [group for group in groups if not are_unlike or len({a.on_device for a in group}) > 1]
    by_problem: dict[str, list[list[Answer]]] = collections.defaultdict(list)
    for group in groups:
        by_problem[_problem_text(group[0])].append(group)
    body = "".join(
        _matrix(
            of,
            [d for d in order if any(a.device == d for group in of for a in group)],
            escape(problem),
        )
        for problem, of in by_problem.items()
    )
    tables = list(filter(None, map(_plugins, groups)))
    body += folded(f"Plugin by plugin ({len(tables)} problems)", "".join(tables)) if tables else ""
    if not body:
        body = '<p class="note">No problem was measured on two of them.</p>\n'
    return section(name, title, body)


def compare_page(answers: Sequence[Answer]) -> str:
    resident = [answer for answer in answers if answer.is_resident]
    devices = _by_device(resident)
    picture = chart(
        _lines(devices),
        "elements",
        "GB/s",
        "Bandwidth of the fastest exclusive sum of i32 against the elements, by device",
    )
    lead = f"<p>What a GPU gains over another, and over a processor, where the same was measured on both. {_NOTE}</p>"
    gpus = [a for a in resident if a.on_device]
    processors = [a for a in resident if not a.on_device]
    curves = f"<p>Bandwidth of the fastest exclusive sum of {code('i32')}, of all rows together; both axes logarithmic.</p>\n"
    body = (
        section("reach", "What each device reaches", _reach(devices))
        + section("curves", "The fastest scan on each", curves + picture)
        + _against("gpus", "GPU against GPU", gpus)
        + _against("processors", "Processor against processor", processors)
        + _against("both", "GPU against processor", [a for a in resident if not a.is_part], True)
    )
    return page(PATH, "GPU against GPU", lead, body)
