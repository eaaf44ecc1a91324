# SPDX-License-Identifier: Apache-2.0
"""Written by python/generate.py from include/tarn. Do not edit.

Structs have their names and fields of C. The records are what the package returns of them.
FUNCTIONS has the result and the arguments of every function.
"""

from ctypes import CFUNCTYPE, POINTER, c_bool, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_ubyte, c_uint, c_uint32, c_uint64, c_void_p
from enum import IntEnum, IntFlag
from typing import Any, Dict, NamedTuple, Optional, Tuple

from tarn._struct import Struct, TarnError

VERSION = "0.4.0.dev0"


class Status(IntEnum):
    """TARN_... of tarn/base.h."""

    OK = 0
    BAD_ARGUMENT = -1
    BAD_STRUCT = -2
    BAD_HANDLE = -3
    BAD_ADDRESS = -4
    BAD_DEVICE = -5
    BAD_CONFIG = -6
    NO_HOST_MEMORY = -7
    NO_DEVICE_MEMORY = -8
    NO_ADDRESS_SPACE = -9
    NO_HANDLES = -10
    NO_MAPPINGS = -11
    BUSY = -12
    NOT_MAPPED = -13
    ALREADY_MAPPED = -14
    NO_ACCESS = -15
    MISALIGNED = -16
    NOT_READY = -17
    TIMED_OUT = -18
    UNSUPPORTED = -19
    DEVICE_FAILED = -20
    CORRUPT = -21
    SYSTEM = -22
    NATIVE = -23
    FORKED = -24
    PEER_GONE = -25


class BadArgument(TarnError, ValueError):
    """BAD_ARGUMENT: an argument is out of its range."""

    status = Status.BAD_ARGUMENT


class BadStruct(TarnError):
    """BAD_STRUCT: a struct carries fields this library does not know."""

    status = Status.BAD_STRUCT


class BadHandle(TarnError):
    """BAD_HANDLE: the handle is not, or no longer, valid."""

    status = Status.BAD_HANDLE


class BadAddress(TarnError, ValueError):
    """BAD_ADDRESS: the address or range lies in nothing that this call works on."""

    status = Status.BAD_ADDRESS


class BadDevice(TarnError, ValueError):
    """BAD_DEVICE: no such device."""

    status = Status.BAD_DEVICE


class BadConfig(TarnError, ValueError):
    """BAD_CONFIG: a device name or configuration value cannot be understood."""

    status = Status.BAD_CONFIG


class NoHostMemory(TarnError, MemoryError):
    """NO_HOST_MEMORY: host memory exhausted."""

    status = Status.NO_HOST_MEMORY


class NoDeviceMemory(TarnError, MemoryError):
    """NO_DEVICE_MEMORY: device memory exhausted."""

    status = Status.NO_DEVICE_MEMORY


class NoAddressSpace(TarnError, MemoryError):
    """NO_ADDRESS_SPACE: address space exhausted."""

    status = Status.NO_ADDRESS_SPACE


class NoHandles(TarnError):
    """NO_HANDLES: handles or file descriptors exhausted."""

    status = Status.NO_HANDLES


class NoMappings(TarnError):
    """NO_MAPPINGS: the kernel's budget of memory mappings is exhausted."""

    status = Status.NO_MAPPINGS


class Busy(TarnError):
    """BUSY: the object is still in use."""

    status = Status.BUSY


class NotMapped(TarnError):
    """NOT_MAPPED: part of the range has no physical memory mapped."""

    status = Status.NOT_MAPPED


class AlreadyMapped(TarnError):
    """ALREADY_MAPPED: part of the range is mapped already."""

    status = Status.ALREADY_MAPPED


class NoAccess(TarnError):
    """NO_ACCESS: the location has no right to do this here."""

    status = Status.NO_ACCESS


class Misaligned(TarnError, ValueError):
    """MISALIGNED: an address, offset or size is not a multiple of the granularity."""

    status = Status.MISALIGNED


class NotReady(TarnError):
    """NOT_READY: the work is not complete yet."""

    status = Status.NOT_READY


class TimedOut(TarnError):
    """TIMED_OUT: the deadline passed."""

    status = Status.TIMED_OUT


class Unsupported(TarnError, NotImplementedError):
    """UNSUPPORTED: this backend or build does not provide it."""

    status = Status.UNSUPPORTED


class DeviceFailed(TarnError):
    """DEVICE_FAILED: work on the device failed; the stream reports it until destroyed."""

    status = Status.DEVICE_FAILED


class Corrupt(TarnError):
    """CORRUPT: a check found the book-keeping or the data damaged."""

    status = Status.CORRUPT


class System(TarnError):
    """SYSTEM: the operating system refused; see the native code."""

    status = Status.SYSTEM


class Native(TarnError):
    """NATIVE: the vendor's library refused; see the native code."""

    status = Status.NATIVE


class Forked(TarnError):
    """FORKED: the object belongs to the parent process."""

    status = Status.FORKED


class PeerGone(TarnError):
    """PEER_GONE: the process on the other side is gone."""

    status = Status.PEER_GONE


ERRORS: Dict[int, type[TarnError]] = {
    -1: BadArgument,
    -2: BadStruct,
    -3: BadHandle,
    -4: BadAddress,
    -5: BadDevice,
    -6: BadConfig,
    -7: NoHostMemory,
    -8: NoDeviceMemory,
    -9: NoAddressSpace,
    -10: NoHandles,
    -11: NoMappings,
    -12: Busy,
    -13: NotMapped,
    -14: AlreadyMapped,
    -15: NoAccess,
    -16: Misaligned,
    -17: NotReady,
    -18: TimedOut,
    -19: Unsupported,
    -20: DeviceFailed,
    -21: Corrupt,
    -22: System,
    -23: Native,
    -24: Forked,
    -25: PeerGone,
}


class tarn_key(Struct):
    """tarn_key of tarn/base.h."""

    bytes: Any

    _fields_ = [
        ("bytes", c_ubyte * 64),
    ]


class tarn_error(Struct):
    """tarn_error of tarn/base.h."""

    status: int
    native_code: int
    call: Any
    message: Any

    _fields_ = [
        ("status", c_int32),
        ("native_code", c_int64),
        ("call", c_char_p),
        ("message", c_char_p),
    ]


class tarn_arena_desc(Struct):
    """tarn_arena_desc of tarn/channel.h."""

    struct_size: int
    bytes: int
    largest: int
    prefault: int
    flags: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("bytes", c_uint64),
        ("largest", c_uint64),
        ("prefault", c_uint64),
        ("flags", c_uint32),
    ]


ARENA_HUGE = 1


class ParcelPolicy(IntEnum):
    """TARN_PARCEL_... of tarn/channel.h."""

    AUTO = 0
    MANUAL = 1


class tarn_parcel_request(Struct):
    """tarn_parcel_request of tarn/channel.h."""

    struct_size: int
    bytes: int
    timeout_ns: int
    policy: int
    tag: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("bytes", c_uint64),
        ("timeout_ns", c_uint64),
        ("policy", c_uint32),
        ("tag", c_uint32),
    ]


class ParcelState(IntEnum):
    """TARN_PARCEL_... of tarn/channel.h."""

    OWNED = 1
    SHARED = 2
    SENT = 3
    RECEIVED = 4


class tarn_parcel_info(Struct):
    """tarn_parcel_info of tarn/channel.h."""

    struct_size: int
    state: int
    policy: int
    start: Optional[int]
    bytes: int
    tag: int
    holds: int
    peer_holds: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("state", c_uint32),
        ("policy", c_uint32),
        ("start", c_void_p),
        ("bytes", c_uint64),
        ("tag", c_uint32),
        ("holds", c_uint32),
        ("peer_holds", c_uint32),
    ]


class tarn_channel_desc(Struct):
    """tarn_channel_desc of tarn/channel.h."""

    struct_size: int
    arena: Optional[int]
    ports: int
    slots: int
    in_flight: int
    spin_ns: int
    flags: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("arena", c_void_p),
        ("ports", c_uint32),
        ("slots", c_uint32),
        ("in_flight", c_uint32),
        ("spin_ns", c_uint32),
        ("flags", c_uint32),
    ]


class ChannelFlags(IntFlag):
    """TARN_CHANNEL_... of tarn/channel.h."""

    ANY_USER = 0x1
    NO_SPIN = 0x2


PORT_MANUAL_CREDIT = 1


