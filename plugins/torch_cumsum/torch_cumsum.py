"""PyTorch's cumsum, cummax and cummin on a GPU, as its users call them."""

import torch

NAME = "PyTorch cumsum"
VERSION = torch.__version__
REFERENCE = "https://docs.pytorch.org/docs/stable/generated/torch.cumsum.html"
ROLE = "peer"
ARRAYS = "torch"
# Sums of f16 and bf16 are rounded on their way.
SCANS = {
    "sum": "i8 u8 i16 i32 i64 f32 f64",
    "max": "i8 u8 i16 i32 i64 f16 bf16 f32 f64",
    "min": "i8 u8 i16 i32 i64 f16 bf16 f32 f64",
}
RESULTS = {"i8 i16": "i32", "i32": "i64", "f32": "f64"}
FLAGS = "rows inner nondeterministic allocates_in_run"


def supports(problem):
    if problem.op != "sum" and problem.result != problem.dtype:
        return f"PyTorch's cum{problem.op} has results of the input's type"


def create(problem):
    # cummax also says where the maxima are.
    where = (
        torch.empty(problem.shape, dtype=torch.int64, device="cuda")
        if problem.op != "sum"
        else None
    )
    call = {"max": torch.cummax, "min": torch.cummin}.get(problem.op)

    def scan(x, y, where):
        if call:
            call(x, 1, out=(y, where))
        else:
            torch.cumsum(x, 1, dtype=y.dtype, out=y)

    def inclusive(x, y):
        scan(x, y, where)

    def exclusive(x, y):
        scan(x[:, :-1], y[:, 1:], where[:, 1:] if call else None)
        y[:, :1] = problem.identity

    return inclusive if problem.inclusive else exclusive
