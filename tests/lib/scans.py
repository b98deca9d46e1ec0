# Is what docs/scans.md shows true? `python3 scans.py ROOT [COPY]`, where a test may give an altered copy.
# Each excerpt is in the file that the text before it names; the drawings of eight elements are what the
# algorithms make of them; the tables of gains are about plugins and results that are there.
# Prints what is not; exit status 0 if all is.
import glob
import os
import re
import sys

root = sys.argv[1]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def lines_of(text):
    """Without indentation, nor the backslashes in which the lines of a macro end."""
    return [line.rstrip(" \\").strip() for line in text.strip("\n").splitlines()]


def excerpts_are_there(page):
    excerpts = list(re.finditer(r"^```c\w*\n(.*?)^```$", page, re.S | re.M))
    for excerpt in excerpts:
        named = re.findall(r"`(plugins/[a-z_0-9./]+)`", page[:excerpt.start()])
        if not named or page[page.rindex(named[-1], 0, excerpt.start()):excerpt.start()].count("\n\n") != 1:
            yield f"no file is named right before: {excerpt[1]}"
            continue
        source = lines_of(read(os.path.join(root, named[-1])))
        for part in excerpt[1].split("...\n"):
            part = lines_of(part)
            if not any(source[k:k + len(part)] == part for k in range(len(source))):
                yield f"{named[-1]} has no: " + " / ".join(part)
    if len(excerpts) < 10:
        yield f"the page has {len(excerpts)} excerpts"


def doubling(x, steps):
    """The rows of Hillis and Steele's scan."""
    for k in range(steps):
        x = [x[i] + (x[i - 2**k] if i >= 2**k else 0) for i in range(len(x))]
        yield x


def doubling_in_rows(x, begin):
    """The same where a row of a matrix begins at each index of `begin`."""
    reach = [i - max(b for b in begin if b <= i) for i in range(len(x))]
    for k in range(2):
        x = [x[i] + (x[i - 2**k] if reach[i] >= 2**k else 0) for i in range(len(x))]
        yield x


def tree(x):
    """The rows of Blelloch's: up, its root set to 0, and down."""
    x = list(x)
    strides = [2**k for k in range(len(x).bit_length() - 1)]
    for stride in strides:
        if stride > 1:
            yield list(x)
        for right in range(2 * stride - 1, len(x), 2 * stride):
            x[right] += x[right - stride]
    yield x[:-1] + [0]
    x[-1] = 0
    for stride in reversed(strides):
        for right in range(2 * stride - 1, len(x), 2 * stride):
            x[right - stride], x[right] = x[right], x[right] + x[right - stride]
        yield list(x)


def drawings_are_right(page):
    drawn = re.findall(r"^    (\S+)((?:[ |]+\d+){8})(?: {5,}.*)?$", page, re.M)
    rows = [(label, [int(n) for n in re.findall(r"\d+", numbers)]) for label, numbers in drawn]
    x = next(row for label, row in rows if label == "x")
    first, second, last = doubling(x, 3)
    exclusive = [0] + last[:-1]
    up1, up2, cleared, down1, down2, down3 = tree(x)
    keep = [int(value >= 3) for value in x]
    place = [sum(keep[:i]) for i in range(len(x))]
    result = [value for value, kept in zip(x, keep) if kept]
    told = re.search(r"^    result((?: +\d+)+)$", page, re.M)
    if not told or [int(n) for n in told[1].split()] != result:
        yield f"the result of the compaction should be {result}"
    expected = [("x", x), ("inclusive", last), ("exclusive", exclusive)]
    expected += [("x", x), ("keep", keep), ("place", place)]
    expected += [("x", x), ("+1", first), ("+2", second), ("+4", last)]
    expected += [("x", x), ("up", up1), ("up", up2), ("root", cleared)]
    expected += [("down", down1), ("down", down2), ("down", down3)]
    in_rows1, in_rows2 = doubling_in_rows(x, (0, 3, 7))
    expected += [("x", x), ("+1", in_rows1), ("+2", in_rows2)]
    expected += [("x", x), ("W₂", first), ("W₄", second), ("y", last)]
    if rows != expected:
        for got, want in zip(rows, expected):
            if got != want:
                yield f"drawn {got}, should be {want}"
                return
        yield f"{len(rows)} rows are drawn, should be {len(expected)}"


def gains_are_of_plugins(page):
    sources = glob.glob(os.path.join(root, "plugins/*/*.c*"))
    ids = {name for path in sources for name in re.findall(r'\.id = "(\w+)"', read(path))}
    machines = {os.path.basename(os.path.dirname(path)) for path in glob.glob(os.path.join(root, "reports/*/*.csv"))}
    for table in re.findall(r"<!-- gains: ([^>]*) -->", page):
        for line in table.split(";"):
            words = line.split()
            plugins = [words[2]] + [words[k + 1] for k, word in enumerate(words) if word == "over"]
            if words[0] not in machines:
                yield f"there is no machine {words[0]}"
            yield from (f"there is no plugin {name}" for name in plugins if name not in ids)


page = read(sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs/scans.md"))
bad = [text for check in (excerpts_are_there, drawings_are_right, gains_are_of_plugins) for text in check(page)]
for link in re.findall(r"\]\(([^):]+)\)", page):
    if not os.path.exists(os.path.join(root, "docs", link.split("#")[0])):
        bad.append(f"there is no {link}")
print(*bad, sep="\n")
sys.exit(bool(bad))
