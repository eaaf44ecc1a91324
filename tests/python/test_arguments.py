# SPDX-License-Identifier: Apache-2.0
"""Every argument of every public function is checked, and every object describes itself."""

import inspect

import pytest

import tarn
import tarn.pytest_plugin

BIG = 1 << 64
WRONG = object()

# Class.function.argument, or function.argument: values that are a ValueError or TypeError.
BAD = {
    "Device.name": ["nope:0", "host:0\0x", 5],
    "Device.sibling.ordinal": [-1, 1 << 31, "0"],
    "Device.alloc.nbytes": [-1, BIG, 1.5, "4K", None],
    "Device.alloc.alignment": [-1, 3, BIG, "4K"],
    "Device.alloc.page_class": ["enormous", 9, WRONG],
    "Device.alloc_host.nbytes": [-1, BIG, 1.5],
    "Device.import_memory.key": ["x" * 64, "ü", "a\0b", 5],
    "Device.pool.kind": ["elastic", 9, "fixed"],
    "Device.pool.over": [5, WRONG],
    "Device.pool.rule": ["elastic", "gpu\0", 5, tarn.Rule(-1, 1, 1), tarn.Rule(1, 1, 1 << 32)],
    "Device.pool.limit": [-1, BIG, "1G"],
    "Device.pool.policy": ["elastic", 9],
    "Device.pool.page_bytes": [-1, 3, BIG, "4K"],
    "Device.pool.segment_bytes": [-1, BIG, "4K"],
    "Device.pool.flags": [-1, 1 << 20, "strict"],
    "Device.pool.plan": [5, "", b"", "a\0b"],
    "Device.reserve.nbytes": [-1, BIG, 1.5],
    "Device.reserve.alignment": [-1, 3, BIG, "4K"],
    "Device.reserve.hint": [-1, BIG, "0"],
    "Device.create.nbytes": [-1, BIG, 1.5],
    "Device.create.page_class": ["enormous", 9],
    "Device.create.shareable": [-1, 1 << 20, "fd"],
    "Device.stream.native": [-1, BIG, "0"],
    "Device.copy.target": [-1, BIG, 1.5, None],
    "Device.copy.source": [-1, BIG, 1.5, None],
    "Device.copy.nbytes": [-1, BIG, 65, 1.5],
    "Device.copy.stream": [5, WRONG],
    "Device.synchronize.timeout": [-1, float("nan"), "long"],
    "Memory.read.nbytes": [-1, 65, BIG, 1.5],
    "Memory.read.offset": [-1, 65, BIG, "0"],
    "Memory.write.data": [bytes(65), 5, "text", None],
    "Memory.write.offset": [-1, 65, BIG, "0"],
    "Memory.fill.value": [-1, 300, 1.5],
    "Memory.fill.element_bytes": [-1, 0, 3, 8, "1"],
    "Memory.fill.stream": [5, WRONG],
    "Memory.view.nbytes": [-1, 65, BIG, 1.5],
    "Memory.view.offset": [-1, 65, BIG, "0"],
    "Pool.alloc.nbytes": [-1, BIG, 1.5, "4K", None],
    "Pool.alloc.stream": [5, WRONG],
    "Pool.alloc.alignment": [-1, 3, BIG, "4K"],
    "Pool.alloc.tag": [-1, 64, BIG, "a"],
    "Pool.alloc.user": [-1, BIG, "a"],
    "Pool.trim.keep_bytes": [-1, BIG, "1G"],
    "Pool.set_limit.limit": [-1, BIG, "1G"],
    "Pool.tag_stats.tag": [-1, 64, BIG, "a"],
    "Pool.reset_peaks.which": [-1, 1 << 20, "live"],
    "Pool.blocks.state": ["elastic", 9],
    "Pool.save_snapshot.path": ["a\0b", 1.5, None],
    "Block.extend.nbytes": [-1, BIG, 1.5],
    "Block.used_on.stream": [5, None],
    "Reservation.map.phys": [5, None],
    "Reservation.map.offset": [-1, BIG, "0"],
    "Reservation.map.nbytes": [-1, BIG, "0"],
    "Reservation.unmap.offset": [-1, BIG, "0"],
    "Reservation.unmap.nbytes": [-1, BIG, "0"],
    "Reservation.grant.access": ["elastic", 9],
    "Reservation.grant.location": [5, tarn.Location(9, 0), tarn.Location(1, -1)],
    "Reservation.grant.offset": [-1, BIG, "0"],
    "Reservation.grant.nbytes": [-1, BIG, "0"],
    "Stream.synchronize.timeout": [-1, float("nan"), "long"],
    "Stream.wait.event": [5, None],
    "Stream.call.function": [5, None],
    "Event.record.stream": [5, None],
    "Event.synchronize.timeout": [-1, float("nan"), "long"],
    "Event.elapsed_ns.start": [5, None],
    "address_info.address": [-1, BIG, "0"],
    "recorded.function": [5, None],
    "save_snapshot.path": ["a\0b", 1.5, None],
    "save_snapshot.pools": [[5], 5],
}

