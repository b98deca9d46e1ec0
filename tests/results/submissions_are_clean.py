"""The claims of submissions_are_clean.t; see there."""

import copy
import gzip
import io
import json
import os
import random
import tempfile
import traceback
from typing import Any, Callable, Dict, Iterator, List, Tuple

from scanbench_results import ResultError, private, submission
from scanbench_results.machine import machine_slug
from scanbench_results.proof import parse_proof
from scanbench_results.submit import submit
from tap import claim, plan

COUNT = int(os.environ.get("SCANBENCH_MUTATIONS", "400"))
SEED = int(os.environ.get("SCANBENCH_SEED", "1"))
HOST, USER, FOLDER = "grendel-7", "hrothgar", "heorot"
PATH = f"/home/{USER}/{FOLDER}/made/my_scan.so"
ADDRESS = f"x {USER}@{HOST}.example.org:{PATH}, y"
SECRETS = (HOST, USER, FOLDER)
RUN = "20261128T120000Z-4711-00c0ffee"
Object = Dict[str, Any]

WORDS = (
    "schema=1 role=algorithm backend=cpu kind=exclusive kinds=exclusive op=sum dtype=i32 result=i32 n=1000 "
    "cache=hot phase=run status=ok verified=1 samples=60 rounds=6 group_id=1 seed=1 in_place=0 "
    "stop_reason=rounds flags=batch=4 rows=1 inner=1 timestamp_utc=2026-11-28T12:00:01Z"
)
ROW: Object = dict(word.split("=", 1) for word in WORDS.split())
ROW |= dict(run_id=RUN, host=HOST, device="AMD EPYC", binding="core:1 pu:1 node:0")
COLUMNS = list(private.COLUMNS)


def row(plugin: str, base: float, /, **cells: object) -> Object:
    rounds = [base + i for i in range(6)]
    times = dict(
        rounds_ns=" ".join(map(str, rounds)), median_ns=base + 2.5, ci_lo_ns=base, ci_hi_ns=base + 5
    )
    return {**ROW, **times, "plugin": plugin, **cells}


def rows(**cells: object) -> List[Object]:
    failed: Object = dict(
        status="error", verified="", rounds_ns="", median_ns="", rounds="", ci_lo_ns="", ci_hi_ns=""
    )
    lost = row(
        "cpu_tbb", 1, **failed, reason=f"{PATH}: no room in {FOLDER} of {USER} on {HOST}", flags=""
    )
    return [
        row("cpu_serial", 2000.0, **{**dict[str, object](role="baseline"), **cells}),
        row("cpu_simd", 1000.0),
        lost,
    ]


def csv_of(made: List[Object]) -> str:
    lines = [",".join(COLUMNS)]
    for cells in made:
        texts = (str(cells.get(name, "")) for name in COLUMNS)
        lines.append(",".join(f'"{t}"' if "," in t else t for t in texts))
    return "\n".join(lines) + "\n"


def metadata() -> Object:
    plugin: Object = dict(
        id="cpu_serial", version="1.0", backend="cpu", device="AMD EPYC", status="ok"
    )
    plugin |= dict(sha256="ab" * 32, bundled=True, defaults="", reason=PATH)
    plugin |= dict(file=f"/home/{USER}/{FOLDER}/build/plugins/cpu_serial.so")
    words = [f"/home/{USER}/{FOLDER}/scanbench", "--plugins", f"cpu_*,{PATH}", "--sizes=1e3"]
    words += ["-qo", f"{FOLDER}/out.csv", "--launcher", f"mpirun --host {HOST} -n {{parts}}"]
    words += ["--python", f"/home/{USER}/venv/bin/python3"]
    run: Object = dict(schema=1, run_id=RUN, scanbench="0.1.0", git_revision="abc", aslr="on")
    run |= dict(compiler="12.2.0", host=HOST, cpu="AMD EPYC", system=f"Linux 6.1 {HOST}")
    run |= dict(topology="1 packages, 1 nodes, 2 cores, 2 processing units", argv=words)
    not_built = {"id": "cpu_tbb", "file": "cpu_tbb", "bundled": False, "sha256": ""}
    warnings = [f"3 of 4 configurations, flagged busy by {USER}", f"{HOST} in {PATH}"]
    run |= dict(plugins=[plugin, not_built], warnings=warnings, complete=True)
    run |= dict(environment={"HOME": f"/home/{USER}"}, secret=f"{HOST} {USER} {FOLDER}")
    columns = [
        {"name": name, "datatype": "string", "dc:description": f"{HOST} {USER}"} for name in COLUMNS
    ]
    return {
        "@context": HOST,
        "url": f"{HOST}.csv",
        "tableSchema": {"columns": columns},
        "notes": [run],
        "more": PATH,
    }


