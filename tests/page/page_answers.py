"""The claims of page_answers.t; see there. usage: page_answers.py ROOT CHROMIUM CHROMEDRIVER"""
import csv
import json
import math
import os
import random
import re
import statistics
import sys
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import Browser, claim, page_of

root, chromium, chromedriver = sys.argv[1:]
COLUMNS = (
    "schema run_id timestamp_utc host plugin role backend device kind op dtype n block vt params cache phase status reason samples median_ns ci_lo_ns "
    "ci_hi_ns pct_copy speedup speedup_lo speedup_hi rounds load flags parts layout rounds_ns spins_ns group_id rows inner max_ulps result"
).split()
SIZES = [10 ** k for k in range(3, 8)]
ROUNDS = 12


def row(plugin, n, ns, rng=None, **more):
    """A row of `run`, with rounds about its time if there is a source of noise, else without an interval."""
    cells = {"schema": 1, "run_id": "r", "host": "here", "plugin": plugin, "role": "algorithm", "backend": "cpu", "device": "A processor", "kind": "exclusive",
             "op": "sum", "dtype": "i32", "n": n, "cache": "hot", "phase": "run", "status": "ok", "samples": 100, "median_ns": ns, "load": 10.9, **more}
    if rng:
        values = sorted(ns * math.exp(rng.gauss(0, 0.004)) for _ in range(ROUNDS - 1))
        values.append(ns * 1.5)  # far out
        values = [v * ns / statistics.median(values) for v in values]
        rng.shuffle(values)
        cells.update(rounds=ROUNDS, rounds_ns=" ".join(f"{v:.10g}" for v in values), ci_lo_ns=ns * 0.99, ci_hi_ns=ns * 1.01)
    return cells


def write(path, rows, units=2):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(path + "-metadata.json", "w") as file:
        json.dump({"notes": [{"schema": 1, "run_id": "r", "topology": f"1 packages, 1 nodes, {units} cores, {units} processing units"}]}, file)
    return path


def many_rows():
    """A baseline, 30 plugins, the last of which is slow beyond measure at small n, and a copy."""
    rng = random.Random(7)
    for n in SIZES:
        base = 100 + n * 0.5
        copy = n * 0.05 + 50
        yield row("copy", n, copy, rng, role="ceiling", op="", kind="", pct_copy=100)
        yield row("cpu_serial", n, base, rng, role="baseline", speedup=1, flags="busy;noisy")
        for k in range(30):
            ns = n * 0.06 * (1 + k / 20) + 10 ** (k / 29 * 7)
            for block in (64, 128) if k == 0 else (64,):
                time = ns * (1 if block == 64 else 1.2)
                yield row(f"scan_{k:02}", n, time, rng, block=block, params="pad=1;word=0", flags="busy;noisy", pct_copy=copy / time * 100, speedup=base / time,
                          speedup_lo=base / time * 0.99, speedup_hi=base / time * 1.01)


def texts(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.replaceAll('\\u00a0', ' '))", selector)


def legend(browser, figure):
    return texts(browser, f"#{figure} .legend > li:not(.others) > button:first-child")


def axes_never_say_zero(browser, path):
    browser.open(path, 1400)
    found = []
    for figure in ("time", "bandwidth", "speedup-run", "spread"):
        ticks = [text for text in texts(browser, f"#{figure} svg text") if text[:1].isdigit()]
        if len(ticks) < 3:
            found.append(f"{figure} has the ticks {ticks}")
        found += [f"{figure}: {tick}" for tick in ticks if re.match(r"0(\.0*)?($|[ ×%])", tick)]
    return found


