# SPDX-License-Identifier: Apache-2.0
"""Devices and buffers: their contents, views and failures."""

import subprocess
import sys

import pytest

import tarn


def test_a_bad_name_says_which_part():
    with pytest.raises(tarn.BadConfig, match='"nope=1"') as caught:
        tarn.Device("host:0,nope=1")
    assert caught.value.status == tarn.Status.BAD_CONFIG
    assert isinstance(caught.value, ValueError)
    with pytest.raises(tarn.BadDevice):
        tarn.Device("host:77")


def test_a_device_describes_itself(tarn_device):
    info = tarn_device.info()
    assert (info.backend, info.ordinal) == ("host", 0)
    assert info.memory_bytes == tarn_device.total_bytes == tarn_device.free_bytes == 1 << 30
    assert tarn_device.features & tarn.FeatureFlags.VMM
    assert ("memory", "1G", "uri") in [setting[:3] for setting in tarn_device.settings()]
    assert "host" in tarn.backends()
    with tarn_device.sibling(1) as other:
        assert other.ordinal == 1 and other.info().name != info.name
    tarn_device.verify()


def test_bytes_written_are_read(tarn_device):
    with tarn_device.alloc(100) as memory:
        memory.fill(7)
        memory.write(b"hello", offset=95)
        assert memory.read() == b"\x07" * 95 + b"hello"
        assert memory.read(5, offset=95) == b"hello"
        assert memory.read(0) == b""
        memory.write(memoryview(b"ab"), offset=0)
        assert memory.view()[:3].tobytes() == b"ab\x07"
        assert len(memory) == 100
        assert memory.info().kind == tarn.AddressKind.MEMORY
        assert tarn_device.stats().memory_bytes == 100


@pytest.mark.parametrize("offset, nbytes", [(-1, 1), (0, 101), (101, None), (99, 2)])
def test_ranges_outside_are_refused(tarn_device, offset, nbytes):
    with tarn_device.alloc(100) as memory:
        for use in (memory.read, memory.view):
            with pytest.raises(ValueError, match=f"offset {offset} "):
                use(offset=offset, nbytes=nbytes)
        with pytest.raises(ValueError):
            memory.write(bytes(101))


def test_copies_take_everything_that_has_bytes(tarn_device):
    with tarn_device.alloc(8) as one, tarn_device.alloc(8) as two:
        tarn_device.copy(one, bytearray(b"12345678"))
        tarn_device.copy(two, one)
        target = bytearray(8)
        tarn_device.copy(target, two.address, 4)
        assert target == b"1234\0\0\0\0"
        with pytest.raises(BufferError, match="read-only"):
            tarn_device.copy(b"12345678", one)
        with pytest.raises(ValueError, match="nbytes 9 is more than the 8 bytes of the target"):
            tarn_device.copy(two, bytes(9))
        with pytest.raises(ValueError, match="nbytes 8 is more than the 4 bytes of the source"):
            tarn_device.copy(two, bytes(4), 8)
        with pytest.raises(ValueError, match="nbytes"):
            tarn_device.copy(two.address, one.address)


def test_a_view_keeps_the_memory_open(tarn_device):
    memory = tarn_device.alloc(16)
    view = memory.view(4, 8)
    if sys.version_info >= (3, 12):  # the buffer protocol of classes
        assert memoryview(memory).nbytes == 16
    part = view[2:]
    del view
    with pytest.raises(BufferError, match="a view of it lives"):
        memory.close()
    part[:] = b"abcdef"
    assert memory.read(8, 4) == b"\0\0abcdef"
    part.release()
    del part
    memory.close()
    assert memory.closed
    memory.close()
    for use in (memory.read, memory.view, memory.info, memory.fill, memory.export):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_a_view_outlives_the_name_of_its_memory(tarn_device, monkeypatch):
    view = tarn_device.alloc(4).view()
    view[:] = b"live"
    assert view.tobytes() == b"live"
    said = []
    monkeypatch.setattr(tarn_device._ledger, "on_leak", said.append)
    del view
    assert len(said) == 1 and "memory of 4 bytes" in said[0]


