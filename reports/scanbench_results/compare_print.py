"""A comparison for people, for an issue, for scripts."""

from __future__ import annotations

import math
import re
from typing import Callable, Dict, Iterable, List, Optional, Union

from .compare import Comparison, Pair, differences
from .rows import Row
from .text import cut, is_control, json_text, number_text, shown
from .verdict import VERDICTS
from .version import VERSION


def _namer(c: Comparison) -> Callable[[Row], str]:
    """Names configurations by what differs among the pairs: "cpu_x f32 max exclusive block=64 pad=1"."""
    rows = [pair.row for pair in c.pairs]
    first = next(
        (row for row in rows if row.op), rows[0] if rows else None
    )  # no copy, if it can be

    def differs(column: str, known: bool = False) -> bool:
        values = {getattr(row, column) for row in rows}
        return len(values - {""} if known else values) > 1

    problem = any(differs(column, known=True) for column in ("dtype", "op", "kind"))
    phase, cache = differs("phase"), differs("cache")
    devices = {row.device for row in rows if first and row.backend == first.backend}

    def name(row: Row) -> str:
        words = [row.plugin, row.phase if phase else ""]
        words += [row.dtype, row.op, row.kind] if problem else []
        words += [row.block and f"block={row.block}", row.vt and f"vt={row.vt}", row.params]
        words += [row.cache if cache else ""]
        words += [f"on {row.device}" if len(devices) > 1 and row.device else ""]
        return cut(" ".join(word for word in words if word), 2047)

    return name


def _meaning(c: Comparison, second: int) -> str:
    old, new = cut(c.files[0].path, 400), cut(c.files[second].path, 400)
    return f"change: how much longer the times in {new} are than in {old}"


def _change(ratio: float) -> str:
    """A ratio as a change: "+4.2%", "x12.5"; "-" for one that is not known."""
    if not ratio > 0:
        return "-"
    if ratio < 9.995:
        return f"{100 * (ratio - 1):+.1f}%"
    return f"x{ratio:.0f}" if 999.5 <= ratio < 999999 else f"x{ratio:.3g}"


def _unmatched(c: Comparison, second: int) -> List[str]:
    """ "2 only in old.csv: cpu_x cpu_y": the tables have no lines for them."""
    lines = []
    for in_first, file in ((True, c.files[0]), (False, c.files[second])):
        rows = [p.row for p in c.pairs_of(second) if (p.second if in_first else p.first) is None]
        names = [r.plugin for i, r in enumerate(rows) if i == 0 or r.plugin != rows[i - 1].plugin]
        if rows:
            words = cut(" ".join(name for name in names if name), 4095)
            lines.append(f"{len(rows)} only in {cut(file.path, 400)}: {words}")
    return lines


def _summary(c: Comparison) -> str:
    counts = ", ".join(f"{c.count(v)} {v}" for v in ("slower", "faster", *VERDICTS[2:]))
    return f"{counts}; threshold {100 * c.threshold:g} %"


# All but the name and the size: indentation, three numbers, "inconclusive [12]". Where that leaves
# less than _NAME_LEAST for the name, the table is narrow: without intervals, and with names above.
_NUMBER = 7
_OTHERS = 2 + 3 * (1 + _NUMBER) + 2 + 17
_NAME_LEAST = 16
_NOTES_MOST = 99
_INDENT = 4


def _fit(text: str, most: int) -> int:
    """The characters of the first words of a text that fit into `most`; a longer word is cut."""
    if len(text) <= most or text[most] == " ":
        return min(len(text), most)
    blank = text.rfind(" ", 1, most)
    return blank if blank > 0 else most


def _wrapped(text: str, width: int, at: int = 0) -> str:
    """A text, whose first line begins at column `at`, in as many lines as it needs."""
    lines = []
    text = shown(text)
    while text:
        fit = _fit(text, width - at if width > at else 1)
        lines.append(text[:fit])
        text = text[fit:].lstrip(" ")
        at = _INDENT
    return ("\n" + " " * _INDENT).join(lines) + ("\n" if lines else "")


class _Writer:
    """Writes the table, in which a name that is too long for its column has lines of its own, in a
    narrow terminal each; reasons stand below, by number."""

    def __init__(self, c: Comparison, width: int) -> None:
        self.c = c
        self.width = width
        self.name_of = _namer(c)
        self.size_width = max([3, *(len(number_text(pair.row.n)) for pair in c.pairs)])
        self.name_width = width - _OTHERS - 1 - self.size_width
        self.narrow = self.name_width < _NAME_LEAST
        if self.narrow:
            self.name_width = 1
        self.notes: Dict[str, int] = {}

    def header(self) -> str:
        head = "  plugin\n  " if self.narrow else "  "
        head += f"{'' if self.narrow else 'plugin':<{self.name_width}} {'n':>{self.size_width}}"
        interval = "" if self.narrow else f"{'95 % interval':>{2 * _NUMBER + 1}}"
        return f"\n{head} {'change':>{_NUMBER}} {interval}  verdict\n"

    def mark(self, pair: Pair) -> str:
        """The number of the pair's reason; none if the table has too many."""
        reason = pair.reason
        if not reason or (reason not in self.notes and len(self.notes) == _NOTES_MOST):
            return ""
        return f" [{self.notes.setdefault(reason, len(self.notes) + 1)}]"

    def line(self, pair: Pair) -> str:
        o, name = pair.outcome, self.name_of(pair.row)
        line = f"  {shown(name):<{self.name_width}}"
        if self.narrow or len(name) > self.name_width:
            line = "  " + _wrapped(name, self.width, 2) + "  " + " " * self.name_width
        line += f" {number_text(pair.row.n):>{self.size_width}}"
        line += f" {_change(o.ratio if pair.has_ratio else 0):>{_NUMBER}}"
        if not self.narrow:
            lo, hi = (o.lo, o.hi) if o.has_interval else (0.0, 0.0)
            line += f" {_change(lo):>{_NUMBER}} {_change(hi):>{_NUMBER}}"
        return f"{line}  {o.verdict}{self.mark(pair)}\n"

    def table(self, second: int) -> str:
        c, width = self.c, self.width
        self.notes = {}
        lines = [f"{cut(c.files[0].path, 128)} -> {cut(c.files[second].path, 128)}"]
        lines += [_meaning(c, second), *differences(c, second)]
        text = "".join(_wrapped(line, width) for line in lines)
        pairs = [pair for pair in c.pairs_of(second) if pair.first and pair.second]
        text += self.header() if pairs else ""
        text += "".join(self.line(pair) for pair in pairs) + "\n"
        for reason, number in self.notes.items():
            label = f"[{number}] "
            text += label + _wrapped(reason, width, len(label))
        return text + "".join(_wrapped(line, width) for line in _unmatched(c, second))