def best_are_drawn(browser, path):
    """Of 31 plugins eight, and the copy; the others are grey lines without a name."""
    browser.open(path, 1400)
    best = [f"scan_{k:02}" for k in range(8)] + ["copy"]
    found = [] if legend(browser, "time") == best else [f"the legend has {legend(browser, 'time')}"]
    grey = browser.run("return document.querySelectorAll('#time svg path[stroke-opacity=\"0.45\"]').length")
    if grey != 23 or texts(browser, "#time .others summary") != ["23 others in grey"]:
        found.append(f"{grey} grey lines, {texts(browser, '#time .others summary')}")
    if browser.run("return scanbenchReport.tips('time').some(tip => !tip.includes('and 23 grey lines'))"):
        found.append("what hovering shows does not tell of the grey lines")
    return found + browser.problems()


def one_is_picked(browser, path):
    """By the keyboard: the list of the others is opened, one of them picked in all plots, and let go again."""
    browser.open(path, 1400)
    found = []

    def press(key=Keys.ENTER):
        browser.driver.switch_to.active_element.send_keys(key)
        browser.run("scanbenchReport.drawAll()")

    def picked(name):
        return browser.run("return document.activeElement.dataset.only") == name and all(legend(browser, figure)[:1] == [name] for figure in ("time", "bandwidth"))

    browser.run("document.querySelector('#time .others summary').focus()")
    press()
    press(Keys.TAB)
    name = browser.run("return document.activeElement.dataset.only")
    press()
    if not picked(name) or name in (None, "scan_00"):
        found.append(f"{name}: {legend(browser, 'time')}, the focus is at {browser.run('return document.activeElement.outerHTML')[:200]}")
    found += browser.problems()
    if f"only={name}" not in browser.run("return location.hash"):
        found.append("the address does not know it")
    press()
    if legend(browser, "time")[0] != "scan_00" or "only=" in browser.run("return location.hash"):
        found.append(f"it is not let go: {legend(browser, 'time')}")
    return found


def choose(browser, name, value):
    browser.run("""const s = document.querySelector('[name=' + arguments[0] + ']'); s.value = arguments[1];
        s.dispatchEvent(new Event('change', { bubbles: true })); scanbenchReport.drawAll();""", name, value)


def address_keeps_choice(browser, path):
    found = []

    def shows(n, where):
        said = browser.run("return [document.querySelector('[name=size]').value, document.querySelector('[data-say=n]').textContent]")
        if said != [str(n), f"n = {n:,}"]:
            found.append(f"{where}: {said}, expected {n}, at {browser.run('return location.hash')}")

    browser.open(path, 1400)
    if browser.run("return location.hash"):
        found.append("nothing is chosen, and the address says " + browser.run("return location.hash"))
    shows(1000000, "as it opens")
    choose(browser, "size", "10000")
    browser.driver.refresh()
    shows(10000, "after a reload")
    browser.run("document.querySelector('#contents a[href=\"#noise\"]').click()")
    browser.driver.execute_async_script("setTimeout(arguments[0], 50)")
    shows(10000, "at a section")
    shared = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.driver.get(shared)
    shows(10000, "as a shared link")
    top = browser.run("return document.getElementById('noise').getBoundingClientRect().top")
    if not -200 < top < 400 or "noise" not in shared:
        found.append(f"the section is at {top}, {shared}")
    browser.run("location.hash = '#n=1000&only=scan_02'")
    browser.driver.execute_async_script("setTimeout(arguments[0], 50)")
    shows(1000, "as the address changes")
    for address in ("#n=7", "#n=%E0%A4%A&clock=none&only=x&problem=y", "#&&==", "#"):
        browser.driver.get("about:blank")
        browser.driver.get("file://" + path + address)
        shows(1000000, address)
    return found + browser.errors()


def opens_with(browser, path, n, sentences):
    browser.open(path, 1400)
    said = " ".join(texts(browser, "#answer-words .says, #answer-words .also"))
    found = [f"lacks: {sentence}; {said}" for sentence in sentences if sentence not in said]
    if "Nothing was measured" in said:
        found.append(said)
    value = browser.run("return document.querySelector('[name=size]').value")
    if value != str(n):
        found.append(f"it opens with {value}, expected {n}")
    return found


