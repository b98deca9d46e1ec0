"""What the metadata beside a CSV say of the machine, the program and the command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List


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
    hash: str = ""  # of the file: sha256 or, of an older version, fnv1a64


@dataclass
class RunInfo:
    """Of the last run of a file. Texts, "" where the metadata do not say it."""

    known: bool = False  # there are metadata, and they can be read
    run_id: str = ""
    scanbench: str = ""
    git_revision: str = ""
    compiler: str = ""
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
    earlier: int = 0  # how many other runs have rows in the file


def read(csv: str) -> RunInfo:
    """Of the metadata beside a CSV. Where there are none, or they cannot be read, `known` is False;
    the latter is said on stderr."""
    raise NotImplementedError


def parse(text: str) -> RunInfo:
    """The same of the text of the metadata."""
    raise NotImplementedError
