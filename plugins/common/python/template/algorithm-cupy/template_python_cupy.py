"""One thread for each row, in a kernel of CUDA C++ that CuPy compiles."""  # CHANGE: what your plugin is, in one line

import cupy

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm
ARRAYS = "cupy"  # x and y are CuPy's arrays, on the GPU

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2. Not f32: CuPy compiles with
# -ftz=true, which takes its subnormal numbers for 0.
TYPES = {"i32": "int", "u32": "unsigned", "i64": "long long", "f64": "double"}
SCANS = {"sum": " ".join(TYPES)}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner), in_place (y may be x).
FLAGS = "rows in_place"
# CHANGE: parameters, which are arguments of create: NAME: (default, allowed values or a range, what it is).
TUNABLES = {"block": (64, [32, 64, 128, 256], "threads per block")}

# CHANGE: the kernel.
SOURCE = """
extern "C" __global__ void scan(const TYPE *x, TYPE *y, long long rows, long long n, int inclusive)
{
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    TYPE sum = 0;
    for (long long i = 0; row < rows && i < n; i++) {
        const TYPE after = sum + x[row * n + i];
        y[row * n + i] = inclusive ? after : sum;
        sum = after;
    }
}
"""


def create(problem, block):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """
    kernel = cupy.RawKernel(SOURCE.replace("TYPE", TYPES[problem.dtype]), "scan")
    kernel.compile()
    blocks = (problem.rows + block - 1) // block

    def run(x, y):
        """Scans x into y. What it queues is waited for, on all streams."""
        kernel((blocks,), (block,), (x, y, problem.rows, problem.n, int(problem.inclusive)))

    return run
