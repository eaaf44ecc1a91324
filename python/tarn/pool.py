# SPDX-License-Identifier: Apache-2.0
"""Pools: many blocks out of few large pieces of memory; and snapshots of them."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, List, Optional, Union

from tarn._check import UINT32, choice, flags as flags_of, instance, path as path_of, text, whole
from tarn._library import ask, call, lib, number, walk
from tarn._native import (
    NO_WAIT, POOL_TAGS, BlockInfo, BlockState, PeakFlags, PoolFlags, PoolInfo,
    PoolKind, PoolPolicy, PoolReport, PoolStats, PoolTagStats, Rule, tarn_pool_desc, tarn_pool_info,
    tarn_pool_report, tarn_pool_request, tarn_pool_stats, tarn_pool_tag_stats, tarn_rule,
    tarn_snapshot_pool,
)  # fmt: skip
from tarn._owned import Owned, callback, need_open, release_deferred
from tarn.memory import Buffer
from tarn.stream import Stream, handle_of

if TYPE_CHECKING:
    from tarn.device import Device


def rule_of(rule: Union[str, Rule]) -> tarn_rule:
    """Returns a rule by its name ("gpu", "caching") or by that of an allocator ("aclrtMalloc")."""
    if isinstance(rule, Rule):
        fields = rule._asdict().items()
        return tarn_rule(**{key: whole(f"rule.{key}", value, UINT32) for key, value in fields})
    found: tarn_rule = ask("tarn_rule_find", tarn_rule, text("rule", rule))
    return found


class Pool(Owned):
    """Blocks of a device under a placement rule: Device.pool().

    A pool of kind "expandable" maps pages on demand, one of kind "segments" allocates segments, and
    one over a buffer ("fixed") divides that buffer.
    """

    def __init__(
        self,
        device: Device,
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
    ) -> None:
        """Creates a pool. `kind` is expandable unless set, and fixed with `over`, the buffer that
        the pool divides. `limit` is the most that it may hold in bytes; 0 means all of the device.
        The pool follows `plan`, the path or the bytes of a file of `tarn plan`, or learns one with
        `learn`; see mark(). The other arguments are the fields of tarn_pool_desc."""
        if over is not None:
            need_open(instance("over", over, Buffer), "buffer")
        usual = PoolKind.EXPANDABLE if over is None else PoolKind.FIXED
        self.kind = usual if kind is None else choice("kind", kind, PoolKind)
        if (self.kind == PoolKind.FIXED) != (over is not None):
            name = self.kind.name.lower()
            raise ValueError(f'kind is "{name}"; "fixed" and a buffer in `over` go together')
        desc = tarn_pool_desc(
            kind=self.kind, policy=choice("policy", policy, PoolPolicy), rule=rule_of(rule),
            device=device.handle, limit=whole("limit", limit),
            page_bytes=whole("page_bytes", page_bytes),
            segment_bytes=whole("segment_bytes", segment_bytes),
            flags=flags_of("flags", flags, PoolFlags),
        )  # fmt: skip
        if over is not None:
            desc.base, desc.bytes = over.address, over.nbytes
        if learn and plan is not None:
            raise ValueError("plan and learn exclude each other")
        if learn:
            desc.flags |= PoolFlags.LEARN
        if plan is not None:
            content = plan if isinstance(plan, bytes) else path_of("plan", plan)
            if not content:
                raise ValueError(f"plan is {plan!r}, of 0 bytes")
            if isinstance(plan, bytes):
                desc.plan = number("tarn_plan_parse", content, len(content))
            else:
                desc.plan = number("tarn_plan_load", content)
        try:
            self._handle = number("tarn_pool_create", ctypes.byref(desc))
        finally:
            lib.tarn_plan_destroy(desc.plan)
        self.device = device
        self._blocks: weakref.WeakSet[Block] = weakref.WeakSet()
        lease = over._lease() if over is not None else None
        release = partial(end_pool, device, lease, self._handle)
        super().__init__(device._ledger, f"pool {self._handle:#x}", release)

    def _describe(self) -> str:
        return f"{self._handle:#x}, {self.kind.name.lower()}, of {self.device.name}"

    @property
    def handle(self) -> int:
        """The tarn_pool. Raises ValueError if the pool is closed."""
        need_open(self, "pool")
        return self._handle

    def alloc(
        self,
        nbytes: int,
        stream: Optional[Stream] = None,
        *,
        alignment: int = 0,
        tag: int = 0,
        user: int = 0,
    ) -> Block:
        """Allocates a block. Raises NoDeviceMemory, whose text says why, and explain() more."""
        nbytes = whole("nbytes", nbytes)
        request = tarn_pool_request(
            bytes=nbytes, alignment=whole("alignment", alignment), tag=tag_of(tag),
            user=whole("user", user), stream=handle_of(stream),
        )  # fmt: skip
        address = number("tarn_pool_alloc_with", self.handle, ctypes.byref(request))
        block = Block(self, address, nbytes)
        self._blocks.add(block)
        return block

    def reset(self) -> None:
        """Frees every block at once. No work may use them. Their Block objects are closed."""
        blocks = list(self._blocks)
        for block in blocks:
            block._check_unused()
        call("tarn_pool_reset", self.handle)
        for block in blocks:
            block._forget()

    def mark(self) -> None:
        """Begins a pass of the program, such as a step of training, for a pool with a plan. The
        statistics `planned`, `unplanned` and `late` count its requests."""
        call("tarn_pool_mark", self.handle)

    def trim(self, keep_bytes: int = 0, wait: bool = True) -> int:
        """Releases unused memory down to keep_bytes. Returns the bytes released."""
        keep = whole("keep_bytes", keep_bytes)
        return number("tarn_pool_trim", self.handle, keep, 0 if wait else NO_WAIT)

    def set_limit(self, limit: int) -> None:
        """Changes the most that the pool may hold; 0 means all of the device."""
        call("tarn_pool_set_limit", self.handle, whole("limit", limit))

    def info(self) -> PoolInfo:
        """Returns the properties of the pool."""
        info: PoolInfo = ask("tarn_pool_query", tarn_pool_info, self.handle).record()
        return info

    def stats(self) -> PoolStats:
        """Returns the statistics of the pool."""
        stats: PoolStats = ask("tarn_pool_query_stats", tarn_pool_stats, self.handle).record()
        return stats

    def tag_stats(self, tag: int) -> PoolTagStats:
        """Returns the statistics of the blocks with a tag."""
        stats = ask("tarn_pool_query_tag_stats", tarn_pool_tag_stats, self.handle, tag_of(tag))
        result: PoolTagStats = stats.record()
        return result

    def reset_peaks(self, which: PeakFlags = PeakFlags(0)) -> None:
        """Resets peaks to the present values; 0 selects all."""
        call("tarn_pool_reset_peaks", self.handle, flags_of("which", which, PeakFlags))

    def explain(self) -> PoolReport:
        """Returns the report about the last refusal, or about the requests without a place in the
        plan if there was none. Raises NotReady if there was neither."""
        report: PoolReport = ask("tarn_pool_explain", tarn_pool_report, self.handle).record()
        return report

    def blocks(
        self, state: Union[str, BlockState, None] = BlockState.LIVE
    ) -> List[BlockInfo]:
        """Returns the blocks in address order: the live ones, or all of them with None."""
        wanted = None if state is None else choice("state", state, BlockState)
        found: List[BlockInfo] = []
        with callback():
            walk("tarn_pool_walk", self.handle, lambda block: found.append(block.record()))
        release_deferred()
        return [block for block in found if wanted is None or block.state == wanted]

    def verify(self) -> None:
        """Compares every record of the pool with the others. Raises Corrupt."""
        call("tarn_pool_verify", self.handle)

    def save_snapshot(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a snapshot of this pool alone; see tarn.save_snapshot()."""
        save_snapshot(path, [self])


