"""A history for people, for an issue, for scripts."""

from __future__ import annotations

import html
from typing import Dict, Iterator, List, Optional, Tuple

from . import words
from .history import History, Machine, Point, Series
from .layout import Column, Layout, Table, numbers
from .rows import FAILURES
from .text import json_lines, json_number, json_text
from .verdict import ALPHA, Outcome
from .version import VERSION


def _change(outcome: Optional[Outcome]) -> List[str]:
    """The change and its interval, "+5.2 %", "+4.1 % to +6.3 %"."""
    if not outcome or not outcome.ratio > 0:
        return ["", ""]
    ratios = (outcome.lo, outcome.hi) if outcome.has_interval else ()
    interval = " to ".join(words.change_text(r) for r in ratios)
    return [words.change_text(outcome.ratio), interval]


def _events(machine: Machine) -> Iterator[Tuple[Series, Point]]:
    """What happened, in the order of the files: changes, and where a plugin began to fail."""
    for place in range(len(machine.files)):
        for series in machine.series:
            point = series.points[place]
            measured_before = place > 0 and series.points[place - 1].is_measured
            if point.change or (point.row and point.row.status in FAILURES and measured_before):
                yield series, point


def _put_events(machine: Machine, layout: Layout) -> None:
    columns = [Column("commit", name=True), Column("verdict"), *numbers("change", "95 % interval")]
    table = Table([*columns, Column("what"), Column("certain from")])
    for series, point in _events(machine):
        later = point.found.label if point.found and point.found is not point.file else ""
        what = words.configuration_text(series.row)
        table.add(point.file.label, point.word, *_change(point.change), what, later)
    if table.rows:
        layout.table(table)
    else:
        layout.wrap("no change")
    layout.line()


def _put_series(series: Series, layout: Layout) -> None:
    """A line for each commit; for several that do not have it, one."""
    columns = [Column("commit", name=True), *numbers("time", "±", "level"), Column("")]
    table = Table(columns)
    was_there = False
    for point in series.points:
        row = point.row
        if row and point.is_measured:
            cells = (words.time_text(row.median_ns), words.half_width_text(row))
            table.add(point.file.label, *cells, _change(point.over_level)[0], point.word)
        elif row or was_there:
            table.add(point.file.label, "", "", "", row.status if row else "not there")
        was_there = row is not None
    name = words.configuration_text(series.row)
    if layout.markdown:
        layout.line(f"<details><summary>{html.escape(name)}</summary>\n")
    else:
        layout.wrap(name, 2)
    layout.table(table)
    layout.line("\n</details>\n" if layout.markdown else "")


def put_history(history: History, layout: Layout) -> None:
    """Of each machine where times changed, then all times."""
    for machine in history.machines:
        layout.heading(1, machine.name)
        count = f"{len(machine.files)} file{'' if len(machine.files) == 1 else 's'}"
        layout.wrap(f"{count}, by the {history.order}")
        layout.line()
        _put_events(machine, layout)
    for machine in history.machines:
        if len(history.machines) > 1:
            layout.heading(1, machine.name)
        for series in machine.series:
            _put_series(series, layout)
    threshold = f"{100 * history.threshold:g} %"
    p = f"{ALPHA / max(history.comparisons, 1):.1g}"
    layout.wrap(
        f"change: beyond {threshold}, and p of at most {p}, which is 5 % over {history.comparisons} "
        "comparisons; level: over the first five runs since the last change; once: the next run is "
        "back at the level"
    )


# ---- JSON ----------------------------------------------------------------------------------------


def _json_outcome(o: Optional[Outcome]) -> Optional[Dict[str, object]]:
    if not o or not o.ratio > 0:
        return None
    numbers_of = {n: json_number(getattr(o, n), o.has_interval) for n in ("lo", "hi", "p")}
    return {"ratio": json_number(o.ratio), **numbers_of}


def _json_point(point: Point, files: Dict[int, int]) -> Dict[str, object]:
    row = point.row if point.is_measured else None
    has_interval = row is not None and row.absolute is not None
    return {
        "file": files[id(point.file)],
        "status": point.row.status if point.row else None,
        "median_ns": json_number(row.median_ns) if row else None,
        "ci_lo_ns": json_number(row.ci_lo_ns, has_interval) if row else None,
        "ci_hi_ns": json_number(row.ci_hi_ns, has_interval) if row else None,
        "over_level": _json_outcome(point.over_level),
        "verdict": point.change.verdict if point.change else "",
        "change": _json_outcome(point.change),
        "once": point.once,
        "certain_from": files[id(point.found)] if point.found else None,
    }


def history_json(history: History) -> str:
    """As one JSON object: the files, by machine and in order, and the series with a point for each
    file of their machine. The line ends with a newline."""
    ordered = [(machine, file) for machine in history.machines for file in machine.files]
    places = {id(file): place for place, (_, file) in enumerate(ordered)}
    files = [
        {
            "path": file.path,
            "label": file.label,
            "machine": machine.name,
            "git_revision": file.info.git_revision,
            "commit_date": file.info.commit_date,
            "start": file.rows[0].timestamp_utc,
        }
        for machine, file in ordered
    ]
    series = [
        {
            **{name: getattr(s.row, name) for name in ("plugin", "n", "rows", "inner", "dtype")},
            **{name: getattr(s.row, name) for name in ("result", "op", "kind", "cache", "device")},
            "settings": s.row.settings,
            "machine": machine.name,
            "points": [_json_point(point, places) for point in s.points],
        }
        for machine in history.machines
        for s in machine.series
    ]
    opening = {"schema": 1, "scanbench": VERSION, "threshold": json_number(history.threshold)}
    opening.update(comparisons=history.comparisons, order=history.order)
    return f'{json_text(opening)[:-1]}, "files": {json_lines(files)}, "series": {json_lines(series)}}}\n'
