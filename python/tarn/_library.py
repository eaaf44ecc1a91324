# SPDX-License-Identifier: Apache-2.0
"""The opened library: its functions with their types, and their statuses as exceptions.

ctypes releases the interpreter's lock during each call, so other threads of Python run meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import threading
from pathlib import Path
from typing import Any, Optional

from tarn import _native
from tarn._native import ERRORS, FUNCTIONS, Status, tarn_error
from tarn._struct import TarnError

NAME = f"libtarn.so.{_native.VERSION_MAJOR}"
HERE = Path(__file__).resolve().parent

# Folders that hold lib/ and bin/: the build of the source tree, and PREFIX of
# PREFIX/share/tarn/python.
TREES = (HERE.parents[1] / "build", HERE.parents[3] if len(HERE.parents) > 3 else HERE)


def find(variable: str, *inside: str) -> Optional[str]:
    """Returns the path that a variable of the environment has, or that of a file in TREES."""
    wish = os.environ.get(variable)
    if wish:
        return wish
    files = (tree / path for tree in TREES for path in inside)
    return next((str(file) for file in files if file.exists()), None)


def find_command() -> str:
    """Returns the path of the command `tarn`: TARN_COMMAND, else that of a built or installed tree,
    else that of PATH. Raises FileNotFoundError if there is none."""
    path = find("TARN_COMMAND", "bin/tarn") or shutil.which("tarn")
    if path is None:
        raise FileNotFoundError("the command tarn is not in PATH; TARN_COMMAND may name it")
    return path


class Library:
    """libtarn, opened at the first use. An attribute is a function of FUNCTIONS with its types."""

    def __init__(self) -> None:
        self._opening = threading.Lock()
        self._dll: Optional[ctypes.CDLL] = None
        self._path: Optional[str] = None

    def __repr__(self) -> str:
        return f"<Library {self.path()}{'' if self._dll else ', not opened yet'}>"

    def path(self) -> str:
        """Returns the library's path: TARN_LIBRARY, else that of a built or installed tree, else
        the name that the loader looks up, or that of the wheel if the loader found none."""
        return self._path or find("TARN_LIBRARY", "lib/" + NAME, "lib64/" + NAME) or NAME

    def _load(self) -> ctypes.CDLL:
        self._path = self.path()
        try:
            return ctypes.CDLL(self._path)
        except OSError as error:
            bundled = HERE / NAME
            if self._path != NAME or not bundled.exists():
                self._path = None
                raise OSError(f"{error}; TARN_LIBRARY may name the path of {NAME}") from None
            self._path = str(bundled)
            return ctypes.CDLL(self._path)

    def _open(self) -> ctypes.CDLL:
        with self._opening:
            if self._dll is None:
                dll = self._load()
                dll.tarn_version.restype = ctypes.c_uint32
                major = dll.tarn_version() // 1000000
                if major != _native.VERSION_MAJOR:
                    raise OSError(f"{self.path()} has version {major}, not {_native.VERSION}")
                self._dll = dll
            return self._dll

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            raise AttributeError(name)
        dll = self._dll or self._open()
        try:
            function = getattr(dll, name)
        except AttributeError:
            raise AttributeError(f"{self.path()} is older than this package: no {name}") from None
        function.restype, function.argtypes = FUNCTIONS[name]
        setattr(self, name, function)
        return function


lib = Library()


def error_of(status: int) -> TarnError:
    """Returns the exception for a status, with the text of the thread's last error if it has that
    status, else with the status's own."""
    last = tarn_error()
    lib.tarn_last_error(ctypes.byref(last))
    known = last.status == status and last.message
    text = last.message if known else lib.tarn_status_text(status)
    error = ERRORS.get(status, TarnError)((text or b"").decode(errors="replace"))
    if known:
        error.native_code = last.native_code
        error.native_call = (last.call or b"").decode(errors="replace")
    return error


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status. Raises its exception if that is not OK."""
    status = getattr(lib, name)(*arguments)
    if status != Status.OK:
        raise error_of(status)


def ask(name: str, kind: Any, *arguments: Any) -> Any:
    """Calls a function whose last argument receives an object of ctypes. Returns that object."""
    result = kind()
    call(name, *arguments, ctypes.byref(result))
    return result


def number(name: str, *arguments: Any) -> int:
    """Returns the number, address or handle that a function writes to its last argument."""
    kind = FUNCTIONS[name][1][-1]._type_
    return int(ask(name, kind, *arguments).value)


def walk(name: str, handle: int, visit: Any) -> None:
    """Calls visit(struct) for each element of a walk. An exception of visit ends the walk."""
    caught = []

    def visitor(item: Any, _: Any) -> bool:
        try:
            visit(item.contents)
        except BaseException as error:  # not through the frames of C
            caught.append(error)
        return not caught

    call(name, handle, FUNCTIONS[name][1][1](visitor), None)
    if caught:
        raise caught[0]
