"""Numbers and settings as all forms of a report print them."""

from __future__ import annotations

from typing import Sequence

from .ratio import Ratio
from .report import Entry, Problem, Workload
from .rows import Row


def size_text(n: int) -> str:
    """A number of elements, in short where that is exact: "1e6", "2^20", "3e5", "1000001"."""
    raise NotImplementedError


def time_text(ns: float) -> str:
    """A time in ns to three significant digits: "1.08 ms", "697 µs", "12.3 s"; "-" for 0."""
    raise NotImplementedError


def number_text(value: float) -> str:
    """Three significant digits without an exponent: "0.0123", "1.23", "123", "1230".

    "-" unless it is a number above 0.
    """
    raise NotImplementedError


def rough_text(n: float) -> str:
    """A size that is not known exactly, to one digit: "4e4", "700"."""
    raise NotImplementedError


def half_width_text(row: Row) -> str:
    """Half of the interval in percent of the time, "0.8 %"; "-" without one."""
    raise NotImplementedError


def ratio_text(ratio: Ratio) -> str:
    """A margin: "+4.2 % (+3.1 to +5.6)", "2.31x (2.25 to 2.40)"; "+4.2 % (?)" without interval."""
    raise NotImplementedError


def margin_text(ratio: Ratio) -> str:
    """Short: "+4.2 %", "2.31x"; with "?" behind it without an interval.

    "tie" where the ratio of what is behind by its median is below 1.
    """
    raise NotImplementedError


def ties_text(entry: Entry) -> str:
    """ "2 of 6", the settings that are tied with a plugin's best; "? of 6" without intervals."""
    raise NotImplementedError


def plugins_text(rows: Sequence[Row]) -> str:
    """The plugins of some rows, each once: "cuda_cub, cuda_thrust", "a, b, c, ... (9 plugins)"."""
    raise NotImplementedError


def version_text(row: Row) -> str:
    """The version of a peer's library; "" for other plugins, and if it is not known.

    "1.0" counts as not known: templates begin with it, and in older CSVs it is the version of our
    wrapper.
    """
    raise NotImplementedError


def plugin_text(row: Row) -> str:
    """The plugin, a peer's version, and its kind where both compete and it has only the other one:
    "cuda_cub 3.0.1", "my_scan (inclusive)", "cuda_scan"."""
    raise NotImplementedError


def setting_text(row: Row) -> str:
    """ "block=256 vt=7 pad=1"; "" if the plugin has no tunables."""
    raise NotImplementedError


def workload_text(workload: Workload) -> str:
    """ "exclusive i32 sum", "exclusive or inclusive i32 sum with cold caches", "i32 copy"."""
    raise NotImplementedError


def place_text(problem: Problem) -> str:
    """ "processor", "NVIDIA H200, data already there, in place"."""
    raise NotImplementedError