def submitted(text: str, of: Object, **options: Any) -> bytes:
    """The file that submit writes of a run. ResultError."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = f"{folder}/out.csv", f"{folder}/out.gz"
        of["notes"][0].setdefault("bytes", len(text.encode()))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        with open(path + "-metadata.json", "w", encoding="utf-8") as file:
            json.dump(of, file)
        name, proof = options.get("name", ""), options.get("proof")
        submit(path, out, name, proof, options.get("foreign", False), True)
        with open(out, "rb") as packed:
            return packed.read()


def refusal(make: Callable[[], object]) -> str:
    """Why it is refused; "": it is not."""
    try:
        make()
    except ResultError as error:
        return str(error)
    return ""


def in_words() -> List[str]:
    """What leaks of a machine without a given name, of plugins with names of people, and of other letters; and what
    is written so that it is not taken."""
    of = metadata()
    mine: Object = dict(
        id=f"{USER}_scan", file=f"/opt/{USER}_scan.so", sha256="cd" * 32, bundled=False
    )
    of["notes"][0]["plugins"].append({**mine, "defaults": f"{USER}_block=4"})
    of["notes"][0]["argv"] += ["--require", f"{USER}_scan", "--set", f"{USER}_block=4"]
    of["notes"][0]["argv"] += ["--baseline", f"./{USER}_scan.so:{USER}_scan"]
    lost: Object = dict(
        reason=f"no room for {USER.upper()} on {HOST.title()}", device=f"chip of {HOST}"
    )
    own: Object = {"plugin": f"{USER}_scan", "params": f"{USER}_block=4"}
    made = [{**cells, "device": f"Chip of {HOST}"} for cells in rows()]
    made += [{**made[2], **lost}, row(f"{USER}_scan", 3.0, **own)]
    made += [row(f"{USER}_scan", 4.0, **{**own, "phase": f"kernel:{USER}_up"})]
    data = submitted(csv_of(made), of, foreign=True)
    refused = refusal(lambda: unpacked(data))
    foreign = [] if refused else unpacked(data).foreign
    return leaks(data) + [refused] * bool(refused) + [f"{foreign}"] * (foreign != ["user_scan"])


def leaks(data: bytes) -> List[str]:
    text = gzip.decompress(data).decode()
    return [
        f"{s}: {line[:160]}" for s in SECRETS for line in text.splitlines() if s in line.lower()
    ]


def in_each_field() -> Tuple[List[str], int]:
    """What leaks if each column and each fact has the names; and in how many of them they may stand."""
    found, taken = [], 0
    for secret in (
        HOST,
        USER,
        FOLDER,
        PATH,
        f"~{USER}/{FOLDER}",
        ADDRESS,
        f"file:///home/{USER}/{FOLDER}/of.txt",
        f"-I/opt/{FOLDER}/include -isystem/{FOLDER}",
        f"/opt/{FOLDER} 2/more {FOLDER}/x",
        f"s3://{FOLDER}.{HOST}/a or C:\\Users\\{USER}\\{FOLDER}",
    ):
        if secret != FOLDER:  # alone it is a word, which only free texts are rid of
            for column in COLUMNS:
                text = csv_of(rows(**{column: secret}))
                try:
                    found += leaks(submitted(text, metadata(), foreign=True, name="A machine"))
                    taken += 1
                except ResultError:
                    pass
        for of in facts_with(secret):
            found += leaks(submitted(csv_of(rows()), of, foreign=True, name="A machine"))
    return found, taken


DRIVERS = (
    "scanbench git_revision compiler cpu topology system governor aslr sha256 version backend device driver "
    "reference status defaults id foreign memory_available".split()
)
"""Facts and options with words of drivers, in which the name of a folder may be that of a device."""
CHOSEN = "sizes set plugins baseline require".split()
"""Options of words that the author of a plugin chose."""
OPTIONS = "device launcher python csv page json samples mine".split() + CHOSEN


def facts_with(secret: str) -> Iterator[Object]:
    """Metadata in which one fact after the other is the secret, but for those in which it may stay."""
    run = metadata()["notes"][0]
    stays = {*(CHOSEN if secret in SECRETS else []), *(DRIVERS if secret == FOLDER else [])}
    stays |= {"run_id", "complete", "schema", "argv"}
    for key in {*run, "governor", "machine", "foreign", "unknown"} - stays - {"plugins"}:
        of = metadata()
        of["notes"][0][key] = [secret] if key in ("warnings", "foreign") else secret
        yield of
    for key in {*run["plugins"][0], "driver", "reference", "unknown"} - stays:
        of = metadata()
        of["notes"][0]["plugins"][0].update({"id": "my_scan", key: secret})
        yield of
    for option in {*OPTIONS} - stays:
        of = metadata()
        of["notes"][0]["argv"] += [f"--{option}", secret]
        yield of


# ---- hostile and damaged files ---------------------------------------------------------------------

GOOD = submitted(csv_of(rows()), metadata())
TEXT = gzip.decompress(GOOD)


def unpacked(data: bytes) -> submission.Submission:
    return submission.unpack(data, "given.gz")


def with_run(change: Callable[[Object], object]) -> bytes:
    """A well-formed file in which the last run is changed."""
    made = unpacked(GOOD)
    of = copy.deepcopy(made.metadata)
    change(of["notes"][0])
    return submission.pack(submission.Submission(made.machine, of, made.rows, made.file))


def bomb() -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        for _ in range(300):
            packed.write(b"\0" * (1 << 20))
    return out.getvalue()


def replaced(a: bytes, b: bytes) -> bytes:
    """A file in which the first of these is replaced."""
    assert a in TEXT, a
    return gzip.compress(TEXT.replace(a, b, 1))


def hostile() -> List[Tuple[str, bytes]]:
    """What the refusal has to say, and the file."""
    deep = b"scanbench submission 1\n" + b"[" * 200000 + b"\n}\n\n" + TEXT.partition(b"\n}\n\n")[2]
    return [
        ("not packed by gzip", b"schema,run_id\n"),
        ("not packed by gzip", b"\x1f\x8b" + b"\0" * 40),
        ("unpacks to more than", bomb()),
        ("cut short", GOOD[:-9]),
        ("something was added", GOOD + GOOD),
        ("was not made by scanbench submit", gzip.compress(b"")),
        ("was not made by scanbench submit", replaced(b"submission 1", b"submission 2")),
        ("not JSON", gzip.compress(deep)),
        ("not JSON", replaced(b'"schema": 1', b'"schema": NaN')),
        ("name of its machine", with_run(lambda run: run.update(machine="../../etc"))),
        ("name of its machine", with_run(lambda run: run.update(machine="x" * 200))),
        ("name of its machine", with_run(lambda run: run.pop("machine"))),
        ("was edited", with_run(lambda run: run.update(machine="Another, 1 core"))),
        ("was edited", with_run(lambda run: run.update(host=HOST))),
        ("was edited", with_run(lambda run: run["argv"].append("--page"))),
        ("was edited", with_run(lambda run: run["plugins"][0].update(id=[]))),
        ("was edited", with_run(lambda run: run.update(run_id={}))),
        ("was edited", with_run(lambda run: run["plugins"][0].update(file="../x/cpu_serial.so"))),
        ("was edited", with_run(lambda run: run["plugins"][0].update(proof={"passed": -1}))),
        ("was edited", with_run(lambda run: run["plugins"][0].update(id=[1]))),
        ("was interrupted", with_run(lambda run: run.update(complete=False))),
        (
            "of another run",
            with_run(lambda run: run.update(run_id="20261128T120000Z-4712-00c0ffee")),
        ),
        ("not of this scanbench: my_scan", replaced(b",cpu_simd,", b",my_scan,")),
        ("rows were disturbed", gzip.compress(TEXT.replace(b",batch=4,", b",busy,"))),
        ("was not compared", replaced(b"\n1,1000,,,1,,", b"\n1,1000,,,0,,")),
        ("is not a status", replaced(b",ok,", b",fine,")),
    ]


PIECES = [b"", b'"', b"{", b"}\n\n", b"-1", b"1e999", b"\xff", b"null"]


def mutated(rng: random.Random, data: bytes) -> bytes:
    made = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(made) + 1), rng.choice([1, 1, 2, 40])
        piece = rng.choice([*PIECES, bytes([rng.randrange(256)])])
        made[at : at + rng.choice([0, length])] = piece
    return bytes(made)


def survives(read: Callable[[bytes], object], data: bytes) -> str:
    """What comes out but an answer or a ResultError; "" if nothing does."""
    try:
        read(data)
    except ResultError:
        pass
    except Exception:  # pylint: disable=broad-except
        return f"{data[:80]!r}\n{traceback.format_exc()}"
    return ""


def first_wrong(read: Callable[[bytes], object], of: bytes, pack: Callable[[bytes], bytes]) -> str:
    rng = random.Random(SEED)
    wrongs = (survives(read, pack(mutated(rng, of))) for _ in range(COUNT))
    return next(filter(None, wrongs), "")


# ---- proofs --------------------------------------------------------------------------------------

POINT = dict(number=1, result="passed", text="cpu_serial: right", claim="sizes", runs=3)
POINT |= dict(plugin="cpu_serial")
EXTENT = dict(plugin="cpu_serial", device="AMD EPYC", sha256="ab" * 32, runs=3, max_n=70000)
PROOF = dict(schema=1, scanbench="0.1.0", seed=1, planned=1, interrupted=False)
PROOF |= dict(claims=[POINT], extent=[EXTENT])


ODD: List[object] = [
    5,
    None,
    True,
    "x",
    [5],
    [[1]],
    {"id": [1]},
    [{"id": [1]}],
    [{"id": {}}],
    [None],
]
DAMAGED = [
    (key, odd)
    for key in "run_id plugins argv warnings host cpu foreign bytes".split()
    for odd in ODD
]


def taken_with(damage: Tuple[str, object]) -> str:
    """What submit ends with but a file or a ResultError, if one fact is of another type."""
    of = metadata()
    of["notes"][0][damage[0]] = damage[1]
    return survives(lambda _: submitted(csv_of(rows()), of), repr(damage).encode())


def proved(**change: Any) -> Any:
    """What is noted of cpu_serial with that proof, or why it is refused."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({**PROOF, **change}, file)
        file.flush()
        try:
            made = unpacked(submitted(csv_of(rows()), metadata(), proof=file.name))
        except ResultError as error:
            return str(error)
        return made.run["plugins"][0].get("proof")


