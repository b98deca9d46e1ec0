"""CSVs of made rows, for tests of the package scanbench_results."""

from typing import Dict, Iterable, List, Sequence

from scanbench_results import rounds, rows

COLUMNS = (
    "schema run_id timestamp_utc host plugin plugin_version role backend device driver kind op dtype n "
    "block vt params cache phase status reason median_ns ci_lo_ns ci_hi_ns clock_mhz flags rounds "
    "pct_copy pct_copy_lo pct_copy_hi speedup speedup_lo speedup_hi time_per_spin time_per_spin_lo "
    "time_per_spin_hi time_per_scan time_per_scan_lo time_per_scan_hi time_per_copy time_per_copy_lo "
    "time_per_copy_hi parts layout kinds in_place group_id rounds_ns spins_ns rows inner max_ulps result"
).split()

Cells = Dict[str, object]


def row(plugin: str, **cells: object) -> Cells:
    """A row of an algorithm, with these cells."""
    made: Cells = dict(schema=1, run_id="r", host="here", plugin=plugin, role="algorithm")
    made.update(backend="cpu", device="CPU", kind="exclusive", op="sum", dtype="i32", n=1000)
    made.update(cache="hot", phase="run", status="ok", group_id=1)
    return {**made, **cells}


def series(values: Iterable[float]) -> str:
    """The cell of the values of rounds; NaN is a round without one."""
    return " ".join("-" if v != v else f"{v:.9g}" for v in values)


def in_rounds(plugin: str, values: Sequence[float], **cells: object) -> Cells:
    """A row with the values of its rounds, and what follows from them."""
    known = sorted(v for v in values if v == v)
    of = rounds.summarize(values)
    made = row(plugin, rounds_ns=series(values), rounds=len(known), median_ns=of.median)
    if of.has_ci:
        made.update(ci_lo_ns=of.lo, ci_hi_ns=of.hi)
    return {**made, **cells}


def csv(made: Sequence[Cells], columns: Sequence[str] = COLUMNS) -> bytes:
    lines = [",".join(columns)]
    for cells in made:
        assert set(cells) <= set(COLUMNS), set(cells) - set(COLUMNS)
        lines.append(",".join(_quoted(str(cells.get(name, ""))) for name in columns))
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\r\n') else cell


def read(made: Sequence[Cells], path: str = "made.csv") -> rows.ResultFile:
    return rows.read_bytes(csv(made), path)


def by_plugin(file: rows.ResultFile) -> Dict[str, rows.Row]:
    return {r.plugin: r for r in file.rows}


def lines_of(text: str) -> List[str]:
    return text.splitlines()
