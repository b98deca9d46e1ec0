"""What the CSVs of one or several runs say, as data: terminal, Markdown and page print it.

    file > workload (kind, op, types, cache, sweep) > problem (device, n) > entry (plugin) > setting (row)

Every row of every file has one `Use`: most stand in a problem, the others in one of the lists of
what is missing. Times are medians in ns. A ratio has an interval only where the rows can be
compared (ratio.py).
"""

from __future__ import annotations

import collections
import enum
import functools
import math
import os
import re
from dataclasses import dataclass, field
from typing import Collection, Optional, Sequence, Tuple

from .machine import devices_text
from .ratio import Ratio, ratio_of
from .rows import OK, STATUSES, ResultFile, Row, Sweep, Use
from .run_info import RunInfo
from .text import clean
from .verdict import is_slower, is_tied

PROCESSOR = "processor"
"""The place of all plugins that compute on the processor of the host."""

ProblemKey = Tuple[int, int, bool, bool, bool, str, int]
"""Workload, file, whether the data lie in host memory, whether in place, whether not on the processor,
place and n: orders problems, those of the processor first."""

FLAGS = {
    "noisy": ("its rounds leave the time in doubt", True),
    "spread": ("the rounds have several values, and the interval holds their quartiles", True),
    "busy": ("other programs or the hypervisor took the processor", True),
    "faults": ("pages of memory were mapped while the run was timed", True),
    "throttled": ("the GPU lowered its clock", True),
    "gpu_shared": ("another program computed on the GPU", True),
    "threads": ("the plugin would use more cores than it had", True),
    "remote_memory": ("the buffers lie on another NUMA node", True),
    "above_copy": ("faster than the copy, so there is a faster copy than those measured", True),
    "device_exceeds_run": ("the device's clock contradicts the host's", True),
    "device_below_run": ("the device's clock leaves much of the run unexplained", True),
    "slow_copies": ("copies of a few bytes take as long as a run, and could do its work", True),
    "bad_time": ("the plugin recorded a value that cannot be a time", True),
    "unknown_phase": ("the plugin recorded a time under an unknown name", True),
    "coarse_clock": ("a cold run, or a phase that has no row, is too short for the clock", True),
    "batch": ("one run is too short for the clock, so an interval holds several", False),
    "allocates_in_run": ("each run allocates, and its time includes that", False),
    "slow_first_run": ("the first run, which is not timed, did what belongs to create", False),
}
"""What each flag means, and whether it casts doubt on the time."""


class Standing(enum.Enum):
    """How a time relates to the best one that it competes with."""

    BEST = "best"
    SHORTEST = "shortest median"  # nobody can say whether it is faster than the next
    TIED = "tied"  # the interval of the ratio holds 1: they cannot be told apart
    BEHIND = "behind"  # certainly slower
    UNKNOWN = "unknown"  # without an interval nobody can say


class View(enum.Enum):
    """Which time it is that competes."""

    RESIDENT = "data already there"  # `run`, among the plugins of one device
    FROM_HOST = "data in host memory"  # `e2e`, against the `run` of plugins on the host


@dataclass
class Entry:
    """A time that competes: that of a plugin, by its best setting, or that of one of its settings."""

    row: Row  # of `run` or `e2e`
    settings: list[Entry] = field(default_factory=list)  # of a plugin: all, fastest first
    over_winner: Ratio = field(default_factory=Ratio)  # over the first of those it competes with
    standing: Standing = Standing.UNKNOWN  # among them
    copy: Optional[Row] = None  # the one that its pct_copy is held against; None: there is none


@dataclass
class Problem:
    """Who wins one problem on one device."""

    file: int
    workload: int  # which of Report.workloads
    view: View
    place: str  # PROCESSOR, or the name of a device; "" if any (FROM_HOST)
    in_place: bool  # of plugins whose output takes the place of the input, which is lost
    n: int
    rows: int  # of n elements each
    entries: list[Entry]  # algorithms, baselines and peers, fastest first; may be none
    ceilings: list[Entry]  # copies, which are limits and no competitors: fastest first

    @property
    def tied(self) -> list[Entry]:
        """The entries that cannot be told from the first, without itself."""
        return [entry for entry in self.entries if entry.standing is Standing.TIED]

    @property
    def ceiling(self) -> Optional[Row]:
        """The fastest copy's row: the best that a scan could be. A plugin's pct_copy may be held
        against another one, with as many threads as it has: Entry.copy."""
        return self.ceilings[0].row if self.ceilings else None


