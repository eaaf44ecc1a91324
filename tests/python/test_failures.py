# SPDX-License-Identifier: Apache-2.0
"""The package itself under failures: each call of the device fails in turn."""

import pytest

import tarn


def use_everything(device):
    """Uses each kind of object once."""
    grain = device.info().granularity_minimum
    with device.alloc(64) as memory, device.alloc_host(64) as host, device.stream() as stream:
        memory.fill(1)
        device.copy(host, memory, stream=stream)
        stream.call(memory.info)
        with stream.record() as event, device.stream() as other:
            other.wait(event)
            other.synchronize()
        stream.synchronize()
        with device.pool() as pool, pool.alloc(100) as block, pool.alloc(1 << 20):
            block.write(b"x" * 100)
            pool.verify()
        with device.reserve(2 * grain) as space, device.create(grain) as phys:
            space.map(phys)
            space.grant(nbytes=grain)
            space.write(b"page")
        with device.import_memory(memory.export()) as again:
            assert again.read(1) == b"\1"


def test_a_failing_call_is_an_exception_and_leaks_nothing(tarn_failures):
    specs = tarn_failures.each(use_everything)
    assert {"reserve:1", "phys_create:1", "map:2", "stream_create:2", "copy:3"} <= set(specs)


def test_a_snapshot_that_fails_leaves_the_old_one(tarn_device, tmp_path):
    path = tmp_path / "now.pickle"
    with tarn_device.pool() as pool, pool.alloc(100):
        pool.save_snapshot(path)
        before = path.read_bytes()
        with pytest.raises(tarn.BadArgument):
            tarn.save_snapshot(path, [])
        assert path.read_bytes() == before
