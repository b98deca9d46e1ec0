"""`python3 -m scanbench_results {report|compare} OPTIONS`."""

from __future__ import annotations

import sys
from typing import Sequence


def main(arguments: Sequence[str]) -> int:
    raise NotImplementedError


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
