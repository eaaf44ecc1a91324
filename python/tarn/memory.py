# SPDX-License-Identifier: Apache-2.0
"""Bytes of a device: their contents, and views of them for Python, NumPy and DLPack.

Buffer is the base of Memory, HostMemory, Block (tarn.pool) and Reservation (tarn.space).
"""

from __future__ import annotations

import ctypes
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, Union

from tarn import dlpack
from tarn._check import UINT32, choice, integer, text, whole
from tarn._library import ask, call, number
from tarn._native import (
    AddressInfo, PageClass, tarn_address_info, tarn_fill_desc, tarn_memory_desc, tarn_key,
)  # fmt: skip
from tarn._owned import Owned, need_open
from tarn.stream import Stream, handle_of

if TYPE_CHECKING:
    from tarn.device import Device

# Whatever has an address: a Buffer, an object with the buffer protocol, or the address itself.
Place = Union["Buffer", int, bytes, bytearray, memoryview, Any]


def address_info(address: int) -> AddressInfo:
    """Describes what a number is as an address, without touching memory there."""
    wanted = whole("address", address)
    info: AddressInfo = ask("tarn_address_query", tarn_address_info, wanted).record()
    return info


def pinned_bytes(name: str, place: Place, writable: bool) -> Tuple[int, Optional[int], Any]:
    """Returns the address of an argument, its length (None for a number), and an object that keeps
    memory of Python alive. A Buffer needs none, because the library frees memory after its work.
    Raises TypeError or BufferError if the place is no buffer, or is read-only."""
    if isinstance(place, int):
        return whole(name, place), None, None
    if isinstance(place, Buffer):
        need_open(place, "buffer")
        return place.address, place.nbytes, None
    try:
        view = memoryview(place).cast("B")
    except TypeError as error:
        raise TypeError(f"{name} is {place!r}, which has no bytes: {error}") from None
    if not view.readonly:
        keep = (ctypes.c_ubyte * view.nbytes).from_buffer(view)
        return ctypes.addressof(keep), view.nbytes, keep
    if writable:
        raise BufferError(f"{name} is a {type(place).__name__} that is read-only")
    copy = (ctypes.c_ubyte * view.nbytes).from_buffer_copy(view)
    return ctypes.addressof(copy), view.nbytes, copy


class Buffer(Owned):
    """A range of addresses that a device can use.

    Where the CPU reaches the memory (the device `host`, unless it has access=strict), view() is a
    memoryview of it, NumPy takes the object itself (`numpy.asarray(buffer)`), and so do frameworks
    that read DLPack. Memory of CUDA and HIP devices goes to frameworks by DLPack, and that of CUDA
    also by `__cuda_array_interface__`. While such a view lives, the buffer cannot be closed.
    """

    def __init__(
        self, device: Device, address: int, nbytes: int, what: str, release: Callable[[], None]
    ) -> None:
        self.device = device
        self.address = address
        self.nbytes = nbytes
        self._leased: Optional[weakref.ref[Any]] = None
        super().__init__(device._ledger, f"{what} of {nbytes} bytes at {address:#x}", release)

    def __len__(self) -> int:
        return self.nbytes

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.address:#x}"
        return f"<{type(self).__name__} {state}, {self.nbytes} bytes of {self.device.name}>"

    def info(self) -> AddressInfo:
        """Returns what the library knows about the first byte."""
        need_open(self, "buffer")
        return address_info(self.address)

    # ---- contents

    def _range(self, offset: int, nbytes: Optional[int]) -> Tuple[int, int]:
        need_open(self, "buffer")
        offset = integer("offset", offset)
        count = self.nbytes - offset if nbytes is None else integer("nbytes", nbytes)
        if offset < 0 or count < 0 or offset + count > self.nbytes:
            raise ValueError(
                f"offset {offset} and nbytes {count} are not within the {self.nbytes} bytes"
            )
        return self.address + offset, count

    def read(self, nbytes: Optional[int] = None, offset: int = 0) -> bytes:
        """Copies bytes from the device; None means all of them."""
        address, count = self._range(offset, nbytes)
        target = (ctypes.c_ubyte * count)()
        if count:
            self.device.copy(target, address, count)
        return bytes(target)

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies an object with the buffer protocol to the device."""
        _, nbytes, keep = pinned_bytes("data", data, writable=False)
        if nbytes is None:
            raise TypeError(f"data is {data!r}, which has no bytes")
        address, count = self._range(offset, nbytes)
        if count:
            self.device.copy(address, data if keep is None else keep, count)

    def fill(self, value: int = 0, element_bytes: int = 1, stream: Optional[Stream] = None) -> None:
        """Fills the buffer with elements of 1, 2 or 4 bytes that have a value without a sign."""
        need_open(self, "buffer")
        element_bytes = integer("element_bytes", element_bytes)
        if element_bytes not in (1, 2, 4):
            raise ValueError(f"element_bytes is {element_bytes}, not 1, 2 or 4")
        value = whole("value", value, UINT32 >> (32 - 8 * element_bytes))
        if self.nbytes % element_bytes:
            raise ValueError(
                f"element_bytes is {element_bytes}, which does not divide the {self.nbytes} bytes"
            )
        desc = tarn_fill_desc(
            dst=self.address, width=self.nbytes // element_bytes, value=value,
            element_bytes=element_bytes,
        )  # fmt: skip
        call("tarn_fill_box", self.device.handle, ctypes.byref(desc), handle_of(stream))

    # ---- views

    def _lease(self) -> Any:
        """Returns the object that views keep alive, and that keeps the buffer alive and open."""
        with self._lock:
            if self._ending:
                raise ValueError("the buffer is being closed")
            need_open(self, "buffer")
            lease = self._leased() if self._leased else None
            if lease is None:
                lease = (ctypes.c_ubyte * self.nbytes).from_address(self.address)
                setattr(lease, "owner", self)
                self._leased = weakref.ref(lease)
            return lease

    def _check_unused(self) -> None:
        if self._leased and self._leased() is not None:
            raise BufferError(f"{self!r} cannot be closed: a view of it lives")

    def _host_rights(self, address: int, nbytes: int) -> Tuple[bool, bool]:
        """Returns whether the CPU may read all of a range, and whether it may write it."""
        end = address + nbytes
        readable = writable = True
        while address < end and readable:
            info = address_info(address)
            readable = info.readable & self.device.cpu_shares != 0
            writable = writable and info.writable & self.device.cpu_shares != 0
            address = max(info.base + info.bytes, address + 1)
        return readable, writable

    def view(self, offset: int = 0, nbytes: Optional[int] = None) -> memoryview:
        """Returns the bytes as a memoryview, read-only where the CPU may not write.

        Raises BufferError where the CPU does not reach the memory; read() and write() copy there.
        """
        address, count = self._range(offset, nbytes)
        readable, writable = self._host_rights(address, count)
        if not readable:
            raise BufferError(f"the CPU cannot access {self!r}; read() and write() copy")
        view = memoryview(self._lease()).cast("B")[offset : offset + count]
        return view if writable else view.toreadonly()

    def __buffer__(self, flags: int) -> memoryview:
        """The buffer protocol of Python 3.12 and later."""
        return self.view()

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        """NumPy's interface to arrays: bytes without a sign."""
        try:
            view = self.view()
        except BufferError as error:  # so that hasattr() is false
            raise AttributeError(str(error)) from None
        return {"version": 3, "shape": (self.nbytes,), "typestr": "|u1", "data": view}

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        """The interface that Numba, CuPy and PyTorch share, for memory of CUDA devices."""
        if self.device.backend != "cuda":
            raise AttributeError(f"memory of {self.device.name} is not CUDA's")
        need_open(self, "buffer")
        data = (self.address, False)
        return {"version": 3, "shape": (self.nbytes,), "typestr": "|u1", "data": data}

    def __dlpack_device__(self) -> Tuple[int, int]:
        """Returns DLPack's type and number of the device. Raises BufferError if it has none."""
        return dlpack.device_of(self)

    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        """Returns the bytes as a DLPack capsule. The options are those of the array standard. Work
        on the memory must be over: `stream` is not waited for, and max_version is not used."""
        need_open(self, "buffer")
        return dlpack.export(self, dl_device, copy)

    def _reached(self) -> bool:
        """True if the CPU may read and write all of it."""
        return all(self._host_rights(self.address, self.nbytes))


