"""The results of scanbench, read again: rows, ratios with their intervals, comparisons, reports.

    import pandas, scanbench_results as sr

    file = sr.read("out.csv")                    # ResultError, with the line, where it is not whole
    frame = pandas.DataFrame(sr.table([file]))   # a column for each of docs/csv.md, NaN where empty,
                                                 # and for each tunable in `params`: param_threads

    runs = [r for r in file.rows if r.phase == "run" and r.status == "ok" and r.n == 10**8]
    tbb = next(r for r in runs if r.plugin == "cpu_tbb")
    for row in runs:
        ratio = sr.ratio_of(row, tbb)            # the time of `row` over that of `tbb`
        if ratio.has_interval:
            print(row.plugin, f"{ratio.ratio:.3f} ({ratio.lo:.3f} to {ratio.hi:.3f})")

    print(sr.compare_text(sr.compare([sr.read("old.csv"), sr.read("new.csv")])))

Times are in ns. Python 3.9 or later and its standard library are enough. In a shell:
`python3 -m scanbench_results report out.csv`, `... compare old.csv new.csv`.
"""

from .compare import Comparison, Pair, compare
from .compare_print import compare_json, compare_markdown, compare_text
from .ratio import Ratio, inverse, ratio_of
from .rows import ResultError, ResultFile, Row, read, table
from .run_info import RunInfo, RunPlugin
from .verdict import is_faster, is_slower, is_tied

__all__ = [
    "Comparison",
    "Pair",
    "Ratio",
    "ResultError",
    "ResultFile",
    "Row",
    "RunInfo",
    "RunPlugin",
    "compare",
    "compare_json",
    "compare_markdown",
    "compare_text",
    "inverse",
    "is_faster",
    "is_slower",
    "is_tied",
    "ratio_of",
    "read",
    "table",
]
