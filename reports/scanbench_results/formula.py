"""What a claim expects of the rows of a file.

    formula   = [ loop { "," loop } ":" ] product compare product
    loop      = "for" "each" name { "," name } | "from" "n" "=" size "on"
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

The words of a formula are translated into an expression of Python, which `ast` parses; the formula
is read from its nodes, of which few kinds are allowed, and nothing is ever evaluated as code.
Numbers in a product are moved to the right, medians to the left: value compare limit.
"""

from __future__ import annotations

import ast
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

KNOWN_VALUES = {
    "dtype": "i32 u32 i64 u64 f32 f64 u32x2 f32x2".split(),
    "op": "sum max min affine".split(),
    "kind": "exclusive inclusive".split(),
    "role": "algorithm baseline peer ceiling mock".split(),
}
"""Columns that have one of few values, in the order of scan_plugin.h."""

_COMPARES: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_SPACE = re.compile(r"[ \t\n\v\f\r]*")
_WORD = re.compile(r"[A-Za-z0-9_\-.+^*?\[\]:]+")
_KEYWORD = re.compile(r"[a-z]+")
_LOOP_NAME = re.compile(r"[a-z_]+")
_SIZE = re.compile(r"[0-9.eE+^kMGi]+")
_NUMBER = re.compile(r"[0-9.eE+]+")
_REAL = re.compile(r"(\d+\.?\d*|\.\d+)([eE]\+?\d+)?")
_COMPARE = re.compile(r"[<>]=?")
_SCALES = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
}
_WHOLE = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d{1,3}))?(|k|M|G|Ki|Mi|Gi)")
_POWER = re.compile(r"(\d+)\^(\d{1,2})")


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
    from_n: int = 0  # 0: all
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


def whole_number(text: str) -> Optional[int]:
    """The number that a text means as --sizes writes them, "1e6", "64Ki", "2^20"; else None."""
    if len(text) > WORD_MOST:
        return None
    power, whole = _POWER.fullmatch(text), _WHOLE.fullmatch(text)
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


