"""tables_lose_no_text.t"""

import fcntl
import glob
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import List, Sequence, Tuple

import tap
from made_rows import COLUMNS, in_rounds, row
from scanbench_results import rows, run_info
from scanbench_results.claims import JudgedClaim, judge
from scanbench_results.claims_print import put_claims
from scanbench_results.layout import Column, Layout, Name, Table, fit_middle, wrapped
from scanbench_results.recipe import read_recipes
from scanbench_results.report import Report, make_report
from scanbench_results.tables import put_report

ROOT = sys.argv[1]
WIDTHS = (30, 40, 60, 72, 80, 100, 140, 160)


def report_of(*paths: str) -> Report:
    files = [rows.read(path) for path in paths]
    return make_report(files, [run_info.read(path) for path in paths])


def printed(report: Report, width: int, claims: Sequence[JudgedClaim] = ()) -> str:
    layout = Layout(width)
    if claims:
        put_claims(report, claims, layout)
    else:
        put_report(report, layout)
    return layout.text


def too_wide(text: str, width: int) -> List[str]:
    return [line for line in text.split("\n") if len(line) > width]


tap.plan(15)

# --- one table

table = Table(
    [
        Column("n", right=True),
        Column("plugin", name=True),
        Column("faster"),
        Column("time", right=True),
    ]
)
table.add(
    "1e3",
    Name("a_plugin_of_a_long_name 3.0.1", 23),
    "from between 1e4 and 1e5 (about 2e4)",
    "1.23 ms",
)
table.add("100000", "µ", "at all sizes", "87.0 ns")
layout = Layout(40)
layout.table(table)
tap.claim(
    "texts go on in the next line, names are shortened, numbers are whole",
    layout.text
    == """\
       n  plugin        faster      time
     1e3  a_plug…3.0.1  from     1.23 ms
                        between
                        1e4 and
                        1e5
                        (about
                        2e4)
  100000  µ             at all   87.0 ns
                        sizes
""",
    layout.text,
)
tap.claim(
    "a text is broken between its words",
    wrapped("a bc def", 4) == ["a bc", "def"] and wrapped("abcdef g", 3) == ["abcdef", "g"],
)
tap.claim(
    "a name loses its middle",
    [fit_middle("opencl_hillis", w) for w in (13, 5, 1, 0)] == ["opencl_hillis", "op…is", "…", ""],
)
command = Layout(20)
command.command("--plugins cuda_memcpy,cuda_cub,cuda_thrust")
tap.claim(
    "a list that is longer than a line goes on behind a comma",
    command.text == "  $ --plugins\n    cuda_memcpy,\n    cuda_cub,\n    cuda_thrust\n",
    command.text,
)
bold = Layout(80, color=True)
bold.table(table)
tap.claim(
    "the name alone is bold", "\033[1ma_plugin_of_a_long_name\033[0m 3.0.1" in bold.text, bold.text
)
code = Layout(markdown=True)
code.table(table)
tap.claim("and code in Markdown", "| `a_plugin_of_a_long_name` 3.0.1 |" in code.text, code.text)

# --- all committed results

paths = sorted(glob.glob(f"{ROOT}/reports/*/*.csv"))
reports = [report_of(path) for path in paths] + [
    report_of(*sorted(glob.glob(f"{ROOT}/reports/h200-x4/*.csv")))
]
recipes = read_recipes(f"{ROOT}/reports/recipes")
wide: List[Tuple[int, str]] = []
cut: List[Tuple[int, str]] = []
unexplained: List[Tuple[int, str]] = []
for report in reports:
    for width in WIDTHS:
        text = printed(report, width)
        wide += [(width, line) for line in too_wide(text, width) if width >= 60]
        cut += [
            (width, line)
            for line in text.split("\n")
            if re.search(r"\d…|…\d", line) and width >= 60
        ]
        for part in text.split("\n\n"):
            marked = re.findall(r"^  .*(?:%|x|fastest|sizes?|\))\?.*$|^  .*\? of \d.*$", part, re.M)
            if marked and not re.search(r"^  \? ", part, re.M):
                unexplained.append((width, marked[0]))
tap.claim(
    f"no line of {len(reports)} reports is wider than 60 columns or more",
    bool(paths) and not wide,
    wide[:3],
)
tap.claim("and no number of them is cut", not cut, cut[:3])
tap.claim("each ? has its meaning below it", not unexplained, unexplained[:3])
some = [judge(report, recipes) for report in reports[:4]]
lines = [
    line
    for report, claims in zip(reports, some)
    for w in (60, 100)
    for line in too_wide(printed(report, w, claims), w)
]
tap.claim("claims too are no wider", not lines, lines[:3])

# --- what stands where

file = os.path.join(os.environ.get("TMPDIR", "/tmp"), "made.csv")
values = [100 + i for i in range(12)]
made = [
    in_rounds("a", values, params="threads=0;pad=0;way=2", flags="busy", load=10.9),
    in_rounds(
        "a", [v * 2 for v in values], params="threads=0;pad=1;way=2", flags="busy;noisy", load=10.9
    ),
    in_rounds("b", [v * 3 for v in values], block=256),
    row("c", status="crashed", reason="it did"),
]
names = [*COLUMNS, "load"]
with open(file, "wb") as out:
    table_lines = [",".join(names)] + [
        ",".join(f'"{cells.get(name, "")}"' for name in names) for cells in made
    ]
    out.write(("\n".join(table_lines) + "\n").encode())
try:
    text = printed(report_of(file), 80)
    first = "\n".join(text.split("\n")[:4])
    tap.claim(
        "what disturbed a run is said first, without what is of a row alone",
        "disturbed: " in first
        and "(busy) in 2 of 4 rows; the load was 10.9" in re.sub(r"\s+", " ", first)
        and "noisy" not in first,
        text,
    )
    tap.claim(
        "a setting is what differs",
        re.search(r"^ +a +pad=0 ", text, re.M) is not None and "pad=0 way" not in text,
        text,
    )
    tap.claim(
        "and the rest of it is said once",
        "\n  block=256: b\n  way=2: a\n" in text and "threads=" not in text,
        text,
    )

    def on_terminal(width: int) -> int:
        process, terminal = pty.fork()
        if process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
            path = paths[[os.path.basename(p) for p in paths].index("sweep.csv")]
            os.execv(
                sys.executable,
                [sys.executable, "-m", "scanbench_results", "report", "--color", "never", path],
            )
        shown = b""
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:
            pass
        os.waitpid(process, 0)
        return max(len(line) for line in shown.decode().replace("\r", "").split("\n"))

    widest = [on_terminal(width) for width in (80, 120, 300)]
    tap.claim(
        "a wide terminal is used, up to 160 columns",
        widest[0] <= 80 < widest[1] <= 120 and widest[2] <= 160,
        widest,
    )
    pipe = subprocess.run(
        [sys.executable, "-m", "scanbench_results", "report", file],
        capture_output=True,
        check=False,
    )
    tap.claim(
        "a pipe has 80", pipe.returncode == 0 and not too_wide(pipe.stdout.decode(), 80), pipe
    )
finally:
    os.unlink(file)
