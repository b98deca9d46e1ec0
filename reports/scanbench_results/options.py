"""The command lines of `report` and `compare`, which are those of the program's verbs."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import dataclass
from typing import Dict, List, NoReturn, Optional, Sequence

from .csv_table import ResultError


@dataclass
class Options:
    verb: str
    files: List[str]
    values: Dict[str, str]  # of the options that were given; "" for one without a value

    def has(self, name: str) -> bool:
        return name in self.values

    def file(self, name: str) -> Optional[str]:
        """The value of an option that names a file. ResultError if it is empty."""
        if self.values.get(name) == "":
            raise ResultError(
                f"--{name} '': this is empty; write a file's name, or leave the option out"
            )
        return self.values.get(name)

    @property
    def phases(self) -> List[str]:
        return self.values.get("phase", "run").split(",")

    @property
    def threshold(self) -> float:
        """Relative: 0.03 for 3 %."""
        return float(self.values.get("threshold", "3")) / 100


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ResultError(message)


def parse(verb: str, arguments: Sequence[str]) -> Options:
    """ResultError says what is wrong with the command line. The program has checked its own."""
    parser = _Parser(f"python3 -m scanbench_results {verb}", allow_abbrev=False)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--markdown", action="store_const", const="")
    parser.add_argument("--quiet", "-q", action="store_const", const="")
    if verb == "report":
        parser.add_argument("--html", "-o", metavar="FILE")
        parser.add_argument("--claims", metavar="FILE")
        parser.add_argument("--color", choices=("auto", "always", "never"))
    else:
        parser.add_argument("--json", metavar="FILE")
        parser.add_argument("--threshold", metavar="PERCENT", type=_percent)
        parser.add_argument("--phase", metavar="LIST", type=_phases)
    given = vars(parser.parse_intermixed_args(list(arguments)))
    files = given.pop("files")
    return Options(verb, files, {name: value for name, value in given.items() if value is not None})


def _percent(text: str) -> str:
    percent = text[:-1] if text.endswith("%") else text
    with contextlib.suppress(ValueError):
        if 0 < float(percent) <= 100:
            return percent
    raise argparse.ArgumentTypeError(f"{text}: not a percentage above 0, up to 100")


def _phases(text: str) -> str:
    for word in text.split(","):
        if word not in ("run", "device", "e2e"):
            raise argparse.ArgumentTypeError(f'"{word}" is unknown; write one of run device e2e')
    return text
