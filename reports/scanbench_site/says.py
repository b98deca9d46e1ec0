"""What is said of an answer, in cells and sentences of HTML."""

from __future__ import annotations

from html import escape

from scanbench_results.page import certainty
from scanbench_results.ratio import Ratio
from scanbench_results.report import Entry, Standing
from scanbench_results.rows import Row
from scanbench_results.words import (
    about_text,
    digits_text,
    join,
    kind_text,
    margin_text,
    plugin_text,
    time_text,
    version_text,
)

from .machines import Answer
from .markup import code, link, plugin_path

CERTAINTY = {"certain": "certain", "tied": "tied", "unknown": "not known", "alone": "no other"}
_MOST_TIED = 3


def scan_text(answer: Answer) -> str:
    """ "exclusive sum"."""
    w = answer.workload
    return f"{kind_text(w.kind)} {w.op}" + (" with cold caches" if w.cache == "cold" else "")


def shape_text(answer: Answer) -> str:
    """What is scanned, but for n: "one array", "1,024 rows", "rows, about 2.7e8 elements"."""
    sweep = answer.workload.sweep
    if sweep.elements:
        words = f"rows, about {about_text(sweep.elements)} elements"
    else:
        words = "one array" if sweep.rows == 1 else f"{sweep.rows:,} rows"
    words += f", inner {sweep.inner:,}" if sweep.inner != 1 else ""
    return words + (", in place" if answer.problem.in_place else "")


def size_text(row: Row) -> str:
    """ "100,000,000", or "268,435 × 1,000": rows of n."""
    return f"{row.n:,}" if row.rows == 1 else f"{row.rows:,} × {row.n:,}"


def of_copy(row: Row) -> str:
    """ "97 %"; "" if no copy was measured."""
    return f"{row.pct_copy:.0f} %" if row.pct_copy > 0 else ""


def has_bandwidth(row: Row) -> bool:
    """Is it one that there can be? Any program may have written the file."""
    return 1 <= row.bytes_per_s <= 1e21


def gigabytes(row: Row) -> str:
    return digits_text(row.bytes_per_s / 1e9) if has_bandwidth(row) else ""


def ratio_text(ratio: Ratio) -> str:
    """ "1.33×", with "?" behind it without an interval; "" if it is not known."""
    return (
        f"{digits_text(ratio.ratio)}×{'' if ratio.has_interval else '?'}" if ratio.ratio > 0 else ""
    )


def plugin_link(name: str, root: str) -> str:
    return link(root + plugin_path(name), code(name))


def plugin_cell(row: Row, root: str) -> str:
    """The plugin, linked, with its library's version."""
    more = plugin_text(row)[len(row.plugin) :]
    return plugin_link(row.plugin, root) + escape(more)


def tied_text(answer: Answer, root: str) -> str:
    """ "tied with a, b and 2 more"; "" if nobody is."""
    tied = answer.problem.tied
    names = [plugin_link(entry.row.plugin, root) for entry in tied[:_MOST_TIED]]
    names += [f"{len(tied) - _MOST_TIED} more"] if len(tied) > _MOST_TIED else []
    return f"tied with {and_text(names)}" if tied else ""


def and_text(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def standing_text(entry: Entry) -> str:
    """What a plugin is to the fastest: "fastest", "tied", "+4.2 %"."""
    if entry.standing in (Standing.BEST, Standing.SHORTEST):
        return "fastest" if entry.standing is Standing.BEST else "fastest?"
    return "tied" if entry.standing is Standing.TIED else margin_text(entry.over_winner)


def _unbroken(text: str) -> str:
    return text.replace(" ", "\u00a0")


def sentence(answer: Answer) -> str:
    """The answer in words, for index.html."""
    row, p = answer.best.row, answer.problem
    how = {
        "certain": "is fastest",
        "tied": "has the shortest time",
        "unknown": "has the shortest median",
        "alone": "was measured alone",
    }[certainty(p)]
    what = f"{scan_text(answer)} of {size_text(row)} {answer.workload.types}"
    where = "data already there" if answer.is_resident else "data in host memory"
    text = f"For the {escape(what)} on <b>{escape(answer.device)}</b>, {where}, <b>{escape(row.plugin)}</b> {how}: "
    text += f"<b>{_unbroken(time_text(row.median_ns))}</b>"
    text += f", {_unbroken(of_copy(row))} of a copy" if of_copy(row) else ""
    tied = [escape(entry.row.plugin) for entry in p.tied]
    text += f". Tied with it: {', '.join(tied)}" if tied else ""
    library = answer.library
    if library and library is not answer.best:
        name = join(library.row.plugin, version_text(library.row))
        text += f". The fastest library, {escape(name)}, takes {ratio_text(library.over_winner)} as long"
    return text + "."