class tarn_message(Struct):
    """tarn_message of tarn/channel.h."""

    struct_size: int
    port: int
    flags: int
    code: int
    name: Any
    control: Optional[int]
    control_bytes: int
    parcel: Optional[int]
    bytes: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("port", c_uint32),
        ("flags", c_uint32),
        ("code", c_uint64),
        ("name", c_char_p),
        ("control", c_void_p),
        ("control_bytes", c_uint64),
        ("parcel", c_void_p),
        ("bytes", c_uint64),
    ]


MESSAGE_COPY = 1


class tarn_delivery(Struct):
    """tarn_delivery of tarn/channel.h."""

    port: int
    zero: int
    code: int
    name: Any
    control: Optional[int]
    control_bytes: int
    parcel: Optional[int]
    bytes: int

    _fields_ = [
        ("port", c_uint32),
        ("zero", c_uint32),
        ("code", c_uint64),
        ("name", c_char_p),
        ("control", c_void_p),
        ("control_bytes", c_uint64),
        ("parcel", c_void_p),
        ("bytes", c_uint64),
    ]


class tarn_receiver(Struct):
    """tarn_receiver of tarn/channel.h."""

    struct_size: int
    on_message: Any
    on_end: Any
    arg: Optional[int]

    _fields_ = [
        ("struct_size", c_size_t),
        ("on_message", CFUNCTYPE(None, c_void_p, POINTER(tarn_delivery), c_void_p)),
        ("on_end", CFUNCTYPE(None, c_void_p, c_int, c_void_p)),
        ("arg", c_void_p),
    ]


class tarn_arena_stats(Struct):
    """tarn_arena_stats of tarn/channel.h."""

    struct_size: int
    capacity_bytes: int
    live_parcels: int
    live_bytes: int
    peak_bytes: int
    allocs: int
    frees: int
    waits: int
    refusals: int
    recovered: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("capacity_bytes", c_uint64),
        ("live_parcels", c_uint64),
        ("live_bytes", c_uint64),
        ("peak_bytes", c_uint64),
        ("allocs", c_uint64),
        ("frees", c_uint64),
        ("waits", c_uint64),
        ("refusals", c_uint64),
        ("recovered", c_uint64),
    ]


class tarn_channel_stats(Struct):
    """tarn_channel_stats of tarn/channel.h."""

    struct_size: int
    sends: int
    sent_bytes: int
    copies: int
    copied_bytes: int
    receives: int
    received_bytes: int
    queued: int
    in_flight: int
    held: int
    send_waits: int
    send_timeouts: int
    sleeps: int
    wakes: int
    peer_pid: int
    gone: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("sends", c_uint64),
        ("sent_bytes", c_uint64),
        ("copies", c_uint64),
        ("copied_bytes", c_uint64),
        ("receives", c_uint64),
        ("received_bytes", c_uint64),
        ("queued", c_uint64),
        ("in_flight", c_uint64),
        ("held", c_uint64),
        ("send_waits", c_uint64),
        ("send_timeouts", c_uint64),
        ("sleeps", c_uint64),
        ("wakes", c_uint64),
        ("peer_pid", c_uint64),
        ("gone", c_uint64),
    ]


class FeatureFlags(IntFlag):
    """TARN_FEATURE_... of tarn/device.h."""

    VMM = 0x1
    BYTES = 0x2
    HOST_ACCESS = 0x4
    ALIAS = 0x8
    PEER = 0x10
    ASYNC = 0x20
    PINNED = 0x40
    HOST_PHYS = 0x80
    VIRTUAL_TIME = 0x100
    ARRAYS = 0x200
    GIANT_PAGES = 0x400
    CHECKED = 0x800
    PARTIAL = 0x1000
    MIXED = 0x2000
    RIGHTS = 0x4000
    CONDITIONS = 0x8000


class ShareableFlags(IntFlag):
    """TARN_SHAREABLE_... of tarn/device.h."""

    FD = 0x1
    TOKEN = 0x2


class tarn_device_info(Struct):
    """tarn_device_info of tarn/device.h."""

    struct_size: int
    backend: Any
    name: Any
    ordinal: int
    device_count: int
    memory_bytes: int
    granularity_minimum: int
    granularity_recommended: int
    features: int
    shareable: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("backend", c_char * 16),
        ("name", c_char * 64),
        ("ordinal", c_int),
        ("device_count", c_int),
        ("memory_bytes", c_uint64),
        ("granularity_minimum", c_uint64),
        ("granularity_recommended", c_uint64),
        ("features", c_uint32),
        ("shareable", c_uint32),
    ]


class DeviceInfo(NamedTuple):
    """tarn_device_info of tarn/device.h."""

    backend: str
    name: str
    ordinal: int
    device_count: int
    memory_bytes: int
    granularity_minimum: int
    granularity_recommended: int
    features: int
    shareable: int


tarn_device_info.record_class = DeviceInfo


class tarn_setting(Struct):
    """tarn_setting of tarn/device.h."""

    key: Any
    value: Any
    source: Any
    help: Any

    _fields_ = [
        ("key", c_char_p),
        ("value", c_char_p),
        ("source", c_char_p),
        ("help", c_char_p),
    ]


class Setting(NamedTuple):
    """tarn_setting of tarn/device.h."""

    key: str
    value: str
    source: str
    help: str


tarn_setting.record_class = Setting


class PinClass(IntEnum):
    """TARN_PIN_... of tarn/host.h."""

    PLAIN = 0
    POPULATED = 1
    LOCKED = 2


class HostFlags(IntFlag):
    """TARN_HOST_... of tarn/host.h."""

    MUST_LOCK = 0x1
    ON_TOUCH = 0x2


class LocationType(IntEnum):
    """TARN_LOCATION_... of tarn/phys.h."""

    DEVICE = 1
    HOST = 2
    HOST_NUMA = 3
    HOST_NUMA_CURRENT = 4


class tarn_location(Struct):
    """tarn_location of tarn/phys.h."""

    type: int
    id: int

    _fields_ = [
        ("type", c_uint32),
        ("id", c_int),
    ]


class Location(NamedTuple):
    """tarn_location of tarn/phys.h."""

    type: LocationType
    id: int


tarn_location.record_class = Location


class PageClass(IntEnum):
    """TARN_PAGE_... of tarn/phys.h."""

    DEFAULT = 0
    BASE = 1
    HUGE = 2
    GIANT = 3


USAGE_TILE_POOL = 1


class tarn_phys_desc(Struct):
    """tarn_phys_desc of tarn/phys.h."""

    struct_size: int
    location: tarn_location
    shareable: int
    usage: int
    page_class: int
    user: Any

    _fields_ = [
        ("struct_size", c_size_t),
        ("location", tarn_location),
        ("shareable", c_uint32),
        ("usage", c_uint32),
        ("page_class", c_uint32),
        ("user", c_uint64 * 4),
    ]


class tarn_phys_info(Struct):
    """tarn_phys_info of tarn/phys.h."""

    struct_size: int
    bytes: int
    location: tarn_location
    shareable: int
    usage: int
    page_class: int
    user_refs: int
    map_refs: int
    imported: bool
    user: Any
    page_bytes: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("bytes", c_uint64),
        ("location", tarn_location),
        ("shareable", c_uint32),
        ("usage", c_uint32),
        ("page_class", c_uint32),
        ("user_refs", c_uint32),
        ("map_refs", c_uint32),
        ("imported", c_bool),
        ("user", c_uint64 * 4),
        ("page_bytes", c_uint64),
    ]


class PhysInfo(NamedTuple):
    """tarn_phys_info of tarn/phys.h."""

    bytes: int
    location: Location
    shareable: int
    usage: int
    page_class: PageClass
    user_refs: int
    map_refs: int
    imported: bool
    user: Tuple[int, ...]
    page_bytes: int


tarn_phys_info.record_class = PhysInfo


class tarn_shareable(Struct):
    """tarn_shareable of tarn/phys.h."""

    type: int
    fd: int
    token: int

    _fields_ = [
        ("type", c_uint32),
        ("fd", c_int),
        ("token", c_uint64),
    ]


class Access(IntEnum):
    """TARN_ACCESS_... of tarn/map.h."""

    NONE = 0
    READ = 1
    READ_WRITE = 3


class tarn_grant(Struct):
    """tarn_grant of tarn/map.h."""

    location: tarn_location
    access: int

    _fields_ = [
        ("location", tarn_location),
        ("access", c_uint32),
    ]


