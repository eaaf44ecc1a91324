#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loader of the Python examples on the software device, with plain Python; and each framework's
# example says what is missing, or works.
set -eu
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
examples=$SRC/examples/python
work=$BUILD/tests/plugin_python
mkdir -p "$work"
export TARN_TORCH_LIBRARY="$PLUGIN" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$examples"
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

TARN_TORCH_DEVICE=host:0,memory=64M python3 - 2>"$work/said" <<'END'
import ctypes
import tarn_plugin

library = tarn_plugin.load()
assert tarn_plugin.load() is library
assert library.stats()["allocs"] == 0 and library.snapshot()["devices"] == []

block = library.malloc(5 << 20, stream=0x4440)
ctypes.memset(block, 7, 5 << 20)
assert ctypes.string_at(block + (5 << 20) - 1, 1) == b"\7"
stats = library.stats()
assert stats["live_blocks"] == 1 and stats["live_bytes"] == 5 << 20, stats

device, = library.snapshot()["devices"]
assert (device["device"], device["backend"], device["pool"]) == (0, "host", "expandable"), device
assert device["reason"] == "" and device["streams"] == [0x4440], device
assert device["stats"] == stats, device["stats"]
held = 0
live = []
for segment in device["segments"]:
    at = segment["address"]
    for piece in segment["blocks"]:
        assert piece["address"] == at, segment
        at += piece["bytes"]
        if piece["state"] == "live":
            live.append(piece)
    assert at == segment["address"] + segment["bytes"], segment
    held += segment["bytes"]
assert held == stats["held_bytes"], (held, stats)
assert [(b["address"], b["asked"], b["stream"]) for b in live] == [(block, 5 << 20, 0x4440)], live

library.free(block, stream=0x4440)
assert library.trim() > 0 and library.stats()["held_bytes"] == 0
library.reset_peaks()
assert library.stats()["peak_live_bytes"] == 0

assert library.malloc(0) == 0
try:
    library.malloc(65 << 20)
    raise SystemExit("65 MiB of 64 were had")
except MemoryError:
    pass
try:
    library.stats(-1)
    raise SystemExit("there is no device -1")
except OSError as error:
    assert "-5" in str(error)

# What the frameworks are handed.
import rmm_tarn
allocate, deallocate = rmm_tarn.callbacks()

class Stream:
    def __cuda_stream__(self):
        return (0, 0x8880)

class Older:
    def is_default(self):
        return True

for stream in (None, Stream(), Older()):
    block = allocate(1000, stream)
    deallocate(block, 1000, stream)
block = allocate(1000)
deallocate(block, 1000)
assert set(library.snapshot()["devices"][0]["streams"]) == {0, 0x4440, 0x8880}
malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
    library.address("tarn_cupy_malloc"))
free = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    library.address("tarn_cupy_free"))
free(None, malloc(None, 1000, 0), 0)
assert library.stats()["live_blocks"] == 0 and library.stats()["bad_frees"] == 0
END
grep -q 'NO_DEVICE_MEMORY: 68157440 bytes on device 0' "$work/said" || fail "the refusal is not told"

# A pool learns steps, or follows the plan of a recording of one.
cat >"$work/steps.py" <<'END'
import tarn_plugin

library = tarn_plugin.load()
for step in range(6):
    library.mark()
    blocks = [library.malloc(size << 20) for size in (4, 1, 4)]
    library.free(blocks.pop(0))
    library.free(blocks.pop())
    blocks.append(library.malloc(8 << 20))
    for block in blocks:
        library.free(block)
stats = library.stats()
print(stats["planned"], stats["unplanned"] + stats["late"], stats["planned_bytes"] >> 20, stats["plans"])
END
export TARN_TORCH_DEVICE=host:0,memory=64M
said=$(TARN_TORCH_POOL=expandable,learn python3 "$work/steps.py")
[ "$said" = '12 0 51 1' ] || fail "a pool that learns: $said"
if [ -x "$BUILD/bin/tarn" ]; then
    printf 'a 1 0 4194304\na 2 1 1048576\na 3 2 4194304\nf 4 0\nf 5 2\na 6 3 8388608\nf 7 1\nf 8 3\n' >"$work/step.trace"
    "$BUILD/bin/tarn" plan --rule caching "$work/step.trace" -o "$work/step.plan" >/dev/null
    said=$(TARN_TORCH_POOL="segments,plan=$work/step.plan" python3 "$work/steps.py")
    [ "$said" = '24 0 102 0' ] || fail "a pool with the plan of a file: $said"
fi
unset TARN_TORCH_DEVICE

TARN_TORCH_DEVICE=sim:0,vmm=off python3 "$examples/tarn_plugin.py" >"$work/out"
grep -q 'not expandable, since simulated device 0 has no virtual memory' "$work/out" ||
    fail "the reason for segments is not told"
if TARN_TORCH_LIBRARY=/nowhere.so python3 "$examples/tarn_plugin.py" >"$work/out" 2>&1; then
    fail "a library was found at /nowhere.so"
fi
grep -q 'set TARN_TORCH_LIBRARY' "$work/out" || fail "nothing says how the library is found"

# A device that is not here: the message says which variable names it, and no stack hides it.
if TARN_TORCH_DEVICE='' TARN_CUDA_LIBRARY=/nowhere.so python3 "$examples/tarn_plugin.py" >"$work/out" 2>&1; then
    fail "cuda:0 was found in /nowhere.so"
fi
grep -q 'TARN_TORCH_DEVICE names the device (now cuda:0), such as host:0' "$work/out" ||
    fail "nothing says how the device is chosen: $(cat "$work/out")"
grep -q 'tarn_plugin: no memory: 1048576 bytes on device 0' "$work/out" || fail "the refusal is not told"
! grep -q Traceback "$work/out" || fail "the message is hidden by a stack"

for framework in torch cupy rmm; do
    if ! python3 -c "import $framework" 2>/dev/null; then
        ! python3 "$examples/${framework}_tarn.py" 2>"$work/out" || fail "$framework is not here"
        grep -q "${framework}_tarn: .* is not installed" "$work/out" ||
            fail "${framework}_tarn.py does not say that $framework is missing"
    fi
done
