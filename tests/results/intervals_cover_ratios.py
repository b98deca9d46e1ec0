"""The claims of intervals_cover_ratios.t; see there. usage: intervals_cover_ratios.py STATS_RULES"""

import math
import random
import subprocess
import sys
from typing import Dict, List, Sequence, Tuple

import made_rows as made
from scanbench_results import Ratio, compare, ratio_of, rows
from scanbench_results.claims import judge
from scanbench_results.recipe import parse_recipe
from scanbench_results.report import Problem, Report, make_report
from scanbench_results.run_info import RunInfo
from scanbench_results.verdict import Outcome
from tap import claim, plan

RUNS, SEED = 1000, 7

# In common, as of most runs. Order statistics are discrete: what their interval covers depends on the
# number of rounds, 95.1 to 97.9 % of 9 to 40 rounds, and of 40 rounds it is 96.2 %.
ROUNDS = 40
LACKING = 3  # rounds in which one of the two has no value
RECIPE = parse_recipe(
    "title x\nsource x\nclaim x\nexpect median(cpu_a) / median(cpu_b) < 1\n", "x.recipe"
)
rng = random.Random(SEED)


def noise() -> float:
    """Of one round: lognormal, and now and then much longer."""
    return math.exp(rng.gauss(0, 0.04)) * (1.3 if rng.random() < 0.06 else 1)


def rounds_of(time: float, states: List[float], lacks: Sequence[int]) -> List[float]:
    """The machine's state, which all plugins share in a round, cancels in their ratio."""
    values = (time * state * noise() for state in states)
    return [math.nan if i in lacks else value for i, value in enumerate(values)]


def made_run(time_a: float, time_b: float, drift: float, lacking: int) -> rows.ResultFile:
    state, states = 0.0, []
    for _ in range(ROUNDS + 2 * lacking):
        state = 0.9 * state + rng.gauss(0, drift)
        states.append(math.exp(state))
    lacks = rng.sample(range(len(states)), 2 * lacking)
    a = rounds_of(time_a, states, lacks[:lacking])
    b = rounds_of(time_b, states, lacks[lacking:])
    return made.read([made.in_rounds("cpu_a", a), made.in_rounds("cpu_b", b)])


def sides(file: rows.ResultFile) -> Tuple[rows.Row, rows.Row]:
    return made.by_plugin(file)["cpu_a"], made.by_plugin(file)["cpu_b"]


def problem_of(report: Report) -> Problem:
    return report.workloads[0].problems[0]


def of_report(report: Report) -> Ratio:
    """Of the other plugin over the winner."""
    return problem_of(report).entries[1].over_winner


def of_claims(report: Report) -> Ratio:
    """Of cpu_a over cpu_b."""
    return judge(report, [RECIPE])[0].expectations[0].values[0].ratio


def of_c(file: rows.ResultFile) -> str:
    over, under = sides(file)
    lists = " / ".join(" ".join(f"{v:.17g}" for v in row.rounds_ns) for row in (over, under))
    return f"ratio {lists}\n"


def same(one: Ratio, other: Ratio) -> bool:
    pairs = ((one.ratio, other.ratio), (one.lo, other.lo), (one.hi, other.hi))
    return one.has_interval and other.has_interval and all(math.isclose(a, b) for a, b in pairs)


def holds(of: "Ratio | Outcome", true: float) -> bool:
    return of.has_interval and of.lo <= true <= of.hi


def between_runs(true: float) -> Outcome:
    """cpu_a in two runs, of which the second takes `true` times as long; without calibrators, whose
    estimates only make the interval wider."""
    files = [made_run(1000, 1000, 0, 0), made_run(1000 * true, 1000, 0, 0)]
    return next(p.outcome for p in compare(files).pairs if p.row.plugin == "cpu_a")


def kept(states: List[float], keeps: float) -> List[float]:
    """Times of rounds, of which each keeps some of the noise of the one before."""
    noise, times = rng.gauss(0, 0.04), []
    for state in states:
        times.append(1000 * state * math.exp(noise))
        noise = keeps * noise + rng.gauss(0, 0.04) * math.sqrt(1 - keeps**2)
    return times


def made_same(keeps: float) -> rows.ResultFile:
    """A run with calibrators, on a machine in a state of its own, which drifts."""
    state, states = rng.gauss(0, 0.03), []
    for _ in range(ROUNDS):
        states.append(math.exp(state))
        state += rng.gauss(0, 0.005)
    calibrators = [
        made.in_rounds(f"frozen_{what}", kept(states, keeps), role="calibrator")
        for what in ("scan", "copy")
    ]
    spins = made.series(kept(states, keeps))
    return made.read([made.in_rounds("cpu_a", kept(states, keeps), spins_ns=spins), *calibrators])


def false_verdicts(keeps: float) -> float:
    """How many of the comparisons of two runs of the same say that a time has changed. The threshold
    hides none of them."""
    wrong = 0
    for _ in range(RUNS):
        c = compare([made_same(keeps), made_same(keeps)], threshold=0.001)
        wrong += c.count("faster") + c.count("slower")
    return wrong / RUNS


covered: Dict[str, int] = dict.fromkeys(("ratio_of", "report", "claims", "compare"), 0)
differ: List[str] = []
questions, exact = "", []
for run in range(RUNS):
    true = math.exp(rng.uniform(-0.7, 0.7))
    file = made_run(1000 * true, 1000, 0.05, LACKING)
    report = make_report([file], [RunInfo()])
    over, under = sides(file)
    won = problem_of(report).entries[0].row is under
    forth, back = ratio_of(over, under), ratio_of(under, over)
    covered["ratio_of"] += holds(forth, true)
    covered["report"] += holds(of_report(report), true if won else 1 / true)
    covered["claims"] += holds(of_claims(report), true)
    for ratio, expected in (
        (of_report(report), forth if won else back),
        (of_claims(report), forth),
    ):
        if not same(ratio, expected):
            differ.append(f"run {run}: {ratio}, not {expected}")
    covered["compare"] += holds(between_runs(true), true)
    questions += of_c(file)
    exact.append(forth)

answers = subprocess.run(
    [sys.argv[1]], input=questions, capture_output=True, text=True, check=True
).stdout.splitlines()
of_closing_table = [
    Ratio(float(median), float(lo), float(hi), has_interval=True)
    for _, median, lo, hi in map(str.split, answers)
]

KEEPS = (0.0, 0.3, 0.6)
plan(len(covered) + 3 + len(KEEPS))
for route, count in covered.items():
    share = count / RUNS
    most = 98 if route == "compare" else 97
    claim(f"{route}: the interval holds the true ratio in 94 to 97 %", 0.94 <= share <= 0.97, share)
claim("report and claims have the interval of ratio_of", not differ, *differ[:3])
claim("as has the C of the closing table", all(map(same, of_closing_table, exact)))
claim("in every run", len(of_closing_table) == RUNS)
for keeps in KEEPS:
    share = false_verdicts(keeps)
    text = f"two runs of the same whose rounds keep {100 * keeps:.0f} % of their noise"
    claim(f"at most 5 % of {text} differ", share <= 0.05, share)
