"""JAX's cumsum, cummax and cummin on a GPU, or its associative_scan; compiled in create."""

import functools

import jax
import jax.numpy as jnp

NAME = "JAX cumsum"
VERSION = jax.__version__
REFERENCE = "https://docs.jax.dev/en/latest/_autosummary/jax.lax.associative_scan.html"
ROLE = "peer"
ARRAYS = "jax"
TYPES = "i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"
SCANS = {"sum": TYPES, "max": TYPES, "min": TYPES, "affine": "u32x2 f32x2"}
FLAGS = "rows inner nondeterministic allocates_in_run"
TUNABLES = {"associative": (0, [0, 1], "1: associative_scan; 0: cumsum, cummax or cummin")}

jax.config.update("jax_enable_x64", True)

DTYPES = {"i": "int", "u": "uint", "f": "float"}
CUMULATIVE = {"sum": jax.lax.cumsum, "max": jax.lax.cummax, "min": jax.lax.cummin}


def affine(left, right):
    a, b, c, d = left[..., 0], left[..., 1], right[..., 0], right[..., 1]
    return jnp.stack([a * c, b * c + d], axis=-1)


COMBINE = {"sum": jnp.add, "max": jnp.maximum, "min": jnp.minimum, "affine": affine}


def supports(problem, associative):
    if problem.op == "affine" and not associative:
        return "JAX scans pairs by associative_scan alone"


@functools.lru_cache(maxsize=None)
def compiled(op, dtype, shape, identity, inclusive, associative):
    def scan(x):
        if associative:
            y = jax.lax.associative_scan(COMBINE[op], x, axis=1)
        else:
            y = CUMULATIVE[op](x, axis=1)
        if inclusive:
            return y
        first = jnp.broadcast_to(jnp.array(identity, dtype), y[:, :1].shape)
        return jnp.concatenate([first, y[:, :-1]], axis=1)

    return jax.jit(scan).lower(jax.ShapeDtypeStruct(shape, dtype)).compile()


def create(problem, associative):
    if problem.n == 0:
        return lambda x, y: None
    dtype = jnp.dtype(DTYPES[problem.dtype[0]] + problem.dtype.partition("x")[0][1:])
    shape = problem.shape + (2,) * problem.dtype.endswith("x2")
    scan = compiled(
        problem.op, dtype, shape, problem.identity, problem.inclusive, bool(associative)
    )
    return lambda x, y: scan(x)
