# Is every number in the prose of a Markdown page measured? `python3 prose.py ROOT PAGE [COPY]`, where a test
# may give an altered copy of the page. In README.md and docs/scans.md each number is one that the committed
# CSVs, the recorded runs or a source give, or belongs to a name in the lists below; in a page of reports/ it
# is of a recipe, a CSV or its metadata. Prose is what is neither table nor code: numbers.py looks at tables.
# Prints what is not; exit status 0 if all is.
import csv
import glob
import json
import os
import re
import sys

root, page = sys.argv[1:3]
NUMBER = re.compile(r"(?<![A-Za-z])[0-9⁰¹²³⁴-⁹½¼]+(?:[.,][0-9]+)*")


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def rows_of(path):
    with open(os.path.join(root, path), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def version_of(row):
    """As its users write it: older CSVs hold MAJOR * 100000 + MINOR * 100 + PATCH, or 1_74."""
    text = row["plugin_version"]
    if re.fullmatch("[1-9][0-9]{5,6}", text):
        return f"{int(text) // 100000}.{int(text) // 100 % 1000}.{int(text) % 100}"
    return text.replace("_", ".")


def flat(text):
    return re.sub(r"\s+", " ", text)


def prose_of(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    lines = [line for line in text.splitlines() if not re.match(r"\||    |\t", line)]
    text = re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))
    return flat(re.sub(r"`[^`]*`", "`", text))


# ---- README.md: sentences with the numbers that they must have ------------------------------------


def source(path, pattern):
    return float(re.search(pattern, read(path))[1].replace("'", ""))


def superscript(power):
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))


def rate_of(line, column):
    """Of a line of the table in docs/measuring.md, which a test of its own holds to the recorded runs."""
    cells = re.search(rf"^\| {re.escape(line)} \|(.*)\|$", read("docs/measuring.md"), re.M)[1].split("|")
    return float(cells[column].split()[0])


