"""The times of plugins against n, on logarithmic axes, drawn with characters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from .layout import Layout
from .report import Problem
from .text import number_text
from .words import plugin_text, time_text

LINES = 26
LIMIT = LINES
"""The line of the copy, drawn as "-"; the others are "a" to "z"."""

ROWS = 16
LABEL = 8
"""Columns before the vertical axis."""

LEAST_WIDTH = 30
WIDEST = 200


@dataclass(frozen=True)
class Point:
    line: int
    x: float  # above 0
    y: float


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


class _Grid:
    def __init__(self, x: _Axis, y: _Axis) -> None:
        self.x = x
        self.y = y
        self.cells = [[" "] * x.cells for _ in range(ROWS)]

    def put(self, column: int, height: float, mark: str) -> None:
        """Draws a mark where there is none; what joins points is behind all points."""
        row = self.cells[ROWS - 1 - _rounded(height)]
        if row[column] == " " or (row[column] in ".-" and mark != "."):
            row[column] = mark

    def join(self, a: Point, b: Point) -> None:
        """Joins two points of a line, without the points themselves."""
        first, last = _rounded(self.x.at(a.x)), _rounded(self.x.at(b.x))
        y, to_y = self.y.at(a.y), self.y.at(b.y)
        for column in range(first + 1, last):
            height = y + (to_y - y) * (column - first) / (last - first)
            self.put(column, height, "-" if b.line == LIMIT else ".")


def _tick(y: _Axis, row: int) -> Optional[float]:
    """The power of ten that is nearer to this row than to the others, if there is one."""
    if y.hi <= y.lo:
        return math.exp(y.lo) if row == ROWS - 1 else None
    step = (y.hi - y.lo) / (ROWS - 1)
    middle = y.lo + step * (ROWS - 1 - row)
    power = _rounded(middle / math.log(10))
    return 10.0 ** power if abs(middle - power * math.log(10)) <= step / 2 else None


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


def draw(points: Sequence[Point], layout: Layout) -> None:
    """Draws the points, those of one line joined; nothing where the x are all alike or the terminal is
    too narrow. Where lines meet, the one that comes first is seen."""
    if not points or layout.width < LEAST_WIDTH:
        return
    x = _axis([p.x for p in points], min(layout.width, WIDEST) - LABEL - 3)
    if x.hi <= x.lo:
        return
    grid = _Grid(x, _axis([p.y for p in points], ROWS))
    for point in points:
        mark = "-" if point.line == LIMIT else chr(ord("a") + point.line)
        grid.put(_rounded(x.at(point.x)), grid.y.at(point.y), mark)
    for a, b in zip(points, points[1:]):
        if a.line == b.line:
            grid.join(a, b)
    for i, row in enumerate(grid.cells):
        tick = _tick(grid.y, i)
        label = time_text(tick) if tick else ""
        layout.line(f"{label:>{LABEL}} |{''.join(row).rstrip(' ')}")
    layout.line(f"{'n':>{LABEL}}  {_x_labels(x).rstrip()}")


def put_time_plot(problems: Sequence[Problem], layout: Layout) -> None:
    """The times of all plugins of one device at several sizes, and of the fastest copy. The fastest at
    the largest size is "a"."""
    numbers: Dict[Tuple[str, str], int] = {}  # of plugin and device
    names: List[str] = []
    points: List[Point] = []
    for problem in reversed(problems):
        for row in (entry.row for entry in problem.entries):
            line = numbers.setdefault((row.plugin, row.device), len(numbers))
            if line == len(names) and line < LINES:
                names.append(plugin_text(row))
            if line < LINES and row.n > 0 and row.median_ns > 0:
                points.append(Point(line, row.n, row.median_ns))
    copies = [problem.ceiling for problem in problems if problem.ceiling]
    points += [
        Point(LIMIT, row.n, row.median_ns) for row in copies if row.n > 0 and row.median_ns > 0
    ]
    points.sort(key=lambda p: (p.line, p.x))
    draw(points, layout)
    if points:
        legend = [f"{chr(ord('a') + i)}={name}" for i, name in enumerate(names)]
        layout.wrap(" ".join(legend + (["-=copy"] if copies else [])))
    layout.line()
