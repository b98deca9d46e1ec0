"""A report as one HTML file that needs nothing else: its data as JSON, put into the template.

template/README.md describes the data. Times are in ns, clocks in MHz; ratios have no unit.
"""

from __future__ import annotations

import enum
import html
import re
import itertools
import math
import os
import time
from operator import attrgetter
from pathlib import Path
from typing import Callable, Iterable, Optional, Sequence, Union

from . import words
from .claims import JudgedClaim, JudgedExpectation, JudgedValue, Judgement
from .crossover import make_crossovers
from .machine import machine_name
from .ratio import Ratio
from .report import Problem, Report, Standing, View
from .rows import ResultError, Row, Sweep
from .run_info import RunInfo
from .scaling import Gain, ScalingPoint, make_scaling
from .text import json_text
from .whole_file import write_whole

_HERE = Path(__file__).resolve().parent  # a build has a link to it
TEMPLATE = _HERE / "template"
ECHARTS = (  # beside the template where the package is installed, else as in the repository
    TEMPLATE / "echarts.min.js",
    _HERE.parents[1] / "third_party" / "echarts" / "echarts.min.js",
)
SCRIPTS = (  # in the order in which they use each other
    "data words series scales figures tables lines answer sizes scaling cells settings shapes phases accuracy "
    "rounds noise missing claims machine page account"
).split()

Object = dict[str, object]  # of JSON


# ---- JSON ----------------------------------------------------------------------------------------


def _json(value: object) -> str:
    """Without blanks, as a page has many values; floats have six significant digits, and are null
    where they are not known. A row is its number, a word of an enumeration its text."""
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_text(name)}:{_json(of)}" for name, of in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_json, value))}]"
    if isinstance(value, Row):
        return str(value.number)
    if isinstance(value, enum.Enum):
        return _json(value.value)
    return "null" if value is None else str(value)


def _lines(values: Iterable[object]) -> str:
    """A list, each value in a line of its own."""
    return "[" + ",\n".join(map(_json, values)) + "]"


def _members(of: object, names: str) -> Object:
    """The members of an object by their names: "n kind=kinds" has them under `n` and `kind`."""
    pairs = (word.split("=") for word in names.split())
    return {pair[0]: attrgetter(pair[-1])(of) for pair in pairs}


def _known_texts(of: object) -> dict[str, str]:
    """The texts of a dataclass, without those that are not known."""
    return {name: text for name, text in vars(of).items() if isinstance(text, str) and text}


def _ratio(name: str, ratio: Optional[Ratio]) -> Object:
    ends = (ratio.lo, ratio.hi) if ratio and ratio.has_interval else (None, None)
    return {name: ratio.ratio if ratio else None, "lo": ends[0], "hi": ends[1]}


# ---- files ---------------------------------------------------------------------------------------


def _info(info: RunInfo) -> Object:
    plugins = [{"of": "plugin", **_known_texts(plugin)} for plugin in info.plugins]
    known = {**_members(info, "known sequential"), **_known_texts(info)}
    known.pop("host" if info.machine else "", None)
    return {**known, "warnings": info.warnings, "plugins": plugins}


def _files(report: Report) -> list[Object]:
    found: list[Object] = []
    first = 0
    for file in report.files:
        rows = file.rows
        texts = {"label": file.label}
        if rows:
            texts.update(machine=machine_name(file), time=rows[0].timestamp_utc)
            # A machine that has a name needs no host's.
            texts.update({} if file.info.machine else {"host": rows[0].host})
        known = {name: text for name, text in texts.items() if text}
        count: Object = {"first": first, "count": len(rows), "info": _info(file.info)}
        found.append({"path": os.path.basename(file.path), **known, **count})
        first += len(rows)
    return found


# ---- rows, as columns: texts that repeat stand once, in lists, and a column has their places -------


def _series(row: Row) -> Object:
    return {
        **_members(row, "file plugin"),
        "name": words.plugin_text(row),
        **_members(row, "version=plugin_version role backend device driver"),
        **({"kind": row.kind} if row.is_other_kind else {}),
        **_members(row, "accelerator=on_device inPlace=is_in_place"),
    }