@dataclass
class Workload:
    """What can be drawn over n, of which each has one number of rows.

    Ceilings have neither kind nor operator, and stand in each workload of their type; those that
    belong to none have one of their own, with kind and op "".
    """

    kind: str  # or rows.ANY_KIND
    op: str
    types: str  # rows.Row.types
    cache: str
    sweep: Sweep = Sweep()
    problems: list[Problem] = field(default_factory=list)  # by file, view, in_place, place and n


@dataclass
class Missing:
    """Rows without times that have status and reason in common."""

    file: int
    status: str
    reason: str
    rows: list[Row]


@dataclass
class Flag:
    """Rows with the same flag, calibrators left out."""

    file: int
    word: str  # "noisy"; of batch=K: "batch"
    means: str  # a sentence; "" for an unknown one
    is_disturbed: bool  # it casts doubt on the time
    rows: list[Row]


@dataclass
class Report:
    files: Sequence[ResultFile]
    runs: list[Row] = field(default_factory=list)  # of each configuration, by file
    workloads: list[Workload] = field(default_factory=list)  # in the order of the files
    missing: list[Missing] = field(default_factory=list)  # by file, then the worst status first
    flags: list[Flag] = field(default_factory=list)  # by file, disturbed ones first
    baselines: dict[Tuple[int, int, int], Row] = field(default_factory=dict)
    """Of each file, workload and n: that of the plugin that is the file's baseline, with which the
    others are compared, whatever their device."""
    defaults: dict[str, set[str]] = field(default_factory=dict)
    """Of the tunables by plugin, "block=256", where the metadata say them."""

    @property
    def rows(self) -> list[Row]:
        """Those of all files, by their numbers."""
        return [row for file in self.files for row in file.rows]

    def label(self, file: int, prefix: str = "", suffix: str = "") -> str:
        """The label of a file; "" if there is only one."""
        return f"{prefix}{self.files[file].label}{suffix}" if len(self.files) > 1 else ""

    def rows_of(self, use: Use) -> list[Row]:
        """The rows that have that use, by file."""
        return [row for row in self.rows if row.use is use]

    @functools.cached_property
    def varied(self) -> set[tuple[str, str]]:
        """The tunables that have several values, in whatever file, each with its plugin."""
        values: dict[tuple[str, str], set[str]] = collections.defaultdict(set)
        for row in self.rows:
            for name, value in row.settings.items():
                values[row.plugin, name].add(value)
        return {tunable for tunable, several in values.items() if len(several) > 1}

    def short_setting(self, row: Row) -> str:
        """What differs between the settings of the row's plugin: "block=256 vt=7"."""
        settings = row.settings.items()
        return " ".join(f"{k}={value}" for k, value in settings if (row.plugin, k) in self.varied)

    def constant_settings(self, row: Row) -> list[str]:
        """What short_setting leaves out and somebody has set: what is not the default or, where that
        is not known, not 0, which mostly leaves it to the plugin."""
        defaults = self.defaults.get(row.plugin)
        return [
            f"{name}={value}"
            for name, value in row.settings.items()
            if (row.plugin, name) not in self.varied and value
            if (f"{name}={value}" not in defaults if defaults else value != "0")
        ]


def make_report(files: Sequence[ResultFile], infos: Sequence[RunInfo]) -> Report:
    """The report of files that are read, with what lies beside each."""
    for file, info, label in zip(files, infos, make_labels(files)):
        file.info, file.label = info, label
    report = Report(files)
    for number, row in enumerate(report.rows):
        row.number = number
    for number, file in enumerate(report.files):
        find_sweeps(report, number)
        find_runs(report, number)
        find_missing(report, number)
        find_flags(report, number)
        for plugin in file.info.plugins:
            if plugin.defaults:
                report.defaults.setdefault(plugin.id, set()).update(plugin.defaults.split(";"))
    make_problems(report)
    return report


# ---- labels --------------------------------------------------------------------------------------


def file_name(path: str) -> str:
    """ "h200" of "results/h200.csv"."""
    name = os.path.basename(path) or path
    return "stdin" if path == "-" else clean(name.removesuffix(".csv") or name)


def make_labels(files: Sequence[ResultFile]) -> list[str]:
    """A short label for each file, unlike those of the others. Files of one name are told apart by
    machine, host or time, else by their number; never by folders, which are their author's."""
    names = [file_name(file.path) for file in files]
    labels = list(names)
    for name in set(names):
        numbers = [number for number, other in enumerate(names) if other == name]
        rows = [next(iter(files[number].rows), None) for number in numbers]
        ways = (
            [devices_text(files[number]) for number in numbers],
            [row.host if row else "" for row in rows],
            [row.timestamp_utc[:10] if row else "" for row in rows],
            [row.timestamp_utc if row else "" for row in rows],
            [str(place) for place in range(1, len(numbers) + 1)],
        )
        words = next(way for way in ways if "" not in way and len(set(way)) == len(way))
        for number, word in zip(numbers, words if len(numbers) > 1 else ()):
            labels[number] = f"{name} ({word})"
    if len(set(labels)) < len(labels):
        return [f"{name} ({number})" for number, name in enumerate(names, 1)]
    return labels


