# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules of buffers. The struct is DLManagedTensor of DLPack 0.8; frameworks take nothing
else of a producer that does not offer version 1.

A capsule keeps its buffer alive and open until the consumer calls the deleter. The callbacks live
as long as the process, because a consumer may call them while the interpreter exits.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

if TYPE_CHECKING:
    from tarn.memory import Buffer

CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST = 1, 2, 3, 10, 11
UINT8 = 1 | 8 << 8 | 1 << 16  # code, bits and lanes of DLDataType
LIVE, USED = b"dltensor", b"used_dltensor"


class DLManagedTensor(ctypes.Structure):
    """A tensor, and the function that returns it to its producer."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint32),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


# The exported tensors by their address, with what each keeps alive.
exported: Dict[int, Tuple[Any, ...]] = {}

python = ctypes.PyDLL(None)
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
python.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
python.Py_IncRef.argtypes = (ctypes.py_object,)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[misc]
def delete_tensor(tensor: int, tensors: Dict[int, Any] = exported) -> None:
    """Called by the consumer, from any thread."""
    tensors.pop(tensor, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[misc]
def destroy_capsule(
    capsule: int, api: Any = python, tensors: Dict[int, Any] = exported, name: bytes = LIVE
) -> None:
    """Called for a capsule that no consumer has taken, and for one that has been renamed."""
    if api.PyCapsule_IsValid(capsule, name):
        tensors.pop(api.PyCapsule_GetPointer(capsule, name), None)


for function in (delete_tensor, destroy_capsule):
    python.Py_IncRef(function)


def device_of(buffer: Buffer) -> Tuple[int, int]:
    """Returns DLPack's type and number of a buffer's device."""
    backend = buffer.device.backend
    pinned = type(buffer).__name__ == "HostMemory"
    kind = {"cuda": (CUDA, CUDA_HOST), "hip": (ROCM, ROCM_HOST)}.get(backend)
    if kind is not None:
        return kind[pinned], buffer.device.ordinal
    if not buffer._reached():
        raise BufferError(f"DLPack has no device type for {buffer!r}, which the CPU cannot access")
    return CPU, 0


def export(
    buffer: Buffer, dl_device: Optional[Tuple[int, int]] = None, copy: Optional[bool] = None
) -> Any:
    """Returns the capsule of a buffer. Work on it must be over."""
    place = device_of(buffer)
    if dl_device is not None and tuple(dl_device) != place:
        raise BufferError(f"the memory is on device {place}, not {tuple(dl_device)}")
    if copy:
        raise BufferError("the memory cannot be copied by DLPack; copy the array instead")
    shape = (ctypes.c_int64 * 1)(buffer.nbytes)
    tensor = DLManagedTensor(
        data=buffer.address, device_type=place[0], device_id=place[1], ndim=1, dtype=UINT8,
        shape=ctypes.addressof(shape), deleter=ctypes.cast(delete_tensor, ctypes.c_void_p),
    )  # fmt: skip
    address = ctypes.addressof(tensor)
    exported[address] = (tensor, shape, buffer._lease())
    return python.PyCapsule_New(address, LIVE, ctypes.cast(destroy_capsule, ctypes.c_void_p))
