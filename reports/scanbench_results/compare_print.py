"""A comparison for people, for an issue, for scripts."""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Union

from .compare import Comparison, Pair, differences
from .layout import Column, Layout, Table, numbers
from .rows import Row
from .text import json_lines, json_number, json_text, shown
from .verdict import VERDICTS
from .version import VERSION
from .words import change_text, join, setting_text, size_text


_ROOMY = 72
"""A narrower terminal has no room for intervals."""


def _namer(c: Comparison) -> Callable[[Row], str]:
    """Names configurations by what differs among the pairs: "cpu_x f32 max exclusive block=64"."""
    rows = [pair.row for pair in c.pairs]
    some = next((row for row in rows if row.op), rows[0] if rows else None)  # no copy, if it can be

    def differs(column: str, known: bool = False) -> bool:
        values = {getattr(row, column) for row in rows}
        return len(values - {""} if known else values) > 1

    problem = any(differs(column, known=True) for column in ("types", "op", "kind"))
    shows = [name for name in ("phase", "cache") if differs(name)]
    shows += ["types", "op", "kind"] if problem else []
    devices = {row.device for row in rows if some and row.backend == some.backend}

    def name(row: Row) -> str:
        on = f"on {row.device}" if len(devices) > 1 and row.device else ""
        words = (getattr(row, column) for column in shows)
        return join(row.plugin, *words, setting_text(row), on)

    return name


def _unmatched(c: Comparison, second: int) -> List[str]:
    """ "2 only in old.csv: cpu_x cpu_y": the tables have no lines for them."""
    lines = []
    for in_first, file in ((True, c.files[0]), (False, c.files[second])):
        rows = [p.row for p in c.pairs_of(second) if (p.second if in_first else p.first) is None]
        names = dict.fromkeys(row.plugin for row in rows)
        if rows:
            lines.append(f"{len(rows)} only in {file.path}: {' '.join(names)}")
    return lines


def _put_pairs(pairs: List[Pair], name_of: Callable[[Row], str], layout: Layout) -> List[str]:
    """The table. In Markdown reasons stand beside the verdict, in a terminal below it: they are
    returned, "[1] too noisy"."""
    values = numbers("n", "change", "95 % interval")
    columns = [Column("plugin"), *values, Column("verdict"), Column("why")]
    table = Table(columns, give=("95 % interval",) if layout.width < _ROOMY else ())
    notes: Dict[str, int] = {}
    for pair in pairs:
        o, row, note = pair.outcome, pair.row, pair.reason
        if note and not layout.markdown:
            note = f"[{notes.setdefault(note, len(notes) + 1)}]"
        table.add(
            shown(name_of(row)),
            size_text(row),
            change_text(o.ratio if pair.has_ratio else 0),
            f"{change_text(o.lo)} to {change_text(o.hi)}" if o.has_interval else "",
            o.verdict,
            shown(note),
        )
    layout.line()
    layout.table(table)
    layout.line()
    return [f"[{number}] {reason}" for reason, number in notes.items()]


def put_comparison(c: Comparison, layout: Layout) -> None:
    """A table for each further file, then how many pairs have each verdict."""
    name_of = _namer(c)
    for i, second in enumerate(c.files[1:], 1):
        old, new = c.files[0].path, second.path
        layout.heading(1, shown(f"{old} -> {new}"))
        change = f"change: how much longer the times in {new} are than in {old}"
        for line in [change, *differences(c, i)]:
            layout.wrap(shown(line))
        pairs = [pair for pair in c.pairs_of(i) if pair.first and pair.second]
        for line in _put_pairs(pairs, name_of, layout) + _unmatched(c, i):
            layout.wrap(shown(line))
        layout.line()
    counts = ", ".join(f"{c.count(v)} {v}" for v in ("slower", "faster", *VERDICTS[2:]))
    layout.wrap(f"{counts}; threshold {100 * c.threshold:g} %", 2)
    if c.never_measured:
        layout.wrap(f"{c.never_measured} without times in either file are not shown", 2)


def compare_text(comparison: Comparison, width: int = 80) -> str:
    """As a table, in lines of `width` columns, 60 at least."""
    layout = Layout(width)
    put_comparison(comparison, layout)
    return layout.text


def compare_markdown(comparison: Comparison) -> str:
    """As a table for an issue or a pull request."""
    layout = Layout(markdown=True)
    put_comparison(comparison, layout)
    return layout.text


_Member = Union[str, int, float, bool, None]


def _whole(digits: str) -> Optional[int]:
    return int(digits) if digits else None


def _json_side(side: str, path: str, row: Optional[Row]) -> Dict[str, _Member]:
    return {
        side: path,
        f"{side}_ns": json_number(row.median_ns) if row else None,
        **{f"{side}_{name}": getattr(row, name, "") for name in ("device", "plugin", "kind")},
        **{f"{side}_{name}": _whole(getattr(row, name, "")) for name in ("block", "vt")},
        f"{side}_params": row.params if row else "",
    }


def _json_pair(c: Comparison, pair: Pair) -> Dict[str, _Member]:
    row, o = pair.row, pair.outcome
    return {
        **{
            name: getattr(row, name)
            for name in ("plugin", "n", "rows", "inner", "dtype", "result", "op", "kind")
        },
        **{name: _whole(getattr(row, name)) for name in ("block", "vt")},
        **{name: getattr(row, name) for name in ("params", "cache", "phase")},
        "ratio": json_number(o.ratio, pair.has_ratio),
        **{name: json_number(getattr(o, name), o.has_interval) for name in ("lo", "hi", "p")},
        "verdict": o.verdict,
        "reason": pair.reason,
        "regression": pair.regression,
        **_json_side("first", c.files[0].path, pair.first),
        **_json_side("second", c.files[pair.file].path, pair.second),
    }


def compare_json(comparison: Comparison) -> str:
    """As one JSON object: the files, what else differs, the pairs in the order of the table, their
    number by verdict. The line ends with a newline."""
    c = comparison
    files = [
        {
            "path": file.path,
            "run_id": file.rows[0].run_id if file.rows else "",
            "host": file.rows[0].host if file.rows else "",
            "remarks": differences(c, i) if i > 0 else [],
        }
        for i, file in enumerate(c.files)
    ]
    summary = {"pairs": len(c.pairs), **{verdict: c.count(verdict) for verdict in VERDICTS}}
    summary["regressions"] = c.regressions

    pairs = json_lines(_json_pair(c, pair) for pair in c.pairs)
    opening = json_text({"schema": 1, "scanbench": VERSION, "threshold": json_number(c.threshold)})
    return (
        f'{opening[:-1]}, "files": {json_lines(files)}, "pairs": {pairs}, '
        f'"summary": {json_text(summary)}}}\n'
    )
