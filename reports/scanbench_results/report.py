"""What the CSVs of one or several runs say, as data: terminal, Markdown and page print it.

    file > workload (kind, op, dtype, cache) > problem (device, n) > entry (plugin) > setting

Every row of every file has one `Use`: most stand in a problem, the others in one of the lists of
what is missing. Times are medians in ns. A ratio has an interval only where the rows can be
compared (ratio.py).
"""

from __future__ import annotations

import collections
import enum
import itertools
import math
import re
from dataclasses import dataclass, field
from typing import Optional, Sequence, Tuple

from .ratio import Ratio, ratio_of
from .rows import OK, STATUSES, ResultFile, Row, is_calibrator, is_in_place
from .run_info import RunInfo
from .text import clean
from .verdict import is_slower, is_tied

PROCESSOR = "processor"
"""The place of all plugins that compute on the processor of the host."""

ProblemKey = Tuple[int, int, int]
"""File, workload and n."""

WorkloadKey = Tuple[str, str, str, str]
"""Kind, operator, dtype and cache."""

FLAGS = {
    "noisy": ("the half width of the interval is above 1.25 %, or there is no interval", True),
    "spread": ("the rounds have several values, and the interval holds their quartiles", True),
    "busy": ("other programs or the hypervisor took the processor", True),
    "faults": ("pages of memory were mapped while the run was timed", True),
    "throttled": ("the GPU lowered its clock", True),
    "gpu_shared": ("another program computed on the GPU", True),
    "threads": ("the plugin would use more cores than it had", True),
    "shared_core": ("another thread worked on the same core", True),
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
}
"""What each flag means, and whether it casts doubt on the time."""


class Use(enum.Enum):
    """Why a row is where it is."""

    SHOWN = "shown"  # in a problem, as a time of a setting or of a copy
    FAILED = "not measured"  # not ok: `Report.missing` has its status and reason
    INCOMPLETE = "incomplete"  # ok, but the row of its run is not there
    REPEATED = "repeated"  # the same configuration and phase as an earlier row
    CALIBRATOR = "calibrator"  # the harness's own scan and copy: for ratios between runs


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
class ReportFile:
    """A file, what its metadata say, and a short label unlike those of the other files."""

    results: ResultFile
    info: RunInfo
    label: str  # "h200" of results/h200.csv


@dataclass
class Configuration:
    """A plugin on a device with one problem and one setting, with all its times."""

    file: int  # which of Report.files
    run: Row
    phases: dict[str, Row]  # all its rows by phase, that of the run among them, as in the file


@dataclass
class Setting:
    """One setting of a plugin's tunables, and where it competes."""

    configuration: Configuration
    row: Row  # that of the time that competes: of `run` or `e2e`
    workload: int  # which of Report.workloads
    view: View
    place: str  # of the problem
    is_ceiling: bool
    standing: Standing = Standing.UNKNOWN  # among the settings of its plugin

    def problem(self) -> tuple[object, ...]:
        """What all of one problem have in common; orders problems, the processor first."""
        of = (self.workload, self.configuration.file, self.view is View.FROM_HOST)
        where = (is_in_place(self.row), self.place != PROCESSOR, self.place)
        return (*of, *where, self.row.n)

    def entry(self) -> tuple[object, ...]:
        """What the settings of one plugin have in common, within a problem."""
        return (self.is_ceiling, self.row.plugin, self.row.backend, self.row.device)


@dataclass
class Entry:
    """A plugin that competes, by its best setting."""

    row: Row  # settings[0].row
    settings: list[Setting]  # fastest first
    over_winner: Ratio
    standing: Standing  # among the plugins
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
    entries: list[Entry]  # algorithms, baselines and peers, fastest first; may be none
    ceilings: list[Entry]  # copies, which are limits and no competitors: fastest first
    tied: int  # how many entries cannot be told from the first, without itself

    def find(self, plugin: str) -> Optional[Entry]:
        """The entry of a plugin. Of two devices of one backend, the first is found."""
        return next((e for e in self.entries if e.row.plugin == plugin), None)

    @property
    def ceiling(self) -> Optional[Row]:
        """The fastest copy's row: the best that a scan could be. A plugin's pct_copy may be held
        against another one, with as many threads as it has: Entry.copy."""
        return self.ceilings[0].row if self.ceilings else None


