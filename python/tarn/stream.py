# SPDX-License-Identifier: Apache-2.0
"""Streams of work, and events in them. Timeouts are seconds; None waits for ever."""

from __future__ import annotations

import atexit
import itertools
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from tarn._check import instance, nanoseconds, whole
from tarn._library import call, lib, number, error_of
from tarn._native import FOREVER, FUNCTIONS, STREAM_NONE, Status
from tarn._owned import Owned, callback, need_open, release_deferred

if TYPE_CHECKING:
    from tarn.device import Device

# Host functions that have been enqueued and have not run, by their number.
Pending = Tuple["weakref.ref[Stream]", Callable[..., Any], Tuple[Any, ...]]
pending: Dict[int, Pending] = {}
numbers = itertools.count(1)


@FUNCTIONS["tarn_stream_call"][1][1]  # type: ignore[misc]
def run_pending(key: int) -> None:
    """Runs a host function. An exception of it is raised by the stream's next synchronize()."""
    stream, function, arguments = pending.get(key, (None, None, ()))
    try:
        with callback():
            if function is not None:
                function(*arguments)
    except BaseException as error:  # not through the frames of C
        owner = stream() if stream else None
        if owner is not None:
            owner._failures.append(error)
    finally:
        pending.pop(key, None)


@atexit.register
def drain_streams() -> None:
    """Waits for host functions at exit: threads of the library cannot run Python afterwards."""
    for stream in {entry[0] for entry in list(pending.values())}:
        owner = stream()
        if owner is not None and not owner.closed:
            lib.tarn_stream_synchronize(owner.handle, FOREVER)


def passed(status: int) -> bool:
    """Returns whether work has passed, from the status of a query."""
    if status not in (Status.OK, Status.NOT_READY):
        raise error_of(status)
    return status == Status.OK


class Stream(Owned):
    """Work that runs in order, concurrently with the program: Device.stream()."""

    def __init__(self, device: Device, native: Optional[int] = None) -> None:
        if native is None:
            handle = number("tarn_stream_create", device.handle)
        else:
            handle = number("tarn_stream_wrap", device.handle, whole("native", native))
        self.device = device
        self._handle = handle
        self._kept: List[Any] = []  # memory of Python that enqueued copies use
        self._failures: List[BaseException] = []
        release = partial(end_stream, device, self._kept, handle)
        super().__init__(device._ledger, f"stream {handle:#x}", release)

    def _describe(self) -> str:
        return f"{self._handle:#x} of {self.device.name}"

    @property
    def handle(self) -> int:
        """The tarn_stream. Raises ValueError if the stream is closed."""
        need_open(self, "stream")
        return self._handle

    def _finish(self) -> None:
        """All work is over: releases what it used, and raises what its functions raised."""
        self._kept.clear()
        release_deferred()
        if self._failures:
            raise self._failures.pop(0)

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits for all work. Raises TimedOut, DeviceFailed, or an exception of a host function."""
        call("tarn_stream_synchronize", self.handle, nanoseconds(timeout))
        self._finish()

    def query(self) -> bool:
        """Returns True if all work is done."""
        return passed(lib.tarn_stream_query(self.handle))

    def wait(self, event: Event) -> None:
        """Makes work that is enqueued from now on wait for the latest record of an event."""
        call("tarn_stream_wait", self.handle, instance("event", event, Event).handle, 0)

    def record(self) -> Event:
        """Returns a new event that is recorded at the stream's present end."""
        event = Event(self.device)
        try:
            event.record(self)
        except BaseException:
            event.close()
            raise
        return event

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Enqueues a host function. It must not wait for work of the device: such calls raise Busy
        there."""
        if not callable(function):
            raise TypeError(f"function is {function!r}, which cannot be called")
        key = next(numbers)
        pending[key] = (weakref.ref(self), function, arguments)
        try:
            call("tarn_stream_call", self.handle, run_pending, key)
        except BaseException:
            pending.pop(key, None)
            raise

    def abort(self) -> None:
        """Drops the work that has not begun. Its host functions are not called."""
        call("tarn_stream_abort", self.handle)
        self.synchronize()
        me = weakref.ref(self)
        for key in [key for key, entry in list(pending.items()) if entry[0] == me]:
            pending.pop(key, None)


def handle_of(stream: Optional[Stream]) -> int:
    """Returns the handle of an argument that is a stream, or None for work without one."""
    return STREAM_NONE if stream is None else instance("stream", stream, Stream).handle


def end_stream(device: Device, kept: List[Any], handle: int) -> None:
    """Waits for a stream and destroys it. The memory that its work uses lives until then."""
    call("tarn_stream_destroy", handle)
    kept.clear()


class Event(Owned):
    """A point in a stream: Stream.record(), Device.event()."""

    def __init__(self, device: Device) -> None:
        handle = number("tarn_event_create", device.handle)
        self.device = device
        self._handle = handle
        release = partial(end_event, device, handle)
        super().__init__(device._ledger, f"event {handle:#x}", release)

    def _describe(self) -> str:
        return f"{self._handle:#x} of {self.device.name}"

    @property
    def handle(self) -> int:
        """The tarn_event. Raises ValueError if the event is closed."""
        need_open(self, "event")
        return self._handle

    def record(self, stream: Stream) -> None:
        """Records the present end of a stream. A later record replaces it."""
        call("tarn_event_record", self.handle, instance("stream", stream, Stream).handle)

    def query(self) -> bool:
        """Returns True if the recorded point has passed, or none was recorded."""
        return passed(lib.tarn_event_query(self.handle))

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits for the recorded point."""
        call("tarn_event_synchronize", self.handle, nanoseconds(timeout))

    def elapsed_ns(self, start: Event) -> int:
        """Returns the nanoseconds from another event's point to this one's."""
        return number("tarn_event_elapsed", instance("start", start, Event).handle, self.handle)


def end_event(device: Device, handle: int) -> None:
    """Destroys an event. Takes the device so that it lives as long as the event."""
    call("tarn_event_destroy", handle)
