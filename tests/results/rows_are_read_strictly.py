"""The claims of rows_are_read_strictly.t; see there."""

import json
import math
import os
import tempfile
from typing import List

import made_rows as made
from scanbench_results import (
    ResultError,
    ResultFile,
    compare,
    compare_json,
    compare_text,
    ratio_of,
    read,
    rows,
    run_info,
    table,
)
from scanbench_results.ratio import PROBLEMS, SEQUENTIAL
from scanbench_results.version import VERSION
from tap import claim, plan

GOOD = made.csv(
    [
        made.row("cpu_a", median_ns=1000, ci_lo_ns=990, ci_hi_ns=1010, rounds=10, block=64, vt=3),
        made.row("cpu_b", status="skipped", reason='too large, "so" it says'),
    ]
)
HEADER, FIRST, SECOND = GOOD.splitlines(True)


def taken(data: bytes) -> ResultFile:
    return rows.read_bytes(data, "x.csv")


def refusal(data: bytes) -> str:
    try:
        taken(data)
    except ResultError as error:
        return str(error)
    return "it was read"


def refuses(text: str, data: bytes, message: str) -> None:
    said = refusal(data)
    claim(text, said == message, f"says:     {said}", f"expected: {message}")


def reads(text: str, data: bytes) -> None:
    said = refusal(data)
    plugins = [r.plugin for r in taken(data).rows] if said == "it was read" else []
    claim(text, plugins == ["cpu_a", "cpu_b"], said, plugins)


def with_cell(column: str, cell: str, **others: object) -> bytes:
    cells = {"median_ns": 1000, "rounds": 10, **others, column: cell}
    return made.csv([made.row("cpu_a", **cells)])


def cell_is_wrong(text: str, column: str, cell: str, what: str, **others: object) -> None:
    message = f'x.csv, line 2: {column} "{cell}" is not {what}'
    refuses(text, with_cell(column, cell, **others), message)


def is_read_as(text: str, column: str, cell: str, value: object, **others: object) -> None:
    found = getattr(taken(with_cell(column, cell, **others)).rows[0], column)
    claim(text, found == value, f"{column} is {found!r}, expected {value!r}")


def texts() -> None:
    reads("a file of a run", GOOD)
    reads("with a byte-order mark", b"\xef\xbb\xbf" + GOOD)
    reads("with the line ends of Windows", GOOD.replace(b"\n", b"\r\n"))
    reads("with those of old Macs", GOOD.replace(b"\n", b"\r"))
    reads("with blank lines", b"\n" + GOOD.replace(b"\n", b"\n \n\n"))
    reads("with blanks around fields", (HEADER + FIRST).replace(b",", b" ,\t") + SECOND)
    quoted = ",".join(f'"{cell}"' for cell in FIRST.decode().strip().split(",")).encode()
    reads("with all fields in quotes", HEADER + quoted + b"\n" + SECOND)
    row = taken(GOOD).rows[1]
    claim("a quote in a field is two", row.reason == 'too large, "so" it says', row.reason)
    claim("a row knows its line", [r.line for r in taken(GOOD).rows] == [2, 3])
    several = HEADER + SECOND.replace(b"large", b"large\r\n\n") + FIRST
    claim("a field of several lines too", [r.line for r in taken(several).rows] == [4, 5])


