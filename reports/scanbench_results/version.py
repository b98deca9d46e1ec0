"""The version of scanbench that this package belongs to."""

import os

VERSION = "0.1.0"
REVISION = os.environ.get("SCANBENCH_REVISION", "")
"""Of the program that started the package, or ""."""
