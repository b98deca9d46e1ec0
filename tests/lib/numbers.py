# Is every number in the tables of a Markdown file found in CSVs of scanbench?
# `python3 numbers.py PAGE CSV...`: prints the cells that are not, and how many were looked at; exit
# status 0 if all are. A time, rate or size is a cell of a CSV, rounded to three digits; a ratio is
# about that of two times of the same row of the table, or of two rows of a CSV: one that is made
# within rounds differs from that of the medians, by as much as their intervals are wide.
import bisect
import csv
import re
import sys

UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
TIME = re.compile(rf"({NUMBER}) (ns|µs|ms|s)\b")


def close(a, b, relative):
    return abs(a - b) <= relative * abs(b)


def is_rounded(text, values):
    """Is the text one of the values with the digits that it has?"""
    number = float(text)
    digits = len(re.sub(r"e.*", "", text).replace(".", "").lstrip("0"))
    within = 0.5001 * 10 ** (1 - max(digits, 1))
    return any(close(number, v, within) for v in values)


class Rows:
    def __init__(self, paths):
        self.rows = []
        self.counts = set()
        for path in paths:
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.counts.add(len(rows))
            self.rows += [dict(r, file=path) for r in rows if r["status"] == "ok"]
        self.widths = {}  # the largest half width of the rows with that time
        for r in self.rows:
            time = float(r["median_ns"])
            self.widths[time] = max(half_width(r), self.widths.get(time, 0))
        self.times = sorted(self.widths)
        self.half_widths = {half_width(r) for r in self.rows if r["ci_hi_ns"]}
        self.columns = {}
        self.sizes = {int(r["n"]) for r in self.rows}

    def times_near(self, time, factor):
        return self.times[bisect.bisect_left(self.times, time / factor):bisect.bisect_right(self.times, time * factor)]

    def column(self, name, scale=1.0):
        if (name, scale) not in self.columns:
            self.columns[name, scale] = {float(r[name]) / scale for r in self.rows if r.get(name)}
        return self.columns[name, scale]

    def of(self, plugin, time):
        """The medians of a plugin that are written like this time."""
        value = time_of(time)
        return [
            r for r in self.rows
            if r["plugin"] == plugin and is_rounded(time.split()[0], [float(r["median_ns"]) / UNITS[time.split()[1]]])
        ] if value else []

    def width_at(self, number, unit):
        """The largest half width of the rows whose time is written so."""
        time = float(number) * UNITS[unit]
        return max((self.widths[t] for t in self.times_near(time, 1.01) if close(t, time, 0.006)), default=0)


def time_of(text):
    found = TIME.search(text)
    return float(found[1]) * UNITS[found[2]] if found else None


def ratio_of(text):
    """1.042 of "+4.2 %", 2.31 of "2.31x"."""
    found = re.search(rf"([+-]{NUMBER}) %", text)
    if found:
        return 1 + float(found[1]) / 100
    found = re.search(rf"({NUMBER})x", text)
    return float(found[1]) if found else None


def times_are_measured(rows, text):
    # Of one digit a time may be up to twice that: 1 µs may stand for 2 µs.
    near = ((n, unit, rows.times_near(float(n) * UNITS[unit], 2.1)) for n, unit in TIME.findall(text))
    return all(is_rounded(n, [t / UNITS[unit] for t in times]) for n, unit, times in near)


def half_width(row):
    """Of a row's interval, as a share of its time; that of rounds is not quite that of the samples."""
    return (float(row["ci_hi_ns"]) - float(row["ci_lo_ns"])) / 2 / float(row["median_ns"]) if row["ci_hi_ns"] else 0


def version_of(row):
    """As its users write it: older CSVs hold 300001 or 1_74."""
    text = row["plugin_version"]
    if re.fullmatch("[1-9][0-9]{5,6}", text):
        return f"{int(text) // 100000}.{int(text) // 100 % 1000}.{int(text) % 100}"
    return text.replace("_", ".")