def other_files() -> None:
    refuses("an empty file", b"", "x.csv is empty: no header")
    refuses("blank lines alone", b"\n\n", "x.csv is empty: no header")
    joined = "x.csv, line 4: the names of the columns again: files were joined here; take them apart, and name each"
    refuses("two files in one", GOOD + GOOD, joined)
    twice = "x.csv, line 4: the same row as in line 2; take it out"
    refuses("a row that stands there twice", GOOD + FIRST, twice)
    no_names = 'x.csv, line 1: no column "plugin"; the line with the names of the columns is missing, put it back'
    refuses("a file without its header", FIRST + SECOND, no_names)
    refuses(
        "another CSV",
        b"a,b\n1,2\n",
        'x.csv, line 1: no column "plugin"; this is not the CSV of a run',
    )
    added = HEADER[:-1] + b",n\n" + FIRST[:-1] + b",7\n"
    refuses("a column twice", added, 'x.csv, line 1: two columns "n"; take the wrong one out')
    refuses(
        "UTF-16", GOOD.decode().encode("utf-16"), "x.csv, line 1: it is UTF-16; save it as UTF-8"
    )
    zipped = "x.csv, line 1: it is a zip archive, as .xlsx and .ods are; export it as CSV"
    refuses("a spreadsheet", b"PK\3\4" + bytes(100), zipped)
    refuses(
        "a compressed file",
        b"\x1f\x8b" + bytes(9),
        "x.csv, line 1: it is compressed; unpack it with gunzip",
    )
    semicolons = (
        "x.csv, line 1: semicolons separate its columns, as in a spreadsheet's CSV; save it with commas, "
        "and with points in numbers"
    )
    refuses("a spreadsheet's CSV", GOOD.replace(b",", b";"), semicolons)
    tabs = "x.csv, line 1: tabs separate its columns; save it with commas"
    refuses("tabs", GOOD.replace(b",", b"\t"), tabs)
    columns = len(made.COLUMNS)
    cut = f"x.csv, line 3: 6 fields, but the header has {columns} columns; the file seems to be cut short: --resume measures what is missing"
    refuses("a file that was cut", HEADER + FIRST + b"1,r,,here,cpu_b,", cut)
    short = f"x.csv, line 2: 2 fields, but the header has {columns} columns"
    refuses("a row that is short", HEADER + b"1,r\n" + FIRST, short)
    zero = "x.csv, line 2: a zero byte; this is not a text file"
    refuses("a zero byte", HEADER + b"\0" + FIRST, zero)
    refuses("also within a quote", HEADER + b'1,"x\0', zero)
    quote = "x.csv, line {}: text behind a quoted field, or a quote that is never closed"
    refuses(
        "text behind a quoted field",
        HEADER + FIRST + SECOND.replace(b'says"', b'says" x'),
        quote.format(3),
    )
    refuses("a quote that is never closed", HEADER + b'"' + FIRST + SECOND, quote.format(3))
    doubled = SECOND.replace(b'says"', b'says""')
    refuses("one behind a doubled quote", HEADER + doubled + FIRST + b"\n", quote.format(4))
    end = (
        "x.csv, line 3: the last line has no end: the file seems to be cut short; if all of it is there, "
        "add an end of line"
    )
    refuses("a file that was cut within its last number", GOOD[:-1], end)