def _problem(row: Row) -> Object:
    """With what is not the default of its sweep."""
    pairs = zip(row.sweep._asdict().items(), Sweep())
    sweep = {name: value for (name, value), default in pairs if value != default}
    return {**_members(row, "dtype=types op kind=kinds cache"), **sweep}


def _setting(row: Row) -> Object:
    """Numbers without leading zeros, which JSON does not have."""
    block, vt = (int(text) if text else None for text in (row.block, row.vt))
    return {"block": block, "vt": vt, "params": row.params}


# The list, its column, and what a row has there.
_LISTS: tuple[tuple[str, str, Callable[[Row], object]], ...] = (
    ("series", "series", _series),
    ("problems", "problem", _problem),
    ("sizes", "size", attrgetter("n")),
    ("settings", "setting", _setting),
    ("phases", "phase", attrgetter("phase")),
    ("outcomes", "outcome", lambda row: _members(row, "status reason use")),
    ("flags", "flags", attrgetter("flags")),
    ("stops", "stop", attrgetter("stop_reason")),
    ("throttles", "throttle", attrgetter("gpu_throttle")),
)


def _list_and_places(
    rows: Sequence[Row], entry_of: Callable[[Row], object]
) -> tuple[str, list[int]]:
    """The entries, each once, and the place of each row's own."""
    texts: dict[str, int] = {}
    known: dict[object, int] = {}
    places = []
    for row in rows:
        entry = entry_of(row)
        key = tuple(entry.items()) if isinstance(entry, dict) else entry
        if key not in known:
            known[key] = texts.setdefault(_json(entry), len(texts))
        places.append(known[key])
    return "[" + ",\n".join(texts) + "]", places


# Numbers, and their significant digits: as many as a plot or a table shows.
_NUMBERS = (
    ("median_ns ci_lo_ns ci_hi_ns", 6),
    ("pct_copy pct_copy_lo pct_copy_hi speedup speedup_lo speedup_hi", 5),
    ("max_rel_error max_ulps", 4),
    ("samples rounds", 9),
    ("clock_mhz cpu_mhz", 5),
    ("load steal_pct", 4),
    ("involuntary_switches page_faults", 9),
    ("gpu_temperature_c", 4),
    ("gpu_processes", 9),
)


def _short(value: float, digits: int) -> str:
    """Without an exponent where that is shorter."""
    return f"{float(f'{value:.{digits}g}'):.12g}" if math.isfinite(value) else "null"


def _deviations(row: Row) -> str:
    """The rounds that have a value over the median, minus 1, in 0.01 %."""
    each = [(ns / row.median_ns - 1) * 1e4 for ns in row.rounds_ns]
    known = [str(round(deviation)) for deviation in each if math.isfinite(deviation)]
    return f"[{','.join(known)}]" if known else "null"


def _all_deviations(rows: Sequence[Row], places: dict[str, list[int]]) -> list[str]:
    """Of the rows whose rounds are drawn: of each series the fastest setting at each size."""
    fastest: dict[tuple[int, ...], int] = {}
    keys = zip(*(places[name] for name in ("series", "problem", "size", "phase", "outcome")))
    for at, key in enumerate(keys):
        row = rows[at]
        if row.median_ns > 0 and row.phase in ("run", "device", "graph", "e2e"):
            best = fastest.setdefault(key, at)
            if float(_short(row.median_ns, 6)) < float(_short(rows[best].median_ns, 6)):
                fastest[key] = at
    drawn = set(fastest.values())
    return [_deviations(row) if at in drawn else "null" for at, row in enumerate(rows)]


def _packed(values: Sequence[str]) -> str:
    """A list as a text, in which what is the same as before is not written again: "7,,8" of 7, 7, 8.
    The rows of one configuration have much in common."""
    before = ["", *values]
    return ",".join("" if one == last else one for one, last in zip(values, before))