def without_versions(rows, cells):
    """Takes the versions of peers out of a line; False if one is not that of a row."""
    right = True
    for name in {"plugin", "winner", "over", "next"} & set(cells):
        if name == "next" and "," in cells[name]:
            continue  # several, of which the first is looked up by its id
        tied, found = ("= ", cells[name][2:]) if cells[name].startswith("= ") else ("", cells[name])
        plugin, *words = found.split(" ")
        version = [w for w in words if "=" not in w]
        cells[name] = tied + " ".join(w for w in [plugin, *words] if w not in version)
        right &= not version or any(
            r["plugin"] == plugin.strip("`") and r["role"] == "peer" and version_of(r) == " ".join(version) for r in rows.rows
        )
    return right


def setting_of(row):
    """All of its tunables."""
    return {f"{name}={row[name]}" for name in ("block", "vt") if row[name]} | {p for p in row["params"].split(";") if p}


def setting_is_measured(rows, cells, text):
    """Of the same plugin; what is the same in all of its rows is left out."""
    return any(r["plugin"] == cells["plugin"].strip("`") and set(text.split()) <= setting_of(r) for r in rows.rows)


def line_is_measured(rows, cells):
    """A line with a plugin and its time: all of its cells are of one row."""
    plugin = cells.get("plugin", cells.get("winner", "")).strip("`")
    columns = (("GB/s", "bytes_per_s", 1e9), ("% copy", "pct_copy", 1), ("speedup", "speedup", 1))
    return not plugin or "time" not in cells or any(
        all(is_rounded(cells[name], [float(r[column]) / scale] if r[column] else []) for name, column, scale in columns if cells.get(name))
        and ("n" not in cells or int(float(cells["n"])) == int(r["n"])) and is_of_machine(r, cells)
        and ("setting" not in cells or set(cells["setting"].split()) <= setting_of(r))
        for r in rows.of(plugin, cells["time"])
    )


def is_of_machine(row, cells):
    return "on" not in cells or f"/{cells['on']}/" in row["file"]


def before_gain(rows, cells):
    """The rows over which a line tells a gain."""
    plugin, *setting = (cells.get("over") or cells["plugin"]).replace("`", "").split()
    return [
        r for r in rows.rows
        if r["plugin"] == plugin and set(setting) <= setting_of(r) and int(r["n"]) == int(float(cells["n"]))
        and r["phase"] == "run" and is_of_machine(r, cells)
    ]


def gain_is_measured(rows, cells, text):
    """Of a row and one that stands in the same CSV: a ratio of their medians."""
    return any(
        r["file"] == b["file"] and r["n"] == b["n"]
        and close(float(b["median_ns"]) / float(r["median_ns"]), float(text), 0.006 + half_width(r) + half_width(b))
        for r in rows.of(cells["plugin"].strip("`"), cells["time"]) for b in before_gain(rows, cells)
    )


def verdict_is_of_ratio(cells):
    """In a table of gains: of how many times as fast it is."""
    ratio = cells.get("times as fast")
    if not ratio:
        return not cells["verdict"]
    low, high = map(float, (cells.get("95 % interval") or f"{ratio} to {ratio}").split(" to "))
    word = "gain" if low > 1 else "loss" if high < 1 else "tie"
    return cells["verdict"] == word + ("" if cells.get("95 % interval") else "?")


def margin_is_measured(rows, cells, text):
    """Of the winner's row and the next one's at the same size: a ratio of their medians."""
    wanted = ratio_of(text)
    winner = cells["winner"].strip("`")
    next_one = cells["next"].lstrip("= ").split(",")[0].strip("`")
    for a in rows.of(winner, cells["time"]):
        for b in rows.rows:
            if b["plugin"] == next_one and b["n"] == a["n"] and b["phase"] in ("run", "e2e"):
                if close(float(b["median_ns"]) / float(a["median_ns"]), wanted, 0.05 + half_width(a) + half_width(b)):
                    return True
    return False


