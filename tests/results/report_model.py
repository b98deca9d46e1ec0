"""The claims of report_model.t; see there."""

import math
from typing import Dict, List, Optional, Sequence, Tuple, TypeVar

import made_rows as made
from made_rows import Cells, in_rounds
from scanbench_results import run_info
from scanbench_results.accuracy import make_accuracy
from scanbench_results.crossover import crossover_text, make_crossovers
from scanbench_results.layout import Layout
from scanbench_results.ratio import Ratio
from scanbench_results.report import PROCESSOR, Problem, Report, Standing, View, make_report
from scanbench_results.rows import Use
from scanbench_results.scaling import Way, make_scaling
from scanbench_results.tables import put_report
from scanbench_results.words import margin_text, ties_text, workload_text
from tap import claim, plan


def row(plugin: str, ns: float = 0, **more: object) -> Cells:
    """A row of `run` with a time whose interval has a half width of 1 %, in ten rounds."""
    times: Cells = {"median_ns": ns, "ci_lo_ns": ns * 0.99, "ci_hi_ns": ns * 1.01, "rounds": 10}
    place: Cells = {"device": "Xeon", "group_id": ""}
    return {**made.row(plugin), **place, **(times if ns else {}), **more}


def serial(ns: float, **more: object) -> Cells:
    return {**row("cpu_serial", ns, role="baseline", **more), **speedup(1, 1, 1)}


def copy(ns: float, plugin: str = "cpu_memcpy", **more: object) -> Cells:
    return row(plugin, ns, role="ceiling", kind="", op="", **more)


def gpu(plugin: str, ns: float, **more: object) -> Cells:
    return {**row(plugin, ns, backend="cuda", device="H200"), **more}


def failed(plugin: str, status: str, reason: str, **more: object) -> Cells:
    return {**row(plugin, status=status, reason=reason), **more}


def report_of(*files: Sequence[Cells]) -> Report:
    read = [made.read(cells, f"{i}.csv") for i, cells in enumerate(files)]
    return make_report(read, [run_info.RunInfo() for _ in files])


def problem(report: Report, place: str, n: int = 1000) -> Problem:
    return next(p for p in report.workloads[0].problems if p.place == place and p.n == n)


Thing = TypeVar("Thing")


def known(thing: Optional[Thing]) -> Thing:
    assert thing is not None
    return thing


def near(value: float, expected: float, within: float = 1e-9) -> bool:
    return abs(value - expected) <= within * expected


def all_are_met(report: Report) -> bool:
    """Does each row stand in one problem, or in one list?"""
    met = [0] * len(report.rows)
    for workload in report.workloads:
        for p in workload.problems:
            for entry in (p.entries + p.ceilings) if p.view is View.RESIDENT else ():
                for setting in entry.settings:
                    for one in setting.row.phases.values():
                        met[one.number] = 1
    lists = [m.rows for m in report.missing] + [
        report.rows_of(use) for use in (Use.INCOMPLETE, Use.REPEATED)
    ]
    lists.append([c for f in report.files for c in f.rows if c.role == "calibrator"])
    for one in (one for some in lists for one in some):
        met[one.number] += 1
    return all(times == 1 for times in met)


def per_scan(middle: float, lo: float, hi: float) -> Cells:
    return dict(time_per_scan=middle, time_per_scan_lo=lo, time_per_scan_hi=hi)


def speedup(middle: float, lo: float, hi: float) -> Cells:
    return dict(speedup=middle, speedup_lo=lo, speedup_hi=hi)


