"""Which rows of result files belong together, and whether their times differ.

The first file is compared with each other one. Rows belong together if plugin, kind, op, dtype, result, n,
rows, inner, block, vt, params, cache and phase are the same: first those on devices of the same name,
and of these those of one word of --kinds; then, in the order of the files, those on different ones.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from . import estimates, verdict
from .rows import FAILURES, OK, ResultFile, Row
from .verdict import Outcome


@dataclass
class Pair:
    """Two rows that belong together, or one that has no other."""

    file: int  # which of Comparison.files the second is of; the first is of files[0]
    first: Optional[Row]  # None: not in that file
    second: Optional[Row]
    outcome: Outcome = field(default_factory=Outcome)
    has_ratio: bool = False  # outcome.ratio: without an interval, that of the medians
    regression: bool = False  # slower; or measured before and now wrong, crashed, ...
    reason: str = ""  # why it is inconclusive or missing

    @property
    def row(self) -> Row:
        """The one that says which configuration it is: the second, the one that has changed."""
        row = self.second or self.first
        assert row is not None  # a pair has one at least
        return row


@dataclass
class Comparison:
    files: Sequence[ResultFile]
    threshold: float  # relative: 0.03 for 3 %
    pairs: List[Pair] = field(default_factory=list)
    """Those of a file together; regressions without a time first, then by effect, then what is
    missing."""
    never_measured: int = 0  # configurations that have no times in either file
    regressions: int = 0

    def count(self, word: str) -> int:
        """How many pairs have this verdict."""
        return sum(pair.outcome.verdict == word for pair in self.pairs)

    def pairs_of(self, file: int) -> List[Pair]:
        """Those of the first file and this one."""
        return [pair for pair in self.pairs if pair.file == file]


def compare(
    files: Sequence[ResultFile], phases: Sequence[str] = ("run",), threshold: float = 0.03
) -> Comparison:
    """Compares the rows of these phases. A configuration that failed is compared in the first of them
    only. The threshold is relative: 0.03 for 3 %."""
    c = Comparison(files, threshold)
    for file, phase in itertools.product(range(1, len(files)), phases):
        for a, b in _match(files[0], files[file], phase):
            statuses = {row.status for row in (a, b) if row}
            if OK not in statuses:
                c.never_measured += phase == phases[0]
            elif phase == phases[0] or statuses == {OK}:
                c.pairs.append(Pair(file, a, b))
    for pair in c.pairs:
        _judge(pair, threshold)
    verdict.holm([pair.outcome for pair in c.pairs])  # of all files: they are shown together
    for pair in c.pairs:
        pair.reason = pair.reason or _reason(c, pair)
        pair.regression |= pair.outcome.verdict == verdict.SLOWER
    c.regressions = sum(pair.regression for pair in c.pairs)
    c.pairs.sort(key=lambda p: (p.file, -_effect(p), p.row.plugin, p.row.shape))
    return c


_Match = Tuple[Optional[Row], Optional[Row]]


def _match(first: ResultFile, second: ResultFile, phase: str) -> Iterator[_Match]:
    """The rows that belong together, in the order of the first file, then those that only the second
    has. A failed row has no phase."""

    def wanted(file: ResultFile) -> List[Row]:
        rows = (row for row in file.rows if not row.is_calibrator)
        return [row for row in rows if row.status != OK or row.phase == phase]

    left = wanted(first)
    partners: List[Optional[Row]] = [None] * len(left)
    free: Dict[Tuple[object, ...], List[Row]] = {}
    for row in wanted(second):
        free.setdefault(row.key, []).append(row)
    for device, kinds in ((True, True), (True, False), (False, True), (False, False)):
        for i, row in enumerate(left):
            others = free.get(row.key, [])
            if partners[i] is not None or not others:
                continue
            for k, other in enumerate(others):
                alike = not device or row.device == other.device
                if alike and (not kinds or row.kinds == other.kinds):
                    partners[i] = others.pop(k)
                    break
    taken = {id(other) for other in partners}
    yield from zip(left, partners)
    yield from ((None, row) for row in wanted(second) if id(row) not in taken)


def _is_same_row(a: Row, b: Row) -> bool:
    return (
        a.run_id != ""
        and (a.run_id, a.host, a.timestamp_utc) == (b.run_id, b.host, b.timestamp_utc)
        and a.median_ns == b.median_ns
    )


def _judge(pair: Pair, threshold: float) -> None:
    a, b = pair.first, pair.second
    if not a or not b or a.status != OK or b.status != OK:
        pair.outcome = Outcome(verdict=verdict.MISSING)
        measured_before = a is not None and a.status == OK
        pair.regression = measured_before and b is not None and b.status in FAILURES
        return
    pair.has_ratio = True
    if _is_same_row(a, b):
        pair.outcome = Outcome(1.0, 1.0, 1.0, 1.0, True, verdict=verdict.SAME)
        pair.reason = "the same measurement"
        return
    pair.outcome = verdict.across(*estimates.of_pair(a, b), threshold)
    if not pair.outcome.has_interval:
        pair.outcome.ratio = b.median_ns / a.median_ns


def _effect(pair: Pair) -> float:
    if not pair.has_ratio:
        return math.inf if pair.regression else -1.0
    return abs(math.log(pair.outcome.ratio)) if pair.outcome.ratio > 0 else math.inf


def _reason(c: Comparison, pair: Pair) -> str:
    a, b, outcome = pair.first, pair.second, pair.outcome
    if not a or not b:
        return f"only in {c.files[0 if a else pair.file].path}"
    if outcome.verdict == verdict.MISSING:
        when, row = ("now", b) if b.status != OK else ("before", a)
        return f"{when} {row.status}: {row.reason}"
    machines_differ = a.host != b.host or a.device != b.device
    if outcome.reason == verdict.FOR_STATE and machines_differ:
        return "the machines differ, and not alike in all that they do"
    obstacle = estimates.obstacle(a, b) if outcome.reason == verdict.FOR_NO_CALIBRATORS else ""
    if obstacle:
        return f"{obstacle}, and there is no copy to tell by"
    return outcome.reason if outcome.verdict == verdict.INCONCLUSIVE else ""


def lacks(c: Comparison) -> str:
    """Why nothing was compared of one of the files, or ""."""
    for i, second in enumerate(c.files[1:], 1):
        if any(pair.has_ratio or pair.regression for pair in c.pairs_of(i)):
            continue
        for file in (c.files[0], second):
            if not file.rows:
                return f"nothing was compared: {file.path} has no rows"
        return (
            f"nothing was compared: no configuration has times in both {c.files[0].path} and "
            f"{second.path}"
        )
    return ""


def differences(c: Comparison, second: int) -> List[str]:
    """What else differs between the first file and this one, as "host: here -> there": the machine,
    the devices and their drivers, the versions of the plugins; then what the files do not say."""
    both = ((pair.first, pair.second) for pair in c.pairs_of(second))
    told = [line for a, b in both if a and b for line in _changes(a, b)]
    for i in (0, second):
        told += [f"{c.files[i].path} has {lack}" for lack in _lacks_of(c, i)]
    return list(dict.fromkeys(told))


def _changes(a: Row, b: Row) -> Iterator[str]:
    """One that is empty says nothing: a file may lack the column."""
    changes = [("host", a.host, b.host)]
    if a.backend == b.backend:
        changes.append((_of("device", a.backend), a.device, b.device))
        changes.append((_of("driver", a.backend), a.driver, b.driver))
    changes.append((_of("version", a.plugin), a.plugin_version, b.plugin_version))
    return (f"{what}: {old} -> {new}" for what, old, new in changes if old and new and old != new)


def _of(what: str, whose: str) -> str:
    return f"{what} of {whose}" if whose else what


def _lacks_of(c: Comparison, i: int) -> Iterator[str]:
    """What the rows of a file lack that could be compared."""
    found = [pair.second if i else pair.first for pair in (c.pairs_of(i) if i else c.pairs)]
    rows, file = [row for row in found if row and row.status == OK], c.files[i]
    on_host = [row for row in rows if not row.on_device]
    on_device = [row for row in rows if row.on_device]
    if rows and not any(row.absolute or row.per_spin for row in rows):
        yield "no intervals from rounds: whether a difference is more than noise cannot be known"
        return
    if rows and not file.has_rounds:
        yield "no rounds: its ratios are estimated from intervals"
    if on_host and not any(estimates.are_calibrated(row) for row in on_host):
        them = "frozen_scan, frozen_copy" if file.has_rounds else "time_per_scan, time_per_copy"
        yield (
            f"no calibrators ({them}): a change of the machine cannot be told from one of a plugin"
        )
    elif on_device and not any(estimates.are_calibrated(row) for row in on_device):
        yield (
            "neither a copy on the device (pct_copy_lo) nor its clock (clock_mhz), undisturbed: a "
            "change of the device cannot be told from one of a plugin"
        )
