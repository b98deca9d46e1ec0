"""Texts of files made safe to print, as core/text/utf8.h and core/text/number.h do.

A byte that is not UTF-8 stands in a text as Python's `surrogateescape` puts it: U+DC80 to U+DCFF.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Dict, Iterable, List, Union

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Makes the text one line that is safe to print: what is not UTF-8 becomes "?", control
    characters become as many blanks as they have bytes."""

    def safe(found: re.Match[str]) -> str:
        c = found[0]
        return "?" if "\ud800" <= c <= "\udfff" else " " * len(c.encode())

    if text.isprintable():  # nearly all are, and none of these is unsafe
        return text
    return _UNSAFE.sub(safe, text)


def shown(text: str) -> str:
    """The same with "?" for control characters: each character is then one column of a terminal."""
    return _UNSAFE.sub("?", text)


def json_text(value: object) -> str:
    """The value as JSON on one line that is safe to print; what is not UTF-8 becomes U+FFFD."""

    def escaped(found: re.Match[str]) -> str:
        c = found[0]
        return "\\ufffd" if "\ud800" <= c <= "\udfff" else f"\\u{ord(c):04x}"

    return _UNSAFE.sub(escaped, json.dumps(value, ensure_ascii=False))


def number_text(n: int) -> str:
    """A whole number as short as users write it, if that is exact: "3e6", "1234"."""
    digits = str(n)
    zeros = len(digits) - 1
    if zeros >= 3 and digits[1:] == "0" * zeros:
        return f"{digits[0]}e{zeros}"
    return digits


def json_number(value: float, known: bool = True) -> Union[int, float, None]:
    """Of ten digits, which is more than any clock has; None if it is not known."""
    if not known or not math.isfinite(value):
        return None
    short = float(f"{value:.10g}")
    return int(short) if short.is_integer() else short


def json_lines(values: Iterable[object]) -> str:
    """A list, each value in a line of its own."""
    return "[" + ",".join(f"\n  {json_text(value)}" for value in values) + "\n]"


# ---- values of JSON that anybody may have written ------------------------------------------------


def json_objects(value: object) -> List[Dict[str, Any]]:
    """The objects of a list; [] if it is none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def json_texts(value: object) -> List[str]:
    """The texts of a list; [] if it is none."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def json_member(of: Dict[str, Any], name: str) -> str:
    """The text that an object has under a name; "" if it has none there."""
    value = of.get(name)
    return value if isinstance(value, str) else ""
