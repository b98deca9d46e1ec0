"""In which ways the times of two rows of two runs are compared, and which of them hold although the
machine may have changed between the runs.

A row on a device has no calibrator of its own but the device's copy. What is known of the machine
takes its place: a run of less than 20 us is mostly the host's work, so its time in spins counts as
calibrated. A longer one, and what the device's clock measures, counts as calibrated as it is if the
GPU's measured clock was the same in both runs.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import List, Optional, Tuple

from .rows import Row
from .verdict import STATE, Estimate, widened

_HOST_WORK_NS = 10e3  # submitting a run to a GPU takes the host 6 to 10 us, which is half of 20
_SHORT_RUN_NS = 20e3

# On one H200 the medians of such short runs differ by 3 % (standard deviation) from one run of the
# program to the next, which no interval of one run shows. This is its 95 %.
_SHORT_RUN_HALF = 0.06

# So do times by the device's clock, by up to a quarter of a microsecond.
_DEVICE_CLOCK_HALF_NS = 250

# How far the clocks of a GPU may lie apart in two runs.
_CLOCK_AGREES = 0.01

Run = List[Optional[Estimate]]


def _is_by_host(row: Row) -> bool:
    return row.phase in ("run", "e2e")


def _is_by_device(row: Row) -> bool:
    return row.phase in ("device", "graph") or row.phase.startswith("kernel:")


def _is_short(row: Row) -> bool:
    return _is_by_host(row) and row.median_ns < _SHORT_RUN_NS


def _either_has(a: Row, b: Row, flag: str) -> bool:
    return flag in a.flags.split(";") + b.flags.split(";")


def _host_has_changed(a: Row, b: Row) -> bool:
    """The host's clock holds the host's work, whose share the core's frequency changes."""
    spin_a, spin_b = _spin(a), _spin(b)
    if a.phase != "run" or spin_a is None or spin_b is None:
        return False
    share = _HOST_WORK_NS / min(a.median_ns, b.median_ns)
    return abs(spin_a - spin_b) * share > STATE


def _spin(row: Row) -> Optional[float]:
    """The logarithm of the spin's time."""
    time, spins = row.absolute, row.per_spin
    return time.median - spins.median if time and spins else None


def _clocks_differ(a: Row, b: Row) -> bool:
    least = min(a.clock_mhz, b.clock_mhz)
    return least > 0 and abs(a.clock_mhz - b.clock_mhz) > _CLOCK_AGREES * least


def obstacle(a: Row, b: Row) -> str:
    """Why the times of two rows on devices do not count as calibrated as they are; "" if they do, or
    if that is not known."""
    if not a.on_device or not b.on_device:
        return ""
    if a.device != b.device:
        return "the devices differ"
    if _either_has(a, b, "throttled"):
        return "the GPU was throttled"
    if _either_has(a, b, "gpu_shared"):
        return "the GPU was shared"
    if _clocks_differ(a, b):
        return "the GPU's clock changed"
    return "the frequency of the host changed" if _host_has_changed(a, b) else ""


def _clock_calibrates(a: Row, b: Row) -> bool:
    """Is the clock of the device all that could have changed these times, and was it the same?"""
    is_timed = a.phase == "run" or _is_by_device(a)
    return is_timed and a.clock_mhz > 0 and b.clock_mhz > 0 and not obstacle(a, b)


def _of_processor(row: Row, spins: bool) -> Run:
    if not _is_by_host(row):
        return [row.absolute, row.per_device_copy]
    return [row.per_spin if spins else row.absolute, row.per_scan, row.per_copy]


def _of_device(row: Row, in_short: bool, calibrated: bool) -> Run:
    if in_short:
        spins = row.per_spin and replace(row.per_spin, calibrated=True)
        return [widened(row.absolute, math.log1p(_SHORT_RUN_HALF)), spins, row.per_device_copy]
    time = row.absolute
    if _is_by_device(row):
        time = widened(time, math.log1p(_DEVICE_CLOCK_HALF_NS / row.median_ns))
    return [time and replace(time, calibrated=calibrated), None, row.per_device_copy]


def of_pair(a: Row, b: Row) -> Tuple[Run, Run]:
    """The estimates of two rows that belong together, both measured."""
    if a.is_in_place != b.is_in_place:  # which have ceilings of their own
        a, b = replace(a, per_device_copy=None), replace(b, per_device_copy=None)
    if a.on_device != b.on_device:  # they have nothing in common to be divided by
        return [a.absolute], [b.absolute]
    if a.on_device:
        in_short, calibrated = _is_short(a) or _is_short(b), _clock_calibrates(a, b)
        return _of_device(a, in_short, calibrated), _of_device(b, in_short, calibrated)
    spins = a.per_spin is not None and b.per_spin is not None
    return _of_processor(a, spins), _of_processor(b, spins)


def are_calibrated(row: Row) -> bool:
    """Has it any estimate that could count as calibrated?"""
    if not row.on_device:
        return row.per_scan is not None or row.per_copy is not None
    if row.per_device_copy or (_is_short(row) and row.per_spin):
        return True
    return _clock_calibrates(row, row)
