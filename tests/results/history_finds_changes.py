"""The claims of history_finds_changes.t; see there. usage: history_finds_changes.py ROOT"""

import contextlib
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

import made_rows as made
from made_rows import Cells
from scanbench_results.__main__ import main
from scanbench_results.history import Change, History, find_changes, make_history, read_folder
from scanbench_results.history_print import history_json, put_history
from scanbench_results.layout import Layout
from scanbench_results.rows import Row
from tap import claim, plan

ROOT = Path(sys.argv[1])
COMMITS, STEP = 50, 1.05
HISTORIES = 40

# ---- how often it is right -------------------------------------------------------------------------


def file_of(scan: Sequence[float], frozen: Sequence[float], copy: Sequence[float]) -> List[Cells]:
    """A scan between the harness's own scan and copy, in the same rounds."""
    calibrator: Cells = dict(role="calibrator", op="", kind="")
    return [
        made.in_rounds("cpu_a", scan),
        {**made.in_rounds("frozen_scan", frozen), **calibrator},
        {**made.in_rounds("frozen_copy", copy), **calibrator},
    ]


def recorded(place: int) -> List[Tuple[Row, Row]]:
    """Of each quiet run in core/tests/data the scan of n elements, and that of 5 % more."""
    runs: List[List[List[float]]] = []
    for line in (ROOT / "core/tests/data/runs_quiet.txt").read_text().splitlines():
        if line.startswith("run"):
            runs.append([])
        elif line and line[0].isdigit():
            runs[-1].append([float(word) for word in line.split()][10 * place : 10 * place + 10])
    pairs = []
    for run in runs:
        a, b, m, s = ([values[2 * k] for values in run] for k in (0, 1, 2, 4))
        pairs.append((made.read(file_of(a, b, m)).rows[0], made.read(file_of(s, b, m)).rows[0]))
    return pairs


def draw(rng: random.Random, level: float, noise: float) -> Row:
    """A made run of 40 rounds whose values differ by so much (standard deviation)."""
    columns = [[1000 * rng.gauss(1, noise) for _ in range(40)] for _ in range(3)]
    return made.read(file_of([level * v for v in columns[0]], *columns[1:])).rows[0]


def judged(series: Sequence[Row]) -> List[Change]:
    return find_changes(series, 0.05 / (2 * (len(series) - 1)), 0.03)