def cells() -> None:
    number = "a number of 0 or more"
    for cell in ("soon", "-5", "inf", "nan", "0x10", "1_000", "1 000", "1e", "1e999", "--1"):
        cell_is_wrong(f"a time of {cell}", "median_ns", cell, number)
    for column in ("max_rel_error", "load", "ci_lo_ns", "time_per_spin"):
        if column in made.COLUMNS:
            cell_is_wrong(f"{column} that is none", column, "x", number)
    whole = "a whole number"
    digits = (
        whole
        + " with all its digits: a spreadsheet may have dropped some; use the file that scanbench wrote"
    )
    cell_is_wrong("a size with an exponent", "n", "1.23E+08", digits)
    cell_is_wrong("one with decimals", "n", "1.5", digits)
    cell_is_wrong("one with zeros in front", "n", "007", digits)
    cell_is_wrong("one beyond 64 bits", "n", "18446744073709551616", digits)
    cell_is_wrong("one that is none", "n", "many", whole)
    cell_is_wrong("a negative one", "n", "-3", "a number of elements")
    cell_is_wrong("one that is missing", "n", "", "a number of elements")
    cell_is_wrong("a block that is none", "block", "x", whole)
    cell_is_wrong("an unknown status", "status", "fine", "a status")
    cell_is_wrong("another schema", "schema", "2", "one that this program knows; it knows 1")
    cell_is_wrong("an ok row without a time", "median_ns", "", "a time, but the row is ok")
    time = "times of more than 0, or - for a round without one"
    message = f'x.csv, line 2: rounds_ns "5 x 7" is not {time}'
    refuses("a round that is no time", with_cell("rounds_ns", "5 x 7"), message)
    lost_rounds()
    longer = 'x.csv, line 2: spins_ns "3 times" is not as many times as in rounds_ns'
    refuses("more spins than rounds", with_cell("spins_ns", "1 2 3", **FIVE_AND_SIX), longer)
    is_read_as("the 64.0 of pandas is 64", "block", "64.0", "64")
    is_read_as("the largest size", "n", "18446744073709551615", 2**64 - 1)
    is_read_as(
        "a version of CUB as its users write it", "plugin_version", "300001", "3.0.1", role="peer"
    )
    is_read_as("a version of Boost", "plugin_version", "1_74", "1.74", role="peer")
    is_read_as("that of others as it is", "plugin_version", "300001", "300001")
    is_read_as("bytes that are not UTF-8, and controls", "host", "a\udcff\x1bb\u202ec", "a? b   c")
    known = {"rounds": 2, "median_ns": 3502.5}
    found = taken(with_cell("rounds_ns", "5 - 7e3", **known)).rows[0].rounds_ns
    claim("the values of rounds", found[::2] == (5.0, 7000.0) and math.isnan(found[1]), found)
    shown = refusal(with_cell("n", "é" * 80))
    claim("a long cell is cut in the message", f'n "{"é" * 50}…" is not' in shown, shown)


FIVE_AND_SIX = {"rounds_ns": "5 6", "rounds": 2, "median_ns": 5.5}


def lost_rounds() -> None:
    """Ratios would be made of different rounds, and nobody would see it."""
    edited = "the file was edited: use the one that scanbench wrote"
    for text, cell, count in (
        ("a round that is lost", "5", 1),
        ("two that became one number", "56", 1),
        ("one that lost its time", "5 -", 1),
        ("one too many", "5 6 5.5", 3),
    ):
        what = f'x.csv, line 2: rounds "2" is not how many rounds_ns has, {count}; {edited}'
        refuses(text, with_cell("rounds_ns", cell, median_ns=5.5, rounds=2), what)
    what = f'x.csv, line 2: median_ns "5.5" is not the median of rounds_ns, 6; {edited}'
    refuses("other rounds", with_cell("rounds_ns", "6 6", median_ns=5.5, rounds=2), what)
    columns = [name for name in made.COLUMNS if name != "rounds"]
    one = made.csv([made.row("cpu_a", rounds_ns="5 6", median_ns=5.5)], columns)
    claim("a file without their number is read", len(taken(one).rows) == 1)


def files() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.csv")
        for text, name, expected in (
            ("a file that is not there", path, f"opening {path}: No such file or directory"),
            ("a folder", folder, f"{folder} is a folder; name a file in it"),
        ):
            try:
                said = str(read(name))
            except ResultError as error:
                said = str(error)
            claim(text, said == expected, said)
        with open(path, "wb") as file:
            file.write(GOOD)
        claim("a file by its name", len(read(path).rows) == 2 and read(path).path == path)
        metadata(path)


def metadata(path: str) -> None:
    claim("a file without metadata has none", not run_info.read(path).known)
    argv = ["scanbench", "--sizes", "1e3 x", "--baseline=mine", "--order", "sequential"]
    run = {
        "run_id": "r2",
        "cpu": "a\u0000\ud800b\nc",
        "argv": argv,
        "warnings": ["hot"],
        "memory_available": 5,
    }
    run["plugins"] = [
        {"id": "cpu_a", "fnv1a64": "12"},
        {"id": "cpu_b", "sha256": "34", "fnv1a64": "5"},
    ]
    with open(path + "-metadata.json", "w", encoding="utf-8") as file:
        json.dump({"notes": [run, {"run_id": "r1"}, {"other": 1}]}, file)
    info = run_info.read(path)
    claim(
        "of several runs the last is described",
        info.known and info.run_id == "r2",
    )
    claim(
        "its command can be copied",
        info.command.endswith("--sizes '1e3 x' --baseline=mine --order sequential"),
    )
    claim("its baseline and order are known", info.baseline == "mine" and info.sequential)
    claim(
        "its texts are safe",
        info.cpu == "a ?b c" and info.memory_available == "5",
        repr(info.cpu),
    )
    claim("and its plugins' hashes", [p.hash for p in info.plugins] == ["12", "34"], info.plugins)
    claim("what is no JSON is not known", not run_info.parse('{"run_id": ').known)
    claim("nor is what is nested without end", not run_info.parse('{"a":' * 100000).known)


