"""What more parts gain: the elements per second of k parts over those of one.

    strong   n stays the same
    weak     n / k stays the same: k parts have k times the elements of one

One part is that of the same plugin (own), and the fastest scan in one part, of any plugin, on the
same device (best); of a copy, the fastest copy. Each plugin counts by its fastest setting. k times
one part is the ideal. Where memory is the limit, the layout bounds it:

    cyclic       each element is read once and written once, as in one part: k
    contiguous   a slice may be written when the total of those before it is known, so it is read
                 twice: 3n of traffic in place of 2n, so 2k/3
    copies       k, in any layout

What the file of k parts lacks is taken from other files of the same host, the fastest first.
"""

from __future__ import annotations

import collections
import enum
import re
from dataclasses import dataclass, field, replace
from typing import Dict, Optional, Tuple

from .ratio import RUNS, Ratio, ratio_of
from .report import Report, is_ceiling
from .rows import Row


class Way(enum.Enum):
    STRONG = "strong"
    WEAK = "weak"


@dataclass
class Gain:
    """k parts against one."""

    one: Row  # of `run`
    file: int  # of `one`
    speedup: Ratio  # no interval where n or the runs differ
    efficiency: float  # speedup / k
    of_bound: float  # speedup / bound; 0: the bound is not known


@dataclass
class ScalingPoint:
    row: Row  # of `run`, in k parts
    file: int
    way: Way
    parts: int  # k, at least 2
    n_of_one: int  # n, or n / k
    elements_per_s: float  # of k parts
    bound: float  # of the speed-up; 0: the layout is not known
    own: Optional[Gain]  # None: the same plugin was not measured in one part
    best: Gain


@dataclass
class Run:
    """A row of `run`, in some number of parts."""

    row: Row
    file: int
    parts: int

    def problem(self) -> tuple[str, ...]:
        """What all that is held against each other has in common: problem and place."""
        row = self.row
        return (row.dtype, row.cache, row.kinds, row.op, row.device, row.host)

    def plugin(self) -> tuple[str, ...]:
        row = self.row
        return (row.plugin, row.plugin_version, row.backend, row.driver)


@dataclass
class Fastest:
    """The fastest run of each file, and of all whose host has a name."""

    of_file: dict[int, Run] = field(default_factory=dict)
    of_host: Optional[Run] = None

    def add(self, run: Run) -> None:
        known = self.of_file.get(run.file)
        if not known or run.row.median_ns < known.row.median_ns:
            self.of_file[run.file] = run
        if run.row.host and (not self.of_host or run.row.median_ns < self.of_host.row.median_ns):
            self.of_host = run

    def find(self, file: int) -> Optional[Run]:
        """That of the file, else of another of the same host."""
        return self.of_file.get(file, self.of_host)


Index = Dict[Tuple[object, ...], Fastest]


def parts_of(row: Row) -> int:
    """A plugin that does not know of parts has one; 0: the cell holds no number of parts."""
    if not row.parts:
        return 1
    return int(row.parts) if re.fullmatch("[0-9]{1,6}", row.parts) else 0


def bound_of(run: Run) -> float:
    """The greatest speed-up where memory is the limit; 0: the layout is not known."""
    if is_ceiling(run.row) or run.row.layout == "cyclic":
        return run.parts
    return 2.0 * run.parts / 3 if run.row.layout == "contiguous" else 0


def gain_over(report: Report, run: Run, one: Run) -> Gain:
    speedup = ratio_of(one.row, run.row, report.files[run.file].info.sequential)
    if one.file != run.file:
        medians = one.row.median_ns / run.row.median_ns
        speedup = replace(speedup, ratio=medians, has_interval=False, doubt=RUNS)
    more = run.row.n / one.row.n
    speedup = replace(
        speedup, ratio=speedup.ratio * more, lo=speedup.lo * more, hi=speedup.hi * more
    )
    bound = bound_of(run)
    of_bound = speedup.ratio / bound if bound > 0 else 0
    return Gain(one.row, one.file, speedup, speedup.ratio / run.parts, of_bound)


def make_point(report: Report, own: Index, best: Index, run: Run, way: Way) -> list[ScalingPoint]:
    """The point of a run in k parts; none where one part of any plugin was not measured."""
    if way is Way.WEAK and run.row.n % run.parts:
        return []
    n = run.row.n // run.parts if way is Way.WEAK else run.row.n
    same = own.get(run.problem() + run.plugin() + (n, 1), Fastest()).find(run.file)
    any_one = best.get(run.problem() + (n,), Fastest()).find(run.file)
    if not any_one:
        return []
    rate = run.row.n / run.row.median_ns * 1e9
    own_gain = gain_over(report, run, same) if same else None
    best_gain = gain_over(report, run, any_one)
    bound = bound_of(run)
    return [ScalingPoint(run.row, run.file, way, run.parts, n, rate, bound, own_gain, best_gain)]


def point_order(point: ScalingPoint) -> tuple[object, ...]:
    run = Run(point.row, point.file, point.parts)
    last = (point.row.plugin, point.n_of_one, point.parts, point.file, point.row.line)
    return (point.way is Way.WEAK,) + run.problem() + last


def make_scaling(report: Report) -> list[ScalingPoint]:
    """By way, type, cache, kind, operator, device, host, plugin, n of one part, parts and file."""
    runs = [Run(c.run, c.file, parts_of(c.run)) for c in report.configurations]
    if all(run.parts < 2 for run in runs):
        return []
    own: Index = collections.defaultdict(Fastest)
    best: Index = collections.defaultdict(Fastest)
    for run in runs:
        if run.parts == 0 or run.row.n == 0:
            continue
        own[run.problem() + run.plugin() + (run.row.n, run.parts)].add(run)
        if run.parts == 1:
            best[run.problem() + (run.row.n,)].add(run)
    several = [run for f in own.values() for run in f.of_file.values() if run.parts > 1]
    points = [p for run in several for way in Way for p in make_point(report, own, best, run, way)]
    return sorted(points, key=point_order)


def same_table(a: ScalingPoint, b: ScalingPoint) -> bool:
    """Do two points belong into one table: of one way, problem, device and host?"""
    one, other = Run(a.row, a.file, a.parts), Run(b.row, b.file, b.parts)
    return a.way is b.way and one.problem() == other.problem()
