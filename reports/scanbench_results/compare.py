"""Which rows of result files belong together, and whether their times differ.

The first file is compared with each other one. Rows belong together if plugin, kind, op, dtype, n,
block, vt, params, cache and phase are the same: first those on devices of the same name, and of these
those of one word of --kinds; then, in the order of the files, those on different ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Sequence

from .rows import ResultFile, Row
from .verdict import Outcome


@dataclass
class Pair:
    """Two rows that belong together, or one that has no other."""

    first_file: ResultFile
    second_file: ResultFile
    first: Optional[Row]  # None: not in that file
    second: Optional[Row]
    outcome: Outcome = field(default_factory=Outcome)
    has_ratio: bool = False  # outcome.ratio: without an interval, that of the medians
    regression: bool = False  # slower; or measured before and now wrong, crashed, ...
    is_row_of_both: bool = False  # the same row, copied


@dataclass
class Comparison:
    files: Sequence[ResultFile]
    threshold: float  # relative: 0.03 for 3 %
    pairs: List[Pair] = field(default_factory=list)
    """Those of a file together; regressions without a time first, then by effect, then what is
    missing."""
    never_measured: int = 0  # configurations that have no times in either file
    regressions: int = 0


def compare(
    files: Sequence[ResultFile], phases: Sequence[str] = ("run",), threshold: float = 0.03
) -> Comparison:
    """Compares the rows of these phases. A configuration that failed is compared in the first of them
    only."""
    raise NotImplementedError
