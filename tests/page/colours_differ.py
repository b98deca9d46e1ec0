"""The claims of colours_differ.t; see there. usage: colours_differ.py PAGE.CSS

Colour blindness as in Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of
Color Vision Deficiency, 2009; differences in CIELAB; contrasts as in WCAG 2.
"""
import itertools
import math
import re
import sys

VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
SERIES = [f"series-{number}" for number in range(1, 9)]
DIFFERENCE = 15  # of a just noticeable difference of about 2


def linear(colour):
    values = (int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5))
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def lab(rgb):
    r, g, b = (min(1, max(0, value)) for value in rgb)
    x, y, z = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    f = lambda t: t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


def seen(colour, matrix):
    rgb = linear(colour)
    return lab([sum(row[i] * rgb[i] for i in range(3)) for row in matrix])


def contrast(a, b):
    dark, light = sorted(sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (a, b))
    return (light + 0.05) / (dark + 0.05)


def claim(number, text, problems):
    print(f"{'not ok' if problems else 'ok'} {number} - {text}")
    for problem in problems:
        print(f"# {problem}")


def main():
    with open(sys.argv[1]) as file:
        light, dark = file.read().split("@media screen and (prefers-color-scheme: dark)")
    read = lambda text: dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", text))
    themes = {"light": read(light), "dark": {**read(light), **read(dark)}}
    print("TAP version 13\n1..4")
    for at, (theme, colours) in enumerate(themes.items()):
        near = [f"{vision}: {a} and {b} differ by {difference:.0f}"
                for vision, matrix in VISION.items() for a, b in itertools.combinations(SERIES + ["other"], 2)
                if (difference := math.dist(seen(colours[a], matrix), seen(colours[b], matrix))) < DIFFERENCE]
        claim(2 * at + 1, f"the series differ for all kinds of colour vision, {theme}", near)
        faint = [f"{name} has a contrast of {ratio:.1f}"
                 for name in SERIES + ["quiet", "warn", "good", "accent"] if (ratio := contrast(colours[name], colours["ground"])) < 4.5]
        if contrast(colours["other"], colours["ground"]) < 3:
            faint.append("other is too faint for a line")
        claim(2 * at + 2, f"they stand out from the ground as text must, {theme}", faint)


main()
