"""Runs in the interpreter of a plugin's author: loads one .py file and obeys the worker that started it.

The worker keeps the clock, the input and the comparison. Here is only what the plugin needs: its file, and
arrays over the memory that both processes map or that the worker lends. docs/plugin-guide.md describes such a file.
"""

import ctypes
import importlib
import math
import mmap
import os
import re
import socket
import struct
import sys
import traceback
import types
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

CHANNEL, MEMORY = 3, 4  # descriptors that the worker hands over
MOST = 1 << 17  # bytes of a message
HEAD = struct.Struct("=4I2Q")  # serial, verb, instance, timed; where x and y lie
REPLY = struct.Struct("=2I")  # serial, status; a text follows
# as python_verb in python_process.h
DESCRIBE, SUPPORTS, CREATE, RUN, DESTROY, TAKE_DEVICE, WAKE_DEVICE, OPEN, CLOSE = range(9)
OK, UNAVAILABLE, UNSUPPORTED, NO_MEMORY, ERROR = range(5)  # as scan_status

# What an element is in a memoryview, and how many components it has. Floats of 16 bits are words.
FORMATS = {
    "i8": ("b", 1),
    "u8": ("B", 1),
    "i16": ("h", 1),
    "u16": ("H", 1),
    "i32": ("i", 1),
    "u32": ("I", 1),
    "i64": ("q", 1),
    "u64": ("Q", 1),
    "f32": ("f", 1),
    "f64": ("d", 1),
    "u32x2": ("I", 2),
    "f32x2": ("f", 2),
    "f16": ("H", 1),
    "bf16": ("H", 1),
}
# What ARRAYS may be, and the module that makes such arrays of a GPU's memory.
LIBRARIES = {
    "torch": "torch",
    "cupy": "cupy",
    "numba": "numba.cuda",
    "jax": "jax.numpy",
    "cuda": "",
}

Run = Callable[[Any, Any], Any]
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes most of a GPU


def one_line(text: object) -> str:
    return " ".join(str(text).split())


def words(value: object) -> List[str]:
    """The words of "i32 u32", of ["i32", "u32"] or of ("i32",)."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, Iterable):
        return [str(word) for word in value]
    raise TypeError(f"expected words such as 'i32 u32', found {value!r}")


def told(error: BaseException, file: str) -> str:
    """An exception in one line: what it is, and the lines that led to it, the last of them first."""
    what = one_line("".join(traceback.format_exception_only(type(error), error)[-1:]))
    if isinstance(error, SyntaxError):
        place = f"{os.path.basename(error.filename or file)}:{error.lineno or 1}"
        return f"{place}: {what}: {one_line(error.text or '')}"
    places = [
        f"{os.path.basename(at.filename)}:{at.lineno} in {at.name}: {one_line(at.line or '')}"
        for at in traceback.extract_tb(error.__traceback__)
        if at.filename != "<string>"
    ]
    own = f"{os.path.basename(file)}:"
    while len(places) > 1 and not places[0].startswith(own):
        places.pop(0)
    return (
        "; called from ".join([f"{what} ({places[-1]}"] + places[-2:-5:-1]) + ")"
        if places
        else what
    )


def least_and_greatest(dtype: str) -> Tuple[float, float]:
    if dtype[0] in "fb":
        return -math.inf, math.inf
    bits = int(dtype[1:].partition("x")[0])
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype[0] == "i" else (0, (1 << bits) - 1)


def identity_of(op: str, dtype: str) -> Any:
    """What an exclusive scan begins with."""
    least, greatest = least_and_greatest(dtype)
    return {"sum": 0, "max": least, "min": greatest, "affine": (1, 0)}[op]


class GpuMemory:
    """Elements in a GPU's memory, as libraries take them that do not own it."""

    def __init__(self, pointer: int, shape: Tuple[int, ...], kind: str) -> None:
        self.__cuda_array_interface__: Dict[str, Any] = {
            "shape": shape,
            "typestr": kind,
            "data": (pointer, False),
            "strides": None,
            "stream": None,  # nothing is at work on it
            "version": 3,
        }


class IpcHandle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


