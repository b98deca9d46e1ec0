"""The times of a folder of CSVs, a file a commit, and the commits where they changed.

A series is one configuration on one device of one machine. Its rule is that of `compare`, against the
level before: the first five runs of the level, so that a slow drift adds up, and its last five, so that
a step after a drift is not lost. Of several runs each estimate is the median, and its interval that of
the median of their errors. A run changed the time if verdict.across says faster or slower, and p is at
most 5 % over the number of comparisons in the folder (Bonferroni: which of them follow depends on what
was found, so Holm's rule has no fixed family).

A change begins at the first of the runs directly before that are nearer to the new time than to the
level. A run whose next is nearer to the level again changed `once`; the level goes on.
"""

from __future__ import annotations

import collections
import math
import os
import re
import statistics
from dataclasses import dataclass, field
from typing import Counter, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import estimates, rows, run_info, verdict
from .csv_table import ResultError
from .machine import machine_name
from .report import file_name
from .rows import FAILURES, OK, ResultFile, Row
from .verdict import Estimate, Outcome
from .whole_file import complain
from .words import some_of

LEVEL = 5
"""How many runs stand for the beginning and the end of a level."""

_OF_MEDIAN = math.sqrt(math.pi / 2)  # the error of a median over that of a mean

ORDERS = ("date of the commit", "start of the run", "name of the file")


@dataclass
class Point:
    """What one file says of a series."""

    file: ResultFile
    row: Optional[Row]  # None: the file does not have it
    over_level: Outcome = field(default_factory=Outcome)  # over the level that it belongs to
    change: Optional[Outcome] = None  # over the level before, if the time changed here
    once: bool = False  # the next run is back at the level before
    found: Optional[ResultFile] = None  # by which run the change became certain

    @property
    def is_measured(self) -> bool:
        return self.row is not None and self.row.status == OK

    @property
    def word(self) -> str:
        """What happened here: "slower", "faster, once", "crashed", or ""."""
        if self.row and self.row.status in FAILURES:
            return self.row.status
        return f"{self.change.verdict}{', once' if self.once else ''}" if self.change else ""


@dataclass
class Series:
    points: List[Point]  # one a file of the machine, in their order

    @property
    def row(self) -> Row:
        """The last that was measured."""
        return self.measured[-1]

    @property
    def measured(self) -> List[Row]:
        return [p.row for p in self.points if p.row and p.is_measured]


@dataclass
class Machine:
    name: str
    files: List[ResultFile]
    series: List[Series]


@dataclass
class History:
    order: str  # of ORDERS
    threshold: float  # relative
    machines: List[Machine]

    @property
    def comparisons(self) -> int:
        """How many there are: each run but the first of a series, with two ends of its level."""
        return sum(2 * (len(s.measured) - 1) for machine in self.machines for s in machine.series)


# ---- files ---------------------------------------------------------------------------------------