def readme_facts():
    runs = [r for r in rows_of("reports/h200/all_1e8.csv") if r["phase"] == "run" and r["status"] == "ok"]
    again = [r for r in rows_of("reports/h200/sweep.csv") if r["phase"] == "run" and r["status"] == "ok"]
    of = {r["plugin"]: r for r in runs}
    time = {name: float(r["median_ns"]) for name, r in of.items()}
    gpu = [r for r in runs if r["device"] == "NVIDIA H200"]
    sizes, types = {int(r["n"]) for r in runs}, {r["dtype"] for r in runs}
    assert len(sizes) == 1 and types == {"i32"}, (sizes, types)
    driver = next(re.search(r"([0-9]+)\.[0-9.]+", r["driver"])[1] for r in gpu if r["backend"] == "opencl")
    cuda = next(re.search(r"driver ([0-9.]+)", r["driver"])[1] for r in gpu if r["backend"] == "cuda")
    cores = 1 + max(int(n) for r in runs for n in re.findall(r"pu:0-([0-9]+)", r["binding"]))

    def place_of(row):
        if row["plugin"].startswith("cuda_stream"):
            return "bus"
        return "heap" if "allocates_in_run" in row["flags"] else "device"

    def apart(where):
        return 100 * max(
            abs(float(b["median_ns"]) / float(a["median_ns"]) - 1)
            for a in gpu for b in again
            if all(a[c] == b[c] for c in ("plugin", "device", "n", "dtype", "op", "kind", "block", "vt", "params"))
            and where == place_of(a)
        )

    yield f"n = {superscript(len(str(sizes.pop())) - 1)} 32-bit integers on one NVIDIA H200 (driver {driver}, CUDA {cuda}; the host has {cores} cores)"
    yield f"The median of another run, on another host, differs by {apart('device'):.1f} % at most on the device, by {apart('bus'):.1f} % over the bus, and by {apart('heap'):.1f} % where each run allocates memory"
    version = version_of(of["cuda_cub"])
    ahead, copy = time["cuda_lookahead"], min(float(r["median_ns"]) for r in runs if r["plugin"] == "cuda_memcpy")
    tied = [time[name] for name in re.findall(r"^\| `(\w+)` .*\| (?:fastest|tie|= [^|]*) \|$", read("README.md"), re.M)]
    least, most = (f"{100 * t / copy - 100:.0f}" for t in (min(tied), max(tied)))
    yield f"take {least if least == most else f'{least} to {most}'} % longer than the best copy, and CUB {version}, which comes with CUDA {cuda}, takes {time['cuda_cub'] / ahead:.2f} times as long as they do"
    serial = next(float(r["median_ns"]) for r in again if r["plugin"] == "cpu_serial" and int(r["n"]) == 10**8)
    yield f"that of ` by {100 * abs(serial / time['cpu_serial'] - 1):.0f} %"
    yield f"Padding alone makes it {time['cuda_blelloch'] / time['cuda_blelloch_bca']:.1f}× faster"
    yield f"Three phases with {of['modern_gpu_vt']['vt']} values per thread in registers are faster by another {time['cuda_blelloch_bca'] / time['modern_gpu_vt']:.1f}×"
    yield f"they cannot exceed {100 * 2 / 3:.0f} % of a copy, and they reach {float(of['modern_gpu_vt']['pct_copy']):.0f} %"

    at = {k: [r for r in rows_of(f"reports/h200-x4/parts_{k}.csv") if r["phase"] == "run" and r["plugin"] == "cuda_cyclic"
              and int(r["n"]) == k * 10**8] for k in (1, 4)}
    one, four = (float(at[k][0]["median_ns"]) for k in (1, 4))
    yield f"With 10⁸ integers on each of four H200s of a host, ` is [{4 * one / four:.2f} times as fast as on one]"

    recorded = len(re.findall(r"^run ", read("core/tests/data/runs_quiet.txt"), re.M))
    changed = "two runs, nothing changed: called faster or slower"
    worst = max(rate_of(changed, column) for column in range(4))
    yield f"On {recorded} recorded runs of the same code on a shared virtual machine ({recorded * (recorded - 1) // 2} pairs) at most {-int(-worst // 1)} % of the verdicts are false"
    short_us = source("harness/compare/estimates.c", r"short_run_ns = ([0-9'.e]+);") / 1e3
    yield f"Runs of less than {short_us:.0f} µs"


# The table of the README that is about the recorded runs: its lines, as in docs/measuring.md.
def rates_are_recorded(text):
    for mine, other, column in (
        ("nothing changed: called faster or slower", "two runs, nothing changed: called faster or slower", (0, 1)),
        ("5 % slower: found", "two runs, 5 % slower: found", (0, 1)),
        ("10 % slower: found", "two runs, 10 % slower: found", (0, 1)),
        ("both in the same rounds of one run, 5 % slower: found", "one run, 5 % slower: found", (0, 1)),
    ):
        found = re.search(rf"^\| {re.escape(mine)} \|(.*)\|$", text, re.M)
        told = re.findall(NUMBER, found[1]) if found else []
        for place, number in zip(column, told):
            digits = len(number.partition(".")[2])
            if f"{rate_of(other, place):.{digits}f}" != number:
                yield f"README.md: {mine}: {number} % should be {rate_of(other, place)} %"
        if len(told) != len(column):
            yield f"README.md has no line with {len(column)} rates: {mine}"


# What README.md shows of a terminal: each line is a row of the CSV of that run.
def terminal_is_recorded(text):
    rows = [r for r in rows_of("docs/examples/terminal.csv") if r["phase"] == "run"]
    scale = {"ns": 1, "µs": 1e3, "ms": 1e6}
    line = re.compile(r"^    . ([a-z_]+) +([0-9.,]+) *(ns|µs|ms) +([0-9.]+)[~ ] +([0-9.]+) +([0-9]+) +([0-9.]+|-)", re.M)
    shown = text[text.index("## What a run shows"):text.index("## The page")]
    n, count = None, 0
    for each in shown.splitlines():
        n = each.split()[2].replace(",", "") if each.startswith("    n = ") else n
        found = line.match(each)
        if not found:
            continue
        count += 1
        plugin, time, unit, half, rate, share, speedup = found.groups()
        if not any(
            r["plugin"] == plugin and r["n"] == n and near(time, float(r["median_ns"]) / scale[unit])
            and near(half, 50 * (float(r["ci_hi_ns"]) - float(r["ci_lo_ns"])) / float(r["median_ns"]))
            and near(rate, float(r["bytes_per_s"]) / 1e9) and near(share, float(r["pct_copy"]))
            and (speedup == "-" or near(speedup, float(r["speedup"])))
            for r in rows
        ):
            yield f"README.md: no row of docs/examples/terminal.csv is: {each.strip()}"
    if count < 8:
        yield f"README.md shows {count} lines of a terminal's table"


