"""What of a run may leave its machine: a list of columns and of facts, each with the form that it must
have. Names of hosts, users and folders are taken out of texts that are free, and what is not in the
lists is left out.
"""

from __future__ import annotations

import csv
import fnmatch
import io
import os
import pwd
import re
from typing import Any, Callable, Collection, Iterable, Mapping, Optional, Sequence

from .csv_table import ResultError, Table
from .known_plugins import CALIBRATORS, known_plugins
from .report import FLAGS
from .rows import STATUSES
from .text import clean, json_member, json_objects, json_texts

_NUMBER, _TIMES = r"[-+0-9.eE]*", r"[-+0-9.eE ]*"
_TYPE = "([iu](8|16|32|64)|f(16|32|64)|bf16|u32x2|f32x2)"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_SETTING = rf"{_NAME}=(-?[0-9]+|{_TYPE})"
_FLAG = "|".join([*FLAGS, "aperfmperf"])
_TEXT = ""
"""The form of a column whose texts are free: names are taken out of it."""

COLUMNS: dict[str, str] = {
    **dict.fromkeys(
        "schema n block vt verified max_rel_error samples median_ns ci_lo_ns ci_hi_ns min_ns q1_ns q3_ns "
        "max_ns mad_ns mean_ns stddev_ns outliers elems_per_s bytes_per_s pct_copy speedup clock_mhz seed "
        "rounds speedup_lo speedup_hi pct_copy_lo pct_copy_hi cpu_mhz load steal_pct involuntary_switches "
        "page_faults gpu_temperature_c gpu_processes parts in_place group_id rows inner max_ulps".split(),
        _NUMBER,
    ),
    **dict.fromkeys(("rounds_ns", "spins_ns"), _TIMES),
    **dict.fromkeys(("dtype", "result"), f"|{_TYPE}"),
    **dict.fromkeys("plugin plugin_version backend device driver reason host".split(), _TEXT),
    "run_id": r"[0-9]{8}T[0-9]{6}Z-[0-9]{1,10}(-[0-9a-f]{1,16})?",
    "timestamp_utc": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z",
    "role": "|algorithm|baseline|peer|ceiling|mock|calibrator",
    "kind": "|exclusive|inclusive",
    "kinds": "|exclusive|inclusive|any",
    "op": "|sum|max|min|affine",
    "params": f"|{_SETTING}(;{_SETTING})*",
    "cache": "hot|cold",
    "phase": "run|device|graph|h2d|d2h|e2e|create|kernel:[a-z0-9_]+",
    "status": "|".join(STATUSES),
    "binding": r"|any|(core|pu|node):[0-9,-]+( (core|pu|node):[0-9,-]+)*",
    "flags": rf"|({_FLAG})(=[0-9]+)?(;({_FLAG})(=[0-9]+)?)*",
    "stop_reason": "|precision|rounds|time_limit|once",
    "gpu_throttle": "|(power_cap|hw_slowdown|thermal|power_brake|none)"
    "(;(power_cap|hw_slowdown|thermal|power_brake|none))*",
    "layout": "|contiguous|cyclic",
}
"""The columns that may leave, and the form of their cells."""

_FORMS = {name: re.compile(form) for name, form in COLUMNS.items() if form}
_WORDY = ("plugin", "phase", "params")
"""Columns of words that the author of a plugin chose: of a foreign one they are texts."""


# ---- names ---------------------------------------------------------------------------------------

_COMMON = set(
    "home root usr lib lib64 bin sbin opt tmp var etc dev proc sys run mnt media srv local share build "
    "plugins python src scanbench reports results data work workspace docs tests users include venv "
    "device host user folder core main default test".split()
)
"""Folders and words that say nothing of a user."""

_ENDS = r"\s'\"`;,()<>|"
"""What ends a path in a text."""
_PATH = re.compile(
    rf"\b(?!https?:)[A-Za-z][\w+.-]*://[^{_ENDS}]*"  # of another scheme than the web's
    rf"|(?<![\w./~])(?:~[\w.-]*|\.{{1,2}}|-[A-Za-z]+)?/(?!/)[^{_ENDS}:]*"  # absolute, from ~ . .., or -I/usr
    r"|(?<![\w.:/-])[\w.+@-]+(?:/[\w.+@-]+)+\.(?:so|py|csv|c|cc|cpp|cu|cl|h|json|txt|log)\b"
    rf"|(?<![^{_ENDS}=])(?!https?://|[-0-9/.:]+(?![^{_ENDS}]))[^{_ENDS}=]*/[^{_ENDS}]*/[^{_ENDS}]*"  # a/b/c
)
_FILE = re.compile(r"[\w.+-]+\.(?:so(?:\.[0-9]+)*|py|csv|cu?|cc|cpp|cl|h|json)")
_ADDRESS = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b")


