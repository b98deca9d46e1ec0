"""Did a time change, and which of two is faster? The one rule, that of core/stats/verdict.h.

Of two rows of one run (ratio.py) the interval of their ratio decides: they are tied if it holds 1,
and differ if it does not. `is_tied`, `is_faster` and `is_slower` are the only places that say so.

Between two runs (`across`) the machine changes: its frequency, its caches' and its memory's
neighbours, where the pages lie. So a run has several estimates of the logarithm of one time, each
with a 95 % interval [l, u] about m: the time itself, with the frequency of the core taken out, and the
time divided by those of calibrators, whose code never changes. For each

    D = m2 - m1
    D - sqrt((m2 - l2)^2 + (u1 - m1)^2)  to  D + sqrt((u2 - m2)^2 + (m1 - l1)^2)

(MOVER: Zou and Donner, "Construction of confidence limits about effect measures: a general approach",
Statistics in Medicine 27, 2008). The hull of these intervals is the interval of the verdict, which is
faster or slower if every D is beyond the threshold on the same side and the hull excludes 0; same if
the hull lies within the threshold; else inconclusive.

Many comparisons (`holm`): of 100 pairs that do not differ, 5 have a 95 % interval that excludes 0.
Holm's step-down rule ("A simple sequentially rejective multiple test procedure", Scandinavian Journal
of Statistics 6, 1979) keeps the chance of even one such at 5 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import List, Optional, Sequence

FASTER, SLOWER, SAME = "faster", "slower", "same"
INCONCLUSIVE, MISSING = "inconclusive", "missing"
VERDICTS = (FASTER, SLOWER, SAME, INCONCLUSIVE, MISSING)

# Why a verdict is inconclusive.
FOR_STATE = "the machine's state changed"
FOR_NOISY = "too noisy"
FOR_NEAR = "too near the threshold"
FOR_NO_ROUNDS = "no rounds, or too few to know the noise"
FOR_NO_CALIBRATORS = "no calibrators, so the machine may have changed"
FOR_FAMILY = "not certain among so many comparisons"

STATE = 0.02
"""How far a calibrator may move between two runs, as a logarithm, before the machine's state has
changed."""

_ALPHA = 0.05
_QUANTILE = 1.959963984540054  # of the normal distribution, 97.5 %


@dataclass
class Ratio:
    """The time of one row over that of another."""

    ratio: float = 0.0  # within rounds where it has an interval, else of the medians; 0: not known
    lo: float = 0.0  # of the 95 % interval
    hi: float = 0.0
    p: float = 0.0  # of the hypothesis that both are equal, two-sided
    has_interval: bool = False
    doubt: str = ""  # why it has no interval, in words; "": it has one, or its rounds are too few


def is_tied(ratio: Ratio) -> bool:
    """Can the two not be told apart? The interval holds 1. False where there is none: not known."""
    return ratio.has_interval and ratio.lo <= 1 <= ratio.hi


def is_faster(ratio: Ratio) -> bool:
    """Is the row above certainly faster than the one below?"""
    return ratio.has_interval and ratio.hi < 1


def is_slower(ratio: Ratio) -> bool:
    """Is the row above certainly slower than the one below?"""
    return ratio.has_interval and ratio.lo > 1


@dataclass(frozen=True)
class Estimate:
    """The logarithm of a time in one run, with its 95 % interval."""

    median: float
    lo: float
    hi: float
    calibrated: bool = False  # divided by the time of a calibrator, or that of an unchanged clock


@dataclass
class Outcome:
    verdict: str = INCONCLUSIVE
    reason: str = ""  # why it is inconclusive
    has_interval: bool = False  # the following hold a meaning
    ratio: float = 0.0  # the second time over the first
    lo: float = 0.0
    hi: float = 0.0
    p: float = 0.0  # of the hypothesis that they are equal, two-sided


@dataclass(frozen=True)
class Difference:
    """The difference of two logarithms, with its 95 % interval."""

    d: float
    lo: float
    hi: float


def estimate_of(
    median: float, lo: float, hi: float, calibrated: bool = False
) -> Optional[Estimate]:
    """The logarithms of a time and its interval. None if one of them is not a positive number, or if
    the interval does not contain the time."""
    if not (0 < lo <= median <= hi < math.inf):
        return None
    return Estimate(math.log(median), math.log(lo), math.log(hi), calibrated)


def widened(estimate: Optional[Estimate], half: float) -> Optional[Estimate]:
    """The same with an interval of at least `half` on each side, as a logarithm: what another run
    would show if this one did not measure it."""
    if estimate is None:
        return None
    lo = min(estimate.lo, estimate.median - half)
    return replace(estimate, lo=lo, hi=max(estimate.hi, estimate.median + half))


def mover(first: Estimate, second: Estimate) -> Difference:
    d = second.median - first.median
    lo = d - math.hypot(second.median - second.lo, first.hi - first.median)
    return Difference(d, lo, d + math.hypot(second.hi - second.median, first.median - first.lo))


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _p_of(it: Difference) -> float:
    """Two-sided, as if the estimate were normally distributed with the standard error that the side
    of the interval towards 0 implies."""
    return 1.0 if it.d == 0 else two_sided(it.d, it.d - it.lo if it.d > 0 else it.hi - it.d)


def two_sided(distance: float, half: float) -> float:
    """The p-value of such a distance, where the 95 % interval has that half width."""
    return math.erfc(_QUANTILE * abs(distance) / half / math.sqrt(2)) if half > 0 else 0.0


def as_ratio(it: Difference) -> Ratio:
    """The ratio of two times whose logarithms differ by that."""
    return Ratio(_exp(it.d), _exp(it.lo), _exp(it.hi), _p_of(it), True)


def _disagree(a: Difference, b: Difference) -> bool:
    """Does neither interval hold what the other estimates?"""
    return not b.lo <= a.d <= b.hi and not a.lo <= b.d <= a.hi


def _between(least: float, greatest: float, hull: Difference, limit: float) -> str:
    """The verdict of an interval of logarithms whose estimates lie between `least` and `greatest`."""
    if least > limit and hull.lo > 0:
        return SLOWER
    if greatest < -limit and hull.hi < 0:
        return FASTER
    return SAME if hull.lo > -limit and hull.hi < limit else INCONCLUSIVE


def _reason_of(hull: Difference, limit: float) -> str:
    return FOR_NOISY if hull.hi - hull.lo > 2 * limit else FOR_NEAR


def across(
    first: Sequence[Optional[Estimate]], second: Sequence[Optional[Estimate]], threshold: float
) -> Outcome:
    """The second run against the first, each by estimates of the same time in the same order, the
    time itself first. The threshold is relative: 0.03 for 3 %. Without an estimate that both know
    there is no interval; without a calibrated one no verdict. The ratio is that of the middle D; p is
    the greatest of the p-values of the Ds."""
    each: List[Difference] = []
    calibrated, state = False, 0.0
    for a, b in zip(first, second):
        if a is None or b is None:
            continue
        each.append(mover(a, b))
        if a.calibrated and b.calibrated:
            calibrated = True
            times_known = first[0] is not None and second[0] is not None
            if times_known and _disagree(each[0], each[-1]):
                state = max(state, abs(each[0].d - each[-1].d))
    if not each:
        return Outcome(reason=FOR_NO_ROUNDS)
    middle = sorted(it.d for it in each)
    hull = Difference(each[0].d, min(it.lo for it in each), max(it.hi for it in each))
    outcome = Outcome(
        reason=FOR_NO_CALIBRATORS,
        has_interval=True,
        ratio=_exp((middle[(len(each) - 1) // 2] + middle[len(each) // 2]) / 2),
        lo=_exp(hull.lo),
        hi=_exp(hull.hi),
        p=1.0 if middle[0] <= 0 <= middle[-1] else max(_p_of(it) for it in each),
    )
    if not calibrated:
        return outcome
    limit = math.log1p(threshold)
    outcome.verdict = _between(middle[0], middle[-1], hull, limit)
    outcome.reason = ""
    if outcome.verdict == INCONCLUSIVE:
        outcome.reason = FOR_STATE if state > STATE else _reason_of(hull, limit)
    return outcome


def sign_test(over: Sequence[float], under: Sequence[float]) -> float:
    """The p-value, two-sided, of the hypothesis that over[i] > under[i] in half of all rounds. Rounds
    without a value (NaN) and ties do not count. 1 if no round is left."""
    above = sum(a > b for a, b in zip(over, under))
    count = above + sum(a < b for a, b in zip(over, under))
    fewer = min(above, count - above)
    log_all = math.lgamma(count + 1) - count * math.log(2)
    tail = sum(
        math.exp(log_all - math.lgamma(i + 1) - math.lgamma(count - i + 1))
        for i in range(fewer + 1)
    )
    return min(1.0, 2 * tail)


def holm(family: Sequence[Outcome]) -> None:
    """Applies Holm's rule to all comparisons that are shown together. With m p-values in ascending
    order, the i-th (from 0) is certain if it and all before it are at most 0.05 / (m - i). A verdict
    faster or slower that is not certain becomes inconclusive."""
    members = sorted((it for it in family if it.has_interval), key=lambda it: it.p)
    certain = True
    for i, it in enumerate(members):
        certain = certain and it.p <= _ALPHA / (len(members) - i)
        if not certain and it.verdict in (FASTER, SLOWER):
            it.verdict, it.reason = INCONCLUSIVE, FOR_FAMILY
