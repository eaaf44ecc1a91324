# SPDX-License-Identifier: Apache-2.0
"""Streams, events and virtual memory."""

import threading

import pytest

import tarn


def test_work_runs_in_order(tarn_device):
    with tarn_device.stream() as stream, tarn_device.alloc(4) as memory:
        seen = []
        stream.call(seen.append, 1)
        tarn_device.copy(memory, b"work", stream=stream)
        stream.call(lambda: seen.append(memory.read()))
        stream.synchronize()
        assert stream.query() and seen[0] == 1
        assert memory.read() == b"work"


def test_the_source_of_a_copy_lives_until_it_is_done(tarn_device):
    gate = threading.Event()
    with tarn_device.stream() as stream, tarn_device.alloc(1 << 20) as memory:
        stream.call(gate.wait)
        tarn_device.copy(memory, b"x" * (1 << 20), stream=stream)
        assert len(stream._kept) == 1 and not stream.query()
        with pytest.raises(tarn.TimedOut):
            stream.synchronize(timeout=0.001)
        gate.set()
        stream.synchronize()
        assert stream._kept == [] and memory.read(1, 77777) == b"x"


def test_an_exception_of_a_host_function_reaches_synchronize(tarn_device):
    with tarn_device.stream() as stream:
        stream.call(lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            stream.synchronize()
        stream.synchronize()


def test_a_host_function_cannot_wait(tarn_device):
    with tarn_device.stream() as stream:
        stream.call(tarn_device.synchronize)
        with pytest.raises(tarn.Busy):
            stream.synchronize()


def test_events_order_streams(tarn_device):
    gate = threading.Event()
    with tarn_device.stream() as one, tarn_device.stream() as two, tarn_device.event() as unused:
        seen = []
        one.call(gate.wait)
        one.call(seen.append, "one")
        with one.record() as first:
            two.wait(first)
            two.call(seen.append, "two")
            assert not first.query() and unused.query()
            with pytest.raises(tarn.TimedOut):
                first.synchronize(0.001)
            gate.set()
            two.synchronize()
            first.synchronize()
            assert seen == ["one", "two"]
            with two.record() as second:
                second.synchronize()
                assert second.elapsed_ns(first) >= 0


def test_abort_drops_what_has_not_begun(tarn_device):
    gate = threading.Event()
    seen = []
    with tarn_device.stream() as blocked, tarn_device.stream() as stream:
        blocked.call(gate.wait)
        with blocked.record() as passed:
            stream.wait(passed)
        stream.call(seen.append, 1)
        stream.abort()
        gate.set()
        blocked.synchronize()
        assert seen == []
    assert tarn.stream.pending == {}


def test_a_closed_stream_is_refused(tarn_device):
    stream = tarn_device.stream()
    stream.close()
    for use in (stream.synchronize, stream.query, stream.record):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_pages_are_mapped_and_granted(tarn_device):
    grain = tarn_device.info().granularity_minimum
    with tarn_device.reserve(4 * grain) as space, tarn_device.create(2 * grain) as phys:
        with pytest.raises(BufferError):
            space.view()
        space.map(phys, grain)
        with pytest.raises(tarn.AlreadyMapped):
            space.map(phys, 2 * grain)
        with pytest.raises(BufferError):
            space.view(grain, grain)
        space.grant(tarn.Access.READ, offset=grain, nbytes=2 * grain)
        view = space.view(grain, grain)
        assert view.readonly
        with pytest.raises(BufferError):
            space.unmap(grain, 2 * grain)
        del view
        space.grant(offset=grain, nbytes=2 * grain)
        space.write(b"page", grain)
        assert space.read(4, grain) == b"page" and phys.info().map_refs == 1
        with pytest.raises(BufferError):
            space.view(0, 2 * grain)
        space.unmap(grain, 2 * grain)
        space.map(phys, 0)
        space.grant(nbytes=2 * grain, location=tarn.Location(tarn.LocationType.HOST, 0))
        assert bytes(space.view(0, 4)) == b"page"
    assert tarn_device.stats().mappings == 0


def test_a_range_that_is_no_multiple_is_refused(tarn_device):
    with pytest.raises(tarn.Misaligned):
        tarn_device.reserve(1000)
    with pytest.raises(tarn.Misaligned):
        tarn_device.create(1000)