@pytest.mark.parametrize("name", ["host:0,access=strict", "sim:0"])
def test_memory_that_the_cpu_does_not_reach_has_no_view(name):
    with tarn.Device(name) as device, device.alloc(64) as memory:
        with pytest.raises(BufferError, match="the CPU cannot access"):
            memory.view()
        assert not hasattr(memory, "__array_interface__")
        assert not hasattr(memory, "__cuda_array_interface__")
        with pytest.raises(BufferError, match="DLPack has no device type"):
            memory.__dlpack__()
        with device.alloc_host(64) as host:
            host.view()[:2] = b"ok"
            if device.features & tarn.FeatureFlags.BYTES:
                device.copy(memory, host)
                assert memory.read(2) == b"ok"


def test_an_error_without_a_text_has_that_of_its_status(tarn_device):
    with pytest.raises(tarn.BadConfig):
        tarn.Device("nowhere:0")
    kind = tarn._native.tarn_setting
    with pytest.raises(tarn.BadArgument, match="^an argument is out of its range$"):
        tarn._library.ask("tarn_device_query_setting", kind, tarn_device.handle, 999)


def test_numpy_shares_the_memory(tarn_device):
    numpy = pytest.importorskip("numpy", reason="needs python3-numpy")
    with tarn_device.alloc(64) as memory:
        array = numpy.asarray(memory)
        assert array.shape == (64,) and array.dtype == numpy.uint8
        floats = numpy.frombuffer(memory.view(), dtype=numpy.float32).reshape(4, 4)
        floats[:] = numpy.arange(16).reshape(4, 4)
        assert memory.read(4, 60) == numpy.float32(15).tobytes()
        assert array[60:].tobytes() == memory.read(4, 60)
        del array
        with pytest.raises(BufferError):
            memory.close()
        del floats
        target = numpy.zeros(4, dtype=numpy.float32)
        tarn_device.copy(target, memory.address, target.nbytes)
        assert target.tolist() == [0, 1, 2, 3]


def test_dlpack_shares_the_memory_and_returns_it(tarn_device):
    numpy = pytest.importorskip("numpy", reason="needs python3-numpy")
    from tarn import dlpack

    with tarn_device.alloc(64) as memory:
        assert memory.__dlpack_device__() == (dlpack.CPU, 0)
        array = numpy.from_dlpack(memory)
        array_again = numpy.from_dlpack(memory)
        memory.write(b"dl", 3)
        assert array.shape == (64,) and bytes(array[3:5]) == b"dl" == bytes(array_again[3:5])
        del array
        assert len(dlpack.exported) == 1
        with pytest.raises(BufferError):
            memory.close()
        del array_again
        assert dlpack.exported == {}
        memory.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)  # nobody takes it
        assert dlpack.exported == {}
        with pytest.raises(BufferError, match="not .2, 0."):
            memory.__dlpack__(dl_device=(2, 0))
        with pytest.raises(BufferError, match="copied"):
            memory.__dlpack__(copy=True)


def test_vendors_memory_has_their_device_types(tarn_device, monkeypatch):
    with tarn_device.alloc(16) as memory, tarn_device.alloc_host(16) as host:
        assert not hasattr(memory, "__cuda_array_interface__")
        for backend, types in (("cuda", (2, 3)), ("hip", (10, 11))):
            monkeypatch.setattr(tarn_device, "backend", backend)
            assert (memory.__dlpack_device__(), host.__dlpack_device__()) == (
                (types[0], 0), (types[1], 0),
            )  # fmt: skip
        monkeypatch.setattr(tarn_device, "backend", "cuda")
        interface = memory.__cuda_array_interface__
        assert interface["data"] == (memory.address, False) and interface["shape"] == (16,)


def test_another_process_opens_memory_by_its_key(tarn_device):
    with tarn_device.alloc(4096) as memory:
        key = memory.export()
        program = (
            "import sys, tarn\n"
            "with tarn.Device('host:0') as d, d.import_memory(sys.argv[1]) as m:\n"
            "    m.write(b'child')\n"
        )
        subprocess.run([sys.executable, "-c", program, key], check=True)
        assert memory.read(5) == b"child"
    with pytest.raises(ValueError, match="63 characters"):
        tarn_device.import_memory("x" * 64)
    with pytest.raises(tarn.BadHandle):
        tarn_device.import_memory("nonsense")


def test_alignment_and_pages_are_those_requested(tarn_device):
    with tarn_device.alloc(5000, alignment=1 << 20, page_class=tarn.PageClass.HUGE) as memory:
        assert memory.address % (1 << 20) == 0
        assert memory.info().charged_bytes == 2 << 20
