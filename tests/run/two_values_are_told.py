"""The claims of two_values_are_told.t; see there. usage: two_values_are_told.py SCANBENCH PLUGIN"""

import itertools
import os
import subprocess
import sys
import tempfile
from typing import List

import scanbench_results as sr
from tap import claim, plan

RUNS = 8
KINDS = ("the run", "the visit", "the instance")


def measure(scanbench: str, plugin: str, path: str) -> List[sr.Row]:
    settings = ",".join(map(str, range(len(KINDS))))
    arguments = ["-q", "--plugins", plugin, "--set", f"by={settings}", "--sizes", "1e3"]
    subprocess.run([scanbench, "run", *arguments, "--time-limit", "1", "--csv", path], check=True)
    return [row for row in sr.read(path).rows if row.phase == "run" and row.plugin == "two_values"]


def holds_both(row: sr.Row) -> bool:
    return row.ci_lo_ns < 21e3 and row.ci_hi_ns > 27e3


def main(scanbench: str, plugin: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{i}.csv") for i in range(RUNS)]
        rows = [row for path in paths for row in measure(scanbench, plugin, path)]
        pairs = [
            pair
            for one, other in itertools.combinations([sr.read(path) for path in paths], 2)
            for pair in sr.compare([one, other]).pairs
        ]
    plan(2 * len(KINDS))
    for i, kind in enumerate(KINDS):
        own = [pair for pair in pairs if pair.row.params == f"by={i}"]
        false = [pair for pair in own if pair.outcome.verdict in ("faster", "slower")]
        count = f"{len(false)} of {len(own)} comparisons"
        claim(
            f"a time that depends on {kind}: {count} with itself differ",
            20 * len(false) <= len(own),
        )
        wide = sum(holds_both(row) for row in rows if row.params == f"by={i}")
        claim(f"and {wide} of {RUNS} intervals hold both values", 2 * wide > RUNS)


main(*sys.argv[1:])