def file_of(path: str) -> str:
    """The name of a file without its folders; "" if it has no ending that plugins and sources have."""
    name = path.rstrip("/").rpartition("/")[2]
    return name if _FILE.fullmatch(name) else ""


class Names:
    """The names of a machine that are taken out of texts."""

    def __init__(self, hosts: Iterable[str], users: Iterable[str], folders: Iterable[str]) -> None:
        hosts = [part for host in hosts for part in _parts_of(host)]
        who = {**dict.fromkeys(users, "(user)"), **dict.fromkeys(hosts, "(host)")}
        where = dict.fromkeys(folders, "(folder)")
        self._people = _replacer(who)
        self._places = _replacer(where, r"(?:(?<=[/\\]){}|{}(?=[/\\]))")
        self._all = _replacer({**where, **who}, flags=re.IGNORECASE)

    def out_of(self, text: str, of_driver: bool = False) -> str:
        """The text without paths, hosts and users; unless it is a driver's, also without the bare
        names of folders, and names in other letters: these may be those of devices (reports/h200).
        """
        text = _PATH.sub(lambda found: file_of(found[0]) or "(path)", clean(text))
        if of_driver:
            return self._people(self._places(text))
        return self._all(_ADDRESS.sub("(address)", text))

    def out_of_word(self, word: str) -> str:
        """The same of a word, as an id or a tunable, which is one afterwards: user_scan."""
        return re.sub(r"\((user|host|folder|path)\)", r"\1", self.out_of(word, True))


def _parts_of(host: str) -> tuple[str, ...]:
    """Its whole name, its first, and its domain if that has several."""
    first, _, domain = host.partition(".")
    return (host, first, domain) if "." in domain else (host, first)


def _replacer(words: Mapping[str, str], form: str = "{}", flags: int = 0) -> Callable[[str], str]:
    """Puts the values in the places of the words. `form`: of a pattern, {} being a word."""
    known = {w.lower(): by for w, by in words.items() if len(w) > 1 and w.lower() not in _COMMON}
    if not known:
        return lambda text: text
    wanted = [w for w in words if w.lower() in known]
    any_of = "|".join(map(re.escape, sorted(wanted, key=len, reverse=True)))
    whole = f"(?<![A-Za-z0-9])(?:{any_of})(?![A-Za-z0-9])"
    pattern = re.compile(form.replace("{}", whole), flags)
    return lambda text: pattern.sub(lambda found: known[found[0].lower()], text)


def _folders_of(path: str) -> list[str]:
    """The folders in a path; of fewer than four letters they may be any word."""
    return [part for part in path.split("/")[:-1] if len(part) > 3]


def names_here(hosts: Iterable[str], paths: Iterable[str]) -> Names:
    """Those of this machine and its user, the hosts, and the folders of the paths."""
    home, users = os.path.expanduser("~"), {os.environ.get(v, "") for v in ("USER", "LOGNAME")}
    try:
        users.add(pwd.getpwuid(os.getuid()).pw_name)
    except KeyError:  # a user without an entry, as in a container
        pass
    paths = [*paths, f"{home}/", f"{os.getcwd()}/"]
    users |= {found for path in paths for found in re.findall(r"/(?:home|Users)/([^/]+)", path)}
    folders = [folder for path in paths for folder in _folders_of(path)]
    return Names([*hosts, os.uname().nodename], users, folders)


# ---- rows ----------------------------------------------------------------------------------------


