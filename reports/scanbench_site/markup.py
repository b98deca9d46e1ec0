"""HTML: texts made safe, tables that become cards on a phone, and what all pages have."""

from __future__ import annotations

import hashlib
import re
from html import escape
from pathlib import Path
from typing import Iterable, NamedTuple, Sequence

from scanbench_results.page import TEMPLATE

HERE = Path(__file__).resolve().parent
MENU = (
    ("index.html", "Which scan?"),
    ("machines.html", "GPU against GPU"),
    ("claims.html", "Claims"),
    ("plugins.html", "Plugins"),
)
"""The pages that all pages link, by their paths in the site."""


class Column(NamedTuple):
    name: str
    is_number: bool = False


def columns(names: str) -> list[Column]:
    """Columns by their names, separated by commas; numbers end in `#`."""
    words = [name.strip() for name in names.split(",")]
    return [Column(word.rstrip("#"), word.endswith("#")) for word in words]


def code(text: str) -> str:
    """Broken behind underscores only."""
    return f"<code>{escape(text).replace('_', '_<wbr>')}</code>"


def link(path: str, text: str) -> str:
    """`text` is HTML."""
    return f'<a href="{escape(path)}">{text}</a>'


def page_name(name: str) -> str:
    """The name of a file for a text that anybody may have written: of another text it is another."""
    plain = re.sub("[^A-Za-z0-9_-]", "-", name)[:80]
    if plain and plain == name:
        return f"{plain}.html"
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}.html"


def plugin_path(name: str) -> str:
    """The page of a plugin."""
    return f"plugin/{page_name(name)}"


def tag(words: str, look: str) -> str:
    return f'<span class="tag {look}">{escape(words)}</span>'


def section(name: str, title: str, body: str) -> str:
    """`name`: its id. `title` is a text, `body` HTML."""
    head = f'<h2 id="{name}">{escape(title)}</h2>'
    return f'<section aria-labelledby="{name}">{head}\n{body}</section>\n'


def folded(summary: str, body: str, more: str = "") -> str:
    """`body` behind its summary; both are HTML. `more`: attributes."""
    return f"<details{more}><summary>{summary}</summary>\n{body}</details>\n"


def table(
    caption: str,
    heads: Sequence[Column],
    rows: Iterable[Sequence[str]],
    attributes: Sequence[str] = (),
    name: str = "",
    look: str = "",
) -> str:
    """Cells are HTML; the first of a row is its heading. A column without any cell is left out.
    `attributes`: of each row. `name`: of the table. `look`: its class, in place of that for as many columns.
    """
    lines = [list(row) for row in rows]
    shown = [i for i, _ in enumerate(heads) if i == 0 or any(line[i] for line in lines)]

    def cell(i: int, text: str) -> str:
        number = ' class="number"' if heads[i].is_number else ""
        if i == 0:
            return f'<th role="rowheader" scope="row"{number}>{text}</th>'
        inner = f"<span>{text}</span>" if text else ""  # one thing beside the name, on a phone
        return f'<td role="cell" data-name="{escape(heads[i].name)}"{number}>{inner}</td>'

    head = "".join(
        f'<th role="columnheader" scope="col"{" class=number" * heads[i].is_number}>{escape(heads[i].name)}</th>'
        for i in shown
    )
    ends = attributes or [""] * len(lines)
    body = [
        f'<tr role="row"{end}>{"".join(cell(i, line[i]) for i in shown)}</tr>\n'
        for line, end in zip(lines, ends)
    ]
    look = look or ("cards" if len(shown) > 3 else "tight")
    identity = f' id="{name}"' if name else ""
    return (
        f'<table role="table" class="{look}"{identity}><caption>{caption}</caption>\n'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{"".join(body)}</tbody></table>\n'
    )


def to_root(path: str) -> str:
    """What leads from a page to the site's root: "../" of "plugin/cuda_cub.html"."""
    return "../" * path.count("/")


def menu(path: str) -> str:
    """The links to the pages of the menu, from the page at `path`."""
    items = "".join(
        f'<li><a href="{to_root(path)}{to}"{" aria-current=page" * (to == path)}>{escape(words)}</a></li>'
        for to, words in MENU
    )
    return f'<nav aria-label="Site" class="site"><ul>{items}</ul></nav>\n'


def page(path: str, title: str, lead: str, body: str, script: str = "") -> str:
    """A page at `path` of the site. `lead`, below the title, and `body` are HTML; `script` is the name of a
    file beside this one."""
    text = (HERE / "page.html").read_text(encoding="utf-8")
    source = (HERE / script).read_text(encoding="utf-8") if script else ""
    parts = {
        "title": escape(title),
        "style": (TEMPLATE / "page.css").read_text(encoding="utf-8")
        + (HERE / "site.css").read_text(encoding="utf-8"),
        "menu": menu(path),
        "lead": lead,
        "body": body,
        "script": f"<script>\n'use strict';\n{source}</script>" if source else "",
    }
    return re.sub(r"@(\w+)@", lambda found: parts.get(found[1], found[0]), text)