def compare_text(comparison: Comparison, width: int = 80) -> str:
    """As a table, in lines of `width` columns, 40 at least."""
    writer = _Writer(comparison, width)
    text = "\n".join(writer.table(i) for i in range(1, len(comparison.files)))
    text += _wrapped(_summary(comparison), width)
    if comparison.never_measured:
        text += f"{comparison.never_measured} without times in either file are not shown\n"
    return text


def _marked(text: str) -> str:
    """A text so that it means itself in Markdown: in a cell of a table, as no markup and no tag."""
    plain = "".join(" " if is_control(c) else c for c in text)
    return re.sub(r"([|\\*_`<\[&~@#])", r"\\\1", shown(plain))


def _markdown_pair(pair: Pair, name: str) -> str:
    o = pair.outcome
    bold = "**" if pair.regression else ""
    interval = f"{_change(o.lo)} … {_change(o.hi)}" if o.has_interval else ""
    reason = pair.reason
    verdict = f"{bold}{o.verdict}{bold}" + (f": {_marked(reason)}" if reason else "")
    cells = [_marked(name), str(pair.row.n)]
    cells += [_change(o.ratio if pair.has_ratio else 0), interval, verdict]
    return f"| {' | '.join(cells)} |\n"


def compare_markdown(comparison: Comparison) -> str:
    """As a table for an issue or a pull request."""
    c, name_of = comparison, _namer(comparison)
    text = ""
    for i, second in enumerate(c.files[1:], 1):
        text += "\n### " if i > 1 else "### "
        text += f"{_marked(c.files[0].path)} → {_marked(second.path)}\n\n"
        lines = [_meaning(c, i), *differences(c, i)]
        text += "".join(f"- {_marked(line)}\n" for line in lines)
        text += "\n| plugin | n | change | 95 % interval | verdict |\n"
        text += "| --- | ---: | ---: | :---: | --- |\n"
        for pair in c.pairs_of(i):
            if pair.first and pair.second:
                text += _markdown_pair(pair, name_of(pair.row))
        text += "\n" + "".join(f"- {_marked(line)}\n" for line in _unmatched(c, i))
    return f"{text}\n{_summary(c)}\n"


_Member = Union[str, int, float, bool, None]


def _number(value: float, known: bool = True) -> Union[int, float, None]:
    """Of ten digits, which is more than any clock has."""
    if not known or not math.isfinite(value):
        return None
    short = float(f"{value:.10g}")
    return int(short) if short.is_integer() else short


def _whole(digits: str) -> Optional[int]:
    return int(digits) if digits else None


def _json_side(side: str, path: str, row: Optional[Row]) -> Dict[str, _Member]:
    return {
        side: path,
        f"{side}_ns": _number(row.median_ns, row.median_ns > 0) if row else None,
        **{f"{side}_{name}": getattr(row, name, "") for name in ("device", "plugin", "kind")},
        **{f"{side}_{name}": _whole(getattr(row, name, "")) for name in ("block", "vt")},
        f"{side}_params": row.params if row else "",
    }


def _json_pair(pair: Pair) -> Dict[str, _Member]:
    row, o = pair.row, pair.outcome
    return {
        **{name: getattr(row, name) for name in ("plugin", "n", "dtype", "op", "kind")},
        **{name: _whole(getattr(row, name)) for name in ("block", "vt")},
        **{name: getattr(row, name) for name in ("params", "cache", "phase")},
        "ratio": _number(o.ratio, pair.has_ratio),
        **{name: _number(getattr(o, name), o.has_interval) for name in ("lo", "hi", "p")},
        "verdict": o.verdict,
        "reason": pair.reason,
        "regression": pair.regression,
        **_json_side("first", pair.first_file.path, pair.first),
        **_json_side("second", pair.second_file.path, pair.second),
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

    def lines(values: Iterable[object]) -> str:
        return "[" + ",".join(f"\n  {json_text(value)}" for value in values) + "\n]"

    opening = json_text({"schema": 1, "scanbench": VERSION, "threshold": _number(c.threshold)})
    return (
        f'{opening[:-1]}, "files": {lines(files)}, "pairs": {lines(map(_json_pair, c.pairs))}, '
        f'"summary": {json_text(summary)}}}\n'
    )
