"""Each row by JAX's associative_scan."""  # CHANGE: what your plugin is, in one line

import jax
import jax.numpy as jnp

ROLE = "mock"
VERSION = "1"
REFERENCE = ""  # CHANGE: the paper or the source of the algorithm
ARRAYS = "jax"  # x is JAX's array, on the GPU

# CHANGE: what it scans. Operators are sum, max, min and affine; types i8 to i64, u8 to u64, f32, f64, f16,
# bf16, and the pairs u32x2 and f32x2 of affine, which have a last axis of 2.
TYPES = {"i32": jnp.int32, "u32": jnp.uint32, "f32": jnp.float32}
SCANS = {op: " ".join(TYPES) for op in ("sum", "max", "min")}
KINDS = "exclusive inclusive"
# CHANGE: what else it takes: rows, inner (with both, x and y are rows x n x inner).
FLAGS = "rows nondeterministic allocates_in_run"


def create(problem):
    """Everything but the scan: scratch, compiled kernels. Returns run.

    problem has kind, inclusive, op, dtype, result, n, rows, inner, shape, axis, identity and tunables.
    """
    combine = {"sum": jnp.add, "max": jnp.maximum, "min": jnp.minimum}[problem.op]
    dtype = TYPES[problem.dtype]

    def scan(x):
        y = jax.lax.associative_scan(combine, x, axis=1)
        if problem.inclusive or problem.n == 0:
            return y
        return jnp.pad(
            y[:, :-1], ((0, 0), (1, 0)), constant_values=jnp.array(problem.identity, dtype)
        )

    compiled = jax.jit(scan).lower(jax.ShapeDtypeStruct(problem.shape, dtype)).compile()

    def run(x, y):
        """Returns the scan of x, which is then waited for and copied to y: JAX's arrays cannot be written."""
        return compiled(x)

    return run
