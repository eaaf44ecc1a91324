# SPDX-License-Identifier: Apache-2.0
"""Tarn: one memory manager for accelerators. docs/python.md is the user's page.

    import tarn

    with tarn.Device("host:0,memory=1G") as device, device.alloc(1 << 20) as memory:
        memory.write(b"hello")
        print(memory.read(5), device.stats().memory_bytes)
"""

from tarn._library import lib
from tarn._native import (
    ERRORS, VERSION, Access, AddressInfo, AddressKind, AlreadyMapped, BadAddress, BadArgument,
    BadConfig, BadDevice, BadHandle, BadStruct, BlockInfo, BlockState, Busy, Corrupt, DeviceFailed,
    DeviceInfo, PlatformStats, FeatureFlags, Forked, Location, LocationType, Misaligned, Native,
    NoAccess, NoAddressSpace, NoDeviceMemory, NoHandles, NoHostMemory, NoMappings, NotMapped,
    NotReady, Owner, PageClass, PeakFlags, PeerGone, PhysInfo, PlanMiss, PoolCause, PoolFlags,
    PoolInfo, PoolKind, PoolPolicy, PoolReport, PoolShare, PoolStats, PoolTagStats, Rule, Setting,
    ShareableFlags, Status, System, TimedOut, Unsupported,
)  # fmt: skip
from tarn._struct import TarnError
from tarn.device import Device, backends
from tarn.frames import recorded
from tarn.memory import Buffer, HostMemory, Memory, address_info
from tarn.pool import Block, Pool, save_snapshot
from tarn.recordings import (
    BadInput, Card, CommandError, Difference, Excess, Explanation, Failure, Fit, Holder, Need, Plan,
    Question, Replay, compare, diff, explain, fit, plan, replay, run_json,
)  # fmt: skip
from tarn.space import Phys, Reservation
from tarn.stream import Event, Stream

for _error in ERRORS.values():
    _error.__module__ = "tarn"  # as tracebacks show it

__version__ = VERSION

__all__ = [name for name in dir() if not name.startswith("_")]
