"""Each row by PyTorch's cumsum."""  # CHANGE: what your plugin is, in one line

import torch

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm
ARRAYS = "torch"  # x and y are tensors on the GPU

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2.
SCANS = {"sum": "i32 i64 f32 f64"}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner), in_place (y may be x).
FLAGS = "rows nondeterministic allocates_in_run"
# CHANGE: parameters, which are arguments of create: NAME: (default, allowed values or a range, what it is).
TUNABLES = {"block": (0, [0, 4096, 65536], "elements at a time; 0: whole rows")}


def create(problem, block):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """
    width = block or max(problem.n, 1)

    def scan(x, y):
        for begin in range(0, x.shape[1], width):
            end = min(begin + width, x.shape[1])
            torch.cumsum(x[:, begin:end], 1, out=y[:, begin:end])
            if begin > 0:
                y[:, begin:end] += y[:, begin - 1 : begin]

    def run(x, y):
        """Scans x into y. What it queues is waited for, on all streams."""
        if problem.inclusive:
            scan(x, y)
        else:
            scan(x[:, :-1], y[:, 1:])
            y[:, :1] = problem.identity

    return run