# ---- configurations ------------------------------------------------------------------------------


def make_sweeps(shapes: Collection[Tuple[int, int, int]]) -> dict[Tuple[int, int, int], Sweep]:
    """The sweep of each shape (n, rows, inner), all of one inner: that of its number of rows; or that of
    its elements, which --elements keeps within a factor of two, if that makes fewer sweeps."""
    by_rows = {shape: Sweep(*shape[1:]) for shape in shapes}
    alike: list[list[Tuple[int, int, int]]] = []
    for shape in sorted(shapes, key=math.prod):
        if alike and math.prod(shape) < 2 * math.prod(alike[-1][0]):
            alike[-1].append(shape)
        else:
            alike.append([shape])
    by_elements = dict(by_rows)
    for some in (some for some in alike if len({by_rows[shape] for shape in some}) > 1):
        if len({n for n, _, _ in some}) < len(some):
            return by_rows
        elements = float(f"{math.prod(some[len(some) // 2]):.2g}")
        by_elements.update(dict.fromkeys(some, Sweep(0, some[0][2], int(elements))))
    is_less = len(set(by_elements.values())) < len(set(by_rows.values()))
    return by_elements if is_less else by_rows


def find_sweeps(report: Report, number: int) -> None:
    """Tells each row of a file which others can be drawn with it over n."""
    rows = report.files[number].rows
    shapes = {row.shape for row in rows}
    sweeps: dict[Tuple[int, int, int], Sweep] = {}
    for inner in {inner for _, _, inner in shapes}:
        sweeps.update(make_sweeps([shape for shape in shapes if shape[2] == inner]))
    for row in rows:
        row.sweep = sweeps[row.shape]


def find_runs(report: Report, number: int) -> None:
    """Puts the rows of each configuration of a file together; those without a run are incomplete."""
    configurations: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in report.files[number].rows:
        row.file = number
        row.is_alone |= report.files[number].info.sequential
        if row.status != OK:
            row.use = Use.FAILED
        elif row.is_calibrator:
            row.use = Use.CALIBRATOR
        else:
            key = (row.key, row.backend, row.device, row.kinds)
            row.phases = configurations.setdefault(key, {})
            is_new = row.phases.setdefault(row.phase, row) is row
            row.use = Use.SHOWN if is_new else Use.REPEATED
    for phases in configurations.values():
        if "run" in phases:
            report.runs.append(phases["run"])
            continue
        for row in phases.values():
            row.use = Use.INCOMPLETE


def find_missing(report: Report, number: int) -> None:
    """Groups the rows of a file that are not ok by status and reason."""
    groups: dict[tuple[str, str], Missing] = {}
    for row in report.files[number].rows:
        if row.status != OK:
            new = Missing(number, row.status, row.reason, [])
            groups.setdefault((row.status, row.reason), new).rows.append(row)
    report.missing += sorted(groups.values(), key=lambda m: -STATUSES.index(m.status))


def find_flags(report: Report, number: int) -> None:
    """The flags of all rows of a file but those of calibrators, by word, which stands before "="."""
    flags: dict[str, Flag] = {}
    for row in report.files[number].rows:
        for word in [] if row.is_calibrator else row.flag_words:
            means, is_disturbed = FLAGS.get(word, ("", False))
            flags.setdefault(word, Flag(number, word, means, is_disturbed, [])).rows.append(row)
    report.flags += sorted(flags.values(), key=lambda f: (not f.is_disturbed, -len(f.rows), f.word))


# ---- problems ------------------------------------------------------------------------------------


def find_competitors(report: Report) -> dict[ProblemKey, list[Row]]:
    """Which times compete in each problem. A ceiling stands in all workloads of its type that its file
    has, or in one of its own."""
    found: dict[ProblemKey, list[Row]] = collections.defaultdict(list)
    numbers: dict[tuple[str, str, str, str, Sweep], int] = {}
    of_type: dict[tuple[object, ...], dict[int, None]] = collections.defaultdict(dict)

    def workload_of(kind: str, op: str, row: Row) -> int:
        words = (kind, op, row.types, row.cache, row.sweep)
        if words not in numbers:
            numbers[words] = len(numbers)
            report.workloads.append(Workload(*words))
        return numbers[words]

    def add(workload: int, row: Row, from_host: bool = False) -> None:
        place = "" if from_host else row.device if row.on_device else PROCESSOR
        where = (from_host, row.is_in_place, place != PROCESSOR, place)
        found[(workload, row.file, *where, row.n)].append(row)

    for run in (run for run in report.runs if not run.is_ceiling):
        workload = workload_of(run.kinds, run.op, run)
        of_type[run.file, run.types, run.cache, run.sweep][workload] = None
        add(workload, run)
        # A plugin of the processor works on host memory.
        from_host = run.phases.get("e2e", run if run.backend == "cpu" else None)
        if from_host:
            add(workload, from_host, True)
    for run in (run for run in report.runs if run.is_ceiling):
        workloads = of_type.get((run.file, run.types, run.cache, run.sweep))
        for workload in workloads or [workload_of("", "", run)]:
            add(workload, run)
    return found


