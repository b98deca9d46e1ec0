"""The claims of rules_are_those_of_c.t; see there. usage: rules_are_those_of_c.py STATS_RULES"""

import math
import random
import subprocess
import sys
from typing import Callable, List, Optional, Sequence, Tuple

from scanbench_results import rounds, verdict
from tap import claim, plan

Question = Tuple[str, str]  # what is asked of the C, and what the package answers
SEED = 20240229
rng = random.Random(SEED)


def numbers(values: Sequence[float]) -> str:
    return " ".join(f"{v:.17g}" for v in values)


def times(n: int) -> List[float]:
    """Of rounds: some without a value, some equal, with outliers or of two values."""
    spread = rng.choice([0, 1e-4, 0.01, 0.05, 0.5])
    other = rng.choice([[1, 1, 1, 1, 1.5], [1, 1, 1.5]])
    made = [rng.choice(other) * 1000 * math.exp(rng.gauss(0, spread)) for _ in range(n)]
    if rng.random() < 0.3:
        made = [float(round(v)) for v in made]
    return [math.nan if rng.random() < 0.05 else v for v in made]


def answer_of(r: rounds.Rounds) -> str:
    if r.n == 0:
        return "0"
    if not r.has_ci:
        return f"{r.n} {r.median:.17g}"
    return f"{r.n} {numbers([r.median, r.lo, r.hi])}"


def outcome_of(o: verdict.Outcome) -> str:
    values = f"; {numbers([o.ratio, o.lo, o.hi, o.p])}" if o.has_interval else ""
    return f"{o.verdict}; {o.reason}{values}"


def two_sides() -> Tuple[List[float], List[float]]:
    n = rng.choice([1, 5, 6, 7, 12, 25, 40, 41, 300])
    over, under = times(n), times(n)
    factor = rng.choice([1, 1.01, 1.04, 0.9, 3])
    if rng.random() < 0.5:
        over = [factor * v * math.exp(rng.gauss(0, 0.01)) for v in under]
    if rng.random() < 0.05:
        under[0] = 0.0
    return over, under


def rank() -> Question:
    n = rng.choice([rng.randrange(60), rng.randrange(1100), rng.randrange(100000)])
    return f"rank {n}", str(rounds.ci_rank(n))


def of_rounds() -> Question:
    values = times(rng.choice([1, 2, 5, 6, 9, 20, 40, 999, 1200]))
    return f"rounds {numbers(values)}", answer_of(rounds.summarize(values))


def ratio() -> Question:
    over, under = two_sides()
    question = f"ratio {numbers(over)} / {numbers(under)}"
    return question, answer_of(rounds.ratio(over, under))


def sign() -> Question:
    over, under = two_sides()
    return f"sign {numbers(over)} / {numbers(under)}", f"{verdict.sign_test(over, under):.17g}"


def estimate(median: float) -> Tuple[str, Optional[verdict.Estimate]]:
    half = rng.choice([0.005, 0.005, 0.02, 0.1])
    lo, hi = median * (1 - half), median * (1 + half)
    kind = rng.randrange(12)
    if kind == 0:
        lo = 0.0
    elif kind == 1:
        hi = median * 0.99
    calibrated = rng.random() < 0.7
    text = f"{median:.17g}:{lo:.17g}:{hi:.17g}" + ("c" if calibrated else "")
    return text, verdict.estimate_of(median, lo, hi, calibrated)


def across() -> Question:
    threshold = rng.choice([0.005, 0.03, 0.2])
    change = rng.choice([0.8, 0.97, 1, 1.001, 1.02, 1.05, 1.5])
    texts: List[List[str]] = [[], []]
    runs: List[List[Optional[verdict.Estimate]]] = [[], []]
    for _ in range(3):
        time = rng.uniform(1, 1000)
        for side, factor in enumerate((1, change * rng.choice([1, 1, 1.01, 1.1]))):
            text, made = estimate(time * factor)
            texts[side].append(text)
            runs[side].append(made)
    question = f"across {threshold} {' '.join(texts[0])} / {' '.join(texts[1])}"
    return question, outcome_of(verdict.across(runs[0], runs[1], threshold))


def holm() -> Question:
    # p-values that differ: the order of equal ones is free.
    words = list(verdict.VERDICTS[:4])
    family, texts = [], []
    for _ in range(rng.randrange(1, 20)):
        word, known = rng.choice(words), rng.random() < 0.9
        p = rng.random() ** rng.choice([1, 4, 20])
        family.append(verdict.Outcome(verdict=word, has_interval=known, p=p if known else 0.0))
        texts.append(f"{word} {p:.17g}" if known else f"{word} -")
    verdict.holm(family)
    return f"holm {' '.join(texts)}", " ".join(o.verdict for o in family)


def alike(one: str, other: str) -> bool:
    """Are the texts the same, numbers up to the last digits, in which libraries differ?"""
    words, others = one.split(), other.split()
    return len(words) == len(others) and all(map(word_alike, words, others))


def word_alike(one: str, other: str) -> bool:
    try:
        return one == other or math.isclose(float(one), float(other), rel_tol=1e-10, abs_tol=1e-300)
    except ValueError:
        return False


def check(text: str, make: Callable[[], Question], count: int) -> None:
    questions = [make() for _ in range(count)]
    asked = "".join(f"{question}\n" for question, _ in questions)
    answers = subprocess.run(
        [sys.argv[1]], input=asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    wrong = [
        f"{question[:300]}: C says {answer}, the package {own}"
        for (question, own), answer in zip(questions, answers)
        if not alike(answer, own)
    ]
    claim(text, len(answers) == count and not wrong, f"seed {SEED}", *wrong[:3])


plan(6)
check("the ranks of order statistics", rank, 300)
check("the interval of the median of rounds", of_rounds, 300)
check("the interval of a ratio of common rounds", ratio, 500)
check("the sign test", sign, 300)
check("verdicts across runs", across, 1000)
check("Holm's rule", holm, 300)
