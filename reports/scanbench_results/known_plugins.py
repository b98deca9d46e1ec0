"""Which plugins are scanbench's own: those of the sources that the package lies among; where it is
installed, those of the list beside it. What is not among them is somebody's own."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import FrozenSet

CALIBRATORS = frozenset(("frozen_scan", "frozen_copy"))
"""The harness's own, which have rows."""

_ID = re.compile(r'\.id = "([a-z0-9_]+)"')
_SOURCES = (".c", ".cc", ".cpp", ".cu", ".h")


@functools.lru_cache(maxsize=None)
def known_plugins() -> FrozenSet[str]:
    """Their ids, and the names of their files, which a plugin that is not built has in its row."""
    listed = Path(__file__).with_name("plugins.txt")  # written by cmake/ScanbenchInstall.cmake
    if listed.exists():
        return frozenset(listed.read_text(encoding="ascii").split())
    return plugins_of(Path(__file__).resolve().parents[2] / "plugins")


def plugins_of(folder: Path) -> FrozenSet[str]:
    """The plugins of sources: of each folder its name, and the ids in its files."""
    found = set()
    for plugin in folder.glob("*/CMakeLists.txt"):
        if plugin.parent.name == "common":
            continue
        found.add(plugin.parent.name)
        for source in plugin.parent.iterdir():
            if source.suffix in _SOURCES:
                found.update(_ID.findall(source.read_text(encoding="utf-8")))
    return frozenset(found)
