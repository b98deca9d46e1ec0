"""What a claim expects of the rows of a file.

    formula   = [ loop { "," loop } ":" ] product compare product
    loop      = "for" "each" name { "," name } | "from" "n" "=" size ( "on" | "to" size )
    compare   = "<" | "<=" | ">" | ">="
    product   = factor { ( "*" | "/" ) factor }
    factor    = number [ "ns" | "us" | "ms" | "s" ] | selector | "(" product ")"
    selector  = ( "median" | "best" ) "(" [ condition { "," condition } ] ")"
    condition = plugin | name ( "=" | "!=" ) value

    median(cuda_blelloch, n=123123123) / median(cuda_blelloch_bca, n=123123123) > 1
    from n = 1e6 on: best(mine) / best(cuda_cub) < 1.03
    for each op, block: median(opencl_blelloch, pad=1) < median(opencl_blelloch, pad=0)

A condition names a plugin (or a glob, as opencl_*), or a column and its value, or a setting of
`params`. A value is a word or a glob; numbers are written as for --sizes. median() means the one
row that matches, best() the fastest of those that do. The name of a loop stands for each of its
values, except where a selector has a condition of that name.

Numbers in a product are moved to the right, medians to the left: value compare limit.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import NoReturn, Optional

from .csv_table import ResultError

WORD_MOST = 63
CONDITIONS_MOST = 80
SELECTORS_MOST = 8
NUMBERS_MOST = 100
LOOPS_MOST = 4
DEPTH_MOST = 8
"""Of parentheses."""

UNITS_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
PLUGIN = "plugin"
"""The name of a condition that is a plugin alone."""

_TYPES = "i32 u32 i64 u64 f32 f64 u32x2 f32x2 i8 u8 i16 u16 f16 bf16".split()

KNOWN_VALUES = {
    "dtype": _TYPES,
    "result": _TYPES,
    "op": "sum max min affine".split(),
    "kind": "exclusive inclusive".split(),
    "role": "algorithm baseline peer ceiling mock".split(),
}
"""Columns that have one of few values, in the order of scan_plugin.h."""

GLOB = "*?["
"""What a value has that is a pattern of values."""

_WORD = r"[A-Za-z0-9_\-.+^*?\[\]:]+"
_REAL = r"(\d+\.?\d*|\.\d+)([eE]\+?\d+)?"
_WHOLE = r"(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d{1,3}))?(|[kMG]|[KMG]i)"
_POWER = r"(\d+)\^(\d{1,2})"
_SCALES = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
}


@dataclass(frozen=True)
class Condition:
    name: str
    value: str
    negated: bool


@dataclass(frozen=True)
class Selector:
    """The rows that one median(...) or best(...) means."""

    is_best: bool
    divides: bool  # it is below the line
    conditions: tuple[Condition, ...]
    text: str  # as it is written


@dataclass
class Formula:
    """The product of the selectors, compared with a limit in ns, or without a unit."""

    loops: list[str] = field(default_factory=list)
    from_n: int = 0
    to_n: float = math.inf
    selectors: list[Selector] = field(default_factory=list)  # at least 1
    compare: str = ""
    limit: float = 1.0

    @property
    def is_time(self) -> bool:
        """Is it a time: one more selector above the line than below?"""
        return sum(-1 if s.divides else 1 for s in self.selectors) == 1


@dataclass
class Source:
    """A part of a text, which knows where in its file it begins."""

    name: str  # of the file
    text: str  # of the whole file
    begin: int
    end: int

    def place(self, at: int) -> str:
        """ "FILE, line 3, column 9": of bytes, as in the file."""
        before = self.text[:at]
        column = before[before.rfind("\n") + 1 :].encode("utf-8", "surrogateescape")
        return f"{self.name}, line {before.count(chr(10)) + 1}, column {len(column) + 1}"

    def refuse(self, at: int, what: str) -> NoReturn:
        raise ResultError(f"{self.place(at)}: {what}")


def whole_number(text: str) -> Optional[int]:
    """The number that a text means as --sizes writes them, "1e6", "64Ki", "2^20"; else None."""
    if len(text) > WORD_MOST:
        return None
    power, whole = re.fullmatch(_POWER, text), re.fullmatch(_WHOLE, text)
    if power:
        value = int(power[1]) ** int(power[2])
        return value if int(power[1]) >= 2 and value < 2**63 else None
    if not whole:
        return None
    minus, digits, decimals, exponent, suffix = whole.groups(default="")
    value = int(digits + decimals) * _SCALES[suffix] * 10 ** int(exponent or 0)
    value, rest = divmod(value, 10 ** len(decimals))
    value = -value if minus else value
    return value if rest == 0 and -(2**63) <= value < 2**63 else None


def _keyword(words: str) -> str:
    """The pattern of one of these words, "for|from", and not of the beginning of a longer one."""
    return f"(?:{words})(?![a-z])"


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = source.begin
        self.formula = Formula()
        self.numbers = 0

    def refuse(self, at: int, expected: str) -> NoReturn:
        """Raises the error that names what stands there."""
        here = re.compile(_WORD).match(self.source.text, at, self.source.end)
        found = here[0][:40] if here else self.source.text[at : at + 1]
        found = f'"{found}"' if at < self.source.end else "the end of the formula"
        self.source.refuse(at, f"found {found}; {expected}")

    def take(self, pattern: str, expected: str = "") -> str:
        """The text of the pattern behind blanks; `at` is behind it then. If it is not there, "", or the
        error that says what is expected."""
        blanks = re.compile(r"[ \t\n\v\f\r]*").match(self.source.text, self.at, self.source.end)
        self.at = blanks.end() if blanks else self.at
        found = re.compile(pattern).match(self.source.text, self.at, self.source.end)
        if found and len(found[0]) > WORD_MOST:
            self.refuse(self.at, f"a word has at most {WORD_MOST} characters")
        if expected and not found:
            self.refuse(self.at, expected)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def read(self) -> Formula:
        self.take("")
        begin, formula = self.at, self.formula
        self.read_loops()
        self.read_product(False, False, 0)
        formula.compare = self.take("[<>]=?", "expected one of * / < <= > >=")
        self.read_product(False, True, 0)
        self.take(r"\Z", "expected the end of the formula")
        if not formula.selectors:
            self.refuse(begin, "a formula needs a time: median(...) or best(...)")
        if not 0 < formula.limit < math.inf:
            self.refuse(begin, "its numbers are too large or too small")
        return formula

    def read_loops(self) -> None:
        """Reads the loops before the colon, if there are any."""
        loop = self.take(_keyword("from|for"))
        if not loop:
            return
        while True:
            if loop == "from":
                self.read_from()
            else:
                if loop:
                    self.take(_keyword("each"), 'expected "each"; write "for each n: ..."')
                word = self.take("[a-z_]+", 'expected a name, as in "for each n: ..."')
                if len(self.formula.loops) == LOOPS_MOST:
                    self.refuse(self.at - len(word), f"there are at most {LOOPS_MOST} names")
                self.formula.loops.append(word)
            if not self.take(","):
                break
            loop = self.take(_keyword("from|for"))
        self.take(":", 'expected ":" behind the loop, as in "for each n: ..."')

    def read_from(self) -> None:
        formula, write = self.formula, '; write "from n = 1e6 on: ..."'
        self.take(_keyword("n"), f'expected "n"{write}')
        self.take("=", f'expected "="{write}')
        formula.from_n = self.read_size(0)
        if self.take(_keyword("to")):
            formula.to_n = self.read_size(formula.from_n)
        else:
            self.take(_keyword("on"), f'expected "on"{write}, or "from n = 1e3 to 1e6: ..."')
        if "n" not in formula.loops and len(formula.loops) < LOOPS_MOST:
            formula.loops.append("n")

    def read_size(self, least: int) -> int:
        text = self.take("[0-9.eE+^kMGi]+")
        size = whole_number(text)
        if size is None or size < least:
            above = f" of {least} or more" if least else ""
            self.refuse(
                self.at - len(text), f"expected a number of elements{above}, as 1e6 or 2^20"
            )
        return size

    def read_product(self, below: bool, is_right: bool, depth: int) -> None:
        """Reads factors between * and /. `below`: it divides, on its side of the comparison."""
        divides = below
        while True:
            if self.take(r"\("):
                if depth == DEPTH_MOST:
                    self.refuse(self.at - 1, f"parentheses are at most {DEPTH_MOST} deep")
                self.read_product(divides, is_right, depth + 1)
                self.take(r"\)", 'expected ")"')
            else:
                self.read_factor(divides, is_right)
            operator = self.take("[*/]")
            if not operator:
                return
            divides = below != (operator == "/")

    def read_factor(self, divides: bool, is_right: bool) -> None:
        """Reads a selector, which moves to the left, or a number, which moves to the right."""
        word = self.take(_keyword("median|best"))
        if not word:
            value = self.read_number()
            self.formula.limit *= 1 / value if divides == is_right else value
            return
        begin = self.at - len(word)
        if len(self.formula.selectors) == SELECTORS_MOST:
            self.refuse(begin, f"there are at most {SELECTORS_MOST} times in a formula")
        self.take(r"\(", 'expected "(", as in median(cuda_cub, n=1e6)')
        conditions: list[Condition] = []
        while not self.take(r"\)"):
            if conditions:
                self.take(",", 'expected "," or ")"')
            conditions.append(self.read_condition(len(conditions)))
        text = " ".join(self.source.text[begin : self.at].split())
        selector = Selector(word == "best", divides != is_right, tuple(conditions), text)
        self.formula.selectors.append(selector)

    def read_condition(self, earlier: int) -> Condition:
        """Reads one condition; `earlier`: how many the selector has already."""
        word = self.take(_WORD, "expected a plugin or a condition, as block=256")
        if earlier == CONDITIONS_MOST:
            self.refuse(self.at - len(word), f"there are at most {CONDITIONS_MOST} conditions")
        negated = self.take("!") != ""
        if not self.take("=", 'expected "=" behind "!", as in block!=256' if negated else ""):
            return Condition(PLUGIN, word, False)
        value = self.take(_WORD, "expected a value, as in block=256")
        known = KNOWN_VALUES.get(word)
        if known and value not in known and not set(value) & set(GLOB):
            self.refuse(self.at - len(value), f"{word} is one of {' '.join(known)}")
        return Condition(word, value, negated)

    def read_number(self) -> float:
        """Reads a number; one with a unit is in ns."""
        word = self.take("[0-9.][0-9.eE+]*", "expected median(...), best(...) or a number")
        begin = self.at - len(word)
        if self.numbers == NUMBERS_MOST:
            self.refuse(begin, f"there are at most {NUMBERS_MOST} numbers in a formula")
        value = float(word) if re.fullmatch(_REAL, word) else 0.0
        if not 0 < value < math.inf:
            self.refuse(begin, "expected a number above 0, as 1.5 or 1e6")
        self.numbers += 1
        return value * UNITS_NS.get(self.take(_keyword("|".join(UNITS_NS))), 1.0)


def parse_formula(source: Source) -> Formula:
    """Reads a formula; ends of line count as blanks.

    Raises ResultError, which names line and column and says what to write.
    """
    return _Reader(source).read()