def disturbance_is_told(browser, path):
    browser.open(path, 1400)
    first, second = browser.run("return [...document.querySelectorAll('#answer-words p')].slice(0, 2).map(p => p.textContent.replaceAll('\\u00a0', ' '))")
    expected = "What disturbed the run: other programs or the hypervisor took the processor (busy, 160 of 165 configurations); the load was 10.9 on 2 processing units."
    found = [] if expected in second and "certain" in first else [first, second]
    if "scan_00" not in second:
        found.append("it does not say that the winner was disturbed")
    bottom = browser.run("return document.querySelector('.disturbed').getBoundingClientRect().bottom + scrollY")
    return found + ([f"it is at {bottom} pixels"] if bottom > 900 else [])


def medians_make_nobody_fastest(browser, path):
    browser.open(path, 1400)
    said = " ".join(texts(browser, "#answer-words .says"))
    tags = set(texts(browser, "#winners tbody .tag"))
    found = [] if "shortest median" in said and "not known" in said and "is fastest" not in said else [said]
    if tags != {"not known"} or "by its median" not in " ".join(texts(browser, "#winners tbody")):
        found.append(f"the table says {tags}")
    return found


def rounds_are_drawn(browser, path, rows):
    browser.open(path, 1400)
    found = []
    shown = [r for r in rows if r["n"] == 1000000 and r.get("block") != 128]
    figure = next((f for f in browser.run("return scanbenchReport.figures()") if f["id"] == "distribution"), None)
    if not figure or figure["points"] != len(shown) * ROUNDS:
        found.append(f"{figure}, expected {len(shown)} rows of {ROUNDS} rounds")
    table = browser.run("""const details = document.querySelector('#distribution details');
        details.open = true; details.dispatchEvent(new Event('toggle'));
        return [...details.querySelectorAll('tbody tr')].map(row => [row.cells[0].textContent, ...['rounds', 'least', 'largest']
          .map(name => row.querySelector('[data-name="' + name + '"]').textContent.replaceAll('\\u00a0', ' '))]);""")
    expected = {}
    for r in shown:
        values = [float(v) / r["median_ns"] - 1 for v in r["rounds_ns"].split()]
        expected[r["plugin"]] = len(values), min(values), max(values)
    for plugin, count, least, largest in table:
        wanted = expected.pop(plugin)
        got = int(count), *(float(text.replace("−", "-").rstrip(" %")) / 100 for text in (least, largest))
        if got[0] != wanted[0] or any(abs(a - b) > 0.06 * abs(b) for a, b in zip(got[1:], wanted[1:])):
            found.append(f"{plugin}: {got}, expected {wanted}")
    return found + [f"no line for {plugin}" for plugin in expected] + browser.problems()


def exact_rows():
    """Of two sizes: a plugin with a promise, each of whose settings has two values of another tunable, and one without; and one that is exact."""
    for n in (1000, 100000):
        yield row("scan_a", n, n, random.Random(n), dtype="f32", pct_copy=90, params="way=0;accurate=0", max_ulps=200)
        yield row("scan_a", n, 1.2 * n, random.Random(n + 1), dtype="f32", pct_copy=75, params="way=1;accurate=0", max_ulps=200)
        yield row("scan_a", n, 1.5 * n, random.Random(n + 2), dtype="f32", pct_copy=60, params="way=0;accurate=1", max_ulps=0.5)
        yield row("scan_a", n, 1.6 * n, random.Random(n + 3), dtype="f32", pct_copy=56, params="way=1;accurate=1", max_ulps=0.5)
        yield row("scan_b", n, 2 * n, random.Random(n + 4), dtype="f32", pct_copy=45, max_ulps=3000)
        yield row("scan_c", n, 3 * n, random.Random(n + 5), dtype="f32", pct_copy=30, max_ulps=0)