def devices_and_tables() -> None:
    many = [
        made.row("cpu_a", status="skipped", device="Xeon"),
        made.row("opencl_a", status="skipped", backend="opencl", device="Intel XEON 8"),
        made.row("opencl_b", status="skipped", backend="opencl", device="pthread-x"),
        made.row("cuda_a", status="skipped", backend="cuda", device="H200"),
    ]
    found = [r.on_device for r in taken(made.csv(many)).rows]
    claim("a processor behind OpenCL is no device", found == [False, False, False, True], found)
    frame = table([taken(GOOD)])
    claim("a table has a dict for each row", len(frame) == 2 and frame[0]["plugin"] == "cpu_a")
    claim("with numbers as numbers", frame[0]["median_ns"] == 1000 and frame[0]["n"] == 1000)
    missing = frame[1]["median_ns"]
    claim("and NaN where a cell is empty", isinstance(missing, float) and math.isnan(missing))
    claim("and every column, in their order", list(frame[0]) == ["file", *made.COLUMNS])
    several = [
        made.row("a", status="skipped", params="pad=1;chunk=512"),
        made.row("b", status="skipped"),
        made.row("frozen_copy", status="skipped", role="calibrator", params="dtype=i32;n=1000"),
    ]
    both = [
        taken(made.csv(several)),
        taken(made.csv([made.row("c", status="skipped", params="way=x")])),
    ]
    a, b, _, c = ([row[f"param_{name}"] for name in ("pad", "chunk", "way")] for row in table(both))
    claim(
        "each tunable of params is a column, with numbers", a[:2] == [1, 512] and c[2] == "x", a, c
    )
    claim("missing where a row does not have it", a[2] != a[2] and all(v != v for v in b), a, b)
    tunables = list(table(both)[0])[-3:]
    claim(
        "but what calibrators say there is none",
        tunables == ["param_pad", "param_chunk", "param_way"] and "param_n" not in table(both)[2],
        tunables,
    )


def shapes() -> None:
    """Rows and inner: of a file from before there were any, both are 1."""
    older = made.COLUMNS[: made.COLUMNS.index("rows")]
    old = taken(made.csv([made.row("a", status="skipped")], older)).rows[0]
    claim("an older file has one row of inner 1", old.shape == (1000, 1, 1), old.shape)
    cells = [made.row("a", status="skipped", rows=r, inner=3) for r in (65536, 0)]
    some, none = taken(made.csv(cells)).rows
    claim("rows and inner are counted", some.shape == (1000, 65536, 3) and none.elements == 0)
    claim("all elements are", some.elements == 196608000, some.elements)
    for cell in ("-1", "1.5", "many"):
        claim(f"{cell} rows are refused", "rows" in refusal(made.csv([made.row("a", rows=cell)])))
    lists = [table([taken(made.csv(cells, names))]) for names in (made.COLUMNS, older)]
    found = [(frame[0]["rows"], frame[0]["inner"]) for frame in lists]
    claim("a table has them of every file", found == [(65536, 3), (1, 1)], found)
    values = [[1000.0 + i for i in range(8)], [2000.0 + i for i in range(8)]]
    same = [made.in_rounds("a", values[0], rows=4), made.in_rounds("b", values[1], rows=4)]
    other = made.in_rounds("b", values[1], rows=2, inner=2)
    a, b, c = taken(made.csv([*same, other])).rows
    claim("rows of one shape have a ratio", ratio_of(b, a).has_interval)
    claim("those of another have none", ratio_of(c, a).doubt == PROBLEMS, ratio_of(c, a))
    once, again = made.read([*same, other], "old.csv"), made.read([other, *same], "new.csv")
    pairs = compare([once, again]).pairs
    both = [(p.first, p.second) for p in pairs]
    claim("a comparison pairs equal shapes", all(x and y and x.shape == y.shape for x, y in both))
    text = compare_text(compare([once, again]))
    claim("and says which", " 4x1e3 " in text and " 2x1e3x2 " in text, text)
    pair = json.loads(compare_json(compare([once, again])))["pairs"][-1]
    claim("so does its JSON", list(pair)[1:4] == ["n", "rows", "inner"], pair)
    alone = [made.in_rounds("a", values[0], rows=4), made.in_rounds("a", values[0], group_id=2)]
    claim(
        "groups of several shapes are no sequence",
        not any(row.is_alone for row in taken(made.csv(alone)).rows),
    )


