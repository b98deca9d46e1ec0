"""NumPy's cumsum, maximum.accumulate and minimum.accumulate, as its users call them."""

import numpy

NAME = "NumPy cumsum"
VERSION = numpy.__version__
REFERENCE = "https://numpy.org/doc/stable/reference/generated/numpy.cumsum.html"
ROLE = "peer"
TYPES = "i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64"
SCANS = {"sum": TYPES, "max": TYPES, "min": TYPES}
RESULTS = {"i8 i16": "i32", "u8 u16": "u32", "i32": "i64", "u32": "u64", "f16": "f32", "f32": "f64"}
FLAGS = "rows inner in_place allocates_in_run"


def supports(problem):
    if problem.op == "sum" and problem.result == "f16":
        return "NumPy rounds each sum of f16 to f16, and a scan only its results"


def create(problem):
    scan = {"sum": numpy.add, "max": numpy.maximum, "min": numpy.minimum}[problem.op].accumulate

    def inclusive(x, y):
        scan(x, axis=1, dtype=y.dtype, out=y)

    def exclusive(x, y):
        scan(x[:, :-1], axis=1, dtype=y.dtype, out=y[:, 1:])
        y[:, :1] = problem.identity

    return inclusive if problem.inclusive else exclusive
