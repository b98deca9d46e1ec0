"""recipes_are_judged.t"""

import math
import os
import random
import re
import sys
from pathlib import Path
from typing import List, Tuple

import tap
from scanbench_results import rows, run_info
from scanbench_results.claims import JudgedClaim, Judgement, judge
from scanbench_results.claims_print import put_claims
from scanbench_results.formula import KNOWN_VALUES, Source, parse_formula, whole_number
from scanbench_results.layout import Layout
from scanbench_results.recipe import parse_recipe
from scanbench_results.report import Report, make_report
from scanbench_results.rows import ResultError

ROOT = Path(sys.argv[1])
CLAIMS = 113


def ok(holds: object, text: str, *found: object) -> None:
    tap.claim(text, bool(holds), *found)


tap.plan(CLAIMS)


GOOD = """# a comment
title   Padding
measure --plugins a,b
        --sizes 1e6
source  A book

claim   It is faster.
source  page 5
expect  for each n:
        median(a, block!=32) / best(b, pad=1)
          > 1.5
expect  median(a) < 20 ms
claim   Another.
expect  from n = 1e6 on: best(a) <= best(b)
"""

r = parse_recipe(GOOD, "t")
ok(
    (r.title, r.measure, r.source) == ("Padding", "--plugins a,b --sizes 1e6", "A book"),
    "what a recipe says",
    r,
)
ok(
    [(c.text, c.source, len(c.expectations)) for c in r.claims]
    == [("It is faster.", "page 5", 2), ("Another.", "", 1)],
    "its claims with their expectations",
    r.claims,
)
f = r.claims[0].expectations[0].formula
ok((f.loops, f.from_n, f.compare, f.limit) == (["n"], 0, ">", 1.5), "a loop, and the limit", f)
ok(
    [(s.is_best, s.divides, s.text) for s in f.selectors]
    == [(False, False, "median(a, block!=32)"), (True, True, "best(b, pad=1)")],
    "a time above the line and one below",
    f,
)
ok(
    [(c.name, c.value, c.negated) for c in f.selectors[0].conditions]
    == [("plugin", "a", False), ("block", "32", True)],
    "its conditions",
    f,
)
ok(math.isclose(r.claims[0].expectations[1].formula.limit, 20e6), "a limit with a unit")
f = r.claims[1].expectations[0].formula
ok(
    (f.from_n, f.loops, f.compare, f.limit, f.selectors[1].divides)
    == (10**6, ["n"], "<=", 1, True),
    "sizes from one on; a time on the right goes below the line",
    f,
)

for text, limit, below in (
    ("median(a) / median(a) > 1.5", 1.5, 1),
    ("2 * median(a) > 3 * median(a)", 1.5, 1),
    ("median(a) / (2 * median(a)) < 4", 8, 1),
    ("median(a) / (median(a) / median(a)) < 6 / (2 * 3)", 1, 1),
    ("1 / median(a) > 1 / (4 us)", 1 / 4000, 1),
    (
        "median(a, n=1, dtype=i32, op=sum, kind=exclusive, block=8, rows=8, ctas=0, evict=1) < 2",
        2,
        0,
    ),
    ("for each n: median(a, n=2) < 3", 3, 0),
    ("median(a, phase=kernel:scan_tile, plugin=[^b]*) < .5", 0.5, 0),
):
    f = parse_formula(Source("t", text, 0, len(text)))
    ok(math.isclose(f.limit, limit) and sum(s.divides for s in f.selectors) == below, text, f)

numbers = {
    "1e6": 10**6,
    "64Ki": 65536,
    "2^20": 2**20,
    "1.5k": 1500,
    "-3": -3,
    "0.5": None,
    "1e30": None,
    "x": None,
    "2^64": None,
    "1^3": None,
    "9" * 5000: None,
    "": None,
    "1e+2": 100,
}
ok(
    {t: whole_number(t) for t in numbers} == numbers,
    "numbers as --sizes writes them",
    {t: whole_number(t) for t in numbers},
)