@dataclass
class Workload:
    """What can be drawn over n.

    Ceilings have neither kind nor operator, and stand in each workload of their type; those that
    belong to none have one of their own, with kind and op "".
    """

    kind: str  # or rows.ANY_KIND
    op: str
    dtype: str
    cache: str
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
    files: list[ReportFile]
    configurations: list[Configuration] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)  # in the order of the files
    missing: list[Missing] = field(default_factory=list)  # by file, then the worst status first
    flags: list[Flag] = field(default_factory=list)  # by file, disturbed ones first
    uses: list[Use] = field(default_factory=list)  # of each row, by its number
    numbers: dict[int, int] = field(default_factory=dict)  # of rows, by id()
    baselines: dict[ProblemKey, Entry] = field(default_factory=dict)
    # Tunables of several values, by plugin.
    varied: dict[str, set[str]] = field(default_factory=dict)

    # Of the tunables by plugin, "block=256", where the metadata say them.
    defaults: dict[str, set[str]] = field(default_factory=dict)

    def number(self, row: Row) -> int:
        """Which of all rows of all files it is, from 0."""
        return self.numbers[id(row)]

    def use(self, row: Row) -> Use:
        """Why the row is where it is."""
        return self.uses[self.number(row)]

    def rows_of(self, use: Use) -> list[Row]:
        """The rows that have that use, by file."""
        rows = (row for file in self.files for row in file.results.rows)
        return [row for row in rows if self.use(row) is use]

    def baseline(self, problem: Problem) -> Optional[Entry]:
        """The entry that the others of a problem are compared with, in its own device's problem:
        the entry of the same file, workload and n whose plugin is the file's baseline."""
        return self.baselines.get((problem.file, problem.workload, problem.n))

    def short_setting(self, row: Row) -> str:
        """What differs between the settings of the row's plugin: "block=256 vt=7"."""
        varied = self.varied.get(row.plugin, set())
        return " ".join(f"{name}={value}" for name, value in tunables(row) if name in varied)

    def constant_settings(self, row: Row) -> list[str]:
        """What short_setting leaves out and somebody has set: what is not the default or, where that
        is not known, not 0, which mostly leaves it to the plugin."""
        varied, defaults = self.varied.get(row.plugin, set()), self.defaults.get(row.plugin)
        return [
            f"{name}={value}"
            for name, value in tunables(row)
            if name not in varied and value
            if (f"{name}={value}" not in defaults if defaults else value != "0")
        ]


def make_report(files: Sequence[ResultFile], infos: Sequence[RunInfo]) -> Report:
    """The report of files that are read, with what lies beside each."""
    labels = make_labels(files)
    report = Report([ReportFile(*each) for each in zip(files, infos, labels)])
    rows = [row for file in files for row in file.rows]
    report.numbers = {id(row): number for number, row in enumerate(rows)}
    report.uses = [Use.SHOWN] * len(rows)
    find_configurations(report)
    find_missing(report)
    make_problems(report, add_ceilings(report, add_plugins(report)))
    find_baselines(report)
    find_flags(report)
    find_varied(report)
    find_defaults(report)
    return report


# ---- settings ------------------------------------------------------------------------------------


def tunables(row: Row) -> list[tuple[str, str]]:
    """The names and values of a row's setting."""
    words = [f"block={row.block}"] * bool(row.block) + [f"vt={row.vt}"] * bool(row.vt)
    words += row.params.split(";") if row.params else []
    return [(name, value) for name, _, value in (word.partition("=") for word in words)]


def find_varied(report: Report) -> None:
    """Lists the tunables of each plugin that have several values, in whatever file."""
    values: dict[tuple[str, str], set[str]] = {}
    for row in (row for file in report.files for row in file.results.rows):
        for name, value in tunables(row):
            values.setdefault((row.plugin, name), set()).add(value)
    for (plugin, name), all_values in values.items():
        if len(all_values) > 1:
            report.varied.setdefault(plugin, set()).add(name)


def find_defaults(report: Report) -> None:
    for plugin in (plugin for file in report.files for plugin in file.info.plugins):
        if plugin.defaults:
            report.defaults.setdefault(plugin.id, set()).update(plugin.defaults.split(";"))


# ---- labels --------------------------------------------------------------------------------------


def file_name(path: str) -> str:
    """ "h200" of "results/h200.csv"."""
    name = path[path.rfind("/") + 1 :] or path
    name = name[:-4] if len(name) > 4 and name.endswith(".csv") else name
    return "stdin" if path == "-" else clean(name)


