"""The claims of comparisons_keep_their_words.t; see there. usage: comparisons_keep_their_words.py
[--write] [PROGRAM], in the folder of the CSVs; PROGRAM: answers instead of the package"""

import difflib
import shlex
import subprocess
import sys
from pathlib import Path
from typing import List

from scanbench_results import compare, compare_text, read
from tap import claim, plan

GOLDEN = Path(__file__).with_name("compare.txt")
PACKAGE = [sys.executable, "-B", "-m", "scanbench_results"]
ALL = "--phase run,device,e2e"
COMMANDS = f"""
cpu-2-cores/sweep.csv cpu-2-cores/steps.csv
cpu-2-cores/sweep.csv h200/sweep.csv
--threshold 0.5% cpu-2-cores/figure_b.csv h200/figure_b.csv
--threshold 100 cpu-2-cores/sweep.csv cpu-2-cores/steps.csv
h200/sweep.csv h200/all_1e8.csv h200/small.csv
{ALL} h200/small.csv h200/sweep.csv
{ALL} h200-x4/parts_1.csv h200-x2/parts_1.csv
--phase e2e h200/all_1e8.csv h200/sweep.csv
{ALL} h200/past_memory.csv h200/past_memory.csv
--markdown {ALL} h200-x4/parts_1.csv h200-x2/parts_1.csv
--markdown cpu-2-cores/sweep.csv cpu-2-cores/steps.csv cpu-2-cores/figure_b.csv
--json - --phase device h200/figure_a.csv h200/figure_c.csv
--quiet cpu-2-cores/sweep.csv h200/sweep.csv
h200-x4/parts_1.csv h200-x4/parts_2.csv
cpu-2-cores/sweep.csv

cpu-2-cores/sweep.csv no.csv
cpu-2-cores/sweep.csv README.md
--json '' cpu-2-cores/sweep.csv cpu-2-cores/steps.csv
--json no/x.json cpu-2-cores/sweep.csv cpu-2-cores/steps.csv
""".strip().splitlines()
WIDTHS = (60, 80, 140)  # of terminals, which the package alone can be asked for


def answer(program: List[str], command: str) -> str:
    words = shlex.split(command)
    done = subprocess.run([*program, "compare", *words], capture_output=True, check=False)
    text = (done.stdout + done.stderr).decode()
    return f"==== compare {command}: {done.returncode}\n{text}"


def at_width(width: int) -> str:
    files = [read(path) for path in ("cpu-2-cores/figure_b.csv", "h200/figure_b.csv")]
    return f"==== {width} columns\n{compare_text(compare(files, ['run', 'e2e'], 0.01), width)}"


def sections(text: str) -> List[str]:
    return ["==== " + part for part in text.split("==== ")[1:]]


program = [word for word in sys.argv[1:] if word != "--write"] or PACKAGE
found = [answer(program, command) for command in COMMANDS]
found += [at_width(width) for width in WIDTHS]
if "--write" in sys.argv:
    GOLDEN.write_text("".join(found), encoding="utf-8")
    sys.exit()
expected = sections(GOLDEN.read_text(encoding="utf-8"))
plan(len(found))
for i, got in enumerate(found):
    old = expected[i] if i < len(expected) else ""
    changes = difflib.unified_diff(old.splitlines(), got.splitlines(), "compare.txt", "now", n=0)
    claim(got.splitlines()[0][5:], got == old, *list(changes)[:20])