header = (ROOT / "core/include/scan_plugin.h").read_text()
of_header = {
    name.lower(): re.findall(
        r'X\(\w+, \d+, "(\w+)"', header.split(f"define SCAN_{name}_MAP(X)")[1].split("\n\n")[0]
    )
    for name in ("DTYPE", "OP", "KIND", "ROLE")
}
of_header["result"] = of_header["dtype"]
ok(KNOWN_VALUES == of_header, "the known values of columns are those of scan_plugin.h", of_header)

CLAIM = "title T\nclaim C\nexpect "
for text, message in (
    ("claim C\nexpect median(a) < 1\n", 't, line 1, column 1: a line "title TEXT" comes first'),
    ("title T\n", 't, line 2, column 1: there is no line "claim"'),
    ("title\n", "t, line 1, column 1: a text is missing behind the keyword"),
    ("title T\ntitle U\n", "t, line 2, column 1: there is a title already"),
    ("title T\nmeasure a\nmeasure a\n", 't, line 3, column 1: there is a line "measure" already'),
    ("title T\nclame C\n", 't, line 2, column 1: "clame" is no keyword; did you mean claim?'),
    (
        "title T\nxyz C\n",
        't, line 2, column 1: "xyz" is no keyword; write title, measure, source, claim or expect',
    ),
    ("title T\nclaim C\n", 't, line 3, column 1: the last claim has no line "expect"'),
    ("title T\nclaim C\nclaim D\n", 't, line 3, column 1: the claim before has no line "expect"'),
    (
        "title T\nexpect median(a) < 1\n",
        't, line 2, column 1: "expect" belongs below a line "claim"',
    ),
    (
        "title T\n\n  lost\n",
        "t, line 3, column 3: nothing to go on with; a keyword begins its line",
    ),
    ("title \udcff\n", "t, line 1, column 1: the text is not UTF-8"),
    (CLAIM + "median(a) = 1\n", 't, line 3, column 18: found "="; expected one of * / < <= > >='),
    (
        CLAIM + "1 < 2\n",
        't, line 3, column 8: found "1"; a formula needs a time: median(...) or best(...)',
    ),
    (CLAIM + "median(a < 1\n", 't, line 3, column 17: found "<"; expected "," or ")"'),
    (
        CLAIM + "mean(a) < 1\n",
        't, line 3, column 8: found "mean"; expected median(...), best(...) or a number',
    ),
    (
        CLAIM + "median a\n",
        't, line 3, column 15: found "a"; expected "(", as in median(cuda_cub, n=1e6)',
    ),
    (
        CLAIM + "median(a,) < 1\n",
        't, line 3, column 17: found ")"; expected a plugin or a condition, as block=256',
    ),
    (
        CLAIM + "median(a!b) < 1\n",
        't, line 3, column 17: found "b"; expected "=" behind "!", as in block!=256',
    ),
    (
        CLAIM + "median(a)\n  <\n",
        "t, line 4, column 4: found the end of the formula; expected median(...), best(...) or a number",
    ),
    (
        CLAIM + "median(a) < 1 2\n",
        't, line 3, column 22: found "2"; expected the end of the formula',
    ),
    (CLAIM + "(median(a) < 1\n", 't, line 3, column 19: found "<"; expected ")"'),
    (
        CLAIM + "for n: median(a) < 1\n",
        't, line 3, column 12: found "n:"; expected "each"; write "for each n: ..."',
    ),
    (
        CLAIM + "for each 1: median(a) < 1\n",
        't, line 3, column 17: found "1:"; expected a name, as in "for each n: ..."',
    ),
    (
        CLAIM + "for each a, b, c, d, e: median(a) < 1\n",
        't, line 3, column 29: found "e:"; there are at most 4 names',
    ),
    (
        CLAIM + "from n = x on: median(a) < 1\n",
        't, line 3, column 17: found "x"; expected a number of elements, as 1e6 or 2^20',
    ),
    (
        CLAIM + "from n = 1e6: median(a) < 1\n",
        't, line 3, column 20: found ":"; expected "on"; write "from n = 1e6 on: ...", or "from n = '
        '1e3 to 1e6: ..."',
    ),
    (
        CLAIM + "from n = 1e6 to 1e5: median(a) < 1\n",
        't, line 3, column 24: found "1e5:"; expected a number of elements of 1000000 or more, as 1e6 or '
        "2^20",
    ),
    (
        CLAIM + "for each n median(a) < 1\n",
        't, line 3, column 19: found "median"; expected ":" behind the loop, as in "for each n: ..."',
    ),
    (
        CLAIM + "median(a, block=) < 1\n",
        't, line 3, column 24: found ")"; expected a value, as in block=256',
    ),
    (
        CLAIM + "median(a, dtype=i23) < 1\n",
        't, line 3, column 24: found "i23"; dtype is one of i32 u32 i64 u64 f32 f64 u32x2 f32x2 i8 u8 i16 u16 f16 bf16',
    ),
    (
        CLAIM + "median(a, op!= som) < 1\n",
        't, line 3, column 23: found "som"; op is one of sum max min affine',
    ),
    (
        CLAIM + "median(a) < 0\n",
        't, line 3, column 20: found "0"; expected a number above 0, as 1.5 or 1e6',
    ),
    (
        CLAIM + "1e308 * 1e308 * median(a) < 1\n",
        't, line 3, column 8: found "1e308"; its numbers are too large or too small',
    ),
    (
        CLAIM + "(" * 10 + "median(a)" + ")" * 10 + " < 1\n",
        't, line 3, column 16: found "("; parentheses are at most 8 deep',
    ),
    (
        CLAIM + "median(a" + ",b=1" * 100 + ") < 1\n",
        't, line 3, column 333: found "b"; there are at most 80 conditions',
    ),
    (
        CLAIM + "best(a)*" * 9 + "1<1\n",
        't, line 3, column 72: found "best"; there are at most 8 times in a formula',
    ),
    (
        CLAIM + "1 * " * 5000 + "best(a)<1\n",
        't, line 3, column 408: found "1"; there are at most 100 numbers in a formula',
    ),
    (
        CLAIM + f"best({'x' * 64}) < 1\n",
        f't, line 3, column 13: found "{"x" * 40}"; a word has at most 63 characters',
    ),
    (
        CLAIM + "__import__('os') < 1\n",
        't, line 3, column 8: found "__import__"; expected median(...), best(...) or a number',
    ),
    (
        CLAIM + "median(a) if 1 else best(b) < 1\n",
        't, line 3, column 18: found "if"; expected one of * / < <= > >=',
    ),
    (
        CLAIM + "median('a') < 1\n",
        't, line 3, column 15: found "\'"; expected a plugin or a condition, as block=256',
    ),
):
    try:
        parse_recipe(text, "t")
        said = "accepted"
    except ResultError as error:
        said = str(error)
    ok(said == message, message, said)

