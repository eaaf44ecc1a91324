# SPDX-License-Identifier: Apache-2.0
"""The end of objects: by close(), at the end of `with`, or when Python collects them.

An object that is collected before it is closed counts as leaked: it is released, and reported as a
ResourceWarning or to the ledger's listener. Objects that live when the interpreter exits are left
to the system, because threads may still use their memory. A child of fork() owns nothing of its
parent: there, closing and collecting do nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
import weakref
from collections import deque
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Iterator, List, Optional, Tuple, Type, TypeVar

from tarn._struct import TarnError

Self = TypeVar("Self", bound="Owned")
PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep

_inside = threading.local()
_deferred: Deque[Callable[[], None]] = deque()


def warn_of_leak(text: str) -> None:
    """Reports a leaked object as a ResourceWarning."""
    warnings.warn(text, ResourceWarning, stacklevel=3)


class Ledger:
    """The open objects of a device: what they are, and where the program created them."""

    def __init__(self) -> None:
        self.entries: Dict[int, str] = {}
        self._objects: weakref.WeakValueDictionary[int, Owned] = weakref.WeakValueDictionary()
        self.on_leak: Callable[[str], None] = warn_of_leak

    def enter(self, thing: Owned, text: str) -> None:
        """Adds an object that was created just now."""
        self.entries[id(thing)] = text
        self._objects[id(thing)] = thing

    def open_objects(self) -> List[Owned]:
        """Returns the objects that are open, the newest first."""
        found = [self._objects.get(key) for key in reversed(list(self.entries))]
        return [thing for thing in found if thing is not None]


def origin() -> str:
    """Returns FILE:LINE of the innermost caller outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


@contextmanager
def callback() -> Iterator[None]:
    """Marks that this thread runs inside a callback of the library, where locks may be held.
    Objects that Python collects meanwhile are released later."""
    _inside.depth = getattr(_inside, "depth", 0) + 1
    try:
        yield
    finally:
        _inside.depth -= 1


def release_deferred() -> None:
    """Releases what was collected inside callbacks, unless this thread is inside one."""
    while _deferred and not getattr(_inside, "depth", 0):
        try:
            _deferred.popleft()()
        except (IndexError, TarnError):  # another thread was faster; or the device refuses
            pass


def _collect(release: Callable[[], None], ledger: Ledger, key: int, process: int) -> None:
    text = ledger.entries.pop(key, "object")
    if os.getpid() != process:
        return
    _deferred.append(release)
    release_deferred()
    ledger.on_leak(f"unclosed {text}")


class Owned:
    """An object of the library that ends once. close() ends it; so does the end of a `with` block.

    Any thread may use it. Closing is refused (Busy, BufferError) while something still uses it, and
    the object stays open then.
    """

    _release: Optional[Callable[[], None]] = None

    def __init__(self, ledger: Ledger, what: str, release: Callable[[], None]) -> None:
        """`release` must not refer to this object, which it outlives."""
        release_deferred()
        self._ledger = ledger
        self._lock = threading.Lock()  # never held during a call that may wait
        self._ending = False
        self._release = release
        self._process = os.getpid()
        ledger.enter(self, f"{what}, created at {origin()}")
        self._finalizer = weakref.finalize(
            self, _collect, release, ledger, id(self), self._process
        )
        self._finalizer.atexit = False

    @property
    def closed(self) -> bool:
        """True once the object has ended."""
        return self._release is None

    def _describe(self) -> str:
        """Returns the part of the representation that tells this object from others."""
        return f"{id(self):#x}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._describe()}{', closed' if self.closed else ''}>"

    def _check_unused(self) -> None:
        """Raises an exception if the object must not end yet."""

    def _forget(self) -> None:
        """Marks the object as ended, without a call."""
        self._release = None
        self._finalizer.detach()
        self._ledger.entries.pop(id(self), None)

    def close(self) -> None:
        """Ends the object. Does nothing if it has ended, or belongs to the parent process."""
        with self._lock:
            release = self._release
            if release is None or self._ending:
                return
            self._check_unused()
            self._ending = True
        try:
            if os.getpid() == self._process:
                release()
            self._forget()
        finally:
            self._ending = False

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        try:
            self.close()
        except (TarnError, BufferError):
            if kind is None:  # else the program's own exception matters; the object stays open
                raise

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError(f"{type(self).__name__} cannot be pickled: it belongs to this process")


def need_open(thing: Owned, name: str) -> None:
    """Raises ValueError if an object has ended."""
    if thing.closed:
        raise ValueError(f"the {name} is closed")
