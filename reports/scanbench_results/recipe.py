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

from .csv_table import ResultError, read_file
from .formula import Formula, Source, parse_formula
from .text import clean

BYTES_MOST = 1 << 20
"""Of a file."""

KEYWORDS = ("title", "measure", "source", "claim", "expect")
_TWICE = {
    "title": "there is a title already",
    "measure": 'there is a line "measure" already',
    "source": "there is a source already",
}
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


def _line_of(source: Source, keyword: int) -> str:
    """The text of an entry in one line."""
    line = re.sub("[ \t\r\n]+", " ", source.text[source.begin : source.end]).strip(" ")
    if not line:
        source.refuse(keyword, "a text is missing behind the keyword")
    if re.search("[\udc80-\udcff]", line):
        source.refuse(keyword, "the text is not UTF-8")
    return clean(line)


def _take_entry(recipe: Recipe, word: str, source: Source, keyword: int) -> None:
    """Takes an entry: its word, the text behind it, and where the word begins."""
    last = recipe.claims[-1] if recipe.claims else None
    of = last if last and word == "source" else recipe
    if word not in KEYWORDS:
        near = difflib.get_close_matches(word, KEYWORDS, 1)
        known = "write title, measure, source, claim or expect"
        meant = f"did you mean {near[0]}?" if near else known
        source.refuse(keyword, f'"{word[:60]}" is no keyword; {meant}')
    if word != "title" and not recipe.title:
        source.refuse(keyword, 'a line "title TEXT" comes first')
    if word in _TWICE and getattr(of, word):
        source.refuse(keyword, _TWICE[word])
    if word == "expect" and not last:
        source.refuse(keyword, '"expect" belongs below a line "claim"')
    if word == "claim" and last and not last.expectations:
        source.refuse(keyword, 'the claim before has no line "expect"')
    line = _line_of(source, keyword)
    if word in _TWICE:
        setattr(of, word, line)
    elif word == "claim":
        recipe.claims.append(Claim(line))
    elif last:
        last.expectations.append(Expectation(line, parse_formula(source)))


def parse_recipe(text: str, name: str) -> Recipe:
    """Reads a recipe; `name` is its path in messages. Raises ResultError, with line and column."""
    recipe, whole = Recipe(name), Source(name, text, 0, len(text))
    for found in _LINES.finditer(text):
        idle = found["idle"]
        if idle is None:
            source = Source(name, text, found.start("text"), found.end("text"))
            _take_entry(recipe, found["word"][:63], source, found.start())
        elif idle[:1] in (" ", "\t") and idle.lstrip(" \t\r")[:1] not in ("", "#"):
            lost = found.end() - len(idle.lstrip(" \t\r"))
            what = "nothing to go on with; a keyword begins its line"
            whole.refuse(lost, what)
    if recipe.claims and not recipe.claims[-1].expectations:
        whole.refuse(whole.end, 'the last claim has no line "expect"')
    if not recipe.claims:
        whole.refuse(whole.end, 'there is no line "claim"')
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
