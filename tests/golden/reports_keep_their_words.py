"""reports_keep_their_words.t"""

import difflib
import os
import re
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import tap
from scanbench_results import rows, run_info
from scanbench_results.claims import judge
from scanbench_results.claims_print import put_claims
from scanbench_results.layout import Layout
from scanbench_results.recipe import read_recipes
from scanbench_results.report import make_report
from scanbench_results.tables import put_report

GOLDEN = Path(__file__).with_name("report.txt")
os.chdir(sys.argv[1])

Case = Tuple[List[str], int, str]
PARTS = ["h200-x4/parts_1", "h200-x4/parts_2", "h200-x4/parts_4"]
CASES: List[Case] = [  # files, width, what else
    *(
        ([name], 80, "")
        for name in (
            "cpu-2-cores/figure_b",
            "cpu-2-cores/figure_e",
            "cpu-2-cores/sweep",
            "h200/sweep",
        )
    ),
    *(([name], 80, "") for name in ("h200/all_1e8", "h200/types", "h200/past_memory")),
    (PARTS, 80, ""),
    (PARTS, 140, ""),
    (["cpu-2-cores/sweep", "h200/small"], 100, ""),
    (["cpu-2-cores/sweep"], 40, ""),
    (["cpu-2-cores/sweep"], 140, ""),
    (["cpu-2-cores/figure_b"], 80, "color"),
    (["cpu-2-cores/figure_e"], 80, "markdown"),
    *(([name], 80, "claims") for name in ("cpu-2-cores/sweep", "h200/cache", "h200/all_1e8")),
    (["h200/figure_c", "cpu-2-cores/sweep"], 80, "claims"),
    (["h200/small"], 40, "claims"),
    (PARTS, 80, "claims"),
]


def name_of(names: List[str], width: int, what: str) -> str:
    return f"==== {' '.join(names)}, {width} columns{', ' if what else ''}{what}"


def text_of(names: List[str], width: int, what: str) -> str:
    files = [rows.read(f"reports/{name}.csv") for name in names]
    report = make_report(files, [run_info.read(file.path) for file in files])
    layout = Layout(width, what == "color", what == "markdown")
    if what == "claims":
        put_claims(report, judge(report, read_recipes("reports/recipes")), layout)
    else:
        put_report(report, layout)
    return layout.text


def golden() -> Dict[str, str]:
    """The text of each case by its name."""
    text = GOLDEN.read_text(encoding="utf-8") if GOLDEN.exists() else ""
    parts = re.split("^(==== .*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


if "--write" in sys.argv:
    GOLDEN.write_text("".join(f"{name_of(*c)}\n{text_of(*c)}" for c in CASES), encoding="utf-8")
    sys.exit()
expected = golden()
tap.plan(len(CASES) + 1)
for case in CASES:
    name, found = name_of(*case), text_of(*case)
    before = expected.get(name, "")
    lines = difflib.unified_diff(before.split("\n"), found.split("\n"), n=1, lineterm="")
    tap.claim(name[5:], found == before, *lines)
tap.claim("report.txt has these cases alone", set(expected) == {name_of(*case) for case in CASES})