# --- what holds

HEADER = (
    "schema,run_id,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache,phase,status,reason,"
    "median_ns,ci_lo_ns,ci_hi_ns,rounds,time_per_scan,time_per_scan_lo,time_per_scan_hi,bytes_per_s,flags,rows,inner,result,rounds_ns"
)


def run(
    plugin: str,
    n: int,
    ns: float,
    half: float = 0.01,
    block: object = "",
    params: str = "",
    role: str = "algorithm",
    rounds: bool = True,
    shape: str = ",",
    result: str = "",
) -> str:
    """A time in ten rounds, with the same relative interval over the frozen scan."""
    lo, hi = ns * (1 - half), ns * (1 + half)
    three = f"{ns},{lo},{hi}" if rounds else f"{ns},,"
    kind = "," if role in ("ceiling", "calibrator") else "exclusive,sum"
    return (
        f"1,r,{plugin},{role},cpu,Xeon,{kind},i32,{n},{block},,{params},hot,run,ok,,{three},"
        f"{'10' if rounds else ''},{three if rounds else ',,'},,,{shape},{result},"
    )


def report_of(lines: List[str], *more: Tuple[List[str], str]) -> Report:
    texts = [(lines, "t.csv"), *more]
    files = [rows.read_bytes("\n".join([HEADER, *text, ""]).encode(), name) for text, name in texts]
    return make_report(files, [run_info.RunInfo() for _ in files])


def judged(report: Report, formula: str) -> JudgedClaim:
    return judge(report, [parse_recipe(f"title T\nclaim C\nexpect {formula}\n", "x.recipe")])[0]