def absurd_times() -> None:
    least, most = (
        made.read([made.row("a", median_ns=v, ci_lo_ns=v, ci_hi_ns=v, rounds=9)])
        for v in (4e-320, 1e308)
    )
    outcomes = [compare(files).pairs[0].outcome for files in ([least, most], [most, least])]
    claim(
        "times beyond comparison are compared",
        [o.ratio for o in outcomes] == [math.inf, 0.0],
        outcomes,
    )


def calibrators() -> None:
    values = [1000.0 + i for i in range(8)]
    made_rows = [
        made.in_rounds("cpu_a", values, spins_ns=made.series([10.0] * 8)),
        made.in_rounds("frozen_scan", [v / 2 for v in values], role="calibrator", op="", kind=""),
        made.in_rounds("frozen_copy", [v / 4 for v in values], role="calibrator", op="", kind=""),
        made.in_rounds("frozen_copy", values, role="calibrator", op="", kind="", group_id=2),
    ]
    row = taken(made.csv(made_rows)).rows[0]
    claim(
        "spins divide the times of their rounds",
        row.per_spin is not None and math.isclose(math.exp(row.per_spin.median), 100.35),
    )
    claim(
        "the frozen scan of the same group too",
        row.per_scan is not None and math.isclose(math.exp(row.per_scan.median), 2),
    )
    claim(
        "and the frozen copy",
        row.per_copy is not None and math.isclose(math.exp(row.per_copy.median), 4),
    )
    claim("which are calibrated", row.per_scan is not None and row.per_scan.calibrated)
    claim("the frozen copy is none of its own", taken(made.csv(made_rows)).rows[2].per_copy is None)


def one_after_the_other() -> None:
    """The groups say so where the metadata are lost."""
    values = [1000.0 + i for i in range(8)]

    def doubt_of(*groups: int) -> List[str]:
        names = ["cpu_a", "cpu_b", "copy"]
        cells = [made.in_rounds(p, values, group_id=g) for p, g in zip(names, groups)]
        cells[2].update(role="ceiling", op="", kind="")
        cells.append(made.in_rounds("cpu_a", values, op="max", group_id=9))
        a, b, copy, other = taken(made.csv(cells)).rows
        return [ratio_of(*two).doubt for two in ((a, b), (a, copy), (other, copy))]

    claim("rows of one group have no doubt", doubt_of(1, 1, 1) == ["", "", ""])
    claim("those of several have one", doubt_of(1, 2, 3) == [SEQUENTIAL] * 3, doubt_of(1, 2, 3))


plan(110)
texts()
other_files()
cells()
files()
devices_and_tables()
shapes()
absurd_times()
calibrators()
one_after_the_other()
with open(
    os.path.join(os.path.dirname(__file__), "../../CMakeLists.txt"), encoding="utf-8"
) as program:
    claim(
        "the package has the program's version", f"(scanbench VERSION {VERSION} " in program.read()
    )
