"""A page in headless Chromium: made of CSVs, opened at a width, in a theme, on paper; and claims about it."""
import base64
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# What an offline page must not do, what a reader must not see.
TEXT_PROBLEMS = r"""
const problems = [];
const bad = /\b(NaN|undefined|Infinity|null)\b|\[object /;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const parent = node.parentElement;
  if (!node.data.trim() || parent.closest('script, style, noscript, [hidden]')) continue;
  const style = getComputedStyle(parent);
  if (style.visibility === 'hidden' || style.display === 'none' || !parent.getClientRects().length) continue;
  if (bad.test(node.data)) problems.push('says: ' + node.data.trim().slice(0, 80));
  if (parseFloat(style.fontSize) < 11) problems.push(style.fontSize + ': ' + node.data.trim().slice(0, 40));
}
for (const element of document.querySelectorAll('[aria-label]'))
  if (bad.test(element.getAttribute('aria-label'))) problems.push('label: ' + element.getAttribute('aria-label'));
return problems.slice(0, 10);
"""

WIDE = r"""
const wide = [];
const limit = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > limit) wide.push('the page: ' + document.documentElement.scrollWidth);
for (const element of document.querySelectorAll('body *')) {
  if (element.closest('svg, .tip, [hidden]') || !element.getClientRects().length) continue;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (style.position === 'absolute' && style.clipPath !== 'none' || element.closest('table.cards thead')) continue;
  if (box.right > limit + 0.5) wide.push(element.tagName + '.' + element.className + ' ends at ' + box.right);
  if (element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(style.overflowX)) wide.push(element.tagName + ' scrolls');
}
return wide.slice(0, 10);
"""

# Texts of plots that are cut off by the plot's edge.
CUT = r"""
const cut = [];
for (const svg of document.querySelectorAll('.plot svg')) {
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    if (box.width && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1))
      cut.push(svg.closest('figure').id + ': ' + text.textContent);
  }
}
return cut.slice(0, 10);
"""

# What axe-core finds, once its script has run.
AXE = """
const done = arguments[0];
axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(
  r => done(r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | '))));
"""


count = 0


def claim(text, problems):
    """Prints a line of TAP, and what is wrong."""
    global count
    count += 1
    print(f"{'not ok' if problems else 'ok'} {count} - {text}")
    for problem in problems:
        print("# " + str(problem).replace("\n", " "))
    sys.stdout.flush()


def page_of(root, path, *files):
    """Writes the page of these CSVs, as `scanbench report -o` does, to `path`."""
    if f"{root}/reports" not in sys.path:
        sys.dont_write_bytecode = True
        sys.path.insert(0, f"{root}/reports")
    from scanbench_results import page, report, rows, run_info

    results = [rows.read(file) for file in files]
    page.write_page(report.make_report(results, [run_info.read(file) for file in files]), [], path)
    return path


class Browser:
    def __init__(self, chromium, chromedriver):
        options = Options()
        options.binary_location = chromium
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(chromedriver), options=options)
        self.driver.set_script_timeout(120)

    def close(self):
        self.driver.quit()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def set_view(self, width, theme="light", height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": "print" if theme == "print" else "",
            "features": [{"name": "prefers-color-scheme", "value": "dark" if theme == "dark" else "light"}]})

    # Returns the seconds until the page is there. All its sections are opened, unless they are to stay folded.
    def open(self, path, width, theme="light", folded=False):
        self.set_view(width, theme)
        began = time.monotonic()
        self.driver.get("file://" + path)
        if theme == "print":
            self.run("window.dispatchEvent(new Event('beforeprint'))")
        took = time.monotonic() - began
        if not folded:
            self.run("for (const fold of document.querySelectorAll('main > section > details')) fold.open = true")
        self.run("scanbenchReport.drawAll()")
        return took

    def violations(self, root):
        """What axe-core finds in the page as it is now."""
        with open(f"{root}/third_party/axe-core/axe.min.js") as file:
            self.run(file.read())
        return self.driver.execute_async_script(AXE)

    def errors(self):
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def problems(self):
        """All that is wrong with the page as it is now, as sentences."""
        found = self.errors() + self.run(TEXT_PROBLEMS) + self.run(WIDE) + self.run(CUT)
        for figure in self.run("return scanbenchReport.figures()"):
            if not figure["points"] or not figure["marks"] or not figure["width"]:
                found.append(f"a plot without data: {figure}")
        return found

    def picture(self, path, width, top=0, height=None, scale=1):
        whole = self.run("return document.documentElement.scrollHeight")
        height = height or whole - top
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": min(whole, 16000), "deviceScaleFactor": 1, "mobile": width < 500})
        self.run("scanbenchReport.drawAll()")
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "format": "png", "captureBeyondViewport": True,
            "clip": {"x": 0, "y": top, "width": width, "height": min(height, 16000), "scale": scale}})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def paper(self, path):
        pdf = self.driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True})
        with open(path, "wb") as file:
            file.write(base64.b64decode(pdf["data"]))
