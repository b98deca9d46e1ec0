"""The times of a file in the formats of services that draw them over commits.

    github-action-benchmark  its tool customSmallerIsBetter: a list of {name, unit, value, range, extra},
                             as its README says; the range is read as a number behind "± "
    bencher                  the Bencher Metric Format, https://bencher.dev/docs/reference/bencher-metric-format:
                             {name: {"latency": {value, lower_value, upper_value}}}, latency being in ns

A series is told by its name, so a name says the plugin, the problem and the setting in full, and
nothing that changes from run to run.
"""

from __future__ import annotations

from typing import Callable, Dict, Sequence

from . import words
from .rows import ResultError, ResultFile, Row
from .text import json_lines, json_number, json_text
from .whole_file import complain

Times = Dict[str, Row]  # by name


def _times(files: Sequence[ResultFile]) -> Times:
    """The rows of `run` by their names. Of several with one name the first counts, as in a report."""
    times: Times = {}
    repeated = []
    for row in (row for file in files for row in file.rows):
        if not row.is_run:
            continue
        name = words.configuration_text(row)
        if times.setdefault(name, row) is not row:
            repeated.append(name)
    if repeated:
        complain(
            f"warning: {len(repeated)} times are left out, as others have their names: {repeated[0]}"
        )
    if not times:
        raise ResultError("there is nothing to export: no plugin was measured")
    return times


def _github_action_benchmark(times: Times) -> str:
    entries = []
    for name, row in times.items():
        entry = {"name": name, "unit": "ns", "value": json_number(row.median_ns)}
        if row.absolute:  # one number on each side: the longer one
            half = max(row.median_ns - row.ci_lo_ns, row.ci_hi_ns - row.median_ns)
            entry["range"] = f"± {json_number(half)}"
        entry["extra"] = words.join(f"on {row.device}", row.flags)
        entries.append(entry)
    return json_lines(entries) + "\n"


def _bencher(times: Times) -> str:
    members = []
    for name, row in times.items():
        metric = {"value": json_number(row.median_ns)}
        if row.absolute:
            metric.update(
                lower_value=json_number(row.ci_lo_ns), upper_value=json_number(row.ci_hi_ns)
            )
        members.append(f'\n  {json_text(name)}: {json_text({"latency": metric})}')
    return "{" + ",".join(members) + "\n}\n"


FORMATS: Dict[str, Callable[[Times], str]] = {
    "github-action-benchmark": _github_action_benchmark,
    "bencher": _bencher,
}


def export(files: Sequence[ResultFile], to: str) -> str:
    """The files in a format of FORMATS. ResultError if they have no times."""
    return FORMATS[to](_times(files))
