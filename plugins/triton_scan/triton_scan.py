"""Reduce, scan, scan, in three kernels of Triton.

The first scans each tile for its total (tl.sum would add elements that are no neighbours, and round otherwise), the
second scans the totals of a row, one chunk behind the other, and the third scans each tile behind its carry. Sums are
made in 32 bits or more and rounded once. Every element is read twice and written once.
"""

import triton
import triton.language as tl

import torch

NAME = "Triton scan"
VERSION = triton.__version__
REFERENCE = "https://triton-lang.org/main/python-api/generated/triton.language.cumsum.html"
ROLE = "peer"
ARRAYS = "torch"
SCANS = {"sum": "i8 u8 i16 i32 i64 f16 bf16 f32 f64"}
RESULTS = {"i8 i16": "i32", "i32": "i64", "f16 bf16": "f32", "f32": "f64"}
FLAGS = "rows"
TUNABLES = {"tile": (4096, [1024, 2048, 4096, 8192], "elements that a program scans")}
CHUNK = 1024


@triton.jit
def last_of(sums, COUNT: tl.constexpr):
    """The last of so many: the others become 0 and are added to it."""
    return tl.sum(tl.where(tl.arange(0, COUNT) == COUNT - 1, sums, tl.zeros_like(sums)), 0)


@triton.jit
def sum_tiles(x, totals, n, tiles, TILE: tl.constexpr):
    program = tl.program_id(0).to(tl.int64)
    row, tile = program // tiles, program % tiles
    i = tile * TILE + tl.arange(0, TILE)
    value = tl.load(x + row * n + i, mask=i < n, other=0).to(totals.dtype.element_ty)
    tl.store(totals + program, last_of(tl.cumsum(value, 0), TILE))


@triton.jit
def scan_totals(totals, carries, tiles, CHUNK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * tiles
    carry = tl.zeros((), totals.dtype.element_ty)
    tl.store(carries + first, carry)
    for begin in range(0, tiles, CHUNK):
        i = begin + tl.arange(0, CHUNK)
        value = tl.load(totals + first + i, mask=i < tiles, other=0)
        sums = carry + tl.cumsum(value, 0)
        tl.store(carries + first + i + 1, sums, mask=i < tiles - 1)
        carry = last_of(sums, CHUNK)


@triton.jit
def scan_tiles(x, y, carries, n, tiles, INCLUSIVE: tl.constexpr, TILE: tl.constexpr):
    program = tl.program_id(0).to(tl.int64)
    row, tile = program // tiles, program % tiles
    i = tile * TILE + tl.arange(0, TILE)
    value = tl.load(x + row * n + i, mask=i < n, other=0).to(carries.dtype.element_ty)
    sums = tl.load(carries + program) + tl.cumsum(value, 0)
    if INCLUSIVE:
        tl.store(y + row * n + i, sums.to(y.dtype.element_ty), mask=i < n)
    else:
        tl.store(y + row * n + i + 1, sums.to(y.dtype.element_ty), mask=i < n - 1)
        tl.store(y + row * n + i, tl.zeros_like(sums).to(y.dtype.element_ty), mask=i == 0)


def create(problem, tile):
    if problem.n == 0:
        return lambda x, y: None
    n, tiles = problem.n, triton.cdiv(problem.n, tile)
    wide = {"i8": "int32", "u8": "int32", "i16": "int32", "f16": "float32", "bf16": "float32"}
    plain = {"i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64"}
    dtype = getattr(torch, {**wide, **plain}[problem.result])
    totals = torch.empty(problem.rows * tiles, dtype=dtype, device="cuda")
    carries = torch.empty_like(totals)

    def run(x, y):
        sum_tiles[(problem.rows * tiles,)](x, totals, n, tiles, tile)
        scan_totals[(problem.rows,)](totals, carries, tiles, CHUNK)
        scan_tiles[(problem.rows * tiles,)](x, y, carries, n, tiles, problem.inclusive, tile)

    names = {"i": "int", "u": "uint", "f": "float", "b": "bfloat"}
    x, y = (
        getattr(torch, names[word[0]] + word.lstrip("iufb"))
        for word in (problem.dtype, problem.result)
    )
    sum_tiles.warmup(x, dtype, n, tiles, tile, grid=(1,))  # compiles
    scan_totals.warmup(dtype, dtype, tiles, CHUNK, grid=(1,))
    scan_tiles.warmup(x, y, dtype, n, tiles, problem.inclusive, tile, grid=(1,))
    return run