class tarn_map_item(Struct):
    """tarn_map_item of tarn/map.h."""

    phys: int
    bytes: int

    _fields_ = [
        ("phys", c_uint64),
        ("bytes", c_uint64),
    ]


class tarn_memory_desc(Struct):
    """tarn_memory_desc of tarn/memory.h."""

    struct_size: int
    bytes: int
    alignment: int
    page_class: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("bytes", c_uint64),
        ("alignment", c_uint64),
        ("page_class", c_uint32),
    ]


class tarn_rule(Struct):
    """tarn_rule of tarn/rule.h."""

    start: int
    rounding: int
    padding: int

    _fields_ = [
        ("start", c_uint32),
        ("rounding", c_uint32),
        ("padding", c_uint32),
    ]


class Rule(NamedTuple):
    """tarn_rule of tarn/rule.h."""

    start: int
    rounding: int
    padding: int


tarn_rule.record_class = Rule


class RuleName(IntEnum):
    """TARN_RULE_... of tarn/rule.h."""

    PLAIN = 0
    GPU_256 = 1
    CACHING_512 = 2
    ACL = 3
    ACL_MEDIA = 4
    ACL_950 = 5
    COUNT = 6


STREAM_FOLLOW = 1


class tarn_plan_block(Struct):
    """tarn_plan_block of tarn/plan.h."""

    bytes: int
    begin: int
    end: int
    stream: int
    tag: int

    _fields_ = [
        ("bytes", c_uint64),
        ("begin", c_uint64),
        ("end", c_uint64),
        ("stream", c_uint32),
        ("tag", c_uint32),
    ]


class tarn_plan_info(Struct):
    """tarn_plan_info of tarn/plan.h."""

    struct_size: int
    blocks: int
    streams: int
    bound: int
    height: int
    rule: tarn_rule
    zero: int
    steps: int
    bytes: Optional[int]
    byte_count: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("blocks", c_uint64),
        ("streams", c_uint64),
        ("bound", c_uint64),
        ("height", c_uint64),
        ("rule", tarn_rule),
        ("zero", c_uint32),
        ("steps", c_uint64),
        ("bytes", c_void_p),
        ("byte_count", c_size_t),
    ]


class tarn_plan_desc(Struct):
    """tarn_plan_desc of tarn/plan.h."""

    struct_size: int
    blocks: Any
    count: int
    rule: tarn_rule
    zero: int
    period: int
    limit_ns: int
    progress: Any
    arg: Optional[int]
    limit_steps: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("blocks", POINTER(tarn_plan_block)),
        ("count", c_size_t),
        ("rule", tarn_rule),
        ("zero", c_uint32),
        ("period", c_uint64),
        ("limit_ns", c_uint64),
        ("progress", CFUNCTYPE(c_bool, POINTER(tarn_plan_info), c_void_p)),
        ("arg", c_void_p),
        ("limit_steps", c_uint64),
    ]


class tarn_plan_miss(Struct):
    """tarn_plan_miss of tarn/plan.h."""

    bytes: int
    requests: int
    stream: int
    tag: int
    late: int

    _fields_ = [
        ("bytes", c_uint64),
        ("requests", c_uint64),
        ("stream", c_uint64),
        ("tag", c_uint32),
        ("late", c_uint32),
    ]


class PlanMiss(NamedTuple):
    """tarn_plan_miss of tarn/plan.h."""

    bytes: int
    requests: int
    stream: int
    tag: int
    late: int


tarn_plan_miss.record_class = PlanMiss


class PoolKind(IntEnum):
    """TARN_POOL_... of tarn/pool.h."""

    FIXED = 1
    SEGMENTS = 2
    EXPANDABLE = 3


class PoolPolicy(IntEnum):
    """TARN_POOL_... of tarn/pool.h."""

    BALANCED = 0
    TIME = 1
    MEMORY = 2


class tarn_pool_desc(Struct):
    """tarn_pool_desc of tarn/pool.h."""

    struct_size: int
    kind: int
    rule: tarn_rule
    device: Optional[int]
    base: int
    bytes: int
    limit: int
    page_bytes: int
    segment_bytes: int
    policy: int
    grants: Any
    grant_count: int
    flags: int
    user: int
    plan: Optional[int]

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_uint32),
        ("rule", tarn_rule),
        ("device", c_void_p),
        ("base", c_uint64),
        ("bytes", c_uint64),
        ("limit", c_uint64),
        ("page_bytes", c_uint64),
        ("segment_bytes", c_uint64),
        ("policy", c_uint32),
        ("grants", POINTER(tarn_grant)),
        ("grant_count", c_size_t),
        ("flags", c_uint32),
        ("user", c_uint64),
        ("plan", c_void_p),
    ]


class PoolFlags(IntFlag):
    """TARN_POOL_... of tarn/pool.h."""

    STRICT = 0x1
    FENCE = 0x2
    FENCE_EXACT = 0x4
    USER_WORDS = 0x8
    SELECT_REUSE = 0x10
    LEARN = 0x20


class tarn_pool_info(Struct):
    """tarn_pool_info of tarn/pool.h."""

    struct_size: int
    kind: int
    asked: int
    rule: tarn_rule
    limit: int
    page_bytes: int
    segment_bytes: int
    base: int
    bytes: int
    reason: Any
    user: int
    release_threshold: int
    reuse: int
    zero: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_uint32),
        ("asked", c_uint32),
        ("rule", tarn_rule),
        ("limit", c_uint64),
        ("page_bytes", c_uint64),
        ("segment_bytes", c_uint64),
        ("base", c_uint64),
        ("bytes", c_uint64),
        ("reason", c_char * 256),
        ("user", c_uint64),
        ("release_threshold", c_uint64),
        ("reuse", c_uint32),
        ("zero", c_uint32),
    ]


class PoolInfo(NamedTuple):
    """tarn_pool_info of tarn/pool.h."""

    kind: PoolKind
    asked: PoolKind
    rule: Rule
    limit: int
    page_bytes: int
    segment_bytes: int
    base: int
    bytes: int
    reason: str
    user: int
    release_threshold: int
    reuse: int


tarn_pool_info.record_class = PoolInfo


class tarn_pool_request(Struct):
    """tarn_pool_request of tarn/pool.h."""

    struct_size: int
    bytes: int
    alignment: int
    stream: int
    tag: int
    user: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("bytes", c_uint64),
        ("alignment", c_uint64),
        ("stream", c_uint64),
        ("tag", c_uint32),
        ("user", c_uint64),
    ]


POOL_DISCARD = 2


class ReuseFlags(IntFlag):
    """TARN_REUSE_... of tarn/pool.h."""

    PASSED = 0x1
    FOLLOWED = 0x2


class BlockState(IntEnum):
    """TARN_BLOCK_... of tarn/pool.h."""

    LIVE = 1
    FREE = 2
    PENDING = 3
    UNMAPPED = 4


class tarn_block(Struct):
    """tarn_block of tarn/pool.h."""

    addr: int
    occupied: int
    bytes: int
    state: int
    stream: int
    tag: int
    usable: int
    user: int
    asleep: bool

    _fields_ = [
        ("addr", c_uint64),
        ("occupied", c_uint64),
        ("bytes", c_uint64),
        ("state", c_uint32),
        ("stream", c_uint64),
        ("tag", c_uint32),
        ("usable", c_uint64),
        ("user", c_uint64),
        ("asleep", c_bool),
    ]


class BlockInfo(NamedTuple):
    """tarn_block of tarn/pool.h."""

    addr: int
    occupied: int
    bytes: int
    state: BlockState
    stream: int
    tag: int
    usable: int
    user: int
    asleep: bool


tarn_block.record_class = BlockInfo


