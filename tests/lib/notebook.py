# Does docs/examples/figures.ipynb make the figures of the committed results? `python3 notebook.py ROOT CHECK [COPY]`,
# where a test may give an altered copy, which runs in the notebook's folder.
#
# form      a notebook of format 4, without outputs; nbformat agrees, if it is installed
# commands  the command above a figure is the one in the metadata of its CSV
# figures   its cells run without Jupyter, and draw and print what the CSVs have
# Prints what is not so; exit status 0 if all is.
import contextlib
import csv
import io
import json
import os
import re
import sys

root, check, *copy = sys.argv[1:]
root = os.path.abspath(root)
sys.dont_write_bytecode = True
path = os.path.join(root, "docs/examples/figures.ipynb")
with open(copy[0] if copy else path, encoding="utf-8") as file:
    notebook = json.load(file)


def cells(kind):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def form():
    if (notebook["nbformat"], notebook["nbformat_minor"]) != (4, 5):
        yield "not of format 4.5"
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"] is not None):
            yield f"cell {cell['id']} has outputs: clear them"
    if len({cell["id"] for cell in notebook["cells"]}) != len(notebook["cells"]):
        yield "two cells have one id"
    try:
        import nbformat
    except ImportError:
        return
    nbformat.validate(notebook)


def commands():
    sys.path.insert(0, os.path.join(root, "reports"))
    from scanbench_results import run_info

    told = re.findall(r"^    (build/scanbench .*)$", "\n".join(cells("markdown")), re.M)
    named = dict.fromkeys(re.findall(r'times\("([^"]+)"', "\n".join(cells("code"))))
    expected = [run_info.read(os.path.join(root, "reports", name)).command for name in named]
    if told != expected or len(told) < 2:
        yield f"told: {told}, expected: {expected}"


def rows_of(name, **columns):
    with open(os.path.join(root, "reports", name), newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["status"] == "ok"]
    return [r for r in rows if all(r[column] == value for column, value in columns.items())]


def drawn(axes, label):
    """The points of a curve by n."""
    line = next(line for line in axes.get_lines() if line.get_label() == label)
    return dict(zip((int(n) for n in line.get_xdata()), (float(y) for y in line.get_ydata())))


def best(rows, value):
    """By n, of the row with the shortest median."""
    found = {}
    for r in sorted(rows, key=lambda r: -float(r["median_ns"])):
        found[int(r["n"])] = value(r)
    return found


def differ(what, got, expected):
    if set(got) != set(expected) or len(got) < 5 or any(abs(got[n] / expected[n] - 1) > 1e-9 for n in got):
        yield f"{what}: {got}, expected: {expected}"


def figures():
    os.environ["MPLBACKEND"] = "Agg"
    os.chdir(os.path.dirname(path))
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        for cell in cells("code"):
            exec(compile(cell, path, "exec"), names)
    import matplotlib.pyplot as plt

    if len(plt.get_fignums()) != 3:
        yield f"{len(plt.get_fignums())} figures"
        return
    bandwidth, share, crossover = (plt.figure(k).axes[0] for k in plt.get_fignums())
    for plugin in ("cuda_lookahead", "cuda_memcpy", "cpu_chained"):
        expected = best(rows_of("h200/sweep.csv", phase="run", plugin=plugin), lambda r: float(r["bytes_per_s"]) / 1e9)
        yield from differ(f"bandwidth of {plugin}", drawn(bandwidth, plugin), expected)
    for plugin in ("cuda_rows", "cuda_cub_segmented"):
        rows = rows_of("h100/rows.csv", phase="run", plugin=plugin, dtype="i32")
        yield from differ(f"share of {plugin}", drawn(share, plugin), best(rows, lambda r: float(r["pct_copy"])))
    scans = [r for r in rows_of("h200/sweep.csv", phase="run") if r["role"] not in ("ceiling", "calibrator")]
    gpu = best((r for r in scans if "NVIDIA" in r["device"]), lambda r: float(r["median_ns"]) / 1e3)
    cpu = best((r for r in scans if "NVIDIA" not in r["device"]), lambda r: float(r["median_ns"]) / 1e3)
    yield from differ("times on the GPU", drawn(crossover, "GPU"), gpu)
    yield from differ("times on the processor", drawn(crossover, "processor"), cpu)
    first = min(n for n in gpu if gpu[n] < cpu[n])
    if f"GPU: faster than the processor from n = {first:,} on" not in printed.getvalue():
        yield f"it does not say from which n on the GPU wins ({first}): {printed.getvalue()}"


bad = list({"form": form, "commands": commands, "figures": figures}[check]())
print(*bad, sep="\n")
sys.exit(bool(bad))
