"""`scanbench submit out.csv`: makes one file of a run that may be handed in, or says why it may not."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

from . import checks, csv_table, run_info
from .csv_table import ResultError, read_file
from .machine import NAME, machine_name, machine_slug
from .private import clean_metadata, clean_rows, names_here
from .proof import Proof, read_proof
from .rows import ResultFile, read_bytes
from .submission import Submission, check_place, pack
from .text import json_member, json_objects, json_texts
from .whole_file import complain, write_whole
from .words import some_of


def submit(
    path: str, out: str, machine: str, proof: Optional[str], foreign: bool, quiet: bool
) -> None:
    """Writes the submission of a CSV with the metadata beside it to `out` ("": MACHINE.gz in the working
    folder), and says what it has. `machine`: its name ("": that of its devices); `proof`: the outcome of
    validate; `foreign`: somebody's own plugins are taken. ResultError: nothing is written."""
    data = read_file(path)
    file = read_bytes(data, path)
    file.info = run_info.read(path)
    table = csv_table.parse(data, path)
    metadata = _metadata_of(path)
    _check_bytes(data, metadata, path)
    strangers = sorted(checks.foreign_plugins(file, metadata))
    checks.check(file, metadata, strangers if foreign else ())
    for run in checks.runs_of(metadata):
        run["foreign"] = strangers
    if proof is not None:
        _add_proofs(file, checks.runs_of(metadata)[0], read_proof(proof), proof)
    names = names_here({row.host for row in file.rows} | _hosts(metadata), _paths(path, metadata))
    machine = _checked_name(machine or names.out_of(machine_name(file), of_driver=True))
    kept = clean_metadata(metadata, table.columns, machine, names)
    made = Submission(machine, kept, clean_rows(table, path, machine, names), file)
    out = out or f"{machine_slug(machine)}.gz"
    check_place(out)
    write_whole(out, pack(made))
    if not quiet:
        _tell(made, out)


def _metadata_of(csv: str) -> Dict[str, Any]:
    path = csv + run_info.ENDING
    if csv == "-":
        raise ResultError("submit needs the metadata beside a CSV: name its file")
    try:
        data = read_file(path, run_info.MAX_BYTES)
    except ResultError as error:
        raise ResultError(
            f"{error}; submit needs the metadata that scanbench wrote beside it"
        ) from None
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        whole = None
    runs = checks.runs_of(whole) if isinstance(whole, dict) else []
    if not isinstance(whole, dict) or not runs or not all(map(_is_run, runs)):
        raise ResultError(f"{path} is not the JSON of a run, or was cut short; measure again")
    made: Dict[str, Any] = whole
    return made


def _is_run(run: Dict[str, Any]) -> bool:
    """Does it have what is looked up, as texts?"""
    plugins = run.get("plugins", [])
    return isinstance(run.get("run_id"), str) and (
        isinstance(plugins, list)
        and all(isinstance(p, dict) and isinstance(p.get("id", ""), str) for p in plugins)
    )


def _check_bytes(data: bytes, metadata: Dict[str, Any], path: str) -> None:
    """A file that was cut off behind a row, or edited, looks whole."""
    last = checks.runs_of(metadata)[0]
    if last.get("complete") is True and last.get("bytes") != len(data):
        what = f"it has {len(data)} bytes, and had {last.get('bytes')} when the run ended"
        raise ResultError(
            f"{path} was cut short or edited: {what}; submit the file that was written"
        )


def _hosts(metadata: Dict[str, Any]) -> set[str]:
    return {str(run.get("host", "")) for run in checks.runs_of(metadata)}


def _paths(csv: str, metadata: Dict[str, Any]) -> List[str]:
    """What has names of folders in it."""
    found = [csv]
    for run in checks.runs_of(metadata):
        found += [part for word in json_texts(run.get("argv")) for part in word.split(",")]
        found += [json_member(plugin, "file") for plugin in json_objects(run.get("plugins"))]
    return [path for path in found if "/" in path]


def _checked_name(machine: str) -> str:
    if NAME.fullmatch(machine):
        return machine
    what = "is not a name of a machine" if machine else "no device is known"
    raise ResultError(f'"{machine}" {what}; write --name "H200, 16 cores"')


def _add_proofs(file: ResultFile, run: Dict[str, Any], proofs: Dict[str, Proof], name: str) -> None:
    """Puts what was proved beside the plugins of the run. ResultError: one failed, or is another build."""
    ids = {row.plugin for row in file.rows}
    for plugin in json_objects(run.get("plugins")):
        id = json_member(plugin, "id")
        proof = proofs.get(id)
        if id not in ids or not proof:
            continue
        if proof.failed:
            what = f"{len(proof.failed)} claims about {id} failed, the first: {proof.failed[0]}"
            raise ResultError(f"{name}: {what}; measure it again when it is right")
        if proof.hash != plugin.get("sha256"):
            what = f"{id} was proved in another build than the one that was measured"
            raise ResultError(f"{name}: {what}; prove what was measured, or measure again")
        plugin["proof"] = proof.counts


def _tell(made: Submission, out: str) -> None:
    """Says what the file has, and what to do with it."""
    rows = made.file.rows
    runs = {row.plugin for row in rows if row.is_run}
    complain(f"{out}: {len(rows)} rows of {made.machine}; zcat shows all that it says")
    failed = checks.failed_rows(made.file)
    if failed:
        plugins = some_of(sorted({row.plugin for row in failed}))
        complain(f"{len(failed)} rows are wrong or failed, and say so: {plugins}")
    if made.foreign:
        complain(f"not plugins of this scanbench, and named as such: {some_of(made.foreign)}")
    unproved = sorted(runs - set(made.proved))
    if unproved:
        what = f"not proved: {some_of(unproved)}"
        complain(f"{what}; scanbench validate all --json proof.json, then --proof proof.json")
