"""What the sources say of each plugin: name, summary, literature, the comment that begins them, and their text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

_STRINGS = r'(?:"(?:[^"\\\n]|\\.)*"\s*)+'
_ID = re.compile(r'\.id = "(\w+)"')
_ENDINGS = (".c", ".cpp", ".cu", ".py", ".cl", ".cuh", ".h", ".hpp")
_TABLE = re.compile(r"^\| plugin \| what it is \|\n\|[- |]*\|\n((?:\|.*\|\n)+)", re.M)


@dataclass
class Source:
    """Texts, "" where the sources do not say it."""

    id: str
    folder: str  # from the repository's root
    name: str = ""
    summary: str = ""
    reference: str = ""
    idea: str = ""  # the comment that the file begins with, its paragraphs apart
    what: str = ""  # from docs/plugins.md, in Markdown
    files: list[Path] = field(default_factory=list)  # that with the plugin first


def _joined(text: str) -> str:
    """Of "a" "b" in C: ab."""
    return "".join(str(ast.literal_eval(part)) for part in re.findall(r'"(?:[^"\\\n]|\\.)*"', text))


def _member(block: str, name: str, text: str) -> str:
    """A member of a table in C: strings, or the name of an array of characters in the same file."""
    found = re.search(rf"\.{name} =\s*(?:({_STRINGS})|(\w+))", block)
    if found and found[2]:
        found = re.search(rf"\b{found[2]}\[\] = ({_STRINGS})", text)
    return _joined(found[1]) if found else ""


def _comment(text: str) -> str:
    """The text of the comment at the beginning, without its stars and the file's name."""
    found = re.match(r"/\*(.*?)\*/", text, re.S)
    lines = (
        [re.sub(r"^ ?\* ?", "", line).rstrip() for line in found[1].split("\n")] if found else []
    )
    return re.sub(r"^[\w.]+ - ", "", "\n".join(lines).strip())


def _of_c(text: str, folder: str) -> list[Source]:
    ids = list(_ID.finditer(text))
    found = []
    for one, end in zip(ids, [*(i.start() for i in ids[1:]), len(text)]):
        block = text[one.end() : end].split("\n};")[0]
        name, summary, reference = (
            _member(block, m, text) for m in ("name", "summary", "reference")
        )
        found.append(Source(one[1], folder, name, summary, reference, _comment(text)))
    return found


def _of_python(text: str, path: Path, folder: str) -> list[Source]:
    if not re.search(r"^NAME = ", text, re.M):
        return []
    tree = ast.parse(text)
    known = {}
    for line in tree.body:
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
            known.update({getattr(to, "id", ""): str(line.value.value) for to in line.targets})
    idea = ast.get_docstring(tree) or ""
    summary = " ".join(idea.split("\n\n")[0].split())
    return [
        Source(path.stem, folder, known.get("NAME", ""), summary, known.get("REFERENCE", ""), idea)
    ]


def _words(root: Path) -> dict[str, str]:
    """What the tables of docs/plugins.md say of each plugin."""
    page = root / "docs" / "plugins.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    rows = [row for found in _TABLE.findall(text) for row in found.splitlines()]
    pairs = [row.strip("| ").split(" | ", 1) for row in rows]
    return {name: pair[1] for pair in pairs for name in re.findall(r"`(\w+)`", pair[0])}


def read_sources(root: Path) -> dict[str, Source]:
    """The plugins of the folders in plugins/, by id."""
    words = _words(root)
    found: dict[str, Source] = {}
    folders = (path for path in (root / "plugins").iterdir() if path.is_dir())
    for folder in sorted(path for path in folders if path.name != "common"):
        files = sorted(p for p in folder.iterdir() if p.suffix in _ENDINGS)
        for path in files:
            text = path.read_text(encoding="utf-8")
            name = str(folder.relative_to(root))
            here = _of_python(text, path, name) if path.suffix == ".py" else _of_c(text, name)
            for source in here:
                source.what = words.get(source.id, "")
                source.files = sorted(
                    files, key=lambda p: (p != path, _ENDINGS.index(p.suffix), p.name)
                )
                found[source.id] = source
    return found
