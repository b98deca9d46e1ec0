"""Numbers and settings as all forms of a report print them."""

from __future__ import annotations

import math
from typing import Sequence

from .ratio import Ratio
from .report import PROCESSOR, Entry, Problem, Standing, View, Workload
from .rows import ANY_KIND, Row, Sweep
from .text import number_text

TIME_UNITS = (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9))


def join(*words: str) -> str:
    """The words that there are, with spaces between them."""
    return " ".join(word for word in words if word)


def change_text(ratio: float) -> str:
    """A ratio as a change: "+4.2 %", "2.31x"; "-" for one that is not known."""
    if not ratio > 0:
        return "-"
    return f"{digits_text(ratio)}x" if ratio >= 1.995 else f"{100 * (ratio - 1):+.1f} %"


def time_text(ns: float) -> str:
    """A time in ns to three significant digits: "1.08 ms", "697 µs", "12.3 s"; "-" for 0."""
    if not 0 < ns < math.inf:
        return "-"
    unit, scale = next(((u, s) for u, s in TIME_UNITS if ns < 999.5 * s), TIME_UNITS[-1])
    return f"{digits_text(ns / scale)} {unit}"


def digits_text(value: float) -> str:
    """Three significant digits without an exponent: "0.0123", "1.23", "123", "1230".

    "-" unless it is a number above 0.
    """
    if not 0 < value < math.inf:
        return "-"
    if value < 0.000995 or value >= 9.995e9:
        return f"{value:.2e}"
    if value < 0.009995:
        return f"{value:.5f}"
    digits = sum(value < limit for limit in (0.09995, 0.9995, 9.995, 99.95))
    return f"{value:.{digits}f}"


def rough_text(n: float) -> str:
    """A size that is not known exactly, to one digit: "4e4", "700"."""
    unit = 10 ** math.floor(math.log10(n)) if n >= 1 else 1
    return number_text(math.floor(n / unit + 0.5) * unit)


def size_text(row: Row) -> str:
    """ "1e6", or "1024x4096" or "1x4096x2": rows, n and inner."""
    if row.rows == row.inner == 1:
        return number_text(row.n)
    sizes = (row.rows, row.n) if row.inner == 1 else (row.rows, row.n, row.inner)
    return "x".join(map(number_text, sizes))


def half_width_text(row: Row) -> str:
    """Half of the interval in percent of the time, "0.8 %"; "" without one."""
    if row.absolute is None:
        return ""
    return f"{50 * (row.ci_hi_ns - row.ci_lo_ns) / row.median_ns:.1f} %"


def margin_text(ratio: Ratio) -> str:
    """Short: "+4.2 %", "2.31x"; with "?" behind it without an interval.

    "tie" where the ratio of what is behind by its median is below 1.
    """
    if not ratio.ratio > 0:
        return "-"
    if ratio.ratio < 1:  # by its median the other is no faster; within the rounds it was
        return "tie"
    return change_text(ratio.ratio) + ("" if ratio.has_interval else "?")


def ties_text(entry: Entry) -> str:
    """ "2 of 6", the settings that are tied with a plugin's best; "2 to 4 of 6" where of two nobody
    can say; "? of 6" without intervals."""
    others = [setting.standing for setting in entry.settings[1:]]
    tied, unknown = others.count(Standing.TIED), others.count(Standing.UNKNOWN)
    if unknown == len(others) > 0:
        return f"? of {len(others)}"
    return f"{tied}{f' to {tied + unknown}' if unknown else ''} of {len(others)}"


def some_of(names: Sequence[str], unit: str = "") -> str:
    """ "a, b"; of more than four how many there are: "a, b, c, d, ... (9)"."""
    more = f", ... ({len(names)}{unit})" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def plugins_text(rows: Sequence[Row]) -> str:
    """The plugins of some rows, each once: "cuda_cub, cuda_thrust", "a, b, c, ... (9 plugins)"."""
    return some_of(list(dict.fromkeys(row.plugin for row in rows)), " plugins")


def version_text(row: Row) -> str:
    """The version of a peer's library; "" for other plugins, and if it is not known.

    "1.0" counts as not known: templates begin with it, and in older CSVs it is the version of our
    wrapper.
    """
    return row.plugin_version if row.role == "peer" and row.plugin_version != "1.0" else ""


def plugin_text(row: Row) -> str:
    """The plugin, a peer's version, and its kind where both compete and it has only the other one:
    "cuda_cub 3.0.1", "my_scan (inclusive)", "cuda_scan"."""
    kind = "(inclusive)" if row.is_other_kind else ""
    return join(row.plugin, version_text(row), kind)


def setting_text(row: Row) -> str:
    """ "block=256 vt=7 pad=1"; "" if the plugin has no tunables."""
    return " ".join(f"{name}={value}" for name, value in row.settings.items())


def kind_text(kind: str) -> str:
    """ "exclusive", or "exclusive or inclusive" of ANY_KIND."""
    return "exclusive or inclusive" if kind == ANY_KIND else kind


def about_text(elements: float) -> str:
    """Two digits at most: "2.7e8", "1e6"."""
    return f"{elements:.2g}".replace("e+0", "e").replace("e+", "e")


def workload_text(workload: Workload) -> str:
    """ "exclusive i32 sum", "exclusive or inclusive i32 sum with cold caches", "i32 copy",
    "exclusive i32 sum, 1024 rows, inner 2", "exclusive i32 sum, about 1e6 elements in rows of n".
    """
    cold = "with cold caches" if workload.cache == "cold" else ""
    rows, inner, elements = workload.sweep
    words = join(kind_text(workload.kind), workload.types, workload.op or "copy", cold)
    if elements:
        words += f", about {about_text(elements)} elements in rows of n"
    elif rows != 1 or inner != 1:
        words += f", {number_text(rows)} row{'' if rows == 1 else 's'}"
    return words + (f", inner {number_text(inner)}" if inner != 1 else "")


def problem_text(row: Row, kind: str) -> str:
    """The same of a row, which competes in that kind; without n."""
    sweep = Sweep(row.rows, row.inner)
    return workload_text(Workload(kind, row.op, row.types, row.cache, sweep))


def configuration_text(row: Row) -> str:
    """ "cpu_chained: exclusive i32 sum, n = 1e6, threads=2 chunk=512"; with the device, unless the
    backend is cpu. It stays as it is from run to run, and names a series to services that keep it.
    """
    device = row.device if row.backend != "cpu" else ""
    size = f"n = {number_text(row.n)}"
    parts = (problem_text(row, row.kind), size, setting_text(row), device)
    return f"{row.plugin}: {', '.join(filter(None, parts))}"


def device_text(row: Row) -> str:
    """ "processor", "NVIDIA H200"."""
    return row.device if row.on_device else PROCESSOR


def place_text(problem: Problem) -> str:
    """ "processor", "NVIDIA H200, data already there, in place"."""
    how = ", in place" if problem.in_place else ""
    if problem.view is View.FROM_HOST:
        return f"any device, {problem.view.value}{how}"
    if problem.place == PROCESSOR:
        return PROCESSOR + how
    return f"{problem.place}, {problem.view.value}{how}"