def near(text, value):
    """Is the text the value, rounded?"""
    text = text.replace(",", "")
    return abs(float(text) - value) <= 0.501 * 10 ** -len(text.partition(".")[2])


# Numbers of README.md that nobody measured: names, versions, definitions. Each has to be there.
NAMES = (
    "Debian 12", "CMake 3.25", "needs 3n additions", "move 3n elements where the tree moves 4n", "x[t] = a[t]·x[t−1] + b[t]", "W3C's form of metadata",
    "never 0 or NaN", "at least as fast as CUB from 10⁶ on", "the hull excludes 0", "at n = 0, every n to 70 and the",
    "any n, from 0 to past 2³¹", "Apache License 2.0",
)


def without(prose, facts, names):
    """The prose without the texts that it must have, and those that it has not."""
    bad = []
    for text in facts:
        if text not in prose:
            bad.append(f"{page} does not say: {text}")
        prose = prose.replace(text, "")
    for name in names:
        if name not in prose:
            bad.append(f"{page} does not say, any more: {name}")
        prose = prose.replace(name, "")
    return prose, bad


def of_readme(prose):
    prose, bad = without(prose, readme_facts(), NAMES)
    return prose, bad + list(rates_are_recorded(text_of_page)) + list(terminal_is_recorded(text_of_page))


# ---- docs/scans.md: what it says of steps, as sources and CSVs have it ------------------------------------


def traffic_of(path):
    return re.search(r"(?:Moves|moves) ([0-9])n elements|([0-9])n elements of traffic", read(path)).expand(r"\1\2n")


def work_of(path, pattern):
    """As the head of a kernel's source has it."""
    return re.search(pattern, re.sub(r"\s*\n \* *", " ", read(path))).groups()


def work_facts():
    with_16, with_one = work_of("plugins/modern_gpu_vt/modern_gpu_vt.cu", r"([0-9.]+)n with 16 values per thread, ([0-9.]+)n with one")
    yield f"with 16 of them the work is {with_16}n in all, with one {with_one}n"
    back = work_of("plugins/cuda_lookback/lookback_kernel.cuh", r"Work ([0-9¼]+)n")[0]
    yield f"Traffic {traffic_of('plugins/cuda_lookback/cuda_lookback.cu')}. Work {back}n: the tile is added up, scanned, and added to its prefix, n each, and the shuffles take {back.replace('4', '1')}n, since a lane has 4 values"
    yield f"Traffic 2n. Work about {work_of('plugins/cuda_lookahead/lookahead_kernel.cuh', r'Work about ([0-9½]+)n')[0]}n, the most of all"
    yield f"do what look-back does, {back}n"
    lanes = 32
    adds = sum(lanes - 2**step for step in range(5))
    yield f"is just right for {lanes} threads: 5 steps"
    yield f"A warp makes {adds} additions for {lanes} values, {adds // lanes} for each; the tree makes 2"


def median_of(path, plugin):
    times = [
        float(r["median_ns"]) for r in rows_of(path)
        if r["plugin"] == plugin and r["n"] == "100000000" and r["phase"] == "run" and r["status"] == "ok"
    ]
    return min(times)


def fastest(path, plugin, phase="run", **columns):
    return min(
        float(r["median_ns"]) for r in rows_of(path)
        if r["plugin"] == plugin and r["phase"] == phase and r["status"] == "ok" and r["n"] == "100000000"
        and all(r[name] == value for name, value in columns.items())
    ) / 1e3


