"""The rows of a CSV of `scanbench run`, each with its texts checked and its numbers as numbers.

docs/csv.md says what each column means.
"""

from __future__ import annotations

import enum
import functools
import math
import re
import statistics
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

from . import csv_table, rounds
from .csv_table import ResultError as ResultError
from .csv_table import Table
from .run_info import RunInfo
from .text import clean
from .verdict import Estimate, estimate_of

ANY_KIND = "any"
"""The rows that have it in `kinds` compete with each other, whatever their kind."""

OK = "ok"
STATUSES = ("ok", "skipped", "unavailable", "unsupported", "wrong", "crashed", "timeout", "error")
"""From the best to the worst."""
FAILURES = STATUSES[4:]
"""Those that make a run fail."""


class Use(enum.Enum):
    """Where a row is in a report."""

    SHOWN = "shown"  # in a problem, as a time of a setting or of a copy
    FAILED = "not measured"  # not ok
    INCOMPLETE = "incomplete"  # ok, but the row of its run is not there
    REPEATED = "repeated"  # the same configuration and phase as an earlier row
    CALIBRATOR = "calibrator"  # the harness's own scan and copy: for ratios between runs


class Sweep(NamedTuple):
    """What stays as it is where n changes: the number of rows; or all their elements together, about,
    where each n has as many rows as make them."""

    rows: int = 1  # 0: as many as make `elements`
    inner: int = 1
    elements: int = 0  # to two digits; 0: they change with n


_Cell = Union[str, float, int]

# The columns that a file must have, in the order in which they are asked for.
_REQUIRED = (
    "plugin backend device kind op dtype params cache phase reason schema n block vt status median_ns"
).split()

_VERSION_BYTES = 32
_EDITED = "the file was edited: use the one that scanbench wrote"
_DIGITS = re.compile(r"-?(0|[1-9][0-9]*)")
_TIMES = re.compile(r"[0-9.eE+\- ]*")


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
    group_id: str  # rows of one run_id and one group_id were sampled in the same rounds
    status: str  # of STATUSES
    n: int  # elements of one scan
    rows: int  # of n elements, each a scan of its own; 1 in older files
    inner: int  # scans that lie side by side; 1 in older files
    result: str  # the type of the results: `dtype`, also in older files, or a wider one
    block: str  # whole numbers, or ""
    vt: str
    median_ns: float
    clock_mhz: float  # of its device
    max_rel_error: float
    max_ulps: float  # the largest error in units of the last place; not in older files
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
    is_alone: bool = False  # its run measured one configuration after the other
    on_device: bool = False  # an accelerator, not the processor of the host
    # What a report makes of it (report.py).
    file: int = 0  # which of its files
    number: int = 0  # which of all its rows
    use: Use = Use.SHOWN
    sweep: Sweep = Sweep()
    phases: Dict[str, Row] = field(default_factory=dict, compare=False, repr=False)
    """All rows of its configuration by phase, that of the run among them."""
    # What is known of its time, as logarithms: in ns, in spins, in runs of the frozen scan and the
    # frozen copy, in those of the fastest copy on its device. None: not known.
    absolute: Optional[Estimate] = None
    per_spin: Optional[Estimate] = None
    per_scan: Optional[Estimate] = None
    per_copy: Optional[Estimate] = None
    per_device_copy: Optional[Estimate] = None

    @property
    def shape(self) -> Tuple[int, int, int]:
        """Of the tensor that is scanned along its middle axis, n first, as sizes are sorted by it."""
        return self.n, self.rows, self.inner

    @property
    def types(self) -> str:
        """Of the input, and of results that are wider: "i32", "i8->i32"."""
        return self.dtype if self.result == self.dtype else f"{self.dtype}->{self.result}"

    @property
    def elements(self) -> int:
        """Of all rows, which rates count."""
        return self.n * self.rows * self.inner

    @property
    def key(self) -> Tuple[object, ...]:
        """What the rows of one configuration have in common, to look them up by: plugin, problem,
        setting and caches, not device and phase."""
        problem = (self.shape, self.kind, self.op, self.types)
        return (self.plugin, *problem, self.block, self.vt, self.params, self.cache)

    @property
    def group(self) -> Tuple[str, ...]:
        """What rows that were sampled in the same rounds have in common."""
        return self.run_id, self.group_id, self.cache

    @property
    def settings(self) -> Dict[str, str]:
        """Its tunables, "256" by "block", in the order in which reports name them."""
        own = {"block": self.block, "vt": self.vt}
        return {name: value for name, value in own.items() if value} | _tunables(self)

    @property
    def part_count(self) -> int:
        """How many devices share its problem; 1 for a plugin that does not know of parts, 0 if the cell
        holds no number of parts."""
        if not self.parts:
            return 1
        return int(self.parts) if re.fullmatch("[0-9]{1,6}", self.parts) else 0

    @property
    def is_in_place(self) -> bool:
        """Does its output take the place of its input? Older files do not say so."""
        return self.in_place == "1"

    @property
    def is_other_kind(self) -> bool:
        """Is it inclusive among rows of which most are exclusive? Whoever ranks them says so."""
        return self.kinds == ANY_KIND and self.kind == "inclusive"

    @property
    def is_calibrator(self) -> bool:
        """Is it one of the harness's own: the frozen scan or the frozen copy, which never compete?"""
        return self.role == "calibrator"

    @property
    def is_run(self) -> bool:
        """Is it the time of a plugin's run?"""
        return self.status == OK and self.phase == "run" and not self.is_calibrator

    @property
    def flag_words(self) -> List[str]:
        """Its flags without their numbers: "batch" of "batch=4"."""
        return [flag.partition("=")[0] for flag in self.flags.split(";") if flag]

    @property
    def is_ceiling(self) -> bool:
        """Is it a copy, which limits scans and competes with none?"""
        return self.role == "ceiling" or (not self.op and not self.kind)


