"""Tiles, their totals and the carries of these, in two kernels of Numba; each tile by Hillis and Steele's scan.

Each block scans its tile in shared memory in log2(tile) steps and writes the tile's total. The totals of a row are
scanned in the same way, until they fit into one tile; then each tile but the first takes what lies before it. Every
element is read twice and written twice. Work n log2(tile).
"""

import functools
import os

os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")  # n may be small

import numba
import numpy
from numba import cuda

NAME = "Numba scan"
VERSION = numba.__version__
REFERENCE = (
    "W. D. Hillis, G. L. Steele: Data Parallel Algorithms, Communications of the ACM 29 (12), 1986"
)
ROLE = "peer"
ARRAYS = "numba"
TYPES = "i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"
SCANS = {"sum": TYPES, "max": TYPES, "min": TYPES}
FLAGS = "rows"
TUNABLES = {"block": (256, [64, 128, 256, 512, 1024], "threads per block, and elements of a tile")}


@functools.lru_cache(maxsize=None)
def kernels(op, dtype, identity, block):
    """The scan of tiles, and what adds the carries to them."""
    kind = numba.from_dtype(dtype)
    none = dtype.type(identity)

    if op == "sum":
        combine = cuda.jit(device=True)(lambda left, right: kind(left + right))
    elif op == "max":
        combine = cuda.jit(device=True)(lambda left, right: left if left > right else right)
    else:
        combine = cuda.jit(device=True)(lambda left, right: left if left < right else right)

    @cuda.jit
    def scan_tiles(x, y, totals, inclusive):
        tiles = totals.shape[1]
        row, tile = cuda.blockIdx.x // tiles, cuda.blockIdx.x % tiles
        thread = cuda.threadIdx.x
        i = tile * block + thread
        shared = cuda.shared.array(block, kind)
        shared[thread] = x[row, i] if i < x.shape[1] else none
        cuda.syncthreads()
        distance = 1
        while distance < block:
            before = shared[thread - distance] if thread >= distance else none
            cuda.syncthreads()
            shared[thread] = combine(before, shared[thread])
            cuda.syncthreads()
            distance *= 2
        if i < x.shape[1]:
            if inclusive:
                y[row, i] = shared[thread]
            else:
                y[row, i] = shared[thread - 1] if thread > 0 else none
        if thread == block - 1:
            totals[row, tile] = shared[thread]

    @cuda.jit
    def add_carries(y, carries):
        tiles = carries.shape[1]
        row, tile = cuda.blockIdx.x // tiles, cuda.blockIdx.x % tiles
        i = tile * block + cuda.threadIdx.x
        if tile > 0 and i < y.shape[1]:
            y[row, i] = combine(carries[row, tile], y[row, i])

    return scan_tiles, add_carries


def create(problem, block):
    if problem.n == 0:
        return lambda x, y: None
    dtype = numpy.dtype(
        {"i": "int", "u": "uint", "f": "float"}[problem.dtype[0]] + problem.dtype[1:]
    )
    scan_tiles, add_carries = kernels(problem.op, dtype, problem.identity, block)
    levels, length = [], problem.n
    while True:
        length = (length + block - 1) // block
        levels.append(cuda.device_array((problem.rows, length), dtype))
        if length == 1:
            break

    def scan(x, y, inclusive, level):
        totals = levels[level]
        scan_tiles[totals.size, block](x, y, totals, inclusive)
        if totals.shape[1] > 1:
            scan(totals, totals, False, level + 1)
            add_carries[totals.size, block](y, totals)

    some = cuda.device_array((1, 1), dtype)
    scan_tiles[1, block](some, some, some, problem.inclusive)  # compiles
    scan_tiles[1, block](some, some, some, False)
    add_carries[1, block](some, some)
    cuda.synchronize()
    return lambda x, y: scan(x, y, problem.inclusive, 0)
