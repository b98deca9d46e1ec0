"""The Test Anything Protocol for tests in Python: plan(N), then N claims."""

import sys

_count = 0


def plan(claims: int) -> None:
    print(f"TAP version 13\n1..{claims}", flush=True)


def claim(text: str, holds: bool, *notes: object) -> None:
    """Notes are shown if it does not hold, on stderr, which prove passes on."""
    global _count
    _count += 1
    print(f"{'ok' if holds else 'not ok'} {_count} - {text}", flush=True)
    if not holds:
        for line in [f"{sys.argv[0]} {_count}: {text}", *map(str, notes)]:
            print(f"# {line}", file=sys.stderr, flush=True)
