"""`python3 -m scanbench_results {report|compare} OPTIONS`: the verbs of the program that read files of
results, with their exit statuses: 0, 2 for a mistake or a file that cannot be read or written, 4 for a
regression."""

from __future__ import annotations

import gc
import os
import sys
from typing import Callable, Dict, List, Sequence

from . import compare_print, options, rows, run_info, terminal
from .compare import Comparison, compare, lacks
from .claims import judge
from .csv_table import ResultError
from .options import Options
from .page import write_page
from .recipe import read_recipes
from .report import Report, make_report
from .tables import print_report
from .terminal import complain
from .version import REVISION, VERSION
from .whole_file import write_whole

_GOOD, _USAGE, _REGRESSION = 0, 2, 4
_WIDTH = 80


def _check_apart(o: Options, option: str, read: Sequence[str]) -> None:
    """ResultError if the option's file is one that is read."""
    path = o.file(option)
    for other in read if path and path != "-" else []:
        if (
            os.path.exists(str(path))
            and os.path.exists(other)
            and os.path.samefile(str(path), other)
        ):
            raise ResultError(
                f"--{option} {path}: this would overwrite results, {other}; choose another name"
            )


def _print_comparison(o: Options, c: Comparison) -> None:
    json = o.file("json")
    if json:
        write_whole(json, _bytes(compare_print.compare_json(c)))
    if json == "-" or o.has("quiet"):
        return
    if o.has("markdown"):
        text = compare_print.compare_markdown(c)
    else:
        text = compare_print.compare_text(c, terminal.width(1, _WIDTH))
    _print(text)


def _print(text: str) -> None:
    if text:
        write_whole("-", _bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _compare(o: Options) -> int:
    if len(o.files) < 2:
        raise ResultError(
            "compare needs two files of results or more: scanbench compare OLD.csv NEW.csv; or two "
            "plugins, with --in-run"
        )
    _check_apart(o, "json", o.files)
    files = [rows.read(path) for path in o.files]
    c = compare(files, o.phases, o.threshold)
    _print_comparison(o, c)
    lack = lacks(c)
    if lack:
        complain(lack)
    return _REGRESSION if c.regressions else _USAGE if lack else _GOOD


def _report(o: Options) -> int:
    if not o.files:
        raise ResultError("report needs a file of results or more: scanbench report out.csv")
    page, recipes = o.file("html"), o.file("claims")
    _check_apart(o, "html", [*o.files, *([recipes] if recipes else [])])
    files = [rows.read(path) for path in o.files]
    report = make_report(files, [run_info.read(path) for path in o.files])
    judged = judge(report, read_recipes(recipes)) if recipes else []
    if page:
        write_page(report, judged, page, VERSION, REVISION)
    _print(print_report(report, judged, o))
    return _check_rows(report)


def _check_rows(report: Report) -> int:
    """Says which files have no rows: an empty page would look as if all were well."""
    empty = [file.results.path for file in report.files if not file.results.rows]
    if len(empty) == len(report.files):
        raise ResultError(f"{empty[0]} has no rows: there is nothing to report")
    for path in empty:
        complain(f"warning: {path} has no rows")
    return _GOOD


_VERBS: Dict[str, Callable[[Options], int]] = {"report": _report, "compare": _compare}


def main(arguments: List[str]) -> int:
    """Returns the exit status."""
    gc.disable()  # all that is made here lives to the end: looking for garbage takes a third of the time
    if not arguments or arguments[0] not in _VERBS:
        complain(f"the commands are: {' '.join(_VERBS)}")
        return _USAGE
    try:
        return _VERBS[arguments[0]](options.parse(arguments[0], arguments[1:]))
    except ResultError as error:
        complain(str(error))
        return _USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else the interpreter complains when it ends
        return _USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