REPORT = report_of(
    [
        run("a", 1000, 100, block=32),
        run("a", 1000, 150, 2 / 150, block=64),
        run("b", 1000, 120, 1 / 120),
        run("a", 2000, 200, block=32),
        run("a", 2000, 201, 2 / 201, block=64),
        run("b", 2000, 202),
        run("a", 4000, 400, block=32, params="pad=1"),
        run("b", 4000, 300),
        run("c", 4000, 10),
        run("d", 1000, 90, rounds=False),
        run("e", 1000, 95, rounds=False),
        run("copy", 1000, 10, role="ceiling"),
        run("frozen_scan", 1000, 10, role="calibrator"),
    ]
)
HOLDS, FAILS, UNKNOWN, UNMEASURED = (
    Judgement.HOLDS,
    Judgement.FAILS,
    Judgement.UNKNOWN,
    Judgement.UNMEASURED,
)
# --- results wider than the input

WIDE = report_of([run("a", 1000, 100), run("a", 1000, 300, result="i64"), run("b", 1000, 200)])
for formula, judgement, text in (
    ("median(a) < 150 ns", "HOLDS", "results are of the type of the input where none is named"),
    ("median(a, result=i64) > 250 ns", "HOLDS", "a wider one is named"),
    ("for each result: median(a) > 50 ns", "HOLDS", "or stands for each"),
    ("median(b, result=i64) > 1 ns", "UNMEASURED", "there may be none"),
    ("median(a, result=i64) / median(b) > 1", "UNKNOWN", "which are no times of one problem"),
):
    of = judged(WIDE, formula).expectations[0]
    ok(of.judgement.name == judgement, f"of results: {text}", of)
of = judged(WIDE, "for each result: median(a) > 50 ns").expectations[0]
ok([v.where for v in of.values] == ["result=i32", "result=i64"], "and where", of)

# --- rows and inner

SHAPES = report_of(
    [
        run(plugin, n, ns * n * rows, shape=f"{rows},{inner}", params=params)
        for n in (1000, 4096)
        for rows, inner in ((1, 1), (8, 1), (50000, 1), (8, 2))
        for plugin, ns, params in (
            ("a", 1, "rows=8;pad=0"),
            ("b", 2 if rows > 1 else 0.9, ""),
        )
    ]
)
for formula, judgement, count, text in (
    ("median(b, n=4096, rows=50000) / median(a, n=4096, rows=50k) > 1.9", "HOLDS", 1, "one shape"),
    ("for each n, rows, inner: best(b) / best(a) > 1.9", "FAILS", 8, "a loop over all shapes"),
    ("for each n, inner: best(b, rows=8) / best(a, rows=8) > 1.9", "HOLDS", 4, "one over inner"),
    ("from n = 4e3 on, for each rows: best(b, inner=1) / best(a, inner=1) > 0.8", "HOLDS", 3, "n"),
    ("best(a, n=4096, rows!=1, inner=2) < 1 ms", "HOLDS", 1, "a negated number of rows"),
    ("for each rows: best(a, params.rows=8, n=1e3, inner=1) > 1 ns", "HOLDS", 3, "a setting"),
):
    of = judged(SHAPES, formula).expectations[0]
    ok((of.judgement.name, len(of.values)) == (judgement, count), f"of rows: {text}", of)
of = judged(SHAPES, "for each n, rows: best(a, inner=1) > 1 ns").expectations[0]
ok([v.where for v in of.values[1:3]] == ["n=1e3, rows=8", "n=1e3, rows=5e4"], "and where", of)
for formula, expected in (
    (
        "for each n: best(b) / best(a) > 1",
        'best(b) means rows of more than one number of rows; name it, or write "for each rows: ..."',
    ),
    (
        "best(b, n=1e3, rows=8) > 1",
        'best(b, n=1e3, rows=8) means rows of more than one inner; name it, or write "for each inner: '
        '..."',
    ),
):
    said = judged(SHAPES, formula).expectations[0].problem
    ok(said == expected, f"of rows: {expected}", said)

