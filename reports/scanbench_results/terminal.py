"""What a file descriptor shows to people, and what is wrong, on stderr."""

from __future__ import annotations

import contextlib
import os

from .text import clean


def complain(message: str) -> None:
    """On stderr, if that can be written: a result is not lost for it."""
    with contextlib.suppress(OSError):
        os.write(2, f"scanbench: {clean(message)}\n".encode("utf-8", "replace"))


def width(descriptor: int, most: int) -> int:
    """The columns of a terminal, at most `most`; `most` if it is none, or does not say."""
    try:
        columns = os.get_terminal_size(descriptor).columns
    except OSError:
        return most
    return min(columns, most) if columns > 0 else most


def has_color(when: str, descriptor: int) -> bool:
    """Should text for this descriptor have colours? `when`: "always", "never", or "auto": on a
    terminal, unless NO_COLOR is in the environment."""
    if when == "always":
        return True
    return when != "never" and not os.environ.get("NO_COLOR") and os.isatty(descriptor)