# Arguments that any value suits, or that the command checks (test_recordings.py).
FREE = {"Device.alloc_host.must_lock", "Device.pool.learn", "Pool.trim.wait",
        "Stream.call.arguments"}  # fmt: skip
OF_COMMANDS = {"compare", "diff", "explain", "fit", "plan", "replay", "run_json"}


def public_arguments():
    """Returns Class.function.argument for the functions of the package that users call."""
    found = set()

    def add(name, function):
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name != "self" and not parameter.name.startswith("_"):
                found.add(f"{name}.{parameter.name}")

    add("Device", tarn.Device)
    for kind in (tarn.Device, tarn.Memory, tarn.HostMemory, tarn.Pool, tarn.Block, tarn.Phys,
                 tarn.Reservation, tarn.Stream, tarn.Event):  # fmt: skip
        for name, function in vars(kind).items():
            if inspect.isfunction(function) and not name.startswith("_"):
                add(f"{kind.__name__}.{name}", function)
    for name, function in vars(tarn.Buffer).items():
        if inspect.isfunction(function) and not name.startswith("_"):
            add(f"Memory.{name}", function)
    for name in set(tarn.__all__) - OF_COMMANDS:
        if inspect.isfunction(getattr(tarn, name)):
            add(name, getattr(tarn, name))
    return found


def test_every_argument_has_bad_values():
    assert public_arguments() == set(BAD) | FREE


@pytest.fixture
def things(tarn_device, tmp_path, monkeypatch):
    """An object of each class, and the arguments that make each of its functions work."""
    monkeypatch.chdir(tmp_path)  # for files that must not be written
    grain = tarn_device.info().granularity_minimum
    with tarn_device.alloc(64) as memory, tarn_device.pool() as pool, pool.alloc(100) as block, \
            tarn_device.reserve(4 * grain) as space, tarn_device.create(grain) as phys, \
            tarn_device.stream() as stream, stream.record() as event:  # fmt: skip
        objects = {"Device": tarn_device, "Memory": memory, "Pool": pool, "Block": block,
                   "Reservation": space, "Stream": stream, "Event": event,
                   "Phys": phys}  # fmt: skip
        needed = {
            "alloc": {"nbytes": 64}, "reserve": {"nbytes": grain}, "create": {"nbytes": grain},
            "copy": {"target": memory, "source": bytes(64)}, "write": {"data": b"x"},
            "map": {"phys": phys}, "save_snapshot": {"path": "never", "pools": [pool]},
        }  # fmt: skip
        yield objects, needed


