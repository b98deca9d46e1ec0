"""Between which sizes does one plugin begin to be faster than another?"""

from __future__ import annotations

import collections
import itertools
import math
from dataclasses import dataclass
from typing import Sequence

from .ratio import Ratio, ratio_of
from .report import Report, View, Workload
from .rows import Row
from .text import number_text
from .verdict import is_faster, is_slower
from .words import rough_text


STRETCHES_SHOWN = 3


@dataclass
class CrossoverPoint:
    n: int
    row: Row
    speedup: Ratio  # the other's time over its own: above 1 if it is faster

    @property
    def sign(self) -> int:
        """1 if it is faster, -1 if it is slower, as far as known; a tie is neither."""
        if self.speedup.has_interval:
            return is_slower(self.speedup) - is_faster(self.speedup)
        return (self.speedup.ratio > 1) - (self.speedup.ratio < 1)


@dataclass
class Crossover:
    """Where it changes sides: somewhere between two measured sizes."""

    start: int  # the last size on the one side; between it and `end` all are tied
    end: int  # the first size on the other
    near: float  # where the line between the two nearest points, both axes logarithmic, crosses 1
    gains: bool  # it becomes the faster one
    certain: bool  # by intervals; else by medians


@dataclass
class CrossoverLine:
    """A plugin against the baseline of its file, over n."""

    row: Row  # at the least size; of `run`, or of `e2e`: with its copies
    points: list[CrossoverPoint]  # ascending n
    crossings: list[Crossover]  # ascending n


def crossing_of(a: CrossoverPoint, b: CrossoverPoint) -> float:
    """Where the line between two points of a plot with logarithmic axes crosses 1, in elements."""
    x, y = math.log(a.n), math.log(a.speedup.ratio)
    to_x, to_y = math.log(b.n), math.log(b.speedup.ratio)
    return math.exp(x + (to_x - x) * y / (y - to_y))


def crossing_between(points: Sequence[CrossoverPoint]) -> Crossover:
    """The crossing between the first and the last point, with ties between them."""
    first, last = points[0], points[-1]
    near = math.sqrt(float(first.n) * float(last.n))
    for a, b in zip(points, points[1:]):
        if (a.speedup.ratio > 1) != (b.speedup.ratio > 1) and a.n > 0:
            near = crossing_of(a, b)
            break
    certain = first.speedup.has_interval and last.speedup.has_interval
    return Crossover(first.n, last.n, near, last.sign > 0, certain)


def find_crossings(points: Sequence[CrossoverPoint]) -> list[Crossover]:
    """Between those that are faster or slower, and not tied."""
    apart = [i for i, point in enumerate(points) if point.sign]
    return [
        crossing_between(points[i : j + 1])
        for i, j in zip(apart, apart[1:])
        if points[i].sign != points[j].sign
    ]


def make_crossovers(report: Report, workload: Workload) -> list[CrossoverLine]:
    """All lines of a workload against the baseline of their file: by file, plugin and phase."""
    lines: dict[tuple[object, ...], list[CrossoverPoint]] = collections.defaultdict(list)
    for problem in workload.problems:
        baseline = report.baselines.get((problem.file, problem.workload, problem.n))
        for row in (entry.row for entry in problem.entries):
            # A plugin on the host has no copies: its line would be that of its runs again.
            is_own = problem.view is View.RESIDENT or row.phase == "e2e"
            if baseline and row is not baseline and is_own:
                line = (row.file, row.plugin, row.backend, row.device, row.phase == "e2e")
                lines[line].append(CrossoverPoint(row.n, row, ratio_of(baseline, row)))
    found = (sorted(lines[line], key=lambda point: point.n) for line in sorted(lines))
    return [CrossoverLine(points[0].row, points, find_crossings(points)) for points in found]


def side_text(line: CrossoverLine) -> str:
    """Without a crossing: which side it is on at all sizes."""
    signs = [point.sign for point in line.points]
    doubt = "" if all(point.speedup.has_interval for point in line.points) else "?"
    sign = next((sign for sign in signs if sign), 0)
    if sign == 0:
        return "tied" + doubt
    if len(signs) == 1:
        where = "yes" if sign > 0 else "no"
    else:
        where = "at all sizes" if sign > 0 else "at no size"
    return where + (", or tied" if 0 in signs else "") + doubt


def stretches_text(crossings: Sequence[Crossover]) -> str:
    """Where it is faster, of several crossings: "about 2e3 to 5e5, from 3e6"."""
    places = [""] * (not crossings[0].gains) + [rough_text(c.near) for c in crossings]
    texts = []
    for start, end in itertools.zip_longest(places[::2], places[1::2]):
        if start == end:
            texts.append(end)
        elif start and end:
            texts.append(f"{start} to {end}")
        else:
            texts.append(f"from {start}" if start else f"up to {end}")
    more = f", ... ({len(texts)} stretches)" if len(texts) > STRETCHES_SHOWN else ""
    doubt = "" if all(c.certain for c in crossings) else "?"
    return "about " + ", ".join(texts[:STRETCHES_SHOWN]) + more + doubt


def crossover_text(line: CrossoverLine) -> str:
    """From which size is it faster?

    "from between 1e4 and 1e5 (about 2e4)", "at all sizes", "at no size, or tied"; of several crossings
    "about 2e3 to 5e5, from 3e6"; of one size "yes", "no", "tied". With "?" behind it where it goes by
    medians alone.
    """
    if not line.crossings:
        return side_text(line)
    if len(line.crossings) > 1:
        return stretches_text(line.crossings)
    (c,) = line.crossings
    word = "from between" if c.gains else "no longer from between"
    doubt = "" if c.certain else "?"
    where = f"{number_text(c.start)} and {number_text(c.end)} (about {rough_text(c.near)})"
    return f"{word} {where}{doubt}"
