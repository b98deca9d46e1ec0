"""site_is_whole.t"""

import csv
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import tap
from made_rows import COLUMNS, in_rounds, row

ROOT = Path(sys.argv[1])
MOST_BYTES = 2_000_000
CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
LOADS = {"src", "srcset", "poster", "action", "data", "background", "ping"}  # attributes that ask


class Page(HTMLParser):
    """Where a page leads, what it would load, and its ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: List[str] = []
        self.loads: List[str] = []
        self.ids: List[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        of = {name: value or "" for name, value in attrs}
        self.ids += [of["id"]] if "id" in of else []
        if tag == "a":
            self.links.append(of.get("href", ""))
        elif tag == "link":
            self.loads += [of["href"]] if of.get("href") != "data:," else []
        elif tag == "meta" and of.get("http-equiv") == "Content-Security-Policy":
            self.policy = of["content"]
        self.loads += [f"{tag} {name}" for name in LOADS & set(of)]


def made(out: Path, *folders: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "reports/site"), str(out), *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True)


def texts_of(out: Path) -> Dict[str, str]:
    return {str(p.relative_to(out)): p.read_text(encoding="utf-8") for p in out.rglob("*.html")}


def dangling(texts: Dict[str, str]) -> List[str]:
    """Links that lead to no page, or to no place of it; pages that no other links."""
    pages = {path: Page(text) for path, text in texts.items()}
    found, linked = [], {"index.html"}
    for path, page in pages.items():
        for link in page.links:
            to, _, anchor = link.partition("#")
            if to.startswith(("https://", "http://")):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), to)) if to else path
            linked.add(target)
            if target not in pages or (anchor and anchor not in pages[target].ids):
                found.append(f"{path}: {link}")
        found += [f"{path}: two of #{i}" for i in set(page.ids) if page.ids.count(i) > 1]
    return found + [f"nothing leads to {path}" for path in sorted(set(pages) - linked)]


def asked(texts: Dict[str, str]) -> List[str]:
    """What pages would load, and pages without the policy that forbids it."""
    found = []
    for path, text in texts.items():
        page = Page(text)
        found += [f"{path} loads {what}" for what in page.loads]
        found += [] if " ".join(page.policy.split()) == CSP else [f"{path}: {page.policy}"]
        style = "".join(re.findall(r"<style>(.*?)</style>", text, re.S))
        found += [f"{path}: {word} in a style" for word in ("url(", "@import") if word in style]
    return found


def words_of(text: str) -> str:
    """Without scripts and tags."""
    text = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)
    text = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</t[dh]>", " ", text)))
    return text.replace("\u00a0", " ")


# ---- the answers, counted anew -------------------------------------------------------------------


NS_OF = {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9}


def ns_in(text: str) -> List[float]:
    """The times in a text, in ns."""
    return [float(n) * NS_OF[unit] for n, unit in re.findall(r"([0-9.]+) (ns|µs|ms|s)\b", text)]


def rows_of(index: str) -> List[Tuple[Dict[str, str], str]]:
    """Of each answer what it can be chosen by, and its words."""
    found = []
    for attributes, text in re.findall(r'<tr role="row"( data-.*?)>(.*?)</tr>', index, re.S):
        keys = dict(re.findall(r'data-(\w+)="(.*?)"', attributes))
        size = re.search(r'data-name="n"[^>]*><span>(.*?)</span>', text)
        found.append(({**keys, "size": size[1] if size else ""}, words_of(text)))
    return found


def readme_answers(index: str) -> List[str]:
    """The lines of README.md that the index does not have: the plugin, and its time to what two runs may
    differ by."""
    table = subprocess.run([str(ROOT / "reports/answers")], capture_output=True, text=True).stdout
    lacks = []
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        plugin, (ns,) = cells[2].split("`")[1], ns_in(cells[3])
        near = [
            of
            for of, text in rows_of(index)
            if plugin in text and abs(float(of["ns"]) / ns - 1) < 0.03
        ]
        lacks += [] if near else [line]
    return lacks


def measured() -> int:
    """How many problems the committed CSVs have, of each device and number of devices."""
    found = set()
    for path in (ROOT / "reports").glob("*/*.csv"):
        with open(path, newline="", encoding="utf-8") as file:
            for r in csv.DictReader(file):
                if (
                    r["status"] == "ok"
                    and r["phase"] == "run"
                    and r["op"]
                    and r["role"] != "calibrator"
                ):
                    parts = r.get("parts") or "1"
                    place = "cpu" if r["backend"] == "cpu" or "NVIDIA" not in r["device"] else parts
                    shape = r.get("rows") or "1", r.get("inner") or "1"
                    found.add(
                        (
                            path.parent.name,
                            place,
                            r["kind"],
                            r["op"],
                            r["dtype"],
                            r["cache"],
                            r["n"],
                            shape,
                        )
                    )
    return len(found)


# ---- small results -------------------------------------------------------------------------------

NS = {"fast": 1000.0, "slow": 2000.0, "lib": 4000.0}


def small(folder: Path, factor: float = 1.0, names: Optional[Dict[str, float]] = None) -> Path:
    """A folder of one CSV: each plugin in rounds, with no noise to speak of."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for n in (1000, 10000):
        for number, (name, ns) in enumerate((names or NS).items()):
            values = [ns * n / 1000 * factor * (1 + 0.001 * ((i + number) % 3)) for i in range(12)]
            role = "peer" if name == "lib" else "algorithm"
            rows.append(
                in_rounds(name, values, role=role, n=n, bytes_per_s=8 * n / values[0] * 1e9)
            )
    with open(folder / "some.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*COLUMNS, "bytes_per_s"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder


def follows_the_data(work: Path) -> List[str]:
    """Three times as long each: every time is, and no ratio changes."""
    found = []
    for factor, times in ((1.0, "10.0 µs"), (3.0, "30.0 µs")):
        out = work / f"of-{factor}"
        made(out, small(work / "mine", factor))
        text = words_of((out / "index.html").read_text(encoding="utf-8"))
        found += [] if f"fast is fastest: {times}" in text else [text]
        found += [] if "4.00×" in text else ["the library's ratio is not 4.00×"]
        page = words_of((out / "plugin/slow.html").read_text(encoding="utf-8"))
        is_told = any(abs(ns / (20_000 * factor) - 1) < 0.01 for ns in ns_in(page))
        found += [] if is_told and "2.00x" in page else [f"slow: {page[:900]}"]
    before, now = (texts_of(work / f"of-{factor}")["index.html"] for factor in (1.0, 3.0))
    return found if "10.0 µs" in before and "10.0 µs" not in now else [*found, "a time stayed"]


def names_are_texts(work: Path) -> List[str]:
    """Any program may have written the CSV."""
    names = {"../../up": 1000.0, "<b>bold</b>": 2000.0, '"quoted" & more': 3000.0}
    names.update({"a.b": 4000.0, "a-b": 5000.0, "x" * 300: 6000.0})
    folders = ["a#b?c%20d", "@data@", "one/same", "two/same", 'q"<b>bold</b>\n'.replace("/", "")]
    odd = [small(work / "odd" / folder, 1.0, names) for folder in folders]
    result = made(work / "names", *odd, odd[0])
    texts = texts_of(work / "names")
    found = [
        f"{path}: <b>bold"
        for path, text in texts.items()
        if "<b>bold" in text and "machine/" not in path
    ]
    found += dangling(texts) + asked(texts)
    pages = [path for path in texts if path.startswith("plugin/")]
    lost = [
        name
        for name in names
        if sum(f"<title>{html.escape(name)} -" in texts[p] for p in pages) != 1
    ]
    machines = [path for path in texts if path.startswith("machine/")]
    if result.returncode or lost or len(machines) != len(folders):
        found.append(f"{lost} {machines} {result.stderr}")
    return found


def numbers_are_any(work: Path) -> List[str]:
    """Bandwidths that there cannot be are left out."""
    folder = small(work / "bounds")
    text = (folder / "some.csv").read_text().splitlines()
    odd = ["1e-320", "1e308", "0", "", "5e-324", "1e22"]
    lines = [f"{line.rpartition(',')[0]},{value}" for line, value in zip(text[1:], odd)]
    (folder / "some.csv").write_text("\n".join([text[0], *lines]) + "\n")
    result = made(work / "of-bounds", folder)
    return [] if result.returncode == 0 else [result.stderr]


def old_site_is_kept(work: Path) -> List[str]:
    """A folder of something else is refused, a damaged CSV leaves the site as it was, a new site has no
    page of the old one."""
    found = []
    other = work / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years")
    result = made(other, small(work / "mine"))
    if (
        result.returncode != 2
        or "not a site" not in result.stderr
        or os.listdir(other) != ["thesis.txt"]
    ):
        found.append(f"{result}: {os.listdir(other)}")
    out = work / "site"
    made(out, small(work / "mine"))
    (out / "plugin/old.html").write_text("of yesterday")
    before = texts_of(out)
    damaged = work / "damaged"
    damaged.mkdir()
    (damaged / "a.csv").write_text("a,b\n1,2\n")
    for folder, words in ((damaged, "a.csv, line 1"), (work / "none", "has no CSV")):
        result = made(out, folder)
        if result.returncode != 2 or words not in result.stderr or texts_of(out) != before:
            found.append(f"{folder}: {result}")
    (out / "CNAME").write_text("example.org")
    result = made(out, small(work / "mine"))
    if (
        result.returncode != 2
        or "CNAME is not of the site" not in result.stderr
        or texts_of(out) != before
    ):
        found.append(f"CNAME: {result}")
    (out / "CNAME").unlink(missing_ok=True)
    (work / "link").symlink_to("site")
    result = made(work / "link", small(work / "mine"))
    if result.returncode or not (work / "link").is_symlink():
        found.append(f"link: {result}")
    if "plugin/old.html" in texts_of(out) or [p.name for p in work.glob(".scanbench-site*")]:
        found.append(f"left: {list(work.iterdir())}")
    return found


def main() -> None:
    tap.plan(11)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        result = made(work / "all")
        tap.claim(
            "the site of all committed results is made", result.returncode == 0, result.stderr
        )
        texts = texts_of(work / "all")
        lost = dangling(texts)
        tap.claim("each link leads to a page, and to each page a link", not lost, *lost[:20])
        long = [
            f"{p}: {len(t.encode())}" for p, t in texts.items() if len(t.encode()) >= MOST_BYTES
        ]
        tap.claim("each page is shorter than 2 MB", not long, *long)
        loads = asked(texts)
        tap.claim("no page asks for anything, and each forbids it", not loads, *loads[:20])
        index = texts["index.html"]
        lacks = readme_answers(index)
        tap.claim("each answer of README.md is among those of the site", not lacks, *lacks)
        there = [of for of, _ in rows_of(index) if of["data"] == "already there"]
        asked_for = [(of["on"], of["scan"], of["type"], of["size"], of["shape"]) for of in there]
        shown = len({question[:-1] for question in asked_for})
        once = len(set(asked_for)) == len(asked_for)
        tap.claim(
            "each problem of each device has one answer",
            shown == measured() and once,
            *(shown, measured(), len(there)),
        )
        plugins = {p for p in texts if p.startswith("plugin/")}
        known = {
            p.name for p in (ROOT / "plugins").iterdir() if (p / "CMakeLists.txt").exists()
        } - {"common"}
        lacking = [name for name in known if f"plugin/{name}.html" not in plugins]
        bare = [
            p for p in plugins if "The idea" not in texts[p] or 'class="source"' not in texts[p]
        ]
        tap.claim(
            "each plugin has a page with its idea and its source", not lacking + bare, lacking, bare
        )
        changed = follows_the_data(work)
        tap.claim("times follow the data, and ratios do", not changed, *changed)
        odd = names_are_texts(work)
        tap.claim("names with tags and dots are texts", not odd, *odd[:10])
        bounds = numbers_are_any(work)
        tap.claim("a bandwidth that there cannot be breaks no page", not bounds, *bounds)
        kept = old_site_is_kept(work)
        tap.claim("only a site is replaced, by a whole one", not kept, *kept)


main()
