"""How the times of two rows of one file relate, and how certain that is."""

from __future__ import annotations

from .rows import Row
from .verdict import Ratio

__all__ = ["Ratio", "inverse", "ratio_of"]

# Why a ratio has no interval.
NO_ROUNDS = "no intervals from rounds"
RUNS = "measured in different runs"
SEQUENTIAL = "measured one after the other, not in the same rounds"
PROBLEMS = "different problems, not measured in the same rounds"


def ratio_of(over: Row, under: Row, sequential: bool = False) -> Ratio:
    """The time of `over` divided by that of `under`, both measured, rows of one file. `sequential`:
    the file was measured one configuration after the other (RunInfo.sequential)."""
    raise NotImplementedError


def inverse(ratio: Ratio) -> Ratio:
    """The same the other way round."""
    raise NotImplementedError
