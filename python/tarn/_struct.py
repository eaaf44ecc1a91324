# SPDX-License-Identifier: Apache-2.0
"""The bases of the generated module: structs that become records, and the error of a call."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from functools import lru_cache
from typing import Any, ClassVar, Dict, get_type_hints


class TarnError(Exception):
    """A call that failed. Its text is the library's, with the offending values.

    `status` is the status. `native_code` is the code of the system or of the vendor's library, or
    0; `native_call` is the call there that failed, or "".
    """

    status: IntEnum
    native_code: int = 0
    native_call: str = ""


class Struct(ctypes.Structure):
    """A struct of the C API. Sets `struct_size` where the struct has one."""

    _fields_: ClassVar[Any]
    record_class: ClassVar[Any] = None

    def __init__(self, *ordered: Any, **values: Any) -> None:
        super().__init__(*ordered, **values)
        if any(field[0] == "struct_size" for field in self._fields_):
            setattr(self, "struct_size", ctypes.sizeof(self))

    def record(self) -> Any:
        """Returns the contents as the immutable record that belongs to the struct."""
        kinds = record_kinds(self.record_class)
        values = {name: thaw(getattr(self, name), kind) for name, kind in kinds.items()}
        return self.record_class(**values)


@lru_cache(maxsize=None)
def record_kinds(record_class: Any) -> Dict[str, Any]:
    """Returns the types of a record's fields by their names."""
    return get_type_hints(record_class)


def thaw(value: Any, kind: Any = None) -> Any:
    """Returns a value of ctypes as one of Python: text, an enum, a tuple, a record or a number."""
    if isinstance(value, bytes) or (value is None and kind is str):
        return (value or b"").decode(errors="replace")
    if isinstance(value, Struct):
        return value.record()
    if isinstance(value, ctypes.Array):
        return tuple(thaw(item) for item in value)
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return kind(value) if value in kind._value2member_map_ else value
    return value
