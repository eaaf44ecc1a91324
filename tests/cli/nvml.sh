#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A script that lists devices through libnvidia-ml.so.1 by ctypes, as the packages for Python do, sees those of
# tarn run --as cuda, and the memory that its own process holds.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset LD_LIBRARY_PATH LD_PRELOAD TARN_CUDA_DEVICE TARN_CUDA_COMPAT TARN_CUDA_LOG CUDA_VISIBLE_DEVICES
python=$(command -v python3) || {
    echo "skipped: needs python3" >&2
    exit 77
}
skip_sanitized "a sanitizer's library must come first in a program"
cat >"$work/list.py" <<'END'
import ctypes
import os

ml = ctypes.CDLL("libnvidia-ml.so.1")


class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in ("total", "free", "used")]


class MemoryV2(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint)] + [
        (name, ctypes.c_ulonglong) for name in ("total", "reserved", "free", "used")
    ]


class Pci(ctypes.Structure):
    _fields_ = [("legacy", ctypes.c_char * 16)] + [
        (name, ctypes.c_uint) for name in ("domain", "bus", "device", "id", "subsystem")
    ] + [("bus_id", ctypes.c_char * 32)]


class Process(ctypes.Structure):
    _fields_ = [
        ("pid", ctypes.c_uint),
        ("used", ctypes.c_ulonglong),
        ("gpu", ctypes.c_uint),
        ("compute", ctypes.c_uint),
    ]


class Rates(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


ml.nvmlErrorString.restype = ctypes.c_char_p


def call(name, *arguments):
    result = getattr(ml, name)(*arguments)
    if result != 0:
        raise RuntimeError(f"{name}: {ml.nvmlErrorString(result).decode()}")


def text(name, *arguments):
    buffer = ctypes.create_string_buffer(96)
    call(name, *arguments, buffer, ctypes.c_uint(96))
    return buffer.value.decode()


call("nvmlInitWithFlags", 0)
cuda = ctypes.c_int()
call("nvmlSystemGetCudaDriverVersion_v2", ctypes.byref(cuda))
print("driver", text("nvmlSystemGetDriverVersion"), "cuda", cuda.value)
count = ctypes.c_uint()
call("nvmlDeviceGetCount_v2", ctypes.byref(count))
driver = ctypes.CDLL("libcuda.so.1")
context, held = ctypes.c_void_p(), ctypes.c_ulonglong()
assert driver.cuInit(0) == 0
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 1) == 0
assert driver.cuCtxSetCurrent(context) == 0
assert driver.cuMemAlloc_v2(ctypes.byref(held), ctypes.c_size_t(6 << 20)) == 0
for index in range(count.value):
    device = ctypes.c_void_p()
    call("nvmlDeviceGetHandleByIndex_v2", index, ctypes.byref(device))
    memory, pci, rates = Memory(), Pci(), Rates()
    second = MemoryV2(version=ctypes.sizeof(MemoryV2) | 2 << 24)
    call("nvmlDeviceGetMemoryInfo", device, ctypes.byref(memory))
    call("nvmlDeviceGetMemoryInfo_v2", device, ctypes.byref(second))
    assert (memory.total, memory.free, memory.used) == (second.total, second.free, second.used)
    call("nvmlDeviceGetPciInfo_v3", device, ctypes.byref(pci))
    call("nvmlDeviceGetUtilizationRates", device, ctypes.byref(rates))
    listed, processes = ctypes.c_uint(8), (Process * 8)()
    call("nvmlDeviceGetComputeRunningProcesses_v3", device, ctypes.byref(listed), processes)
    pids = [entry.pid for entry in processes[: listed.value]]
    assert pids in ([], [os.getpid()]), pids
    power = ctypes.c_uint()
    refused = ml.nvmlDeviceGetPowerUsage(device, ctypes.byref(power))
    print(index, text("nvmlDeviceGetName", device), "|", text("nvmlDeviceGetUUID", device), pci.bus_id.decode(),
          f"{memory.used >> 20}MiB/{memory.total >> 20}MiB", f"{rates.gpu}%", len(pids), "processes,",
          "power", ml.nvmlErrorString(refused).decode())
call("nvmlShutdown")
END
expect 0 run --as cuda --device host:0,devices=2,memory=1G -- "$python" "$work/list.py"
says out '^driver [0-9.]* cuda 13000$'
says out '^0 .*| GPU-[0-9a-f-]* 00007461:01:00.0 0MiB/1024MiB 0% 0 processes, power Not Supported$'
says out '^1 .*| GPU-[0-9a-f-]* 00007461:02:00.0 6MiB/1024MiB 0% 1 processes, power Not Supported$'
[ "$(wc -l <"$work/out")" = 3 ] || fail "other lines"
