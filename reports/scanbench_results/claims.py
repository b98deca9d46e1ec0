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
import itertools
import math
import operator
import os
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

from . import verdict
from .formula import GLOB, PLUGIN, Formula, Selector, whole_number
from .ratio import NO_ROUNDS, Ratio, inverse, other_problem, ratio_of
from .recipe import Claim, Expectation, Recipe
from .report import Report
from .rows import Row
from .text import number_text

SIZES = ("n", "rows", "inner")
COLUMNS = (
    *SIZES,
    *"plugin block vt op kind dtype result cache device backend role phase kinds".split(),
)
"""Those that a condition or a loop can name, beside in_place and the settings of `params`. A setting
of the same name is `params.rows`."""


class Judgement(enum.Enum):
    HOLDS = "holds"
    FAILS = "does not hold here"
    UNKNOWN = "cannot be told"
    UNMEASURED = "was not measured"  # the file has no rows for it


def _together(judgements: Sequence[Judgement]) -> Judgement:
    """All have to hold."""
    for one in (Judgement.FAILS, Judgement.UNKNOWN):
        if one in judgements:
            return one
    return judgements[0] if len(set(judgements)) == 1 else Judgement.UNKNOWN


@dataclass
class JudgedValue:
    """A formula at one value of its loops."""

    where: str  # "n=1e6, block=256"; "" without loops
    rows: List[Row]  # of each selector
    tied: List[int]  # how many others cannot be told from the best
    ratio: Ratio  # of all that is on the left
    judgement: Judgement
    doubt: str  # why it cannot be told, or ""
    by_medians: Judgement  # HOLDS or FAILS


@dataclass
class JudgedExpectation:
    expectation: Expectation
    values: List[JudgedValue] = field(default_factory=list)  # by their loops
    left_out: int = 0  # values of the loops at which not all selectors have rows
    problem: str = ""  # why nothing can be told, if it is not noise

    @property
    def judgement(self) -> Judgement:
        judgement = Judgement.UNMEASURED
        if self.values:
            judgement = _together([value.judgement for value in self.values])
        is_open = self.problem and judgement != Judgement.FAILS
        return Judgement.UNKNOWN if is_open else judgement


@dataclass
class JudgedClaim:
    """A claim of a recipe in a file."""

    recipe: Recipe
    claim: Claim
    file: int  # which of Report.files
    expectations: List[JudgedExpectation]

    @property
    def judgement(self) -> Judgement:
        return _together([e.judgement for e in self.expectations])

    @property
    def is_measured(self) -> bool:
        return self.judgement != Judgement.UNMEASURED

    @property
    def by_medians(self) -> Judgement:
        """Of one that cannot be told for want of intervals alone: HOLDS or FAILS, else UNKNOWN."""
        values = [value for e in self.expectations for value in e.values]
        is_open = any(e.problem or not e.values for e in self.expectations)
        if is_open or self.judgement != Judgement.UNKNOWN:
            return Judgement.UNKNOWN
        if any(value.ratio.has_interval for value in values):
            return Judgement.UNKNOWN
        return _together([value.by_medians for value in values])


# --- which rows a selector means


def value_of(row: Row, name: str) -> str:
    """What a row has under a name: "1000000" of n, "1" of pad; "" if it has no such column."""
    if name == "in_place":
        return "1" if row.is_in_place else "0"
    if name in COLUMNS:
        return str(getattr(row, name))
    return row.settings.get(name.removeprefix("params."), "")


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


def _select(report: Report, file: int, selector: Selector, loops: Sequence[str]) -> List[Row]:
    """The rows that meet all conditions, in the phase that the selector names. Results are of the
    type of the input where neither a condition nor a loop is about them."""
    named = [c.value for c in selector.conditions if c.name == "phase" and not c.negated]
    phase = named[0] if named else "run"
    conditions = [c for c in selector.conditions if c.name != "phase"]
    copies, in_place = _is_asked_for(selector, "role"), _is_asked_for(selector, "in_place")
    wide = "result" in loops or any(c.name == "result" for c in conditions)
    rows = (run.phases.get(phase) for run in report.runs if run.file == file)
    return [
        row
        for row in rows
        if row
        and (copies or row.role != "ceiling")
        and (in_place or not row.is_in_place)
        and (wide or row.result == row.dtype)
        and all(_meets(row, c.name, c.value, c.negated) for c in conditions)
    ]


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
        found = [_select(report, file, s, formula.loops) for s in formula.selectors]
        self._rows: List[Dict[Values, List[Row]]] = []
        # The loops that a selector follows: it has no condition of that name itself.
        owns = [{condition.name for condition in s.conditions} for s in formula.selectors]
        self._bound = [[name for name in formula.loops if name not in own] for own in owns]
        every = set()
        for rows, bound in zip(found, self._bound):
            by_values: Dict[Values, List[Row]] = {}
            for row in rows:
                values = tuple(value_of(row, name) for name in bound)
                by_values.setdefault(values, []).append(row)
                is_in = formula.from_n <= row.n <= formula.to_n
                if len(bound) == len(formula.loops) and all(values) and is_in:
                    every.add(values)
            self._rows.append(by_values)
        self.values: List[Values] = (
            sorted(every, key=lambda v: (_order(v), v)) if all(found) else []
        )
        """Each once; without loops one of nothing. None where a selector has no row at all."""

    def rows(self, selector: int, values: Values) -> List[Row]:
        """The rows of a selector that have these values, by size. A row that lacks a column has any."""
        of_name = dict(zip(self.formula.loops, values))
        keys = itertools.product(*({of_name[name], ""} for name in self._bound[selector]))
        found = [row for key in keys for row in self._rows[selector].get(key, ())]
        return sorted(found, key=lambda row: (row.shape, row.number))

    def describe(self, values: Values) -> str:
        """ "n=1e6, block=256"; "" without loops."""
        pairs = zip(self.formula.loops, values)
        return ", ".join(f"{k}={number_text(int(v)) if k in SIZES else v}" for k, v in pairs)


