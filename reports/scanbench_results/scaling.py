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
from dataclasses import dataclass
from typing import Optional

from .ratio import Ratio
from .report import Report
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


def make_scaling(report: Report) -> list[ScalingPoint]:
    """By way, type, cache, kind, operator, device, host, plugin, n of one part, parts and file."""
    raise NotImplementedError


def same_table(a: ScalingPoint, b: ScalingPoint) -> bool:
    """Do two points belong into one table: of one way, problem, device and host?"""
    raise NotImplementedError
