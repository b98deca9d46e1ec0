# Are the pages for users short, in short sentences, and linked? `python3 pages.py ROOT CHECK [PAGE COPY]`, where COPY
# is read instead of PAGE.
#
# links      each link of README.md, docs/*.md and the pages for developers leads to a file, and to a heading of it
# listed     README.md links each page in docs/
# short      README.md has at most 1,900 words
# sentences  those of README.md and of the pages that came out of it have at most 30 words
# options    each option in the tables of docs/options.md is one of the program's
import glob
import os
import re
import sys

root, check, *copy = sys.argv[1:]
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] + sorted(
    os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "docs/*.md"))
)
PLAIN = ["README.md"] + [f"docs/{name}.md" for name in ("comparing", "install", "library", "options", "plugins")]
MOST_WORDS, LONGEST = 1900, 30


def read(page):
    with open(copy[1] if copy and copy[0] == page else os.path.join(root, page), encoding="utf-8") as file:
        return file.read()


def without_code(text):
    """Without comments and blocks of code, fenced, folded or indented by four blanks."""
    text = re.sub(r"<!--.*?-->|^```.*?^```$|<pre>.*?</pre>", "", text, flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def anchor_of(heading):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(page):
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", without_code(read(page)), re.M)}


def links():
    for page in PAGES:
        for link in re.findall(r"\]\(([^):]+)\)", without_code(read(page))):
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(root, target)):
                yield f"{page}: there is no {link}"
            elif anchor and anchor not in anchors_of(target):
                yield f"{page}: {target} has no heading #{anchor}"


def listed():
    linked = re.findall(r"\]\(([^)#]+)", read("README.md"))
    for page in PAGES[1:]:
        if page not in linked:
            yield f"README.md does not link {page}"


def short():
    words = len(read("README.md").split())
    if words > MOST_WORDS:
        yield f"README.md has {words} words"


def texts_of(page):
    """Paragraphs, items of lists, and cells of tables, without marks."""
    for block in re.split(r"\n\s*\n|\n(?=[-|#])|\n(?=\d+\. )", without_code(read(page))):
        for text in re.split(r" \| |^\| | \|$", block.strip()) if block.lstrip().startswith("|") else [block]:
            yield re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))


def sentences():
    for page in PLAIN:
        for text in texts_of(page):
            for sentence in re.split(r"(?<=[.!?])\)? (?=[A-Z`\[(*\d])", text):
                words = [word for word in sentence.split() if re.search(r"\w", word)]
                if len(words) > LONGEST:
                    yield f"{page}: {len(words)} words: {sentence}"


def options():
    known = set(re.findall(r'X\("([a-z-]+)"', read("harness/cli/option_map.h")))
    for cell in re.findall(r"^\| (`-.*?) \|", read("docs/options.md"), re.M):
        for name in re.findall(r"`--([a-z-]+)", cell):
            if name not in known:
                yield f"there is no option --{name}"


bad = list({"links": links, "listed": listed, "short": short, "sentences": sentences, "options": options}[check]())
print(*bad, sep="\n")
sys.exit(bool(bad))
