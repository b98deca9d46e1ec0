"""The claims of exports_fit_their_schemas.t; see there. usage: exports_fit_their_schemas.py ROOT

The schemas are written here from what the services publish: github-action-benchmark in its README (tools
customSmallerIsBetter and customBiggerIsBetter) and in how it reads a range; Bencher in its reference of the
Bencher Metric Format, with a JSON schema of draft 7."""

import json
import math
import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Sequence

import made_rows as made
from scanbench_results import ResultError, rows
from scanbench_results.exports import FORMATS, export
from tap import claim, plan

ROOT = Path(sys.argv[1])
FILES = sorted(ROOT.glob("reports/*/*.csv"))
NAME_MOST = 1024  # characters of a name, says Bencher


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def once(pairs: Sequence[Any]) -> Dict[str, Any]:
    """JSON lets a name stand twice in an object; no reader keeps both."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def loaded(text: str) -> Any:
    return json.loads(text, object_pairs_hook=once, parse_constant=lambda word: float("nan"))


def of_github_action_benchmark(text: str) -> Iterator[str]:
    """What is wrong. An array of objects: name and unit are texts, value a number; range and extra may be
    there, and are texts. Of a range the number behind ± is used, in the unit of the value."""
    entries = loaded(text)
    if not isinstance(entries, list) or not entries:
        yield "not an array with an entry"
        return
    for entry in entries:
        if not set(entry) <= {"name", "unit", "value", "range", "extra"}:
            yield f"unknown members: {entry}"
        if not all(isinstance(entry.get(name), str) and entry[name] for name in ("name", "unit")):
            yield f"no name or unit: {entry}"
        if not is_number(entry.get("value")):
            yield f"the value is not a number: {entry}"
        if not all(isinstance(entry.get(name, ""), str) for name in ("range", "extra")):
            yield f"range or extra is not a text: {entry}"
        found = re.fullmatch(r"± (\d[\d.]*)", str(entry.get("range", "± 0")))
        if not found or not is_number(float(found[1])):
            yield f"the range is not read: {entry}"
    if len({entry["name"] for entry in entries}) < len(entries):
        yield "a name stands twice"


def of_bencher(text: str) -> Iterator[str]:
    """An object of objects of metrics: value is required, lower_value and upper_value may be there, and
    all are numbers. A name with neither the form of a UUID nor of a slug is a name."""
    benchmarks = loaded(text)
    if not isinstance(benchmarks, dict) or not benchmarks:
        yield "not an object with a benchmark"
        return
    for name, measures in benchmarks.items():
        if not 0 < len(name) <= NAME_MOST or re.fullmatch(r"[a-z0-9-]+", name):
            yield f"not a name: {name}"
        if set(measures) != {"latency"}:  # the measure that there is in each project, in ns
            yield f"not the latency: {name}"
        metric = measures.get("latency", {})
        if not {"value"} <= set(metric) <= {"value", "lower_value", "upper_value"}:
            yield f"not a metric: {name}"
        if not all(map(is_number, metric.values())):
            yield f"not a number: {name}"
        value = metric.get("value", 0)
        if not metric.get("lower_value", value) <= value <= metric.get("upper_value", value):
            yield f"not between its bounds: {name}"


SCHEMAS: Dict[str, Callable[[str], Iterator[str]]] = {
    "github-action-benchmark": of_github_action_benchmark,
    "bencher": of_bencher,
}


def values(to: str, text: str) -> Dict[str, float]:
    """The times by their names."""
    data = loaded(text)
    if to == "bencher":
        return {name: measures["latency"]["value"] for name, measures in data.items()}
    return {entry["name"]: entry["value"] for entry in data}


def test_committed(to: str) -> None:
    """Each committed CSV."""
    problems: List[str] = []
    lost = []
    for path in FILES:
        file = rows.read(str(path))
        text = export([file], to)
        problems += [f"{path.name}: {problem}" for problem in SCHEMAS[to](text)]
        measured = [
            r for r in file.rows if r.phase == "run" and r.status == "ok" and not r.is_calibrator
        ]
        exported = sorted(values(to, text).values())
        if not all(map(math.isclose, exported, sorted(r.median_ns for r in measured))):
            lost.append(path.name)
        if len(exported) != len(measured):
            lost.append(f"{path.name}: {len(exported)} of {len(measured)}")
    claim(f"{to}: {len(FILES)} files fit its schema", not problems, *problems[:5])
    claim(f"{to}: each time of run is there, in ns", not lost, *lost[:5])


def test_names(to: str) -> None:
    steady = [1000 + k % 5 for k in range(20)]

    def text_of(scale: float, *others: str) -> str:
        mine = [
            made.in_rounds(
                "cpu_a", [scale * v for v in steady], block=64, params="pad=1", n=10**6
            )
        ]
        mine += [made.in_rounds("cpu_a", steady, block=128, params="pad=1", n=10**6)]
        mine += [made.in_rounds(plugin, steady) for plugin in others]
        mine += [made.in_rounds("cpu_a", steady, phase="device", n=10**6, block=64)]
        mine += [made.row("cpu_b", status="crashed", phase="")]
        mine += [made.in_rounds("frozen_scan", steady, role="calibrator")]
        return export([made.read(mine)], to)

    first, second = values(to, text_of(1)), values(to, text_of(2, "cpu_z", "cpu_y"))
    expected = "cpu_a: exclusive i32 sum, n = 1e6, block=64 pad=1"
    claim(f"{to}: a name says plugin, problem and setting", list(first)[0] == expected, *first)
    claim(
        f"{to}: it is the same whatever else was measured",
        set(first) <= set(second),
        *first,
        *second,
    )
    claim(
        f"{to}: and the time is that of the row",
        (first[expected], second[expected]) == (1002, 2004),
    )
    claim(f"{to}: other phases, failures and calibrators are left out", len(first) == 2, *first)
    gpu = [
        made.in_rounds("cuda_a", steady, backend="cuda", device=d, timestamp_utc=d)
        for d in ("A", "B")
    ]
    names = list(values(to, export([made.read(gpu)], to)))
    claim(f"{to}: devices are told apart", [name[-1] for name in names] == ["A", "B"], *names)
    bare = export([made.read([made.row("cpu_a", median_ns=5, plugin_version="1")])], to)
    claim(
        f"{to}: a time without an interval has no bounds",
        not list(SCHEMAS[to](bare)) and "upper" not in bare,
    )
    claim(f"{to}: and no range", "range" not in bare)
    hostile = made.row('\u202e"},{', median_ns=1e-300, device="\\u0000\n", backend="x")
    strange = export([made.read([hostile])], to)
    claim(f"{to}: no cell leaves its text", not list(SCHEMAS[to](strange)), strange)
    try:
        export([made.read([made.row("cpu_b", status="crashed", phase="")])], to)
        claim(f"{to}: nothing to export is an error", False)
    except ResultError as error:
        claim(f"{to}: nothing to export is an error", "nothing to export" in str(error), error)


def test_schemas() -> None:
    """That the schemas refuse anything."""
    good = {"name": "x", "unit": "ns", "value": 1, "range": "± 0.5"}
    wrong: List[Any] = [[], {}, [{**good, "value": "1"}], [{**good, "unit": ""}], [good, good]]
    wrong += [
        [{**good, "range": "0.5"}],
        [{**good, "range": 1}],
        [{**good, "latency": 1}],
        [{"name": "x"}],
    ]
    seen = [list(of_github_action_benchmark(json.dumps(one))) for one in wrong]
    claim("github-action-benchmark: what does not fit is seen", all(seen), *zip(wrong, seen))
    claim("and what fits is not", not list(of_github_action_benchmark(json.dumps([good]))))
    texts = ["{}", "[]", '{"x": {"latency": {"value": 1}}, "y y": {}}', '{"y y": {"latency": {}}}']
    texts += ['{"y y": {"latency": {"value": "1"}}}', '{"y y": {"latency": {"value": NaN}}}']
    texts += [
        '{"y y": {"latency": {"value": 1, "lower_value": 2}}}',
        '{"y y": {"time": {"value": 1}}}',
    ]
    bad = [list(of_bencher(text)) for text in texts]
    claim("bencher: what does not fit is seen", all(bad), *zip(texts, bad))
    fits = '{"y y": {"latency": {"value": 1, "lower_value": 0.5, "upper_value": 2}}}'
    claim("and what fits is not", not list(of_bencher(fits)))


plan(4 + len(FORMATS) * 11)
test_schemas()
for form in FORMATS:
    test_committed(form)
    test_names(form)
