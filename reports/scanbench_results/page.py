"""A report as one HTML file that needs nothing else: its data as JSON, put into the template.

template/README.md describes the data. Times are in ns, clocks in MHz; ratios have no unit.
"""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Callable, Iterable, Optional, Sequence, Union

from . import words
from .claims import JudgedClaim, JudgedExpectation, JudgedRecipe, JudgedValue, Judgement
from .crossover import make_crossovers
from .ratio import Ratio
from .recipe import Recipe
from .report import Entry, Problem, Report, Setting, Standing, View
from .rows import Row, is_in_place, is_other_kind
from .run_info import RunInfo
from .scaling import Gain, make_scaling
from .text import json_string
from .whole_file import write_whole

TEMPLATE = Path(__file__).parent / "template"
ECHARTS = (  # beside the template where the package is installed, else as in the repository
    TEMPLATE / "echarts.min.js",
    Path(__file__).parents[2] / "third_party" / "echarts" / "echarts.min.js",
)
SCRIPTS = (  # in the order in which they use each other
    "data words series scales figures tables lines answer sizes scaling settings phases rounds "
    "noise missing claims machine page account"
).split()


# ---- JSON: members are names with values that are JSON already -----------------------------------


def _number(value: float, known: bool = True) -> str:
    """Six significant digits; null if the number is not known or not finite."""
    return f"{value:.6g}" if known and math.isfinite(value) else "null"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _object(**members: str) -> str:
    """No blanks: a page has many of them."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


def _list(values: Iterable[str], separator: str = ",") -> str:
    return f"[{separator.join(values)}]"


def _known(of: object, names: Iterable[str]) -> dict[str, str]:
    """The texts of these names, without those that are not known."""
    return {name: json_string(text) for name in names if (text := getattr(of, name))}


def _interval(ratio: Optional[Ratio]) -> dict[str, str]:
    if ratio is None or not ratio.has_interval:
        return {"lo": "null", "hi": "null"}
    return {"lo": _number(ratio.lo), "hi": _number(ratio.hi)}


# ---- files ---------------------------------------------------------------------------------------

_INFO_TEXTS = (
    "run_id scanbench git_revision compiler host cpu topology memory_available system governor "
    "turbo smt aslr command baseline"
).split()
_PLUGIN_TEXTS = "id version backend reference device driver file status reason hash".split()


def _info(info: RunInfo) -> str:
    return _object(
        known=_bool(info.known),
        sequential=_bool(info.sequential),
        **_known(info, _INFO_TEXTS),
        warnings=_list(map(json_string, info.warnings)),
        plugins=_list(_object(of='"plugin"', **_known(p, _PLUGIN_TEXTS)) for p in info.plugins),
    )


def _files(report: Report) -> str:
    found, first = [], 0
    for file in report.files:
        rows = file.results.rows
        of_run = {"host": rows[0].host, "time": rows[0].timestamp_utc} if rows else {}
        texts = {"label": file.label, **of_run}
        found.append(
            _object(
                path=json_string(os.path.basename(file.results.path)),
                **{name: json_string(text) for name, text in texts.items() if text},
                first=str(first),
                count=str(len(rows)),
                info=_info(file.info),
            )
        )
        first += len(rows)
    return _list(found, ",\n")


# ---- rows, as columns: texts that repeat stand once, in lists, and a column has their places -------


def _series(row: Row, file: int) -> str:
    return _object(
        file=str(file),
        plugin=json_string(row.plugin),
        name=json_string(words.plugin_text(row)),
        version=json_string(row.plugin_version),
        role=json_string(row.role),
        backend=json_string(row.backend),
        device=json_string(row.device),
        driver=json_string(row.driver),
        **({"kind": json_string(row.kind)} if is_other_kind(row) else {}),
        accelerator=_bool(row.on_device),
        inPlace=_bool(is_in_place(row)),
    )


def _problem(row: Row) -> str:
    return _object(
        dtype=json_string(row.dtype),
        op=json_string(row.op),
        kind=json_string(row.kinds),
        cache=json_string(row.cache),
    )


def _setting(row: Row) -> str:
    """Numbers without leading zeros, which JSON does not have."""
    return _object(
        block=str(int(row.block)) if row.block else "null",
        vt=str(int(row.vt)) if row.vt else "null",
        params=json_string(row.params),
    )


def _columns_of_places(report: Report) -> tuple[dict[str, str], dict[str, list[int]]]:
    """The lists, and the place of each row in them."""
    lists: dict[str, dict[str, int]] = {name: {} for name, _, _ in _LISTS}
    places: dict[str, list[int]] = {column: [] for _, column, _ in _LISTS}
    for number, file in enumerate(report.files):
        for row in file.results.rows:
            for name, column, text in _LISTS:
                entry = text(report, row, number)
                places[column].append(lists[name].setdefault(entry, len(lists[name])))
    return {name: _list(entries, ",\n") for name, entries in lists.items()}, places


# name of the list, name of its column, an entry
_LISTS: tuple[tuple[str, str, Callable[[Report, Row, int], str]], ...] = (
    ("series", "series", lambda report, row, file: _series(row, file)),
    ("problems", "problem", lambda report, row, file: _problem(row)),
    ("sizes", "size", lambda report, row, file: str(row.n)),
    ("settings", "setting", lambda report, row, file: _setting(row)),
    ("phases", "phase", lambda report, row, file: json_string(row.phase)),
    (
        "outcomes",
        "outcome",
        lambda report, row, file: _object(
            status=json_string(row.status),
            reason=json_string(row.reason),
            use=json_string(report.use(row).value),
        ),
    ),
    ("flags", "flags", lambda report, row, file: json_string(row.flags)),
    ("stops", "stop", lambda report, row, file: json_string(row.stop_reason)),
    ("throttles", "throttle", lambda report, row, file: json_string(row.gpu_throttle)),
)

_DIGITS = {  # significant ones: as many as a plot or a table shows
    "median_ns": 6,
    "ci_lo_ns": 6,
    "ci_hi_ns": 6,
    "pct_copy": 5,
    "pct_copy_lo": 5,
    "pct_copy_hi": 5,
    "speedup": 5,
    "speedup_lo": 5,
    "speedup_hi": 5,
    "max_rel_error": 4,
    "samples": 9,
    "rounds": 9,
    "clock_mhz": 5,
    "cpu_mhz": 5,
    "load": 4,
    "steal_pct": 4,
    "involuntary_switches": 9,
    "page_faults": 9,
    "gpu_temperature_c": 4,
    "gpu_processes": 9,
}
_NOT_ZERO = ("median_ns", "clock_mhz")  # 0: not measured


def _short(value: float, digits: int) -> str:
    """Without an exponent where that is shorter."""
    return f"{float(f'{value:.{digits}g}'):.12g}" if math.isfinite(value) else "null"


def _column(values: list[str]) -> str:
    """One value where all are the same."""
    if all(value == values[0] for value in values[1:]):
        return values[0] if values else "0"
    return _list(values)


def _deviations(row: Row) -> str:
    """The rounds that have a value over the median, minus 1, in 0.01 %."""
    drawn = row.median_ns > 0 and row.phase in ("run", "device", "e2e")
    known = [ns for ns in row.rounds_ns if math.isfinite(ns)] if drawn else []
    return _list(str(round((ns / row.median_ns - 1) * 1e4)) for ns in known) if known else "null"


def _rows(report: Report, places: dict[str, list[int]]) -> str:
    rows = [row for file in report.files for row in file.results.rows]
    columns = {name: _column([str(place) for place in of]) for name, of in places.items()}
    for name, digits in _DIGITS.items():
        values = [float(getattr(row, name)) for row in rows]
        if name in _NOT_ZERO:
            values = [value or math.nan for value in values]
        column = _column([_short(value, digits) for value in values]) if rows else "null"
        if column != "null":  # what is nowhere known is left out
            columns[name] = column
    deviations = [_deviations(row) for row in rows]
    if any(of != "null" for of in deviations):
        columns["deviations"] = _list(deviations)
    members = ",\n".join(f'"{name}":{column}' for name, column in columns.items())
    return _object(count=str(len(rows)), columns="{\n" + members + "}")


# ---- what follows from the rows, which are known by their numbers ----------------------------------


def _tied(report: Report, entries: Iterable[Union[Entry, Setting]]) -> str:
    return _list(str(report.number(e.row)) for e in entries if e.standing is Standing.TIED)


def _verdict(p: Problem) -> str:
    """What is known of the first against the others."""
    if len(p.entries) == 1:
        return "alone"
    if p.tied > 0:
        return "tied"
    return "certain" if p.entries[1].standing is Standing.BEHIND else "unknown"


def _winner(report: Report, p: Problem, problems: list[int]) -> str:
    row = report.number(p.entries[0].row)
    behind = next((e for e in p.entries[1:] if e.standing is not Standing.TIED), None)
    ratio = behind.over_winner if behind else None
    return _object(
        file=str(p.file),
        problem=str(problems[row]),
        view='"in place"' if p.view is View.IN_PLACE else '"from host"',
        place=json_string(p.place + (", in place" if p.in_place else "")),
        n=str(p.n),
        row=str(row),
        verdict=f'"{_verdict(p)}"',
        tied=_tied(report, p.entries[1:]),
        next=str(report.number(behind.row)) if behind else "null",
        ratio=_number(ratio.ratio) if ratio else "null",
        **_interval(ratio),
        doubt=json_string(ratio.doubt if ratio else ""),
        copy=str(report.number(p.ceiling)) if p.ceiling else "null",
    )


def _copies(report: Report) -> str:
    """Of each plugin's fastest setting, the copy that its pct_copy is held against."""
    pairs = (
        (report.number(entry.row), report.number(entry.copy))
        for workload in report.workloads
        for p in workload.problems
        for entry in p.entries
        if entry.copy
    )
    return _list(f"[{row},{copy}]" for row, copy in dict(pairs).items())