class Gpu:
    """The context on a GPU that all libraries of this process share, and the memory that the worker lends."""

    LAZY_PEER = 1  # how memory is opened
    ELSEWHERE_NS = 5e4  # how much longer waiting for all streams may take than for the default one

    def __init__(self, index: int) -> None:
        self.index = index
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.opened: Dict[int, int] = {}  # the worker's number of lent memory: its address here
        self.events = [ctypes.c_void_p() for _ in range(3)]
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), index)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        for event in self.events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.own = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.own), ctypes.c_size_t(1))

    def call(self, name: str, *arguments: Any) -> None:
        result = getattr(self.cuda, name)(*arguments)
        if result:
            texts = ctypes.c_char_p(), ctypes.c_char_p()
            self.cuda.cuGetErrorString(result, ctypes.byref(texts[0]))
            self.cuda.cuGetErrorName(result, ctypes.byref(texts[1]))
            said, known = ((text.value or b"?").decode() for text in texts)
            raise RuntimeError(f"{name}: {said} ({known})")

    def wake(self) -> None:
        self.call("cuMemsetD8_v2", self.own, ctypes.c_ubyte(0), ctypes.c_size_t(1))
        self.call("cuCtxSynchronize")

    def open(self, at: int, handle: str) -> None:
        pointer = ctypes.c_uint64()
        form = IpcHandle.from_buffer_copy(bytes.fromhex(handle))
        self.call("cuIpcOpenMemHandle_v2", ctypes.byref(pointer), form, self.LAZY_PEER)
        self.opened[at] = pointer.value

    def close(self, at: int) -> None:
        self.call("cuIpcCloseMemHandle", ctypes.c_uint64(self.opened.pop(at)))

    def pointer(self, at: int) -> int:
        begin = max(known for known in self.opened if known <= at)
        return self.opened[begin] + at - begin

    def record(self, event: int) -> None:
        self.call("cuEventRecord", self.events[event], None)

    def ns_between(self, first: int, last: int) -> float:
        ms = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(ms), self.events[first], self.events[last])
        return ms.value * 1e6

    def keep(self, result: Any, y: GpuMemory) -> None:
        """What run has returned becomes y, if it is another array: JAX's cannot be written."""
        found = getattr(result, "__cuda_array_interface__", None)
        wanted = y.__cuda_array_interface__
        if not found or found["data"][0] == wanted["data"][0]:
            return
        for what in ("shape", "typestr", "strides"):
            if found.get(what) != wanted[what]:
                raise ValueError(
                    f"run returned an array with {what} {found.get(what)}, expected {wanted[what]}"
                )
        if hasattr(result, "block_until_ready"):
            result.block_until_ready()
        count = math.prod(wanted["shape"]) * int(wanted["typestr"][2:])
        to, source = (ctypes.c_uint64(at["data"][0]) for at in (wanted, found))
        if count > 0:
            self.call("cuMemcpyDtoD_v2", to, source, ctypes.c_size_t(count))

    def run(self, timed: bool, run: Run, x: Any, y: Any, memory: GpuMemory) -> str:
        """One run, until all streams are done; if it is timed, the ns that the default stream, and those that wait
        for it, were at work, or until the last stream was done, if that took much longer."""
        if timed:
            self.record(0)
        result = run(x, y)
        if result is not None:
            self.keep(result, memory)
        if timed:
            self.record(1)
        self.call("cuCtxSynchronize")
        if not timed:
            return ""
        self.record(2)
        self.call("cuEventSynchronize", self.events[2])
        late = self.ns_between(1, 2) > self.ELSEWHERE_NS
        return repr(self.ns_between(0, 2 if late else 1))