# ---- cells -----------------------------------------------------------------------------------------


class _Wrong(Exception):
    """What a cell is not."""


def _is_whole(cell: str) -> bool:
    """Is it a whole number of 64 bits as a run writes it: digits without zeros in front?"""
    return (
        _DIGITS.fullmatch(cell) is not None
        and cell != "-0"
        and -(1 << 63) <= int(cell[:21]) < 1 << 64
    )


def _real(cell: str) -> Optional[float]:
    """A finite number in the characters that a run writes, or None."""
    if cell.strip("+-.0123456789eE"):  # another character is left
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _trimmed(cell: str) -> str:
    """A whole number without the ".0" that pandas writes where a column has empty cells."""
    whole, point, zeros = cell.partition(".")
    return whole if point and zeros and not zeros.strip("0") and _is_whole(whole) else cell


_text = functools.lru_cache(maxsize=1 << 12)(clean)  # any program may have written the file


@functools.lru_cache(maxsize=1 << 12)
def _digits(cell: str) -> str:
    """A number that is compared as text."""
    return _trimmed(clean(cell))


def _whole(cell: str) -> str:
    """A whole number as text, or ""."""
    digits = _digits(cell)
    if digits and not _is_whole(digits):
        lost = "a spreadsheet may have dropped some; use the file that scanbench wrote"
        exact = "" if _real(digits) is None else f" with all its digits: {lost}"
        raise _Wrong(f"a whole number{exact}")
    return digits


def _size(cell: str) -> int:
    digits = _whole(cell)
    if not digits or digits.startswith("-"):
        raise _Wrong("a number of elements")
    return int(digits)


def _count(cell: str) -> int:
    """A number of rows, or of scans side by side."""
    return _size(cell) if cell else 1


@functools.lru_cache(maxsize=1 << 12)
def _number(cell: str) -> float:
    """NaN for an empty cell."""
    value = _real(cell) if cell else math.nan
    if value is None or value < 0:
        raise _Wrong("a number of 0 or more")
    return value


def _series(cell: str) -> Tuple[float, ...]:
    """The times of rounds in ns, separated by blanks, `-` for a round that has none."""
    try:
        values = tuple(math.nan if word == "-" else float(word) for word in cell.split())
    except ValueError:
        values = (0.0,)
    if not _TIMES.fullmatch(cell) or any(ns <= 0 or ns == math.inf for ns in values):
        raise _Wrong("times of more than 0, or - for a round without one")
    return values


def _status(cell: str) -> str:
    if cell not in STATUSES:
        raise _Wrong("a status")
    return cell


def _schema(cell: str) -> None:
    if _digits(cell) != "1":
        raise _Wrong("one that this program knows; it knows 1")


_READERS: Dict[str, Callable[[str], Any]] = {
    **{f.name: _text for f in fields(Row) if str(f.type) == "str"},
    **{f.name: _number for f in fields(Row) if str(f.type) == "float"},
    **dict.fromkeys(("rounds_ns", "spins_ns"), _series),
    **dict.fromkeys(("parts", "group_id"), _digits),
    **dict.fromkeys(("block", "vt"), _whole),
    **dict.fromkeys(("rows", "inner"), _count),
    **{"n": _size, "status": _status},
}
"""How the cells of each column are read, in the order of the attributes of Row."""


# ---- files -----------------------------------------------------------------------------------------


@dataclass
class ResultFile:
    path: str  # as it was given, for messages
    columns: Tuple[str, ...]
    rows: List[Row]
    info: RunInfo = field(default_factory=RunInfo)  # in a report: what its metadata say
    label: str = ""  # in a report: short, and unlike those of its other files: "h200"

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
    return read_bytes(csv_table.read_file(path), path)


