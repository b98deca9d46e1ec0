"""Which claims hold, with the numbers, for a terminal or in Markdown."""

from __future__ import annotations

from typing import List, Optional, Sequence

from .claims import JudgedClaim, JudgedExpectation, JudgedRecipe, JudgedValue, Judgement
from .formula import Formula
from .layout import Column, Layout, Table
from .report import Report
from .text import shell_quoted
from .words import digits_text, time_text, version_text


def _value_text(formula: Formula, value: float) -> str:
    return time_text(value) if formula.is_time else digits_text(value)


def _times_text(report: Report, formula: Formula, value: JudgedValue) -> str:
    """ "962 µs block=32 (2 tied) / 1.08 ms block=512"."""
    text = ""
    for i, (selector, row, tied) in enumerate(zip(formula.selectors, value.rows, value.tied)):
        if selector.divides:
            text += " / " if i > 0 else "1 / "
        else:
            text += " * " if i > 0 else ""
        text += time_text(row.median_ns)
        setting = report.short_setting(row)
        if selector.is_best and setting:
            text += f" {setting}"
        if selector.is_best and tied > 0:
            text += f" ({tied} tied)"
    return text


def _answer(value: JudgedValue) -> str:
    """Does it hold at this value?"""
    if value.judgement in (Judgement.HOLDS, Judgement.FAILS):
        return "yes" if value.judgement is Judgement.HOLDS else "no"
    if value.ratio.has_interval:
        return "?"
    return "? (yes)" if value.by_medians is Judgement.HOLDS else "? (no)"


def _put_values(report: Report, expectation: JudgedExpectation, layout: Layout) -> None:
    formula = expectation.expectation.formula
    columns = [
        Column("at"),
        Column("value", right=True),
        Column("95 % interval", right=True),
        Column("holds"),
        Column("times"),
    ]
    table = Table(columns, give=("times",))
    for value in expectation.values:
        ratio = value.ratio
        interval = f"{_value_text(formula, ratio.lo)} to {_value_text(formula, ratio.hi)}"
        table.add(
            value.where,
            _value_text(formula, ratio.ratio),
            interval if ratio.has_interval else "",
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


def _verdict_text(claim: Optional[JudgedClaim]) -> str:
    """ "Cannot be told; by the medians it holds". None: it was not measured."""
    judgement = claim.judgement if claim else Judgement.UNMEASURED
    text = judgement.value[0].upper() + judgement.value[1:]
    if claim and claim.by_medians is not Judgement.UNKNOWN:
        holds = claim.by_medians is Judgement.HOLDS
        text += f"; by the medians it {'holds' if holds else 'does not'}"
    return text


def _put_versions(claim: JudgedClaim, layout: Layout) -> None:
    """The peers of a claim whose version is known: "cuda_cub 3.0.1, cuda_thrust 3.0.1"."""
    rows = [row for e in claim.expectations for value in e.values for row in value.rows]
    names = dict.fromkeys(f"{row.plugin} {version_text(row)}" for row in rows if version_text(row))
    if names:
        layout.paragraph("Versions:", ", ".join(names))


def _put_claim(report: Report, claim: JudgedClaim, layout: Layout) -> None:
    label = f", {report.files[claim.file].label}" if len(report.files) > 1 else ""
    layout.paragraph(f"{_verdict_text(claim)}{label}:", claim.claim.text)
    if claim.claim.source:
        layout.paragraph("Source:", claim.claim.source)
    for expectation in claim.expectations:
        layout.code("Expected:", expectation.expectation.text)
        _put_values(report, expectation, layout)
        _put_notes(expectation, layout)
    _put_versions(claim, layout)
    if not layout.markdown:
        layout.line()


def _put_summary(report: Report, judged: Sequence[JudgedRecipe], layout: Layout) -> None:
    """The verdicts of the recipes that were measured; the titles of the others."""
    table = Table([Column("verdict"), Column("results"), Column("claim")])
    others: List[str] = []
    for one in judged:
        if not one.files and len(judged) > 1:
            others.append(one.recipe.title)
            continue
        for k, claim in enumerate(one.recipe.claims):
            of_file = [one.claim(file, k) for file in one.files]
            verdicts: List[Optional[JudgedClaim]] = [c for c in of_file if c]
            for c in verdicts or [None]:
                several = c is not None and len(report.files) > 1
                label = report.files[c.file].label if c and several else ""
                if layout.markdown:
                    table.add(_verdict_text(c), label, claim.text)
                else:
                    of = f", {label}" if label else ""
                    layout.paragraph(f"{_verdict_text(c)}{of}:", claim.text)
    layout.table(table)
    if layout.markdown:
        layout.line()
    if others:
        layout.paragraph("Not measured here:", "; ".join(others))
    if not layout.markdown:
        layout.line()


def _put_command(report: Report, one: JudgedRecipe, layout: Layout) -> None:
    """The command that measured the file, if it is only one and known; else how to measure it."""
    measured = report.files[one.files[0]].info.command if len(one.files) == 1 else ""
    if measured:
        layout.command(measured)
    elif one.recipe.measure:
        words = one.recipe.measure.split(" ")
        layout.command(" ".join(["scanbench", *map(shell_quoted, words)]))


def put_claims(report: Report, judged: Sequence[JudgedRecipe], layout: Layout) -> None:
    """The verdicts of all claims, then those that were measured with their numbers."""
    _put_summary(report, judged, layout)
    for one in (one for one in judged if one.files):
        layout.heading(1, one.recipe.title)
        if one.recipe.source:
            layout.paragraph("Source:", one.recipe.source)
        _put_command(report, one, layout)
        layout.line()
        for k in range(len(one.recipe.claims)):
            for file in range(len(report.files)):
                claim = one.claim(file, k)
                if claim:
                    _put_claim(report, claim, layout)