def test_ranking_and_lists() -> None:
    wide: Cells = dict(ci_lo_ns=92, ci_hi_ns=109, block=64, flags="noisy")
    r = report_of(
        [
            copy(50),
            serial(200, phase="create"),
            serial(200, **per_scan(20, 19.9, 20.1)),
            row("fast", 100, **wide, **per_scan(10, 9.9, 10.1), **speedup(2, 1.8, 2.2)),
            row("fast", 101, block=128, **per_scan(10.1, 10, 10.2), **speedup(1.98, 1.9, 2.1)),
            row(
                "near",
                104,
                params="pad=1",
                flags="noisy;batch=7",
                **per_scan(10.4, 10.3, 10.5),
                **speedup(1.92, 1.8, 2),
            ),
            failed("slow", "crashed", "signal 11"),
            failed("slow", "crashed", "signal 11", n=2000),
            gpu("gpu", 300, phase="h2d"),
            gpu("gpu", 700, phase="e2e", **speedup(0.286, 0.28, 0.29)),
            gpu("gpu", 60, **speedup(3.33, 3.3, 3.4)),
            gpu("gpu", 61, **speedup(3.33, 3.3, 3.4)),
            gpu("half", 60, phase="device"),
            row("frozen_scan", 10, role="calibrator", kind="", op="", flags="noisy"),
            failed("gone", "unavailable", "no driver", backend="cuda", device=""),
        ]
    )
    p = problem(r, PROCESSOR)
    claim(
        "three plugins compete on the processor, the copy and the calibrator do not",
        len(r.workloads) == 1 and len(p.entries) == 3 and len(p.ceilings) == 1,
    )
    fast, near_one, base = p.entries
    claim(
        "a plugin stands by its best setting",
        [s.row.block for s in fast.settings] == ["64", "128"] and fast.row.block == "64",
    )
    claim("the other setting is tied with it", fast.settings[1].standing is Standing.TIED)
    claim(
        "without rounds overlapping times are tied",
        near_one.standing is Standing.TIED
        and near(near_one.over_winner.ratio, 1.04)
        and near_one.over_winner.lo < 1,
    )
    half = math.hypot(math.log(109 / 92), math.log(1.01 / 0.99)) / 2
    claim(
        "the ratio is that of the medians, its interval that of different rounds",
        near(base.over_winner.ratio, 2)
        and near(base.over_winner.lo, 2 * math.exp(-half))
        and near(base.over_winner.hi, 2 * math.exp(half)),
    )
    claim(
        "the copy is the best possible, and one is tied with the winner",
        known(p.ceiling).median_ns == 50 and len(p.tied) == 1,
    )
    claim(
        "a winner has no negative margin",
        margin_text(Ratio(0.97, 0.95, 0.99, 0, True)) == "tie"
        and margin_text(near_one.over_winner) == "+4.0 %",
    )
    anywhere = problem(r, "")
    claim(
        "with data in host memory the GPU competes with its copies",
        anywhere.view is View.FROM_HOST
        and len(anywhere.entries) == 4
        and anywhere.entries[3].row.phase == "e2e",
    )
    claim("every row stands in one place", all_are_met(r))
    claim(
        "a repeated row is listed",
        [one.median_ns for one in r.rows_of(Use.REPEATED)] == [61],
    )
    claim(
        "a row without that of its run is listed",
        [one.plugin for one in r.rows_of(Use.INCOMPLETE)] == ["half"],
    )
    claim(
        "failures are grouped by reason, the worst first",
        [(m.status, len(m.rows)) for m in r.missing] == [("crashed", 2), ("unavailable", 1)],
    )
    claim(
        "flags are grouped, with what they mean",
        [(f.word, len(f.rows)) for f in r.flags] == [("noisy", 2), ("batch", 1)]
        and r.flags[0].is_disturbed
        and r.flags[0].means != "",
    )
    claim("the calibrator has a use of its own", len(r.rows_of(Use.CALIBRATOR)) == 1)


