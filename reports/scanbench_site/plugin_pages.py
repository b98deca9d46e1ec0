"""plugins.html and plugin/ID.html: the idea of each plugin, its line, its results and its source."""

from __future__ import annotations

import collections
import re
from html import escape
from typing import NamedTuple, Sequence

from scanbench_results.crossover import crossover_text, make_crossovers
from scanbench_results.report import Entry, Standing
from scanbench_results.rows import Row
from scanbench_results.words import half_width_text, setting_text, time_text, workload_text

from .chart import Line, chart
from .machines import Answer, Machine, of_files
from .markup import Column, code, columns, folded, link, page, plugin_path, section, table
from .says import (
    gigabytes,
    has_bandwidth,
    of_copy,
    plugin_cell,
    plugin_link,
    size_text,
    standing_text,
)
from .sources import Source

LIST = "plugins.html"
_MOST_CHARTS = 3  # that are not folded


class Result(NamedTuple):
    """A plugin in a problem: one of those that compete, or a copy."""

    answer: Answer
    entry: Entry

    @property
    def where(self) -> tuple[str, str]:
        return self.answer.device, _workload_text(self.answer)

    @property
    def is_copy(self) -> bool:
        return self.entry.row.phases["run"].is_ceiling


def _workload_text(answer: Answer) -> str:
    words = workload_text(answer.workload) + (", in place" if answer.problem.in_place else "")
    return words if answer.is_resident else words + ", data in host memory"


def _results_of(answers: Sequence[Answer]) -> dict[str, list[Result]]:
    """Of each plugin, in the file with the answer to each question, or in another that has the plugin."""
    groups: dict[tuple[str, ...], list[Answer]] = collections.defaultdict(list)
    for answer in answers:
        p = answer.problem
        for name in {entry.row.plugin for entry in (*p.entries, *p.ceilings)}:
            groups[(name, answer.device, *map(str, answer.question))].append(answer)
    found: dict[str, list[Result]] = collections.defaultdict(list)
    for (name, *_), of in groups.items():
        answer = of_files(of)
        every = (*answer.problem.entries, *answer.problem.ceilings)
        found[name].append(Result(answer, next(e for e in every if e.row.plugin == name)))
    return found


def _grouped(results: Sequence[Result]) -> list[list[Result]]:
    """By device and workload, data already there and many sizes first; in each by n."""
    groups: dict[object, list[Result]] = collections.defaultdict(list)
    for result in sorted(results, key=lambda result: result.entry.row.shape):
        groups[result.where].append(result)
    return sorted(groups.values(), key=lambda group: (not group[0].answer.is_resident, -len(group)))


# ---- idea ----------------------------------------------------------------------------------------


def _markdown(text: str) -> str:
    """Of a sentence in docs/plugins.md: code; links become their words."""
    return _coded(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text))


def _sentence(text: str) -> str:
    """Begins with a capital, and ends with one point."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _coded(text: str) -> str:
    """What stands between backquotes is code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _paragraphs(text: str) -> str:
    """A comment: what is indented or a list keeps its lines."""
    parts: list[str] = []
    for part in filter(None, re.split(r"\n\s*\n", text)):
        is_laid_out = re.search(r"^(\s{2,}|\s*[-*] )", part, re.M)
        words = part if is_laid_out else " ".join(part.split())
        words = words if parts else _sentence(words)
        parts.append(f"<pre>{escape(words)}</pre>" if is_laid_out else f"<p>{_coded(words)}</p>")
    return "\n".join(parts)


def _reference(text: str) -> str:
    if not text:
        return ""
    parts = re.split(r"(https?://[^\s;,<>\"]+)", text)  # each second one is an address
    words = "".join(
        link(part, escape(part)) if i % 2 else escape(part) for i, part in enumerate(parts)
    )
    return f'<p class="note">After: {words}</p>\n'


def _idea(source: Source, reference: str) -> str:
    what = f"<p>{_markdown(_sentence(source.what))}</p>\n" if source.what else ""
    body = f"{what}{_paragraphs(source.idea)}\n{_reference(reference)}"
    return section("idea", "The idea", body)


