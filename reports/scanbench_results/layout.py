"""Headings, paragraphs and tables, for a terminal, no wider than it is, or in Markdown.

Each character takes one column. Where a table is too wide, texts go on in the next line, and names are
shortened in their middle: "opencl_hil…steele".
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import List, Sequence, Union

from .rows import Row
from .words import plugin_text

GAP = 2
"""Blanks before each column."""

PROSE = 100
"""The most columns of a paragraph; tables may be wider."""

_BOLD, _PLAIN = "\033[1m", "\033[0m"


@dataclass(frozen=True)
class Column:
    title: str
    right: bool = False  # numbers: to the right
    name: bool = False  # bold where there are colours, code in Markdown

    @property
    def wraps(self) -> bool:
        """Does a text that is too wide go on in the next line?"""
        return not self.right and not self.name


def numbers(*titles: str) -> List[Column]:
    """Columns of numbers."""
    return [Column(title, right=True) for title in titles]


@dataclass(frozen=True)
class Name:
    """A cell of which only the beginning is a name."""

    text: str
    length: int


def plugin_name(row: Row) -> Name:
    """The plugin of a row, with its version and kind behind it."""
    return Name(plugin_text(row), len(row.plugin))


@dataclass
class Table:
    """Its columns are as wide as their widest cell, and too wide ones made narrower from the right."""

    columns: Sequence[Column]
    give: Sequence[str] = ()  # the columns to leave out where it is too wide, in that order
    rows: List[List[Name]] = field(default_factory=list)

    def add(self, *cells: Union[str, Name]) -> None:
        """Adds a row."""
        self.rows.append([c if isinstance(c, Name) else Name(c, len(c)) for c in cells])

    def widths(self) -> List[int]:
        """Of its columns; 0 if all cells below the title are empty."""
        widths = [max((len(cell.text) for cell in column), default=0) for column in zip(*self.rows)]
        return [w and max(w, len(column.title)) for w, column in zip(widths, self.columns)]

    def least_width(self, column: int) -> int:
        """What a column can be made narrower to: its longest word, or 4 characters of a name."""
        if not self.columns[column].wraps:
            return 4
        cells = (row[column].text for row in self.rows)
        return max((len(word) for text in cells for word in text.split(" ")), default=0)


def fit_middle(text: str, width: int) -> str:
    """The text, without its middle where it is too wide: "opencl_hil…steele"."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return text[: width // 2] + "…" + text[len(text) - tail :] if width > 0 else ""


def wrapped(text: str, width: int) -> List[str]:
    """The text in lines of so many columns, or of a word that is wider."""
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def escaped(text: str) -> str:
    """What Markdown would take for something else, or as a mention, escaped."""
    return re.sub(r"([\\`*\[\]<>|&~@#])", r"\\\1", text)