def test_rounds() -> None:
    # What drifts alike is told apart all the same: the intervals of the times themselves overlap by far.
    steady = [100, 110, 120, 130, 140, 150, 160, 170]
    wobbling = [v * (1.2 if i % 2 else 0.9) for i, v in enumerate(steady)]
    r = report_of(
        [
            in_rounds("first", steady),
            in_rounds("even", [v * (0.995 if i % 2 else 1.01) for i, v in enumerate(steady)]),
            in_rounds("slower", [v * 1.02 for v in steady]),
            in_rounds("unsteady", wobbling),
            in_rounds("other_run", [v * 1.3 for v in steady], run_id="s"),
            in_rounds("other_n", steady, n=5),
        ]
    )
    found = {e.row.plugin: e for e in problem(r, PROCESSOR).entries}
    claim(
        "rounds that lie on both sides of the winner's are tied with it",
        found["first"].standing is Standing.BEST and found["even"].standing is Standing.TIED,
    )
    slower = found["slower"]
    claim(
        "what is 2 % slower in every round is certainly behind",
        slower.standing is Standing.BEHIND
        and near(slower.over_winner.ratio, 1.02)
        and near(slower.over_winner.lo, 1.02 * 0.995),
    )
    claim(
        "behind that one nobody is tied: it is not known",
        found["unsteady"].over_winner.lo < 1 and found["unsteady"].standing is Standing.UNKNOWN,
    )
    claim(
        "rounds of another run are not the same",
        found["other_run"].standing is Standing.UNKNOWN
        and "different runs" in found["other_run"].over_winner.doubt,
    )
    r = report_of(
        [in_rounds("first", steady), in_rounds("second", [v * 1.5 for v in steady], run_id="s")]
    )
    claim(
        "and then it is not certain that the first is fastest",
        problem(r, PROCESSOR).entries[0].standing is Standing.SHORTEST,
    )
    r = report_of(
        [
            in_rounds("p", steady, block=64),
            in_rounds("p", wobbling, block=32),
            in_rounds("p", [v * 1.02 for v in steady], block=128),
        ]
    )
    claim(
        "settings are told apart in the same way",
        ties_text(problem(r, PROCESSOR).entries[0]) == "0 to 1 of 2",
    )


def at(plugin: str, n: int, ns: float, *gain: float, **more: object) -> Cells:
    return gpu(plugin, ns, n=n, **(speedup(*gain) if gain else {}), **more)


def test_crossovers() -> None:
    r = report_of(
        [serial(ns, n=n) for n, ns in ((1000, 100), (10000, 1000), (100000, 10000))]
        + [
            at("gpu", 1000, 1000, 0.1, 0.09, 0.11),
            at("gpu", 10000, 1010, 0.99, 0.95, 1.03),
            at("gpu", 100000, 1000, 10, 9.8, 10.2),
        ]
        + [at("lone", 1000, 50, 2, 1.9, 2.1)]
        + [at("never", 1000, 1000, 0.1, 0.09, 0.11), at("never", 10000, 1010, 0.99, 0.95, 1.03)]
        + [dict(at("unsure", n, ns), ci_lo_ns="") for n, ns in ((1000, 200), (10000, 900))]
    )
    lines = {line.row.plugin: line for line in make_crossovers(r, r.workloads[0])}
    gpu_line = lines["gpu"]
    claim(
        "a line of three sizes is slower, tied, faster",
        [p.sign for p in gpu_line.points] == [-1, 0, 1],
    )
    c = gpu_line.crossings[0]
    claim(
        "it begins to be faster between the sizes that are certain",
        len(gpu_line.crossings) == 1
        and (c.start, c.end) == (1000, 100000)
        and c.gains
        and c.certain
        and 10000 < c.near < 11000,
    )
    claim("and says so", crossover_text(gpu_line) == "from between 1e3 and 1e5 (about 1e4)")
    claim(
        "without a crossing it says at which sizes",
        crossover_text(lines["lone"]) == "yes"
        and crossover_text(lines["never"]) == "at no size, or tied",
    )
    claim(
        "with a question mark where the medians alone say it",
        crossover_text(lines["unsure"]) == "from between 1e3 and 1e4 (about 7e3)?",
    )

    times = {
        n: 50.0 if place % 2 == 0 else 200.0
        for place, n in enumerate((10, 100, 1000, 10**4, 10**5, 10**6))
    }
    texts: Dict[str, str] = {}
    slow_first = {n: 10000 / ns for n, ns in times.items()}
    for name, faster in (("ends", times), ("begins", slow_first)):
        r = report_of(
            [serial(100, n=n) for n in times]
            + [at(name, n, ns, 100 / ns, 99 / ns, 101 / ns) for n, ns in faster.items()]
        )
        texts[name] = crossover_text(make_crossovers(r, r.workloads[0])[0])
    claim(
        "of several crossings it says from where to where it is faster",
        texts["ends"] == "about up to 30, 300 to 3e3, 3e4 to 3e5",
    )
    brief = {10: 200.0, 100: 98.5, 110: 200.0}
    r = report_of(
        [serial(100, n=n) for n in brief]
        + [at("brief", n, ns, 100 / ns, 99.9 / ns, 100.1 / ns) for n, ns in brief.items()]
    )
    text = crossover_text(make_crossovers(r, r.workloads[0])[0])
    claim("a stretch that is too short for one digit is a place", text == "about 100", text)
    claim("and if it is at last", texts["begins"] == "about 30 to 300, 3e3 to 3e4, from 3e5")