def _best(report: Report) -> str:
    """Of several settings the best, which cannot be told from it, and whether that is not known."""
    several = (
        entry
        for workload in report.workloads
        for p in workload.problems
        if p.view is View.IN_PLACE
        for entry in (*p.entries, *p.ceilings)
        if len(entry.settings) > 1
    )
    return _list(
        (
            _object(
                row=str(report.number(e.row)),
                tied=_tied(report, e.settings[1:]),
                unknown=_bool(any(s.standing is Standing.UNKNOWN for s in e.settings)),
            )
            for e in several
        ),
        ",\n",
    )


def _crossovers(report: Report) -> str:
    return _list(
        (
            _object(
                row=str(report.number(line.points[0].row)),
                phase='"run"' if line.view is View.IN_PLACE else '"e2e"',
                **{"from": str(c.start), "to": str(c.end)},
                near=_number(c.near),
                gains=_bool(c.gains),
                certain=_bool(c.certain),
            )
            for workload in report.workloads
            for line in make_crossovers(report, workload)
            for c in line.crossings
        ),
        ",\n",
    )


def _gain(report: Report, gain: Optional[Gain]) -> str:
    ratio = gain.speedup if gain else None
    return _object(
        one=str(report.number(gain.one)) if gain else "null",
        speedup=_number(ratio.ratio) if ratio else "null",
        **_interval(ratio),
        doubt=json_string(ratio.doubt if ratio else ""),
        efficiency=_number(gain.efficiency) if gain else "null",
        of_bound=_number(gain.of_bound, gain.of_bound > 0) if gain else "null",
    )


