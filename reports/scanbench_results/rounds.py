"""What the rounds of a run say of a time, and of the ratio of two.

A round gives one value of each configuration: the median of the samples taken then. Samples of one
round share the state of the machine, so they say little about the next round; the values of rounds
that are spread over a run do. The 95 % interval of their median comes from order statistics, assumes
no distribution, and is never narrower than FLOOR on each side. Where the quartiles of the values lie
more than SPREAD times as far apart as its ends, as those of a time with two values do, it holds both.
A round without a value holds NaN, and is left out. The same rule as core/stats/rounds.h.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Sequence

FLOOR = 0.005
"""The least half width that is claimed, relative to the median."""

SPREAD = 5
"""How many times as far apart as the ends of an interval the quartiles of the values may lie: those
that a quarter of the others, rounded down, lie beyond."""

_EXACT_LIMIT = 1000  # 2**-1000 is still a normal double, 2**-1074 is not
_QUANTILE = 1.959963984540054  # of the normal distribution, 97.5 %


@dataclass(frozen=True)
class Rounds:
    n: int = 0  # rounds with a value; with 0 nothing else holds a meaning
    median: float = 0.0
    lo: float = 0.0  # of the 95 % interval, where has_ci
    hi: float = 0.0
    has_ci: bool = False  # n >= 6


def ci_rank(n: int) -> int:
    """k, so that the k-th least and the k-th greatest of n values are the limits of the 95 %
    interval of the median; 0 where n is too small for one (below 6).

    The greatest k whose tail, the sum over i < k of C(n, i) / 2**n, is at most 2.5 %."""
    if n == 0:
        return 0
    if n > _EXACT_LIMIT:
        return int(n / 2 + 0.5 - _QUANTILE * math.sqrt(n) / 2)
    term = tail = math.ldexp(1.0, -n)
    k = 0
    while tail <= 0.025:
        k += 1
        term *= (n - k + 1) / k
        tail += term
    return k


def summarize(values: Sequence[float]) -> Rounds:
    """The median of the values of rounds, with its interval. Not known where one is infinite."""
    known = sorted(v for v in values if not math.isnan(v))
    if not known or math.isinf(known[-1]) or math.isinf(known[0]):
        return Rounds()
    median = statistics.median(known)
    rank = ci_rank(len(known))
    if rank == 0:
        return Rounds(len(known), median)
    lo = min(known[rank - 1], median * (1 - FLOOR))
    hi = max(known[-rank], median * (1 + FLOOR))
    outside = (len(known) - 1) // 4
    q1, q3 = known[outside], known[-1 - outside]
    if q3 - q1 > SPREAD * (hi - lo):
        lo, hi = min(lo, q1 * (1 - FLOOR)), max(hi, q3 * (1 + FLOOR))
    return Rounds(len(known), median, lo, hi, has_ci=True)


def ratio(over: Sequence[float], under: Sequence[float]) -> Rounds:
    """The same of over[i] / under[i]: drift that both share within a round cancels. Not known where a
    value of `under` is 0 and that of `over` is not."""
    return summarize([_quotient(a, b) for a, b in zip(over, under)])


def _quotient(over: float, under: float) -> float:
    if under != 0:
        return over / under
    return math.nan if over == 0 or math.isnan(over) else math.inf
