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
from typing import Iterator, Optional, Union

from .csv_table import ResultError
from .text import clean

_LINKS_MOST = 40
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def complain(message: str) -> None:
    """Says it on stderr, if that can be written: a result is not lost for it."""
    with contextlib.suppress(OSError):
        os.write(2, f"scanbench: {clean(message)}\n".encode("utf-8", "replace"))


def write_whole(path: str, text: Union[str, bytes]) -> None:
    """Writes the text to `path`; "-" is stdout. ResultError: the old file is unchanged."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    if path == "-":
        with _says("standard output", "written"):
            _write(os.dup(1), content)
        return
    try:
        old: Optional[os.stat_result] = os.stat(path)
    except OSError:
        old = None
    with _says(path, "written" if old else "created"):
        real = _end_of_links(path) if not old or stat.S_ISREG(old.st_mode) else ""
        new = _create_beside(real, old, path) if real else ""
    with _says(path, "written"):
        if new:
            _replace(new, real, content)
        elif real:
            _replace_bytes(real, content)
        else:
            _overwrite(path, content)


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


def _overwrite(path: str, content: bytes) -> None:
    _write(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC), content)


def _end_of_links(path: str) -> str:
    """What the links lead to; "" for a name as /dev/fd/3, which leads to what is open already. A
    relative path stays one: a folder above may be closed to us."""
    for _ in range(_LINKS_MOST):
        if not os.path.islink(path):
            return path
        folder = os.path.dirname(path)
        if re.fullmatch(r"/proc/\d+/(task/\d+/)?fd", os.path.realpath(folder or ".")):
            return ""
        path = os.path.join(folder, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


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


def _replace(new: str, real: str, content: bytes) -> None:
    """Writes the new file, and puts it in the place of the old one."""
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
        _overwrite(real, content)
    except OSError:
        _overwrite(real, before)
        raise
