"""Writes a file that is whole or not there: a new file beside it replaces it when all of it is on
the disk, so that no failure and no kill leaves half of it or costs the old one.

The new file has an unpredictable name, so that no link can be planted there. A symbolic link stays,
and its target is replaced. Devices, FIFOs and descriptors are written directly.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from typing import Iterator, Optional

from .rows import ResultError
from .text import clean

_LINKS_MOST = 40
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def complain(message: str) -> None:
    """Says it on stderr, if that can be written: a result is not lost for it."""
    with contextlib.suppress(OSError):
        os.write(2, f"scanbench: {clean(message)}\n".encode("utf-8", "replace"))


def write_whole(path: str, content: bytes) -> None:
    """Writes the bytes to `path`; "-" is stdout. ResultError: the old file is unchanged."""
    if path == "-":
        with _says("standard output", "written"):
            _write(os.dup(1), content)
        return
    try:
        old: Optional[os.stat_result] = os.stat(path)
    except OSError:
        old = None
    if old and (not stat.S_ISREG(old.st_mode) or _is_descriptor(path)):
        with _says(path, "written"):
            _write(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC), content)
        return
    with _says(path, "written" if old else "created"):
        real = _end_of_links(path)
        new = _create_beside(real, old, path)
    with _says(path, "written"):
        _put(new, real, content)


@contextlib.contextmanager
def _says(path: str, done: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # a reader who closed the pipe has seen enough
        raise
    except OSError as error:
        raise ResultError(f"{path}: cannot be {done}: {error.strerror}") from None


def _write(fd: int, content: bytes) -> None:
    """Writes all, and closes the descriptor. What the disk does not take is reported."""
    with os.fdopen(fd, "wb", buffering=0) as out:
        left = memoryview(content)
        while left:
            left = left[out.write(left) or 0 :]
        if stat.S_ISREG(os.fstat(fd).st_mode):
            os.fsync(fd)


def _end_of_links(path: str) -> str:
    """What the links lead to. A relative path stays one: a folder above may be closed to us."""
    for _ in range(_LINKS_MOST):
        if not os.path.islink(path):
            return path
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _is_descriptor(path: str) -> bool:
    """Does a name as /dev/fd/3 lead to what is open already?"""
    for _ in range(_LINKS_MOST):
        if not os.path.islink(path):
            return False
        folder = os.path.realpath(os.path.dirname(path) or ".")
        if re.fullmatch(r"/proc/\d+/(task/\d+/)?fd", folder):
            return True
        path = os.path.join(folder, os.readlink(path))
    return False


def _create_beside(real: str, old: Optional[os.stat_result], path: str) -> str:
    """An empty file with the permissions and the owner of the old one; "" in a folder that cannot
    be written, where the old file can be."""
    if old and not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    new = os.path.join(os.path.dirname(real), f".scanbench-{secrets.token_hex(8)}.new")
    mode = old.st_mode & 0o777 if old else 0o666
    try:
        fd = os.open(new, _NEW, mode)
    except OSError as error:
        if old and error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return ""
        raise
    with contextlib.suppress(OSError):  # then it is ours
        if old and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(fd, old.st_uid, old.st_gid)
    if old:
        os.fchmod(fd, mode)
    os.close(fd)
    return new


def _put(new: str, real: str, content: bytes) -> None:
    if not new:
        _replace_bytes(real, content)
        return
    try:
        _write(os.open(new, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC), content)
        os.rename(new, real)
    except OSError as error:
        os.unlink(new)
        if error.errno != errno.EBUSY:  # the file is a mount of its own
            raise
        _replace_bytes(real, content)
    with contextlib.suppress(OSError):  # not every file system can sync a folder
        folder = os.open(os.path.dirname(real) or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _replace_bytes(real: str, content: bytes) -> None:
    """Puts the old ones back if that fails."""
    with open(real, "rb") as file:
        before = file.read()
    try:
        _write(os.open(real, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC), content)
    except OSError:
        _write(os.open(real, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC), before)
        raise
