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

import enum
from dataclasses import dataclass, replace
from typing import Dict, Optional, Tuple

from .ratio import RUNS, Ratio, ratio_of
from .report import Report
from .rows import Row


class Way(enum.Enum):
    STRONG = "strong"
    WEAK = "weak"


@dataclass
class Gain:
    """k parts against one."""

    one: Row  # of `run`
    speedup: Ratio  # no interval where n or the runs differ
    efficiency: float  # speedup / k
    of_bound: float  # speedup / bound; 0: the bound is not known


@dataclass
class ScalingPoint:
    row: Row  # of `run`, in k parts
    way: Way
    parts: int  # k, at least 2
    n_of_one: int  # n, or n / k
    elements_per_s: float  # of k parts
    bound: float  # of the speed-up; 0: the layout is not known
    own: Optional[Gain]  # None: the same plugin was not measured in one part
    best: Gain


Key = Tuple[object, ...]
Fastest = Dict[Tuple[Key, Optional[int]], Row]
"""By what the runs have in common and their file; with None: of all whose host has a name."""


def problem_of(row: Row) -> Key:
    """What all that is held against each other has in common: problem and place."""
    return (row.types, row.cache, row.kinds, row.op, row.device, row.host, row.rows, row.inner)


def plugin_of(row: Row) -> Key:
    return (row.plugin, row.plugin_version, row.backend, row.driver)


def bound_of(row: Row) -> float:
    """The greatest speed-up where memory is the limit; 0: the layout is not known."""
    if row.is_ceiling or row.layout == "cyclic":
        return row.part_count
    return 2.0 * row.part_count / 3 if row.layout == "contiguous" else 0


def add(fastest: Fastest, key: Key, run: Row) -> None:
    for file in (run.file, None) if run.host else (run.file,):
        known = fastest.setdefault((key, file), run)
        if run.median_ns < known.median_ns:
            fastest[key, file] = run


def gain_over(run: Row, one: Row) -> Gain:
    speedup = ratio_of(one, run)
    if one.file != run.file:
        speedup = Ratio(one.median_ns / run.median_ns, p=speedup.p, doubt=RUNS)
    more = run.n / one.n
    ratio = speedup.ratio * more
    speedup = replace(speedup, ratio=ratio, lo=speedup.lo * more, hi=speedup.hi * more)
    bound = bound_of(run)
    of_bound = ratio / bound if bound > 0 else 0
    return Gain(one, speedup, ratio / run.part_count, of_bound)


def make_point(own: Fastest, best: Fastest, run: Row, way: Way) -> Optional[ScalingPoint]:
    """The point of a run in k parts; None where one part of any plugin was not measured."""
    parts = run.part_count
    if way is Way.WEAK and run.n % parts:
        return None
    n = run.n // parts if way is Way.WEAK else run.n

    def find(fastest: Fastest, key: Key) -> Optional[Gain]:
        one = fastest.get((key, run.file)) or fastest.get((key, None))
        return gain_over(run, one) if one else None

    over_own = find(own, problem_of(run) + plugin_of(run) + (n, 1))
    over_best = find(best, problem_of(run) + (n,))
    if not over_best:
        return None
    rate = run.elements / run.median_ns * 1e9
    return ScalingPoint(run, way, parts, n, rate, bound_of(run), over_own, over_best)


def make_scaling(report: Report) -> list[ScalingPoint]:
    """By way, type, cache, kind, operator, device, host, plugin, n of one part, parts and file."""
    own: Fastest = {}
    best: Fastest = {}
    for run in report.runs:
        parts = run.part_count
        if parts > 0 and run.elements > 0:
            add(own, problem_of(run) + plugin_of(run) + (run.n, parts), run)
            if parts == 1:
                add(best, problem_of(run) + (run.n,), run)
    several = [run for (_, file), run in own.items() if file is not None and run.part_count > 1]
    points = (make_point(own, best, run, way) for run in several for way in Way)
    return sorted(filter(None, points), key=point_order)


def table_of(point: ScalingPoint) -> Key:
    """What the points of one table have in common: way, problem, device and host."""
    return (point.way is Way.WEAK, *problem_of(point.row))


def point_order(point: ScalingPoint) -> Key:
    row = point.row
    return table_of(point) + (row.plugin, point.n_of_one, point.parts, row.file, row.line)