class tarn_pool_stats(Struct):
    """tarn_pool_stats of tarn/pool.h."""

    struct_size: int
    live_blocks: int
    live_bytes: int
    used_bytes: int
    pending_bytes: int
    held_bytes: int
    largest_free: int
    peak_live_bytes: int
    peak_used_bytes: int
    peak_held_bytes: int
    allocs: int
    frees: int
    refusals: int
    driver_calls: int
    map_calls: int
    unmap_calls: int
    moved_bytes: int
    host_bytes: int
    fallback: int
    reach_bytes: int
    sleeping_bytes: int
    created_handles: int
    created_bytes: int
    mapped_handles: int
    mapped_bytes: int
    moved_handles: int
    device_ns: int
    cached_bytes: int
    planned: int
    unplanned: int
    late: int
    plan_bytes: int
    planned_bytes: int
    unplanned_bytes: int
    late_bytes: int
    plans: int
    passes: int
    planned_passes: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("live_blocks", c_uint64),
        ("live_bytes", c_uint64),
        ("used_bytes", c_uint64),
        ("pending_bytes", c_uint64),
        ("held_bytes", c_uint64),
        ("largest_free", c_uint64),
        ("peak_live_bytes", c_uint64),
        ("peak_used_bytes", c_uint64),
        ("peak_held_bytes", c_uint64),
        ("allocs", c_uint64),
        ("frees", c_uint64),
        ("refusals", c_uint64),
        ("driver_calls", c_uint64),
        ("map_calls", c_uint64),
        ("unmap_calls", c_uint64),
        ("moved_bytes", c_uint64),
        ("host_bytes", c_uint64),
        ("fallback", c_uint64),
        ("reach_bytes", c_uint64),
        ("sleeping_bytes", c_uint64),
        ("created_handles", c_uint64),
        ("created_bytes", c_uint64),
        ("mapped_handles", c_uint64),
        ("mapped_bytes", c_uint64),
        ("moved_handles", c_uint64),
        ("device_ns", c_uint64),
        ("cached_bytes", c_uint64),
        ("planned", c_uint64),
        ("unplanned", c_uint64),
        ("late", c_uint64),
        ("plan_bytes", c_uint64),
        ("planned_bytes", c_uint64),
        ("unplanned_bytes", c_uint64),
        ("late_bytes", c_uint64),
        ("plans", c_uint64),
        ("passes", c_uint64),
        ("planned_passes", c_uint64),
    ]


class PoolStats(NamedTuple):
    """tarn_pool_stats of tarn/pool.h:

    live_blocks: live blocks
    live_bytes: bytes requested for them
    used_bytes: bytes that they occupy under the rule
    pending_bytes: freed bytes that wait for streams
    held_bytes: physical bytes held
    largest_free: largest block that could be had without growing
    peak_live_bytes: highest live_bytes; one thread: exact, more: 1/64 each
    peak_used_bytes: highest used_bytes, as exactly
    peak_held_bytes: highest held_bytes
    allocs: allocations
    frees: frees
    refusals: allocations that could not be had
    driver_calls: calls of the device made for the pool
    map_calls: of them maps
    unmap_calls: of them unmaps
    moved_bytes: physical bytes moved from one address to another
    host_bytes: host memory of the records, as committed
    fallback: 1: segments stand in for the pages asked for; 0: no
    reach_bytes: FIXED: from the range's start to the end of the highest block ever; else 0
    sleeping_bytes: memory that sleeping blocks have given up
    created_handles: handles of physical memory created, or segments allocated
    created_bytes: their bytes
    mapped_handles: handles mapped, again after a move
    mapped_bytes: their bytes
    moved_handles: handles moved from one address to another
    device_ns: time of these calls by the costs of the device, modelled or measured once
    cached_bytes: free bytes in slabs, chunks of threads and the plan, taken back before a refusal
    planned: requests that got their place in the plan
    unplanned: large requests that the plan does not have
    late: requests whose place was not free yet
    plan_bytes: memory that the pool has for the places of its plan
    planned_bytes: bytes of the requests in `planned`
    unplanned_bytes: bytes of the requests in `unplanned`
    late_bytes: bytes of the requests in `late`
    plans: plans that the pool has learnt
    passes: passes that have ended
    planned_passes: of them those with places for at least three quarters of the large bytes
    """

    live_blocks: int
    live_bytes: int
    used_bytes: int
    pending_bytes: int
    held_bytes: int
    largest_free: int
    peak_live_bytes: int
    peak_used_bytes: int
    peak_held_bytes: int
    allocs: int
    frees: int
    refusals: int
    driver_calls: int
    map_calls: int
    unmap_calls: int
    moved_bytes: int
    host_bytes: int
    fallback: int
    reach_bytes: int
    sleeping_bytes: int
    created_handles: int
    created_bytes: int
    mapped_handles: int
    mapped_bytes: int
    moved_handles: int
    device_ns: int
    cached_bytes: int
    planned: int
    unplanned: int
    late: int
    plan_bytes: int
    planned_bytes: int
    unplanned_bytes: int
    late_bytes: int
    plans: int
    passes: int
    planned_passes: int


tarn_pool_stats.record_class = PoolStats


class PeakFlags(IntFlag):
    """TARN_PEAK_... of tarn/pool.h."""

    LIVE = 0x1
    USED = 0x2
    HELD = 0x4


class tarn_pool_tag_stats(Struct):
    """tarn_pool_tag_stats of tarn/pool.h."""

    struct_size: int
    live_blocks: int
    live_bytes: int
    peak_bytes: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("live_blocks", c_uint64),
        ("live_bytes", c_uint64),
        ("peak_bytes", c_uint64),
    ]


class PoolTagStats(NamedTuple):
    """tarn_pool_tag_stats of tarn/pool.h."""

    live_blocks: int
    live_bytes: int
    peak_bytes: int


tarn_pool_tag_stats.record_class = PoolTagStats


class PoolCause(IntEnum):
    """TARN_POOL_CAUSE_... of tarn/pool.h."""

    FULL = 1
    FRAGMENTED = 2
    STREAMS = 3
    LIMIT = 4
    OTHERS = 5
    SPACE = 6
    RECORDS = 7
    DEVICE = 8
    PLAN = 9


class tarn_pool_share(Struct):
    """tarn_pool_share of tarn/pool.h."""

    id: int
    bytes: int

    _fields_ = [
        ("id", c_uint64),
        ("bytes", c_uint64),
    ]


class PoolShare(NamedTuple):
    """tarn_pool_share of tarn/pool.h."""

    id: int
    bytes: int


tarn_pool_share.record_class = PoolShare


class tarn_pool_report(Struct):
    """tarn_pool_report of tarn/pool.h."""

    struct_size: int
    cause: int
    status: int
    cause_name: Any
    refusals: int
    requested: int
    overhead: int
    piece_bytes: int
    alignment: int
    stream: int
    tag: int
    free_bytes: int
    largest_free: int
    movable_bytes: int
    waiting_bytes: int
    cached_bytes: int
    live_bytes: int
    used_bytes: int
    held_bytes: int
    limit: int
    device_bytes: int
    device_free: int
    others_bytes: int
    space_bytes: int
    largest_space: int
    handles: int
    mappings: int
    records_left: int
    streams: Any
    tags: Any
    free_by_size: Any
    text: Any
    misses: Any

    _fields_ = [
        ("struct_size", c_size_t),
        ("cause", c_uint32),
        ("status", c_int32),
        ("cause_name", c_char_p),
        ("refusals", c_uint64),
        ("requested", c_uint64),
        ("overhead", c_uint64),
        ("piece_bytes", c_uint64),
        ("alignment", c_uint64),
        ("stream", c_uint64),
        ("tag", c_uint32),
        ("free_bytes", c_uint64),
        ("largest_free", c_uint64),
        ("movable_bytes", c_uint64),
        ("waiting_bytes", c_uint64),
        ("cached_bytes", c_uint64),
        ("live_bytes", c_uint64),
        ("used_bytes", c_uint64),
        ("held_bytes", c_uint64),
        ("limit", c_uint64),
        ("device_bytes", c_uint64),
        ("device_free", c_uint64),
        ("others_bytes", c_uint64),
        ("space_bytes", c_uint64),
        ("largest_space", c_uint64),
        ("handles", c_uint64),
        ("mappings", c_uint64),
        ("records_left", c_uint64),
        ("streams", tarn_pool_share * 8),
        ("tags", tarn_pool_share * 8),
        ("free_by_size", c_uint64 * 64),
        ("text", c_char * 320),
        ("misses", tarn_plan_miss * 8),
    ]


class PoolReport(NamedTuple):
    """tarn_pool_report of tarn/pool.h."""

    cause: PoolCause
    status: Status
    cause_name: str
    refusals: int
    requested: int
    overhead: int
    piece_bytes: int
    alignment: int
    stream: int
    tag: int
    free_bytes: int
    largest_free: int
    movable_bytes: int
    waiting_bytes: int
    cached_bytes: int
    live_bytes: int
    used_bytes: int
    held_bytes: int
    limit: int
    device_bytes: int
    device_free: int
    others_bytes: int
    space_bytes: int
    largest_space: int
    handles: int
    mappings: int
    records_left: int
    streams: Tuple[PoolShare, ...]
    tags: Tuple[PoolShare, ...]
    free_by_size: Tuple[int, ...]
    text: str
    misses: Tuple[PlanMiss, ...]


