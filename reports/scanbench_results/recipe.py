"""What to measure, and what somebody claims of it, as a text file.

    # a comment
    title   Padding
    measure --plugins cuda_blelloch,cuda_blelloch_bca --sizes 1e6..1e8
    source  Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007

    claim   Padding makes the tree faster at all sizes.
    source  their table 2
    expect  for each n: median(cuda_blelloch) / median(cuda_blelloch_bca) > 1

A line is a keyword and a text; a line that begins with a blank goes on with the one before.
`title` comes first; `measure` holds the arguments of scanbench, without --csv. Each `claim` has one
`expect` or several, formulas that have all to hold. A `source` before the first claim is that of
all.
"""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass, field
from typing import NoReturn

from .csv_table import ResultError, read_file
from .formula import Formula, Source, parse_formula
from .text import clean

BYTES_MOST = 1 << 20
"""Of a file."""

KEYWORDS = ("title", "measure", "source", "claim", "expect")
_LINES = re.compile(
    r"(?P<idle>[# \t\r].*|)$"  # a comment, blanks, or what goes on with nothing
    r"|(?P<word>[^ \t\r\n]+)(?P<text>.*(?:\n[ \t].*)*)$",
    re.MULTILINE,
)


@dataclass
class Expectation:
    text: str  # of the formula, in one line
    formula: Formula


@dataclass
class Claim:
    text: str
    source: str = ""
    expectations: list[Expectation] = field(default_factory=list)  # at least 1


@dataclass
class Recipe:
    path: str
    title: str = ""
    measure: str = ""
    source: str = ""
    claims: list[Claim] = field(default_factory=list)  # at least 1


class _Entry:
    """One entry of a recipe: a keyword, and the text behind it."""

    def __init__(self, source: Source, keyword: int) -> None:
        self.source = source
        self.keyword = keyword  # where it begins

    def refuse(self, what: str) -> NoReturn:
        raise ResultError(f"{self.source.place(self.keyword)}: {what}")

    def line(self, earlier: str = "", once: str = "") -> str:
        """The text in one line; `once` is what is wrong where it has one already."""
        if earlier:
            self.refuse(once)
        text = self.source.text[self.source.begin : self.source.end]
        line = re.sub("[ \t\r\n]+", " ", text).strip(" ")
        if not line:
            self.refuse("a text is missing behind the keyword")
        if re.search("[\udc80-\udcff]", line):
            self.refuse("the text is not UTF-8")
        return clean(line)


def _take_entry(entry: _Entry, word: str, recipe: Recipe) -> None:
    if word not in KEYWORDS:
        near = difflib.get_close_matches(word, KEYWORDS, 1)
        known = "write title, measure, source, claim or expect"
        meant = f"did you mean {near[0]}?" if near else known
        entry.refuse(f'"{word[:60]}" is no keyword; {meant}')
    if word != "title" and not recipe.title:
        entry.refuse('a line "title TEXT" comes first')
    last = recipe.claims[-1] if recipe.claims else None
    if word == "title":
        recipe.title = entry.line(recipe.title, "there is a title already")
    elif word == "measure":
        recipe.measure = entry.line(recipe.measure, 'there is a line "measure" already')
    elif word == "source":
        of = last or recipe
        of.source = entry.line(of.source, "there is a source already")
    elif word == "expect":
        if not last:
            entry.refuse('"expect" belongs below a line "claim"')
        last.expectations.append(Expectation(entry.line(), parse_formula(entry.source)))
    elif last and not last.expectations:
        entry.refuse('the claim before has no line "expect"')
    else:
        recipe.claims.append(Claim(entry.line()))


def parse_recipe(text: str, name: str) -> Recipe:
    """Reads a recipe; `name` is its path in messages. Raises ResultError, with line and column."""
    recipe = Recipe(name)
    for found in _LINES.finditer(text):
        idle = found["idle"]
        if idle is None:
            source = Source(name, text, found.start("text"), found.end("text"))
            _take_entry(_Entry(source, found.start()), found["word"][:63], recipe)
        elif idle[:1] in (" ", "\t") and idle.lstrip(" \t\r")[:1] not in ("", "#"):
            lost = found.end() - len(idle.lstrip(" \t\r"))
            _Entry(Source(name, text, lost, lost), lost).refuse(
                "nothing to go on with; a keyword begins its line"
            )
    behind = _Entry(Source(name, text, len(text), len(text)), len(text))
    if recipe.claims and not recipe.claims[-1].expectations:
        behind.refuse('the last claim has no line "expect"')
    if not recipe.claims:
        behind.refuse('there is no line "claim"')
    return recipe


def read_recipe(path: str) -> Recipe:
    """Reads the recipe of a file. Raises ResultError."""
    data = read_file(path, BYTES_MOST)
    if len(data) > BYTES_MOST or b"\0" in data:
        what = "longer than 1 MiB" if len(data) > BYTES_MOST else "not a text file"
        raise ResultError(f"{path} is not a recipe: it is {what}")
    return parse_recipe(data.decode("utf-8", "surrogateescape"), path)


def read_recipes(path: str) -> list[Recipe]:
    """The recipe of a file, or those of all *.recipe in a folder, in the order of their names."""
    if not os.path.isdir(path):
        return [read_recipe(path)]
    try:
        names = sorted(os.listdir(path), key=os.fsencode)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    paths = [f"{path}/{name}" for name in names if name.endswith(".recipe") and name != ".recipe"]
    if not paths:
        raise ResultError(f"{path}: no *.recipe in this folder")
    return [read_recipe(p) for p in paths]
