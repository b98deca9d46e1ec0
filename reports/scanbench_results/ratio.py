"""How the times of two rows of one file relate, and how certain that is.

The rows of one group were sampled in the same rounds, so what both share cancels in a ratio that is
made within rounds: the exact one, from the values of `rounds_ns`, is the median of the ratios of the
rounds in which both have a value, with the interval of rounds.py.

An older CSV has no values of rounds. There the ratio is that of the medians, with the interval of two
times that were measured in different rounds (verdict.difference), which is wider than the exact one:
what disturbs a round disturbs both.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Optional

from . import rounds
from .rows import Row
from .verdict import Ratio, as_ratio, difference, sign_test

__all__ = ["Ratio", "inverse", "ratio_of"]

# Why a ratio has no interval.
NO_ROUNDS = "no intervals from rounds"
RUNS = "measured in different runs"
SEQUENTIAL = "measured one after the other, not in the same rounds"
PROBLEMS = "different problems, not measured in the same rounds"
FEW_ROUNDS = "fewer than 6 rounds in common"


def ratio_of(over: Row, under: Row) -> Ratio:
    """The time of `over` divided by that of `under`, both measured, rows of one file."""
    doubt = _doubt(over, under)
    if doubt:
        medians = over.median_ns / under.median_ns if under.median_ns > 0 else 0.0
        return Ratio(medians, p=1.0, doubt=doubt)
    if over is under:
        return Ratio(1.0, 1.0, 1.0, 1.0, has_interval=True)
    return _exact(over, under) or _estimated(over, under)


def inverse(ratio: Ratio) -> Ratio:
    """The same the other way round."""
    turned = replace(ratio, ratio=1 / ratio.ratio if ratio.ratio > 0 else 0.0)
    if ratio.has_interval:
        turned.lo = 1 / ratio.hi if ratio.hi > 0 else math.inf
        turned.hi = 1 / ratio.lo if ratio.lo > 0 else math.inf
    return turned


def other_problem(a: Row, b: Row) -> str:
    """The first property in which the problems of two rows differ, or "". A copy has neither operator
    nor kind, and agrees with all."""
    for name in ("n", "rows", "inner", "dtype", "result"):
        if getattr(a, name) != getattr(b, name):
            return name
    if a.op and b.op and a.op != b.op:
        return "op"
    if a.kinds and b.kinds and a.kinds != b.kinds:
        return "kind" if a.kind != b.kind else "kinds"
    return ""


def _doubt(a: Row, b: Row) -> str:
    if a.absolute is None or b.absolute is None:
        return NO_ROUNDS
    if a.run_id != b.run_id:
        return RUNS
    if other_problem(a, b):
        return PROBLEMS
    # An older file has no groups.
    is_apart = a.group_id != b.group_id or not a.group_id
    return SEQUENTIAL if a.is_alone and is_apart else ""


def _exact(over: Row, under: Row) -> Optional[Ratio]:
    """From the values of common rounds; None if the rows are not of one group."""
    if not over.rounds_ns or not under.rounds_ns or over.group_id != under.group_id:
        return None
    r = rounds.ratio(over.rounds_ns, under.rounds_ns)
    if not r.has_ci:
        return Ratio(over.median_ns / under.median_ns, p=1.0, doubt=FEW_ROUNDS)
    return Ratio(r.median, r.lo, r.hi, sign_test(over.rounds_ns, under.rounds_ns), True)


def _estimated(over: Row, under: Row) -> Ratio:
    """Of the intervals of both times: what they share within rounds makes it too wide."""
    if over.absolute is None or under.absolute is None:
        return Ratio()
    return as_ratio(difference(under.absolute, over.absolute))
