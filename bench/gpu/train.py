# SPDX-License-Identifier: Apache-2.0
"""PyTorch under one allocator: train.py pairs|train|limit ALLOCATOR RESULTS [quick].

ALLOCATOR: caching and expandable are PyTorch's own without and with expandable segments, tarn is
libtarn-torch as it comes, tarn-loose the same with the policy "time", which moves no memory. One allocator a process, because PyTorch cannot change it later."""

import json
import os
import sys
import time

WHAT, ALLOCATOR, RESULTS = sys.argv[1:4]
QUICK = len(sys.argv) > 4
MIB = 1 << 20
for variable in ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"):  # newer and older versions
    os.environ.pop(variable, None)
    if ALLOCATOR == "expandable":
        os.environ[variable] = "expandable_segments:True"

import torch  # noqa: E402

import torch_tarn  # noqa: E402

if ALLOCATOR == "tarn-loose":
    os.environ["TARN_TORCH_POOL"] = "expandable,policy=time"
LIBRARY = torch_tarn.install() if ALLOCATOR.startswith("tarn") else None

import workloads  # noqa: E402


def result(table, row, value, unit):
    line = {"table": table, "row": row, "column": ALLOCATOR, "value": value, "unit": unit}
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def peaks():
    """Peak bytes reserved from the device, and of them in blocks as they were asked for."""
    if LIBRARY:
        stats = LIBRARY.stats()
        return stats["peak_held_bytes"], stats["peak_live_bytes"]
    stats = torch.cuda.memory_stats()
    return stats["reserved_bytes.all.peak"], stats["requested_bytes.all.peak"]


def reset_peaks():
    if LIBRARY:
        LIBRARY.reset_peaks()
    else:
        torch.cuda.reset_peak_memory_stats()


def tell_peaks(table):
    reserved, live = peaks()
    result(table, "peak reserved, MiB", reserved / MIB, "MiB")
    result(table, "peak live, MiB", live / MIB, "MiB")
    return live / reserved


def model_and_optimizer():
    torch.manual_seed(1)
    model = workloads.Transformer(width=1024, depth=12, heads=16).to("cuda")
    return model, torch.optim.AdamW(model.parameters(), lr=1e-4)


def pairs():
    """An allocation and a free among 64 live ones, through PyTorch's tensors."""
    for name, size in (("512 B", 512), ("64 KiB", 65536), ("1 MiB", MIB), ("20 MiB", 20 * MIB)):
        live = [torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(64)]
        times = []
        for _ in range(3 if QUICK else 21):
            begun = time.perf_counter_ns()
            for i in range(400):
                at = i * 37 % 64
                live[at] = None
                live[at] = torch.empty(size, dtype=torch.uint8, device="cuda")
            times.append((time.perf_counter_ns() - begun) / 400)
        result("pairs", name, sorted(times)[len(times) // 2], "ns")


def train():
    """Steps of varying length: the first ones warm up, peaks count them too."""
    model, optimizer = model_and_optimizer()
    steps, warm = (4, 2) if QUICK else (120, 20)
    begun = 0
    for i, length in zip(range(steps + warm), workloads.lengths(seed=7, longest=2048)):
        if i == warm:
            torch.cuda.synchronize()
            begun = time.perf_counter()
        workloads.step(model, optimizer, 8, length)
    torch.cuda.synchronize()
    result("train", "steps per second", steps / (time.perf_counter() - begun), "1/s")
    result("train", "live / reserved", tell_peaks("train"), "")
    if LIBRARY:
        stats = LIBRARY.stats()
        result("train", "driver calls", stats["driver_calls"], "")
        result("train", "moved, MiB", stats["moved_bytes"] / MIB, "MiB")


def limit():
    """Within a fixed part of the device, steps grow until one fails; lengths vary meanwhile,
    so that what an allocator cannot put together again is lost to it."""
    total = torch.cuda.mem_get_info()[1]
    torch.cuda.set_per_process_memory_fraction(min(1.0, 16 * 1024 * MIB / total))
    model, optimizer = model_and_optimizer()
    varied = workloads.lengths(seed=11, longest=2048)
    largest = 0
    reset_peaks()
    try:
        for batch in range(2, 6 if QUICK else 200):
            for _ in range(3):
                workloads.step(model, optimizer, batch, next(varied))
            workloads.step(model, optimizer, batch, 1024)
            torch.cuda.synchronize()
            largest = batch * 1024
    except RuntimeError as error:  # OutOfMemoryError is one
        text = str(error)
        print(text)
        if "memory" not in text and "libtarn-torch cannot allocate" not in text:
            raise
    result("limit", "tokens of the largest step", largest, "")
    tell_peaks("limit")


{"pairs": pairs, "train": train, "limit": limit}[WHAT]()
if LIBRARY:
    print(LIBRARY.stats())
