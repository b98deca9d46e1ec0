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
from .machines import Machine, every_answer, make_answers, read_machines
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
    machines = read_machines(folders, recipes)
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


def _check_place(out: Path) -> None:
    """ResultError: the folder holds what no site has, and would be lost."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    index, mark = out / "index.html", 'content="scanbench site"'
    is_site = out.is_dir() and index.is_file()
    if not is_site or mark not in index.read_text(encoding="utf-8", errors="replace")[:500]:
        raise ResultError(
            f"{out} is not a site of scanbench; name an empty folder, or one that does not exist"
        )
    for path in out.rglob("*"):
        if path.is_symlink() or not (path.is_dir() or path.suffix == ".html"):
            what = f"{path} is not of the site, and would be lost"
            raise ResultError(f"{what}; move it away, or name another folder")


def write_site(pages: dict[str, str], out: Path) -> None:
    """Writes all pages beside `out`, then puts them in its place; a symbolic link stays. ResultError: it holds
    something else, or cannot be written; then it is unchanged."""
    try:
        real = out.resolve()
        _check_place(real)
        real.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".scanbench-site-", dir=real.parent) as work:
            new, old = Path(work, "new"), Path(work, "old")
            for path, text in pages.items():
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                (new / path).write_text(text, encoding="utf-8", errors="replace")
            _swap(new, real, old)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        why = error.strerror if isinstance(error, OSError) else "its links lead in a circle"
        raise ResultError(f"{out}: cannot be written: {why}") from None


def _swap(new: Path, out: Path, old: Path) -> None:
    """Puts `new` in the place of `out`, which becomes `old`; also an interrupt leaves one of them there."""
    try:
        if out.exists():
            os.rename(out, old)
        os.rename(new, out)
    except BaseException:
        if old.exists() and not out.exists():
            os.rename(old, out)
        raise
