"""One thread for each row, in a kernel of Numba."""  # CHANGE: what your plugin is, in one line

from numba import cuda

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm
ARRAYS = "numba"  # x and y are Numba's arrays, on the GPU

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2.
TYPES = {"i32": "int32", "u32": "uint32", "i64": "int64", "f32": "float32", "f64": "float64"}
SCANS = {"sum": " ".join(TYPES)}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner), in_place (y may be x).
FLAGS = "rows in_place"
# CHANGE: parameters, which are arguments of create: NAME: (default, allowed values or a range, what it is).
TUNABLES = {"block": (64, [32, 64, 128, 256], "threads per block")}


# CHANGE: the kernel.
@cuda.jit
def scan(x, y, inclusive):
    row = cuda.grid(1)
    if row < x.shape[0]:
        total = y.dtype.type(0)
        for i in range(x.shape[1]):
            after = y.dtype.type(total + x[row, i])
            y[row, i] = after if inclusive else total
            total = after


def create(problem, block):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """
    launch = scan[(problem.rows + block - 1) // block, block]
    some = cuda.device_array((1, 1), TYPES[problem.dtype])
    launch(some, some, problem.inclusive)  # compiles

    def run(x, y):
        """Scans x into y. What it queues is waited for, on all streams."""
        launch(x, y, problem.inclusive)

    return run
