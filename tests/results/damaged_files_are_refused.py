"""The claims of damaged_files_are_refused.t; see there. usage: damaged_files_are_refused.py ROOT"""

import glob
import json
import os
import random
import sys
import traceback
from typing import Callable, List

import made_rows as made
from scanbench_results import ResultError, compare, compare_json, compare_markdown, compare_text
from scanbench_results import ratio_of, rows, run_info, table
from scanbench_results.claims import judge
from scanbench_results.claims_print import put_claims
from scanbench_results import exports
from scanbench_results.history import make_history
from scanbench_results.history_print import history_json, put_history
from scanbench_results.layout import Layout
from scanbench_results.page import page_data
from scanbench_results.recipe import read_recipes
from scanbench_results.report import make_report
from scanbench_results.tables import put_report
from tap import claim, plan

COUNT = int(os.environ.get("SCANBENCH_MUTATIONS", "400"))
SEED = int(os.environ.get("SCANBENCH_SEED", "1"))
ROWS_MOST = 12

CELLS = (
    b'|0|-0|1e3|1.0|1.23E+08|inf|nan|-5|007|0x10|1_0|1e308|1e-308|4.9e-324|99999999999999999999999|.5|5.|1e|"a""b"|"q|'
    b'a"b| x |\xff\xfe|\xe2\x82|\xe2\x80\xae|\x00|\r|\n|;|\t|ok|wrong|any|inclusive|cpu|18446744073709551615|'
    b"-9223372036854775808|300001|1_74|peer|run|device|5 6 7|- - -|1 - 3 4 5 6 7|1e-300 1e300 1 1 1 1 1"
).split(b"|")
WORDS = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"null",
    b"1e999",
    b"\xff",
    b"\0",
    b",",
)


def with_rounds(rng: random.Random) -> bytes:
    """A file as runs write it today."""
    steady = [1000 * (1 + rng.random() / 50) for _ in range(12)]
    return made.csv(
        [
            made.in_rounds("cpu_a", steady, spins_ns=made.series(steady)),
            made.in_rounds("cpu_b", [1.1 * v for v in steady], pct_copy=50),
            made.in_rounds("cpu_c", [*steady[1:], rng.choice([1e308, 1e-308, 2000.0])]),
            made.in_rounds("frozen_scan", steady, role="calibrator", op="", kind=""),
            made.in_rounds("cuda_a", steady[:8], backend="cuda", device="H200", clock_mhz=1980),
        ]
    )


def some_rows(data: bytes, rng: random.Random) -> bytes:
    header, *lines = data.splitlines(True)
    return header + b"".join(rng.sample(lines, min(len(lines), ROWS_MOST)))


def damaged(data: bytes, words: "List[bytes] | tuple[bytes, ...]", rng: random.Random) -> bytes:
    """Another cell, other bytes, a part lost, doubled or moved."""
    for _ in range(rng.choice([1, 1, 2, 6])):
        lines = data.split(b"\n")
        line, at = rng.randrange(len(lines)), rng.randrange(len(data) + 1)
        cells = lines[line].split(b",")
        what = rng.randrange(6)
        if what < 3:
            cells[rng.randrange(len(cells))] = rng.choice(list(words))
            lines[line] = b",".join(cells)
            data = b"\n".join(lines)
        elif what == 3:
            data = data[:at] + rng.choice(list(words)) + data[at + rng.randrange(40) :]
        elif what == 4:
            lines.insert(line, lines[rng.randrange(len(lines))])
            data = b"\n".join(lines)
        else:
            data = data[: rng.choice([at, len(data)])].replace(*rng.choice(SWAPS))
    return data


SWAPS = (
    (b"\n", b"\r\n"),
    (b"\n", b"\r"),
    (b",", b";"),
    (b",", b" , "),
    (b"run", b"device"),
    (b"1", b"9"),
)


