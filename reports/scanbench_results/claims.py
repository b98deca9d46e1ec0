"""Whether what recipes claim holds in files of results.

A formula is judged once, or once for each value of its loops. What it compares has an interval if
each time on the left can be divided by one of the same rounds (ratio.py), or stands alone with an
interval of its own; several such ratios add up in quadrature. It holds if the whole interval is on
the right side of the limit, does not hold if the whole interval is on the other side, and cannot be
told otherwise.

A loop holds if all its values hold. It does not hold if one of them does not, certainly: by Holm's
rule (verdict.py), since of 40 values that hold one will seem not to. So it is with the formulas of
a claim.

A recipe of the name of a CSV is about that one alone: figure_a.recipe about figure_a.csv, if it is
among the files. Another recipe is about all of them.
"""

from __future__ import annotations

import enum
import fnmatch
import functools
import math
import operator
import os
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

from . import verdict
from .formula import PLUGIN, Formula, Selector, whole_number
from .ratio import NO_ROUNDS, Ratio, inverse, ratio_of
from .recipe import Claim, Expectation, Recipe
from .report import Report
from .rows import Row, is_in_place
from .text import number_text

GLOB = "*?["

COLUMNS = "plugin block vt op kind dtype cache device backend role phase kinds".split()
"""Those that a condition or a loop can name, beside n, in_place and the settings of `params`."""


class Judgement(enum.Enum):
    HOLDS = "holds"
    FAILS = "does not hold here"
    UNKNOWN = "cannot be told"
    UNMEASURED = "was not measured"  # the file has no rows for it


@dataclass
class JudgedValue:
    """A formula at one value of its loops."""

    where: str  # "n=1e6, block=256"; "" without loops
    rows: List[Row]  # of each selector
    tied: List[int]  # how many others cannot be told from the best
    ratio: Ratio  # of all that is on the left
    judgement: Judgement = Judgement.UNKNOWN
    by_medians: Judgement = Judgement.UNKNOWN  # HOLDS or FAILS
    is_uncertain: bool = False  # it would fail, but not certainly among so many

    @property
    def doubt(self) -> str:
        """Why it cannot be told, or ""."""
        if self.judgement != Judgement.UNKNOWN:
            return ""
        if not self.ratio.has_interval:
            return self.ratio.doubt
        return verdict.FOR_FAMILY if self.is_uncertain else "the interval holds the limit"


@dataclass
class JudgedExpectation:
    expectation: Expectation
    values: List[JudgedValue] = field(default_factory=list)  # by their loops
    left_out: int = 0  # values of the loops at which not all selectors have rows
    problem: str = ""  # why nothing can be told, if it is not noise
    judgement: Judgement = Judgement.UNMEASURED


@dataclass
class JudgedClaim:
    claim: Claim
    file: int  # which of Report.files
    expectations: List[JudgedExpectation] = field(default_factory=list)
    judgement: Judgement = Judgement.UNMEASURED
    by_medians: Judgement = Judgement.UNKNOWN  # HOLDS or FAILS for want of intervals alone


@dataclass
class JudgedRecipe:
    recipe: Recipe
    of_file: List[List[JudgedClaim]]  # its claims in each file; [] where it is not about that file

    def claim(self, file: int, number: int) -> Optional[JudgedClaim]:
        """A claim in a file; None if it was not measured there."""
        judged = self.of_file[file][number] if self.of_file[file] else None
        return judged if judged and judged.judgement != Judgement.UNMEASURED else None

    @property
    def files(self) -> List[int]:
        """The files in which any of its claims was measured."""
        numbers = range(len(self.recipe.claims))
        return [i for i in range(len(self.of_file)) if any(self.claim(i, k) for k in numbers)]


# --- which rows a selector means


def value_of(row: Row, name: str) -> str:
    """What a row has under a name: "1000000" of n, "1" of pad; "" if it has no such column."""
    if name == "n":
        return str(row.n)
    if name == "in_place":
        return "1" if is_in_place(row) else "0"
    if name in COLUMNS:
        return str(getattr(row, name))
    settings = (setting.partition("=") for setting in row.params.split(";"))
    return next((value for key, equals, value in settings if equals and key == name), "")