def _columns(rows: Sequence[Row], places: dict[str, list[int]]) -> str:
    """All columns: a list of the values of all rows, packed if they are numbers, or one value where
    all are the same. What is nowhere known is left out."""
    columns = {name: list(map(str, of)) for name, of in places.items()}
    for name in ("rows", "inner"):
        counts = map(attrgetter(name), rows)
        columns[name] = ["null" if count == 1 else str(count) for count in counts]
    for names, digits in _NUMBERS:
        for name in names.split():
            columns[name] = [_short(value, digits) for value in map(attrgetter(name), rows)]
    columns["deviations"] = _all_deviations(rows, places)
    texts = {}
    for name, values in columns.items():
        is_one = len(set(values)) == 1 and values[0][0] != "["
        of_rows = f"[{','.join(values)}]" if name == "deviations" else f'"{_packed(values)}"'
        texts[name] = values[0] if is_one else of_rows
    return ",\n".join(f'"{name}":{text}' for name, text in texts.items() if text != "null")


# ---- what follows from the rows --------------------------------------------------------------------


def certainty(p: Problem) -> str:
    """What is known of the first against the others."""
    if len(p.entries) == 1:
        return "alone"
    if p.tied:
        return "tied"
    return "certain" if p.entries[1].standing is Standing.BEHIND else "unknown"


def _winner(p: Problem, problems: list[int]) -> Object:
    row = p.entries[0].row
    behind = next((e for e in p.entries[1:] if e.standing is not Standing.TIED), None)
    ratio = behind.over_winner if behind else None
    return {
        "file": p.file,
        "problem": problems[row.number],
        "view": "resident" if p.view is View.RESIDENT else "from host",
        "place": p.place + (", in place" if p.in_place else ""),
        "n": p.n,
        "row": row,
        "verdict": certainty(p),
        "tied": [entry.row for entry in p.tied],
        "next": behind.row if behind else None,
        **_ratio("ratio", ratio),
        "doubt": ratio.doubt if ratio else "",
        "copy": p.ceiling,
    }


def _copies(problems: Sequence[Problem]) -> list[tuple[Row, Row]]:
    """Of each plugin's fastest setting, the copy that its pct_copy is held against."""
    entries = (e for p in problems for e in p.entries)
    return list({e.row.number: (e.row, e.copy) for e in entries if e.copy}.values())


def _best(problems: Sequence[Problem]) -> list[Object]:
    """Of several settings the best, which cannot be told from it, and whether that is not known."""
    return [
        {
            "row": e.row,
            "tied": [s.row for s in e.settings[1:] if s.standing is Standing.TIED],
            "unknown": e.settings[0].standing is Standing.SHORTEST,
        }
        for p in problems
        for e in (*p.entries, *p.ceilings)
        if p.view is View.RESIDENT and len(e.settings) > 1
    ]


def _crossovers(report: Report) -> list[Object]:
    of_line, of_crossing = "row phase=row.phase", "from=start to=end near gains certain"
    return [
        {**_members(line, of_line), **_members(crossing, of_crossing)}
        for workload in report.workloads
        for line in make_crossovers(report, workload)
        for crossing in line.crossings
    ]


def _gain(gain: Optional[Gain]) -> Object:
    return {
        "one": gain.one if gain else None,
        **_ratio("speedup", gain.speedup if gain else None),
        "doubt": gain.speedup.doubt if gain else "",
        "efficiency": gain.efficiency if gain else None,
        "of_bound": gain.of_bound or None if gain else None,
    }


def _point(p: ScalingPoint) -> Object:
    members = _members(p, "row parts way layout=row.layout n_of_one elements_per_s")
    return {**members, "bound": p.bound or None, "own": _gain(p.own), "best": _gain(p.best)}


# ---- claims --------------------------------------------------------------------------------------


def _by_medians(of: Union[JudgedValue, JudgedClaim]) -> str:
    """What the medians alone would say of what cannot be told."""
    says = {Judgement.HOLDS: "holds", Judgement.FAILS: "does not hold"}
    return says.get(of.by_medians, "") if of.judgement is Judgement.UNKNOWN else ""