def accuracy_is_drawn(browser, path):
    browser.open(path, 1400)
    figure = next((f for f in browser.run("return scanbenchReport.figures()") if f["id"] == "accuracy"), {})
    found = [] if figure.get("points") == 3 else [f"{figure}, expected 3 points"]
    table = browser.run("""const details = document.querySelector('#accuracy details');
        details.open = true; details.dispatchEvent(new Event('toggle'));
        return [...details.querySelectorAll('tbody tr')].map(row => [row.cells[0], ...['% of copy', 'max ulps']
          .map(name => row.querySelector('[data-name="' + name + '"]'))].map(cell => cell.textContent.trim()));""")
    expected = [["scan_a", "90.0", "200"], ["scan_a", "60.0", "0.500"], ["scan_b", "45.0", "3,000"], ["scan_c", "30.0", "0"]]
    if table != expected:
        found.append(f"the table is {table}")
    if "scan_c" not in browser.run("return document.querySelector('#accuracy .note')?.textContent ?? ''"):
        found.append("nobody says that scan_c is exact")
    return found + browser.problems()


def crossings_are_a_table(browser, path, rows):
    browser.open(path, 1400)
    found = ["there are bullets"] if browser.run("return !!document.querySelector('#speedup-run ul:not(.legend)')") else []
    crossing = set()
    for k in range(30):
        speedups = [r["speedup"] for r in rows if r["plugin"] == f"scan_{k:02}" and r["block"] == 64]
        if min(speedups) < 0.98 and max(speedups) > 1.02:
            crossing.add(f"scan_{k:02}")
    shown = set()
    for _ in range(3):
        shown.update(texts(browser, "#speedup-run details:has(caption) tbody th"))
        browser.run("document.querySelectorAll('#speedup-run .pager button')[1]?.click()")
    return found + ([] if shown == crossing and len(shown) > 8 else [f"{sorted(shown)}, expected {sorted(crossing)}"])


def copies_have_a_mark(browser, path):
    browser.open(path, 1400)
    marks = browser.run("return [...document.querySelectorAll('#time .legend > li > button:first-child')].map(b => [b.textContent, b.querySelector('svg path:last-child').getAttribute('d')])")
    of_copies = {d for name, d in marks if name == "copy"}
    found = [f"{name} has the mark of a copy" for name, d in marks if name != "copy" and d in of_copies]
    tall = browser.run("""return [...document.querySelectorAll('#ranking svg path')].map(p => p.getBoundingClientRect()).filter(b => b.width > 1 && b.width < 4 && b.height > 8 && b.height < 12).length""")
    return found + ([] if tall == 1 and of_copies else [f"{tall} upright strokes in the ranking"])


def words_are_whole(browser, path):
    """No flag is broken, at any width; settings say what differs, and the table of every row has the rest."""
    found = []
    for width in (390, 700, 1000, 1400):
        browser.open(path, width)
        browser.run("for (const d of document.querySelectorAll('details')) { d.open = true; d.dispatchEvent(new Event('toggle')); }")
        found += browser.run("return [...document.querySelectorAll('.whole')].filter(e => e.getClientRects().length > 1).map(e => e.textContent + ' is broken').slice(0, 5)")
        if not browser.run("return document.querySelectorAll('td .whole').length"):
            found.append("there are no flags")
    settings = set(texts(browser, '#ranking [data-name="setting"]'))
    if settings != {"", "block=64"}:
        found.append(f"settings: {settings}")
    whole = set(texts(browser, '#rows [data-name="setting"]'))
    if "block=64 pad=1 word=0" not in whole:
        found.append(f"every row: {whole}")
    return found


def long_lists_are_folded(browser, path):
    browser.open(path, 1400)
    folded = texts(browser, "#flags td details.names summary")
    return [] if folded == ["31 plugins", "31 plugins"] else [f"{folded}"]


