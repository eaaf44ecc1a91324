# SPDX-License-Identifier: Apache-2.0
"""Objects end once: by close, by collection, at exit, in threads and after fork."""

import gc
import os
import pickle
import subprocess
import sys
import threading

import pytest

import tarn


def run(program):
    """Runs a program of Python in a mode that shows every warning. Returns what it wrote."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_leak_is_a_warning_with_its_line():
    out, err = run(
        "import tarn\n"
        "device = tarn.Device('host:0,memory=8M')\n"
        "memory = device.alloc(4096)\n"
        "del memory\n"
        "print(device.free_bytes)\n"
        "device.close()\n"
    )
    assert "ResourceWarning: unclosed memory of 4096 bytes" in err and "<string>:3" in err
    assert out == "8388608\n"


def test_objects_that_live_at_exit_are_left_alone():
    out, err = run(
        "import tarn, threading\n"
        "device = tarn.Device('host:0,memory=64M')\n"
        "pool = device.pool(); block = pool.alloc(100); view = block.view()\n"
        "stream = device.stream(); event = stream.record()\n"
        "capsule = device.alloc(64).__dlpack__()\n"
        "class Cycle: pass\n"
        "cycle = Cycle(); cycle.self = cycle; cycle.block = pool.alloc(5)\n"
        "stream.call(print, 'ran')\n"
        "threading.Thread(target=lambda: [device.alloc(64).close() for _ in range(100000)],\n"
        "                 daemon=True).start()\n"
    )
    assert err == "" and out == "ran\n"


def test_arrays_of_dlpack_may_outlive_the_interpreter():
    pytest.importorskip("numpy", reason="needs python3-numpy")
    out, err = run(
        "import tarn, numpy, builtins\n"
        "device = tarn.Device('host:0,memory=64M')\n"
        "builtins.array = numpy.from_dlpack(device.alloc(64))\n"
        "builtins.other = numpy.asarray(device.alloc(64))\n"
    )
    assert (out, err) == ("", "")


def test_a_child_of_fork_owns_nothing_of_its_parent(tarn_device):
    pool = tarn_device.pool()
    memory, block, stream = tarn_device.alloc(4096), pool.alloc(100), tarn_device.stream()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with pytest.raises(tarn.Forked):
                stream.synchronize()
            with pytest.raises(tarn.Forked):
                tarn_device.alloc(4096)
            said = []
            tarn_device._ledger.on_leak = said.append
            block.close()
            del memory, block, stream
            gc.collect()
            assert said == []
            with tarn.Device("host:0") as own, own.alloc(16) as mine:
                mine.write(b"child")
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    memory.write(b"parent")
    assert pool.stats().live_blocks == 1
    for thing in (stream, block, pool, memory):
        thing.close()


def test_threads_share_a_pool(tarn_device):
    failures = []
    with tarn_device.pool(limit=64 << 20) as pool:

        def work(seed):
            try:
                for i in range(200):
                    with pool.alloc(1 + (seed * 7919 + i * 104729) % 70000) as block:
                        block.view()[0] = seed
                        assert block.read(1)[0] == seed
                        if i % 50 == 0:
                            pool.blocks()
                            pool.stats()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        pool.verify()


def test_one_of_many_threads_closes(tarn_device):
    memory = tarn_device.alloc(4096)
    threads = [threading.Thread(target=memory.close) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.closed and tarn_device.stats().memory_blocks == 0


def test_a_host_function_may_want_a_view_of_memory_that_is_being_closed(tarn_device):
    memory = tarn_device.alloc(4096)
    with tarn_device.stream() as stream:

        def look():
            while not memory._ending:  # close() waits for this function
                pass
            memory.view()

        stream.call(look)
        memory.close()
        with pytest.raises(ValueError, match="being closed"):
            stream.synchronize()
    assert memory.closed


def test_what_is_collected_in_a_walk_is_released_after_it(tarn_device, monkeypatch):
    monkeypatch.setattr(tarn_device._ledger, "on_leak", lambda text: None)
    with tarn_device.pool() as pool:
        blocks = [pool.alloc(100) for _ in range(4)]
        record = tarn._native.tarn_block.record

        def drop(self):
            blocks.clear()  # frees blocks of the pool whose locks the walk holds
            return record(self)

        monkeypatch.setattr(tarn._native.tarn_block, "record", drop)
        pool.blocks()
        assert pool.stats().live_blocks == 0


def test_a_body_that_fails_keeps_its_exception(tarn_device, monkeypatch):
    monkeypatch.setattr(tarn_device._ledger, "on_leak", lambda text: None)
    with pytest.raises(ZeroDivisionError):
        with tarn_device.pool() as pool:
            block = pool.alloc(100)
            1 / 0
    assert not pool.closed
    block.close()
    pool.close()


def test_a_device_with_memory_is_not_closed():
    device = tarn.Device("host:0,memory=8M")
    memory = device.alloc(4096)
    with pytest.raises(tarn.Busy):
        device.close()
    assert not device.closed
    memory.close()
    device.close()
    with pytest.raises(ValueError, match="the device is closed"):
        device.alloc(1)


def test_objects_are_not_pickled(tarn_device):
    with tarn_device.alloc(4) as memory, pytest.raises(TypeError, match="this process"):
        pickle.dumps(memory)


def test_a_library_that_is_missing_says_what_to_set():
    done = subprocess.run(
        [sys.executable, "-c", "import tarn; tarn.Device()"],
        env={**os.environ, "TARN_LIBRARY": "nowhere.so"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1 and "TARN_LIBRARY may name the path of libtarn.so" in done.stderr