class Block(Buffer):
    """A block of a pool: Pool.alloc(). close() frees it."""

    def __init__(self, pool: Pool, address: int, nbytes: int) -> None:
        self.pool = pool
        release = partial(end_block, pool, address)
        super().__init__(pool.device, address, nbytes, "block", release)

    def extend(self, nbytes: int) -> None:
        """Makes the block longer, in place. Raises NoAddressSpace if another one lies behind it."""
        self._check_unused()
        need_open(self, "block")
        nbytes = whole("nbytes", nbytes)
        call("tarn_pool_extend", self.pool.handle, self.address, nbytes)
        self.nbytes = nbytes

    def used_on(self, stream: Stream) -> None:
        """States that work on another stream uses the block too."""
        need_open(self, "block")
        handle = instance("stream", stream, Stream).handle
        call("tarn_pool_used_on", self.pool.handle, self.address, handle)


def tag_of(tag: int) -> int:
    """Returns the tag of a block."""
    return whole("tag", tag, POOL_TAGS - 1)


def end_block(pool: Pool, address: int) -> None:
    """Frees a block. Keeps the pool open as long as the block."""
    call("tarn_pool_free", pool._handle, address)


def end_pool(device: Device, lease: Any, handle: int) -> None:
    """Destroys a pool. Takes the device and the buffer so that they live as long as the pool."""
    call("tarn_pool_destroy", handle)


def save_snapshot(path: Union[str, os.PathLike[str]], pools: Iterable[Pool]) -> None:
    """Writes every segment and block of pools to a file that pytorch.org/memory_viz opens, and the
    command `tarn`. A failure leaves a former file as it was."""
    name = path_of("path", path)
    if not isinstance(pools, Iterable):
        raise TypeError(f"pools is {pools!r}, not a list of pools")
    chosen = [instance("pools", pool, Pool) for pool in pools]
    entries = [tarn_snapshot_pool(pool=pool.handle, device=pool.device.ordinal) for pool in chosen]
    array = (tarn_snapshot_pool * len(entries))(*entries)
    call("tarn_snapshot_save", array, len(entries), name)
