"""Did a time change, and which of two is faster? The one rule, that of core/stats/verdict.h.

Of two rows of one run (ratio.py) the interval of their ratio decides: they are tied if it holds 1,
and differ if it does not. `is_tied`, `is_faster` and `is_slower` are the only places that say so.

Between two runs (`across`) the machine changes: its frequency, its caches' and its memory's
neighbours, where the pages lie. So a run has several estimates of the logarithm of one time, each
with a 95 % interval [l, u] about m: the time itself, with the frequency of the core taken out, and the
time divided by those of calibrators, whose code never changes. For each

    D = m2 - m1
    D - H  to  D + H,  H = sqrt((u2 - l2)^2 + (u1 - l1)^2) / 2

(Price and Bonett, "Distribution-free confidence intervals for difference and ratio of medians",
Journal of Statistical Computation and Simulation 72, 2002: the variance of each median from the whole
width of its interval; of a lopsided one, which holds two values that times have, the longer side is taken
whole, as in Zou and Donner, Statistics in Medicine 27, 2008). The hull of these intervals is the interval of the verdict, which is faster or
slower if every D is beyond the threshold on the same side and 0 lies more than rounds.FLOOR outside
the hull; same if the hull lies within the threshold; else inconclusive.

Many comparisons (`holm`): of 100 pairs that do not differ, 5 have a 95 % interval that excludes 0.
Holm's step-down rule ("A simple sequentially rejective multiple test procedure", Scandinavian Journal
of Statistics 6, 1979) keeps the chance of even one such at 5 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import List, Optional, Sequence

from .rounds import FLOOR

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

_LOPSIDED = 12  # times as long as the other side of an interval: it holds both of two values
ALPHA = 0.05
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
class Outcome(Ratio):
    """The ratio of the second time over the first, and what it means."""

    verdict: str = INCONCLUSIVE
    reason: str = ""  # why it is inconclusive


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


def _side(it: Estimate, up: bool) -> float:
    """How far an estimate may be off in that direction."""
    below, above = it.median - it.lo, it.hi - it.median
    half = (below + above) / 2
    is_lopsided = max(below, above) > _LOPSIDED * min(below, above)
    return max(half, above if up else below) if is_lopsided else half


def total(parts: Sequence[Estimate]) -> Estimate:
    """The sum of independent logarithms: their variances add up."""
    middle = math.fsum(part.median for part in parts)
    below, above = (math.hypot(*(_side(part, up) for part in parts)) for up in (False, True))
    return Estimate(middle, middle - below, middle + above)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Of the second from the first, measured in different rounds."""
    return total([second, Estimate(-first.median, -first.hi, -first.lo)])


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def two_sided(it: Estimate, from_: float = 0.0) -> float:
    """The p-value of the hypothesis that it is `from_`, as if it were normally distributed with the
    standard error that its interval implies."""
    distance, half = abs(it.median - from_), _side(it, it.median < from_)
    if distance == 0:
        return 1.0
    return math.erfc(_QUANTILE * distance / half / math.sqrt(2)) if half > 0 else 0.0


def as_ratio(it: Estimate) -> Ratio:
    """The ratio of two times whose logarithms differ by that."""
    return Ratio(_exp(it.median), _exp(it.lo), _exp(it.hi), two_sided(it), True)


def _disagree(a: Estimate, b: Estimate) -> bool:
    """Does neither interval hold what the other estimates?"""
    return not b.lo <= a.median <= b.hi and not a.lo <= b.median <= a.hi


def _between(least: float, greatest: float, hull: Estimate, limit: float) -> str:
    """The verdict of an interval of logarithms whose estimates lie between `least` and `greatest`."""
    if least > limit and hull.lo > FLOOR:
        return SLOWER
    if greatest < -limit and hull.hi < -FLOOR:
        return FASTER
    return SAME if hull.lo > -limit and hull.hi < limit else INCONCLUSIVE


def across(
    first: Sequence[Optional[Estimate]], second: Sequence[Optional[Estimate]], threshold: float
) -> Outcome:
    """The second run against the first, each by estimates of the same time in the same order, the
    time itself first. The threshold is relative: 0.03 for 3 %. Without an estimate that both know
    there is no interval; without a calibrated one no verdict. The ratio is that of the middle D; p is
    the greatest of the p-values of the Ds."""
    both = [(a, b) for a, b in zip(first, second) if a and b]
    if not both:
        return Outcome(reason=FOR_NO_ROUNDS)
    each = [difference(a, b) for a, b in both]
    middle = sorted(it.median for it in each)
    hull = Estimate(each[0].median, min(it.lo for it in each), max(it.hi for it in each))
    outcome = Outcome(
        ratio=_exp((middle[(len(each) - 1) // 2] + middle[len(each) // 2]) / 2),
        lo=_exp(hull.lo),
        hi=_exp(hull.hi),
        p=1.0 if middle[0] <= 0 <= middle[-1] else max(map(two_sided, each)),
        has_interval=True,
        reason=FOR_NO_CALIBRATORS,
    )
    calibrated = [it for it, (a, b) in zip(each, both) if a.calibrated and b.calibrated]
    if not calibrated:
        return outcome
    limit = math.log1p(threshold)
    outcome.verdict = _between(middle[0], middle[-1], hull, limit)
    time = each[0] if first[0] and second[0] else None
    apart = [abs(time.median - it.median) for it in calibrated if time and _disagree(time, it)]
    outcome.reason = ""
    if outcome.verdict == INCONCLUSIVE:
        has_moved = max(apart, default=0.0) > STATE
        noisy = FOR_NOISY if hull.hi - hull.lo > 2 * limit else FOR_NEAR
        outcome.reason = FOR_STATE if has_moved else noisy
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


def certain(ps: Sequence[float]) -> List[bool]:
    """Holm's rule: with m p-values in ascending order, the i-th (from 0) is certain if it and all before
    it are at most 0.05 / (m - i)."""
    are_certain = [False] * len(ps)
    for i, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        if not ps[place] <= ALPHA / (len(ps) - i):
            break
        are_certain[place] = True
    return are_certain


def holm(family: Sequence[Outcome]) -> None:
    """Applies Holm's rule to all comparisons that are shown together: a verdict faster or slower that
    is not certain becomes inconclusive."""
    members = [it for it in family if it.has_interval]
    for it, is_certain in zip(members, certain([it.p for it in members])):
        if not is_certain and it.verdict in (FASTER, SLOWER):
            it.verdict, it.reason = INCONCLUSIVE, FOR_FAMILY