@functools.lru_cache(maxsize=1 << 16)
def agrees(value: str, wanted: str) -> bool:
    """Does a value match what a condition says: as a text, a number or a glob?"""
    if value == wanted:
        return True
    number = whole_number(value)
    if number is not None and whole_number(wanted) is not None:
        return number == whole_number(wanted)
    try:
        return fnmatch.fnmatchcase(value, wanted.replace("[^", "[!"))
    except re.error:  # a range whose end comes before its beginning
        return False


def _is_asked_for(selector: Selector, column: str) -> bool:
    """Is the column named, or a plugin? Copies compete only then, and what is in place."""
    return any(
        not c.negated and (c.name == column or (c.name == PLUGIN and not set(c.value) & set(GLOB)))
        for c in selector.conditions
    )


def _select(report: Report, file: int, selector: Selector) -> List[Row]:
    """The rows that meet all conditions, in the phase that the selector names, by size."""
    named = [c.value for c in selector.conditions if c.name == "phase" and not c.negated]
    phase = named[0] if named else "run"
    conditions = [c for c in selector.conditions if c.name != "phase"]
    copies, in_place = _is_asked_for(selector, "role"), _is_asked_for(selector, "in_place")
    rows = (c.phases.get(phase) for c in report.configurations if c.file == file)
    chosen = [
        row
        for row in rows
        if row
        and (copies or row.role != "ceiling")
        and (in_place or not is_in_place(row))
        and all(_meets(row, c.name, c.value, c.negated) for c in conditions)
    ]
    return sorted(chosen, key=lambda row: row.n)


def _meets(row: Row, name: str, wanted: str, negated: bool) -> bool:
    value = value_of(row, name)
    return value != "" and agrees(value, wanted) != negated


# --- what loops stand for

Values = Tuple[str, ...]


def _order(values: Values) -> List[object]:
    """Sorts numbers within texts by their size: block=64 before block=128."""
    parts = (re.findall(r"(\d+)|(.)", value, re.DOTALL) for value in values)
    return [[(48, int(digits)) if digits else (ord(c), 0) for digits, c in p] for p in parts]


class Loops:
    """What the loops of a formula stand for in a file, and which rows belong to each value."""

    def __init__(self, report: Report, file: int, formula: Formula) -> None:
        self.formula = formula
        found = [_select(report, file, selector) for selector in formula.selectors]
        self.is_measured = all(found)
        self.values: List[Values] = []  # each once, in order; without loops one of nothing
        self._rows: List[Dict[Values, List[Tuple[int, Row]]]] = []
        # The loops that a selector follows: it has no condition of that name itself.
        owns = [{condition.name for condition in s.conditions} for s in formula.selectors]
        self._bound = [[name for name in formula.loops if name not in own] for own in owns]
        every: Dict[Values, None] = {}
        for rows, bound in zip(found, self._bound):
            by_values: Dict[Values, List[Tuple[int, Row]]] = {}
            for i, row in enumerate(rows):
                values = tuple(value_of(row, name) for name in bound)
                by_values.setdefault(values, []).append((i, row))
                if len(bound) == len(formula.loops) and all(values) and row.n >= formula.from_n:
                    every[values] = None
            self._rows.append(by_values)
        self.values = sorted(every, key=lambda v: (_order(v), v))

    def rows(self, selector: int, values: Values) -> List[Row]:
        """The rows of a selector that have these values. A row that lacks a column has any."""
        of_name = dict(zip(self.formula.loops, values))
        keys: List[Values] = [()]
        for name in self._bound[selector]:
            keys = [key + (value,) for key in keys for value in {of_name[name], ""}]
        found = [pair for key in keys for pair in self._rows[selector].get(key, ())]
        return [row for _, row in sorted(found, key=lambda pair: pair[0])]

    def describe(self, values: Values) -> str:
        """ "n=1e6, block=256"; "" without loops."""
        pairs = zip(self.formula.loops, values)
        return ", ".join(f"{k}={number_text(int(v)) if k == 'n' else v}" for k, v in pairs)


