"""The claims of site_is_accessible.t; see there. usage: site_is_accessible.py ROOT CHROMIUM CHROMEDRIVER"""
import os
import subprocess
import sys
import tempfile
import time

from selenium.webdriver.common.keys import Keys

from browser import TEXT_PROBLEMS, WIDE, Browser, claim

root, chromium, chromedriver = sys.argv[1:]
PAGES = ("index", "machines", "claims", "plugins", "plugin/cuda_lookahead", "plugin/opencl_scan", "machine/h200")
OPEN_ALL = "for (const d of document.querySelectorAll('details')) d.open = true"
CHOICES = ["scan", "type", "shape", "data", "n", "on"]
MOST_SECONDS, MOST_WORDS = 2, 1000


def show(browser, path, width, theme="light"):
    """Opens a page as it is, and returns the seconds that it took."""
    browser.set_view(width, theme)
    browser.driver.get("about:blank")
    began = time.monotonic()
    browser.driver.get("file://" + path)
    return time.monotonic() - began


def texts(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length).map(e => e.textContent.replaceAll('\\u00a0', ' '))", selector)


def is_accessible(browser, site, name):
    found = []
    is_report = name.startswith("machine/")  # page_is_readable.t opens all of such a page, in both
    for width, theme in ((360, "dark"), (1280, "light"))[is_report:]:
        show(browser, f"{site}/{name}.html", width, theme)
        if not is_report:
            browser.run(OPEN_ALL)
        found += [f"{width} {theme}: {violation}" for violation in browser.violations(root)]
    return found + browser.errors()


def is_readable(browser, site, name):
    """No wider than the window, no text that is none, and nothing asked for; sources and the table of all answers may
    be wider than their own boxes."""
    found = []
    for width, theme in ((360, "light"), (800, "dark"), (1280, "light"), (680, "print")):
        show(browser, f"{site}/{name}.html", width, theme)
        browser.run("if (document.forms[0]) document.forms[0].reset()")
        inner = browser.run("return [...document.querySelectorAll('.scroll, pre.source')].every(e => e.tabIndex === 0)")
        browser.run("for (const e of document.querySelectorAll('.scroll, pre.source')) e.remove()")
        problems = browser.run(WIDE) + browser.run(TEXT_PROBLEMS) + browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
        found += [f"{width} {theme}: {problem}" for problem in problems] + ([] if inner else [f"{width}: what scrolls cannot be reached"])
    return found + browser.errors()


def table_fits(browser, site):
    """What is chosen as the page opens fits into it."""
    found = []
    for width in (360, 800, 1280):
        show(browser, f"{site}/index.html", width)
        found += [f"{width}: {problem}" for problem in browser.run(WIDE)]
    return found


def thread_seconds(browser):
    """How long the page's thread has computed, however busy the machine is."""
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def opens_soon(browser, site):
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    found = []
    for name in PAGES:
        browser.driver.get("about:blank")
        before = thread_seconds(browser)
        waited = show(browser, f"{site}/{name}.html", 1280)
        after = thread_seconds(browser)
        took = after - before if after > before else after  # a process of its own counts anew
        print(f"# {name}: {took:.2f} s of its thread, {waited:.2f} s until it was there")
        found += [f"{name}: {took:.1f} s"] if not 0 < took < MOST_SECONDS else []
    return found


def machine_begins_with_answer(browser, site):
    show(browser, f"{site}/machine/h200.html", 1280)
    words = browser.run("return document.body.innerText.split(/\\s+/).length")
    first = browser.run("return document.querySelector('main .says').getBoundingClientRect().bottom")
    title = browser.run("return document.querySelector('h1').textContent + ' ' + document.body.innerText")
    print(f"# {words} words")
    found = [] if words < MOST_WORDS and first < 700 else [f"{words} words, the answer ends at {first}"]
    return found + ([] if "H200, 16 cores" in title and "host vm" not in title else [title[:300]])


def choice(browser):
    """What is chosen, how many answers are seen, and the sentence."""
    chosen = browser.run("return Object.fromEntries([...document.querySelectorAll('#choose select')].map(s => [s.name, s.value]))")
    return chosen, len(texts(browser, "#answers tbody tr")), texts(browser, "#says")[0]


