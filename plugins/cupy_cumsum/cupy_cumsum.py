"""CuPy's cumsum on a GPU, as its users call it."""

import cupy

NAME = "CuPy cumsum"
VERSION = cupy.__version__
REFERENCE = "https://docs.cupy.dev/en/stable/reference/generated/cupy.cumsum.html"
ROLE = "peer"
ARRAYS = "cupy"
SCANS = {"sum": "i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"}
RESULTS = {"i8 i16": "i32", "u8 u16": "u32", "i32": "i64", "u32": "u64"}
FLAGS = "rows inner nondeterministic allocates_in_run"


def supports(problem):
    if problem.dtype == "f32":
        return "CuPy compiles with -ftz=true, which takes subnormal numbers of f32 for 0"


def create(problem):
    def inclusive(x, y):
        cupy.cumsum(x, axis=1, dtype=y.dtype, out=y)

    def exclusive(x, y):
        cupy.cumsum(x[:, :-1], axis=1, dtype=y.dtype, out=y[:, 1:])
        y[:, :1] = 0

    if problem.n == 0:
        return lambda x, y: None
    return inclusive if problem.inclusive else exclusive