def test_edges() -> None:
    r = report_of([])
    claim("no rows", not r.workloads and all_are_met(r))
    r = report_of([failed("a", "error", "no", n=0)])
    claim("only a failure", not r.workloads and len(r.missing) == 1 and all_are_met(r))
    r = report_of([row("a", median_ns=5), row("b", median_ns=6)])
    claim(
        "times without intervals cannot be told apart",
        r.workloads[0].problems[0].entries[1].standing is Standing.UNKNOWN and all_are_met(r),
    )
    r = report_of([copy(5)])
    claim(
        "copies alone have a workload of their own",
        len(r.workloads) == 1 and not r.workloads[0].problems[0].entries and all_are_met(r),
    )


def part(plugin: str, n: int, k: int, layout: str, ns: float, **more: object) -> Cells:
    cells: Cells = {"params": f"parts={k}", "n": n, "parts": k, "layout": layout}
    return {**row(plugin, ns), **cells, **more}


def test_scaling() -> None:
    r = report_of(
        [
            part("slices", 1000, 1, "", 900),
            part("slices", 1000, 2, "contiguous", 800, params="parts=2;way=1"),
            part("slices", 1000, 2, "contiguous", 750, params="parts=2;way=0"),
            part("slices", 2000, 2, "contiguous", 1440),
            part("slices", 4000, 4, "contiguous", 1500),
            part("slices", 1000, 3, "contiguous", 600),
            part("slices", 333, 1, "", 300),
            copy(500, "copies", params="parts=1", parts=1),
            copy(260, "copies", params="parts=2", parts=2, layout="contiguous"),
            part("tiles", 1000, 1, "", 900),
            part("tiles", 1000, 2, "cyclic", 460),
            part("odd", 700, 2, "contiguous", 460),
            row("plain", 800),
            row("plain", 450, n=700),
            row("frozen_copy", 100, role="calibrator", kind="", op=""),
        ]
    )
    points = make_scaling(r)
    found = {(p.row.plugin, p.way, p.parts): p for p in points}
    claim("there are no other points than these", len(points) == len(found) == 7)
    p = found["slices", Way.STRONG, 2]
    claim(
        "strong: the time of one part over that of two, by the fastest setting",
        near(known(p.own).speedup.ratio, 1.2) and p.row.params == "parts=2;way=0",
    )
    claim(
        "rows of the same rounds give it an interval",
        known(p.own).speedup.has_interval
        and known(p.own).speedup.lo < 1.2 < known(p.own).speedup.hi,
    )
    claim(
        "slices are bounded by 2k/3",
        near(p.bound, 4 / 3) and near(found["slices", Way.STRONG, 3].bound, 2),
    )
    claim(
        "tiles in turn and copies by k",
        found["tiles", Way.STRONG, 2].bound == 2 == found["copies", Way.STRONG, 2].bound,
    )
    claim(
        "efficiency, share of the bound and elements per second",
        near(known(p.own).efficiency, 0.6)
        and near(known(p.own).of_bound, 0.9)
        and near(p.elements_per_s, 1000 / 750e-9),
    )
    claim(
        "the best in one part is the fastest scan of its n, whether it knows of parts or not",
        p.best.one.plugin == "plain" and near(p.best.speedup.ratio, 800 / 750),
    )
    claim(
        "copies are held against copies, not against the calibrator",
        found["copies", Way.STRONG, 2].best.one.plugin == "copies",
    )
    odd = found["odd", Way.STRONG, 2]
    claim(
        "without a row in one part a plugin is held against the best alone",
        odd.own is None and near(odd.best.speedup.ratio, 450 / 460),
    )
    weak = found["slices", Way.WEAK, 2]
    claim(
        "weak: two parts of n against one of n / 2",
        known(weak.own).one.n == 1000 == weak.n_of_one
        and near(known(weak.own).speedup.ratio, 1.25),
    )
    claim(
        "different n give no interval, and it is said why",
        not known(weak.own).speedup.has_interval
        and "different problems" in known(weak.own).speedup.doubt,
    )
    claim(
        "four times the elements in 5/3 of the time are 2.4",
        near(known(found["slices", Way.WEAK, 4].own).speedup.ratio, 2.4),
    )
    broken = [
        part("broken", 1000, -2, "contiguous", 10),
        part("broken", 1000, 99999999999, "", 10),
        part("broken", 1000, 1, "", 10),
    ]
    claim("what is no number of parts is left out", make_scaling(report_of(broken)) == [])