def keys_choose(browser, site):
    """Tab reaches each choice, a key changes it, the answer and the address follow, a reload keeps them."""
    show(browser, f"{site}/index.html", 1280)
    before = choice(browser)
    found = [] if 1 < before[1] < 20 and f"{int(before[0]['n']):,}" in before[2] else [before]
    reached = []
    for _ in range(14):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.run("return document.activeElement.name || document.activeElement.type || document.activeElement.textContent.trim().slice(0, 20)"))
        if reached[-1] == "n":
            browser.driver.switch_to.active_element.send_keys(Keys.ARROW_UP)
    if [name for name in reached if name in CHOICES] != CHOICES or "reset" not in reached:
        found.append(f"Tab reaches {reached}")
    after = choice(browser)
    if int(after[0]["n"]) >= int(before[0]["n"]) or f"{int(after[0]['n']):,}" not in after[2]:
        found.append(f"a key makes of {before}: {after}")
    browser.driver.refresh()
    found += [] if choice(browser) == after else [f"a reload: {choice(browser)}, expected {after}"]
    browser.run("location.hash = '#type=i8&scan=exclusive+sum&data=already+there'")
    browser.driver.execute_async_script("setTimeout(arguments[0], 50)")
    if choice(browser)[0]["type"] != "i8" or " i8 " not in choice(browser)[2]:
        found.append(f"an address: {choice(browser)}")
    browser.run("document.querySelector('#choose button').click()")
    every = browser.run("return document.querySelectorAll('#answers tbody tr').length")
    found += [] if choice(browser)[1] == every > 100 else [f"all answers: {choice(browser)[1]} of {every}"]
    for address in ("#n=7&scan=none", "#%E0%A4%A", "#&&=="):
        show(browser, f"{site}/index.html{address}", 1280)
        found += [] if choice(browser)[1] else [f"{address}: nothing"]
    return found + browser.errors()


def fastest_is_first(browser, site):
    """For every type: the sentence names the plugin of one of its rows within 3 % of the shortest time of the largest n."""
    show(browser, f"{site}/index.html", 1280)
    found = []
    for value in browser.run("return [...document.querySelectorAll('[name=type] option')].map(o => o.value).filter(Boolean)"):
        browser.run("""document.forms[0].reset(); const s = document.querySelector('[name=type]'); s.value = arguments[0];
            s.dispatchEvent(new Event('change', { bubbles: true }));""", value)
        rows = browser.run("return [...document.querySelectorAll('#answers tbody tr')].filter(r => r.getClientRects().length).map(r => [r.dataset.type, Number(r.dataset.n), Number(r.dataset.ns), r.querySelector('[data-name=fastest] a').textContent])")
        largest = [row for row in rows if row[1] == max(n for _, n, _, _ in rows)]
        near = {row[3] for row in largest if row[2] <= 1.03 * min(ns for _, _, ns, _ in largest)}
        said = choice(browser)[2]
        if {row[0] for row in rows} != {value} or not any(f", {name} " in said for name in near):
            found.append(f"{value}: {said}, expected {near}")
    return found


def works_without_script(browser, site):
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, f"{site}/index.html", 1280)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    seen, all_rows = len(texts(browser, "#answers tbody tr")), browser.run("return document.querySelectorAll('#answers tbody tr').length")
    said, form = texts(browser, "#says"), texts(browser, "#choose")
    return [] if seen == all_rows > 100 and said and not form else [f"{seen} of {all_rows} rows, {said}, {form}"]


def main():
    print(f"TAP version 13\n1..{2 * len(PAGES) + 6}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        os.environ["TMPDIR"] = work
        site = f"{work}/site"
        subprocess.run([sys.executable, f"{root}/reports/site", site], check=True, stdout=subprocess.DEVNULL)
        browser = Browser(chromium, chromedriver)
        browser.driver.set_script_timeout(300)
        try:
            for name in PAGES:
                claim(f"{name} is accessible to axe-core", is_accessible(browser, site, name))
                claim(f"{name} is readable on a phone, a wide screen and paper, and asks for nothing", is_readable(browser, site, name))
            claim("the answers that are chosen at first fit into the page", table_fits(browser, site))
            claim("each page takes its thread less than 2 s", opens_soon(browser, site))
            claim("the page of a machine has its name, begins with the answer and has few words", machine_begins_with_answer(browser, site))
            claim("the keyboard chooses, the address keeps the choice", keys_choose(browser, site))
            claim("the sentence tells of the fastest", fastest_is_first(browser, site))
            claim("without a script all answers are there", works_without_script(browser, site))
        finally:
            browser.close()


main()
