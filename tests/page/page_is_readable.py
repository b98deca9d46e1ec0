"""The claims of page_is_readable.t; see there. usage: page_is_readable.py ROOT CHROMIUM CHROMEDRIVER"""
import collections
import csv
import os
import subprocess
import sys
import tempfile

from browser import Browser, claim, page_of

root, chromium, chromedriver = sys.argv[1:]


def rows_of(*files):
    for file in files:
        with open(file, newline="") as rows:
            yield from csv.DictReader(rows)


VIEWS = ((390, "light"), (390, "dark"), (1400, "light"), (1400, "dark"))


def is_readable(browser, path, views=VIEWS):
    found = []
    for width, theme in views:
        browser.open(path, width, theme)
        found += [f"{width} {theme}: {problem}" for problem in browser.problems()]
    browser.open(path, 680, "print")
    found += [f"print: {problem}" for problem in browser.problems()]
    return found


def is_accessible(browser, path):
    found = []
    for width, theme in ((390, "dark"), (1400, "light")):
        browser.open(path, width, theme)
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        found += [f"{width} {theme}: {violation}" for violation in browser.violations(root)]
    return found + browser.errors()


def accounts_for_rows(browser, path, *files):
    """The table of every row has them all, and no failure or run is in that table alone."""
    browser.open(path, 1400)
    account = browser.run("return scanbenchReport.account()")
    rows = list(rows_of(*files))
    found = [] if account["rows"] == len(rows) and account["hidden"] == 0 else [str(account)]
    failed = sum(row["status"] != "ok" for row in rows)
    if account["missing"] != failed:
        found.append(f"{account['missing']} of {failed} failures are listed")
    browser.run("document.querySelector('#rows-table details').open = true")
    shown = collections.Counter()
    for _ in range(1 + len(rows) // 25):
        shown.update(map(tuple, browser.run("""
            return [...document.querySelectorAll('#rows tbody tr')].map(row => {
              const cell = name => row.querySelector('[data-name="' + name + '"]').textContent;
              return [row.cells[0].textContent, cell('n').replaceAll(',', ''), cell('phase'), cell('status').split(':')[0]];
            });""")))
        if not browser.run("const on = [...document.querySelectorAll('#rows .pager button')].pop(); const more = on && !on.disabled; if (more) on.click(); return more;"):
            break
    expected = collections.Counter((row["plugin"], row["n"], row["phase"], row["status"]) for row in rows)
    names = {plugin for plugin, *_ in expected}
    alike = collections.Counter()
    for (name, *rest), n in shown.items():  # of several files a name has its file behind it
        alike[next((p for p in names if name.startswith(p + " ")), name), *rest] += n
    shown = alike
    for key, n in ((expected - shown) + (shown - expected)).items():
        found.append(f"{n} too many or too few of {key}")
    return found[:10] + browser.errors()


def maps_have_every_size(browser, path, *files):
    """A plugin with several settings at several sizes has a map of them: the marked cells of each size are its
    fastest settings."""
    fastest = collections.defaultdict(dict)  # plugin -> n -> times of the first problem
    rows = [r for r in rows_of(*files) if r["status"] == "ok" and r["phase"] == "run"]
    first = next(r for r in rows if r["kind"])
    for r in rows:
        if r["dtype"] == first["dtype"] and r["kind"] in ("", first["kind"]) and r["op"] in ("", first["op"]) and r["cache"] == first["cache"]:
            fastest[r["plugin"]].setdefault(int(r["n"]), set()).add(float(r["median_ns"]))
    expected = {}
    for plugin, sizes in fastest.items():
        several = {n: times for n, times in sizes.items() if len(times) > 1}
        if len(several) > 1:
            expected[plugin] = several
    browser.open(path, 1400)
    maps = browser.run("""
        return [...document.querySelectorAll('#maps figure')].filter(f => f.querySelector('h3').textContent.endsWith(' at every size'))
          .map(f => [f.querySelector('h3').textContent.replace(' at every size', ''), [...f.querySelectorAll('svg text')].map(t => t.textContent)]);""")
    found = [] if expected and {name for name, _ in maps} == set(expected) else [f"maps of {[name for name, _ in maps]}, expected {list(expected)}"]
    for name, texts in maps:
        sizes = expected.get(name, {})
        found += [f"{name}: no row of n = {n}" for n in sizes if f"{n:,}" not in texts]
        marks = sum(text == "● 1.00" for text in texts)
        if marks != len(sizes):
            found.append(f"{name}: {marks} best settings of {len(sizes)} sizes: {texts}")
    return found + browser.errors()


def choices_and_tips_work(browser, path):
    """Each choice redraws, a legend hides, and what hovering shows has numbers."""
    found = []
    browser.open(path, 1400)
    choices = browser.run("""
        return [...document.querySelectorAll('#choose select')].flatMap(s => [...s.options].map(o => [s.name, o.value]));""")
    for name, value in choices:
        browser.run("""const s = document.querySelector('[name=' + arguments[0] + ']'); s.value = arguments[1];
            s.dispatchEvent(new Event('change', {bubbles: true})); scanbenchReport.drawAll();""", name, value)
        found += [f"{name} {value}: {problem}" for problem in browser.problems()]
    for figure in browser.run("return scanbenchReport.figures()"):
        tips = browser.run("return scanbenchReport.tips(arguments[0])", figure["id"])
        if any(word in tip for tip in tips for word in ("NaN", "undefined", "Infinity", "null")):
            found.append(f"{figure['id']}: {tips}")
        if figure["id"] in ("time", "bandwidth", "speedup-run", "phases-run") and not any("s" in tip for tip in tips):
            found.append(f"{figure['id']} shows nothing under the pointer")
    before = browser.run("return scanbenchReport.figures().find(f => f.id === 'time')?.marks")
    browser.run("document.querySelector('#time .legend button').click(); scanbenchReport.drawAll()")
    if before is not None and not browser.run("return scanbenchReport.figures().find(f => f.id === 'time').marks") < before:
        found.append("a click in the legend hides nothing")
    return found + browser.errors()


def scaling_expected(rows, way):
    """{(plugin, n, parts): (speed-up, efficiency, share of the bound, speed-up over the best, efficiency over it)}"""
    times = {(r["plugin"], int(r["n"]), int(r["parts"])): float(r["median_ns"]) for r in rows}
    expected = {}
    for r in rows:
        n, k = int(r["n"]), int(r["parts"])
        n_of_one, more = (n, 1) if way == "strong" else (n / k, k)
        of_one = times.get((r["plugin"], n_of_one, 1))
        if k == 1 or of_one is None:
            continue
        best = min(float(s["median_ns"]) for s in rows if s["parts"] == 1 and s["n"] == n_of_one and s["op"] == r["op"])
        speedup, over = (of * more / float(r["median_ns"]) for of in (of_one, best))
        bound = 2 * k / 3 if r["layout"] == "contiguous" and r["role"] != "ceiling" else k
        expected[r["plugin"], n, k] = speedup, speedup / k, speedup / bound, over, over / k
    return expected


def scaling_is_right(browser, path, *files):
    """The tables of both ways have the speed-ups that follow from the rows, and the plots a line for each plugin, of
    how many files ever, and the bounds."""
    found = []
    rows = [{**r, "n": int(r["n"]), "parts": int(r["parts"])} for r in rows_of(*files)]
    browser.open(path, 1400)
    for way in ("strong", "weak"):
        shown = browser.run("""
            const figure = document.getElementById('scaling-' + arguments[0]);
            figure.querySelector('details').open = true;
            figure.querySelector('details').dispatchEvent(new Event('toggle'));
            const number = text => Number(text.replaceAll(',', '').split(/[ \u00a0]/)[0]);
            return [...figure.querySelectorAll('tbody tr')].map(row => {
              const cell = name => number(row.querySelector('[data-name="' + name + '"]').textContent);
              return [row.cells[0].textContent.split(' ')[0], cell('n'), cell('parts'), cell('speed-up (95 % interval)'), cell('efficiency'), cell('% of bound'),
                cell('speed-up over it (95 % interval)'), cell('efficiency over it')];
            });""", way)
        expected = scaling_expected(rows, way)
        got = {(plugin, n, k): (speedup, of_k / 100, of_bound / 100, over, over_k / 100) for plugin, n, k, speedup, of_k, of_bound, over, over_k in shown}
        if not expected or set(got) != set(expected):
            found.append(f"{way}: {sorted(got)}, expected {sorted(expected)}")
        found += [f"{way} {key}: {got[key]}, expected {values}" for key, values in expected.items()
                  if key in got and any(abs(a / b - 1) > 0.006 for a, b in zip(got[key], values))]
        legend = browser.run("return [...document.querySelectorAll('#scaling-' + arguments[0] + ' .legend li')].map(l => l.textContent).filter(text => text)", way)
        lines = sorted({plugin for plugin, _, _ in expected} | {"k times one part", "bound of contiguous slices, 2k/3"})
        if sorted(legend) != lines:
            found.append(f"{way}: the legend has {legend}, expected {lines}")
    return found + browser.problems() + weak_size_is_right(browser, {(n // k, k) for _, n, k in expected}, {r["n"] for r in rows})


def weak_size_is_right(browser, measured, sizes):
    """Weak scaling is drawn for the chosen n, or else for what was measured in the most numbers of parts."""
    found = []
    most = max({n for n, _ in measured}, key=lambda each: (sum(n == each for n, _ in measured), each))
    for n in sizes:
        said = browser.run("""
            const choice = document.getElementById('choose').elements.size;
            choice.value = arguments[0];
            choice.dispatchEvent(new Event('change', { bubbles: true }));
            return document.querySelector('[data-say=scaling-weak]').textContent;""", str(n))
        expected = n if any(n == one for one, _ in measured) else most
        if said != f"{expected:,} elements":
            found.append(f"for {n} weak scaling is drawn for {said}, expected {expected:,} elements")
    return found


def shows_no_scaling(browser, *paths):
    """Files of before there were parts, and of plugins without them."""
    found = []
    for path in paths:
        browser.open(path, 1400)
        if browser.run("return !document.getElementById('scaling').hidden"):
            found.append(path)
    return found


def says_what_ran(browser, path, *files):
    """The subtitle counts plugins with a time, and copies are explained only where one is shown."""
    ran = {r["plugin"] for r in rows_of(*files) if r["status"] == "ok" and r["phase"] == "run" and r["role"] != "ceiling"}
    browser.open(path, 1400)
    subtitle, shown, cells = browser.run("""
        const names = [...document.querySelectorAll('#ranking td')].map(t => t.textContent);
        return [document.getElementById('subtitle').textContent, !document.getElementById('ranking-copies').hidden, names.length];""")
    expected = f"{len(ran)} plugin{'s' if len(ran) != 1 else ''} ·"
    has_copies = any(r["role"] == "ceiling" and r["status"] == "ok" for r in rows_of(*files))
    found = [] if subtitle.replace("\u00a0", " ").startswith(expected) else [f"{subtitle}, expected {expected}"]
    if cells and shown != has_copies:
        found.append(f"copies are {'' if shown else 'not '}explained, and the file has {'some' if has_copies else 'none'}")
    return found


def opens_soon(browser, path):
    took = min(browser.open(path, 1400) for _ in range(3))
    size = os.path.getsize(path)
    print(f"# {size / 1e6:.1f} MB, opened in {took:.1f} s")
    return [] if took < 5 and size < 15e6 else [f"{took:.1f} s, {size} bytes"]


def main():
    h200, cpu = f"{root}/reports/h200/decades.csv", f"{root}/tests/page/cpu.csv"
    print("TAP version 13\n1..27")
    # Chromium leaves its profile behind, and removes parts of it late.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        os.environ["TMPDIR"] = work
        browser = Browser(chromium, chromedriver)
        subprocess.run([sys.executable, f"{root}/tests/page/make_csvs.py", cpu, work], check=True)
        files = {"of a GPU": [h200], "of a CPU": [cpu], "of two machines": [h200, cpu], "of failures": [f"{work}/failures.csv"],
                 "of parts": [f"{work}/parts.csv"], "of a file for each k": [f"{work}/k{parts}.csv" for parts in (1, 2, 4)],
                 "of one row": [f"{work}/one.csv"], "of nothing measured": [f"{work}/none.csv"], "of 100,000 rows": [f"{work}/many.csv"]}
        pages = {name: page_of(root, f"{work}/page-{number}.html", *list_) for number, (name, list_) in enumerate(files.items())}
        try:
            for name, path in pages.items():
                claim(f"the page {name} is readable on narrow and wide screens, light, dark and on paper", is_readable(browser, path, VIEWS[::3] if "100,000" in name else VIEWS))
            for name in ("of a GPU", "of a CPU", "of failures", "of parts"):
                claim(f"the page {name} is accessible to axe-core", is_accessible(browser, pages[name]))
            for name in ("of a GPU", "of a CPU", "of two machines", "of failures", "of one row"):
                claim(f"the page {name} accounts for every row", accounts_for_rows(browser, pages[name], *files[name]))
            for name in ("of a CPU", "of failures", "of one row"):
                claim(f"the page {name} counts the plugins that ran, and explains copies where there are some", says_what_ran(browser, pages[name], *files[name]))
            claim("each plugin with several settings at several sizes has a map of all sizes", maps_have_every_size(browser, pages["of a CPU"], cpu))
            claim("speed-ups of parts follow from the rows, strong and weak, with what bounds them", scaling_is_right(browser, pages["of parts"], *files["of parts"]))
            claim("so they do where each number of parts is a file of its own", scaling_is_right(browser, pages["of a file for each k"], *files["of a file for each k"]))
            claim("a page without parts has no scaling", shows_no_scaling(browser, pages["of a GPU"], pages["of a CPU"], pages["of one row"]))
            claim("all that can be chosen, and what hovering shows, has numbers", choices_and_tips_work(browser, pages["of a CPU"]))
            claim("100,000 rows take less than 15 MB and 5 s", opens_soon(browser, pages["of 100,000 rows"]))
        finally:
            browser.close()


main()
