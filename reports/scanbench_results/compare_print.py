"""A comparison for people, for an issue, for scripts."""

from __future__ import annotations

from .compare import Comparison


def compare_text(comparison: Comparison, width: int = 80) -> str:
    """As a table, in lines of `width` columns, 40 at least."""
    raise NotImplementedError


def compare_markdown(comparison: Comparison) -> str:
    """As a table for an issue or a pull request."""
    raise NotImplementedError


def compare_json(comparison: Comparison) -> str:
    """As one JSON object: the files, what else differs, the pairs in the order of the table, their
    number by verdict. The line ends with a newline."""
    raise NotImplementedError
