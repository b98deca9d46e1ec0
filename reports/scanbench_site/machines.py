"""The results of each machine, and the answers that they give: who is fastest for which scan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional, Sequence

from scanbench_results import rows, run_info
from scanbench_results.claims import JudgedClaim, judge
from scanbench_results.machine import cores_text, machine_name, most_parts, short_name
from scanbench_results.recipe import Recipe
from scanbench_results.report import (
    PROCESSOR,
    Entry,
    Problem,
    Report,
    View,
    Workload,
    make_report,
)
from scanbench_results.text import clean
from scanbench_results.words import workload_text

from .markup import page_name

_NEAR = 1.03  # medians of two runs may differ by that


@dataclass
class Machine:
    """A folder of CSVs."""

    folder: str  # "h200"; also the name of its page
    name: str  # "NVIDIA H200, 16 cores"
    report: Report
    claims: list[JudgedClaim]

    @property
    def path(self) -> str:
        """Of its page in the site."""
        return f"machine/{page_name(self.folder)}"

    def place(self, file: int) -> str:
        """ "h200/sweep", one of its files."""
        return f"{self.folder}/{self.report.files[file].label}"


@dataclass
class Answer:
    """A problem on a device, and who is fastest."""

    machine: Machine
    device: str  # "NVIDIA H200", "4 × NVIDIA H200", "2 cores, AMD EPYC"
    workload: Workload
    problem: Problem
    is_part: bool = False  # of the machine's devices only some work on it

    @property
    def best(self) -> Entry:
        return self.problem.entries[0]

    @property
    def library(self) -> Optional[Entry]:
        """The fastest peer."""
        return next((e for e in self.problem.entries if e.row.role == "peer"), None)

    @property
    def is_resident(self) -> bool:
        """Are its data where the plugin wants them?"""
        return self.problem.view is View.RESIDENT

    @property
    def on_device(self) -> bool:
        """Is it of an accelerator alone?"""
        return self.is_resident and self.problem.place != PROCESSOR

    @property
    def question(self) -> tuple[object, ...]:
        """What is asked, whatever the device."""
        p = self.problem
        return workload_text(self.workload), p.view.value, p.in_place, p.n, p.rows


def _times(count: int, of: int, name: str) -> str:
    if count == of:
        return name if of == 1 else f"{count} × {name}"
    return f"{count} of {of} × {name}"


def _name(report: Report) -> str:
    """That of the file with the most devices."""
    return machine_name(max(report.files, key=lambda file: most_parts(file.rows)))


def read_machines(folders: Sequence[Path], recipes: Sequence[Recipe]) -> list[Machine]:
    """Each folder once; of those with one name each has one of its own. ResultError: a file is not whole."""
    seen: Counter[str] = Counter()
    found = []
    for folder in dict.fromkeys(folders):
        seen[folder.name] += 1
        more = f" ({seen[folder.name]})" if seen[folder.name] > 1 else ""
        found.append(_read_machine(folder, clean(folder.name) + more, recipes))
    return found


def _read_machine(folder: Path, name: str, recipes: Sequence[Recipe]) -> Machine:
    paths = [str(path) for path in sorted(folder.glob("*.csv"))]
    report = make_report(
        [rows.read(path) for path in paths], [run_info.read(path) for path in paths]
    )
    return Machine(name, _name(report) or name, report, judge(report, recipes))


# ---- answers -------------------------------------------------------------------------------------


def _device(machine: Machine, problem: Problem) -> str:
    report = machine.report
    if problem.view is View.FROM_HOST:
        return machine.name
    if problem.place == PROCESSOR:
        chips = dict.fromkeys(r.device for r in report.runs if r.backend == "cpu" and r.device)
        chips = chips or dict.fromkeys(e.row.device for e in problem.entries)
        cores = next(filter(None, (cores_text(f.info.topology) for f in report.files)), "")
        return ", ".join(filter(None, [cores, *map(short_name, chips)]))
    used = problem.entries[0].row.part_count
    return _times(used, most_parts(report.runs), short_name(problem.place))


def _of_machine(machine: Machine) -> Iterator[Answer]:
    parts = most_parts(machine.report.runs)
    for workload in machine.report.workloads:
        for problem in workload.problems:
            if problem.entries:
                device = _device(machine, problem)
                is_alone = problem.place in (PROCESSOR, "")
                is_part = not is_alone and problem.entries[0].row.part_count != parts
                yield Answer(machine, device, workload, problem, is_part)


def most_telling(answers: Sequence[Answer]) -> Answer:
    """Of several devices: of those that take at most 3 % longer than the fastest, that on which the most
    plugins compete."""
    least = min(answer.best.row.median_ns for answer in answers)
    near = [answer for answer in answers if answer.best.row.median_ns <= _NEAR * least]
    return max(near, key=lambda answer: len(answer.problem.entries))


def of_files(answers: Sequence[Answer]) -> Answer:
    """Of several files with the same question on the same device: that in which the most plugins compete, and
    of these the newest. Another one only if its fastest was not measured there, and takes less by more than
    what two runs may differ."""
    of = sorted(answers, key=lambda a: (len(a.problem.entries), a.best.row.timestamp_utc))
    chosen = of.pop()
    for other in reversed(of):
        is_new = all(e.row.plugin != other.best.row.plugin for e in chosen.problem.entries)
        if is_new and _NEAR * other.best.row.median_ns < chosen.best.row.median_ns:
            chosen = other
    return chosen


def every_answer(machines: Sequence[Machine]) -> list[Answer]:
    """One for each problem in each file, each device with a name of its own."""
    answers = [answer for machine in machines for answer in _of_machine(machine)]
    folders = {(a.device, a.machine.folder) for a in answers}
    several = Counter(device for device, _ in folders)
    for answer in answers:
        if several[answer.device] > 1:
            answer.device += f" ({answer.machine.folder})"
    return answers


def make_answers(every: Sequence[Answer]) -> list[Answer]:
    """One for each problem on each device, by problem and size, then the fastest first."""
    groups: dict[tuple[object, ...], list[Answer]] = {}
    order: dict[object, int] = {}
    for answer in every:
        groups.setdefault((answer.device, *answer.question), []).append(answer)
        order.setdefault(answer.question[:3], len(order))

    def place(a: Answer) -> tuple[float, ...]:
        return order[a.question[:3]], a.problem.n, a.problem.rows, a.best.row.median_ns

    return sorted(map(of_files, groups.values()), key=place)
