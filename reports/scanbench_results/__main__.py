"""`python3 -m scanbench_results {report|compare|submit} OPTIONS`: the verbs of the program that read files of
results, with their exit statuses: 0, 2 for a mistake or a file that cannot be read or written, 4 for a
regression."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
from typing import Callable, Dict, List, Optional, Sequence

from . import rows, run_info
from .claims import judge
from .claims_print import put_claims
from .compare import compare, lacks
from .compare_print import compare_json, compare_markdown, compare_text
from .csv_table import ResultError
from .exports import FORMATS, export
from .history import csvs_of, make_history, read_folder
from .history_print import history_json, put_history
from .layout import Layout
from .page import write_page
from .recipe import read_recipes
from .report import make_report
from .submit import submit
from .tables import put_report
from .version import REVISION, VERSION
from .whole_file import complain, write_whole

_GOOD, _USAGE, _REGRESSION = 0, 2, 4
_WIDTH, _WIDEST = 80, 160  # of what is no terminal, and the most of a report's
_THRESHOLD = 0.03  # where none is given
_PHASES = ("run", "device", "graph", "e2e")


def _parse(verb: str, arguments: Sequence[str]) -> argparse.Namespace:
    """The program has checked its own command lines; this is for those of python3 -m. Behind "--" stand
    files alone, which argparse would take for options."""
    parser = argparse.ArgumentParser(f"python3 -m scanbench_results {verb}", allow_abbrev=False)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--quiet", "-q", action="store_true")
    if verb == "submit":
        parser.add_argument("--output", "-o", metavar="FILE")
        parser.add_argument("--name", metavar="TEXT", default="")
        parser.add_argument("--proof", metavar="FILE")
        parser.add_argument("--foreign", action="store_true")
    else:
        parser.add_argument("--markdown", action="store_true")
        parser.add_argument("--json", metavar="FILE")
        parser.add_argument("--threshold", metavar="PERCENT", type=_threshold)
    if verb == "report":
        parser.add_argument("--html", "-o", metavar="FILE")
        parser.add_argument("--claims", metavar="FILE")
        parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
        parser.add_argument("--history", metavar="DIR")
        parser.add_argument("--export", choices=FORMATS)
    elif verb == "compare":
        parser.add_argument("--phase", metavar="LIST", type=_phases, default=["run"])
    end = arguments.index("--") if "--" in arguments else len(arguments)
    o = parser.parse_intermixed_args(list(arguments[:end]))
    o.files += arguments[end + 1 :]
    for name in ("html", "claims", "json", "output", "proof"):
        if vars(o).get(name) == "":
            what = "this is empty; write a file's name, or leave the option out"
            raise ResultError(f"--{name} '': {what}")
    return o


def _threshold(text: str) -> float:
    """Relative: 0.03 of "3%"."""
    percent = float(text[:-1] if text.endswith("%") else text)
    if not 0 < percent <= 100:
        raise argparse.ArgumentTypeError(f"{text}: not a percentage above 0, up to 100")
    return percent / 100


def _phases(text: str) -> List[str]:
    unknown = sorted(set(text.split(",")) - set(_PHASES))
    if unknown:
        known = " ".join(_PHASES)
        raise argparse.ArgumentTypeError(f'"{unknown[0]}" is unknown; write one of {known}')
    return text.split(",")


def _width(most: int) -> int:
    """The columns of the terminal that is written to, at most `most`; that many if it is none."""
    with contextlib.suppress(OSError):
        return min(os.get_terminal_size(1).columns or most, most)
    return most


def _has_color(when: str) -> bool:
    """`when`: "always", "never", or "auto": on a terminal, unless NO_COLOR is in the environment."""
    if when == "auto":
        return not os.environ.get("NO_COLOR") and os.isatty(1)
    return when == "always"


def _check_apart(option: str, path: Optional[str], read: Sequence[str]) -> None:
    """ResultError if the option's file is one that is read."""
    for other in read if path and path != "-" and os.path.exists(path) else []:
        if os.path.exists(other) and os.path.samefile(str(path), other):
            what = f"this would overwrite results, {other}; choose another name"
            raise ResultError(f"--{option} {path}: {what}")


