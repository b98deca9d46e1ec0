"""A run as one file to hand in: its metadata as JSON, and its rows as CSV, in one text that gzip packs.

    scanbench submission 1
    {"@context": ...}            the metadata, over many lines, the last of which is "}"

    schema,run_id,...            the rows, to the end

`zcat` shows it. The same run makes the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from dataclasses import dataclass
from typing import Any, Dict, List

from . import checks, csv_table
from .csv_table import ResultError
from .machine import NAME
from .private import clean_metadata, clean_rows
from .rows import ResultFile, read_bytes
from .text import json_member

_FIRST = "scanbench submission 1\n"
MOST_PACKED, _MOST = 16 << 20, 64 << 20  # bytes; the longest of reports/ has 1.3 MB
_CHUNK = 1 << 20


@dataclass
class Submission:
    machine: str
    metadata: Dict[str, Any]  # as clean_metadata makes it
    rows: bytes  # as clean_rows makes them
    file: ResultFile  # what the rows say

    @property
    def run(self) -> Dict[str, Any]:
        """The last run of the file."""
        run: Dict[str, Any] = self.metadata["notes"][0]
        return run

    @property
    def foreign(self) -> List[str]:
        """The plugins that are not of scanbench, by id."""
        return list(self.run["foreign"])

    @property
    def proved(self) -> List[str]:
        """The plugins that have rows and a proof."""
        ids = {row.plugin for row in self.file.rows}
        return [p["id"] for p in self.run["plugins"] if "proof" in p and p["id"] in ids]


def metadata_text(metadata: Dict[str, Any]) -> str:
    return json.dumps(metadata, indent=1, ensure_ascii=False) + "\n"


def pack(submission: Submission) -> bytes:
    """The bytes of its file. ResultError: it would be too long."""
    head = f"{_FIRST}{metadata_text(submission.metadata)}\n".encode("utf-8", "replace")
    if len(head) + len(submission.rows) > _MOST:
        raise ResultError(f"its rows have more than {_MOST} bytes; submit fewer")
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as out:
        out.write(head + submission.rows)
    return packed.getvalue()


def check_place(path: str) -> None:
    """ResultError: a file is there that is no submission, and would be lost."""
    if not os.path.isfile(path) or os.path.getsize(path) == 0:
        return
    try:
        with gzip.open(path) as file:
            is_mine = file.read(len(_FIRST)) == _FIRST.encode()
    except (OSError, EOFError, zlib.error):
        is_mine = False
    if not is_mine:
        what = "this would overwrite a file that submit did not write"
        raise ResultError(f"-o {path}: {what}; choose another name, or remove it first")


def unpack(data: bytes, name: str) -> Submission:
    """The submission in the bytes of a file, which anybody may have made: nothing of it is believed
    that is not checked again. ResultError: what is wrong with it."""
    text = _unpacked(data, name)
    first, _, rest = text.partition(b"\n")
    head, end, rows = rest.partition(b"\n}\n\n")
    if first + b"\n" != _FIRST.encode() or not end:
        raise ResultError(f"{name} was not made by scanbench submit, or by another version of it")
    try:
        metadata = json.loads(head + b"\n}", parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ResultError(f"{name}: its metadata are not JSON; submit the run again") from None
    file = read_bytes(rows, name)
    machine = _machine_of(metadata, name)
    table = csv_table.parse(rows, name)
    kept = clean_metadata(metadata, table.columns, machine, None)
    if kept != metadata or clean_rows(table, name, machine, None) != rows:
        raise ResultError(f"{name}: it was edited, or another version made it; submit again")
    made = Submission(machine, metadata, rows, file)
    checks.check(file, metadata, made.foreign)
    return made


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _unpacked(data: bytes, name: str) -> bytes:
    if len(data) > MOST_PACKED:
        raise ResultError(f"{name} is longer than {MOST_PACKED} bytes")
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        text = stream.decompress(data, _MOST + 1)
    except zlib.error:
        raise ResultError(f"{name} is not packed by gzip, or is damaged; send it again") from None
    if len(text) > _MOST:
        raise ResultError(f"{name} unpacks to more than {_MOST} bytes")
    if not stream.eof or stream.unused_data:
        raise ResultError(f"{name} was cut short, or something was added to it; send it again")
    return text


def _machine_of(metadata: object, name: str) -> str:
    """The name of the machine, which the last run has. ResultError: there is none."""
    runs = checks.runs_of(metadata)
    machine = json_member(runs[0], "machine") if runs else ""
    if not NAME.fullmatch(machine):
        raise ResultError(f"{name}: the name of its machine is missing, or is none")
    return machine
