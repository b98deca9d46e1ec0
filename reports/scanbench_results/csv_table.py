"""Reads a whole CSV file into a table of texts that knows on which line each row ends.

The module csv of the standard library reads it. Besides, a file that was cut, one that was joined of
several, and what spreadsheets and archives make of a CSV are told, by line.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import os
import re
import select
import stat
from dataclasses import dataclass, field
from typing import Iterator, List, Optional, Tuple

from .text import clean

MAX_BYTES = 1 << 30
"""More text than this is refused rather than read into memory."""

_CHUNK = 1 << 20
_FIFO_WAIT_MS = 10000
_BLANKS = " \t"


class ResultError(Exception):
    """What is wrong with a file, where, and what to do: the message is for people."""

    def __init__(self, message: str) -> None:
        super().__init__(clean(message))


@dataclass
class Table:
    columns: Tuple[str, ...] = ()
    rows: List[Tuple[str, ...]] = field(default_factory=list)
    lines: List[int] = field(default_factory=list)  # on which each row ends, from 1


def read_file(path: str, most: int = MAX_BYTES) -> bytes:
    """All bytes of a file, a device or a pipe ("-": stdin), but at most one more than `most`. A FIFO
    needs a writer within some seconds. ResultError."""
    name, doing = name_of(path), "opening"
    try:
        fd = os.dup(0) if path == "-" else os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        doing = "reading"
        with os.fdopen(fd, "rb") as stream:
            data = bytearray(_wait_for_writer(fd) if path != "-" else b"")
            while len(data) <= most:  # read(most) would take as much memory for a short file
                more = stream.read(min(_CHUNK, most + 1 - len(data)))
                if not more:
                    break
                data += more
            return bytes(data)
    except IsADirectoryError:
        raise ResultError(f"{name} is a folder; name a file in it") from None
    except OSError as error:
        raise ResultError(f"{doing} {name}: {error.strerror}") from None


def name_of(path: str) -> str:
    return "standard input" if path == "-" else path


def _wait_for_writer(fd: int) -> bytes:
    """What had to be read of a FIFO to see whether it has one; from now on reading waits."""
    first = b""
    if stat.S_ISFIFO(os.fstat(fd).st_mode):
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        if not poll.poll(_FIFO_WAIT_MS):
            with contextlib.suppress(BlockingIOError):  # there is one that has not written yet
                first = os.read(fd, 1)
                if not first:
                    raise OSError(errno.ETIMEDOUT, "it is a FIFO, and nobody writes to it")
    os.set_blocking(fd, True)
    return first


def _something_else(data: bytes) -> Optional[str]:
    """What the file is instead of a CSV. A CSV of one column has no separator."""
    line_end = re.search(rb"[\r\n]", data)
    first = data[: line_end.start()] if line_end else data
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "it is UTF-16; save it as UTF-8"
    if data.startswith(b"PK\3\4"):
        return "it is a zip archive, as .xlsx and .ods are; export it as CSV"
    if data.startswith(b"\x1f\x8b"):
        return "it is compressed; unpack it with gunzip"
    if b"," in first:
        return None
    if b";" in first:
        return (
            "semicolons separate its columns, as in a spreadsheet's CSV; save it with commas, and "
            "with points in numbers"
        )
    return "tabs separate its columns; save it with commas" if b"\t" in first else None


def parse(data: bytes, name: str) -> Table:
    """The table of the bytes of a file: a header, then rows with the same number of fields. Blank
    lines, a byte-order mark and blanks around a field are skipped. `name` stands for the file in
    messages. ResultError. Bytes that are not UTF-8 are in the texts as `surrogateescape` has them.
    """
    if len(data) > MAX_BYTES:
        raise ResultError(f"{name} is longer than {MAX_BYTES} bytes")
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    what = _something_else(data)
    if what:
        raise ResultError(f"{name}, line 1: {what}")
    zero = data.find(b"\0")
    if zero >= 0:
        line = 1 + data.count(b"\n", 0, zero)
        raise ResultError(f"{name}, line {line}: a zero byte; this is not a text file")
    table = _rows_of(data.decode("utf-8", "surrogateescape"), name)
    if not table.columns:
        raise ResultError(f"{name} is empty: no header")
    if table.rows and data[-1:] not in b"\r\n":
        raise ResultError(
            f"{name}, line {table.lines[-1]}: the last line has no end: the file seems to be cut "
            "short; if all of it is there, add an end of line"
        )
    return table


def _rows_of(text: str, name: str) -> Table:
    table = Table()
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    most = csv.field_size_limit(MAX_BYTES)
    try:
        for fields in reader:
            cells = tuple([cell.strip(_BLANKS) for cell in fields])
            if not table.columns and any(cells):
                table.columns = cells
            elif len(cells) > 1 or any(cells):
                _check_row(table, cells, f"{name}, line {reader.line_num}", reader)
                table.rows.append(cells)
                table.lines.append(reader.line_num)
    except csv.Error:
        what = "text behind a quoted field, or a quote that is never closed"
        raise ResultError(f"{name}, line {reader.line_num}: {what}") from None
    finally:
        csv.field_size_limit(most)  # which is that of the whole process
    return table


def _check_row(
    table: Table, cells: Tuple[str, ...], at: str, following: Iterator[List[str]]
) -> None:
    # Digits are a row, where the line with the names is missing.
    if cells[:2] == table.columns[:2] and not "0" <= cells[0][:1] <= "9":
        raise ResultError(
            f"{at}: the names of the columns again: files were joined here; take them apart, and "
            "name each"
        )
    if len(cells) != len(table.columns):
        last = not any(following)
        cut = "; the file seems to be cut short: --resume measures what is missing" if last else ""
        raise ResultError(
            f"{at}: {len(cells)} fields, but the header has {len(table.columns)} columns{cut}"
        )