def test_files() -> None:
    one, two = part("slices", 1000, 1, "", 900), part("slices", 2000, 2, "contiguous", 1000)
    better = part("slices", 1000, 1, "", 800)
    other = part("tiles", 2000, 1, "", 1600)
    found = {p.way: p for p in make_scaling(report_of([one], [better, other], [two]))}
    weak, strong = found[Way.WEAK], found[Way.STRONG]
    claim(
        "one part is taken from another file of the host, the fastest of several",
        known(weak.own).one.file == 1 and near(known(weak.own).speedup.ratio, 1.6),
    )
    claim(
        "different runs give no interval, and it is said why",
        not known(weak.own).speedup.has_interval
        and "different runs" in known(weak.own).speedup.doubt,
    )
    claim(
        "so is the best, where the plugin itself has no row of this n",
        strong.own is None and near(strong.best.speedup.ratio, 1.6),
    )
    claim(
        "nor has a ratio to a row of another file an interval, whatever its run is called",
        not strong.best.speedup.has_interval,
    )
    for host, text in (
        ("there", "files of different hosts are not held against each other"),
        ("", "nor those whose host is not known"),
    ):
        mine = dict(two, host=host) if not host else two
        claim(text, make_scaling(report_of([dict(one, host=host)], [mine])) == [])
    fast, near_two = part("slices", 1000, 1, "", 500), part("slices", 1000, 2, "contiguous", 600)
    (p,) = (p for p in make_scaling(report_of([fast], [one, near_two])) if p.way is Way.STRONG)
    claim(
        "a row of the same file goes before a faster one of another",
        known(p.own).one.file == 1
        and near(known(p.own).speedup.ratio, 1.5)
        and known(p.own).speedup.has_interval,
    )


def test_copies() -> None:
    r = report_of(
        [
            copy(50, params="threads=1;way=0"),
            copy(52, params="threads=1;way=1"),
            copy(20, params="threads=4;way=0"),
        ]
        + [
            copy(10, backend="opencl"),
            serial(200),
            row("all", 40, params="threads=0"),
            row("two", 60, params="a=1;threads=2"),
        ]
        + [
            gpu("gpu", 5),
            copy(4, "gpu_copy", backend="cuda", device="H200", parts=2, params="parts=2"),
            copy(6, "gpu_copy", backend="cuda", device="H200", parts=1, params="parts=1"),
        ]
    )
    copies = {
        e.row.plugin: e.copy
        for w in r.workloads
        for p in w.problems
        for e in p.entries
        if p.view is View.RESIDENT
    }
    claim(
        "a row is held against the fastest copy with at most as many threads",
        [known(copies[name]).params for name in ("cpu_serial", "two", "all")]
        == ["threads=1;way=0"] * 2 + ["threads=4;way=0"],
    )
    claim("in as many parts", known(copies["gpu"]).median_ns == 6)
    claim(
        "of its own backend, while the best possible is the fastest of all",
        known(problem(r, PROCESSOR).ceiling).backend == "opencl",
    )


def shapes_of(report: Report) -> Dict[str, List[Tuple[int, int]]]:
    """n and rows of the problems of each workload, by its words."""
    return {
        workload_text(w): [(p.n, p.rows) for p in w.problems if p.view is View.RESIDENT]
        for w in report.workloads
    }


