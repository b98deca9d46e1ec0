"""The claims of report_time_is_linear.t; see there."""

import gc
import time
from functools import partial
from typing import Callable, Dict, List

import made_rows as made
from made_rows import Cells
from scanbench_results import rows
from scanbench_results.layout import Layout
from scanbench_results.page import page_data
from scanbench_results.ratio import ratio_of
from scanbench_results.report import make_report
from scanbench_results.run_info import RunInfo
from scanbench_results.tables import put_report
from tap import claim, plan

# Of TIMES as many rows the time may be MOST times as long; where each row is compared with all before
# it, that is 64. A busy machine gets several tries.
FEW, TIMES, MOST, TRIES = 1200, 8, 12, 3

DIFFER: Dict[str, Callable[[int], Cells]] = {
    "device": lambda i: {"backend": "cuda", "device": f"d{i}"},
    "phase": lambda i: {"phase": f"kernel:k{i}" if i else "run"},
    "plugin": lambda i: {"plugin": f"p{i}"},
    "n": lambda i: {"n": 1000 + i, "plugin": "cpu_serial" if i % 2 else "other"},
    "setting": lambda i: {"params": f"a={i}"},
    "type": lambda i: {"dtype": f"t{i}"},
    "flag": lambda i: {"flags": f"f{i}", "n": 1000 + i},
    "reason": lambda i: {"status": "error", "reason": f"no {i}"},
    "copy": lambda i: {
        "plugin": f"p{i}",
        **({"role": "ceiling", "kind": "", "op": ""} if i % 2 else {}),
    },
    "number of parts": lambda i: {
        "n": 1000 * (1 + i // 4),
        "parts": 1 + i % 4,
        "params": f"parts={1 + i % 4}",
    },
}


def seconds(differ: Callable[[int], Cells], count: int) -> float:
    """The processor's time for that many rows."""
    rounds = [100.0 + i for i in range(8)]
    cells: List[Cells] = [{**made.in_rounds("cpu_a", rounds), **differ(i)} for i in range(count)]
    data = made.csv(cells)
    gc.collect()
    before = time.process_time()
    report = make_report([rows.read_bytes(data, "made.csv")], [RunInfo()])
    put_report(report, Layout())
    page_data(report, [], "", "")
    return time.process_time() - before


def seconds_of_rounds(count: int) -> float:
    """The processor's time for the ratio of two rows with that many rounds."""
    rounds = [[100.0 + i * step % 31 for i in range(count)] for step in (3, 5)]
    before = time.process_time()
    over, under = made.read([made.in_rounds("cpu_a", values) for values in rounds]).rows
    ratio_of(over, under)
    return time.process_time() - before


def is_linear(spent: Callable[[int], float]) -> bool:
    for _ in range(TRIES):
        few = min(spent(FEW) for _ in range(2))
        many = spent(FEW * TIMES)
        print(f"# {FEW}: {few:.3f} s, {FEW * TIMES}: {many:.3f} s", flush=True)
        if many < MOST * few:
            return True
    return False


plan(len(DIFFER) + 1)
gc.disable()  # as the command does
for what, differ in DIFFER.items():
    claim(f"rows that differ by their {what}", is_linear(partial(seconds, differ)))
claim("many rounds", is_linear(seconds_of_rounds))
