"""claims.html: what published comparisons claim, and whether it holds on each machine."""

from __future__ import annotations

from html import escape
from typing import Iterator, Sequence

from scanbench_results.claims import JudgedClaim, JudgedValue, Judgement
from scanbench_results.claims_print import interval_text, value_text, verdict_text
from scanbench_results.formula import Formula
from scanbench_results.recipe import Claim, Recipe

from .machines import Machine
from .markup import Column, code, columns, folded, link, page, section, table, tag

PATH = "claims.html"
_LOOKS = {Judgement.HOLDS: "certain", Judgement.FAILS: "tied", Judgement.UNKNOWN: "unknown"}


def _of(machine: Machine, claim: Claim) -> list[JudgedClaim]:
    """What the files of a machine that measured it say of a claim."""
    return [judged for judged in machine.claims if judged.claim is claim and judged.is_measured]


def _cell(machine: Machine, claim: Claim) -> str:
    said = [
        tag(judged.judgement.value, _LOOKS[judged.judgement])
        + f'<span class="why">{escape(verdict_text(judged).partition("; ")[2])}</span>'
        for judged in _of(machine, claim)
    ]
    return "<br>".join(dict.fromkeys(said)).replace('<span class="why"></span>', "")


def _why(value: JudgedValue) -> str:
    return value.doubt if value.judgement is Judgement.UNKNOWN else ""


def _cells(machine: Machine, formula: Formula, value: JudgedValue) -> list[str]:
    return [
        escape(machine.name),
        escape(value.where),
        value_text(formula, value.ratio.ratio),
        interval_text(formula, value.ratio),
        escape(value.judgement.value),
        escape(_why(value)),
    ]


def _numbers(machines: Sequence[Machine], claim: Claim) -> Iterator[str]:
    """The formulas, each with its value on each machine."""
    for number, expectation in enumerate(claim.expectations):
        formula = expectation.formula
        rows = [
            _cells(machine, formula, value)
            for machine in machines
            for judged in _of(machine, claim)
            for value in judged.expectations[number].values
        ]
        if rows:
            yield table(
                code(expectation.text),
                columns("machine, at, value#, 95 % interval#, verdict, why"),
                rows,
            )
        else:
            yield f'<p class="note">{code(expectation.text)}</p>\n'


def _recipe(recipe: Recipe, machines: Sequence[Machine], number: int) -> str:
    mine = [m for m in machines if any(_of(m, claim) for claim in recipe.claims)]
    heads = [Column("claim"), *(Column(machine.name) for machine in mine)]
    rows = [
        [escape(claim.text), *(_cell(machine, claim) for machine in mine)]
        for claim in recipe.claims
    ]
    source = f"<p>{escape(recipe.source)}</p>\n" if recipe.source else ""
    numbers = "".join(
        f"<p>{escape(claim.text)}</p>\n" + "".join(_numbers(machines, claim))
        for claim in recipe.claims
    )
    body = table("The verdict on each machine", heads, rows, look="cards claims")
    if not mine:
        body = table("Not measured yet", heads, rows, look="claims")
    more = folded("The formulas, and their values", numbers)
    return section(f"recipe-{number}", recipe.title, source + body + more)


def _counts(machines: Sequence[Machine]) -> str:
    heads = [Column("machine"), *(Column(j.value, True) for j in _LOOKS)]
    rows = []
    for machine in machines:
        judged = [claim.judgement for claim in machine.claims]
        rows.append(
            [link(machine.path, escape(machine.name)), *(str(judged.count(j)) for j in _LOOKS)]
        )
    return table("How many claims hold on each machine", heads, rows)


def claims_page(machines: Sequence[Machine], recipes: Sequence[Recipe]) -> str:
    lead = (
        "<p>What published comparisons say of scans, each as a formula over measured times. A claim holds, or does "
        "not hold here, if the whole 95 % interval says so; otherwise it cannot be told.</p>"
    )
    body = section("counts", "Do they hold?", _counts(machines))
    body += "".join(_recipe(recipe, machines, number) for number, recipe in enumerate(recipes))
    return page(PATH, "Claims, and what became of them", lead, body)
