#!/usr/bin/env python3
"""What a terminal shows of the committed CSVs, and of the claims about them, stays as it is in report.txt, beside this
test. (Their Markdown is in reports/*/README.md and reports/README.md.)

After a change that is meant: tests/golden/reports_keep_their_words.t --write
"""
import difflib
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).with_name("report.txt")
os.chdir(ROOT)
sys.path.insert(0, "reports")

from scanbench_results import rows, run_info  # noqa: E402
from scanbench_results.claims import judge  # noqa: E402
from scanbench_results.claims_print import put_claims  # noqa: E402
from scanbench_results.layout import Layout  # noqa: E402
from scanbench_results.recipe import read_recipes  # noqa: E402
from scanbench_results.report import make_report  # noqa: E402
from scanbench_results.tables import put_report  # noqa: E402

PARTS = ["h200-x4/parts_1", "h200-x4/parts_2", "h200-x4/parts_4"]
CASES = [  # files, width, what else
    *([[name], 80, ""] for name in ("cpu-2-cores/figure_b", "cpu-2-cores/figure_e", "cpu-2-cores/sweep", "h200/sweep")),
    *([[name], 80, ""] for name in ("h200/all_1e8", "h200/types", "h200/past_memory")),
    [PARTS, 80, ""],
    [PARTS, 140, ""],
    [["cpu-2-cores/sweep", "h200/small"], 100, ""],
    [["cpu-2-cores/sweep"], 40, ""],
    [["cpu-2-cores/sweep"], 140, ""],
    [["cpu-2-cores/figure_b"], 80, "color"],
    [["cpu-2-cores/figure_e"], 80, "markdown"],
    *([[name], 80, "claims"] for name in ("cpu-2-cores/sweep", "h200/cache", "h200/all_1e8")),
    [["h200/figure_c", "cpu-2-cores/sweep"], 80, "claims"],
    [["h200/small"], 40, "claims"],
    [PARTS, 80, "claims"],
]


def name_of(names, width, what):
    return f"==== {' '.join(names)}, {width} columns{', ' if what else ''}{what}"


def text_of(names, width, what):
    files = [rows.read(f"reports/{name}.csv") for name in names]
    report = make_report(files, [run_info.read(file.path) for file in files])
    layout = Layout(width, what == "color", what == "markdown")
    if what == "claims":
        put_claims(report, judge(report, read_recipes("reports/recipes")), layout)
    else:
        put_report(report, layout)
    return layout.text


def golden():
    """The text of each case by its name."""
    parts = re.split("^(==== .*)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE) if GOLDEN.exists() else []
    return dict(zip(parts[1::2], parts[2::2]))


if sys.argv[1:] == ["--write"]:
    GOLDEN.write_text("".join(f"{name_of(*case)}\n{text_of(*case)}" for case in CASES), encoding="utf-8")
    sys.exit()
expected = golden()
print(f"TAP version 13\n1..{len(CASES) + 1}")
for i, case in enumerate(CASES, 1):
    name, found = name_of(*case), text_of(*case)
    same = found == expected.get(name)
    print(f"{'ok' if same else 'not ok'} {i} - {name[5:]}", flush=True)
    for line in [] if same else difflib.unified_diff(expected.get(name, "").split("\n"), found.split("\n"), n=1, lineterm=""):
        print("#", line, file=sys.stderr)
same = set(expected) == {name_of(*case) for case in CASES}
print(f"{'ok' if same else 'not ok'} {len(CASES) + 1} - report.txt has these cases alone")
