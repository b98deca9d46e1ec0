"""The times of plugins against n, on logarithmic axes, drawn with characters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, List, Sequence, Tuple

from .layout import Layout
from .report import Problem
from .text import number_text
from .words import plugin_text, time_text

MARKS = "abcdefghijklmnopqrstuvwxyz"
COPY = "-"

ROWS = 16
LABEL = 8
"""Columns before the vertical axis."""

LEAST_WIDTH = 30
WIDEST = 200


def _rounded(value: float) -> int:
    """To the nearest whole number, halves away from 0."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


@dataclass(frozen=True)
class _Axis:
    """A logarithmic axis of so many cells."""

    lo: float  # logarithms
    hi: float
    cells: int

    def at(self, value: float) -> float:
        """The cell of a value, from 0."""
        if self.hi <= self.lo:
            return 0.0
        return (math.log(value) - self.lo) / (self.hi - self.lo) * (self.cells - 1)


def _axis(values: Sequence[float], cells: int) -> _Axis:
    return _Axis(math.log(min(values)), math.log(max(values)), cells)


def _label(y: _Axis, row: int) -> str:
    """The power of ten that is nearer to this row than to the others, if there is one."""
    if y.hi <= y.lo:
        return time_text(math.exp(y.lo)) if row == ROWS - 1 else ""
    step = (y.hi - y.lo) / (ROWS - 1)
    middle = y.lo + step * (ROWS - 1 - row)
    power = _rounded(middle / math.log(10))
    return time_text(10.0**power) if abs(middle - power * math.log(10)) <= step / 2 else ""


def _x_labels(x: _Axis) -> str:
    line = ""
    first, last = math.ceil(x.lo / math.log(10) - 1e-9), math.floor(x.hi / math.log(10) + 1e-9)
    for exponent in range(first, last + 1):
        text = number_text(10**exponent)
        begin = max(_rounded(x.at(10.0**exponent)) - len(text) // 2, 0)
        begin = min(begin, x.cells - len(text))
        if begin >= len(line):
            line = line.ljust(begin) + text + " "
    return line


_Lines = Dict[str, List[Tuple[float, float]]]
"""Points by the mark of their line, x ascending; both above 0."""


def _grid(lines: _Lines, x: _Axis, y: _Axis) -> List[List[str]]:
    cells = [[" "] * x.cells for _ in range(ROWS)]

    def put(column: int, height: float, mark: str) -> None:
        row = cells[ROWS - 1 - _rounded(height)]
        if row[column] == " " or (row[column] in ".-" and mark != "."):
            row[column] = mark

    for mark, points in lines.items():
        for point in points:
            put(_rounded(x.at(point[0])), y.at(point[1]), mark)
    # What joins points is behind all points.
    for mark, points in lines.items():
        for (a_x, a_y), (b_x, b_y) in zip(points, points[1:]):
            first, last = _rounded(x.at(a_x)), _rounded(x.at(b_x))
            for column in range(first + 1, last):
                rise = (y.at(b_y) - y.at(a_y)) * (column - first) / (last - first)
                put(column, y.at(a_y) + rise, mark if mark == COPY else ".")
    return cells


def _draw(lines: _Lines, layout: Layout) -> None:
    """Draws the lines; nothing where the x are all alike or the terminal is too narrow. Where lines
    meet, the one that comes first is seen."""
    points = [point for of in lines.values() for point in of]
    if not points or layout.width < LEAST_WIDTH:
        return
    x = _axis([p[0] for p in points], min(layout.width, WIDEST) - LABEL - 3)
    y = _axis([p[1] for p in points], ROWS)
    if x.hi <= x.lo:
        return
    for i, row in enumerate(_grid(lines, x, y)):
        layout.line(f"{_label(y, i):>{LABEL}} |{''.join(row).rstrip(' ')}")
    layout.line(f"{'n':>{LABEL}}  {_x_labels(x).rstrip()}")


def put_time_plot(problems: Sequence[Problem], layout: Layout) -> None:
    """The times of all plugins of one device at several sizes, and of the fastest copy. The fastest at
    the largest size is "a"."""
    marks: Dict[Tuple[str, str], str] = {}  # of plugin and device
    legend: List[str] = []
    lines: _Lines = {mark: [] for mark in MARKS + COPY}
    for problem in reversed(problems):
        for row in (entry.row for entry in problem.entries):
            line = (row.plugin, row.device)
            if line not in marks and len(marks) < len(MARKS):
                marks[line] = MARKS[len(marks)]
                legend.append(f"{marks[line]}={plugin_text(row)}")
            if line in marks and row.n > 0:
                lines[marks[line]].append((row.n, row.median_ns))
        if problem.ceiling and problem.n > 0:
            lines[COPY].append((problem.n, problem.ceiling.median_ns))
    for points in lines.values():
        points.sort(key=lambda point: point[0])
    _draw(lines, layout)
    if any(lines.values()):
        layout.wrap(" ".join(legend + [f"{COPY}=copy"] * bool(lines[COPY])))
    layout.line()