PROOFS = [  # what the refusal has to say, and the file
    ("is TAP", b"TAP version 13\n1..1\nok 1 - right\n"),
    ("is not JSON", json.dumps(PROOF).encode()[:-20]),
    ("is not JSON", b"[" * 100000),
    ("not the outcome", b"{}"),
    ("not the outcome", b"[1]"),
    ("was interrupted", json.dumps({**PROOF, "interrupted": True}).encode()),
    ("was interrupted", json.dumps({**PROOF, "planned": 2}).encode()),
]


def main() -> None:
    plan(18)
    found, taken = in_each_field()
    claim("no host, user or folder is left of any column or fact", not found, *found[:9])
    claim("some columns with them were taken, and not all refused", taken > 20, taken)
    left = in_words()
    claim("nor in words: of machines, plugins, tunables, and in capitals", not left, *left)
    damaged = [taken for taken in map(taken_with, DAMAGED) if taken]
    claim("metadata of other types are refused, or not looked at", not damaged, *damaged)
    claim(
        "a file without them is the same as one of another host, user and folder", other_names(), ""
    )
    made = unpacked(GOOD)
    claim(
        "the rows keep their times",
        b"2000.0 2001.0" in made.rows and len(made.file.rows) == 3,
        TEXT,
    )
    reason = made.file.rows[2].reason
    claim(
        "and a reason what is no name", "no room in (folder) of (user) on (host)" in reason, reason
    )
    words = " ".join(made.run["argv"])
    is_short = (
        words == "scanbench --plugins cpu_*,my_scan.so --sizes 1e3 --csv out.csv --launcher mpirun"
    )
    claim("the command keeps what was measured", is_short, words)
    warned = made.run["warnings"] == ["3 of 4 configurations, flagged busy"]
    claim("a warning keeps how often it is", warned, made.run["warnings"])
    claim("the machine has a name", made.machine == "AMD EPYC, 2 cores", made.machine)
    claim("its folder, too", machine_slug("2 × H200, 32 cores") == "2-h200-32-cores", "")
    wrongs = [(said, refusal(lambda data=data: unpacked(data))) for said, data in hostile()]  # type: ignore[misc]
    claim("hostile files are refused, with the reason", all(s in r for s, r in wrongs), *wrongs)
    wrong = first_wrong(unpacked, TEXT, lambda data: gzip.compress(data, 1))
    claim(f"of {COUNT} damaged texts each is taken or refused", not wrong, wrong)
    wrong = first_wrong(unpacked, GOOD, lambda data: data)
    claim(f"so is each of {COUNT} damaged files", not wrong, wrong)
    counts = proved()
    claim("a proof is noted", counts == dict(claims=1, passed=1, skipped=0, max_n=70000), counts)
    failed, other = proved(claims=[{**POINT, "result": "failed"}]), proved(
        extent=[{**EXTENT, "sha256": "cd"}]
    )
    claim(
        "one that failed, or is of another build, is refused",
        "failed" in failed and "another build" in other,
        failed,
    )
    wrongs = [(s, refusal(lambda data=data: parse_proof(data, "proof.json"))) for s, data in PROOFS]  # type: ignore[misc]
    claim(
        "what is no proof, or not a whole one, is refused", all(s in r for s, r in wrongs), *wrongs
    )
    wrong = first_wrong(
        lambda data: parse_proof(data, "p"), json.dumps(PROOF).encode(), lambda data: data
    )
    claim(f"of {COUNT} damaged proofs each is taken or refused", not wrong, wrong)


def other_names() -> bool:
    """Is the file the same if all names are others of the same length?"""
    text, of = csv_of(rows()), json.dumps(metadata())
    for secret in SECRETS:
        text, of = text.replace(secret, secret[::-1]), of.replace(secret, secret[::-1])
    return submitted(text, json.loads(of)) == GOOD


main()