def clean_rows(table: Table, name: str, machine: str, names: Optional[Names]) -> bytes:
    """The rows as CSV, of the columns that may leave; `host` is the machine's name. Without `names`
    texts stay as they are, as where they have been taken out already. ResultError, with the line, if a
    cell has not the form of its column."""
    kept = [(place, column) for place, column in enumerate(table.columns) if column in COLUMNS]
    at = {column: place for place, column in kept}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column for _, column in kept)
    ours = known_plugins() | CALIBRATORS
    for line, cells in zip(table.lines, table.rows):
        is_known = cells[at["plugin"]] in ours
        made = []
        for place, column in kept:
            cell = cells[place]
            form = _FORMS.get(column)
            if form and not form.fullmatch(cell):
                shown = clean(cell[:50])
                what = "has not the form of its column; submit the file that scanbench wrote"
                raise ResultError(f'{name}, line {line}: {column} "{shown}" {what}')
            made.append(_cell(column, cell, machine, names, is_known))
        writer.writerow(made)
    return out.getvalue().encode("utf-8", "replace")


def _cell(column: str, cell: str, machine: str, names: Optional[Names], is_known: bool) -> str:
    if column == "host":
        return machine
    if names and column in _WORDY:
        return cell if is_known else names.out_of_word(cell)
    if names and not COLUMNS[column]:
        return names.out_of(cell, of_driver=column != "reason")
    return clean(cell)


# ---- the command line ----------------------------------------------------------------------------

_PLUGIN_LISTS = ("plugins", "require", "baseline")
_RANGES = (
    "sizes rows inner elements block-sizes parts set types results ops kinds cache seed order time-limit "
    "min-samples max-samples mem-limit pin timeout".split()
)
_RANGE = re.compile(r"[-A-Za-z0-9_.,^*+=]*(/[0-9]+([-,][-A-Za-z0-9_.,^*+=]*)?)*")
_LETTERS = dict(p="plugins", d="device", n="sizes", b="block-sizes", s="set", t="types", o="csv")
VALUELESS = (
    "resume retry overwrite in-run markdown dry-run profile quiet verbose help version".split()
)
_LAUNCHER = "mpirun -n {parts}"


def options_of(words: Sequence[str]) -> list[tuple[str, str]]:
    """The options of a command line that have values, with these: ("sizes", "1e6")."""
    found: list[tuple[str, str]] = []
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        name, equals, value = word[2:].partition("=")
        if word.startswith("--") and name not in VALUELESS:
            found.append((name, value if equals else rest.pop(0) if rest else ""))
        elif re.match("-[a-zA-Z]", word):
            flags = re.match("-[qvhV]*", word)
            letter = word[flags.end() :] if flags else ""
            if letter:
                value = letter[1:] or (rest.pop(0) if rest else "")
                found.append((_LETTERS.get(letter[0], ""), value))
    return found


def clean_command(words: Sequence[str], names: Optional[Names]) -> list[str]:
    """The command line without what names files, folders and hosts: `--csv` writes out.csv."""
    made = ["scanbench"]
    for name, value in options_of(words):
        kept = _option_value(name, value, names)
        if kept is not None:
            made += [f"--{name}", kept]
    return made


def _option_value(name: str, value: str, names: Optional[Names]) -> Optional[str]:
    """What may leave of it; None: nothing."""
    if name in _PLUGIN_LISTS:
        return ",".join(filter(None, (_plugin_item(item, names) for item in value.split(","))))
    if name in _RANGES and _RANGE.fullmatch(value):
        return names.out_of_word(value) if names and name == "set" else value
    if name == "device":
        return _text(value, names)
    if name == "launcher":
        return value if value == _LAUNCHER else "mpirun"
    return "out.csv" if name == "csv" else None


def _plugin_item(item: str, names: Optional[Names]) -> str:
    """ "my_scan.so:fast" of "/home/me/my_scan.so:fast"; "" of a folder."""
    sign, path = ("!", item[1:]) if item.startswith("!") else ("", item)
    if "/" in path:
        file, colon, plugin = path.partition(":")
        path = file_of(file) + colon + plugin if file_of(file) else ""
    if not re.fullmatch(r"[\w.*?:\[\]-]+", path):
        return ""
    is_known = any(fnmatch.fnmatchcase(plugin, path) for plugin in known_plugins())
    return sign + (names.out_of_word(path) if names and not is_known else path)


# ---- metadata ------------------------------------------------------------------------------------