def half_of(cells):
    return float(cells["±"].split()[0]) / 100 if cells.get("±") else 0


def behind_is_measured(cells, fastest, text):
    wanted = ratio_of(text)
    if wanted is None:
        return True
    ratio, within = time_of(cells["time"]) / time_of(fastest["time"]), 0.05 + half_of(cells) + half_of(fastest)
    return close(ratio, wanted, within) or close(wanted, ratio, within)


def value_is_measured(rows, cells, text):
    """The value of a formula: what its times come to."""
    parts = re.split(r" ([*/]) ", re.sub(r"\([^)]*\)|[a-z_]+=\S+|,", "", cells["times"]))
    value, divides = 1.0, False
    for part in parts:
        if part in ("*", "/"):
            divides = part == "/"
            continue
        factor = time_of(part) or float(part.strip())
        value = value / factor if divides else value * factor
    number = time_of(text) or float(text)
    if cells.get("95 % interval"):
        lo, hi = (time_of(t) or float(t) for t in cells["95 % interval"].split(" to "))
        within = 0.05 + sum(rows.width_at(n, unit) for n, unit in TIME.findall(cells["times"]))
        return (1 - within) * lo <= value <= (1 + within) * hi
    return close(number, value, 0.012)


def interval_holds(cells, text):
    lo, hi = (time_of(t) or float(t) for t in text.split(" to "))
    value = time_of(cells.get("value", "")) or float(cells.get("value") or cells["times as fast"])
    return lo <= value <= hi


def loop_is_measured(rows, text):
    for name, value in re.findall(r"(\w+)=(\S+?)(?:,|$)", text):
        if name == "n":
            if int(float(value)) not in rows.sizes:
                return False
        elif not any(r.get(name) == value or f"{name}={value}" in r["params"].split(";") for r in rows.rows):
            return False
    return True


def crossover_is_measured(rows, text):
    for lo, hi, near in re.findall(rf"between ({NUMBER}) and ({NUMBER}) \(about ({NUMBER})\)", text):
        lo, hi, near = float(lo), float(hi), float(near)
        if int(lo) not in rows.sizes or int(hi) not in rows.sizes or not 0.5 * lo <= near <= 2 * hi:
            return False
    return True


def is_single(row):
    return row["parts"] in ("", "1") and row["phase"] == "run"