def survives(text: str, use: Callable[[random.Random], object]) -> None:
    """Nothing but ResultError comes out."""
    read = 0
    for seed in range(SEED, SEED + COUNT):
        try:
            use(random.Random(seed))
            read += 1
        except ResultError as error:
            if "\n" in str(error) or not str(error).isprintable():
                claim(
                    text, False, f"SCANBENCH_SEED={seed}", f"the message is not one line: {error!r}"
                )
                return
        except Exception:  # pylint: disable=broad-except
            claim(text, False, f"SCANBENCH_SEED={seed}", traceback.format_exc())
            return
    claim(f"{text}", 0 < read, f"{read} of {COUNT} could be read")


def use_rows(rng: random.Random) -> None:
    paths = sorted(glob.glob(f"{sys.argv[1]}/reports/*/*.csv"))
    with open(rng.choice(paths), "rb") as file:
        good = file.read()
    use(some_rows(good, rng) if rng.random() < 0.6 else with_rounds(rng), rng)


def use(good: bytes, rng: random.Random) -> None:
    first, second = rows.read_bytes(good, "old.csv"), rows.read_bytes(
        damaged(good, CELLS, rng), "new.csv"
    )
    files = [first, second] if rng.random() < 0.5 else [second, first]
    phases = sorted({row.phase for row in first.rows})
    c = compare(files, phases, rng.choice([0.005, 0.03, 1]))
    assert len(compare_text(c, rng.choice([40, 80, 140]))) > 0
    compare_markdown(c).encode()
    json.loads(compare_json(c))
    table(files)
    measured = [row for row in second.rows if row.status == "ok"]
    for over in measured[:6]:
        for under in measured[:6]:
            r = ratio_of(over, under)
            assert not r.has_interval or r.lo <= r.ratio <= r.hi or r.ratio != r.ratio, r


def use_report(rng: random.Random) -> None:
    """All forms of a report; no row is lost."""
    paths = sorted(glob.glob(f"{sys.argv[1]}/reports/*/*.csv"))
    with open(rng.choice(paths), "rb") as file:
        good = file.read()
    some = some_rows(good, rng) if rng.random() < 0.6 else with_rounds(rng)
    files = [
        rows.read_bytes(damaged(some, CELLS, rng), "new.csv"),
        rows.read_bytes(some, "old.csv"),
    ]
    report = make_report(files, [run_info.RunInfo(sequential=rng.random() < 0.2) for _ in files])
    claims = judge(report, RECIPES)
    for layout in (Layout(rng.choice([10, 30, 80, 160])), Layout(80, True), Layout(markdown=True)):
        put_report(report, layout)
        put_claims(report, claims, layout)
        assert layout.text.encode()
    json.loads(page_data(report, claims, "", ""))
    kept = [file for file in files if file.rows]
    history = make_history(kept, rng.choice([0.005, 0.03, 1]))
    put_history(history, Layout(rng.choice([30, 80])))
    json.loads(history_json(history))
    if any(
        row.status == "ok" and row.phase == "run" and not row.is_calibrator for row in report.rows
    ):
        json.loads(exports.export(files, rng.choice(list(exports.FORMATS))))
    assert len(report.rows) == sum(len(file.rows) for file in files)


def use_metadata(rng: random.Random) -> None:
    paths = sorted(glob.glob(f"{sys.argv[1]}/reports/*/*-metadata.json"))
    with open(rng.choice(paths), "rb") as file:
        data = damaged(file.read(), WORDS, rng)
    info = run_info.parse(data.decode("utf-8", "surrogateescape"))
    info.command.encode()
    assert info.known or info == run_info.RunInfo()


setattr(exports, "complain", lambda message: None)  # a warning for each file would hide what fails
RECIPES = read_recipes(f"{sys.argv[1]}/reports/recipes")
plan(3)
survives(f"{COUNT} damaged CSVs from seed {SEED}", use_rows)
survives(f"{COUNT} damaged metadata", use_metadata)
survives(f"reports of {COUNT} damaged CSVs", use_report)