@dataclass
class Layout:
    """What was printed, as it will be."""

    width: int = 80  # of a terminal
    color: bool = False  # of a terminal
    markdown: bool = False
    parts: List[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def line(self, text: str = "") -> None:
        """A line as it is."""
        self.parts.append(text + "\n")

    def wrap(self, text: str, indent: int = 4) -> None:
        """Words in lines, all indented, but the first by 2 less. In Markdown an element of a list."""
        if self.markdown:
            self.line("- " + escaped(text))
            return
        width, used = min(self.width, PROSE), max(indent - 2, 0)
        self.parts.append(" " * used)
        for i, word in enumerate(word for word in re.split("[ \n]+", text) if word):
            if i > 0 and used + 1 + len(word) > width:
                self.parts.append("\n" + " " * indent)
                used = indent
            elif i > 0:
                self.parts.append(" ")
                used += 1
            while used + len(word) > width > indent:  # a word that is longer than a line
                room = width - used
                part = max(word.rfind(",", 0, room), word.rfind("/", 0, room)) + 1 or room
                self.parts.append(word[:part] + "\n" + " " * indent)
                word, used = word[part:], indent
            self.parts.append(word)
            used += len(word)
        self.line()

    def heading(self, level: int, text: str) -> None:
        """Of level 1 or more: bold where there are colours, in Markdown two levels lower."""
        if self.markdown:
            self.line("#" * min(level + 2, 6) + " " + escaped(text) + "\n")
            return
        self.parts.append(_BOLD if self.color else "")
        self.wrap(text, 2)
        self.parts.append(_PLAIN if self.color else "")

    def paragraph(self, bold: str, text: str) -> None:
        """One that begins with some words in bold, which may be ""."""
        if self.markdown:
            self.line((f"**{bold}** " if bold else "") + escaped(text) + "\n")
            return
        begin = f"{_BOLD}{bold}{_PLAIN}" if bold and self.color else bold
        self.wrap(f"{begin} {text}" if bold else text)

    def code(self, bold: str, text: str) -> None:
        """The same with a text that is code."""
        if self.markdown and "`" not in text:
            self.line(f"**{bold}** `{text}`\n")
        else:
            self.paragraph(bold, text)

    def command(self, text: str) -> None:
        """A command, to be copied."""
        if self.markdown:
            self.line(f"\n```sh\n{text}\n```")
        else:
            self.wrap(f"$ {text}")

    def table(self, table: Table) -> None:
        """The table, unless it has no rows."""
        if not table.rows:
            return
        widths = table.widths()
        if self.markdown:
            self._put_markdown(table, widths)
            return
        self._make_fit(table, widths)
        self._put_row(table, [Name(c.title, 0) for c in table.columns], widths, False)
        for row in table.rows:
            self._put_row(table, row, widths, self.color)

    def _make_fit(self, table: Table, widths: List[int]) -> None:
        """Leaves columns out until the rest fits; then makes texts narrower, names, and last of all
        numbers, each from the right."""

        def over() -> int:
            return sum(width + GAP for width in widths if width > 0) - self.width

        titles = [column.title for column in table.columns]
        for title in table.give:
            if over() > 0:
                widths[titles.index(title)] = 0
        by_patience = [(c.right, not c.wraps, -i) for i, c in enumerate(table.columns)]
        for i in (-place for _, _, place in sorted(by_patience)):
            if over() > 0:
                widths[i] = max(widths[i] - over(), min(widths[i], table.least_width(i)))

    def _put_row(self, table: Table, row: Sequence[Name], widths: List[int], color: bool) -> None:
        shown = [i for i, width in enumerate(widths) if width > 0]
        lines = {
            i: wrapped(row[i].text, widths[i]) if table.columns[i].wraps else [row[i].text]
            for i in shown
        }
        for k in range(max(map(len, lines.values()), default=0)):
            line = ""
            for i in shown:
                whole = lines[i][k] if k < len(lines[i]) else ""
                text = fit_middle(whole, widths[i])
                blank = " " * (widths[i] - len(text))
                if color and table.columns[i].name and text:
                    # In a shortened cell the end of the name is not known.
                    name = row[i].length if text == whole else len(text)
                    text = f"{_BOLD}{text[:name]}{_PLAIN}{text[name:]}"
                line += " " * GAP + (blank + text if table.columns[i].right else text + blank)
            self.line(line.rstrip(" "))

    def _put_markdown(self, table: Table, widths: Sequence[int]) -> None:
        shown = [i for i, width in enumerate(widths) if width > 0]
        self.line("|" + "".join(f" {escaped(table.columns[i].title)} |" for i in shown))
        self.line("|" + "".join(" ---: |" if table.columns[i].right else " --- |" for i in shown))
        for row in table.rows:
            self.line("|" + "".join(f" {self._cell(table.columns[i], row[i])} |" for i in shown))

    @staticmethod
    def _cell(column: Column, cell: Name) -> str:
        """The cell in Markdown."""
        if not column.name or not cell.length or re.search("[`|]", cell.text):
            return escaped(cell.text)
        return f"`{cell.text[:cell.length]}`{escaped(cell.text[cell.length:])}"
