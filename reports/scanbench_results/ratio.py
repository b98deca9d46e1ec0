"""How the times of two rows of one file relate, and how certain that is.

The rows of one group were sampled in the same rounds, so what both share cancels in a ratio that is
made within rounds: the exact one, from the values of `rounds_ns`, is the median of the ratios of the
rounds in which both have a value, with the interval of rounds.py.

An older CSV holds some of those: `speedup`, the ratio to the baseline, with its interval. Of two other
rows it holds how each relates to the same third time in the same rounds: the harness's spin, scan and
copy, the copy on the device, the baseline; and to nothing, which is the time itself. Each such way
gives the difference of logarithms of verdict.mover. All estimate the same ratio, each with the noise
of its third time added, so the one with the narrowest interval is taken: chosen by its width, never by
its middle.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Iterator, Optional, Tuple

from . import rounds
from .rows import Row, is_in_place
from .verdict import Estimate, Ratio, as_ratio, estimate_of, mover, sign_test

__all__ = ["Ratio", "inverse", "ratio_of"]

# Why a ratio has no interval.
NO_ROUNDS = "no intervals from rounds"
RUNS = "measured in different runs"
SEQUENTIAL = "measured one after the other, not in the same rounds"
PROBLEMS = "different problems, not measured in the same rounds"
FEW_ROUNDS = "fewer than 6 rounds in common"


def ratio_of(over: Row, under: Row, sequential: bool = False) -> Ratio:
    """The time of `over` divided by that of `under`, both measured, rows of one file. `sequential`:
    the file was measured one configuration after the other (RunInfo.sequential), which the groups
    of its rows say, too, but not those of an older file."""
    doubt = _doubt(over, under, sequential)
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


def _agree(a: str, b: str) -> bool:
    """An empty word agrees with all: a copy has neither operator nor kind."""
    return not a or not b or a == b


def _doubt(a: Row, b: Row, sequential: bool) -> str:
    if a.absolute is None or b.absolute is None:
        return NO_ROUNDS
    if a.run_id != b.run_id:
        return RUNS
    same_problem = a.n == b.n and a.dtype == b.dtype
    if not (same_problem and _agree(a.kinds, b.kinds) and _agree(a.op, b.op)):
        return PROBLEMS
    alone = sequential or (a.is_alone and a.group_id != b.group_id)
    return SEQUENTIAL if alone else ""


def _exact(over: Row, under: Row) -> Optional[Ratio]:
    """From the values of common rounds; None if the rows are not of one group."""
    if not over.rounds_ns or not under.rounds_ns or over.group_id != under.group_id:
        return None
    r = rounds.ratio(over.rounds_ns, under.rounds_ns)
    if not r.has_ci:
        return Ratio(over.median_ns / under.median_ns, p=1.0, doubt=FEW_ROUNDS)
    return Ratio(r.median, r.lo, r.hi, sign_test(over.rounds_ns, under.rounds_ns), True)


def _is_baseline(row: Row) -> bool:
    """The baseline's time is known as exactly as its own: speedup 1."""
    return row.phase == "run" and row.speedup == 1


def _per_baseline(row: Row) -> Optional[Estimate]:
    """The time over that of the baseline."""
    if _is_baseline(row) or not (row.speedup > 0 and row.speedup_lo > 0 and row.speedup_hi > 0):
        return None
    return estimate_of(1 / row.speedup, 1 / row.speedup_hi, 1 / row.speedup_lo)


def _share_copy(a: Row, b: Row) -> bool:
    """Are the times of both divided by those of one and the same copy? A plugin on the host is held
    against the fastest copy with at most as many threads, one in parts against a copy in as many.
    """

    def copy_of(row: Row) -> Tuple[str, str, str, str, str, bool]:
        parts = row.parts or "1"  # a plugin that knows nothing of parts works in one
        return row.backend, row.device, row.phase, row.cache, parts, is_in_place(row)

    return a.on_device and copy_of(a) == copy_of(b)


def _ways(over: Row, under: Row) -> Iterator[Tuple[Optional[Estimate], Optional[Estimate]]]:
    yield under.absolute, over.absolute
    yield under.per_spin, over.per_spin
    if over.cache == under.cache:
        yield under.per_scan, over.per_scan
        yield under.per_copy, over.per_copy
    if _share_copy(over, under):
        yield under.per_device_copy, over.per_device_copy
    if over.cache == under.cache:
        yield _per_baseline(under), _per_baseline(over)


def _of_baseline(over: Row, under: Row) -> Optional[Ratio]:
    """The ratio to the baseline, made within rounds; None if `under` is not the baseline."""
    if not _is_baseline(under) or over.cache != under.cache:
        return None
    speedup = _per_baseline(over)
    return as_ratio(mover(Estimate(0.0, 0.0, 0.0), speedup)) if speedup else None


def _estimated(over: Row, under: Row) -> Ratio:
    to_baseline = _of_baseline(over, under)
    if to_baseline:
        return to_baseline
    from_baseline = _of_baseline(under, over)
    if from_baseline:
        return inverse(from_baseline)
    differences = [mover(a, b) for a, b in _ways(over, under) if a and b]
    return as_ratio(min(differences, key=lambda it: it.hi - it.lo)) if differences else Ratio()