# rows x n of a grid: who takes so many times as long as the fastest
GRID = {(rows, n): {"scan_left": 1 if n < 1000 else 1.5, "scan_right": 1.25 if n < 1000 else 1, "scan_same": 1 if rows == 100 and n == 10 else 3}
        for rows in (1, 10, 100, 1000) for n in (10, 100, 1000, 10000, 100000)}


def grid_rows():
    for at, ((rows, n), times) in enumerate(GRID.items()):
        yield row("copy", n, rows * n / 2, random.Random(at), role="ceiling", op="", kind="", rows=rows, group_id=at)
        for plugin, ratio in times.items():
            yield row(plugin, n, rows * n * ratio, random.Random(at), rows=rows, group_id=at)


def map_has_each_winner(browser, path):
    """The words of each cell by its place; wide cells have the name, narrow ones a letter."""
    found = []
    for width in (1400, 390):
        browser.open(path, width)
        cells = browser.run("""const svg = document.querySelector('#grid-0 svg').getBoundingClientRect();
            const lines = [...document.querySelectorAll('#grid-0 svg text')].map(t => [t.getBoundingClientRect(), t.textContent]);
            return lines.filter(([, words]) => /^[ab]( |$)/.test(words)).map(([box, words]) => [words, lines.find(([b, w]) => w !== words
              && Math.abs(b.x + b.width / 2 - box.x - box.width / 2) < 3 && b.y > box.y && b.y < box.y + 20)?.[1], box.x - svg.x, box.y - svg.y]);""")
        names = ("a scan_right", "b scan_left") if width > 1000 else ("a", "b")
        ordered = sorted(cells, key=lambda c: (round(c[3] / 20), c[2]))
        expected = []
        for (rows, n), times in GRID.items():
            least, over = sorted(times.values())[:2]
            expected.append([names[n < 1000], "=" if over == least else f"{over / least:.2f}×"])
        if [c[:2] for c in ordered] != expected:
            found.append(f"{width}: {[c[:2] for c in ordered]}, expected {expected}")
    fills = browser.run("return [...document.querySelectorAll('#grid-0 svg path[stroke-width=\"2\"]')].map(cell => cell.getAttribute('fill'))")
    if sorted(fills.count(fill) for fill in set(fills)) != [1, 7, 12]:
        found.append(f"the tie is not paler, or plugins have no colours of their own: {fills}")
    if legend_words(browser, "grid-0") != ["a scan_right (12)", "b scan_left (8)"]:
        found.append(f"the legend: {legend_words(browser, 'grid-0')}")
    table = browser.run("""const details = document.querySelector('#grid-0 details');
        details.open = true; details.dispatchEvent(new Event('toggle'));
        return [...details.querySelectorAll('tbody tr')].map(row => [row.querySelector('[data-name=rows]').textContent, row.cells[0].textContent,
          row.querySelector('[data-name=fastest] b').textContent]);""")
    wanted = [["" if rows == 1 else f"{rows:,}", f"{n:,}", "scan_left" if n < 1000 else "scan_right"] for rows, n in GRID]
    found += [] if table == wanted else [f"the table: {table}"]
    found += [f"tip: {tip}" for tip in browser.run("return scanbenchReport.tips('grid-0')") if tip and "the next" not in tip and "tied" not in tip]
    return found


def legend_words(browser, figure):
    return texts(browser, f"#{figure} .legend .entry")


def rows_are_chosen(browser, path):
    """Each number of rows is a problem of its own; the address has it, and the sentences say it."""
    browser.open(path, 1400)
    problems = texts(browser, "[name=problem] option")
    found = [] if problems == ["i32 sum exclusive", *(f"i32 sum exclusive, {rows} rows" for rows in ("10", "100", "1,000"))] else [problems]
    choose(browser, "problem", "2")
    said = " ".join(texts(browser, "#answer-words .says") + texts(browser, "#ranking h3"))
    found += [] if "At n = 100,000 in 100 rows scan_right is fastest" in said and "All plugins at n = 100,000 in 100 rows" in said else [said]
    browser.run("const details = document.querySelector('#ranking details'); details.open = true; details.dispatchEvent(new Event('toggle'));")
    times = dict(zip(texts(browser, "#ranking tbody th"), texts(browser, '#ranking td[data-name="time"]')))
    found += [] if times == {"copy": "5.000 ms", "scan_right": "10.00 ms", "scan_left": "15.00 ms", "scan_same": "30.00 ms"} else [times]
    browser.driver.refresh()
    chosen = browser.run("return document.querySelector('[name=problem]').value")
    return found + ([] if chosen == "2" else [f"after a reload problem {chosen}, {browser.run('return location.hash')}"])