class Memory(Buffer):
    """Plain device memory: Device.alloc(), or memory of another process: Device.import_memory()."""

    @staticmethod
    def allocate(
        device: Device, nbytes: int, alignment: int, page_class: Union[str, PageClass]
    ) -> Memory:
        """Allocates memory; see Device.alloc()."""
        nbytes, alignment = whole("nbytes", nbytes), whole("alignment", alignment)
        page_class = choice("page_class", page_class, PageClass)
        if alignment or page_class:
            desc = tarn_memory_desc(bytes=nbytes, alignment=alignment, page_class=page_class)
            address = number("tarn_memory_alloc_with", device.handle, ctypes.byref(desc))
        else:
            address = number("tarn_memory_alloc", device.handle, nbytes)
        release = partial(end_memory, device, "tarn_memory_free", address, 0)
        return Memory(device, address, nbytes, "memory", release)

    @staticmethod
    def of_key(device: Device, key: str) -> Memory:
        """Opens memory of another process; see Device.import_memory()."""
        encoded = text("key", key, "ascii")
        if len(encoded) > 63:
            raise ValueError(f"key is {key!r}, which has more than 63 characters")
        struct = tarn_key((ctypes.c_ubyte * 64)(*encoded))
        address = number("tarn_memory_import", device.handle, ctypes.byref(struct))
        nbytes = address_info(address).bytes
        release = partial(end_memory, device, "tarn_memory_free", address, 0)
        return Memory(device, address, nbytes, "imported memory", release)

    def export(self) -> str:
        """Returns the key by which another process of the user opens the memory. It is valid until
        the memory is closed."""
        need_open(self, "memory")
        key = ask("tarn_memory_export", tarn_key, self.address)
        return bytes(key.bytes).rstrip(b"\0").decode("ascii")


class HostMemory(Buffer):
    """Pinned memory of the CPU, which every device of the platform can use: Device.alloc_host()."""

    @staticmethod
    def allocate(device: Device, nbytes: int, must_lock: bool) -> HostMemory:
        """Allocates memory; see Device.alloc_host()."""
        nbytes = whole("nbytes", nbytes)
        address = number("tarn_host_alloc", device.handle, nbytes, int(must_lock))
        release = partial(end_memory, device, "tarn_host_free", address)
        return HostMemory(device, address, nbytes, "host memory", release)


def end_memory(device: Device, name: str, *arguments: Any) -> None:
    """Frees memory. Takes the device so that it lives as long as the memory."""
    call(name, *arguments)
