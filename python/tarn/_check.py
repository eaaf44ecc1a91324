# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments. Each error names the argument, its value, and what it may be.

ctypes cuts numbers to the width of their type without a word, so every number passes here first.
"""

from __future__ import annotations

import os
from enum import IntEnum, IntFlag
from operator import index
from typing import Any, Optional, Type, TypeVar, Union

from tarn._native import FOREVER

Kind = TypeVar("Kind", bound=IntEnum)
Thing = TypeVar("Thing")

UINT32, UINT64, INT = (1 << 32) - 1, (1 << 64) - 1, (1 << 31) - 1


def integer(name: str, value: Any) -> int:
    """Returns an integer of any kind. Raises TypeError for anything else."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, not an integer") from None


def whole(name: str, value: Any, most: int = UINT64) -> int:
    """Returns an integer from 0 to `most`."""
    number = integer(name, value)
    if not 0 <= number <= most:
        raise ValueError(f"{name} is {number}, not 0 to {most}")
    return number


def choice(name: str, value: Union[str, int], kind: Type[Kind]) -> Kind:
    """Returns the member of an enum that a value is, or whose name it is in any case."""
    try:
        return kind[value.upper()] if isinstance(value, str) else kind(value)
    except (KeyError, ValueError):
        names = ", ".join(f'"{member.name.lower()}"' for member in kind)
        shown = f'"{value}"' if isinstance(value, str) else repr(value)
        raise ValueError(f"{name} is {shown}, not one of {names}") from None


def flags(name: str, value: Any, kind: Type[IntFlag]) -> int:
    """Returns a number that has no other bits than the members of a class of flags."""
    number = integer(name, value)
    mask = sum(member.value for member in kind)
    if number & ~mask:
        raise ValueError(f"{name} is {number:#x}, which has other bits than {mask:#x}")
    return number


def instance(name: str, value: Any, kind: Type[Thing]) -> Thing:
    """Returns an object of a class. Raises TypeError for any other."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise TypeError(f"{name} is {value!r}, not {article} {kind.__name__}")
    return value


def text(name: str, value: Any, encoding: str = "utf-8") -> bytes:
    """Returns a string for C."""
    return without_nul(name, value, encode(name, instance(name, value, str), encoding))


def encode(name: str, value: str, encoding: str) -> bytes:
    """Returns the bytes of a string."""
    try:
        return value.encode(encoding)
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {value!r}, which is not {encoding.upper()}") from None


def path(name: str, value: Union[str, "os.PathLike[str]"]) -> bytes:
    """Returns the path of a file for C."""
    try:
        return without_nul(name, value, os.fsencode(value))
    except TypeError:
        raise TypeError(f"{name} is {value!r}, not a path") from None


def without_nul(name: str, value: Any, encoded: bytes) -> bytes:
    """Returns a text. Raises ValueError if C would see only the part before a NUL."""
    if b"\0" in encoded:
        raise ValueError(f"{name} is {value!r}, which contains a NUL")
    return encoded


def nanoseconds(timeout: Optional[float]) -> int:
    """Returns a timeout in seconds for the library; None waits for ever."""
    if timeout is None:
        return FOREVER
    try:
        seconds = float(timeout)
    except (TypeError, ValueError):
        raise TypeError(f"timeout is {timeout!r}, not a number of seconds") from None
    if not seconds >= 0:  # a NaN, too
        raise ValueError(f"timeout is {timeout!r}, not 0 or more seconds")
    return FOREVER if seconds * 1e9 >= FOREVER else int(seconds * 1e9)
