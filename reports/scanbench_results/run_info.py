"""What the metadata beside a CSV say of the machine, the program and the command."""

from __future__ import annotations

import json
import os
import shlex
import stat
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Optional

from .text import clean
from .whole_file import complain

ENDING = "-metadata.json"
"""What the name of a CSV is followed by."""
MAX_BYTES = 64 << 20  # they take some 20 KiB and 300 bytes for each plugin of a run


@dataclass
class RunPlugin:
    """Texts, "" where the metadata do not say it."""

    id: str = ""
    version: str = ""
    backend: str = ""
    reference: str = ""
    device: str = ""
    driver: str = ""
    file: str = ""
    status: str = ""
    reason: str = ""
    defaults: str = ""  # of its tunables: "block=256;pad=1"
    hash: str = ""  # of the file: sha256 or, of an older version, fnv1a64


@dataclass
class RunInfo:
    """Of the last run of a file. Texts, "" where the metadata do not say it."""

    known: bool = False  # there are metadata, and they can be read
    run_id: str = ""
    scanbench: str = ""
    git_revision: str = ""
    commit_date: str = ""  # of that revision, UTC: "2026-11-28T19:58:30Z"
    compiler: str = ""
    machine: str = ""  # what people call it, where somebody has named it
    host: str = ""
    cpu: str = ""
    topology: str = ""
    memory_available: str = ""
    system: str = ""
    governor: str = ""
    turbo: str = ""
    smt: str = ""
    aslr: str = ""
    command: str = ""  # to be copied into a shell
    baseline: str = "cpu_serial"  # that the speedups are relative to
    sequential: bool = False  # it measured one configuration after the other
    warnings: List[str] = field(default_factory=list)
    plugins: List[RunPlugin] = field(default_factory=list)


def read(csv: str) -> RunInfo:
    """Of the metadata beside a CSV. Where there are none, or they cannot be read, `known` is False;
    the latter is said on stderr."""
    try:
        info = parse(_text_of(csv + ENDING))
        if not info.known:
            raise ValueError("not the JSON of a run, or was cut short")
        return info
    except FileNotFoundError:
        return RunInfo()
    except (OSError, ValueError) as error:
        reason = f": {error.strerror}" if isinstance(error, OSError) else f" is {error}"
        complain(f"{csv}{ENDING}{reason}; these metadata are ignored")
        return RunInfo()


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}


def _text_of(path: str) -> str:
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    about = os.fstat(fd)
    if not stat.S_ISREG(about.st_mode):
        os.close(fd)
        raise ValueError(_KINDS.get(stat.S_IFMT(about.st_mode), "a device"))
    with os.fdopen(fd, "rb") as file:
        if about.st_size > MAX_BYTES:
            raise ValueError(f"longer than {MAX_BYTES} bytes")
        return file.read().decode("utf-8", "surrogateescape")


def parse(text: str) -> RunInfo:
    """The same of the text of the metadata."""
    last = _last_run(text)
    if last is None:
        return RunInfo()
    info = RunInfo(known=True)
    for member in fields(RunInfo):
        if member.default == "" and member.name != "command":
            setattr(info, member.name, _text(last.get(member.name)))
    _take_command(info, [_text(word) for word in _elements(last.get("argv"))])
    info.warnings = [_text(warning) for warning in _elements(last.get("warnings"))]
    for plugin in _elements(last.get("plugins")):
        known = plugin if isinstance(plugin, dict) else {}
        texts = {member.name: _text(known.get(member.name)) for member in fields(RunPlugin)}
        texts["hash"] = _text(known.get("sha256", known.get("fnv1a64")))
        info.plugins.append(RunPlugin(**texts))
    return info


def _last_run(text: str) -> Optional[Dict[str, Any]]:
    """Of the runs in the notes of the CSVW the last, which stands first. None: there is none, or the
    text is not JSON."""
    try:
        whole = json.loads(
            text.partition("\0")[0],
            parse_float=str,  # a number is kept as it is written
            parse_int=str,
            parse_constant=str,
            strict=False,
        )
    except (ValueError, RecursionError):
        return None
    notes = _elements(whole.get("notes")) if isinstance(whole, dict) else []
    return next((run for run in notes if isinstance(run, dict) and "run_id" in run), None)


def _elements(value: Any) -> List[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A string, or a number or word as it is written; "" for anything else."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return clean(value) if isinstance(value, str) else ""


def _take_command(info: RunInfo, words: List[str]) -> None:
    info.command = shlex.join(words)
    for word, following in zip(words, [*words[1:], ""]):
        name, equals, value = word.partition("=")
        value = value if equals else following
        if name == "--baseline" and value:
            info.baseline = value
        elif name == "--order":
            info.sequential = value == "sequential"