# --- the formula at one value of its loops


class _NotOne(Exception):
    """A selector does not mean one row: why."""


def _choose(selector: Selector, rows: Sequence[Row]) -> Optional[Row]:
    """The row that a selector means; None if there is none. Raises _NotOne."""
    best: Optional[Row] = None
    for row in rows:
        other = other_problem(best, row) if best else ""
        if best and row.cache != best.cache:
            other = other or "cache"
        if other:
            of = {"rows": "number of rows"}.get(other, other)
            raise _NotOne(
                f"{selector.text} means rows of more than one {of}; "
                f'name it, or write "for each {other}: ..."'
            )
        if best is None or row.median_ns < best.median_ns:
            best = row
    if len(rows) > 1 and not selector.is_best:
        raise _NotOne(f"{selector.text} means {len(rows)} rows; name a setting, or write best(...)")
    return best


def _count_tied(rows: Sequence[Row], best: Row) -> int:
    """How many others cannot be told from the best."""
    ratios = (ratio_of(row, best) for row in rows if row is not best)
    return sum(ratio.has_interval and not verdict.is_slower(ratio) for ratio in ratios)


def _alone(row: Row, divides: bool) -> Ratio:
    """A time of its own: its interval holds within this run."""
    ratio = Ratio(ratio=row.median_ns, doubt=NO_ROUNDS)
    if row.absolute:
        lo, hi = math.exp(row.absolute.lo), math.exp(row.absolute.hi)
        ratio = Ratio(ratio=row.median_ns, lo=lo, hi=hi, has_interval=True)
    return inverse(ratio) if divides else ratio


def _factors(formula: Formula, rows: Sequence[Row]) -> List[Ratio]:
    """The ratios whose product is on the left. Each time above the line is divided by one below: by
    one of the same rounds if there is one."""
    below = [row for row, s in zip(rows, formula.selectors) if s.divides]
    factors = []
    for row in (row for row, s in zip(rows, formula.selectors) if not s.divides):
        ratios = [ratio_of(row, under) for under in below]
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


def _judge_ratio(formula: Formula, ratio: Ratio) -> Tuple[Judgement, str]:
    """With why it cannot be told, or ""."""
    if not ratio.has_interval:
        return Judgement.UNKNOWN, ratio.doubt
    near, far = (ratio.lo, ratio.hi) if formula.compare[0] == "<" else (ratio.hi, ratio.lo)
    if _meets_limit(formula, near) and not _meets_limit(formula, far):
        return Judgement.UNKNOWN, "the interval holds the limit"
    return Judgement.HOLDS if _meets_limit(formula, far) else Judgement.FAILS, ""


def _judge_value(loops: Loops, values: Values) -> Optional[JudgedValue]:
    """None if a selector has no row there. Raises _NotOne."""
    formula, chosen, tied = loops.formula, [], []
    for i, selector in enumerate(formula.selectors):
        rows = loops.rows(i, values)
        row = _choose(selector, rows)
        if row is None:
            return None
        chosen.append(row)
        tied.append(_count_tied(rows, row))
    ratio = _product(_factors(formula, chosen))
    by_medians = Judgement.HOLDS if _meets_limit(formula, ratio.ratio) else Judgement.FAILS
    judgement, doubt = _judge_ratio(formula, ratio)
    return JudgedValue(loops.describe(values), chosen, tied, ratio, judgement, doubt, by_medians)


# --- claims


def _p_of(formula: Formula, ratio: Ratio) -> float:
    """Of a value that fails, two-sided."""
    estimate = verdict.estimate_of(ratio.ratio, ratio.lo, ratio.hi)
    return verdict.two_sided(estimate, math.log(formula.limit)) if estimate else 1.0


def _correct(formula: Formula, values: Sequence[JudgedValue]) -> None:
    """Of many values some fail by chance."""
    known = [value for value in values if value.ratio.has_interval]
    ps = [_p_of(formula, v.ratio) if v.judgement is Judgement.FAILS else 1.0 for v in known]
    for value, is_certain in zip(known, verdict.certain(ps)):
        if value.judgement is Judgement.FAILS and not is_certain:
            value.judgement, value.doubt = Judgement.UNKNOWN, verdict.FOR_FAMILY


def _judge_expectation(report: Report, file: int, expectation: Expectation) -> JudgedExpectation:
    judged = JudgedExpectation(expectation)
    loops = Loops(report, file, expectation.formula)
    for values in loops.values:
        try:
            value = _judge_value(loops, values)
        except _NotOne as problem:
            judged.problem, value = judged.problem or str(problem), None
        if value:
            judged.values.append(value)
        judged.left_out += value is None
    _correct(expectation.formula, judged.values)
    return judged


def judge(report: Report, recipes: Sequence[Recipe]) -> List[JudgedClaim]:
    """The claims of all recipes, each in the files that it is about."""
    names = [os.path.basename(file.path) for file in report.files]
    judged = []
    for recipe in recipes:
        name, ending = os.path.splitext(os.path.basename(recipe.path))
        alike = [i for i, of in enumerate(names) if ending == ".recipe" and of == f"{name}.csv"]
        judged += [
            JudgedClaim(
                recipe, claim, i, [_judge_expectation(report, i, e) for e in claim.expectations]
            )
            for claim in recipe.claims
            for i in alike or range(len(names))
        ]
    return judged
