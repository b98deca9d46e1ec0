"""What `scanbench validate --json FILE` says of plugins, for those whose rows are submitted."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Set

from .csv_table import ResultError, read_file
from .text import json_member, json_objects

_BYTES_MOST = 64 << 20
_HOW = "prove anew: scanbench validate all --json proof.json"


@dataclass
class Proof:
    """Of one plugin, on all devices on which it was proved."""

    claims: Set[str] = field(default_factory=set)  # names of those that hold
    passed: int = 0  # of all its points: each claim, for each type and operator
    skipped: int = 0
    failed: List[str] = field(default_factory=list)  # what does not hold
    max_n: int = 0  # elements
    hash: str = ""  # SHA-256 of its file; "" if it is not said

    @property
    def counts(self) -> Dict[str, int]:
        """As metadata have it."""
        of = {"claims": len(self.claims), "passed": self.passed, "skipped": self.skipped}
        return {**of, "max_n": self.max_n}


def read_proof(path: str) -> Dict[str, Proof]:
    """The proofs of a file by the plugins' ids. ResultError: it is no outcome of validate, or not a whole
    one."""
    data = read_file(path, _BYTES_MOST)
    if len(data) > _BYTES_MOST:
        raise ResultError(f"{path} is longer than {_BYTES_MOST} bytes")
    return parse_proof(data, path)


def parse_proof(data: bytes, name: str) -> Dict[str, Proof]:
    """The same of the bytes of a file; `name` stands for it in messages."""
    if data.startswith(b"TAP version"):
        raise ResultError(f"{name} is TAP, which does not say which build was proved; {_HOW}")
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise ResultError(f"{name} is not JSON, or was cut short; {_HOW}") from None
    if not isinstance(whole, dict) or whole.get("schema") != 1 or "claims" not in whole:
        raise ResultError(f"{name} is not the outcome of scanbench validate; {_HOW}")
    claims, extents = json_objects(whole.get("claims")), json_objects(whole.get("extent"))
    if whole.get("interrupted") is not False or whole.get("planned") != len(claims):
        raise ResultError(f"{name}: the proof was interrupted; {_HOW}")
    found: Dict[str, Proof] = {}
    for outcome in claims:
        _take(found.setdefault(json_member(outcome, "plugin"), Proof()), outcome)
    for extent in extents:
        proof, max_n = found.setdefault(json_member(extent, "plugin"), Proof()), extent.get("max_n")
        proof.max_n = max(proof.max_n, max_n if type(max_n) is int and max_n < 1 << 64 else 0)
        proof.hash = json_member(extent, "sha256")
    return found


def _take(proof: Proof, outcome: Dict[str, Any]) -> None:
    result = outcome.get("result")
    if result == "passed":
        proof.passed += 1
        proof.claims.add(json_member(outcome, "claim"))
    elif result == "skipped":
        proof.skipped += 1
    else:
        proof.failed.append(json_member(outcome, "text"))