# --- the formula at one value of its loops


class _NotOne(Exception):
    """A selector does not mean one row: why."""


def _other_problem(a: Row, b: Row) -> str:
    """The first property in which two rows are no rivals; "" if they are."""
    if a.n != b.n or a.dtype != b.dtype:
        return "n" if a.n != b.n else "dtype"
    if a.op and b.op and a.op != b.op:
        return "op"
    if a.kinds and b.kinds and a.kinds != b.kinds:
        return "kind" if a.kind != b.kind else "kinds"
    return "cache" if a.cache != b.cache else ""


def _choose(selector: Selector, rows: Sequence[Row]) -> Optional[Row]:
    """The row that a selector means; None if there is none. Raises _NotOne."""
    best: Optional[Row] = None
    for row in rows:
        other = _other_problem(best, row) if best else ""
        if other:
            raise _NotOne(
                f"{selector.text} means rows of more than one {other}; "
                f'name it, or write "for each {other}: ..."'
            )
        if best is None or row.median_ns < best.median_ns:
            best = row
    if len(rows) > 1 and not selector.is_best:
        raise _NotOne(f"{selector.text} means {len(rows)} rows; name a setting, or write best(...)")
    return best


def _count_tied(rows: Sequence[Row], best: Row, sequential: bool) -> int:
    """How many others cannot be told from the best."""
    ratios = (ratio_of(row, best, sequential) for row in rows if row is not best)
    return sum(ratio.has_interval and not verdict.is_slower(ratio) for ratio in ratios)


def _alone(row: Row, divides: bool) -> Ratio:
    """A time of its own: its interval holds within this run."""
    ratio = Ratio(ratio=row.median_ns, doubt=NO_ROUNDS)
    if row.absolute:
        lo, hi = math.exp(row.absolute.lo), math.exp(row.absolute.hi)
        ratio = Ratio(ratio=row.median_ns, lo=lo, hi=hi, has_interval=True)
    return inverse(ratio) if divides else ratio


def _factors(formula: Formula, rows: Sequence[Row], sequential: bool) -> List[Ratio]:
    """The ratios whose product is on the left. Each time above the line is divided by one below: by
    one of the same rounds if there is one."""
    below = [row for row, s in zip(rows, formula.selectors) if s.divides]
    factors = []
    for row in (row for row, s in zip(rows, formula.selectors) if not s.divides):
        ratios = [ratio_of(row, under, sequential) for under in below]
        if ratios:
            k = next((i for i, ratio in enumerate(ratios) if ratio.has_interval), 0)
            factors.append(ratios[k])
            del below[k]
        else:
            factors.append(_alone(row, False))
    return factors + [_alone(row, True) for row in below]


def _product(factors: Sequence[Ratio]) -> Ratio:
    """The product, whose interval is that of a sum of independent logarithms."""
    if len(factors) == 1:
        return factors[0]
    parts = [verdict.estimate_of(ratio.ratio, ratio.lo, ratio.hi) for ratio in factors]
    known = [part for part in parts if part]
    if len(known) == len(factors):
        return verdict.as_ratio(verdict.total(known))
    doubts = [ratio.doubt for ratio, part in zip(factors, parts) if not part]
    return Ratio(ratio=math.prod(ratio.ratio for ratio in factors), doubt=doubts[-1])


_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def _meets_limit(formula: Formula, value: float) -> bool:
    return bool(_COMPARE[formula.compare](value, formula.limit))


def _judge_ratio(formula: Formula, ratio: Ratio) -> Judgement:
    if not ratio.has_interval:
        return Judgement.UNKNOWN
    near, far = (ratio.lo, ratio.hi) if formula.compare[0] == "<" else (ratio.hi, ratio.lo)
    if _meets_limit(formula, far):
        return Judgement.HOLDS
    return Judgement.UNKNOWN if _meets_limit(formula, near) else Judgement.FAILS