def machine_text(file: ResultFile) -> str:
    """The devices of a file, else its processor, as people call them: "NVIDIA H200", "Intel Xeon"."""
    rows = [row for row in file.rows if row.device]
    mine = [row for row in rows if row.on_device] or [row for row in rows if row.backend == "cpu"]
    names = dict.fromkeys(row.device for row in mine)
    short = (re.sub(r"\((R|TM)\)|\b(CPU|Processor)\b|@.*", "", name) for name in names)
    return " and ".join(" ".join(name.split()) for name in short)


def make_labels(files: Sequence[ResultFile]) -> list[str]:
    """A short label for each file, unlike those of the others. Files of one name are told apart by
    machine, host or time, else by their number; never by folders, which are their author's."""
    names = [file_name(file.path) for file in files]
    alike: dict[str, list[int]] = collections.defaultdict(list)
    for number, name in enumerate(names):
        alike[name].append(number)
    labels = list(names)
    for name, numbers in alike.items():
        if len(numbers) == 1:
            continue
        rows = [next(iter(files[number].rows), None) for number in numbers]
        ways = (
            [machine_text(files[number]) for number in numbers],
            [row.host if row else "" for row in rows],
            [row.timestamp_utc[:10] if row else "" for row in rows],
            [row.timestamp_utc if row else "" for row in rows],
            [str(place) for place in range(1, len(numbers) + 1)],
        )
        words = next(way for way in ways if "" not in way and len(set(way)) == len(way))
        for number, word in zip(numbers, words):
            labels[number] = f"{name} ({word})"
    if len(set(labels)) < len(labels):
        return [f"{name} ({number})" for number, name in enumerate(names, 1)]
    return labels


# ---- configurations ------------------------------------------------------------------------------


def is_ceiling(row: Row) -> bool:
    return row.role == "ceiling" or (not row.op and not row.kind)


def configuration_key(row: Row) -> tuple[object, ...]:
    """What the rows of one configuration of one file have in common."""
    setting = (row.block, row.vt, row.params, row.cache)
    problem = (row.n, row.kind, row.op, row.dtype, row.kinds)
    return (row.plugin, row.backend, row.device) + problem + setting


def find_configurations(report: Report) -> None:
    """Puts the rows of each configuration together; those without a run are incomplete."""
    for file, of in enumerate(report.files):
        gathered: dict[tuple[object, ...], dict[str, Row]] = {}
        for row in of.results.rows:
            if row.status != OK:
                report.uses[report.number(row)] = Use.FAILED
                continue
            if is_calibrator(row):
                report.uses[report.number(row)] = Use.CALIBRATOR
                continue
            phases = gathered.setdefault(configuration_key(row), {})
            if phases.setdefault(row.phase, row) is not row:
                report.uses[report.number(row)] = Use.REPEATED
        for phases in gathered.values():
            if "run" in phases:
                report.configurations.append(Configuration(file, phases["run"], phases))
                continue
            for row in phases.values():
                report.uses[report.number(row)] = Use.INCOMPLETE


def find_missing(report: Report) -> None:
    """Groups the rows that are not ok by status and reason."""
    for file, of in enumerate(report.files):
        groups: dict[tuple[str, str], Missing] = {}
        for row in of.results.rows:
            if row.status != OK:
                new = Missing(file, row.status, row.reason, [])
                groups.setdefault((row.status, row.reason), new).rows.append(row)
        report.missing += sorted(groups.values(), key=lambda m: -STATUSES.index(m.status))


# ---- problems ------------------------------------------------------------------------------------


def find_workload(report: Report, known: dict[WorkloadKey, int], words: WorkloadKey) -> int:
    """The workload of these words; a new one if there is none."""
    if words not in known:
        known[words] = len(report.workloads)
        report.workloads.append(Workload(*words))
    return known[words]


def place_of(row: Row) -> str:
    return row.device if row.on_device else PROCESSOR


def add_plugins(report: Report) -> list[Setting]:
    """The plugins: in which workload, and by which times they compete."""
    known: dict[WorkloadKey, int] = {}
    candidates = []
    for c in report.configurations:
        run = c.run
        if is_ceiling(run):
            continue
        workload = find_workload(report, known, (run.kinds, run.op, run.dtype, run.cache))
        candidates.append(Setting(c, run, workload, View.RESIDENT, place_of(run), False))
        # A plugin of the processor works on host memory.
        from_host = c.phases.get("e2e", run if run.backend == "cpu" else None)
        if from_host:
            candidates.append(Setting(c, from_host, workload, View.FROM_HOST, "", False))
    return candidates