def values_facts():
    """Of the paragraph that takes order and values per thread apart."""
    one, other, vt = "reports/h200/all_1e8.csv", "reports/h200/figure_d.csv", "modern_gpu_vt"
    tree, best, copy = fastest(one, "cuda_blelloch_bca"), fastest(one, vt), fastest(one, "cuda_memcpy")
    yield f"With one value per thread it takes {fastest(other, vt, vt='1'):.0f} µs; the padded tree takes {tree:.0f}"
    yield f"512 threads of 2 values each, it takes {fastest(other, vt, vt='2', block='512'):.0f} µs"
    alone = fastest(other, vt, vt="1") / fastest(other, vt, vt="16")
    yield f"gain a factor of {alone:.2f}**, from one value to 16"
    yield f"With 16 values the first kernel takes {fastest(one, vt, 'kernel:upsweep'):.0f} µs"
    yield f"the last one {fastest(one, vt, 'kernel:downsweep'):.0f} µs"
    yield f"two copies, {2 * copy:.0f} µs at least"
    yield f"have won {tree / (2 * copy):.2f} of the {tree / best:.2f} without the new order; the other {2 * copy / best:.2f} are its own"
    yield f"the best copy differs by {100 * abs(fastest(other, 'cuda_memcpy') / copy - 1):.0f} % between them"


def scans_facts():
    yield f"traffic {traffic_of('plugins/common/cuda/cuda_tiles.cuh')}, half the speed of a copy at most"
    yield f"traffic {traffic_of('plugins/cuda_blelloch/cuda_blelloch.cu')} as before"
    yield f"Traffic {traffic_of('plugins/modern_gpu_vt/modern_gpu_vt.cu')}: two thirds of a copy"
    yield f"Traffic {traffic_of('plugins/cpu_chained/cpu_chained.c')}, without a pause"
    banks, bytes_of_bank = re.search(r"Shared memory has ([0-9]+) banks of ([0-9]+) bytes", read("plugins/cuda_blelloch/bank_index.h")).groups()
    yield f"Shared memory lies in {banks} **banks**, element i in bank i mod {banks}"
    yield f"(elements of {2 * int(bytes_of_bank)} bytes take two banks)"
    yield f"One unused element after every {banks} moves"
    h200, cores = "reports/h200/all_1e8.csv", "reports/cpu-2-cores/sweep.csv"
    slower = [
        median_of(h200, "cuda_blelloch") > median_of(h200, "cuda_doublebuffer"),
        median_of(cores, "opencl_blelloch") > median_of(cores, "opencl_hillis_steele"),
    ]
    yield from values_facts()
    yield from work_facts()
    yield "Less work, and yet slower." if all(slower) else "Less work, and faster."
    loses = median_of(cores, "opencl_hillis_steele") > median_of(cores, "cpu_serial")
    yield "Two cores only lose by it" if loses else "Even two cores gain by it"


SCANS_NAMES = (
    "a little over 100: a copy", "If its 95 % interval lies above 1, the step is a", "below 1, a **loss**; if it holds 1,", "exclusive sums of 32-bit integers", "work n, depth n, traffic 2n",
    "one NVIDIA H200 and its host", "Bandwidth against n on an H200", "becomes 0.", "on the way down, 2n; then", "Work 3n, depth 2 · log₂(tile)", "A **warp**, 32 threads that run in step, gets 32 elements",
    "2, 4, 8, … elements apart: soon all 32 threads", "Here with 4 banks instead of 32",
    "Work n · (log₂(L) + 1), but L", "traffic 3n, and n of it in vain",
    "Here ` 1 stores through the caches; 2 and 3 store around them", "traffic 3n, as with Baxter's kernels",
    "at least 3. Every", "all that have a 0, behind them all that have a 1.", "y[i − 1] + b[i] is a scan", "at most 32, are scanned",
    "Work 3n: each element is added up", "it moves 4n and not 3n", "From 8 on there is little", "two cores. 0 is the plugin's own",
    "the exclusive sum of 32-bit integers", "one side is 0.", "C-22 (8), 1973", "(ICS), 2008", "CS2009-14, University of Virginia, 2009", "(PPoPP), 2013",
    "ACM 29 (12), 1986", "CMU-CS-90-190, 1990", "GPU Gems 3, chapter 39, 2007", "Graphics Hardware 2007", "Scan], 2013",
    "NVR-2016-002, 2016", "SPAA 2025", "#6811], 2025", "ADMS 2020",
)