# ---- line ----------------------------------------------------------------------------------------


def _points(rows: Sequence[Row]) -> list[tuple[float, float, str]]:
    known = {row.n: row for row in rows if row.n > 0 and has_bandwidth(row)}
    return [
        (
            float(n),
            row.bytes_per_s / 1e9,
            f"{row.plugin}, n = {size_text(row)}: {time_text(row.median_ns)}, {gigabytes(row)} GB/s",
        )
        for n, row in sorted(known.items())
    ]


def _picture(plugin: str, group: Sequence[Result]) -> str:
    """The plugin's bandwidth against n, with the fastest scan and the copy at each."""
    copies = [r.answer.problem.ceiling for r in group]
    lines = [
        Line(plugin, "series-1", _points([r.entry.row for r in group])),
        Line("the fastest scan", "other", _points([r.answer.best.row for r in group])),
        Line("the fastest copy", "copy", _points([copy for copy in copies if copy]), True),
    ]
    device, words = group[0].where
    drawn = chart(lines, "n", "GB/s", f"Bandwidth of {plugin} against n on {device}, {words}")
    caption = f"<figcaption><h3>{escape(device)}, {escape(words)}</h3></figcaption>"
    return f"<figure>{caption}\n{drawn}</figure>\n" if drawn else ""


def _line(plugin: str, groups: Sequence[list[Result]]) -> str:
    pictures = [picture for group in groups if (picture := _picture(plugin, group))]
    if not pictures:
        return ""
    more = pictures[_MOST_CHARTS:]
    body = "<p>Bandwidth against n, both axes logarithmic, each element counted as read once and written once.</p>\n"
    body += "".join(pictures[:_MOST_CHARTS])
    body += folded(f"{len(more)} more", "".join(more)) if more else ""
    return section("line", "Its line", body)


# ---- results -------------------------------------------------------------------------------------

_HEADS = columns("n#, time#, ±#, GB/s#, % of copy#, behind the fastest, the fastest, setting")


def _cells(result: Result) -> list[str]:
    row, best = result.entry.row, result.answer.best.row
    return [
        size_text(row),
        time_text(row.median_ns),
        half_width_text(row),
        gigabytes(row),
        of_copy(row),
        "" if result.is_copy else standing_text(result.entry),
        plugin_cell(best, "../"),
        escape(setting_text(row)),
    ]


def _glance(groups: Sequence[list[Result]]) -> str:
    """At its largest size, one line for each device and workload."""
    heads = [Column("on"), Column("problem"), *_HEADS[:-1]]
    rows = [
        [escape(group[-1].where[0]), escape(group[-1].where[1]), *_cells(group[-1])[:-1]]
        for group in groups
    ]
    return table("At the largest size of each problem", heads, rows)


def _crossovers(plugin: str, machines: Sequence[Machine]) -> str:
    """From which size it is faster than the baseline."""
    rows = []
    workloads = [(machine, of) for machine in machines for of in machine.report.workloads]
    for machine, workload in workloads:
        for line in make_crossovers(machine.report, workload):
            if line.row.plugin == plugin and len(line.points) > 1:
                copies = ", with copies" if line.row.phase == "e2e" else ""
                problem = escape(workload_text(workload) + copies)
                baseline = code(machine.report.files[line.row.file].info.baseline)
                where = escape(machine.place(line.row.file))
                rows.append([where, problem, baseline, escape(crossover_text(line))])
    heads = columns("results, problem, baseline, faster")
    summary = f"From which size is it faster than the baseline? ({len(rows)})"
    return folded(summary, table("By intervals; ? by medians", heads, rows)) if rows else ""


def _missing(plugin: str, machines: Sequence[Machine]) -> str:
    """Where it has no times, and why."""
    rows = []
    for machine in machines:
        for missing in machine.report.missing:
            count = sum(row.plugin == plugin for row in missing.rows)
            if count:
                words = (machine.place(missing.file), str(count), missing.status, missing.reason)
                rows.append([escape(word) for word in words])
    heads = columns("results, rows#, status, why")
    summary = f"What was not measured ({len(rows)} reasons)"
    return folded(summary, table("Rows without a time", heads, rows)) if rows else ""


