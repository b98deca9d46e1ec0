"""The version of scanbench that this package belongs to."""

VERSION = "0.1.0"
