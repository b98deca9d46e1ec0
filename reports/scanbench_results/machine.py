"""What people call a machine: "H200, 16 cores"."""

from __future__ import annotations

import re

from .rows import ResultFile

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


def machine_name(file: ResultFile) -> str:
    """The name that its metadata have; else of its devices and cores: "2 × H200, 32 cores", "AMD EPYC, 2
    cores"; "" if nothing is known."""
    if file.info.machine:
        return file.info.machine
    devices = devices_text(file) or short_name(file.info.cpu)
    devices = re.sub(r"\bNVIDIA ", "", devices)
    parts = [int(row.parts) for row in file.rows if row.on_device and row.parts.isdecimal()]
    if max(parts, default=1) > 1 and " and " not in devices:
        devices = f"{max(parts)} × {devices}"
    cores = re.search(r"([0-9]+) cores", file.info.topology)
    if not cores:
        return devices
    return ", ".join(filter(None, [devices, f"{cores[1]} core{'s' * (cores[1] != '1')}"]))


def machine_slug(name: str) -> str:
    """A name of a folder: "2-h200-32-cores"."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
