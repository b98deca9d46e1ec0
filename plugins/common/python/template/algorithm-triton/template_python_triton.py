"""A program of Triton for each row, one tile behind the other."""  # CHANGE: what your plugin is, in one line

import torch
import triton
import triton.language as tl

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm
ARRAYS = "torch"  # x and y are tensors on the GPU, which Triton's kernels take

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2.
TYPES = {"i32": torch.int32, "i64": torch.int64, "f32": torch.float32, "f64": torch.float64}
SCANS = {"sum": " ".join(TYPES)}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner), in_place (y may be x).
FLAGS = "rows"
# CHANGE: parameters, which are arguments of create: NAME: (default, allowed values or a range, what it is).
TUNABLES = {"tile": (1024, [512, 1024, 2048, 4096], "elements at a time")}


# CHANGE: the kernel.
@triton.jit
def scan(x, y, n, INCLUSIVE: tl.constexpr, TILE: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * n
    carry = tl.zeros((), x.dtype.element_ty)
    for begin in range(0, n, TILE):
        i = begin + tl.arange(0, TILE)
        value = tl.load(x + first + i, mask=i < n, other=0)
        sums = carry + tl.cumsum(value, 0)
        if INCLUSIVE:
            tl.store(y + first + i, sums, mask=i < n)
        else:
            tl.store(y + first + i + 1, sums, mask=i < n - 1)
            tl.store(y + first + i, tl.zeros_like(sums), mask=i == 0)
        # The last one. tl.sum of the values would add elements that are no neighbours, and round otherwise.
        carry = tl.sum(tl.where(tl.arange(0, TILE) == TILE - 1, sums, tl.zeros_like(sums)), 0)


def create(problem, tile):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """

    def run(x, y):
        """Scans x into y. What it queues is waited for, on all streams."""
        if problem.n > 0:
            scan[(problem.rows,)](x, y, problem.n, problem.inclusive, tile)

    dtype = TYPES[problem.dtype]
    scan.warmup(dtype, dtype, problem.n, problem.inclusive, tile, grid=(1,))  # compiles
    return run
