"""Between which sizes does one plugin begin to be faster than another?"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .ratio import Ratio
from .report import Report, View, Workload
from .rows import Row


class Side(enum.Enum):
    """What is known of a size."""

    FASTER = "faster"
    SLOWER = "slower"
    TIED = "tied"  # cannot be told apart
    UNKNOWN = "unknown"  # no interval: the sign of `speedup` is all there is


@dataclass
class CrossoverPoint:
    n: int
    row: Row
    against: Row
    speedup: Ratio  # the other's time over its own: above 1 if it is faster
    side: Side


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

    file: int
    plugin: str
    backend: str
    device: str
    view: View
    points: list[CrossoverPoint]  # ascending n
    crossings: list[Crossover]  # ascending n


def make_crossovers(report: Report, workload: Workload) -> list[CrossoverLine]:
    """All lines of a workload against the baseline of their file: by file, plugin and view."""
    raise NotImplementedError


def crossover_text(line: CrossoverLine) -> str:
    """From which size is it faster?

    "from between 1e4 and 1e5 (about 2e4)", "at all sizes", "at no size, or tied"; of one size
    "yes", "no", "tied". With "?" behind it where it goes by medians alone.
    """
    raise NotImplementedError
