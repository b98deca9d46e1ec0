"""The rows of a CSV of `scanbench run`, each with its texts checked and its numbers as numbers.

docs/csv.md says what each column means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple, Union

from .verdict import Estimate

ANY_KIND = "any"
"""The rows that have it in `kinds` compete with each other, whatever their kind."""

OK = "ok"
STATUSES = ("ok", "skipped", "unavailable", "unsupported", "wrong", "crashed", "timeout", "error")
"""From the best to the worst."""
FAILURES = STATUSES[4:]
"""Those that make a run fail."""


class ResultError(Exception):
    """What is wrong with a file, where, and what to do: the message is for people."""


@dataclass
class Row:
    """A row; the attributes are its columns, texts "" and numbers NaN where they are empty."""

    line: int  # of the file, on which it ends
    cells: Tuple[str, ...]  # as in the file, in the order of its columns
    run_id: str
    timestamp_utc: str
    host: str
    plugin: str
    plugin_version: str  # of a peer: as its users write it, 3.0.1 for 300001
    role: str
    backend: str
    device: str
    driver: str
    kind: str
    op: str
    dtype: str
    params: str
    cache: str
    phase: str
    binding: str
    flags: str
    stop_reason: str
    gpu_throttle: str
    parts: str
    layout: str
    kinds: str  # the kind it competes in: that of the row, or ANY_KIND
    in_place: str  # "1", "0" or ""
    reason: str
    status: str  # of STATUSES
    n: int
    block: str  # whole numbers, or ""
    vt: str
    median_ns: float  # 0 if it was not measured
    clock_mhz: float  # of its device; 0 if it was not measured
    max_rel_error: float
    samples: float
    ci_lo_ns: float
    ci_hi_ns: float
    min_ns: float
    q1_ns: float
    q3_ns: float
    max_ns: float
    bytes_per_s: float
    pct_copy: float
    pct_copy_lo: float
    pct_copy_hi: float
    speedup: float
    speedup_lo: float
    speedup_hi: float
    rounds: float
    time_per_spin: float  # this and the next eight: in files without rounds_ns
    time_per_spin_lo: float
    time_per_spin_hi: float
    time_per_scan: float
    time_per_scan_lo: float
    time_per_scan_hi: float
    time_per_copy: float
    time_per_copy_lo: float
    time_per_copy_hi: float
    cpu_mhz: float
    load: float
    steal_pct: float
    involuntary_switches: float
    page_faults: float
    gpu_temperature_c: float
    gpu_processes: float
    rounds_ns: Tuple[float, ...]  # of each round of its group, NaN where it has none; () if unknown
    spins_ns: Tuple[float, ...]  # of the spin beside each of these rounds; () if unknown
    on_device: bool = False  # an accelerator, not the processor of the host
    # What is known of its time, as logarithms: in ns, in spins, in runs of the frozen scan and the
    # frozen copy, in those of the fastest copy on its device. None: not known.
    absolute: Optional[Estimate] = None
    per_spin: Optional[Estimate] = None
    per_scan: Optional[Estimate] = None
    per_copy: Optional[Estimate] = None
    per_device_copy: Optional[Estimate] = None


@dataclass
class ResultFile:
    path: str  # as it was given, for messages
    columns: Tuple[str, ...]
    rows: List[Row]

    @property
    def has_rounds(self) -> bool:
        """Does it have the values of rounds? Older files do not: their ratios are estimated."""
        return "rounds_ns" in self.columns


def read(path: str) -> ResultFile:
    """Reads a CSV ("-": stdin). ResultError, with the line, if it is not the CSV of a run or cannot
    be read.

    A row is on a device unless its backend is `cpu`, or its device is a processor that OpenCL offers:
    its name contains that of a row of backend `cpu` in the same file, or begins with `cpu` or
    `pthread`, as the devices of PoCL."""
    raise NotImplementedError


def read_bytes(data: bytes, path: str) -> ResultFile:
    """The same of the bytes of a file; `path` stands for it in messages."""
    raise NotImplementedError


def table(files: Sequence[ResultFile]) -> List[Dict[str, Union[str, float, int]]]:
    """A dict for each row of the files: `file` and each column, numbers as numbers (NaN where they are
    empty). pandas.DataFrame takes the list as it is."""
    raise NotImplementedError


def row_key(row: Row, more: str = "") -> Tuple[str, ...]:
    """What rows of one configuration have in common, to look them up by: plugin, problem, setting and
    caches, not device and phase. `more` becomes a part of it."""
    return (
        str(row.n),
        row.plugin,
        row.kind,
        row.op,
        row.dtype,
        row.block,
        row.vt,
        row.params,
        row.cache,
        more,
    )


def is_in_place(row: Row) -> bool:
    """Does its output take the place of its input? Older files do not say so."""
    return row.in_place == "1"


def is_other_kind(row: Row) -> bool:
    """Is it inclusive among rows of which most are exclusive? Whoever ranks them says so."""
    return row.kinds == ANY_KIND and row.kind == "inclusive"


def is_calibrator(row: Row) -> bool:
    """Is it one of the harness's own: the frozen scan or the frozen copy, which never compete?"""
    return row.role == "calibrator"