def _results(plugin: str, groups: Sequence[list[Result]], machines: Sequence[Machine]) -> str:
    every = "".join(
        table(f"{escape(g[0].where[0])}, {escape(g[0].where[1])}", _HEADS, map(_cells, g))
        for g in groups
    )
    count = sum(map(len, groups))
    body = (
        _glance(groups) + folded(f"At every size ({count})", every)
        if groups
        else '<p class="note">It has not been measured yet.</p>\n'
    )
    body += _crossovers(plugin, machines) + _missing(plugin, machines)
    return section("results", "Its results", body)


# ---- source --------------------------------------------------------------------------------------


def _source(source: Source) -> str:
    if not source.files:
        none = '<p class="note">It is not in this repository.</p>\n'
        return section("source", "Its source", none)
    body = f"<p>In {code(source.folder)}; what it shares with others is in {code('plugins/common')}.</p>\n"
    for path in source.files:
        text = path.read_text(encoding="utf-8")
        lines = f"{text.count(chr(10)):,} lines"
        shown = f'<pre class="source" tabindex="0" role="region" aria-label="{escape(path.name)}">{escape(text)}</pre>\n'
        body += folded(f"{code(path.name)}, {lines}", shown)
    return section("source", "Its source", body)


# ---- pages ---------------------------------------------------------------------------------------


class Plugin(NamedTuple):
    source: Source
    results: list[Result]
    role: str
    reference: str

    @property
    def path(self) -> str:
        return plugin_path(self.source.id)


def make_plugins(
    answers: Sequence[Answer], machines: Sequence[Machine], sources: dict[str, Source]
) -> list[Plugin]:
    """Those with rows, whatever became of them, and those with sources."""
    results = _results_of(answers)
    files = [file for machine in machines for file in machine.report.files]
    rows = [row for file in files for row in file.rows if not row.is_calibrator]
    names = {row.plugin for row in rows}
    roles = {row.plugin: row.role for row in rows if row.role}
    references = {p.id: p.reference for file in files for p in file.info.plugins if p.reference}
    found = []
    for name in sorted({*names, *sources}):
        source = sources.get(name) or Source(name, "")
        reference = source.reference or references.get(name, "")
        found.append(Plugin(source, results.get(name, []), roles.get(name, ""), reference))
    return found


def plugin_page(plugin: Plugin, machines: Sequence[Machine]) -> str:
    source = plugin.source
    groups = _grouped(plugin.results)
    kind = {
        "peer": "a library, as its users call it",
        "ceiling": "a copy, which no scan can beat",
        "baseline": "the baseline",
    }
    about = " · ".join(filter(None, [escape(source.name), kind.get(plugin.role, "")]))
    lead = f'<p class="lede">{escape(_sentence(source.summary))}</p>\n' if source.summary else ""
    lead += f"<p>{about}</p>" if about else ""
    body = (
        (_idea(source, plugin.reference) if source.idea or source.what or plugin.reference else "")
        + _line(source.id, groups)
        + _results(source.id, groups, machines)
        + _source(source)
    )
    return page(plugin.path, source.id, lead, body)


def list_page(plugins: Sequence[Plugin]) -> str:
    rows = []
    first = (Standing.BEST, Standing.SHORTEST, Standing.TIED)
    for plugin in plugins:
        resident = [result for result in plugin.results if result.answer.is_resident]
        competing = [result for result in resident if not result.is_copy]
        wins = sum(result.entry.standing in first for result in competing)
        devices = dict.fromkeys(result.answer.device for result in resident)
        rows.append(
            [
                plugin_link(plugin.source.id, ""),
                escape(plugin.role),
                escape(plugin.source.summary),
                f"{wins} of {len(competing)}" if competing else "",
                escape("; ".join(devices)),
            ]
        )
    heads = columns("plugin, role, what it does, fastest or tied#, measured on")
    lead = "<p>Each has a page: its idea, its line, its results and its source.</p>"
    caption = "Fastest or tied: in how many of the problems in which it competes"
    every = table(caption, heads, rows)
    return page(LIST, "The plugins", lead, section("all", "All of them", every))