class Plugin:
    """One file: what it declares, and its functions."""

    def __init__(self, file: str) -> None:
        self.file = file
        stem = os.path.splitext(os.path.basename(file))[0]
        self.module = types.ModuleType(stem)
        self.module.__file__ = file
        sys.modules[stem] = self.module
        sys.path[0] = os.path.dirname(os.path.abspath(file))
        with open(file, "rb") as source:
            exec(compile(source.read(), file, "exec"), self.module.__dict__)
        self.library: Optional[str] = self.declared("ARRAYS", None)
        if self.library is not None and self.library not in LIBRARIES:
            raise ValueError(f"ARRAYS is {self.library!r}, expected one of {', '.join(LIBRARIES)}")
        name = LIBRARIES.get(self.library or "cuda")
        self.maker = importlib.import_module(name) if name else None
        self.flags = words(self.declared("FLAGS", ""))
        self.tunables: Dict[str, Tuple[int, Iterable[int], str]] = self.table("TUNABLES")
        self.create: Callable[..., Run] = self.declared("create", None)
        self.supports: Optional[Callable[..., Any]] = self.declared("supports", None)
        if not callable(self.create):
            raise TypeError("it has no function create(problem), which returns run(x, y)")

    def declared(self, name: str, default: Any) -> Any:
        return getattr(self.module, name, default)

    def table(self, name: str) -> Dict[Any, Any]:
        found = self.declared(name, {})
        if not isinstance(found, dict):
            raise TypeError(f"{name} is {found!r}, expected a dictionary")
        return found

    def number(self, name: str) -> int:
        found = int(self.declared(name, 0))
        if found < 0:
            raise ValueError(f"{name} is {found}, expected 0 or more")
        return found

    def described(self) -> str:
        """What the file declares, as lines of a word and a value; python_description.c reads and checks them."""
        stem = self.module.__name__
        identity = one_line(self.declared("ID", stem))
        about = (self.module.__doc__ or "").strip().split("\n")[0]
        lines = [
            f"id {identity}",
            f"name {one_line(self.declared('NAME', identity))}",
            f"version {one_line(self.declared('VERSION', '1'))}",
            f"summary {one_line(self.declared('SUMMARY', about or f'{identity}, in Python'))}",
            f"reference {one_line(self.declared('REFERENCE', ''))}",
            f"role {one_line(self.declared('ROLE', 'algorithm'))}",
            f"max_n {self.number('MAX_N')}",
            f"tile {self.number('TILE')}",
        ]
        lines += [f"flag {flag}" for flag in self.flags]
        for op, dtypes in self.table("SCANS").items():
            lines.append(
                f"scan {one_line(op)} {','.join(words(self.declared('KINDS', 'exclusive inclusive')))}"
            )
            lines += [f"of {dtype}" for dtype in words(dtypes)]
        for narrow, wide in self.table("RESULTS").items():
            lines.append(f"result {','.join(words(narrow))} {','.join(words(wide))}")
        for name, (default, allowed, summary) in self.tunables.items():
            if not name.isidentifier():
                raise ValueError(f"the tunable {name!r} is no argument's name")
            lines.append(f"tunable {name} {int(default)} {one_line(summary)}")
            if isinstance(allowed, range) and allowed.step == 1 and len(allowed) > 0:
                lines.append(f"between {allowed[0]} {allowed[-1]}")
            else:
                lines += [f"value {int(value)}" for value in allowed]
        if self.supports:
            lines.append("supports")
        if self.library:
            lines.append("cuda")
        return "\n".join(lines)

    def problem(self, text: str) -> types.SimpleNamespace:
        """The problem that the words of a message describe, and arguments that set the tunables."""
        kind, op, dtype, result, *numbers = text.split()
        rows, n, inner, *values = map(int, numbers)
        shape: Tuple[int, ...] = (n,)
        if "rows" in self.flags or "inner" in self.flags:
            shape = (rows, n, inner) if "inner" in self.flags else (rows, n)
        return types.SimpleNamespace(
            kind=kind,
            inclusive=kind == "inclusive",
            op=op,
            dtype=dtype,
            result=result,
            n=n,
            rows=rows,
            inner=inner,
            shape=shape,
            axis=min(1, len(shape) - 1),
            identity=identity_of(op, result),
            tunables=dict(zip(self.tunables, values)),
        )


class Instance:
    """What create returned, and the arrays that it was given so far."""

    def __init__(self, plugin: Plugin, problem: types.SimpleNamespace, gpu: Optional[Gpu]) -> None:
        self.plugin, self.problem, self.gpu = plugin, problem, gpu
        self.views: Dict[Tuple[int, int], Tuple[Any, ...]] = {}
        self.run = plugin.create(problem, **problem.tunables)
        if not callable(self.run):
            raise TypeError(f"create returned {self.run!r}, expected a function run(x, y)")

    def array(self, at: int, dtype: str, writable: bool) -> Any:
        """The elements that begin at a byte of the shared memory: a NumPy array in the problem's shape if the
        file has imported NumPy, else a flat memoryview."""
        form, components = FORMATS[dtype]
        p = self.problem
        bytes_there = p.rows * p.n * p.inner * components * struct.calcsize(form)
        view = memoryview(bytearray() if writable else b"")
        if bytes_there > 0:
            begin = at // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
            access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
            pages = mmap.mmap(MEMORY, at - begin + bytes_there, access=access, offset=begin)
            view = memoryview(pages)[at - begin :]
        numpy = sys.modules.get("numpy")
        if numpy is None:
            return view.cast(form)
        kind: Any = {"f16": "float16"}.get(dtype, form)
        if dtype == "bf16" and "ml_dtypes" in sys.modules:
            kind = sys.modules["ml_dtypes"].bfloat16
        return numpy.frombuffer(view, kind).reshape(p.shape + (components,) * (components > 1))

    def on_gpu(self, at: int, dtype: str) -> Tuple[Any, GpuMemory]:
        """The elements that begin at a byte of lent memory as the library's array, and as the driver has them."""
        assert self.gpu
        library, maker = self.plugin.library, self.plugin.maker
        form, components = FORMATS[dtype]
        letter = "f" if dtype[0] == "f" else "u" if form.isupper() else "i"
        if dtype == "bf16" and library == "torch":
            letter = "i"
        width = struct.calcsize(form)
        kind = f"{'<' if width > 1 else '|'}{letter}{width}"
        shape = self.problem.shape + (components,) * (components > 1)
        memory = GpuMemory(self.gpu.pointer(at), shape, kind)
        if maker is None:
            return memory, memory
        if library == "torch":
            array = maker.as_tensor(memory, device="cuda")
            return array.view(maker.bfloat16) if dtype == "bf16" else array, memory
        return (maker.as_cuda_array if library == "numba" else maker.asarray)(memory), memory

    def arrays(self, x_at: int, y_at: int) -> Tuple[Any, ...]:
        """x and y, and on a GPU the memory of y."""
        found = self.views.get((x_at, y_at))
        if found is None and self.gpu:
            y, memory = self.on_gpu(y_at, self.problem.result)
            x = y if x_at == y_at else self.on_gpu(x_at, self.problem.dtype)[0]
            found = self.views[x_at, y_at] = x, y, memory
        elif found is None:
            y = self.array(y_at, self.problem.result, True)
            x = y if x_at == y_at else self.array(x_at, self.problem.dtype, False)
            found = self.views[x_at, y_at] = x, y
        return found