for formula, verdict, text in (
    ("median(b, n=1000) / best(a, n=1000) > 1.1", HOLDS, "a ratio beyond its limit"),
    ("median(b, n=1e3) / best(a, n=1e3) > 1.3", FAILS, "one short of it"),
    ("median(b, n=1e3) / best(a, n=1e3) > 1.2", UNKNOWN, "one whose interval holds it"),
    ("best(a, n=1e3) < median(b, n=1e3)", HOLDS, "two times"),
    ("median(b, n=1e3) < best(a, n=1e3)", FAILS, "the other way round"),
    ("median(b, n=2e3) < best(a, n=2e3)", UNKNOWN, "a tie"),
    ("median(a, n=1e3, block=32) < best(a, n=1e3, block!=32)", HOLDS, "the best block"),
    (
        "median(a, n=2e3, block=32) < best(a, n=2e3, block!=32)",
        UNKNOWN,
        "a best block that is tied",
    ),
    ("median(a, pad=1) / median(b, n=4e3) > 1.3", HOLDS, "a setting of params"),
    ("for each n: best(a) / best(b) < 1.5", HOLDS, "a loop over all sizes"),
    ("for each n: best(a) / best(b) < 1.1", FAILS, "a loop with a size that fails"),
    ("for each n: best(a) / best(b) < 1", FAILS, "though another is tied"),
    ("from n = 4e3 on: best(a) / best(b) > 1.3", HOLDS, "the large sizes alone"),
    ("from n = 1e3 to 2e3: best(a) / best(b) < 1.1", HOLDS, "the small sizes alone"),
    (
        "for each n, block: median(a) / best(b) < 1.4",
        HOLDS,
        "two loops, of which one row has but one",
    ),
    (
        "for each n, block: median(a) / best(a, block=32) > 0.97",
        HOLDS,
        "a loop that one selector stands apart from",
    ),
    ("best(b, n=1e3) < 130 ns", HOLDS, "a time against a number"),
    ("1 us > best(b, n=1e3)", HOLDS, "from the other side"),
    ("median(b, n=4e3) / median(b, n=2e3) > 1", UNKNOWN, "times of different rounds"),
    (
        "best(a, n=1e3) / best(b, n=1e3) / (best(a, n=2e3) / best(b, n=2e3)) < 0.9",
        HOLDS,
        "a ratio of ratios",
    ),
    ("median(d) < median(e)", UNKNOWN, "times without rounds"),
    ("median(a, n=1e3) < 1 s", UNKNOWN, "a median of more than one row"),
    ("best(b) < 1 s", UNKNOWN, "the best of different problems"),
    ("best(nobody) < 1 s", UNMEASURED, "what was not measured"),
    ("best(*, n=4e3) / median(c, n=4e3) <= 1", HOLDS, "a row against itself"),
    (
        "best(*, n=1e3) > 50 ns",
        UNKNOWN,
        "copies and calibrators take part where they are named alone",
    ),
    ("best(copy, n=1e3) < 20 ns", HOLDS, "a copy that is named"),
):
    c = judged(REPORT, formula)
    ok(c.judgement is verdict, f"{text}: {verdict.value}", (formula, c))

e = judged(REPORT, "for each n: best(a) / best(b) < 1").expectations[0]
ok(
    [v.where for v in e.values] == ["n=1e3", "n=2e3", "n=4e3"]
    and e.values[0].judgement is HOLDS
    and math.isclose(e.values[0].ratio.ratio, 1 / 1.2),
    "each size has a value of its own",
    e,
)
ok(
    (e.values[1].judgement, e.values[1].by_medians, e.values[1].tied) == (UNKNOWN, HOLDS, [1, 0]),
    "the tied settings are counted",
    e.values[1],
)
e = judged(REPORT, "for each n: best(a) / best(c) > 1").expectations[0]
ok(
    (len(e.values), e.left_out) == (1, 2),
    "sizes at which one was not measured are left out, and counted",
    e,
)
e = judged(REPORT, "for each block, n: median(a) < 1 s").expectations[0]
ok(
    [v.where for v in e.values][:2] == ["block=32, n=1e3", "block=32, n=2e3"],
    "values are in the order of their numbers",
    e,
)
ok(
    judged(REPORT, "median(d) < median(e)").by_medians is HOLDS,
    "without rounds, what the medians say is told",
)
many = report_of(
    [
        line
        for n in range(1, 201)
        for line in (
            run("a", n, 1013 if n % 40 == 0 else 1000, 9 / 1013 if n % 40 == 0 else 0.009),
            run("b", n, 1000, 0.009),
        )
    ]
)
ok(
    judged(many, "for each n: median(a) <= median(b)").judgement is UNKNOWN,
    "a few of many sizes that fail by chance do not refute a claim",
)
ok(
    judged(many, "median(a, n=40) <= median(b, n=40)").judgement is FAILS,
    "though one of them alone would",
)

