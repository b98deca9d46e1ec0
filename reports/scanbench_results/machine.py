"""What people call a machine: "H200, 16 cores"."""

from __future__ import annotations

import re
from typing import Iterable

from .rows import ResultFile, Row

NAME = re.compile(r"[A-Za-z0-9][\w .,()+×-]{0,78}[\w.)+]")
"""The form of a name that somebody gives."""


def devices_text(file: ResultFile) -> str:
    """The devices of a file, else its processor, as people call them: "NVIDIA H200", "Intel Xeon"."""
    rows = [row for row in file.rows if row.device]
    mine = [row for row in rows if row.on_device] or [row for row in rows if row.backend == "cpu"]
    names = dict.fromkeys(row.device for row in mine)
    return " and ".join(map(short_name, names))


def short_name(device: str) -> str:
    """ "Intel Xeon" of "Intel(R) Xeon(R) Processor"."""
    return " ".join(re.sub(r"\((R|TM)\)|\b(CPU|Processor)\b|@.*", "", device).split()) or device


def cores_text(topology: str) -> str:
    """ "16 cores", of what the metadata say; "" if they do not."""
    found = re.search(r"([0-9]+) cores", topology)
    return f"{found[1]} core{'s' * (found[1] != '1')}" if found else ""


def most_parts(rows: Iterable[Row]) -> int:
    """The most devices that share a problem."""
    return max((row.part_count for row in rows if row.on_device), default=1)


def machine_name(file: ResultFile) -> str:
    """The name that its metadata have; else of its devices and cores: "2 × H200, 32 cores", "AMD EPYC, 2
    cores"; "" if nothing is known."""
    if file.info.machine:
        return file.info.machine
    devices = devices_text(file) or short_name(file.info.cpu)
    devices = re.sub(r"\bNVIDIA ", "", devices)
    parts = most_parts(file.rows)
    if parts > 1 and " and " not in devices:
        devices = f"{parts} × {devices}"
    return ", ".join(filter(None, [devices, cores_text(file.info.topology)]))


def machine_slug(name: str) -> str:
    """A name of a folder: "2-h200-32-cores"."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