# ---- pages of reports/: what recipes, CSVs and their metadata say ---------------------------------------

LOOSE = re.compile(r"\*\*Left out:\*\* [0-9]+ values? of the loop|95 % interval( of the ratio holds 1)?|above 1\.25 %"
                   r"|10\^9 elements per second|100 % for tiles dealt out in turn \(cyclic\), 2/3 for contiguous slices")


def texts_of(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [text for one in value for text in texts_of(one)] if isinstance(value, list) else [str(value)]


def counts_of(rows):
    """How many rows have each reason and each flag, and of how many plugins the reason is."""
    for reason in {r["reason"] for r in rows}:
        mine = [r for r in rows if r["reason"] == reason]
        yield f"({len(mine)} row{'s' if len(mine) != 1 else ''})"
        yield f"({len({r['plugin'] for r in mine})} plugins)"
    flags = [word for r in rows for word in re.findall(r"[a-z_]+(?==|;|$)", r["flags"])]
    for flag in set(flags):
        yield f"{flags.count(flag)} of {len(rows)} rows"
        yield f"({len({r['plugin'] for r in rows if flag in r['flags']})} plugins)"


def known_of(path):
    rows = rows_of(path)
    yield from (f"{r['plugin']} {version_of(r)}" for r in rows if r["role"] == "peer")
    yield os.path.splitext(os.path.basename(path))[0]
    yield os.path.basename(os.path.dirname(path))
    for r in rows:
        yield f"n = {r['n']}"
        yield f"n = {float(r['n']):.0e}".replace("e+0", "e").replace("e+", "e")
        yield f"{r['kind']} {r['dtype']} {r['op']}"
        yield f"{r['dtype']} copy"
        yield from (r[column] for column in ("timestamp_utc", "device", "driver", "reason"))
    yield from counts_of(rows)
    with open(path + "-metadata.json", encoding="utf-8") as file:
        metadata = json.load(file)
    yield from texts_of(metadata)
    yield from (f"scanbench {note['scanbench']} ({note['git_revision']})" for note in metadata["notes"] if "git_revision" in note)


def of_scans(prose):
    """Its exercises ask, and tell nothing."""
    prose = re.sub(r"## Exercises .*?(?=## Who found it)", "", prose)
    return without(prose, scans_facts(), SCANS_NAMES)


def of_report(prose):
    machine = os.path.dirname(page) if os.path.dirname(page) != "reports" else "reports/*"
    known = {text for path in glob.glob(os.path.join(root, machine, "*.csv")) for text in known_of(path)}
    for path in glob.glob(os.path.join(root, "reports/recipes/*.recipe")):
        lines = re.sub(r"\n +", " ", read(path)).splitlines()
        known |= {line.split(None, 1)[1] for line in lines if re.match("title|source|claim", line)}
    # A number alone would be found in any text.
    known = {flat(text) for text in known if re.search("[0-9⁰-⁹]", text) and re.search("[A-Za-z]", text)}
    prose = LOOSE.sub("", prose)
    for text in sorted(known, key=len, reverse=True):
        prose = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", "", prose)
    return prose, []


text_of_page = read(sys.argv[3] if len(sys.argv) > 3 else page)
rule = {"README.md": of_readme, "docs/scans.md": of_scans}.get(page, of_report)
prose, bad = rule(prose_of(text_of_page))
for found in NUMBER.finditer(prose):
    bad.append(f"{page}: {found[0]} is not measured: … {prose[max(0, found.start() - 50):found.end() + 30]} …")
print(*bad, sep="\n")
sys.exit(bool(bad))
