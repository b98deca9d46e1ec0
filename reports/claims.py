#!/usr/bin/env python3
"""reports/claims.py DIR: what the figures in DIR say of the published claims.

Reads DIR/figure_a.csv ... figure_e.csv as reports/measure writes them; a figure that
is not there is left out. Medians in milliseconds; needs nothing but Python 3.
"""

import csv
import os
import sys


def rows(directory, figure):
    path = os.path.join(directory, f"figure_{figure}.csv")
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [r for r in csv.DictReader(file) if r["status"] == "ok"]


def ms(found, plugin, phase, **where):
    """The smallest median of the rows that match, or None."""
    times = [
        float(r["median_ns"]) / 1e6
        for r in found
        if r["plugin"] == plugin
        and r["phase"] == phase
        and all(r[key] == value for key, value in where.items())
    ]
    return min(times) if times else None


def text(value, format="{:9.3f}"):
    return format.format(value) if value is not None else "        -"


def ratio(value, base):
    return text(value / base if value and base else None, "{:5.2f}x")


FOUR = ["cpu_serial", "cuda_doublebuffer", "cuda_blelloch", "cuda_blelloch_bca"]


def figure_a(found):
    print("A. four methods at 123,123,123 i32, block 512: with copies, without, tile scan, add")
    cub = ms(found, "cuda_cub", "run")
    for plugin in FOUR + ["modern_gpu_vt", "cuda_cub", "cuda_thrust", "cuda_thrust_cached"]:
        run = ms(found, plugin, "run")
        e2e = ms(found, plugin, "e2e") or (run if plugin == "cpu_serial" else None)
        scan, add = (ms(found, plugin, f"kernel:{k}") for k in ("scan_tile", "add_carry"))
        print(f"  {plugin:20}{text(e2e)}{text(run)}{text(scan)}{text(add)}   {ratio(run, cub)} CUB")


def figure_b(found):
    print("B. from which size does a GPU win over cpu_serial (compiled with optimisation)?")
    for plugin in FOUR[1:] + ["modern_gpu_vt", "cuda_cub"]:
        if ms(found, plugin, "run") is None:
            print(f"  {plugin:20}not measured on this machine")
            continue
        for phase, words in (("run", "without copies"), ("e2e", "with copies")):
            wins = []
            for n in sorted({int(r["n"]) for r in found}):
                serial = ms(found, "cpu_serial", "run", n=str(n))
                own = ms(found, plugin, phase, n=str(n))
                if serial and own and own < serial:
                    wins.append(n)
            least = f"from {wins[0]:,} on" if wins else "never"
            print(f"  {plugin:20}{words:16}{least}")


def figure_c(found):
    print("C. block sizes at 123,123,123: with copies / without")
    blocks = sorted({int(r["block"]) for r in found if r["block"]})
    for plugin in FOUR[1:]:
        best = min(blocks, key=lambda b: ms(found, plugin, "run", block=str(b)) or 1e9)
        cells = [
            f"{b}: {text(ms(found, plugin, 'e2e', block=str(b)), '{:.0f}')}"
            f"/{text(ms(found, plugin, 'run', block=str(b)), '{:.3f}')}"
            for b in blocks
        ]
        print(f"  {plugin:20}{'  '.join(cells)}   best {best}")


def figure_d(found):
    print("D. values per thread at 100,000,000: best vt and block, against Thrust and CUB")
    own = [r for r in found if r["plugin"] == "modern_gpu_vt" and r["phase"] == "run"]
    thrust, cub = ms(found, "cuda_thrust", "run"), ms(found, "cuda_cub", "run")
    for vt in sorted({int(r["vt"]) for r in own}):
        best = min((r for r in own if r["vt"] == str(vt)), key=lambda r: float(r["median_ns"]))
        time = float(best["median_ns"]) / 1e6
        print(
            f"  vt {vt:2}  block {best['block']:>4} {text(time)}   "
            f"{ratio(time, thrust)} Thrust  {ratio(time, cub)} CUB"
        )


def figure_e(found):
    print("E. Hillis-Steele and Blelloch in OpenCL, by block and op")
    blocks = sorted({int(r["block"]) for r in found if r["block"]})
    for op in ("sum", "max"):
        for block in blocks:
            where = {"op": op, "block": str(block)}
            steele = ms(found, "opencl_hillis_steele", "run", **where)
            plain = ms(found, "opencl_blelloch", "run", params="pad=0", **where)
            padded = ms(found, "opencl_blelloch", "run", params="pad=1", **where)
            known = {"Hillis-Steele": steele, "Blelloch": plain, "Blelloch padded": padded}
            known = {name: time for name, time in known.items() if time}
            winner = min(known, key=known.get) if known else "-"
            print(
                f"  {op} block {block:4}  Hillis-Steele {text(steele)}  Blelloch {text(plain)}"
                f"  padded {text(padded)}   {winner} wins"
            )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for figure, tell in zip("abcde", (figure_a, figure_b, figure_c, figure_d, figure_e)):
        found = rows(sys.argv[1], figure)
        if found:
            tell(found)
            print()


main()