@pytest.mark.parametrize("argument, value", [(k, v) for k, values in BAD.items() for v in values])
def test_a_bad_value_is_named(things, argument, value):
    objects, needed = things
    place, _, name = argument.rpartition(".")
    owner, _, verb = place.rpartition(".")
    function = getattr(objects[owner], verb) if owner else getattr(tarn, place)
    arguments = {
        key: entry for key, entry in needed.get(verb, {}).items()
        if key in inspect.signature(function).parameters
    }  # fmt: skip
    with pytest.raises((ValueError, TypeError)) as caught:
        function(**{**arguments, name: value})
    if isinstance(caught.value, tarn.TarnError):  # the library knows the limit, and names the value
        assert str(value).split("\0")[0] in str(caught.value)
    elif isinstance(value, bytes):
        assert str(len(value)) in str(caught.value)
    elif isinstance(value, tarn.Rule):
        assert name in str(caught.value) and str(max(value, key=abs)) in str(caught.value)
    elif isinstance(value, tarn.Location):
        assert name in str(caught.value) and str(max(value, key=abs)) in str(caught.value)
    elif isinstance(value, list):
        assert name in str(caught.value) and "5" in str(caught.value)
    else:
        text = str(caught.value)
        shown = [repr(value), f'"{value}"', hex(value) if isinstance(value, int) else ""]
        assert name in text and any(one and one in text for one in shown), text


def test_fill_takes_the_values_of_its_elements(tarn_device):
    with tarn_device.alloc(6) as memory:
        memory.fill(255)
        memory.fill(65535, 2)
        with pytest.raises(ValueError, match="value is 65536, not 0 to 65535"):
            memory.fill(65536, 2)
        with pytest.raises(ValueError, match="element_bytes is 4, which does not divide the 6"):
            memory.fill(1, 4)
        assert memory.read() == b"\xff" * 6


def test_integers_of_any_kind_and_endless_timeouts_are_taken(tarn_device):
    numpy = pytest.importorskip("numpy", reason="needs python3-numpy")
    with tarn_device.alloc(numpy.int32(64)) as memory, tarn_device.stream() as stream:
        memory.fill(numpy.uint8(7))
        assert memory.read(numpy.int64(2), numpy.int16(3)) == b"\7\7"
        stream.synchronize(float("inf"))
        stream.synchronize(0)


def test_objects_describe_themselves(things):
    objects, _ = things
    device = objects["Device"]
    for name, thing in objects.items():
        assert repr(thing).startswith(f"<{name} ") and device.name in repr(thing)
    pool = objects["Pool"]
    assert repr(pool) == f"<Pool {pool.handle:#x}, expandable, of {device.name}>"
    assert "64 bytes" in repr(objects["Memory"])
    with device.stream() as stream, device.alloc_host(8) as host:
        assert repr(host).startswith("<HostMemory ")
    assert repr(stream).endswith(", closed>") and "closed" in repr(host)
    assert "libtarn.so" in repr(tarn.lib)


def test_whatever_can_be_closed_is_a_context(tarn_device):
    classes = filter(inspect.isclass, vars(tarn).values())
    kinds = [kind for kind in classes if hasattr(kind, "close")]
    assert len(kinds) >= 9
    for kind in kinds:
        assert hasattr(kind, "__enter__") and hasattr(kind, "__exit__"), kind


def test_options_of_a_pool_have_names(tarn_device):
    device_pool = inspect.signature(tarn.Device.pool).parameters
    pool = dict(inspect.signature(tarn.Pool).parameters)
    pool.pop("device")
    device_pool = {key: value for key, value in device_pool.items() if key != "self"}
    assert device_pool == pool
    functions = [getattr(tarn, name) for name in OF_COMMANDS]
    for kind in (tarn.Device, tarn.Buffer, tarn.Memory, tarn.Stream, tarn.pytest_plugin.Failures):
        functions += [entry for name, entry in vars(kind).items() if inspect.isfunction(entry)]
    for function in functions:
        kinds = {one.kind for one in inspect.signature(function).parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds, function