def read_bytes(data: bytes, path: str) -> ResultFile:
    """The same of the bytes of a file; `path` stands for it in messages."""
    parsed = csv_table.parse(data, csv_table.name_of(path))
    places = _find_columns(parsed, path)
    _read_column(parsed, path, "schema", places["schema"], _schema)
    columns = [
        _read_column(parsed, path, f.name, places.get(f.name), _READERS[f.name])
        for f in fields(Row)
        if f.name in _READERS
    ]
    made = (Row(*values) for values in zip(parsed.lines, parsed.rows, *columns))
    file = ResultFile(path, parsed.columns, list(made))
    for row in file.rows:
        _check(row, path)
        if row.kinds != ANY_KIND:
            row.kinds = row.kind  # also in older files, without the column
        row.result = row.result or row.dtype
        if row.role == "peer":
            row.plugin_version = _library_version(row.plugin_version)
    _check_once(file)
    _find_devices(file.rows)
    _find_estimates(file.rows)
    _find_alone(file.rows)
    return file


def _find_columns(parsed: Table, path: str) -> Dict[str, int]:
    """The place of each column. Is the header that of a run?"""
    places = {name: i for i, name in reversed(list(enumerate(parsed.columns)))}
    missing = next((name for name in _REQUIRED if name not in places), None)
    if missing:
        why = "this is not the CSV of a run"
        if _is_whole(parsed.columns[0]):
            why = "the line with the names of the columns is missing, put it back"
        raise ResultError(f'{path}, line 1: no column "{missing}"; {why}')
    for i, name in enumerate(parsed.columns):
        if name and places[name] != i:
            raise ResultError(f'{path}, line 1: two columns "{name}"; take the wrong one out')
    return places


def _read_column(
    parsed: Table, path: str, name: str, place: Optional[int], reader: Callable[[str], Any]
) -> List[Any]:
    """The values of a column, of empty cells where the file does not have it."""
    if place is None:
        return [reader("")] * len(parsed.rows)
    values: List[Any] = []
    try:
        for cells in parsed.rows:
            values.append(reader(cells[place]))
    except _Wrong as wrong:
        row = len(values)
        raise _refusal(path, parsed.lines[row], name, parsed.rows[row][place], str(wrong)) from None
    return values


def _refusal(path: str, line: int, name: str, cell: str, what: str) -> ResultError:
    shown = clean(cell) if len(cell) <= 50 else clean(cell[:50]) + "…"
    return ResultError(f'{path}, line {line}: {name} "{shown}" is not {what}')


def _check_once(file: ResultFile) -> None:
    """No time is measured twice to the last digit."""
    lines: Dict[Tuple[str, ...], int] = {}
    for row in (row for row in file.rows if row.status == OK):
        first = lines.setdefault(row.cells, row.line)
        if first != row.line:
            what = f"line {row.line}: the same row as in line {first}; take it out"
            raise ResultError(f"{file.path}, {what}")


def _check(row: Row, path: str) -> None:
    """Rounds are told by their places: where one is lost, ratios would be made of different ones."""

    def refuse(name: str, cell: str, what: str) -> NoReturn:
        raise _refusal(path, row.line, name, cell, what)

    if row.status == OK and not row.median_ns > 0:
        refuse("median_ns", "", "a time, but the row is ok")
    if not row.rounds_ns:
        return
    known = sorted(ns for ns in row.rounds_ns if not math.isnan(ns))
    if not math.isnan(row.rounds) and row.rounds != len(known):
        what = f"how many rounds_ns has, {len(known)}; {_EDITED}"
        refuse("rounds", f"{row.rounds:.10g}", what)
    median = statistics.median(known) if known else row.median_ns
    if not math.isclose(median, row.median_ns, rel_tol=1e-6):
        what = f"the median of rounds_ns, {median:.10g}; {_EDITED}"
        refuse("median_ns", f"{row.median_ns:.10g}", what)
    if row.spins_ns and len(row.spins_ns) != len(row.rounds_ns):
        refuse("spins_ns", f"{len(row.spins_ns)} times", "as many times as in rounds_ns")


def _library_version(version: str) -> str:
    """The version of a peer as its users write it: 3.0.1 for 300001 (CUB), 1.74 for 1_74 (Boost)."""
    if re.fullmatch("[1-9][0-9]{5,6}", version):
        return f"{int(version) // 100000}.{int(version) // 100 % 1000}.{int(version) % 100}"
    if re.fullmatch("[0-9]+_[0-9_]*", version) and len(version) < _VERSION_BYTES:
        return version.replace("_", ".")
    return version