def _scaling(report: Report) -> str:
    return _list(
        (
            _object(
                row=str(report.number(p.row)),
                parts=str(p.parts),
                way=json_string(p.way.value),
                layout=json_string(p.row.layout),
                n_of_one=str(p.n_of_one),
                elements_per_s=_number(p.elements_per_s),
                bound=_number(p.bound, p.bound > 0),
                own=_gain(report, p.own),
                best=_gain(report, p.best),
            )
            for p in make_scaling(report)
        ),
        ",\n",
    )


# ---- claims ------------------------------------------------------------------------------------


def _by_medians(unknown: Judgement, medians: Judgement) -> str:
    """What the medians alone would say of what cannot be told."""
    said = unknown is Judgement.UNKNOWN and medians in (Judgement.HOLDS, Judgement.FAILS)
    words_of = {Judgement.HOLDS: "holds", Judgement.FAILS: "does not hold"}
    return json_string(words_of[medians] if said else "")


def _value(report: Report, v: JudgedValue) -> str:
    return _object(
        verdict=json_string(v.judgement.value),
        at=json_string(v.where),
        medians=_by_medians(v.judgement, v.by_medians),
        doubt=json_string(v.doubt),
        value=_number(v.ratio.ratio),
        **_interval(v.ratio),
        rows=_list(str(report.number(row)) for row in v.rows),
        tied=_list(str(tied) for tied in v.tied),
    )


