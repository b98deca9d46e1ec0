"""Each row by NumPy's accumulate."""  # CHANGE: what your plugin is, in one line

import numpy

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2.
TYPES = "i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"
SCANS = {"sum": TYPES, "max": TYPES, "min": TYPES}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner), in_place (y may be x).
FLAGS = "rows allocates_in_run"
# CHANGE: parameters, which are arguments of create: NAME: (default, allowed values or a range, what it is).
TUNABLES = {"block": (0, [0, 4096, 65536], "elements at a time; 0: whole rows")}


def create(problem, block):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """
    operator = {"sum": numpy.add, "max": numpy.maximum, "min": numpy.minimum}[problem.op]
    width = block or max(problem.n, 1)

    def scan(x, y):
        for begin in range(0, x.shape[1], width):
            end = min(begin + width, x.shape[1])
            operator.accumulate(x[:, begin:end], axis=1, dtype=y.dtype, out=y[:, begin:end])
            if begin > 0:
                operator(y[:, begin:end], y[:, begin - 1 : begin], out=y[:, begin:end])

    def run(x, y):
        """Scans x, which cannot be written, into y; returns when y is complete."""
        if problem.inclusive:
            scan(x, y)
        else:
            scan(x[:, :-1], y[:, 1:])
            y[:, :1] = problem.identity

    return run
