"""May a run be handed in? It is whole, its metadata are its own, each result was compared, the machine
was quiet, and the plugins are scanbench's or named as somebody's own."""

from __future__ import annotations

from typing import Any, Collection, Dict, List, Mapping, Sequence, Set

from .csv_table import ResultError
from .known_plugins import CALIBRATORS, known_plugins
from .rows import FAILURES, OK, ResultFile, Row
from .text import json_member, json_objects
from .words import size_text, some_of

DISTURBED = frozenset(("noisy", "busy", "faults", "throttled", "gpu_shared", "threads"))
"""The flags of rows that something disturbed."""
DISTURBED_MOST = 0.1
"""The share of rows that may have one. On quiet machines it is up to 6 % (`noisy`), and all rows beside
other programs (docs/measuring.md)."""


def runs_of(metadata: object) -> List[Dict[str, Any]]:
    """The runs that metadata describe, the last one first."""
    return json_objects(metadata.get("notes")) if isinstance(metadata, dict) else []


def check(file: ResultFile, metadata: Mapping[str, Any], foreign: Collection[str] = ()) -> None:
    """ResultError: the first reason why not, with what to do. `foreign`: plugins that are named as
    somebody's own."""
    _check_run(file, runs_of(metadata))
    _check_rows(file)
    _check_quiet(file)
    strangers = foreign_plugins(file, metadata) - set(foreign)
    if strangers:
        what = f"not of this scanbench: {some_of(sorted(strangers), ' plugins')}"
        how = "--foreign takes them and says so; or measure without them"
        raise ResultError(f"{file.path}: {what}; {how}")


def _check_run(file: ResultFile, runs: Sequence[Dict[str, Any]]) -> None:
    name = file.path
    if not file.rows:
        raise ResultError(f"{name} has no rows: there is nothing to submit")
    unknown = {row.run_id for row in file.rows} - {json_member(run, "run_id") for run in runs}
    if unknown:
        what = f"the metadata beside it are of another run: they do not know {some_of(sorted(unknown))}"
        raise ResultError(f"{name}: {what}; put the file beside it that scanbench wrote with it")
    last = runs[0]
    words = last.get("argv")
    if isinstance(words, list) and "tune" in words[1:2]:
        raise ResultError(
            f"{name}: tune drops settings on the way; submit what scanbench run measures"
        )
    if last.get("complete") is True:
        return
    if "complete" in last:
        raise ResultError(
            f"{name}: the run was interrupted; the same command with --resume ends it"
        )
    if "warnings" in last:
        raise ResultError(
            f"{name}: an older scanbench measured it, which does not say whether it ended; measure again"
        )
    raise ResultError(
        f"{name}: the run lasts, or was killed; the same command with --resume ends it"
    )


def _check_rows(file: ResultFile) -> None:
    name, columns = file.path, file.columns
    if not file.has_rounds:
        raise ResultError(f"{name} has no rounds_ns: an older scanbench measured it; measure again")
    verified = columns.index("verified") if "verified" in columns else -1
    for row in file.rows:
        if row.status != OK:
            continue
        at = f"{name}, line {row.line}: {row.plugin} at n = {size_text(row)}"
        if verified < 0 or row.cells[verified] != "1":
            raise ResultError(f"{at} is ok, but its result was not compared; measure again")
        if row.phase != "create" and not row.rounds_ns:
            raise ResultError(f"{at} has no rounds_ns; measure again")
    if not any(row.status == OK and not row.is_calibrator for row in file.rows):
        raise ResultError(f"{name}: no row is ok: there is nothing to submit")


def failed_rows(file: ResultFile) -> List[Row]:
    """Those that are wrong, crashed, hung or failed: they are handed in as such."""
    return [row for row in file.rows if row.status in FAILURES]


def _check_quiet(file: ResultFile) -> None:
    rows = [row for row in file.rows if row.is_run]
    loud = [row for row in rows if not DISTURBED.isdisjoint(row.flag_words)]
    if len(loud) <= DISTURBED_MOST * len(rows):
        return
    which = [f"{r.plugin} n={size_text(r)} ({r.flags}, line {r.line})" for r in loud]
    what = f"{len(loud)} of {len(rows)} rows were disturbed, more than {DISTURBED_MOST:.0%}"
    how = "measure again when nothing else runs"
    raise ResultError(f"{file.path}: {what}: {some_of(which)}; {how}")


def foreign_plugins(file: ResultFile, metadata: Mapping[str, Any]) -> Set[str]:
    """The plugins with rows that are not scanbench's: by their ids, and by their files where the
    metadata say that these do not lie with the program. What was not built has no hash."""
    ids = {row.plugin for row in file.rows} - CALIBRATORS
    plugins = [p for run in runs_of(metadata) for p in json_objects(run.get("plugins"))]
    built = (p for p in plugins if p.get("bundled") is False and p.get("sha256"))
    elsewhere = {json_member(plugin, "id") for plugin in built}
    return (ids - known_plugins()) | (ids & elsewhere)
