"""The command lines of `report` and `compare`, which are those of the program's verbs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from .csv_table import ResultError


@dataclass(frozen=True)
class _Option:
    name: str
    verbs: str
    argument: str = ""  # the word for its value; "": it takes none
    letter: str = ""
    words: Tuple[str, ...] = ()  # what its value may be; (): anything


_OPTIONS = (
    _Option("html", "report", "FILE", "o"),
    _Option("claims", "report", "FILE"),
    _Option("color", "report", "WHEN", words=("auto", "always", "never")),
    _Option("json", "compare", "FILE"),
    _Option("threshold", "compare", "PERCENT"),
    _Option("phase", "compare", "LIST", words=("run", "device", "e2e")),
    _Option("markdown", "report compare"),
    _Option("quiet", "report compare", letter="q"),
)


@dataclass
class Options:
    verb: str
    files: List[str] = field(default_factory=list)
    values: Dict[str, str] = field(default_factory=dict)  # "" for an option without a value

    def has(self, name: str) -> bool:
        return name in self.values

    def file(self, name: str) -> Optional[str]:
        """The value of an option that names a file. ResultError if it is empty."""
        if self.values.get(name) == "":
            written = "-o" if name == "html" else f"--{name}"
            raise ResultError(
                f"{written} '': this is empty; write a file's name, or leave the option out"
            )
        return self.values.get(name)

    @property
    def phases(self) -> List[str]:
        return self.values.get("phase", "run").split(",")

    @property
    def threshold(self) -> float:
        """Relative: 0.03 for 3 %."""
        return _percent(self.values.get("threshold", "3")) / 100


def parse(verb: str, arguments: Sequence[str]) -> Options:
    """ResultError says what is wrong with the command line."""
    options = Options(verb)
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            options.files += rest
            break
        if word.startswith("-") and word != "-":
            for option, value in _taken(verb, word, rest):
                _store(options, option, value)
        else:
            options.files.append(word)
    return options


def _taken(verb: str, word: str, rest: List[str]) -> Iterator[Tuple[_Option, str]]:
    """The options of one word, with their values; one may be the next word."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        option = _find(verb, name=name)
        if equals and not option.argument:
            raise ResultError(f"--{name} takes no value")
        yield option, value if equals else _value(option, rest)
        return
    letters = word[1:]
    while letters:
        option, letters = _find(verb, letter=letters[0]), letters[1:]
        if option.argument and letters:
            yield option, letters
            return
        yield option, _value(option, rest)


def _find(verb: str, name: str = "", letter: str = "") -> _Option:
    found = [o for o in _OPTIONS if (o.name == name if name else o.letter and o.letter == letter)]
    if not found:
        written = f"-{letter}" if letter else f"--{name}"
        raise ResultError(f"unknown option {written}; see scanbench --help")
    if verb not in found[0].verbs.split():
        raise ResultError(
            f"--{found[0].name} is not an option of this command; see scanbench --help"
        )
    return found[0]


def _value(option: _Option, rest: List[str]) -> str:
    if option.argument and not rest:
        raise ResultError(f"--{option.name} needs a value: --{option.name} {option.argument}")
    return rest.pop(0) if option.argument else ""


def _store(options: Options, option: _Option, value: str) -> None:
    """An option with two values is refused."""
    before = options.values.get(option.name, value)
    if before != value:
        raise ResultError(
            f"--{option.name} is given twice, as '{before:.200}' and as '{value:.200}'; leave one out"
        )
    for word in value.split(",") if option.argument == "LIST" else [value]:
        if option.words and word not in option.words:
            raise ResultError(
                f'--{option.name}: "{word}" is unknown; write one of {" ".join(option.words)}'
            )
    if option.name == "threshold":
        _percent(value)
    options.values[option.name] = value


def _percent(text: str) -> float:
    try:
        percent = float(text[:-1] if text.endswith("%") else text)
    except ValueError:
        percent = math.nan
    if not 0 < percent <= 100:
        raise ResultError(f"--threshold {text}: not a percentage above 0, up to 100")
    return percent