def _value(v: JudgedValue) -> Object:
    return {
        **_members(v, "verdict=judgement at=where"),
        "medians": _by_medians(v),
        "doubt": v.doubt,
        **_ratio("value", v.ratio),
        **_members(v, "rows tied"),
    }


def _expectation(e: JudgedExpectation) -> Object:
    names = "formula=expectation.text problem time=expectation.formula.is_time left_out"
    return {**_members(e, names), "values": [_value(v) for v in e.values]}


def _claim(c: JudgedClaim) -> Object:
    return {
        **_members(c, "file title=recipe.title text=claim.text"),
        "source": c.claim.source or c.recipe.source,
        "verdict": c.judgement,
        "medians": _by_medians(c),
        "expectations": [_expectation(e) for e in c.expectations],
    }


def _claims(judged: Sequence[JudgedClaim]) -> list[Object]:
    """In the order of the recipes, then of the files."""
    measured = [claim for claim in judged if claim.is_measured]
    recipes = itertools.groupby(measured, key=lambda claim: id(claim.recipe))
    return [_claim(c) for _, of in recipes for c in sorted(of, key=lambda claim: claim.file)]


# ---- the page ------------------------------------------------------------------------------------


def page_data(
    report: Report, claims: Sequence[JudgedClaim], program: str = "", revision: str = ""
) -> str:
    """The data of the page as JSON; `program` and `revision` say which scanbench makes it."""
    rows = report.rows
    lists, places = {}, {}
    for name, column, entry_of in _LISTS:
        lists[name], places[column] = _list_and_places(rows, entry_of)
    problems = [p for workload in report.workloads for p in workload.problems]
    flags = {flag.word: _members(flag, "means disturbed=is_disturbed") for flag in report.flags}
    made = time.strftime("%Y-%m-%d", time.gmtime())
    members_of_page = {
        "format": "1",
        "program": _json(program),
        "revision": _json(revision),
        "made": _json(made),
        "files": _lines(_files(report)),
        **lists,
        "rows": f'{{"count":{len(rows)},"columns":{{\n{_columns(rows, places)}}}}}',
        "winners": _lines(_winner(p, places["problem"]) for p in problems if p.entries),
        "copies": _json(_copies(problems)),
        "best": _lines(_best(problems)),
        "crossovers": _lines(_crossovers(report)),
        "scaling": _lines(map(_point, make_scaling(report))),
        "claims": _lines(_claims(claims)),
        "flag_words": _json(flags),
    }
    return "{" + ",\n".join(f'"{name}":{of}' for name, of in members_of_page.items()) + "}\n"


def _part(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        why = f"{error.strerror}; install scanbench again"
        raise ResultError(f"a part of every page, {path}, cannot be read: {why}") from None


def page_html(data: str, name: str = "", links: str = "") -> str:
    """The template with styles, scripts and data in their places. `name`: of the machine, else its title
    has that of its devices. `links`: HTML above the title, to pages beside it. ResultError: a part is
    missing."""
    parts = {
        "page.css": _part(TEMPLATE / "page.css"),
        "links": links,
        "name": html.escape(name),
        "scripts": "".join(_part(TEMPLATE / f"{name}.js") for name in SCRIPTS),
        "echarts": _part(next((path for path in ECHARTS if path.exists()), ECHARTS[0])),
        # In a script of HTML "</script" would end it; in JSON a < stands in strings only.
        "data": data.replace("<", "\\u003c"),
    }
    places = re.compile("@(" + "|".join(map(re.escape, parts)) + ")@")
    return places.sub(lambda found: parts[found[1]], _part(TEMPLATE / "page.html"))


def write_page(
    report: Report, claims: Sequence[JudgedClaim], path: str, program: str = "", revision: str = ""
) -> None:
    """Writes the page to `path` ("-": stdout). ResultError: it cannot be written."""
    write_whole(path, page_html(page_data(report, claims, program, revision)))
