# SPDX-License-Identifier: Apache-2.0
"""Records what PyTorch's allocator is asked by real work, for `tarn replay`: record.py DIR [quick].
Snapshots with history, compressed, without stacks, so that no path of the machine is in them."""

import gzip
import os
import pickle
import sys

import torch

import workloads

OUT = sys.argv[1]
QUICK = len(sys.argv) > 2


def train(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _, length in zip(range(3 if QUICK else 40), workloads.lengths(seed=3, longest=4096)):
        workloads.step(model, optimizer, 8, length)


def adapters(model):
    workloads.adapt(model)
    learning = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=1e-4)
    for _, length in zip(range(3 if QUICK else 40), workloads.lengths(seed=4, longest=8192)):
        workloads.step(model, optimizer, 8, length)


def generation(model):
    workloads.generate(model, seed=5, requests=4 if QUICK else 40, longest=2048)


def strip(snapshot):
    """Leaves out everything that names files or says nothing to a replay."""
    for segment in snapshot["segments"]:
        segment.pop("frames", None)
        for block in segment["blocks"]:
            block.pop("frames", None)
            block.pop("history", None)
    for device in snapshot["device_traces"]:
        for event in device:
            event.pop("frames", None)
            event.pop("user_metadata", None)
    return {key: snapshot[key] for key in ("segments", "device_traces")}


def record(name, work):
    torch.cuda.empty_cache()
    torch.cuda.memory._record_memory_history(enabled="all", context=None, max_entries=2_000_000)
    torch.manual_seed(2)
    work(workloads.Transformer(width=2048, depth=16, heads=16).to("cuda"))
    torch.cuda.synchronize()
    snapshot = strip(torch.cuda.memory._snapshot())
    torch.cuda.memory._record_memory_history(enabled=None)
    path = os.path.join(OUT, name + ".pickle.gz")
    with gzip.open(path, "wb", compresslevel=9) as file:
        pickle.dump(snapshot, file, protocol=4)
    events = sum(len(device) for device in snapshot["device_traces"])
    print(f"{path}: {events} events, peak {torch.cuda.max_memory_allocated() >> 20} MiB")
    torch.cuda.reset_peak_memory_stats()


def main():
    record("train-variable", train)
    record("adapters-recompute", adapters)
    record("generate-caches", generation)


if __name__ == "__main__":
    main()
