# SPDX-License-Identifier: Apache-2.0
"""Virtual memory: ranges of addresses, and physical memory that is mapped into them."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING, Dict, Optional, Union

from tarn._check import INT, choice, flags, instance, whole
from tarn._library import ask, call, number
from tarn._native import (
    Access, Location, LocationType, PageClass, PhysInfo, ShareableFlags, tarn_grant, tarn_location,
    tarn_phys_desc, tarn_phys_info,
)  # fmt: skip
from tarn._owned import Owned, need_open
from tarn.memory import Buffer

if TYPE_CHECKING:
    from tarn.device import Device


class Phys(Owned):
    """Physical memory without an address: Device.create(). It lives on while it is mapped."""

    def __init__(
        self,
        device: Device,
        nbytes: int,
        page_class: Union[str, PageClass],
        shareable: ShareableFlags,
    ) -> None:
        nbytes = whole("nbytes", nbytes)
        desc = tarn_phys_desc(
            page_class=choice("page_class", page_class, PageClass),
            shareable=flags("shareable", shareable, ShareableFlags),
        )
        self._handle = number("tarn_phys_create", device.handle, nbytes, ctypes.byref(desc))
        self.device = device
        self.nbytes = nbytes
        release = partial(end_phys, device, self._handle)
        super().__init__(device._ledger, f"physical memory of {nbytes} bytes", release)

    def _describe(self) -> str:
        return f"{self._handle:#x}, {self.nbytes} bytes of {self.device.name}"

    @property
    def handle(self) -> int:
        """The tarn_phys. Raises ValueError if it is closed."""
        need_open(self, "physical memory")
        return self._handle

    def info(self) -> PhysInfo:
        """Returns what the library knows about it."""
        info: PhysInfo = ask("tarn_phys_query", tarn_phys_info, self.handle).record()
        return info


def end_phys(device: Device, handle: int) -> None:
    """Drops the reference. Takes the device so that it lives as long as the memory."""
    call("tarn_phys_release", handle)


class Reservation(Buffer):
    """An exclusive range of addresses: Device.reserve(). Only its mapped parts have contents.

    Offsets and lengths are multiples of the device's granularity. close() unmaps everything.
    """

    def __init__(self, device: Device, nbytes: int, alignment: int, hint: int) -> None:
        nbytes = whole("nbytes", nbytes)
        address = number(
            "tarn_space_reserve", device.handle, nbytes, whole("alignment", alignment),
            whole("hint", hint),
        )  # fmt: skip
        self._mappings: Dict[int, int] = {}  # address -> length
        release = partial(end_reservation, device, self._mappings, address)
        super().__init__(device, address, nbytes, "reservation", release)

    def map(self, phys: Phys, offset: int = 0, nbytes: Optional[int] = None) -> None:
        """Maps the first bytes of physical memory; None means all. The mapping grants no rights."""
        handle = instance("phys", phys, Phys).handle
        address, count = self._range(offset, phys.nbytes if nbytes is None else nbytes)
        call("tarn_map", address, count, handle)
        self._mappings[address] = count

    def unmap(self, offset: int = 0, nbytes: Optional[int] = None) -> None:
        """Unmaps complete mappings, after all work that may use them."""
        self._check_unused()
        address, count = self._range(offset, nbytes)
        call("tarn_unmap", address, count, 0)
        for start in [start for start in self._mappings if address <= start < address + count]:
            self._mappings.pop(start, None)

    def grant(
        self,
        access: Union[str, Access] = Access.READ_WRITE,
        location: Optional[Location] = None,
        offset: int = 0,
        nbytes: Optional[int] = None,
    ) -> None:
        """Sets the rights of a location, by default the device, to complete mappings."""
        address, count = self._range(offset, nbytes)
        if location is None:
            location = Location(LocationType.DEVICE, self.device.ordinal)
        kind, ordinal = instance("location", location, Location)
        where = tarn_location(
            choice("location.type", kind, LocationType), whole("location.id", ordinal, INT)
        )
        grant = tarn_grant(location=where, access=choice("access", access, Access))
        call("tarn_map_set_access", address, count, ctypes.byref(grant), 1)


def end_reservation(device: Device, mappings: Dict[int, int], address: int) -> None:
    """Unmaps what is mapped and releases the range."""
    for start, count in list(mappings.items()):
        call("tarn_unmap", start, count, 0)
        del mappings[start]
    call("tarn_space_release", address)