def rates(histories: Sequence[Tuple[Sequence[Row], Sequence[Row]]]) -> str:
    """Of histories without a change and with a step in the middle: how many changes are false, and where
    the step is found, as the table of docs/reports.md says it."""
    false = once = exact = near = late = 0
    for still, stepped in histories:
        changes = judged(still)
        false += sum(not c.once for c in changes)
        once += sum(c.once for c in changes)
        off = [c.first - COMMITS // 2 for c in judged(stepped) if not c.once]
        off = [o for o in off if o >= -2][:1]
        exact += off == [0]
        near += bool(off) and 0 < abs(off[0]) <= 2
        late += bool(off) and off[0] > 2
    n = len(histories)
    shares = " | ".join(f"{100 * share / n:.0f} %" for share in (exact, near, late))
    return f"{false / n:.2f} | {once / n:.2f} | {shares} |"


def test_rates() -> None:
    page = (ROOT / "docs/reports.md").read_text()
    rng = random.Random(1)
    for place, size in ((0, "10⁵"), (1, "10⁷")):
        pairs, histories = recorded(place), []
        for _ in range(HISTORIES):
            drawn = rng.sample(pairs, COMMITS)
            still = [a for a, _ in drawn]
            histories.append((still, still[: COMMITS // 2] + [s for _, s in drawn[COMMITS // 2 :]]))
        line = f"| recorded runs, n = {size} | {rates(histories)}"
        claim(f"docs/reports.md says what recorded runs of {size} show", line in page, line)
    for noise in (0.01, 0.05):
        histories = []
        for _ in range(HISTORIES // 2):
            still = [draw(rng, 1, noise) for _ in range(COMMITS)]
            new = [draw(rng, STEP, noise) for _ in range(COMMITS // 2)]
            histories.append((still, still[: COMMITS // 2] + new))
        line = f"| made runs, rounds differ by {100 * noise:.0f} % | {rates(histories)}"
        claim(f"and made runs, whose rounds differ by {100 * noise:.0f} %", line in page, line)
    slow = [draw(rng, 1.002**k, 0.01) for k in range(COMMITS)]
    drift = [c.outcome.verdict for c in judged(slow)]
    claim("a drift of 0.2 % a commit is found", len(drift) > 1 and set(drift) == {"slower"}, drift)
    back = [draw(rng, level, 0.01) for level in [1.0] * 9 + [0.975] * 12 + [1.02] * 9]
    claim("a step after a smaller one, too", [c.first for c in judged(back)] == [21], judged(back))


# ---- folders ---------------------------------------------------------------------------------------

Files = Dict[str, List[Cells]]


def times(level: float, **more: object) -> List[Cells]:
    """A file with cpu_a at that level, in rounds that hardly differ."""
    steady = [1000 + k % 5 for k in range(20)]
    cells = file_of([level * v for v in steady], steady, steady)
    return [{**row, "timestamp_utc": "2026-01-01T00:00:00Z", **more} for row in cells]


def on(day: int, level: float, **more: object) -> List[Cells]:
    return times(level, timestamp_utc=f"2026-01-{day:02}T00:00:00Z", **more)


def metadata(**members: object) -> str:
    return json.dumps({"notes": [{"run_id": "r", **members}]})


@contextlib.contextmanager
def folder(files: Files, notes: Optional[Dict[str, str]] = None):  # type: ignore[no-untyped-def]
    with tempfile.TemporaryDirectory() as name:
        for file, cells in files.items():
            Path(name, file).write_bytes(made.csv(cells))
        for file, text in (notes or {}).items():
            Path(name, f"{file}-metadata.json").write_text(text)
        yield name


def history_of(files: Files, notes: Optional[Dict[str, str]] = None) -> History:
    with folder(files, notes) as name:
        return make_history(read_folder(name), 0.03)


def words(history: History, machine: int = 0, plugin: str = "cpu_a") -> List[str]:
    """What happened at each file."""
    series = [s for s in history.machines[machine].series if s.row.plugin == plugin]
    return [p.word or "." for p in series[0].points]


def labels(history: History, machine: int = 0) -> List[str]:
    return [file.label for file in history.machines[machine].files]


def test_changes() -> None:
    levels = [1, 1.001, 1.1, 1.1, 0.9, 0.9]
    h = history_of({f"{k}.csv": on(k + 1, level) for k, level in enumerate(levels)})
    claim(
        "a change is at the commit that made it", words(h) == [*"..", "slower", ".", "faster", "."]
    )
    outlier = history_of({f"{k}.csv": on(k + 1, v) for k, v in enumerate([1, 1, 1.2, 1, 1])})
    claim(
        "a run whose next is back is told as such", words(outlier) == [*"..", "slower, once", *".."]
    )
    last = history_of({f"{k}.csv": on(k + 1, v) for k, v in enumerate([1, 1, 1.2])})
    claim("the newest commit needs no other", words(last) == [".", ".", "slower"])
    small = history_of({f"{k}.csv": on(k + 1, v) for k, v in enumerate([1, 1.02, 0.99, 1.01])})
    claim("less than the threshold is no change", words(small) == ["."] * 4)
    with folder({f"{k}.csv": on(k + 1, v) for k, v in enumerate([1, 1, 1.02, 1.02])}) as name:
        found = words(make_history(read_folder(name), 0.01))
    claim("of a lower one it is", found == [".", ".", "slower", "."], found)
    crash: Cells = {**made.row("cpu_a", status="crashed", phase="", reason="signal 11")}
    h = history_of(
        {"0.csv": on(1, 1), "1.csv": [{**crash, "timestamp_utc": "2026-01-02T00:00:00Z"}]}
    )
    claim("a plugin that crashes now is told", words(h) == [".", "crashed"], words(h))
    text = shown(h)
    claim(
        "among what happened", text.index("crashed") < text.index("cpu_a: exclusive i32 sum"), text
    )


def test_order() -> None:
    levels = {"b.csv": 1.0, "a.csv": 1.0, "c.csv": 1.2}
    days = dict(zip(levels, (1, 2, 3)))
    files = {name: on(days[name], level) for name, level in levels.items()}
    h = history_of(files)
    claim(
        "files are in the order of their runs",
        (labels(h), h.order[:5]) == (["b", "a", "c"], "start"),
    )
    cpu = {"cpu": "X", "topology": "2 cores"}
    dated = {
        name: metadata(
            git_revision=name[0] * 7, commit_date=f"2025-0{4 - days[name]}-01T00:00:00Z", **cpu
        )
        for name in files
    }
    h = history_of(files, dated)
    claim(
        "or of their commits, if all say them",
        labels(h) == ["ccccccc", "aaaaaaa", "bbbbbbb"],
        labels(h),
    )
    claim("which is said", "by the date of the commit" in shown(h))
    some = {**dated, "a.csv": metadata(git_revision="aaaaaaa", **cpu)}
    claim(
        "not if one does not", labels(history_of(files, some)) == ["bbbbbbb", "aaaaaaa", "ccccccc"]
    )
    one = {
        name: metadata(git_revision="same", commit_date="2025-01-01T00:00:00Z", **cpu)
        for name in files
    }
    claim(
        "files of one commit are told by their names",
        labels(history_of(files, one)) == ["b", "a", "c"],
    )
    bare = history_of({name: times(1, timestamp_utc="") for name in files})
    claim(
        "and ordered by them without times",
        labels(bare) == ["a", "b", "c"] and "name" in bare.order,
    )


def test_machines() -> None:
    files = {"1.csv": on(1, 1), "2.csv": on(2, 1.5), "3.csv": on(3, 1)}
    cpus = {f"{k}.csv": metadata(cpu=cpu, topology="t") for k, cpu in zip((1, 2, 3), "XYX")}
    h = history_of(files, cpus)
    claim(
        "machines are told apart by their processors", [len(m.files) for m in h.machines] == [2, 1]
    )
    claim("and never compared", words(h) == [".", "."] and words(h, 1) == ["."])
    hosts = {f"{k}.csv": on(k, 1, host=f"runner-{k}") for k in (1, 2, 3)}
    one = {name: metadata(cpu="X", topology="t") for name in hosts}
    claim("runners of one kind are one machine", len(history_of(hosts, one).machines) == 1)
    claim(
        "whose hosts are named",
        "hosts runner-1, runner-2, runner-3" in shown(history_of(hosts, one)),
    )
    claim("without metadata hosts are", len(history_of(hosts).machines) == 3)
    gpus = {f"{k}.csv": on(k, k, backend="cuda", device=f"H{k}00") for k in (1, 2)}
    h = history_of(gpus)
    claim("a series has one device", [len(s.measured) for s in h.machines[0].series] == [1, 1])
    both = history_of(
        {f"{k}.csv": on(k, 1) + [dict(r, device="Y") for r in on(k, 2)[:1]] for k in (1, 2)}
    )
    claim("of two devices in a file each has its own", len(both.machines[0].series) == 2)


def test_hostile() -> None:
    with tempfile.TemporaryDirectory() as name:
        claim("an empty folder is refused", says(f"{name}: there are no results", name))
        Path(name, "out.csv").write_text("a,b\n1,2\n")
        claim("so is one without a CSV of a run", says("this file is left out", name))
        claim("and one that is not there", says("No such file or directory", f"{name}/none"))
        claim("and a file", says("Not a directory", f"{name}/out.csv"))
        Path(name, "good.csv").write_bytes(made.csv(on(1, 1)))
        Path(name, "cut.csv").write_bytes(made.csv(on(2, 1))[:-30])
        Path(name, "header.csv").write_bytes(made.csv([]))
        status, _, complaints = ran("--history", name)
        claim("a good file among broken ones is shown", status == 0, complaints)
        named = all(f"{one}.csv" in complaints for one in ("out", "cut", "header"))
        claim(
            "and each that is left out is named",
            named and complaints.count("left out") == 3,
            complaints,
        )
        one = make_history(read_folder(name), 0.03)
        claim("one commit has no change", words(one) == ["."] and "no change" in shown(one))
        claim("--history takes no files besides", ran("--history", name, "x.csv")[0] == 2)
        claim("--json has no place without it", ran("--json", "-", f"{name}/good.csv")[0] == 2)
        claim(
            "nor over one of the files",
            ran("--history", name, "--json", f"{name}/good.csv")[0] == 2,
        )
    huge = history_of({"1.csv": on(1, 1e-300), "2.csv": on(2, 1e290), "3.csv": on(3, 1e-300)})
    claim("times out of all bounds are no mistake", len(words(huge)) == 3 and shown(huge) != "")


def ran(*arguments: str) -> Tuple[int, str, str]:
    """The exit status of report, what it prints, and what it complains of."""
    out, err, status = tempfile.TemporaryFile(), tempfile.TemporaryFile(), 0
    kept = os.dup(1), os.dup(2)
    sys.stdout.flush()
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    try:
        status = main(["report", *arguments])
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
    texts = []
    for file in (out, err):
        file.seek(0)
        texts.append(file.read().decode())
        file.close()
    return status, texts[0], texts[1]


def says(text: str, name: str) -> bool:
    status, _, complaints = ran("--history", name)
    return status == 2 and text in complaints


def shown(history: History, markdown: bool = False) -> str:
    layout = Layout(100, markdown=markdown)
    put_history(history, layout)
    return layout.text


def test_forms() -> None:
    files = {f"{k}.csv": on(k + 1, level) for k, level in enumerate([1, 1, 1.1, 1.1])}
    h = history_of(files)
    lines = [" ".join(line.split()) for line in shown(h).splitlines()]
    event = "2 slower +10.0 % +9.2 % to +10.8 % cpu_a: exclusive i32 sum, n = 1e3"
    claim(
        "a terminal shows the change",
        any(line.startswith("2 slower +10.0 %") for line in lines),
        lines,
    )
    claim(
        "with its interval and name",
        any("to" in line and line.endswith("n = 1e3") for line in lines),
        event,
    )
    claim("each time with half its interval", "0 1.00 µs 0.5 %" in lines, lines)
    claim("and what it is to its level", "1 1.00 µs 0.5 % +0.0 %" in lines, lines)
    markdown = shown(h, markdown=True)
    claim(
        "Markdown folds the times",
        "<details><summary>cpu\\_a" in markdown or "<details><summary>cpu_a" in markdown,
    )
    odd: Files = {
        name: [{**r, "plugin": f"<img src=x> `|{r['plugin']}"} for r in of]
        for name, of in files.items()
    }
    markdown = shown(history_of(odd), markdown=True)
    tags = [line for line in markdown.splitlines() if "<summary>" in line and "<img" in line]
    claim("where plugins bring no tags", not tags, tags)
    data = json.loads(history_json(h))
    points = data["series"][0]["points"]
    claim("JSON has a point for each file", [p["file"] for p in points] == [0, 1, 2, 3], points)
    change = points[2]["change"]
    claim(
        "with its change",
        points[2]["verdict"] == "slower" and change["lo"] < 1.1 < change["hi"],
        points[2],
    )
    claim("and its time", points[2]["ci_lo_ns"] < points[2]["median_ns"] < points[2]["ci_hi_ns"])
    claim(
        "the program gives the same",
        json.loads(json_of(files)) | {"files": 0} == data | {"files": 0},
    )


def json_of(files: Files) -> str:
    with folder(files) as name:
        return ran("--history", name, "--json", "-")[1]


plan(47)
test_rates()
test_changes()
test_order()
test_machines()
test_hostile()
test_forms()
