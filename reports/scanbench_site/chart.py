"""Lines on logarithmic axes, as SVG: one for wide and one for narrow screens, of which the style shows one."""

from __future__ import annotations

import math
from html import escape
from typing import NamedTuple, Sequence

WIDE, NARROW = (760, 340), (360, 300)  # widths and heights in pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 12, 40
_MARKERS = (  # around 0, 0
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0",
    "M-3.6 -3.6H3.6V3.6H-3.6Z",
    "M0 -4.8L4.4 3.4H-4.4Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M-4.4 -3.4H4.4L0 4.8Z",
    "M-1.5 -4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z",
    "M-4 -4L4 4M-4 4L4 -4",
    "M-4.5 0H4.5M0 -4.5V4.5",
)


class Line(NamedTuple):
    name: str
    colour: str  # of page.css: "series-1"
    points: Sequence[tuple[float, float, str]]  # x, y, both above 0, and what hovering shows
    is_dotted: bool = False  # without markers: a limit


class Axis(NamedTuple):
    """A logarithmic axis from pixel to pixel."""

    lo: float  # logarithms to base 10
    hi: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.lo) / (self.hi - self.lo)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int) -> list[float]:
        """Powers of ten; where they are few, multiples of these."""
        first, last = math.ceil(self.lo - 1e-9), math.floor(self.hi + 1e-9)
        step = max(1, math.ceil((last - first + 1) / most))
        found = [10.0**power for power in range(first, last + 1, step)]
        for multiples in (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7):
            if len(found) < 3:
                every = [
                    m * 10.0**power for power in range(first - 1, last + 1) for m in multiples
                ]
                found = [of for of in every if self.lo <= math.log10(of) <= self.hi]
        return found


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    lo, hi = math.log10(min(values)), math.log10(max(values))
    room = max(0.04 * (hi - lo), 0.05)
    return Axis(lo - room, hi + room, start, end)


def _tick_text(value: float) -> str:
    power = round(math.log10(value))
    if value >= 1e4 and math.isclose(value, 10.0**power):
        return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))
    return f"{value:,g}"


def _axes(x: Axis, y: Axis, size: tuple[int, int], names: tuple[str, str]) -> str:
    width, height = size
    parts = []
    for tick in y.ticks(6):
        at = y.at(tick)
        parts.append(f'<path class="rule" d="M{x.start} {at:.1f}H{x.end}"/>')
        parts.append(
            f'<text x="{x.start - 6}" y="{at + 4:.1f}" text-anchor="end">{_tick_text(tick)}</text>'
        )
    for tick in x.ticks(5 if width < 500 else 10):
        at = x.at(tick)
        parts.append(f'<path class="rule" d="M{at:.1f} {y.end}V{y.start}"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{y.start + 16}" text-anchor="middle">{_tick_text(tick)}</text>'
        )
    parts.append(f'<text x="{x.end}" y="{height - 6}" text-anchor="end">{escape(names[0])}</text>')
    parts.append(f'<text x="{x.start + 6}" y="{y.end + 12}">{escape(names[1])}</text>')
    return "".join(parts)


def _line(line: Line, marker: str, x: Axis, y: Axis) -> str:
    places = [(x.at(px), y.at(py), words) for px, py, words in line.points]
    path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py, _ in places)
    dots = (
        ""
        if line.is_dotted
        else "".join(
            f'<path d="{marker}" transform="translate({px:.1f} {py:.1f})"><title>{escape(words)}</title></path>'
            for px, py, words in places
        )
    )
    look = "limit" if line.is_dotted else "line"
    return f'<g class="{look}" style="--colour: var(--{line.colour})"><path class="way" d="{path}"/>{dots}</g>'


def _svg(
    lines: Sequence[Line], size: tuple[int, int], look: str, names: tuple[str, str], label: str
) -> str:
    width, height = size
    x = _axis([p[0] for line in lines for p in line.points], _LEFT, width - _RIGHT)
    y = _axis([p[1] for line in lines for p in line.points], height - _BOTTOM, _TOP)
    marked = [(line, _MARKERS[i % len(_MARKERS)]) for i, line in enumerate(lines)]
    drawn = "".join(
        _line(line, marker, x, y) for line, marker in reversed(marked)
    )  # the first above
    return (
        f'<svg class="{look}" role="img" aria-label="{escape(label)}" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}">{_axes(x, y, size, names)}{drawn}</svg>\n'
    )


def _legend(lines: Sequence[Line]) -> str:
    items = []
    for i, line in enumerate(lines):
        mark = (
            ""
            if line.is_dotted
            else f'<path d="{_MARKERS[i % len(_MARKERS)]}" transform="translate(14 7)"/>'
        )
        look = "limit" if line.is_dotted else "line"
        swatch = (
            f'<svg width="28" height="14" aria-hidden="true" class="{look}" style="--colour: var(--{line.colour})">'
            f'<path class="way" d="M1 7H27"/>{mark}</svg>'
        )
        items.append(f'<li><span class="entry">{swatch}{escape(line.name)}</span></li>')
    return f'<ul class="legend">{"".join(items)}</ul>\n'


def chart(lines: Sequence[Line], x_name: str, y_name: str, label: str) -> str:
    """The lines with their legend; "" where there is no line of two points. `label`: what it shows."""
    if not any(len(line.points) > 1 for line in lines):
        return ""
    drawn = [line for line in lines if line.points]
    names = (x_name, y_name)
    return (
        _legend(drawn)
        + _svg(drawn, WIDE, "chart wide", names, label)
        + _svg(drawn, NARROW, "chart narrow", names, label)
    )
