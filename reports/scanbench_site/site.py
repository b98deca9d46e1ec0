"""All pages of the site, and the folder that they are put into."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Sequence

from scanbench_results.page import page_data, page_html
from scanbench_results.recipe import read_recipes
from scanbench_results.rows import ResultError
from scanbench_results.version import REVISION, VERSION

from . import claims_page, compare_page, index_page, plugin_pages
from .machines import Machine, every_answer, make_answers, read_machine
from .markup import menu
from .sources import read_sources


def _machine_page(machine: Machine) -> str:
    """The page of `scanbench report -o`, of all its files."""
    data = page_data(machine.report, machine.claims, VERSION, REVISION)
    return page_html(data, machine.name, menu(machine.path))


def make_pages(root: Path, folders: Sequence[Path]) -> dict[str, str]:
    """The pages by their paths in the site, of the results in these folders and the sources below `root`.
    ResultError: a file is not whole."""
    recipes = read_recipes(str(root / "reports" / "recipes"))
    machines = [read_machine(folder, recipes) for folder in folders]
    machines.sort(key=lambda machine: -len(machine.report.runs))
    every = every_answer(machines)
    answers = make_answers(every)
    plugins = plugin_pages.make_plugins(every, machines, read_sources(root))
    pages = {
        index_page.PATH: index_page.index_page(answers, machines),
        compare_page.PATH: compare_page.compare_page(answers),
        claims_page.PATH: claims_page.claims_page(machines, recipes),
        plugin_pages.LIST: plugin_pages.list_page(plugins),
    }
    pages.update({machine.path: _machine_page(machine) for machine in machines})
    pages.update({plugin.path: plugin_pages.plugin_page(plugin, machines) for plugin in plugins})
    return pages


def _is_ours(out: Path) -> bool:
    """Is there nothing, or a site that was made before?"""
    index = out / "index.html"
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return True
    is_page = out.is_dir() and index.is_file()
    return (
        is_page
        and 'content="scanbench site"' in index.read_text(encoding="utf-8", errors="replace")[:500]
    )


def write_site(pages: dict[str, str], out: Path) -> None:
    """Writes all pages beside `out`, then puts them in its place. ResultError: it holds something else, or
    cannot be written; then it is unchanged."""
    if not _is_ours(out):
        raise ResultError(
            f"{out} is not a site of scanbench; name an empty folder, or one that does not exist"
        )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".scanbench-site-", dir=out.parent) as work:
            new, old = Path(work, "new"), Path(work, "old")
            for path, text in pages.items():
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                (new / path).write_text(text, encoding="utf-8", errors="replace")
            _swap(new, out, old)
    except OSError as error:
        raise ResultError(f"{out}: cannot be written: {error.strerror}") from None


def _swap(new: Path, out: Path, old: Path) -> None:
    """Puts `new` in the place of `out`, which becomes `old`."""
    if out.exists():
        os.rename(out, old)
    try:
        os.rename(new, out)
    except OSError:
        if old.exists():
            os.rename(old, out)
        raise
