"""Which claims hold, with the numbers, for a terminal or in Markdown."""

from __future__ import annotations

import itertools
import shlex
from typing import List, Sequence

from .claims import JudgedClaim, JudgedExpectation, JudgedValue, Judgement
from .formula import Formula
from .layout import Column, Layout, Table, numbers
from .ratio import Ratio
from .report import Report
from .words import digits_text, join, time_text, version_text


def value_text(formula: Formula, value: float) -> str:
    """What is on the left of a formula: a time, or a ratio."""
    return time_text(value) if formula.is_time else digits_text(value)


def interval_text(formula: Formula, ratio: Ratio) -> str:
    """ "1.02 to 1.07"; "" without one."""
    lo, hi = value_text(formula, ratio.lo), value_text(formula, ratio.hi)
    return f"{lo} to {hi}" if ratio.has_interval else ""


def _times_text(report: Report, formula: Formula, value: JudgedValue) -> str:
    """ "962 µs block=32 (2 tied) / 1.08 ms block=512"."""
    words = ["1"]
    for selector, row, tied in zip(formula.selectors, value.rows, value.tied):
        words += ["/" if selector.divides else "*", time_text(row.median_ns)]
        if selector.is_best:
            words += [report.short_setting(row), f"({tied} tied)" if tied > 0 else ""]
    return join(*words).removeprefix("1 * ")


def _answer(value: JudgedValue) -> str:
    """Does it hold at this value?"""
    answers = {Judgement.HOLDS: "yes", Judgement.FAILS: "no"}
    if value.judgement in answers:
        return answers[value.judgement]
    return "?" if value.ratio.has_interval else f"? ({answers[value.by_medians]})"


def _put_values(report: Report, expectation: JudgedExpectation, layout: Layout) -> None:
    formula = expectation.expectation.formula
    values = numbers("value", "95 % interval")
    table = Table([Column("at"), *values, Column("holds"), Column("times")], give=("times",))
    for value in expectation.values:
        table.add(
            value.where,
            value_text(formula, value.ratio.ratio),
            interval_text(formula, value.ratio),
            _answer(value),
            _times_text(report, formula, value),
        )
    if table.rows and layout.markdown:
        layout.line()
    layout.table(table)
    if table.rows and layout.markdown:
        layout.line()


def _put_notes(expectation: JudgedExpectation, layout: Layout) -> None:
    """Why some values are not there, or cannot be told."""
    unknown = [v for v in expectation.values if v.judgement is Judgement.UNKNOWN]
    left_out = expectation.left_out
    if expectation.problem:
        layout.paragraph("Note:", expectation.problem)
    if unknown:
        medians = "" if unknown[-1].ratio.has_interval else " In parentheses: by the medians alone."
        layout.paragraph("Cannot be told:", f"{unknown[-1].doubt}.{medians}")
    if left_out > 0 and not expectation.problem:
        values = f"{left_out} value{'' if left_out == 1 else 's'} of the loop"
        layout.paragraph("Left out:", f"{values}: not all times were measured there.")


def verdict_text(claim: JudgedClaim) -> str:
    """ "Cannot be told; by the medians it holds"."""
    text = claim.judgement.value[0].upper() + claim.judgement.value[1:]
    if claim.by_medians is not Judgement.UNKNOWN:
        text += (
            f"; by the medians it {'holds' if claim.by_medians is Judgement.HOLDS else 'does not'}"
        )
    return text


def _put_versions(claim: JudgedClaim, layout: Layout) -> None:
    """The peers of a claim whose version is known: "cuda_cub 3.0.1, cuda_thrust 3.0.1"."""
    rows = [row for e in claim.expectations for value in e.values for row in value.rows]
    names = dict.fromkeys(f"{row.plugin} {version_text(row)}" for row in rows if version_text(row))
    if names:
        layout.paragraph("Versions:", ", ".join(names))


def _put_claim(report: Report, claim: JudgedClaim, layout: Layout) -> None:
    verdict = verdict_text(claim) + report.label(claim.file, ", ")
    layout.paragraph(f"{verdict}:", claim.claim.text)
    if claim.claim.source:
        layout.paragraph("Source:", claim.claim.source)
    for expectation in claim.expectations:
        layout.code("Expected:", expectation.expectation.text)
        _put_values(report, expectation, layout)
        _put_notes(expectation, layout)
    _put_versions(claim, layout)
    if not layout.markdown:
        layout.line()


_OfRecipe = List[JudgedClaim]
"""Its claims in their order, each in all files."""


def _put_summary(report: Report, recipes: Sequence[_OfRecipe], layout: Layout) -> None:
    """The verdicts of the recipes that were measured; the titles of the others."""
    table = Table([Column("verdict"), Column("results"), Column("claim")])
    others: List[str] = []
    for claims in recipes:
        if len(recipes) > 1 and not any(c.is_measured for c in claims):
            others.append(claims[0].recipe.title)
            continue
        for _, group in itertools.groupby(claims, key=lambda c: id(c.claim)):
            of_files = list(group)
            for c in [c for c in of_files if c.is_measured] or of_files[:1]:
                label = report.label(c.file) if c.is_measured else ""
                if layout.markdown:
                    table.add(verdict_text(c), label, c.claim.text)
                else:
                    of = f", {label}" if label else ""
                    layout.paragraph(f"{verdict_text(c)}{of}:", c.claim.text)
    layout.table(table)
    if layout.markdown:
        layout.line()
    if others:
        layout.paragraph("Not measured here:", "; ".join(others))
    if not layout.markdown:
        layout.line()


def _put_command(report: Report, claims: _OfRecipe, layout: Layout) -> None:
    """The command that measured the file, if it is only one and known; else how to measure it."""
    recipe, files = claims[0].recipe, {claim.file for claim in claims}
    measured = report.files[claims[0].file].info.command if len(files) == 1 else ""
    if measured:
        layout.command(measured)
    elif recipe.measure:
        layout.command(shlex.join(["scanbench", *recipe.measure.split(" ")]))


def put_claims(report: Report, judged: Sequence[JudgedClaim], layout: Layout) -> None:
    """The verdicts of all claims, then those that were measured with their numbers."""
    groups = itertools.groupby(judged, key=lambda claim: id(claim.recipe))
    recipes = [list(group) for _, group in groups]
    _put_summary(report, recipes, layout)
    for of_recipe in recipes:
        claims = [claim for claim in of_recipe if claim.is_measured]
        if claims:
            layout.heading(1, claims[0].recipe.title)
            if claims[0].recipe.source:
                layout.paragraph("Source:", claims[0].recipe.source)
            _put_command(report, claims, layout)
            layout.line()
        for claim in claims:
            _put_claim(report, claim, layout)