def _find_estimates(rows: Sequence[Row]) -> None:
    """What is known of each time: of itself and over the copy of its device from columns, over the
    spin and the frozen scan and copy of its group from the rounds, in older files from columns, too.
    """
    frozen: Dict[Tuple[str, ...], Tuple[float, ...]] = {}
    for row in (row for row in rows if row.is_calibrator and row.rounds_ns):
        frozen.setdefault((row.plugin, *row.group), row.rounds_ns)
    for row in rows:
        # Without rounds the interval is that of samples, which say nothing of the next second.
        if row.rounds > 0:
            row.absolute = estimate_of(row.median_ns, row.ci_lo_ns, row.ci_hi_ns)
        # The time over that of the copy: 100 over the percentage. That of the copy itself is always
        # 100, which says nothing.
        if row.pct_copy_lo < row.pct_copy_hi and row.pct_copy_lo > 0 and row.pct_copy > 0:
            ends = 100 / row.pct_copy_hi, 100 / row.pct_copy_lo
            row.per_device_copy = estimate_of(100 / row.pct_copy, *ends, True)
        if row.rounds_ns:
            row.per_spin = _per(row, row.spins_ns, False)
            row.per_scan = _per(row, frozen.get(("frozen_scan", *row.group), ()), True)
            row.per_copy = _per(row, frozen.get(("frozen_copy", *row.group), ()), True)
            continue
        spin = row.time_per_spin, row.time_per_spin_lo, row.time_per_spin_hi
        scan = row.time_per_scan, row.time_per_scan_lo, row.time_per_scan_hi
        copy = row.time_per_copy, row.time_per_copy_lo, row.time_per_copy_hi
        row.per_spin = estimate_of(*spin)
        row.per_scan, row.per_copy = estimate_of(*scan, True), estimate_of(*copy, True)


def _per(row: Row, times: Sequence[float], calibrated: bool) -> Optional[Estimate]:
    """Over other times of the same rounds, if they are known, and not its own."""
    ratio = rounds.ratio(row.rounds_ns, times)
    is_known = ratio.has_ci and times is not row.rounds_ns
    return estimate_of(ratio.median, ratio.lo, ratio.hi, calibrated) if is_known else None


def _find_devices(rows: Sequence[Row]) -> None:
    processors = {r.device.encode().lower() for r in rows if r.backend == "cpu" and r.device}
    known: Dict[Tuple[str, str], bool] = {}
    for row in rows:
        place = row.backend, row.device
        if place not in known:
            name = row.device.encode().lower()
            known[place] = row.backend != "cpu" and not (
                row.device.startswith(("cpu", "pthread")) or any(p in name for p in processors)
            )
        row.on_device = known[place]


def _find_alone(rows: Sequence[Row]) -> None:
    """A run that has a problem in several groups measured one configuration after the other. Of a file
    without groups only its metadata say so: a report takes it from there (RunInfo.sequential)."""
    groups: Dict[Tuple[Any, ...], str] = {}
    alone = set()
    for row in rows:
        if row.group_id and row.op and row.status == OK:
            problem = row.run_id, row.shape, row.types, row.op, row.kinds
            if groups.setdefault(problem, row.group_id) != row.group_id:
                alone.add(row.run_id)
    for row in rows:
        row.is_alone = row.run_id in alone


def table(files: Sequence[ResultFile]) -> List[Dict[str, _Cell]]:
    """A dict for each row of the files: `file`, each column, and `param_NAME` for each NAME that
    stands in `params` of any row but a calibrator's, which says there on what it works. Numbers are
    numbers, NaN where a cell is empty or a row has no such tunable. pandas.DataFrame takes the list as
    it is."""
    rows = []
    tunables = [_tunables(row) for file in files for row in file.rows if not row.is_calibrator]
    names = list(dict.fromkeys(name for each in tunables for name in each))
    for file in files:
        for row in file.rows:
            cells: Dict[str, _Cell] = {"file": file.path}
            cells.update((c, _value(c, text)) for c, text in zip(file.columns, row.cells))
            # older files have no such columns
            cells.update(rows=row.rows, inner=row.inner, result=row.result)
            own = {} if row.is_calibrator else _tunables(row)
            cells.update((f"param_{name}", _value("", own.get(name, ""))) for name in names)
            rows.append(cells)
    return rows


def _tunables(row: Row) -> Dict[str, str]:
    """Those of `params`, "256" by "chunk", in its order."""
    words = row.params.split(";") if row.params else []
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _value(column: str, cell: str) -> _Cell:
    if _READERS.get(column) in (_text, _digits, _series, _status):
        return clean(cell)
    if _is_whole(_trimmed(cell)):
        return int(_trimmed(cell))
    value = _real(cell) if cell else math.nan
    return clean(cell) if value is None else value