def _compare(o: argparse.Namespace) -> int:
    if len(o.files) < 2:
        raise ResultError(
            "compare needs two files of results or more: scanbench compare OLD.csv NEW.csv; or two "
            "plugins, with --in-run"
        )
    _check_apart("json", o.json, o.files)
    c = compare([rows.read(path) for path in o.files], o.phase, o.threshold or _THRESHOLD)
    if o.json:
        write_whole(o.json, compare_json(c))
    if o.json != "-" and not o.quiet:
        write_whole("-", compare_markdown(c) if o.markdown else compare_text(c, _width(_WIDTH)))
    lack = lacks(c)
    if lack:
        complain(lack)
    return _REGRESSION if c.regressions else _USAGE if lack else _GOOD


def _layout(o: argparse.Namespace) -> Layout:
    width = _width(_WIDEST) if os.isatty(1) else _WIDTH
    return Layout(width, _has_color(o.color), o.markdown)


def _alone(o: argparse.Namespace, option: str, others: Sequence[str]) -> None:
    """ResultError if one of the others is given, too."""
    for other in others:
        if vars(o)[other]:
            what = "files" if other == "files" else f"--{other}"
            raise ResultError(f"--{option} and {what} do not go together; leave one of them out")


def _history(o: argparse.Namespace) -> int:
    _alone(o, "history", ("files", "html", "claims", "export"))
    _check_apart("json", o.json, csvs_of(o.history))
    history = make_history(read_folder(o.history), o.threshold or _THRESHOLD)
    if o.json:
        write_whole(o.json, history_json(history))
    if o.json != "-" and not o.quiet:
        layout = _layout(o)
        put_history(history, layout)
        write_whole("-", layout.text)
    return _GOOD


def _export(o: argparse.Namespace, files: Sequence[rows.ResultFile]) -> int:
    _alone(o, "export", ("html", "claims", "markdown"))
    write_whole("-", export(files, o.export))
    return _GOOD


def _report(o: argparse.Namespace) -> int:
    if o.history is not None:
        return _history(o)
    if o.json:
        raise ResultError(
            "--json is of --history; the rows are in the CSV, and the page has all of it"
        )
    if o.threshold:
        raise ResultError("--threshold is of --history, which judges changes; leave it out")
    if not o.files:
        raise ResultError("report needs a file of results or more: scanbench report out.csv")
    _check_apart("html", o.html, o.files + [o.claims] * bool(o.claims))
    files = [rows.read(path) for path in o.files]
    if o.export:
        return _export(o, files)
    report = make_report(files, [run_info.read(path) for path in o.files])
    claims = judge(report, read_recipes(o.claims)) if o.claims else []
    if o.html:
        write_page(report, claims, o.html, VERSION, REVISION)
    layout = _layout(o)
    if o.claims and (o.markdown or not o.quiet):
        put_claims(report, claims, layout)
    elif o.markdown or not (o.claims or o.html or o.quiet):
        put_report(report, layout)
    if layout.text:
        write_whole("-", layout.text)
    empty = [file.path for file in files if not file.rows]
    if len(empty) == len(files):  # an empty page would look as if all were well
        raise ResultError(f"{empty[0]} has no rows: there is nothing to report")
    for path in empty:
        complain(f"warning: {path} has no rows")
    return _GOOD


def _submit(o: argparse.Namespace) -> int:
    if len(o.files) != 1:
        raise ResultError("submit needs one file of results: scanbench submit out.csv")
    read = [*o.files, o.files[0] + run_info.ENDING, *([o.proof] if o.proof else [])]
    _check_apart("output", o.output, read)
    submit(o.files[0], o.output or "", o.name, o.proof, o.foreign, o.quiet)
    return _GOOD


_VERBS: Dict[str, Callable[[argparse.Namespace], int]] = {
    "report": _report,
    "compare": _compare,
    "submit": _submit,
}


def main(arguments: List[str]) -> int:
    """Returns the exit status."""
    gc.disable()  # all that is made here lives to the end: looking for garbage takes a third of the time
    if not arguments or arguments[0] not in _VERBS:
        complain(f"the commands are: {' '.join(_VERBS)}")
        return _USAGE
    try:
        return _VERBS[arguments[0]](_parse(arguments[0], arguments[1:]))
    except ResultError as error:
        complain(str(error))
    except MemoryError:
        complain("out of memory; give it fewer files")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else the interpreter complains when it ends
    return _USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