_RUN_FACTS = (
    "run_id scanbench git_revision commit_date sha256 compiler cpu topology memory_available system governor turbo smt "
    "aslr".split()
)
_PLUGIN_FACTS = "id version backend reference device driver status reason sha256 defaults".split()
_PLUGIN_WORDS = ("id", "defaults")
_DATATYPES = ("string", "dateTime", "unsignedLong", "long", "double")
_FLAG_TYPE = {"base": "boolean", "format": "1|0"}
_UNITS = ("ns", "1/s", "B/s", "%", "MHz", "°C")
_WARNING = re.compile(rf"([0-9]+ of [0-9]+ configurations)[a-z ,]*flagged ({_FLAG})")
_TEXT_MOST = 2000


def _text(value: object, names: Optional[Names], of_driver: bool = True) -> str:
    """A text or number of metadata; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    text = clean(str(value))
    return (names.out_of(text, of_driver) if names else text)[:_TEXT_MOST]


def _word(value: object, names: Optional[Names]) -> str:
    text = _text(value, None)
    return names.out_of_word(text) if names else text


def _clean_column(column: dict[str, Any]) -> dict[str, object]:
    made: dict[str, object] = {"name": column["name"]}
    if column.get("datatype") in _DATATYPES or column.get("datatype") == _FLAG_TYPE:
        made["datatype"] = column["datatype"]
    if column.get("required") is True:
        made["required"] = True
    for key, known in (("separator", (" ",)), ("null", ("-",)), ("schema:unitText", _UNITS)):
        if column.get(key) in known:
            made[key] = column[key]
    return made


def _clean_proof(proof: object) -> dict[str, int]:
    known = proof if isinstance(proof, dict) else {}
    counts = ((key, known.get(key)) for key in ("claims", "passed", "skipped", "max_n"))
    return {key: n for key, n in counts if type(n) is int and 0 <= n < 1 << 64}


def _clean_plugin(plugin: dict[str, Any], names: Optional[Names]) -> dict[str, object]:
    is_ours = _text(plugin.get("id"), None) in known_plugins()
    own = None if is_ours else names  # of words, and what it refers to
    made: dict[str, object] = {}
    for key in _PLUGIN_FACTS:
        if key in _PLUGIN_WORDS:
            made[key] = _word(plugin.get(key), own)
        else:
            made[key] = _text(
                plugin.get(key), own if key == "reference" else names, key != "reason"
            )
    made["file"] = file_of(_word(file_of(_text(plugin.get("file"), None)), own))
    if type(plugin.get("bundled")) is bool:
        made["bundled"] = plugin["bundled"]
    if "proof" in plugin:
        made["proof"] = _clean_proof(plugin["proof"])
    return made


def _clean_run(run: dict[str, Any], machine: str, names: Optional[Names]) -> dict[str, object]:
    made: dict[str, object] = {"schema": 1, "machine": machine}
    for key in _RUN_FACTS:
        text = _text(run.get(key), names)
        if text:
            made[key] = text
    made["argv"] = clean_command(json_texts(run.get("argv")), names)
    made["plugins"] = [_clean_plugin(plugin, names) for plugin in json_objects(run.get("plugins"))]
    foreign = json_texts(run.get("foreign"))
    made["foreign"] = [_word(id, None if id in known_plugins() else names) for id in foreign]
    found = map(_WARNING.search, json_texts(run.get("warnings")))
    made["warnings"] = [f"{warning[1]}, flagged {warning[2]}" for warning in found if warning]
    made["complete"] = run.get("complete") is True
    return made


def clean_metadata(
    whole: Mapping[str, Any], columns: Collection[str], machine: str, names: Optional[Names]
) -> dict[str, object]:
    """The metadata of a CSV with these columns, of what may leave, in a fixed order. Without `names`
    texts stay as they are."""
    schema = whole.get("tableSchema")
    known = json_objects(schema.get("columns")) if isinstance(schema, dict) else []
    described = {c["name"]: c for c in known if isinstance(c.get("name"), str)}
    return {
        "@context": "http://www.w3.org/ns/csvw",
        "url": "out.csv",
        "dc:title": "Times of prefix scans, measured by scanbench",
        "tableSchema": {
            "columns": [
                _clean_column(described.get(c, {"name": c})) for c in columns if c in COLUMNS
            ]
        },
        "notes": [_clean_run(run, machine, names) for run in json_objects(whole.get("notes"))],
    }