class _Translation:
    """Reads a formula, and refuses what does not belong there: its loops as they are, its comparison
    as the words of Python."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = source.begin
        self.formula = Formula()
        self.words: list[str] = []
        self.selectors: list[str] = []  # as they are written
        self.numbers = 0

    def refuse(self, at: int, expected: str) -> NoReturn:
        """Raises the error that names what stands there."""
        here = _WORD.match(self.source.text, at, self.source.end)
        found = here[0][:40] if here else self.source.text[at : at + 1]
        found = f'"{found}"' if at < self.source.end else "the end of the formula"
        raise ResultError(f"{self.source.place(at)}: found {found}; {expected}")

    def peek(self) -> str:
        """The next character that is not a blank; "" at the end."""
        blank = _SPACE.match(self.source.text, self.at, self.source.end)
        self.at = blank.end() if blank else self.at
        return self.source.text[self.at] if self.at < self.source.end else ""

    def take(self, pattern: re.Pattern[str]) -> str:
        """The text of the pattern, which is behind `at` then; "" if it is not there."""
        self.peek()
        found = pattern.match(self.source.text, self.at, self.source.end)
        if found and len(found[0]) > WORD_MOST:
            self.refuse(self.at, f"a word has at most {WORD_MOST} characters")
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def take_character(self, character: str) -> bool:
        found = self.peek() == character
        self.at += found
        return found

    def take_keyword(self, *keywords: str) -> str:
        """One of the keywords if it is there, else ""."""
        self.peek()
        begin = self.at
        word = self.take(_KEYWORD)
        if word in keywords:
            return word
        self.at = begin
        return ""

    def expect(self, good: object, expected: str) -> None:
        if not good:
            self.peek()
            self.refuse(self.at, expected)

    def read_loops(self) -> None:
        """Reads the loops before the colon, if there are any."""
        loop = self.take_keyword("from", "for")
        if not loop:
            return
        while True:
            if loop == "from":
                self.read_from()
            else:
                each = loop != "for" or self.take_keyword("each")
                self.expect(each, 'expected "each"; write "for each n: ..."')
                self.read_name()
            if not self.take_character(","):
                break
            loop = self.take_keyword("from", "for")
        end = self.take_character(":")
        self.expect(end, 'expected ":" behind the loop, as in "for each n: ..."')

    def read_name(self) -> None:
        word = self.take(_LOOP_NAME)
        self.expect(word, 'expected a name, as in "for each n: ..."')
        if len(self.formula.loops) == LOOPS_MOST:
            self.refuse(self.at - len(word), f"there are at most {LOOPS_MOST} names")
        self.formula.loops.append(word)

    def read_from(self) -> None:
        write = '; write "from n = 1e6 on: ..."'
        self.expect(self.take_keyword("n"), f'expected "n"{write}')
        self.expect(self.take_character("="), f'expected "="{write}')
        text = self.take(_SIZE)
        size = whole_number(text)
        if size is None:
            self.refuse(self.at - len(text), "expected a number of elements, as 1e6 or 2^20")
        self.formula.from_n = size
        self.expect(self.take_keyword("on"), f'expected "on"{write}')
        if "n" not in self.formula.loops and len(self.formula.loops) < LOOPS_MOST:
            self.formula.loops.append("n")

    def translate(self) -> str:
        """The comparison as an expression of Python, each condition a text or a comparison of
        two; raises ResultError at the first word that cannot be there."""
        depth, compared, wants_factor = 0, False, True
        while True:
            character = self.peek()
            if wants_factor:
                wants_factor = self.take_character("(")
                depth += wants_factor
                if depth > DEPTH_MOST:
                    self.refuse(self.at - 1, f"parentheses are at most {DEPTH_MOST} deep")
                if wants_factor:
                    self.words.append(character)
                else:
                    self.read_factor()
            elif character and character in "*/":
                self.at += 1
                self.words.append(character)
                wants_factor = True
            elif depth > 0:
                self.expect(self.take_character(")"), 'expected ")"')
                self.words.append(")")
                depth -= 1
            elif not compared:
                compare = self.take(_COMPARE)
                self.expect(compare, "expected one of * / < <= > >=")
                self.words.append(compare)
                compared = wants_factor = True
            else:
                self.expect(not character, "expected the end of the formula")
                return " ".join(self.words)

    def read_factor(self) -> None:
        """Reads a selector or a number."""
        begin = self.at
        word = self.take_keyword("median", "best")
        if not word:
            self.read_number()
            return
        if len(self.selectors) == SELECTORS_MOST:
            self.refuse(begin, f"there are at most {SELECTORS_MOST} times in a formula")
        self.expect(self.take_character("("), 'expected "(", as in median(cuda_cub, n=1e6)')
        self.words += [word, "("]
        for count in range(self.source.end):
            if self.take_character(")"):
                break
            if count > 0:
                self.expect(self.take_character(","), 'expected "," or ")"')
            self.read_condition(count)
            self.words.append(",")
        self.words.append(")")
        self.selectors.append(" ".join(self.source.text[begin : self.at].split()))

    def read_condition(self, earlier: int) -> None:
        """Reads one condition; `earlier`: how many the selector has already."""
        word = self.take(_WORD)
        self.expect(word, "expected a plugin or a condition, as block=256")
        if earlier == CONDITIONS_MOST:
            self.refuse(self.at - len(word), f"there are at most {CONDITIONS_MOST} conditions")
        self.words.append(repr(word))
        negated = self.take_character("!")
        if not self.take_character("="):
            self.expect(not negated, 'expected "=" behind "!", as in block!=256')
            return
        value = self.take(_WORD)
        self.expect(value, "expected a value, as in block=256")
        known = KNOWN_VALUES.get(word)
        if known and value not in known and not set(value) & set("*?["):
            self.refuse(self.at - len(value), f"{word} is one of {' '.join(known)}")
        self.words += ["!=" if negated else "==", repr(value)]

    def read_number(self) -> None:
        """Reads a number and its unit; one with a unit is in ns."""
        begin = self.at
        if not self.peek() or self.peek() not in "0123456789.":
            self.refuse(begin, "expected median(...), best(...) or a number")
        if self.numbers == NUMBERS_MOST:
            self.refuse(begin, f"there are at most {NUMBERS_MOST} numbers in a formula")
        word = self.take(_NUMBER)
        value = float(word) if _REAL.fullmatch(word) else 0.0
        if not 0 < value < math.inf:
            self.refuse(begin, "expected a number above 0, as 1.5 or 1e6")
        value *= UNITS_NS.get(self.take_keyword(*UNITS_NS), 1.0)
        self.words.append(repr(value).replace("inf", "1e999"))
        self.numbers += 1


class _Meaning:
    """Reads a formula from the nodes of its expression; no other nodes are allowed."""

    def __init__(self, formula: Formula, selectors: list[str]) -> None:
        self.formula = formula
        self.selectors = iter(selectors)

    def read(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Compare):
            raise ResultError(f"a formula is a comparison, not {type(node).__name__}")
        self.formula.compare = _COMPARES[type(node.ops[0])]
        self.read_product(node.left, False, False)
        self.read_product(node.comparators[0], False, True)

    def read_product(self, node: ast.expr, divides: bool, is_right: bool) -> None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            self.read_product(node.left, divides, is_right)
            self.read_product(node.right, divides != isinstance(node.op, ast.Div), is_right)
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            self.formula.limit *= 1 / node.value if divides == is_right else node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            is_best, conditions = node.func.id == "best", tuple(map(self.condition, node.args))
            selector = Selector(is_best, divides != is_right, conditions, next(self.selectors))
            self.formula.selectors.append(selector)
        else:
            raise ResultError(f"{type(node).__name__} is no part of a formula")

    def condition(self, node: ast.expr) -> Condition:
        if isinstance(node, ast.Constant):
            return Condition(PLUGIN, str(node.value), False)
        if isinstance(node, ast.Compare):
            name, value = node.left, node.comparators[0]
            if isinstance(name, ast.Constant) and isinstance(value, ast.Constant):
                negated = isinstance(node.ops[0], ast.NotEq)
                return Condition(str(name.value), str(value.value), negated)
        raise ResultError(f"{type(node).__name__} is no condition")


def parse_formula(source: Source) -> Formula:
    """Reads a formula; ends of line count as blanks.

    Raises ResultError, which names line and column and says what to write.
    """
    reader = _Translation(source)
    formula = reader.formula
    reader.peek()
    begin = reader.at
    reader.read_loops()
    expression = ast.parse(reader.translate(), mode="eval").body
    _Meaning(formula, reader.selectors).read(expression)
    if not formula.selectors:
        reader.refuse(begin, "a formula needs a time: median(...) or best(...)")
    if not 0 < formula.limit < math.inf:
        reader.refuse(begin, "its numbers are too large or too small")
    return formula
