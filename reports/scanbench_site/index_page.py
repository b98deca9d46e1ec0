"""index.html: which scan for which size, type, shape and device."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Sequence

from scanbench_results.page import certainty
from scanbench_results.rows import OK
from scanbench_results.words import time_text

from .machines import Answer, Machine, most_telling
from .markup import columns, link, page, section, table, tag
from .says import (
    CERTAINTY,
    of_copy,
    plugin_cell,
    ratio_text,
    scan_text,
    sentence,
    shape_text,
    size_text,
    tied_text,
)

PATH = "index.html"
_HEADS = columns(
    "on, scan, type, shape, data, n#, fastest, how sure, time#, % of copy#, fastest library, its time#, from"
)
_MACHINE_HEADS = columns("machine, plugins#, CSVs#, rows#, measured")
_CHOICES = ("scan", "type", "shape", "data", "n", "on")


def _keys(answer: Answer) -> dict[str, str]:
    """What is chosen by."""
    return {
        "scan": scan_text(answer),
        "type": answer.workload.types,
        "shape": shape_text(answer),
        "data": "already there" if answer.is_resident else "in host memory",
        "n": str(answer.problem.n),
        "on": answer.device,
    }


def _cells(answer: Answer) -> list[str]:
    row, library = answer.best.row, answer.library
    keys = _keys(answer)
    tied = tied_text(answer, "")
    place = answer.machine.place(answer.problem.file)
    return [
        *(escape(keys[name]) for name in ("on", "scan", "type", "shape", "data")),
        size_text(row),
        plugin_cell(row, "") + (f'<br><span class="setting">{tied}</span>' if tied else ""),
        tag(CERTAINTY[certainty(answer.problem)], certainty(answer.problem)),
        time_text(row.median_ns),
        of_copy(row),
        plugin_cell(library.row, "") if library else "",
        ratio_text(library.over_winner) if library else "",
        link(answer.machine.path, escape(place).replace("/", "/<wbr>")),
    ]


def _attributes(answer: Answer) -> str:
    keys = {
        **_keys(answer),
        "says": sentence(answer),
        "ns": f"{answer.best.row.median_ns:.6g}",
        "many": str(len(answer.problem.entries)),
    }
    return "".join(f' data-{name}="{escape(value)}"' for name, value in keys.items())


def usual(answers: Sequence[Answer]) -> dict[str, str]:
    """What is chosen as the page opens: the problem with the most devices, and of several the largest."""
    devices = Counter(answer.question for answer in answers if answer.is_resident)
    most = max(devices.values(), default=0)
    chosen = [answer for answer in answers if devices[answer.question] == most > 0]
    if not chosen:
        return {}
    largest = max(chosen, key=lambda answer: answer.problem.n)
    return {**_keys(largest), "on": ""}


def _form(chosen: dict[str, str]) -> str:
    labels = "".join(
        f'<label>{name} <select name="{name}" data-usual="{escape(chosen.get(name, ""))}"></select></label>'
        for name in _CHOICES
    )
    return f'<form id="choose" aria-label="What is asked" hidden>{labels}<button type="reset">all answers</button></form>\n'


def _machine_cells(machine: Machine) -> list[str]:
    rows = [row for row in machine.report.rows if not row.is_calibrator]
    plugins = {row.plugin for row in rows if row.status == OK}
    days = sorted({row.timestamp_utc[:10] for row in rows if row.timestamp_utc})
    return [
        link(machine.path, escape(machine.name)),
        str(len(plugins)),
        str(len(machine.report.files)),
        f"{len(rows):,}",
        " to ".join(dict.fromkeys([days[0], days[-1]])) if days else "",
    ]


def index_page(answers: Sequence[Answer], machines: Sequence[Machine]) -> str:
    chosen = usual(answers)
    fitting = [a for a in answers if all(_keys(a)[name] == of for name, of in chosen.items() if of)]
    lead = (
        "<p>The fastest scan for each operator, type, shape, size and device that was measured, with what cannot be "
        "told from it, and the fastest library beside it.</p>"
    )
    answer = (
        f'<p class="says" id="says" aria-live="polite">{sentence(most_telling(fitting)) if fitting else ""}</p>\n'
        + '<p class="note" id="count" aria-live="polite"></p>\n'
        + '<div class="scroll" tabindex="0" role="region" aria-label="The answers">\n'
        + table(
            "The fastest first, of each size. <i>Its time</i> is that of the library over that of the fastest; "
            "? stands where there is no interval. Above 100 % of a copy is noise.",
            _HEADS,
            map(_cells, answers),
            [_attributes(answer) for answer in answers],
            "answers",
        )
        + "</div>\n"
    )
    caption = "Its answer, and all that was measured on it"
    every = table(caption, _MACHINE_HEADS, map(_machine_cells, machines))
    body = (
        _form(chosen)
        + section("answer-title", "The answer", answer)
        + section("machines-title", "Everything about one machine", every)
    )
    return page(PATH, "Which scan is fastest?", lead, body, "index.js")
