# SPDX-License-Identifier: Apache-2.0
"""The frames of Python in recordings of `tarn record`, which sees the stack of the machine alone.

Each call of a C function by ctypes gives the recorder the line of Python that calls. This covers
the package, and libraries that a program opens by ctypes after it has imported the package.
recorded() covers one function of another kind. Nothing changes for a program that is not recorded.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar

HERE = str(Path(__file__).resolve().parent)

Function = TypeVar("Function", bound=Callable[..., Any])


class _Recorder:
    """The two functions of the recorder (src/record/frames.h), which is a preloaded library."""

    def __init__(self, library: ctypes.CDLL, most: int) -> None:
        self._define = library.tarn_record_frames_define
        self._define.restype = ctypes.c_uint32
        self._define.argtypes = [ctypes.c_char_p]
        self.enter = library.tarn_record_frames_enter
        self.enter.restype = ctypes.c_uint32
        self.enter.argtypes = [ctypes.c_uint32]
        self._most = most
        self._numbers: Dict[Tuple[int, ...], int] = {}  # by ids of code and the places in it
        self._codes: List[CodeType] = []  # those of the keys, so that an id stays theirs

    def number(self, frame: Optional[FrameType]) -> int:
        """Returns the recorder's number of the stack that ends with a frame."""
        places: List[int] = []
        at = frame
        while at is not None and len(places) < 2 * self._most:
            places.append(id(at.f_code))
            places.append(at.f_lasti)
            at = at.f_back
        key = tuple(places)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._add(frame)
        return number

    def _add(self, frame: Optional[FrameType]) -> int:
        lines = []
        for _ in range(self._most):
            if frame is None:
                break
            code = frame.f_code
            self._codes.append(code)
            if not code.co_filename.startswith(HERE):
                name = getattr(code, "co_qualname", code.co_name)
                lines += [name, code.co_filename, str(frame.f_lineno)]
            frame = frame.f_back
        text = "".join(line.replace("\n", "?").replace("\0", "?") + "\n" for line in lines)
        return int(self._define(text.encode(errors="replace")))

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that gives the caller's frames during each call of `function`."""

        def call(*arguments: Any, **named: Any) -> Any:
            before = self.enter(self.number(sys._getframe(1)))
            try:
                return function(*arguments, **named)
            finally:
                self.enter(before)

        return call


def _find_recorder() -> Optional[_Recorder]:
    if "TARN_RECORD_FILE" not in os.environ:
        return None
    most = os.environ.get("TARN_RECORD_STACKS", "24")
    try:
        return _Recorder(ctypes.CDLL(None), int(most))
    except (AttributeError, OSError, ValueError):  # an older recorder, or none
        return None


_recorder = _find_recorder()


def recorded(function: Function) -> Function:
    """Returns `function`, whose calls have the frames of Python in a recording. It is for functions
    in C that are not of ctypes, such as those of an extension. Without a recorder, returns it
    unchanged."""
    if not callable(function):
        raise TypeError(f"function is {function!r}, which cannot be called")
    if _recorder is None:
        return function
    return functools.wraps(function)(_recorder.wrap(function))  # type: ignore[return-value]


def _watch_ctypes(recorder: _Recorder) -> None:
    """Wraps the functions of each library that ctypes opens from now on."""
    opening: Any = ctypes.CDLL.__init__
    call = recorder.wrap(ctypes._CFuncPtr.__call__)  # type: ignore[attr-defined]

    @functools.wraps(opening)
    def open_library(self: Any, *arguments: Any, **named: Any) -> None:
        opening(self, *arguments, **named)
        self._FuncPtr.__call__ = call

    setattr(ctypes.CDLL, "__init__", open_library)


if _recorder is not None:
    _watch_ctypes(_recorder)
