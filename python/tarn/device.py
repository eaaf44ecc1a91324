# SPDX-License-Identifier: Apache-2.0
"""Devices: opening one by name, and everything that it creates."""

from __future__ import annotations

import os
from ctypes import byref, c_uint64
from functools import partial
from typing import List, Optional, Union

from tarn._check import INT, nanoseconds, text, whole
from tarn._library import ask, call, lib, number, walk
from tarn._native import (
    ADDRESS_BY_HOST, AddressInfo, AddressKind, DeviceInfo, PlatformStats, FeatureFlags,
    Owner, PageClass, PoolFlags, PoolKind, PoolPolicy, Rule, Setting, ShareableFlags, Status,
    tarn_device_info, tarn_platform_stats, tarn_setting,
)  # fmt: skip
from tarn._owned import Ledger, Owned, callback, need_open, release_deferred
from tarn.memory import Buffer, HostMemory, Memory, Place, address_info, pinned_bytes
from tarn.pool import Pool
from tarn.space import Phys, Reservation
from tarn.stream import Event, Stream, handle_of

ADDRESS_ANYBODY = (1 << 64) - 1


class Device(Owned):
    """A device, opened by its name.

    A name is BACKEND:ORDINAL[,KEY=VALUE...], such as "host:0,memory=1G" or "cuda:0". None means
    TARN_DEVICE of the environment, or "host:0". Devices with equal options belong to one platform.
    """

    def __init__(self, name: Optional[str] = None, *, _handle: Optional[int] = None) -> None:
        known = text("name", name) if name is not None else None
        handle = _handle if _handle is not None else number("tarn_device_open", known)
        self._handle = handle
        what = f"device {name or 'of TARN_DEVICE'}"
        super().__init__(Ledger(), what, partial(end_device, handle))
        info = self.info()
        self.backend = info.backend
        self.ordinal = info.ordinal
        self.name = name or f"{info.backend}:{info.ordinal}"
        self.features = FeatureFlags(info.features)
        # The rights of tarn_address_info that are the CPU's, too.
        on_grant = any((one.key, one.value) == ("access", "on-grant") for one in self.settings())
        self.cpu_shares = ADDRESS_ANYBODY if on_grant else ADDRESS_BY_HOST

    def _describe(self) -> str:
        return self.name

    @property
    def handle(self) -> int:
        """The tarn_device. Raises ValueError if the device is closed."""
        need_open(self, "device")
        return self._handle

    def sibling(self, ordinal: int) -> Device:
        """Opens another device of the same platform."""
        handle = number("tarn_device_sibling", self.handle, whole("ordinal", ordinal, INT))
        backend, _, options = self.name.partition(":")
        _, comma, rest = options.partition(",")
        return Device(f"{backend}:{ordinal}{comma}{rest}", _handle=handle)

    # ---- queries

    def info(self) -> DeviceInfo:
        """Returns the properties of the device."""
        info: DeviceInfo = ask("tarn_device_query", tarn_device_info, self.handle).record()
        return info

    def settings(self) -> List[Setting]:
        """Returns the settings of the device's platform."""
        found: List[Setting] = []
        setting = tarn_setting()
        while lib.tarn_device_query_setting(self.handle, len(found), byref(setting)) == Status.OK:
            found.append(setting.record())
        return found

    @property
    def free_bytes(self) -> int:
        """Bytes that can still be allocated."""
        free = c_uint64()
        call("tarn_device_query_memory", self.handle, byref(free), None)
        return free.value

    @property
    def total_bytes(self) -> int:
        """The capacity in bytes."""
        return self.info().memory_bytes

    def stats(self) -> PlatformStats:
        """Returns the statistics of the device's platform."""
        stats: PlatformStats = ask(
            "tarn_platform_query_stats", tarn_platform_stats, self.handle
        ).record()
        return stats

    def regions(self) -> List[AddressInfo]:
        """Returns what is allocated, reserved, mapped or imported on the platform."""
        found: List[AddressInfo] = []
        with callback():
            walk("tarn_address_walk", self.handle, lambda info: found.append(info.record()))
        release_deferred()
        return found

    def leaks(self) -> List[str]:
        """Describes what is still open: objects of this package with the line that created them,
        and memory of the platform that other code has allocated."""
        mine = [text for key, text in list(self._ledger.entries.items()) if key != id(self)]
        known = " ".join(mine)
        others = []
        for region in self.regions():
            owner = f"at {region.base:#x},"
            if region.owner == Owner.POOL:
                owner = f"pool {address_info(region.base).pool:#x},"
            if region.kind != AddressKind.MAPPED and owner not in known:
                kind = region.kind.name.lower()
                others.append(f"{kind} region of {region.bytes} bytes at {region.base:#x}")
        return mine + others

    def verify(self) -> None:
        """Compares every record of the platform with the others. Raises Corrupt."""
        call("tarn_platform_verify", self.handle)

    # ---- memory

    def alloc(
        self,
        nbytes: int,
        *,
        alignment: int = 0,
        page_class: Union[str, PageClass] = PageClass.DEFAULT,
    ) -> Memory:
        """Allocates plain device memory. Its contents are undefined."""
        return Memory.allocate(self, nbytes, alignment, page_class)

    def alloc_host(self, nbytes: int, *, must_lock: bool = False) -> HostMemory:
        """Allocates pinned memory of the CPU, zeroed."""
        return HostMemory.allocate(self, nbytes, must_lock)

    def import_memory(self, key: str) -> Memory:
        """Opens memory of another process by the key of its Memory.export()."""
        return Memory.of_key(self, key)

    def pool(
        self,
        kind: Union[str, PoolKind, None] = None,
        *,
        over: Optional[Buffer] = None,
        rule: Union[str, Rule] = "gpu",
        limit: int = 0,
        policy: Union[str, PoolPolicy] = PoolPolicy.BALANCED,
        page_bytes: int = 0,
        segment_bytes: int = 0,
        flags: PoolFlags = PoolFlags(0),
        plan: Union[str, os.PathLike[str], bytes, None] = None,
        learn: bool = False,
    ) -> Pool:
        """Creates a pool; see Pool."""
        return Pool(
            self, kind, over=over, rule=rule, limit=limit, policy=policy, page_bytes=page_bytes,
            segment_bytes=segment_bytes, flags=flags, plan=plan, learn=learn,
        )  # fmt: skip

    def reserve(self, nbytes: int, *, alignment: int = 0, hint: int = 0) -> Reservation:
        """Reserves a range of addresses, a multiple of the granularity."""
        return Reservation(self, nbytes, alignment, hint)

    def create(
        self,
        nbytes: int,
        *,
        page_class: Union[str, PageClass] = PageClass.DEFAULT,
        shareable: ShareableFlags = ShareableFlags(0),
    ) -> Phys:
        """Creates physical memory, a multiple of the granularity."""
        return Phys(self, nbytes, page_class, shareable)

    # ---- work

    def stream(self, native: Optional[int] = None) -> Stream:
        """Creates a stream, or wraps that of a framework (a CUstream, hipStream_t, aclrtStream)."""
        return Stream(self, native)

    def event(self) -> Event:
        """Creates an event that is not recorded yet."""
        return Event(self)

    def copy(
        self,
        target: Place,
        source: Place,
        nbytes: Optional[int] = None,
        stream: Optional[Stream] = None,
    ) -> None:
        """Copies bytes between buffers, objects with the buffer protocol, and addresses.

        None copies as many as the source has, or else the target. With a stream the call returns
        before the copy is done; what both are made of lives until the stream is synchronised.
        """
        to, room, keep_target = pinned_bytes("target", target, writable=True)
        of, have, keep_source = pinned_bytes("source", source, writable=False)
        work = handle_of(stream)
        if nbytes is not None:
            nbytes = whole("nbytes", nbytes)
        known = [length for length in (nbytes, have, room) if length is not None]
        if not known:
            raise ValueError("nbytes is needed to copy from an address to another")
        count = known[0]
        for length, what in ((have, "source"), (room, "target")):
            if length is not None and length < count:
                raise ValueError(f"nbytes {count} is more than the {length} bytes of the {what}")
        if count == 0:
            return
        if stream is not None:
            stream._kept.append((keep_target, keep_source))
        call("tarn_copy", self.handle, to, of, count, work)

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits for all work of all streams; streams report failures."""
        call("tarn_device_synchronize", self.handle, nanoseconds(timeout))

    def trim(self) -> None:
        """Returns cached physical memory to the operating system."""
        call("tarn_device_trim", self.handle)


def end_device(handle: int) -> None:
    """Drops the reference to a device."""
    call("tarn_device_close", handle)


def backends() -> List[str]:
    """Returns the names of the back-ends that the library has."""
    names: List[str] = []
    while (name := lib.tarn_backend_name(len(names), None)) is not None:
        names.append(name.decode())
    return names