def csvs_of(folder: str) -> List[str]:
    """The paths of the CSVs in a folder. ResultError if it cannot be read."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".csv"))
    except OSError as error:
        raise ResultError(f"--history {folder}: {error.strerror}; name a folder of CSVs") from None
    return [os.path.join(folder, name) for name in names]


def read_folder(folder: str) -> List[ResultFile]:
    """All CSVs of the folder that hold rows; what the others are is said on stderr. ResultError if
    none is left."""
    files = []
    for path in csvs_of(folder):
        try:
            file = rows.read(path)
        except ResultError as error:
            complain(f"{error}; this file is left out")
            continue
        file.info = run_info.read(path)
        if file.rows:
            files.append(file)
        else:
            complain(f"{path} has no rows; this file is left out")
    if not files:
        raise ResultError(
            f"--history {folder}: there are no results; keep a CSV of each commit there"
        )
    return files


def _start(file: ResultFile) -> str:
    return file.rows[0].timestamp_utc


def in_order(files: Sequence[ResultFile]) -> Tuple[str, List[ResultFile]]:
    """The files in the first order of ORDERS that all of them know. Where all have the same commit,
    which is that of scanbench, another program is measured: its date says nothing."""
    dates = [file.info.commit_date for file in files]
    if all(dates) and len(set(dates)) > 1:
        return ORDERS[0], sorted(files, key=lambda f: (f.info.commit_date, _start(f), f.path))
    if all(re.match(r"\d{4}-\d\d-\d\dT", _start(file)) for file in files):
        return ORDERS[1], sorted(files, key=lambda f: (_start(f), f.path))
    return ORDERS[2], sorted(files, key=lambda f: f.path)


def _find_labels(files: Sequence[ResultFile]) -> None:
    """The revisions of the builds, if they tell the files apart; else the names of the files."""
    revisions = [file.info.git_revision for file in files]
    apart = all(revisions) and len(set(revisions)) == len(files) > 1
    for file, revision in zip(files, revisions):
        file.label = revision if apart else file_name(file.path)


def machine_of(file: ResultFile) -> Tuple[str, ...]:
    """What must be alike for times to be compared: processor and topology; where they are not known,
    the host and its processor. The host's name is not asked otherwise: runners of CI have a new one
    each time."""
    if file.info.cpu:
        return file.info.cpu, file.info.topology
    cpu = next((row.device for row in file.rows if row.backend == "cpu"), "")
    return "", file.rows[0].host, cpu


def _machine_name(files: Sequence[ResultFile]) -> str:
    """ "AMD EPYC, 2 cores; hosts a, b"."""
    hosts = list(dict.fromkeys(file.rows[0].host for file in files))
    return f"{machine_name(files[0])}; host{'s' if len(hosts) > 1 else ''} {some_of(hosts)}"


# ---- series --------------------------------------------------------------------------------------


class _Key(NamedTuple):
    """What the rows of a series have in common. Two devices of one name are told apart by their order."""

    configuration: Tuple[object, ...]  # Row.key
    backend: str
    device: str
    place: int


def _rows_of(file: ResultFile) -> Dict[_Key, Row]:
    """The rows of `run` by series."""
    count: Counter[_Key] = collections.Counter()
    found: Dict[_Key, Row] = {}
    for row in file.rows:
        if row.is_run:
            key = _Key(row.key, row.backend, row.device, 0)
            found[key._replace(place=count[key])] = row
            count[key] += 1
    return found


def _make_series(files: Sequence[ResultFile]) -> List[Series]:
    measured = [_rows_of(file) for file in files]
    failed = [{row.key: row for row in file.rows if row.status != OK} for file in files]
    keys = dict.fromkeys(key for of in reversed(measured) for key in of)  # as in the newest file
    return [
        Series(
            [
                Point(file, good.get(key) or bad.get(key.configuration))
                for file, good, bad in zip(files, measured, failed)
            ]
        )
        for key in keys
    ]


# ---- changes -------------------------------------------------------------------------------------


def _middle(some: Sequence[Optional[Estimate]]) -> Optional[Estimate]:
    """Of the same estimate in several runs; None if one of them does not have it."""
    known = [it for it in some if it]
    if len(known) < len(some):
        return None
    errors = verdict.total([Estimate(0, it.lo - it.median, it.hi - it.median) for it in known])
    share = (_OF_MEDIAN if len(known) > 2 else 1) / len(known)
    median = statistics.median(it.median for it in known)
    calibrated = all(it.calibrated for it in known)
    return Estimate(median, median + share * errors.lo, median + share * errors.hi, calibrated)


def _log(ratio: float) -> float:
    """Also of a ratio that is out of all bounds."""
    return math.log(min(max(ratio, 1e-300), 1e300))


def against(level: Sequence[Row], row: Row, threshold: float) -> Outcome:
    """A run against those of a level, as `compare` judges one against one."""
    pairs = [estimates.of_pair(old, row) for old in level]
    first = [_middle(some) for some in zip(*(old for old, _ in pairs))]
    outcome = verdict.across(first, pairs[-1][1], threshold)
    if not outcome.has_interval:
        outcome.ratio = row.median_ns / statistics.median(old.median_ns for old in level)
    return outcome


@dataclass
class Change:
    """By the places of runs: a level begins at `first`, which `found` made certain; or it is `once`."""

    first: int
    found: int
    once: bool
    outcome: Outcome


def find_changes(series: Sequence[Row], most_p: float, threshold: float) -> List[Change]:
    """The changes of the runs of a series."""

    def judge(level: Sequence[int], run: int) -> Outcome:
        return against([series[k] for k in level], series[run], threshold)

    def is_new(level: Sequence[int], run: int, change: Outcome) -> bool:
        """Is the run nearer to the new time than to the level?"""
        return _log(judge(level, run).ratio) / _log(change.ratio) > 0.5

    changes: List[Change] = []
    level = [0]
    for run in range(1, len(series)):
        for end in (level[:LEVEL], level[-LEVEL:]):
            change = judge(end, run)
            if change.verdict in (verdict.FASTER, verdict.SLOWER) and change.p <= most_p:
                break
        else:
            level.append(run)
            continue
        if run + 1 < len(series) and not is_new(end, run + 1, change):
            changes.append(Change(run, run, True, change))
            continue
        new = [run]
        while len(level) > 1 and is_new(end, level[-1], change):
            new.insert(0, level.pop())
        changes.append(Change(new[0], run, False, change))
        level = new
    return changes


def _mark(series: Series, most_p: float, threshold: float) -> None:
    """Tells the points of a series what they are to their level, and where it changed."""
    points = [point for point in series.points if point.is_measured]
    rows_of = series.measured
    changes = {change.first: change for change in find_changes(rows_of, most_p, threshold)}
    level: List[Row] = []
    for place, (point, row) in enumerate(zip(points, rows_of)):
        change = changes.get(place)
        if change:
            point.change, point.once = change.outcome, change.once
            point.found = points[change.found].file
            level = level if change.once else []
        if level:
            point.over_level = against(level[:LEVEL], row, threshold)
        if not (change and change.once):
            level.append(row)


def make_history(some: Sequence[ResultFile], threshold: float) -> History:
    """The history of files that have rows. Those of different machines are never compared."""
    order, files = in_order(some)
    _find_labels(files)
    by_machine: Dict[Tuple[str, ...], List[ResultFile]] = {}
    for file in files:
        by_machine.setdefault(machine_of(file), []).append(file)
    machines = [
        Machine(_machine_name(some), some, _make_series(some)) for some in by_machine.values()
    ]
    history = History(order, threshold, machines)
    for series in (series for machine in machines for series in machine.series):
        _mark(series, verdict.ALPHA / max(history.comparisons, 1), threshold)
    return history