def gains_of(rows, cells, of_all):
    """What a line of a scaling table may tell: k parts against one, of the same plugin or the fastest of all."""
    for r in rows.of(cells["plugin"].strip("`"), cells["time"]):
        if r["parts"] != cells["k"] or r["phase"] != "run":
            continue
        n, k = int(r["n"]), int(r["parts"])
        for at, times in ((n, 1), (n // k, k)):
            ones = [
                float(o["median_ns"]) for o in rows.rows
                if is_single(o) and int(o["n"]) == at and (o["role"] == "ceiling") == (r["role"] == "ceiling")
                and (of_all or o["plugin"] == r["plugin"])
            ]
            if ones:
                yield times * min(ones) / float(r["median_ns"])


def scaling_is_measured(rows, header, cells, text):
    gains = list(gains_of(rows, cells, header.startswith("best")))
    return is_rounded(text, [100 * g / int(cells["k"]) for g in gains] if header.endswith("%") else gains)


def rows_in_parts(rows, cells):
    return [r for r in rows.of(cells["plugin"].strip("`"), cells["time"]) if r["parts"] == cells["k"]]


BOUNDS = {"contiguous": 200 / 3, "cyclic": 100}  # a slice is read twice: 2n of traffic against 3n


def bound_is_of_layout(rows, cells, text):
    return any(is_rounded(text, [100 if r["role"] == "ceiling" else BOUNDS[r["layout"]]]) for r in rows_in_parts(rows, cells))


def is_measured(rows, header, cells, fastest):
    text = cells[header]
    checks = {
        "n": lambda: int(float(text)) in rows.sizes,
        "time": lambda: times_are_measured(rows, text),
        "times": lambda: times_are_measured(rows, text),
        "±": lambda: any(abs(float(text.split()[0]) - 100 * h) < 0.051 for h in rows.half_widths),
        "GB/s": lambda: is_rounded(text, rows.column("bytes_per_s", 1e9)),
        "% copy": lambda: is_rounded(text, rows.column("pct_copy")),
        "speedup": lambda: is_rounded(text, rows.column("speedup")),
        "setting": lambda: setting_is_measured(rows, cells, text),
        "best setting": lambda: setting_is_measured(rows, cells, text),
        "margin": lambda: margin_is_measured(rows, cells, text),
        "times as fast": lambda: gain_is_measured(rows, cells, text),
        "behind": lambda: behind_is_measured(cells, fastest, text),
        "value": lambda: value_is_measured(rows, cells, text),
        "95 % interval": lambda: interval_holds(cells, text),
        "at": lambda: loop_is_measured(rows, text),
        "faster": lambda: crossover_is_measured(rows, text),
        "k": lambda: bool(rows_in_parts(rows, cells)),
        "G/s": lambda: is_rounded(text, [int(r["n"]) / float(r["median_ns"]) for r in rows_in_parts(rows, cells)]),
        "bound %": lambda: bound_is_of_layout(rows, cells, text),
        "file": lambda: any(r["file"].endswith(f"/{text}.csv") for r in rows_in_parts(rows, cells)),
        **{name: lambda: scaling_is_measured(rows, header, cells, text) for name in ("own", "own %", "best", "best %")},
    }
    # Counts of settings, and texts: claims and verdicts quote the recipes.
    words = ("tied with it", "plugin", "role", "winner", "next", "copies", "verdict", "results", "claim", "holds", "folder", "on", "over")
    if header in words or header in ("machine", "what it is"):
        return True
    return header in checks and checks[header]()


def tables_of(page):
    """Each table: its header and rows, as lists of cells."""
    table = []
    for line in open(page, encoding="utf-8").read().splitlines() + [""]:
        if line.startswith("|"):
            table.append([cell.strip().replace("\\", "") for cell in line.strip("|").split("|")])
        elif table:
            yield table[0], table[2:]
            table = []


def main(page, *paths):
    rows = Rows(paths)
    looked, bad = 0, []
    for header, lines in tables_of(page):
        if "option" in header or "columns" in header or not set(header) & {"time", "value", "n", "faster", "best setting"}:
            continue
        dictionaries = [dict(zip(header, line)) for line in lines]
        fastest = next((c for c in dictionaries if str(c.get("behind")).startswith("fastest")), None)
        for cells in dictionaries:
            if not without_versions(rows, cells):
                bad.append(f"{page}: {cells} has another version")
            if "over" in cells and not verdict_is_of_ratio(cells):
                bad.append(f"{page}: verdict {cells['verdict']!r} of {cells} is not that of the ratio")
            if not line_is_measured(rows, cells):
                bad.append(f"{page}: {cells} are not of one row of a CSV")
            for name, text in cells.items():
                if not re.search("[0-9]", text):
                    continue
                looked += 1
                if not is_measured(rows, name, cells, fastest):
                    bad.append(f"{page}: {name} {text!r} of {cells} is in no CSV")
    for told, of in re.findall(r"(\d+) of (\d+) rows", open(page, encoding="utf-8").read()):
        looked += 1
        if int(of) not in rows.counts or int(told) > int(of):
            bad.append(f"{page}: {told} of {of} rows: no CSV has so many")
    print(*bad, sep="\n")
    print(f"{looked} numbers, {len(bad)} in no CSV")
    return 0 if looked and not bad else 1


sys.exit(main(*sys.argv[1:]))
