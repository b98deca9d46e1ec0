"""Reads a whole CSV file into a table of texts that knows on which line each row ends.

Stricter than the module csv of the standard library: a quote inside a field, a file that was cut, one
that was joined of several, and what spreadsheets and archives make of a CSV are told, by line.
"""

from __future__ import annotations

import errno
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
_FIELD = re.compile(r'[ \t]*(?:"([^"]*(?:""[^"]*)*)"(?!")[ \t]*|(?![ \t]*")([^",\r\n]*))')
_LINE_END = re.compile(r"\r\n|\r|\n")


class ResultError(Exception):
    """What is wrong with a file, where, and what to do: the message is for people."""

    def __init__(self, message: str) -> None:
        super().__init__(clean(message))


@dataclass
class Table:
    columns: Tuple[str, ...] = ()
    rows: List[Tuple[str, ...]] = field(default_factory=list)
    lines: List[int] = field(default_factory=list)  # on which each row ends, from 1


def read_file(path: str) -> bytes:
    """All bytes of a file, a device or a pipe ("-": stdin), but at most one more than MAX_BYTES. A
    FIFO needs a writer within some seconds. ResultError."""
    name = name_of(path)
    try:
        fd, first = (os.dup(0), b"") if path == "-" else open_input(path)
    except OSError as error:
        raise ResultError(f"opening {name}: {_why(error)}") from None
    try:
        with os.fdopen(fd, "rb") as stream:
            data = bytearray(first)  # read(MAX_BYTES) would take as much memory for a short file
            while len(data) <= MAX_BYTES:
                more = stream.read(_CHUNK)
                if not more:
                    break
                data += more
            return bytes(data)
    except OSError as error:
        raise ResultError(f"reading {name}: {error.strerror}") from None


def name_of(path: str) -> str:
    return "standard input" if path == "-" else path


def _why(error: OSError) -> str:
    if error.errno == errno.ETIMEDOUT:
        return "it is a FIFO, and nobody writes to it"
    return os.strerror(error.errno or 0)


def open_input(path: str) -> Tuple[int, bytes]:
    """The descriptor, and what had to be read of a FIFO to see whether it has a writer."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        first = _wait_for_writer(fd) if stat.S_ISFIFO(os.fstat(fd).st_mode) else b""
        os.set_blocking(fd, True)
    except OSError:
        os.close(fd)
        raise
    return fd, first


def _wait_for_writer(fd: int) -> bytes:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    if poll.poll(_FIFO_WAIT_MS):
        return b""
    try:
        first = os.read(fd, 1)
    except BlockingIOError:  # there is one that has not written yet
        return b""
    if not first:
        raise OSError(errno.ETIMEDOUT, "")
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
    text = data.decode("utf-8", "surrogateescape")
    table = Table()
    zero = text.find("\0")
    if zero < 0:
        _take_rows(table, text, name, whole=True)
    else:
        # What is wrong with the lines before it is told first.
        begin = max(text.rfind("\n", 0, zero), text.rfind("\r", 0, zero)) + 1
        _take_rows(table, text[:begin], name, whole=False)
        line = _line_at(text, begin)
        raise ResultError(f"{name}, line {line}: a zero byte; this is not a text file")
    if not table.columns:
        raise ResultError(f"{name} is empty: no header")
    return table


def _line_at(text: str, place: int) -> int:
    """A lone CR ends a row, but does not count as a line, because most editors do not count it."""
    return 1 + text.count("\n", 0, place)


def _take_rows(table: Table, text: str, name: str, whole: bool) -> None:
    """Adds the rows of the text. Not whole: it goes on, so that a quote that is not closed may be
    closed later."""
    line, counted = 1, 0
    for fields, end in _rows_of(text, name, whole):
        line, counted = line + text.count("\n", counted, end), end
        at = f"{name}, line {line}"
        if not table.columns:
            table.columns = fields
            continue
        if _is_header_again(table.columns, fields):
            raise ResultError(
                f"{at}: the names of the columns again: files were joined here; take them apart, "
                "and name each"
            )
        if len(fields) != len(table.columns):
            cut = "; the file seems to be cut short" if end == len(text) else ""
            raise ResultError(
                f"{at}: {len(fields)} fields, but the header has {len(table.columns)} columns{cut}"
            )
        table.rows.append(fields)
        table.lines.append(line)


def _is_header_again(columns: Tuple[str, ...], fields: Tuple[str, ...]) -> bool:
    """Has the row the names of the first columns? Digits are a row, where the names are missing."""
    is_name = not "0" <= columns[0][:1] <= "9"
    return is_name and all(a == b for a, b in zip(columns[:2], fields))


def _rows_of(text: str, name: str, whole: bool) -> Iterator[Tuple[Tuple[str, ...], int]]:
    """The fields of each row, and where it ends, before its end of line."""
    at = 0
    while at < len(text):
        found = _LINE_END.search(text, at)
        end = found.start() if found else len(text)
        line = text[at:end]
        if '"' in line:
            fields, end = _fields_of(text, at, name, whole)
            if not fields:
                return
            yield tuple(fields), end
        elif line.strip(_BLANKS):
            yield tuple([cell.strip(_BLANKS) for cell in line.split(",")]), end
        at = end + (2 if text.startswith("\r\n", end) else 1)


def _fields_of(text: str, at: int, name: str, whole: bool) -> Tuple[List[str], int]:
    """The fields of a row with quotes, and where it ends. None: not all of it is there."""
    fields: List[str] = []
    while True:
        found = _FIELD.match(text, at)
        if not found:
            if whole:
                raise _not_csv(text, len(text) - 1, name)
            return [], len(text)
        quoted, plain = found.groups()
        fields.append(plain.rstrip(_BLANKS) if quoted is None else quoted.replace('""', '"'))
        at = found.end() + 1
        if text[at - 1 : at] not in ("", ",", "\r", "\n"):
            raise _not_csv(text, at - 1, name)
        if text[at - 1 : at] != ",":
            return fields, at - 1


def _not_csv(text: str, place: int, name: str) -> ResultError:
    line = _line_at(text, place)
    return ResultError(f"{name}, line {line}: a quote inside a field, or one that is never closed")