ROUNDS = report_of(
    [
        run("a", 1000, 100, 0.5) + " ".join(str(100 + 10 * (i - 4.5)) for i in range(10)),
        run("b", 1000, 102, 0.5) + " ".join(str((100 + 10 * (i - 4.5)) * 1.02) for i in range(10)),
    ]
)
ok(
    judged(ROUNDS, "median(a) < median(b)").judgement is HOLDS,
    "rows with rounds are judged by common rounds",
    judged(ROUNDS, "median(a) < median(b)"),
)

one, text = [run("a", 1000, 100)], "title T\nclaim It is quick.\nexpect median(a) < 1 s\n"
two = report_of(one, (one, "results/figure_a.csv"))
named, other = (parse_recipe(text, f"recipes/{name}.recipe") for name in ("figure_a", "other"))
claims = judge(two, [named, other])
ok(
    [c.file for c in claims if c.recipe is named] == [1],
    "a recipe of the name of a CSV is judged in that one alone",
)
ok(
    [(c.file, c.judgement) for c in claims if c.recipe is other] == [(0, HOLDS), (1, HOLDS)],
    "another recipe is judged in all of them",
    claims,
)
layout = Layout()
put_claims(two, claims, layout)
ok(
    layout.text.count("Expected: median(a) < 1 s") == 3,
    "each claim is printed as often as it is judged",
    layout.text,
)

# --- damaged recipes

BITS = (
    "( ) , = ! < >= * / : 1e6 1e999 0 -1 .5 us s on median best( xxxx\udcff é # (((( dtype=i33 op=* a,a,a,a [z-a] [^a] [ "
    "1e308 1e-320 __import__ lambda: 2^63 \n \n\n \t \r \x0b \0 \x1b[1m \u2028 "
).split(" ") + [
    " ",
    "for each ",
    "for each n, block: ",
    "from n = ",
    "title ",
    "claim ",
    "expect ",
    "source ",
    "measure ",
    "best(*)*",
    "1/" * 200,
]


def damaged(rng: random.Random, texts: List[str]) -> str:
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        end = at + rng.choice((0, 0, 1, 3, 40))
        other = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(BITS + ["", "", text[other : other + 30]]) + text[end:]
    return text


def is_good(text: str) -> bool:
    """Read and judged, or refused with a line and column of the text; and printed."""
    try:
        recipe = parse_recipe(text, "t")
    except ResultError as error:
        place = re.match(r"t, line (\d+), column (\d+): .", str(error))
        lines = text.encode("utf-8", "surrogateescape").split(b"\n")
        return (
            place is not None
            and int(place[1]) <= len(lines)
            and int(place[2]) <= len(lines[int(place[1]) - 1]) + 1
        )
    formulas = [e.formula for c in recipe.claims for e in c.expectations]
    page = Layout(40)
    put_claims(REPORT, judge(REPORT, [recipe]), page)
    return page.text != "" and all(f.selectors and 0 < f.limit < math.inf for f in formulas)


seed, mutants = int(os.environ.get("SCANBENCH_SEED", 1)), int(
    os.environ.get("SCANBENCH_MUTANTS", 1500)
)
rng = random.Random(seed)
texts = [p.read_text() for p in sorted((ROOT / "reports/recipes").glob("*.recipe"))]
texts += [
    GOOD,
    CLAIM
    + "for each n, block: median(a, op=sum, n!=2^20) * 2 / best(b*) <= 20 us / (3 * best(c))\n",
] * 8
bad = []
for i in range(mutants):
    text = damaged(rng, texts)
    try:
        good = is_good(text)
    except Exception as error:  # anything else than ResultError is the mistake that is sought
        good, text = False, f"{error!r}: {text}"
    if not good:
        bad.append(text)
ok(
    not bad,
    f"{mutants} damaged recipes of seed {seed} are judged, or refused with line and column",
    bad[:2],
)