def _judge_value(loops: Loops, values: Values, sequential: bool) -> Optional[JudgedValue]:
    """None if a selector has no row there. Raises _NotOne."""
    formula, chosen, tied = loops.formula, [], []
    for i, selector in enumerate(formula.selectors):
        rows = loops.rows(i, values)
        row = _choose(selector, rows)
        if row is None:
            return None
        chosen.append(row)
        tied.append(_count_tied(rows, row, sequential))
    ratio = _product(_factors(formula, chosen, sequential))
    judged = JudgedValue(loops.describe(values), chosen, tied, ratio)
    judged.judgement = _judge_ratio(formula, ratio)
    holds = _meets_limit(formula, ratio.ratio)
    judged.by_medians = Judgement.HOLDS if holds else Judgement.FAILS
    return judged


# --- claims


def _p_of(formula: Formula, ratio: Ratio) -> float:
    """Of a value that fails, two-sided."""
    estimate = verdict.estimate_of(ratio.ratio, ratio.lo, ratio.hi)
    return verdict.two_sided(estimate, math.log(formula.limit)) if estimate else 1.0


def _correct(formula: Formula, values: Sequence[JudgedValue]) -> None:
    """Of many values some fail by chance."""
    family = []
    for value in values:
        outcome = verdict.Outcome(has_interval=value.ratio.has_interval, p=1.0)
        if value.judgement == Judgement.FAILS:
            outcome.verdict, outcome.p = verdict.SLOWER, _p_of(formula, value.ratio)
        family.append(outcome)
    verdict.holm(family)
    for value, outcome in zip(values, family):
        if value.judgement == Judgement.FAILS and outcome.verdict != verdict.SLOWER:
            value.judgement, value.is_uncertain = Judgement.UNKNOWN, True


def _together(judgements: Sequence[Judgement]) -> Judgement:
    """All have to hold."""
    for one in (Judgement.FAILS, Judgement.UNKNOWN):
        if one in judgements:
            return one
    return judgements[0] if len(set(judgements)) == 1 else Judgement.UNKNOWN


def _judge_expectation(report: Report, file: int, expectation: Expectation) -> JudgedExpectation:
    judged = JudgedExpectation(expectation)
    loops = Loops(report, file, expectation.formula)
    if not loops.is_measured:
        return judged
    for values in loops.values:
        try:
            value = _judge_value(loops, values, report.files[file].info.sequential)
        except _NotOne as problem:
            judged.problem, value = judged.problem or str(problem), None
        if value:
            judged.values.append(value)
        judged.left_out += value is None
    _correct(expectation.formula, judged.values)
    if judged.values:
        judged.judgement = _together([value.judgement for value in judged.values])
    if judged.problem and judged.judgement != Judgement.FAILS:
        judged.judgement = Judgement.UNKNOWN
    return judged


def _by_medians(expectations: Sequence[JudgedExpectation]) -> Judgement:
    """What the medians say where there are no intervals; UNKNOWN if that is not the reason."""
    values = [value for e in expectations for value in e.values]
    if any(e.problem or not e.values for e in expectations):
        return Judgement.UNKNOWN
    if any(value.ratio.has_interval for value in values):
        return Judgement.UNKNOWN
    return _together([value.by_medians for value in values])


def _judge_claim(report: Report, file: int, claim: Claim) -> JudgedClaim:
    expectations = [_judge_expectation(report, file, e) for e in claim.expectations]
    judged = JudgedClaim(claim, file, expectations, _together([e.judgement for e in expectations]))
    if judged.judgement == Judgement.UNKNOWN:
        judged.by_medians = _by_medians(expectations)
    return judged


def judge(report: Report, recipes: Sequence[Recipe]) -> List[JudgedRecipe]:
    """The claims of all recipes, in the files that they are about."""
    names = [os.path.basename(file.results.path) for file in report.files]
    judged = []
    for recipe in recipes:
        name, ending = os.path.splitext(os.path.basename(recipe.path))
        alike = [i for i, of in enumerate(names) if ending == ".recipe" and of == f"{name}.csv"]
        about = alike or range(len(names))
        of_file = [
            [_judge_claim(report, i, claim) for claim in recipe.claims] if i in about else []
            for i in range(len(names))
        ]
        judged.append(JudgedRecipe(recipe, of_file))
    return judged