tarn_pool_report.record_class = PoolReport


class AddressKind(IntEnum):
    """TARN_ADDRESS_... of tarn/address.h."""

    UNKNOWN = 0
    RESERVED = 1
    MAPPED = 2
    MEMORY = 3
    HOST = 4
    REGISTERED = 5
    IMPORTED = 6
    RETIRED = 7
    ARENA = 8


class Owner(IntEnum):
    """TARN_OWNER_... of tarn/address.h."""

    APPLICATION = 0
    POOL = 1
    FACE = 2
    CHANNEL = 3


class tarn_address_info(Struct):
    """tarn_address_info of tarn/address.h."""

    struct_size: int
    kind: int
    base: int
    bytes: int
    region_base: int
    region_bytes: int
    location: tarn_location
    phys: int
    page_class: int
    page_bytes: int
    charged_bytes: int
    pin_class: int
    owner: int
    user: int
    device: Optional[int]
    readable: int
    writable: int
    pool: Optional[int]
    pool_user: int
    block: int
    block_bytes: int
    block_usable: int
    block_user: int
    block_stream: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_uint32),
        ("base", c_uint64),
        ("bytes", c_uint64),
        ("region_base", c_uint64),
        ("region_bytes", c_uint64),
        ("location", tarn_location),
        ("phys", c_uint64),
        ("page_class", c_uint32),
        ("page_bytes", c_uint64),
        ("charged_bytes", c_uint64),
        ("pin_class", c_uint32),
        ("owner", c_uint32),
        ("user", c_uint64),
        ("device", c_void_p),
        ("readable", c_uint64),
        ("writable", c_uint64),
        ("pool", c_void_p),
        ("pool_user", c_uint64),
        ("block", c_uint64),
        ("block_bytes", c_uint64),
        ("block_usable", c_uint64),
        ("block_user", c_uint64),
        ("block_stream", c_uint64),
    ]


class AddressInfo(NamedTuple):
    """tarn_address_info of tarn/address.h."""

    kind: AddressKind
    base: int
    bytes: int
    region_base: int
    region_bytes: int
    location: Location
    phys: int
    page_class: PageClass
    page_bytes: int
    charged_bytes: int
    pin_class: PinClass
    owner: Owner
    user: int
    device: Optional[int]
    readable: int
    writable: int
    pool: Optional[int]
    pool_user: int
    block: int
    block_bytes: int
    block_usable: int
    block_user: int
    block_stream: int


tarn_address_info.record_class = AddressInfo


class tarn_region_desc(Struct):
    """tarn_region_desc of tarn/annotate.h."""

    struct_size: int
    addr: int
    bytes: int
    occupied: int
    stream: int
    name: Any

    _fields_ = [
        ("struct_size", c_size_t),
        ("addr", c_uint64),
        ("bytes", c_uint64),
        ("occupied", c_uint64),
        ("stream", c_uint64),
        ("name", c_char_p),
    ]


class AnnotateFlags(IntFlag):
    """TARN_ANNOTATE_... of tarn/annotate.h."""

    READ = 0x1
    WRITE = 0x2
    SHARED = 0x4


class CheckFlags(IntFlag):
    """TARN_CHECK_... of tarn/face.h."""

    READ = 0x1
    WRITE = 0x2
    ATOMIC = 0x4


class tarn_check_range(Struct):
    """tarn_check_range of tarn/face.h."""

    addr: int
    bytes: int
    how: int

    _fields_ = [
        ("addr", c_uint64),
        ("bytes", c_uint64),
        ("how", c_uint64),
    ]


class tarn_check_access(Struct):
    """tarn_check_access of tarn/face.h."""

    actor: Any
    action: Any
    frames: Any
    frame_count: int

    _fields_ = [
        ("actor", c_char_p),
        ("action", c_char_p),
        ("frames", POINTER(c_uint64)),
        ("frame_count", c_size_t),
    ]


class tarn_address_block(Struct):
    """tarn_address_block of tarn/face.h."""

    struct_size: int
    kind: int
    owner: int
    start: int
    bytes: int
    user: int
    location: tarn_location
    phys: int
    pool_user: int
    stream: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_uint32),
        ("owner", c_uint32),
        ("start", c_uint64),
        ("bytes", c_uint64),
        ("user", c_uint64),
        ("location", tarn_location),
        ("phys", c_uint64),
        ("pool_user", c_uint64),
        ("stream", c_uint64),
    ]


class tarn_fault(Struct):
    """tarn_fault of tarn/fault.h."""

    addr: int
    write: bool
    signal: int
    reservation: int
    reservation_bytes: int
    inside: bool
    mapping: int
    mapping_bytes: int
    phys: int
    host_access: int
    text: Any

    _fields_ = [
        ("addr", c_uint64),
        ("write", c_bool),
        ("signal", c_int),
        ("reservation", c_uint64),
        ("reservation_bytes", c_uint64),
        ("inside", c_bool),
        ("mapping", c_uint64),
        ("mapping_bytes", c_uint64),
        ("phys", c_uint64),
        ("host_access", c_uint32),
        ("text", c_char_p),
    ]


class tarn_snapshot_pool(Struct):
    """tarn_snapshot_pool of tarn/snapshot.h."""

    pool: Optional[int]
    device: int
    zero: int
    stream_number: Any
    arg: Optional[int]

    _fields_ = [
        ("pool", c_void_p),
        ("device", c_uint32),
        ("zero", c_uint32),
        ("stream_number", CFUNCTYPE(c_uint64, c_uint64, c_void_p)),
        ("arg", c_void_p),
    ]


class ArrayFlags(IntFlag):
    """TARN_ARRAY_... of tarn/array.h."""

    LAYERED = 0x1
    CUBE = 0x2
    SPARSE = 0x4
    DEFERRED = 0x8


class tarn_extent(Struct):
    """tarn_extent of tarn/array.h."""

    width: int
    height: int
    depth: int

    _fields_ = [
        ("width", c_uint64),
        ("height", c_uint64),
        ("depth", c_uint64),
    ]


class tarn_array_desc(Struct):
    """tarn_array_desc of tarn/array.h."""

    struct_size: int
    extent: tarn_extent
    layers: int
    levels: int
    element_bytes: int
    flags: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("extent", tarn_extent),
        ("layers", c_uint32),
        ("levels", c_uint32),
        ("element_bytes", c_uint32),
        ("flags", c_uint32),
    ]


class tarn_array_info(Struct):
    """tarn_array_info of tarn/array.h."""

    struct_size: int
    extent: tarn_extent
    layers: int
    levels: int
    element_bytes: int
    flags: int
    ordinal: int
    bytes: int
    memory_bytes: int
    memory_alignment: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("extent", tarn_extent),
        ("layers", c_uint32),
        ("levels", c_uint32),
        ("element_bytes", c_uint32),
        ("flags", c_uint32),
        ("ordinal", c_int),
        ("bytes", c_uint64),
        ("memory_bytes", c_uint64),
        ("memory_alignment", c_uint64),
    ]


class tarn_array_sparse_info(Struct):
    """tarn_array_sparse_info of tarn/array.h."""

    struct_size: int
    tile: tarn_extent
    tile_bytes: int
    sparse_levels: int
    tail_bytes: int
    single_tail: bool

    _fields_ = [
        ("struct_size", c_size_t),
        ("tile", tarn_extent),
        ("tile_bytes", c_uint64),
        ("sparse_levels", c_uint32),
        ("tail_bytes", c_uint64),
        ("single_tail", c_bool),
    ]


class ArrayOp(IntEnum):
    """TARN_ARRAY_... of tarn/array.h."""

    MAP = 1
    UNMAP = 2


class ArrayPart(IntEnum):
    """TARN_ARRAY_... of tarn/array.h."""

    TILES = 0
    TAIL = 1


class tarn_array_map_item(Struct):
    """tarn_array_map_item of tarn/array.h."""

    array: int
    op: int
    phys: int
    phys_offset: int
    part: int
    layer: int
    level: int
    offset: Any
    extent: tarn_extent
    tail_offset: int
    tail_bytes: int

    _fields_ = [
        ("array", c_uint64),
        ("op", c_uint32),
        ("phys", c_uint64),
        ("phys_offset", c_uint64),
        ("part", c_uint32),
        ("layer", c_uint32),
        ("level", c_uint32),
        ("offset", c_uint64 * 3),
        ("extent", tarn_extent),
        ("tail_offset", c_uint64),
        ("tail_bytes", c_uint64),
    ]