def length_is_drawn(browser, path):
    """Rows of a million elements: one curve, whose bandwidth is that of all rows; no map of a line."""
    browser.open(path, 1400)
    found = [] if texts(browser, "#sizes-title") == ["Against the length of a row"] else texts(browser, "#sizes-title")
    said = " ".join(texts(browser, "#answer-words .says") + texts(browser, "#sizes-elements"))
    if "At n = 50,000 in 20 rows" not in said or "about 1,000,000 elements" not in said:
        found.append(said)
    if browser.run("return !document.querySelector('#shapes').hidden || !document.querySelector('#choose-problem').hidden"):
        found.append("there is a map, or a problem to choose")
    table = browser.run("""const details = document.querySelector('#bandwidth details');
        details.open = true; details.dispatchEvent(new Event('toggle'));
        return [...details.querySelectorAll('tbody tr')].map(row => ['n', 'rows', 'GB/s'].map(name => row.querySelector('[data-name="' + name + '"]').textContent));""")
    return found + ([] if table == [["8", "125,000", "2.00"], ["1,000", "1,000", "4.00"], ["50,000", "20", "8.00"]] else [f"{table}"])


def copy_is_named(browser, path):
    browser.open(path, 1400)
    browser.run("const d = document.querySelector('#ranking details'); d.open = true; d.dispatchEvent(new Event('toggle'));")
    named = set(texts(browser, '#ranking td[data-name="which copy"]'))
    return [] if named == {"", "copy"} else [f"{named}"]


def begins_with_the_answer(browser, path):
    """The answer is seen, and little else; a link to a section opens it, a button all of them."""
    browser.open(path, 1400, folded=True)
    words = "return document.body.innerText.split(/\\s+/).length"
    opened = "return [...document.querySelectorAll('main > section > details')].map(fold => fold.open)"
    said, first = browser.run(words), browser.run("return document.querySelector('main .says').getBoundingClientRect().bottom")
    found = [] if first < 700 and not any(browser.run(opened)) else [f"the answer ends at {first}, {browser.run(opened)}"]
    browser.run("document.querySelector('#contents a[href=\"#noise\"]').click()")
    browser.driver.execute_async_script("setTimeout(arguments[0], 50)")
    if browser.run(opened).count(True) != 1 or not browser.run("return document.querySelector('#noise > details').open"):
        found.append(f"the link opens {browser.run(opened)}")
    for pressed in (True, False):
        browser.run("document.querySelector('#contents button').click()")
        browser.driver.execute_async_script("setTimeout(arguments[0], 50)")
        if set(browser.run(opened)) != {pressed}:
            found.append(f"the button makes of {not pressed}: {browser.run(opened)}")
    browser.run("for (const d of document.querySelectorAll('details')) { d.open = true; d.dispatchEvent(new Event('toggle')); }")
    whole = browser.run(words)
    return found + ([] if said < 900 and whole > 4 * said else [f"{said} words of {whole} are seen"])


def asks_for_nothing(browser, *paths):
    found = []
    for path in paths:
        browser.open(path, 1400)
        found += browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
    return found


def names_no_folder(work, path):
    with open(path) as file:
        return ["it has the name of its folder"] if work in file.read() else []