def standings(ratios: Sequence[Ratio]) -> list[Standing]:
    """What times are to the first of them, from the shortest median to the longest.

    Behind one that is certainly slower nobody is tied: a longer time whose interval holds 1 has too
    few or too noisy rounds. One that is certainly faster within the rounds, though its median is
    longer, is not known either."""
    found = [Standing.BEST]  # also of one without others
    is_behind = False
    for ratio in ratios[1:]:
        is_behind = is_behind or is_slower(ratio)
        if is_slower(ratio):
            found.append(Standing.BEHIND)
        else:
            found.append(Standing.TIED if is_tied(ratio) and not is_behind else Standing.UNKNOWN)
    if found[1:2] == [Standing.UNKNOWN]:
        found[0] = Standing.SHORTEST
    return found


def ranked(entries: list[Entry]) -> list[Entry]:
    """The entries by time, each with what it is to the first."""
    entries.sort(key=lambda e: (e.row.median_ns, e.row.plugin))
    ratios = [ratio_of(entry.row, entries[0].row) for entry in entries]
    for entry, ratio, standing in zip(entries, ratios, standings(ratios)):
        entry.over_winner, entry.standing = ratio, standing
    return entries


def threads_of(row: Row) -> float:
    """How many threads it has at most: as many as there are cores where nothing is set (0)."""
    threads = row.settings.get("threads", "")
    return (int(threads) or math.inf) if threads.isdecimal() else 1


def find_copies(entries: Sequence[Entry], ceilings: Sequence[Entry]) -> None:
    """The copy that pct_copy of each row is held against, as docs/csv.md says: of the same backend and
    device, in as many parts, the fastest with at most as many threads."""

    def place(one: Row) -> tuple[str, str, str]:
        return one.backend, one.device, one.parts or "1"

    copies: dict[tuple[str, str, str], list[Row]] = collections.defaultdict(list)
    rows = (setting.row for entry in ceilings for setting in entry.settings)
    for copy in sorted(rows, key=lambda row: row.median_ns):
        mine = copies[place(copy)]
        if not mine or threads_of(copy) < threads_of(mine[-1]):  # else another is faster
            mine.append(copy)
    for entry in entries:
        threads = threads_of(entry.row)
        mine = copies.get(place(entry.row), [])
        entry.copy = next((copy for copy in mine if threads_of(copy) <= threads), None)


def make_problem(key: ProblemKey, rows: Sequence[Row]) -> Problem:
    """Ranks all that competes in a problem."""
    workload, file, from_host, in_place, _, place, n = key
    groups: dict[tuple[bool, str, str, str], list[Entry]] = collections.defaultdict(list)
    for row in rows:
        is_copy = row.phases["run"].is_ceiling
        groups[is_copy, row.plugin, row.backend, row.device].append(Entry(row))
    settings = [ranked(groups[plugin]) for plugin in sorted(groups)]
    plugins = [Entry(of[0].row, of) for of in settings]
    copies = sum(is_copy for is_copy, *_ in groups)
    ceilings = ranked(plugins[len(plugins) - copies :])
    entries = ranked(plugins[: len(plugins) - copies])
    find_copies(entries, ceilings)
    view = View.FROM_HOST if from_host else View.RESIDENT
    return Problem(file, workload, view, place, in_place, n, rows[0].rows, entries, ceilings)


def make_problems(report: Report) -> None:
    for key, rows in sorted(find_competitors(report).items()):
        problem = make_problem(key, rows)
        if problem.view is View.RESIDENT:
            baseline = report.files[problem.file].info.baseline
            row = next((e.row for e in problem.entries if e.row.plugin == baseline), None)
            if row:
                report.baselines.setdefault((problem.file, problem.workload, problem.n), row)
        # Data in host memory is a question of its own only where somebody copies it.
        elif not any(row.phase == "e2e" for row in rows):
            continue
        report.workloads[problem.workload].problems.append(problem)