def _expectation(report: Report, e: JudgedExpectation) -> str:
    return _object(
        formula=json_string(e.expectation.text),
        problem=json_string(e.problem),
        time=_bool(e.expectation.formula.is_time),
        left_out=str(e.left_out),
        values=_list((_value(report, v) for v in e.values), ",\n"),
    )


def _claim(report: Report, recipe: Recipe, c: JudgedClaim) -> str:
    return _object(
        file=str(c.file),
        title=json_string(recipe.title),
        text=json_string(c.claim.text),
        source=json_string(c.claim.source or recipe.source or ""),
        verdict=json_string(c.judgement.value),
        medians=_by_medians(c.judgement, c.by_medians),
        expectations=_list((_expectation(report, e) for e in c.expectations), ",\n"),
    )


def _claims(report: Report, recipes: Sequence[JudgedRecipe]) -> str:
    """In the order of the recipes, then of the files."""
    claims = (
        _claim(report, of.recipe, claim)
        for of in recipes
        for file in range(len(report.files))
        for number in range(len(of.recipe.claims))
        if (claim := of.claim(file, number))
    )
    return _list(claims, ",\n")


def _flag_words(report: Report) -> str:
    """Each flag once: its sentence, and whether it casts doubt on the time."""
    found: dict[str, str] = {}
    for flag in report.flags:
        found.setdefault(
            json_string(flag.word),
            _object(means=json_string(flag.means), disturbed=_bool(flag.is_disturbed)),
        )
    return "{" + ",".join(f"{word}:{means}" for word, means in found.items()) + "}"


# ---- the page ------------------------------------------------------------------------------------


def page_data(report: Report, claims: Sequence[JudgedRecipe], program: str, revision: str) -> str:
    """The data of the page as JSON; `program` and `revision` say which scanbench makes it."""
    lists, places = _columns_of_places(report)
    winners = (
        _winner(report, p, places["problem"])
        for workload in report.workloads
        for p in workload.problems
        if p.entries
    )
    origin = _object(
        format="1",
        program=json_string(program),
        revision=json_string(revision),
        made=json_string(time.strftime("%Y-%m-%d", time.gmtime())),
    )
    members = {
        "files": _files(report),
        **lists,
        "rows": _rows(report, places),
        "winners": _list(winners, ",\n"),
        "copies": _copies(report),
        "best": _best(report),
        "crossovers": _crossovers(report),
        "scaling": _scaling(report),
        "claims": _claims(report, claims),
        "flag_words": _flag_words(report),
    }
    return ",\n".join([origin[:-1], *(f'"{name}":{of}' for name, of in members.items())]) + "}\n"


def page_html(data: str) -> str:
    """The template with styles, scripts and data in their places."""

    def part(name: str) -> str:
        return (TEMPLATE / name).read_text(encoding="utf-8")

    page = part("page.html").replace("@page.css@", part("page.css"))
    page = page.replace("@scripts@", "".join(part(f"{name}.js") for name in SCRIPTS))
    echarts = next((path for path in ECHARTS if path.exists()), ECHARTS[0])
    page = page.replace("@echarts@", echarts.read_text(encoding="utf-8"))
    # In a script of HTML "</script" would end it; in JSON a < stands in strings only.
    return page.replace("@data@", data.replace("<", "\\u003c"), 1)


def write_page(
    report: Report, claims: Sequence[JudgedRecipe], path: str, program: str = "", revision: str = ""
) -> None:
    """Writes the page to `path` ("-": stdout). ResultError: it cannot be written."""
    html = page_html(page_data(report, claims, program, revision))
    write_whole(path, html.encode("utf-8"))