def test_rows() -> None:
    def shape(n: int, rows: int, inner: int = 1) -> List[Cells]:
        more: Cells = dict(n=n, rows=rows, inner=inner)
        return [{**copy(50), **more}, row("fast", 100, **more), row("slow", 200, **more)]

    sweep = [(8, 125000), (1000, 1000), (50000, 20), (700000, 1)]
    r = report_of([cells for n, rows in sweep for cells in shape(n, rows)])
    claim(
        "rows of about as many elements are one workload over n",
        shapes_of(r) == {"exclusive i32 sum, about 1e6 elements in rows of n": sweep},
        shapes_of(r),
    )
    problems = r.workloads[0].problems
    claim(
        "each has its copy and its winner",
        all(len(p.ceilings) == 1 and p.entries[0].row.plugin == "fast" for p in problems),
    )
    layout = Layout(80)
    put_report(r, layout)
    claim("the table says how many rows", "    8  125000  fast" in layout.text, layout.text)
    grid = report_of([c for n in (10, 100, 1000) for k in (1, 10, 100) for c in shape(n, k)])
    claim(
        "of a grid each number of rows is one",
        shapes_of(grid)
        == {
            f"exclusive i32 sum{words}": [(10, k), (100, k), (1000, k)]
            for k, words in ((1, ""), (10, ", 10 rows"), (100, ", 100 rows"))
        },
        shapes_of(grid),
    )
    copies = [(p, e) for w in grid.workloads for p in w.problems for e in p.ceilings[0].settings]
    claim(
        "with its own copies",
        len(copies) == 9 and all(e.row.shape[:2] == (p.n, p.rows) for p, e in copies),
    )
    sides = [(4096, 1, 2), (1000, 1, 2), (4096, 8, 3), (1000, 32, 3)]
    names = list(shapes_of(report_of([c for s in sides for c in shape(*s)])))
    claim(
        "and each inner",
        names
        == [
            "exclusive i32 sum, 1 row, inner 2",
            "exclusive i32 sum, about 9.8e4 elements in rows of n, inner 3",
        ],
        names,
    )
    two = report_of(
        shape(8, 125000) + shape(1000, 1000), [c for n in (8, 1000) for c in shape(n, 1)]
    )
    claim("each file by itself", [len(w.problems) for w in two.workloads] == [2, 2])
    twice = report_of([c for n in (8, 1000) for k in (500, 501, 502) for c in shape(n, k)])
    claim("no n has two numbers of rows in one", len(twice.workloads) == 3, shapes_of(twice))
    empty = report_of(shape(8, 0) + shape(0, 8) + shape(1, 1))
    claim("no rows, and none of them long, are theirs", len(empty.workloads) == 3)
    parts = report_of(
        [part("x", 10**6, k, "cyclic", 100 / k / r, rows=r) for k in (1, 2) for r in (1, 8)]
    )
    gains = [(known(p.own).one.rows, p.row.rows, p.elements_per_s) for p in make_scaling(parts)]
    claim(
        "more parts are held against one of as many rows",
        gains == [(1, 1, 2e13), (8, 8, 128e13)],
        gains,
    )
    lines = [serial(n / 8.0, n=n, rows=1000000 // n) for n in (100, 1000, 10000)]
    lines += [row("x", 50, n=n, rows=1000000 // n) for n in (100, 1000, 10000)]
    info = run_info.RunInfo(baseline="cpu_serial")
    over_n = make_report([made.read(lines)], [info])
    line = make_crossovers(over_n, over_n.workloads[0])[0]
    claim(
        "a plugin overtakes another with the length of rows",
        crossover_text(line).startswith("from between 100 and 1e3"),
        crossover_text(line),
    )


def test_accuracy() -> None:
    def simd(ns: float, accurate: int, ulps: float, **more: object) -> Cells:
        params = f"way={more.pop('way', 0)};accurate={accurate}"
        return row("simd", ns, dtype="f32", params=params, max_ulps=ulps, pct_copy=50, **more)

    of_f32 = [
        {**copy(50), "dtype": "f32", "max_ulps": 0},
        {**serial(400), "dtype": "f32", "max_ulps": 311},
        row("unknown", 90, dtype="f32"),
        simd(100, 0, 185),
        simd(110, 0, 186, way=1),
        simd(130, 1, 0.5, way=1),
        simd(120, 1, 0.5),
    ]
    r = report_of([*of_f32, row("simd", 100, n=10**6, dtype="f32"), row("ints", 100)])
    p = next(p for w in r.workloads for p in w.problems if w.types == "f32" and p.n == 1000)
    found = [
        (row.plugin, row.settings.get("accurate"), row.max_ulps) for row in make_accuracy(r, p)
    ]
    claim(
        "of each plugin the fastest in each promise is held against its error",
        found == [("simd", "0", 185), ("simd", "1", 0.5), ("cpu_serial", None, 311)],
        found,
    )
    for markdown in (False, True):
        layout = Layout(80, markdown=markdown)
        put_report(r, layout)
        lines = [" ".join(line.replace("|", " ").split()) for line in layout.text.split("\n")]
        at = next(i for i, line in enumerate(lines) if "Speed against accuracy" in line)
        texts = [
            "at n = 1e3",
            "`simd` way=0 accurate=1 120 ns 50.0 0.500".replace("`", "`" * markdown),
        ]
        claim(
            f"the table is of the largest size that has errors{', in Markdown' * markdown}",
            lines[at].endswith(texts[0]) and texts[1] in lines[at:],
            layout.text,
        )
    for op, ulps in (("max", 0), ("sum", "")):
        layout = Layout(80)
        put_report(report_of([row("simd", 100, dtype="f32", op=op, max_ulps=ulps)]), layout)
        claim(
            f"there is none of {op} {'without' if op == 'sum' else 'with'} errors",
            "accuracy" not in layout.text,
        )


def test_labels() -> None:
    def labels(*files: Tuple[str, Sequence[Cells]]) -> List[str]:
        read = [made.read(cells, path) for path, cells in files]
        return [f.label for f in make_report(read, [run_info.RunInfo()] * len(files)).files]

    cpu, other = [row("a", 5)], [row("a", 5, device="Intel(R) Xeon(R) Processor @ 2.10GHz")]
    card = [
        row("a", 5),
        gpu("b", 5, device="NVIDIA H200"),
        failed("c", "unavailable", "no device", backend="opencl", device=""),
    ]
    claim(
        "a label is the name of its file",
        labels(("/home/me/x/h200.csv", card), ("big", cpu), ("-", cpu)) == ["h200", "big", "stdin"],
    )
    claim(
        "files of one name are told apart by their machines",
        labels(("/home/me/a/s.csv", card), ("/srv/b/s.csv", other))
        == ["s (NVIDIA H200)", "s (Intel Xeon)"],
    )
    there = [row("a", 5, host="there")]
    claim(
        "of one kind of machine by their hosts",
        labels(("a/s.csv", cpu), ("b/s.csv", there), ("b/t.csv", cpu))
        == ["s (here)", "s (there)", "t"],
    )
    early = [row("a", 5, timestamp_utc="2026-01-02T03:04:05Z")]
    late = [row("a", 5, timestamp_utc="2026-01-03T03:04:05Z")]
    claim(
        "of one host by their days",
        labels(("a/s.csv", early), ("b/s.csv", late)) == ["s (2026-01-02)", "s (2026-01-03)"],
    )
    claim(
        "of a file that is given twice by numbers",
        labels(("a/s.csv", early), ("a/s.csv", early)) == ["s (1)", "s (2)"],
    )
    claim(
        "of what is not known of all nothing is said",
        labels(("a/s.csv", []), ("b/s.csv", cpu)) == ["s (1)", "s (2)"],
    )
    claim(
        "no two labels are the same",
        len(set(labels(("a/s.csv", early), ("a/s.csv", early), ("s (1).csv", [])))) == 3,
    )


def test_settings() -> None:
    cells = [row("a", 5, block=b, params="pad=0;way=2;chunk=64") for b in (1, 2)]
    info = run_info.RunInfo(plugins=[run_info.RunPlugin(id="a", defaults="pad=1;way=2;chunk=32")])
    told = [make_report([made.read(cells)], [i]) for i in (info, run_info.RunInfo())]
    first = [r.runs[0] for r in told]
    claim(
        "of settings that do not differ those are told that are not the default",
        told[0].constant_settings(first[0]) == ["pad=0", "chunk=64"],
    )
    claim(
        "where the defaults are not known, those that are not 0",
        told[1].constant_settings(first[1]) == ["way=2", "chunk=64"],
    )


plan(80)
test_settings()
test_ranking_and_lists()
test_rounds()
test_crossovers()
test_edges()
test_scaling()
test_rows()
test_accuracy()
test_files()
test_labels()
test_copies()