def add_ceilings(report: Report, candidates: list[Setting]) -> list[Setting]:
    """A ceiling stands in all workloads of its type that its file has, or in one of its own."""
    has: dict[tuple[int, str, str], dict[int, None]] = collections.defaultdict(dict)
    for c in candidates:
        has[c.configuration.file, c.row.dtype, c.row.cache][c.workload] = None
    known: dict[WorkloadKey, int] = {}
    ceilings = []
    for configuration in report.configurations:
        run = configuration.run
        if not is_ceiling(run):
            continue
        workloads = list(has.get((configuration.file, run.dtype, run.cache), ()))
        workloads = workloads or [find_workload(report, known, ("", "", run.dtype, run.cache))]
        ceilings += [
            Setting(configuration, run, workload, View.RESIDENT, place_of(run), True)
            for workload in workloads
        ]
    return candidates + ceilings


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


def make_entry(settings: list[Setting], sequential: bool) -> Entry:
    """An entry of settings of one plugin, fastest first; not yet ranked."""
    best = settings[0].row
    ratios = [ratio_of(setting.row, best, sequential) for setting in settings]
    for setting, standing in zip(settings, standings(ratios)):
        setting.standing = standing
    return Entry(best, settings, ratios[0], Standing.UNKNOWN)


def rank(entries: list[Entry], sequential: bool) -> None:
    """Orders the entries by time, and says what they are to the first."""
    entries.sort(key=lambda e: (e.row.median_ns, e.row.plugin))
    ratios = [ratio_of(entry.row, entries[0].row, sequential) for entry in entries]
    for entry, ratio, standing in zip(entries, ratios, standings(ratios)):
        entry.over_winner, entry.standing = ratio, standing


def threads_of(row: Row) -> float:
    """How many threads it has at most: as many as there are cores where nothing is set (0)."""
    found = re.search(r"(?:^|;)threads=([0-9]+)", row.params)
    return (int(found[1]) or math.inf) if found else 1


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


def make_problem(report: Report, candidates: list[Setting]) -> Problem:
    first = candidates[0]
    file, row = first.configuration.file, first.row
    sequential = report.files[file].info.sequential
    competing: list[Entry] = []
    ceilings: list[Entry] = []
    for _, group in itertools.groupby(candidates, Setting.entry):
        settings = list(group)
        entries = ceilings if settings[0].is_ceiling else competing
        entries.append(make_entry(settings, sequential))
    rank(competing, sequential)
    rank(ceilings, sequential)
    find_copies(competing, ceilings)
    tied = sum(entry.standing is Standing.TIED for entry in competing)
    place = (first.view, first.place, is_in_place(row))
    return Problem(file, first.workload, *place, row.n, competing, ceilings, tied)


def make_problems(report: Report, candidates: list[Setting]) -> None:
    """Ranks all that competes. It is sorted once; then each problem is a run of neighbours, and so
    is each entry of it."""
    candidates.sort(key=lambda c: (c.problem(), c.entry(), c.row.median_ns))
    for _, group in itertools.groupby(candidates, Setting.problem):
        problem = list(group)
        # Data in host memory is a question of its own only where somebody copies it.
        if problem[0].view is View.RESIDENT or any(c.row.phase == "e2e" for c in problem):
            report.workloads[problem[0].workload].problems.append(make_problem(report, problem))


def find_baselines(report: Report) -> None:
    for workload in report.workloads:
        for problem in workload.problems:
            if problem.view is View.RESIDENT:
                entry = problem.find(report.files[problem.file].info.baseline)
                if entry:
                    key = (problem.file, problem.workload, problem.n)
                    report.baselines.setdefault(key, entry)


# ---- flags ---------------------------------------------------------------------------------------


def find_flags(report: Report) -> None:
    """The flags of all rows but those of calibrators, by file and word, which stands before "="."""
    for file, of in enumerate(report.files):
        flags: dict[str, Flag] = {}
        for row in (row for row in of.results.rows if not is_calibrator(row)):
            for text in row.flags.split(";"):
                word = text.partition("=")[0]
                if word:
                    means, is_disturbed = FLAGS.get(word, ("", False))
                    new = Flag(file, word, means, is_disturbed, [])
                    flags.setdefault(word, new).rows.append(row)
        report.flags += sorted(
            flags.values(), key=lambda f: (not f.is_disturbed, -len(f.rows), f.word)
        )