def main():
    print("TAP version 13\n1..22")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        os.environ["TMPDIR"] = work
        rows = list(many_rows())
        many = page_of(root, f"{work}/many.html", write(f"{work}/many.csv", rows))
        bare = page_of(root, f"{work}/bare.html", write(f"{work}/bare.csv", [row(f"scan_{k}", n, n * (k + 1)) for n in SIZES for k in range(3)]))
        parts = page_of(root, f"{work}/parts.html", *(
            write(f"{work}/parts_{k}.csv", [row(plugin, n * k, n * (1 + k / 10), random.Random(k), parts=k, params=f"parts={k}", layout="cyclic")
                                            for n in (3000, 50000) for plugin in ("scan_a", "scan_b")]) for k in (1, 2, 4)))
        shared = page_of(root, f"{work}/shared.html", *(
            write(f"{work}/file_{k}.csv", [row("scan", n, n, random.Random(k)) for n in sizes]) for k, sizes in enumerate(([10, 700, 5000], [10, 700], [700, 90000]))))
        grid = page_of(root, f"{work}/grid.html", write(f"{work}/grid.csv", grid_rows()))
        sweep = page_of(root, f"{work}/sweep.html", write(f"{work}/sweep.csv", [
            row("scan", n, 8e6 / gigabytes, random.Random(n), rows=10 ** 6 // n, pct_copy=9 * gigabytes) for n, gigabytes in ((8, 2), (1000, 4), (50000, 8))]))
        exact = page_of(root, f"{work}/exact.html", write(f"{work}/exact.csv", list(exact_rows())))
        browser = Browser(chromium, chromedriver)
        try:
            claim("no tick of a logarithmic axis says 0", axes_never_say_zero(browser, many))
            claim("of 31 plugins the best eight are drawn as such, and the others grey", best_are_drawn(browser, many))
            claim("one of them is picked by the keyboard, in all plots, and let go", one_is_picked(browser, many))
            claim("the address keeps the choice: a reload and a shared link open it", address_keeps_choice(browser, many))
            claim("a page begins with the answer, and folds the rest", begins_with_the_answer(browser, many))
            claim("a page of several files opens with a size that most of them have", opens_with(browser, shared, 700, ["At n = 700 "]))
            claim("that of several numbers of parts with one of weak scaling", opens_with(
                browser, parts, 50000, ["At n = 50,000 ", "At n = 100,000 (50,000 in each of 2 parts)", "At n = 200,000 (50,000 in each of 4 parts)"]))
            claim("what disturbed the run stands beside how certain the answer is", disturbance_is_told(browser, many))
            claim("without intervals nobody is called the fastest", medians_make_nobody_fastest(browser, bare))
            claim("each round of each row is drawn, and the table is right", rounds_are_drawn(browser, many, rows))
            claim("speed stands against accuracy, for each promise of a plugin", accuracy_is_drawn(browser, exact))
            claim("crossings are a table of all of them", crossings_are_a_table(browser, many, rows))
            claim("no plugin has the mark of copies", copies_have_a_mark(browser, many))
            claim("flags are not broken, and settings say what differs", words_are_whole(browser, many))
            claim("long lists of plugins are folded", long_lists_are_folded(browser, many))
            claim("a share of the copy says of which", copy_is_named(browser, many))
            claim("a map has the winner of each number of rows and n, and its lead", map_has_each_winner(browser, grid))
            claim("each number of rows is chosen and told", rows_are_chosen(browser, grid))
            claim("rows of as many elements together are one curve over their length", length_is_drawn(browser, sweep))
            claim("all of these pages are readable on a phone and on paper", [problem for path in (many, bare, parts, shared, grid, sweep, exact) for width, theme in ((390, "light"), (1400, "dark"), (680, "print"))
                                                                             for problem in (browser.open(path, width, theme), browser.problems())[1]])
            claim("nothing is asked of a network", asks_for_nothing(browser, many, parts))
            claim("a page names no folder of its author", names_no_folder(work, many) + names_no_folder(work, parts))
        finally:
            browser.close()


main()
