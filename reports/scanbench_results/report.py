"""What the CSVs of one or several runs say, as data: terminal, Markdown and page print it.

    file > workload (kind, op, dtype, cache) > problem (device, n) > entry (plugin) > setting

Every row of every file has one `Use`: most stand in a problem, the others in one of the lists of
what is missing. Times are medians in ns. A ratio has an interval only where the rows can be
compared (ratio.py).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Optional, Sequence

from .ratio import Ratio
from .rows import ResultFile, Row
from .run_info import RunInfo

PROCESSOR = "processor"
"""The place of all plugins that compute on the processor of the host."""


class Use(enum.Enum):
    """Why a row is where it is."""

    SHOWN = "shown"  # in a problem, as a time of a setting or of a copy
    FAILED = "not measured"  # not ok: `Report.missing` has its status and reason
    INCOMPLETE = "incomplete"  # ok, but the row of its run is not there
    REPEATED = "repeated"  # the same configuration and phase as an earlier row


class Standing(enum.Enum):
    """How a time relates to the best one that it competes with."""

    BEST = "best"
    TIED = "tied"  # the interval of the ratio holds 1: they cannot be told apart
    BEHIND = "behind"  # certainly slower
    UNKNOWN = "unknown"  # without an interval nobody can say


class View(enum.Enum):
    """Which time it is that competes."""

    IN_PLACE = "data already there"  # `run`, among the plugins of one device
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
    """One setting of a plugin's tunables."""

    configuration: Configuration
    row: Row  # that of the time that competes: of `run` or `e2e`
    over_best: Ratio  # its time over that of the plugin's best setting
    standing: Standing  # among the settings


@dataclass
class Entry:
    """A plugin that competes, by its best setting."""

    row: Row  # settings[0].row
    settings: list[Setting]  # fastest first
    over_winner: Ratio
    standing: Standing  # among the plugins


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
        """The fastest copy's row: the best that a scan could be."""
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
    """Rows with the same flag."""

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
    incomplete: list[Row] = field(default_factory=list)  # by file
    repeated: list[Row] = field(default_factory=list)  # by file
    uses: dict[Use, int] = field(default_factory=dict)  # how many rows have each use
    rows: int = 0  # how many there are: the sum of the uses

    def number(self, row: Row) -> int:
        """Which of all rows of all files it is, from 0."""
        raise NotImplementedError

    def use(self, row: Row) -> Use:
        """Why the row is where it is."""
        raise NotImplementedError

    def baseline(self, problem: Problem) -> Optional[Entry]:
        """The entry that the others of a problem are compared with, in its own device's problem:
        the entry of the same file, workload and n whose plugin is the file's baseline."""
        raise NotImplementedError


def make_report(files: Sequence[ResultFile], infos: Sequence[RunInfo]) -> Report:
    """The report of files that are read, with what lies beside each."""
    raise NotImplementedError
