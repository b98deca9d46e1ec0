#!/usr/bin/env python3
"""The commands behind the figures of a page: those that measured the CSVs, from their metadata, and what made the figure.

reports/commands.py PAGE                     prints the page, below each of its pictures the commands behind it
reports/commands.py --figure MAKER CSV...    prints those of one figure that MAKER made of reports/CSV...
"""
import html
import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "reports"))

from scanbench_results import run_info  # noqa: E402

BEGIN, END = "<details><summary>Commands</summary><pre>\n", "</pre></details>\n"
OLD = f"(?:\\n{re.escape(BEGIN)}(?:(?!<).*\\n)*{re.escape(END)})?"  # of a figure, made before
PICTURE = re.compile(rf"(^!\[[^]]*\]\((?:docs/)?pictures/([\w-]+)\.png\)\n){OLD}", re.M)


def measured(csv):
    """The command that measured a CSV, and which one that is."""
    info = run_info.read(str(ROOT / "reports" / csv))
    if not info.command:
        sys.exit(f"reports/commands.py: no metadata beside reports/{csv} say which command measured it")
    return f"{info.command}    # {csv}"


def block(csvs, maker):
    """A blank line, and what a reader unfolds."""
    lines = [*map(measured, csvs), maker]
    return "\n" + BEGIN + "".join(html.escape(line, quote=False) + "\n" for line in lines) + END


def pictures():
    """By name the CSVs that docs/pictures/make takes for it."""
    text = (ROOT / "docs/pictures/make").read_text(encoding="utf-8")
    found = {}
    for line in re.findall(r"^picture (.*)", text, re.M):
        name, pattern, *_ = shlex.split(line.rstrip("\\"))
        found[name] = sorted(str(path.relative_to(ROOT / "reports")) for path in (ROOT / "reports").glob(pattern))
    return found


def with_commands(text):
    known = pictures()

    def renewed(match):
        if not known.get(match[2]):
            sys.exit(f"reports/commands.py: docs/pictures/make does not make {match[2]}.png of committed CSVs")
        return match[1] + block(known[match[2]], f"docs/pictures/make {match[2]}")

    return PICTURE.sub(renewed, text)


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "--figure":
        sys.stdout.write(block(sys.argv[3:], sys.argv[2]))
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        sys.stdout.write(with_commands(Path(sys.argv[1]).read_text(encoding="utf-8")))
    else:
        sys.exit(__doc__)