class tarn_array_place(Struct):
    """tarn_array_place of tarn/array.h."""

    array: int
    level: int
    x: int
    y: int
    z: int
    addr: int
    pitch: int
    slice_pitch: int

    _fields_ = [
        ("array", c_uint64),
        ("level", c_uint32),
        ("x", c_uint64),
        ("y", c_uint64),
        ("z", c_uint64),
        ("addr", c_uint64),
        ("pitch", c_uint64),
        ("slice_pitch", c_uint64),
    ]


class tarn_array_copy_desc(Struct):
    """tarn_array_copy_desc of tarn/array.h."""

    struct_size: int
    dst: tarn_array_place
    src: tarn_array_place
    width: int
    height: int
    depth: int
    peers: Any

    _fields_ = [
        ("struct_size", c_size_t),
        ("dst", tarn_array_place),
        ("src", tarn_array_place),
        ("width", c_uint64),
        ("height", c_uint64),
        ("depth", c_uint64),
        ("peers", c_void_p * 2),
    ]


class tarn_machine_use(Struct):
    """tarn_machine_use of tarn/software.h."""

    pid: int
    device: int
    bytes: int
    capacity: int
    program: Any

    _fields_ = [
        ("pid", c_int32),
        ("device", c_int32),
        ("bytes", c_uint64),
        ("capacity", c_uint64),
        ("program", c_char * 32),
    ]


class tarn_copy_desc(Struct):
    """tarn_copy_desc of tarn/copy.h."""

    struct_size: int
    dst: int
    src: int
    width: int
    height: int
    dst_pitch: int
    src_pitch: int
    peers: Any
    depth: int
    dst_slice_pitch: int
    src_slice_pitch: int
    flags: int
    zero: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("dst", c_uint64),
        ("src", c_uint64),
        ("width", c_uint64),
        ("height", c_uint64),
        ("dst_pitch", c_uint64),
        ("src_pitch", c_uint64),
        ("peers", c_void_p * 2),
        ("depth", c_uint64),
        ("dst_slice_pitch", c_uint64),
        ("src_slice_pitch", c_uint64),
        ("flags", c_uint32),
        ("zero", c_uint32),
    ]


COPY_TAKE_SOURCE = 1


class tarn_fill_desc(Struct):
    """tarn_fill_desc of tarn/copy.h."""

    struct_size: int
    dst: int
    width: int
    height: int
    pitch: int
    depth: int
    slice_pitch: int
    value: int
    element_bytes: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("dst", c_uint64),
        ("width", c_uint64),
        ("height", c_uint64),
        ("pitch", c_uint64),
        ("depth", c_uint64),
        ("slice_pitch", c_uint64),
        ("value", c_uint32),
        ("element_bytes", c_uint),
    ]


class tarn_platform_stats(Struct):
    """tarn_platform_stats of tarn/stats.h."""

    struct_size: int
    reservations: int
    reserved_bytes: int
    handles: int
    handle_bytes: int
    mappings: int
    mapped_bytes: int
    memory_blocks: int
    memory_bytes: int
    imported_blocks: int
    imported_bytes: int
    host_blocks: int
    host_bytes: int
    streams: int
    events: int
    backend_calls: int
    map_calls: int
    unmap_calls: int
    access_calls: int
    copies: int
    copied_bytes: int
    kernel_mappings: int
    virtual_ns: int
    arrays: int
    tiles: int

    _fields_ = [
        ("struct_size", c_size_t),
        ("reservations", c_uint64),
        ("reserved_bytes", c_uint64),
        ("handles", c_uint64),
        ("handle_bytes", c_uint64),
        ("mappings", c_uint64),
        ("mapped_bytes", c_uint64),
        ("memory_blocks", c_uint64),
        ("memory_bytes", c_uint64),
        ("imported_blocks", c_uint64),
        ("imported_bytes", c_uint64),
        ("host_blocks", c_uint64),
        ("host_bytes", c_uint64),
        ("streams", c_uint64),
        ("events", c_uint64),
        ("backend_calls", c_uint64),
        ("map_calls", c_uint64),
        ("unmap_calls", c_uint64),
        ("access_calls", c_uint64),
        ("copies", c_uint64),
        ("copied_bytes", c_uint64),
        ("kernel_mappings", c_uint64),
        ("virtual_ns", c_uint64),
        ("arrays", c_uint64),
        ("tiles", c_uint64),
    ]


class PlatformStats(NamedTuple):
    """tarn_platform_stats of tarn/stats.h:

    reservations: live reservations
    reserved_bytes: bytes of address space in them
    handles: live handles to physical memory
    handle_bytes: bytes in them
    mappings: live mappings
    mapped_bytes: bytes in them
    memory_blocks: live blocks of plain device memory
    memory_bytes: bytes requested in them
    imported_blocks: live imports of plain device memory
    imported_bytes: bytes in them
    host_blocks: live blocks of pinned and registered host memory
    host_bytes: bytes in them
    streams: live streams
    events: live events
    backend_calls: calls of the backend that change memory
    map_calls: map calls of the backend
    unmap_calls: unmap calls of the backend
    access_calls: access changes of the backend
    copies: copies and fills that the backend accepted
    copied_bytes: bytes in them
    kernel_mappings: kernel mappings that the backend holds now, 0 if it has none
    virtual_ns: virtual time of the cost model, 0 without one
    arrays: live arrays
    tiles: references of their mapped and enqueued tiles to handles
    """

    reservations: int
    reserved_bytes: int
    handles: int
    handle_bytes: int
    mappings: int
    mapped_bytes: int
    memory_blocks: int
    memory_bytes: int
    imported_blocks: int
    imported_bytes: int
    host_blocks: int
    host_bytes: int
    streams: int
    events: int
    backend_calls: int
    map_calls: int
    unmap_calls: int
    access_calls: int
    copies: int
    copied_bytes: int
    kernel_mappings: int
    virtual_ns: int
    arrays: int
    tiles: int


tarn_platform_stats.record_class = PlatformStats


ADDRESS_BY_HOST = 9223372036854775808
FOREVER = 18446744073709551615
MESSAGE_CONTROL_MAX = 16777216
MESSAGE_NAME_MAX = 63
NO_WAIT = 1
POOL_REASON = 256
POOL_REPORT_TEXT = 320
POOL_SHARES = 8
POOL_TAGS = 64
PROCESS_ANY = 0
SNAPSHOT_DEVICES = 256
STREAM_NONE = 0
VERSION_DEV = 1
VERSION_MAJOR = 0
VERSION_MINOR = 4
VERSION_PATCH = 0
WAIT_UNSEEN = 2


FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
    "tarn_status_name": (c_char_p, (c_int,)),
    "tarn_status_text": (c_char_p, (c_int,)),
    "tarn_last_error": (c_int, (POINTER(tarn_error),)),
    "tarn_clear_error": (None, ()),
    "tarn_version": (c_uint32, ()),
    "tarn_arena_create": (c_int, (POINTER(tarn_arena_desc), POINTER(c_void_p))),
    "tarn_arena_destroy": (c_int, (c_void_p,)),
    "tarn_parcel_alloc": (c_int, (c_void_p, c_uint64, c_uint64, POINTER(c_void_p))),
    "tarn_parcel_alloc_with": (c_int, (c_void_p, POINTER(tarn_parcel_request), POINTER(c_void_p))),
    "tarn_parcel_free": (c_int, (c_void_p, c_void_p)),
    "tarn_parcel_hold": (c_int, (c_void_p, c_void_p)),
    "tarn_parcel_query": (c_int, (c_void_p, c_void_p, POINTER(tarn_parcel_info))),
    "tarn_channel_listen": (c_int, (c_char_p, POINTER(c_void_p))),
    "tarn_listener_close": (None, (c_void_p,)),
    "tarn_channel_accept": (c_int, (c_void_p, POINTER(tarn_channel_desc), c_uint64, POINTER(c_void_p))),
    "tarn_channel_connect": (c_int, (c_char_p, POINTER(tarn_channel_desc), c_uint64, POINTER(c_void_p))),
    "tarn_channel_attach": (c_int, (c_int, POINTER(tarn_channel_desc), c_uint64, POINTER(c_void_p))),
    "tarn_channel_close": (c_int, (c_void_p,)),
    "tarn_channel_open_port": (c_int, (c_void_p, c_uint32, c_uint32, c_uint32)),
    "tarn_channel_grant": (c_int, (c_void_p, c_uint32, c_uint32)),
    "tarn_channel_send": (c_int, (c_void_p, POINTER(tarn_message), c_uint64)),
    "tarn_channel_flush": (c_int, (c_void_p, c_uint64)),
    "tarn_channel_receive": (c_int, (c_void_p, c_uint64, POINTER(POINTER(tarn_delivery)))),
    "tarn_channel_done": (c_int, (c_void_p, POINTER(tarn_delivery))),
    "tarn_channel_start": (c_int, (c_void_p, POINTER(tarn_receiver))),
    "tarn_arena_query_stats": (c_int, (c_void_p, POINTER(tarn_arena_stats))),
    "tarn_channel_query_stats": (c_int, (c_void_p, POINTER(tarn_channel_stats))),
    "tarn_arena_peek": (c_int, (c_char_p, POINTER(tarn_arena_stats))),
    "tarn_channel_peek": (c_int, (c_char_p, POINTER(tarn_channel_stats))),
    "tarn_arena_verify": (c_int, (c_void_p,)),
    "tarn_device_open": (c_int, (c_char_p, POINTER(c_void_p))),
    "tarn_device_close": (c_int, (c_void_p,)),
    "tarn_device_sibling": (c_int, (c_void_p, c_int, POINTER(c_void_p))),
    "tarn_device_query": (c_int, (c_void_p, POINTER(tarn_device_info))),
    "tarn_device_query_memory": (c_int, (c_void_p, POINTER(c_uint64), POINTER(c_uint64))),
    "tarn_device_query_setting": (c_int, (c_void_p, c_uint, POINTER(tarn_setting))),
    "tarn_device_query_peer": (c_int, (c_void_p, c_void_p, POINTER(c_bool), POINTER(c_bool))),
    "tarn_device_enable_peer": (c_int, (c_void_p, c_void_p)),
    "tarn_device_disable_peer": (c_int, (c_void_p, c_void_p)),
    "tarn_device_synchronize": (c_int, (c_void_p, c_uint64)),
    "tarn_device_trim": (c_int, (c_void_p,)),
    "tarn_host_alloc": (c_int, (c_void_p, c_uint64, c_uint32, POINTER(c_void_p))),
    "tarn_host_free": (c_int, (c_void_p,)),
    "tarn_host_register": (c_int, (c_void_p, c_void_p, c_uint64, c_uint32)),
    "tarn_host_unregister": (c_int, (c_void_p,)),
    "tarn_phys_create": (c_int, (c_void_p, c_uint64, POINTER(tarn_phys_desc), POINTER(c_uint64))),
    "tarn_phys_retain": (c_int, (c_uint64,)),
    "tarn_phys_release": (c_int, (c_uint64,)),
    "tarn_phys_query": (c_int, (c_uint64, POINTER(tarn_phys_info))),
    "tarn_phys_export": (c_int, (c_uint64, c_uint32, POINTER(tarn_shareable))),
    "tarn_phys_allow": (c_int, (c_void_p, POINTER(tarn_shareable), POINTER(c_int), c_size_t)),
    "tarn_phys_import": (c_int, (c_void_p, POINTER(tarn_shareable), POINTER(c_uint64))),
    "tarn_space_reserve": (c_int, (c_void_p, c_uint64, c_uint64, c_uint64, POINTER(c_uint64))),
    "tarn_space_release": (c_int, (c_uint64,)),
    "tarn_map": (c_int, (c_uint64, c_uint64, c_uint64)),
    "tarn_map_many": (c_int, (c_uint64, POINTER(tarn_map_item), c_size_t)),
    "tarn_unmap": (c_int, (c_uint64, c_uint64, c_uint32)),
    "tarn_map_set_access": (c_int, (c_uint64, c_uint64, POINTER(tarn_grant), c_size_t)),
    "tarn_map_get_access": (c_int, (c_uint64, tarn_location, POINTER(c_int))),
    "tarn_map_retain": (c_int, (c_uint64, POINTER(c_uint64))),
    "tarn_memory_alloc": (c_int, (c_void_p, c_uint64, POINTER(c_uint64))),
    "tarn_memory_alloc_with": (c_int, (c_void_p, POINTER(tarn_memory_desc), POINTER(c_uint64))),
    "tarn_memory_free": (c_int, (c_uint64, c_uint32)),
    "tarn_memory_export": (c_int, (c_uint64, POINTER(tarn_key))),
    "tarn_memory_allow": (c_int, (c_void_p, POINTER(tarn_key), POINTER(c_int), c_size_t)),
    "tarn_memory_import": (c_int, (c_void_p, POINTER(tarn_key), POINTER(c_uint64))),
    "tarn_rule_get": (c_int, (c_int, POINTER(tarn_rule))),
    "tarn_rule_occupied": (c_int, (POINTER(tarn_rule), c_uint64, POINTER(c_uint64))),
    "tarn_rule_find": (c_int, (c_char_p, POINTER(tarn_rule))),
    "tarn_stream_create": (c_int, (c_void_p, POINTER(c_uint64))),
    "tarn_stream_wrap": (c_int, (c_void_p, c_void_p, POINTER(c_uint64))),
    "tarn_stream_destroy": (c_int, (c_uint64,)),
    "tarn_stream_synchronize": (c_int, (c_uint64, c_uint64)),
    "tarn_stream_query": (c_int, (c_uint64,)),
    "tarn_stream_wait": (c_int, (c_uint64, c_uint64, c_uint32)),
    "tarn_stream_call": (c_int, (c_uint64, CFUNCTYPE(None, c_void_p), c_void_p)),
    "tarn_event_create": (c_int, (c_void_p, POINTER(c_uint64))),
    "tarn_event_destroy": (c_int, (c_uint64,)),
    "tarn_event_record": (c_int, (c_uint64, c_uint64)),
    "tarn_event_query": (c_int, (c_uint64,)),
    "tarn_event_synchronize": (c_int, (c_uint64, c_uint64)),
    "tarn_event_elapsed": (c_int, (c_uint64, c_uint64, POINTER(c_int64))),
    "tarn_plan_create": (c_int, (POINTER(tarn_plan_desc), POINTER(c_void_p))),
    "tarn_plan_load": (c_int, (c_char_p, POINTER(c_void_p))),
    "tarn_plan_parse": (c_int, (c_void_p, c_size_t, POINTER(c_void_p))),
    "tarn_plan_query": (c_int, (c_void_p, POINTER(tarn_plan_info))),
    "tarn_plan_destroy": (None, (c_void_p,)),
    "tarn_pool_create": (c_int, (POINTER(tarn_pool_desc), POINTER(c_void_p))),
    "tarn_pool_query": (c_int, (c_void_p, POINTER(tarn_pool_info))),
    "tarn_pool_set_limit": (c_int, (c_void_p, c_uint64)),
    "tarn_pool_create_over": (c_int, (c_char_p, c_uint64, c_uint64, POINTER(c_void_p))),
    "tarn_pool_destroy": (c_int, (c_void_p,)),
    "tarn_pool_reset": (c_int, (c_void_p,)),
    "tarn_pool_alloc": (c_int, (c_void_p, c_uint64, c_uint64, POINTER(c_uint64))),
    "tarn_pool_alloc_with": (c_int, (c_void_p, POINTER(tarn_pool_request), POINTER(c_uint64))),
    "tarn_pool_free": (c_int, (c_void_p, c_uint64)),
    "tarn_pool_free_on": (c_int, (c_void_p, c_uint64, c_uint64)),
    "tarn_pool_extend": (c_int, (c_void_p, c_uint64, c_uint64)),
    "tarn_pool_sleep": (c_int, (c_void_p, c_uint32, c_uint32, POINTER(c_uint64))),
    "tarn_pool_wake": (c_int, (c_void_p, c_uint32)),
    "tarn_pool_export": (c_int, (c_void_p, c_uint64, POINTER(tarn_key), POINTER(c_uint64))),
    "tarn_pool_set_access": (c_int, (c_void_p, POINTER(tarn_grant), c_size_t)),
    "tarn_pool_get_access": (c_int, (c_void_p, tarn_location, POINTER(c_int))),
    "tarn_pool_mark": (c_int, (c_void_p,)),
    "tarn_pool_used_on": (c_int, (c_void_p, c_uint64, c_uint64)),
    "tarn_pool_passed": (c_int, (c_void_p, c_uint64)),
    "tarn_pool_trim": (c_int, (c_void_p, c_uint64, c_uint32, POINTER(c_uint64))),
    "tarn_pool_set_release_threshold": (c_int, (c_void_p, c_uint64)),
    "tarn_pool_set_reuse": (c_int, (c_void_p, c_uint32)),
    "tarn_pool_query_block": (c_int, (c_void_p, c_uint64, POINTER(tarn_block))),
    "tarn_pool_walk": (c_int, (c_void_p, CFUNCTYPE(c_bool, POINTER(tarn_block), c_void_p), c_void_p)),
    "tarn_pool_query_stats": (c_int, (c_void_p, POINTER(tarn_pool_stats))),
    "tarn_pool_reset_peaks": (c_int, (c_void_p, c_uint32)),
    "tarn_pool_query_tag_stats": (c_int, (c_void_p, c_uint32, POINTER(tarn_pool_tag_stats))),
    "tarn_pool_explain": (c_int, (c_void_p, POINTER(tarn_pool_report))),
    "tarn_pool_verify": (c_int, (c_void_p,)),
    "tarn_address_query": (c_int, (c_uint64, POINTER(tarn_address_info))),
    "tarn_address_walk": (c_int, (c_void_p, CFUNCTYPE(c_bool, POINTER(tarn_address_info), c_void_p), c_void_p)),
    "tarn_address_set_user": (c_int, (c_uint64, c_uint64)),
    "tarn_free": (c_int, (c_uint64, c_uint32)),
    "tarn_annotate_subscribed": (c_bool, ()),
    "tarn_annotate_heap_begin": (c_int, (c_uint64, c_uint64, c_char_p)),
    "tarn_annotate_heap_reset": (c_int, (c_uint64,)),
    "tarn_annotate_heap_end": (c_int, (c_uint64,)),
    "tarn_annotate_region_begin": (c_int, (c_uint64, c_uint64, c_char_p)),
    "tarn_annotate_region_begin_with": (c_int, (POINTER(tarn_region_desc),)),
    "tarn_annotate_region_end": (c_int, (c_uint64, c_uint64)),
    "tarn_annotate_region_resize": (c_int, (c_uint64, c_uint64)),
    "tarn_annotate_permission": (c_int, (c_uint64, c_uint64, c_uint32)),
    "tarn_annotate_name": (c_int, (c_uint64, c_char_p)),
    "tarn_annotate_step": (None, (c_char_p,)),
    "tarn_check_read": (c_int, (c_uint64, c_uint64)),
    "tarn_check_write": (c_int, (c_uint64, c_uint64)),
    "tarn_check_initialised": (c_int, (c_uint64, c_uint64)),
    "tarn_annotate_caller": (None, (c_char_p,)),
    "tarn_annotate_describe_by": (None, (CFUNCTYPE(None, c_char_p, c_size_t),)),
    "tarn_annotate_requested": (c_int, (c_uint64, c_uint64)),
    "tarn_annotate_rule": (c_int, (c_uint64, POINTER(tarn_rule))),
    "tarn_annotate_refused": (None, (c_char_p, c_uint64)),
    "tarn_annotate_refused_handle": (None, (c_char_p, c_uint64)),
    "tarn_annotate_refused_access": (None, (c_char_p, c_uint64, c_uint64, c_uint32)),
    "tarn_annotate_handle_begin": (None, (c_uint64,)),
    "tarn_annotate_handle_end": (None, (c_uint64,)),
    "tarn_annotate_stale_handle": (None, (c_char_p, c_uint64)),
    "tarn_annotate_stream": (None, (c_uint64, c_uint64, c_char_p)),
    "tarn_annotate_function": (c_uint64, (c_uint64,)),
    "tarn_annotate_function_begin": (None, (c_uint64,)),
    "tarn_annotate_function_end": (None, (c_uint64,)),
    "tarn_check_arguments": (None, (c_void_p, c_size_t, c_char_p, c_uint64)),
    "tarn_check_watched_arguments": (None, (c_void_p, c_size_t, c_char_p, c_uint64)),
    "tarn_check_accesses": (None, (POINTER(tarn_check_range), c_size_t, c_char_p)),
    "tarn_check_host": (None, (c_uint64, c_uint64, c_uint32, POINTER(c_uint64))),
    "tarn_check_free_on": (None, (c_uint64, c_uint64)),
    "tarn_check_race": (None, (c_uint64, c_uint64, c_char_p, POINTER(tarn_check_access))),
    "tarn_check_misaligned": (None, (c_uint64, c_uint64, c_uint64, c_char_p, POINTER(tarn_check_access))),
    "tarn_check_failure": (None, (c_uint64, c_char_p, c_uint64)),
    "tarn_space_release_sized": (c_int, (c_uint64, c_uint64)),
    "tarn_address_find": (c_int, (c_uint64, POINTER(tarn_address_block))),
    "tarn_address_set_owner": (c_int, (c_uint64, c_int, c_uint64)),
    "tarn_stream_retire": (c_int, (c_uint64,)),
    "tarn_stream_peek": (c_int, (c_uint64,)),
    "tarn_event_peek": (c_int, (c_uint64,)),
    "tarn_backend_name": (c_char_p, (c_uint, POINTER(c_char_p))),
    "tarn_fail_asked": (c_bool, ()),
    "tarn_fail_point": (c_int, (c_char_p, POINTER(c_char_p))),
    "tarn_fault_install": (c_int, (CFUNCTYPE(None, POINTER(tarn_fault), c_void_p), c_void_p)),
    "tarn_fault_remove": (c_int, ()),
    "tarn_snapshot_write": (c_int, (POINTER(tarn_snapshot_pool), c_size_t, c_int)),
    "tarn_snapshot_save": (c_int, (POINTER(tarn_snapshot_pool), c_size_t, c_char_p)),
    "tarn_array_create": (c_int, (c_void_p, POINTER(tarn_array_desc), POINTER(c_uint64))),
    "tarn_array_destroy": (c_int, (c_uint64,)),
    "tarn_array_query": (c_int, (c_uint64, POINTER(tarn_array_info))),
    "tarn_array_query_level": (c_int, (c_uint64, c_uint32, POINTER(tarn_extent))),
    "tarn_array_query_sparse": (c_int, (c_uint64, POINTER(tarn_array_sparse_info))),
    "tarn_array_map": (c_int, (POINTER(tarn_array_map_item), c_size_t, c_uint64)),
    "tarn_array_copy": (c_int, (c_void_p, POINTER(tarn_array_copy_desc), c_uint64)),
    "tarn_stream_run": (c_int, (c_uint64, CFUNCTYPE(None, c_void_p, c_uint64), c_void_p, c_uint64)),
    "tarn_stream_wait_until": (c_int, (c_uint64, CFUNCTYPE(c_int, c_void_p, c_bool), c_void_p)),
    "tarn_stream_abort": (c_int, (c_uint64,)),
    "tarn_stream_fail": (c_int, (c_uint64, c_char_p)),
    "tarn_stream_set_resilient": (c_int, (c_uint64, c_bool)),
    "tarn_event_create_shared": (c_int, (c_void_p, POINTER(c_uint64))),
    "tarn_event_export": (c_int, (c_uint64, POINTER(tarn_key))),
    "tarn_event_import": (c_int, (c_void_p, POINTER(tarn_key), POINTER(c_uint64))),
    "tarn_memory_export_fd": (c_int, (c_uint64, POINTER(c_int))),
    "tarn_machine_query": (c_int, (c_char_p, POINTER(tarn_machine_use), POINTER(c_size_t))),
    "tarn_copy": (c_int, (c_void_p, c_uint64, c_uint64, c_uint64, c_uint64)),
    "tarn_copy_box": (c_int, (c_void_p, POINTER(tarn_copy_desc), c_uint64)),
    "tarn_fill": (c_int, (c_void_p, c_uint64, c_uint32, c_uint, c_uint64, c_uint64)),
    "tarn_fill_box": (c_int, (c_void_p, POINTER(tarn_fill_desc), c_uint64)),
    "tarn_platform_query_stats": (c_int, (c_void_p, POINTER(tarn_platform_stats))),
    "tarn_platform_verify": (c_int, (c_void_p,)),
}