class Driver:
    """Obeys the worker's messages until the worker is gone."""

    def __init__(self, file: str, verbose: bool) -> None:
        self.file, self.verbose = file, verbose
        self.channel = socket.socket(fileno=CHANNEL)
        self.plugin: Optional[Plugin] = None
        self.instances: Dict[int, Instance] = {}
        self.gpu: Optional[Gpu] = None

    def answer(self, serial: int, status: int, text: str = "") -> None:
        self.channel.send(
            REPLY.pack(serial, status) + text.encode("utf-8", "replace")[: MOST - REPLY.size]
        )

    def use_gpu(self, verb: int, at: int, text: str) -> None:
        if verb == TAKE_DEVICE:
            if self.gpu is None or self.gpu.index != int(text):
                self.gpu = Gpu(int(text))
            return
        assert self.gpu
        if verb == WAKE_DEVICE:
            self.gpu.wake()
        elif verb == OPEN:
            self.gpu.open(at, text)
        else:
            for instance in self.instances.values():
                instance.views.clear()
            self.gpu.close(at)

    def obey(self, verb: int, instance: int, at: int, text: str) -> Tuple[int, str]:
        """The rarer messages."""
        if self.plugin is None:
            self.plugin = Plugin(self.file)
        if verb >= TAKE_DEVICE:
            self.use_gpu(verb, at, text)
            return OK, ""
        if verb == DESCRIBE:
            return OK, self.plugin.described()
        if verb == DESTROY:
            self.instances.pop(instance, None)
            return OK, ""
        problem = self.plugin.problem(text)
        if verb == CREATE:
            self.instances[instance] = Instance(self.plugin, problem, self.gpu)
            return OK, ""
        assert self.plugin.supports
        why = self.plugin.supports(problem, **problem.tunables)
        return (
            (OK, "")
            if why is None or why is True
            else (UNSUPPORTED, one_line(why or "it does not say why"))
        )

    def failed(self, error: BaseException, loading: bool) -> Tuple[int, str]:
        if self.verbose:
            traceback.print_exception(type(error), error, error.__traceback__)
        if isinstance(error, MemoryError) or re.search(
            "OutOfMemory|RESOURCE_EXHAUSTED", repr(error)
        ):
            return NO_MEMORY, told(error, self.file)
        if loading and isinstance(error, ImportError):
            what = "install it, or name an interpreter that has it with --python"
            return UNAVAILABLE, f"{told(error, self.file)}; {what}"
        return ERROR, told(error, self.file)

    def serve(self) -> None:
        while True:
            message = self.channel.recv(MOST)
            if not message:
                os._exit(0)  # the worker is gone
            serial, verb, number, timed, x_at, y_at = HEAD.unpack_from(message)
            try:
                if verb == RUN:
                    instance, text = self.instances[number], ""
                    arrays = instance.arrays(x_at, y_at)
                    if self.gpu:
                        text = self.gpu.run(timed > 0, instance.run, *arrays)
                    else:
                        instance.run(*arrays)
                    self.answer(serial, OK, text)
                    continue
                status, text = self.obey(verb, number, x_at, message[HEAD.size :].decode())
            except (
                BaseException
            ) as error:  # a plugin may raise anything; the worker says it to its author
                status, text = self.failed(error, verb == DESCRIBE)
            self.answer(serial, status, text)


Driver(sys.argv[1], sys.argv[2] == "-v").serve()
