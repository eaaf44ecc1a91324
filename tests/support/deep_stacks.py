#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a snapshot of PyTorch's kind with deep stacks: deep_stacks.py FILE [EVENTS [cpp]]

A made-up training of a program in Python and C++, or in C++ alone, where the owners have templates too. Each step allocates the activations of its layers, frees them in the
backward pass and empties the allocator's cache now and then. Each stack has 60 to 120 calls, whose names are long and
have templates: a few in Python, and the rest inside them. The same arguments write the same bytes.
"""
import bisect
import pickle
import random
import sys

MIB = 1 << 20
LAYERS = 12
SEGMENT = 20 * MIB


def call(name, filename, line):
    return {"name": name, "filename": filename, "line": line}


def kernel_calls(name, depth):
    """The calls inside a call of the program, the innermost first, in a library without debug information."""
    types = ["float", "half", "tensor::Layout<3, tensor::RowMajor>", "std::complex<double>", "tensor::Strided<int64_t, 4>"]
    made = []
    for level in range(depth):
        inner = ", ".join(types[(level + i) % len(types)] for i in range(1 + level % 4))
        made.append(call(
            f"dispatch::wrapped::Caller<tensor::Tensor (tensor::Tensor const&, std::vector<{inner}, std::allocator<{inner}>>), "
            f"&kernels::{name}_{level % 7}, true>::operator()(dispatch::Keys, tensor::Tensor const&) const",
            f"/src/framework/dispatch/wrapped_{level % 9}.hpp", 0))
    return made


def program_calls(*names):
    """The calls of the program in Python."""
    files = {"train.py": "/srv/story/train.py", "model.py": "/srv/story/model.py",
             "optimizer.py": "/srv/story/optimizer.py"}
    return [call(name, files[file], line) for name, file, line in names]


def translated(calls):
    """The same calls in C++, with a template for each."""
    return [call(f"story::Trainer<story::Precision<float, {len(each['name'])}>, story::Schedule<std::ratio<1, {each['line']}>>>::"
                 f"{each['name'].strip('<>')}<std::vector<story::Layer>, story::Options<true, false>>(story::Context&)",
                 each["filename"].replace(".py", ".cpp"), each["line"]) for each in calls]


class Stacks:
    """Stacks by kind and layer. Equal ones are one object, so that the file stays small."""

    def __init__(self, translate):
        self.made, self.translate = {}, translate

    def get(self, kind, layer):
        if (kind, layer) not in self.made:
            outer = program_calls(("main", "train.py", 88), ("<module>", "train.py", 120))
            inner = {
                "weight": program_calls(("build", "model.py", 20 + layer)),
                "attention": program_calls(("attention", "model.py", 61), ("block_with_a_very_long_name_that_says_what_it_does",
                                                                           "model.py", 33), ("forward", "model.py", 97)),
                "mlp": program_calls(("mlp", "model.py", 74), ("block_with_a_very_long_name_that_says_what_it_does", "model.py",
                                                               35), ("forward", "model.py", 97)),
                "scratch": program_calls(("softmax", "model.py", 58), ("attention", "model.py", 60), ("forward", "model.py", 97)),
                "gradient": program_calls(("backward", "train.py", 41)),
                "state": program_calls(("step", "optimizer.py", 48)),
            }[kind]
            self.made[kind, layer] = kernel_calls(kind, 60 + 7 * layer % 57) + self.translate(inner + outer)
        return self.made[kind, layer]


class Allocator:
    """Best fit in segments of whole 2 MiB pages, with the events that PyTorch's allocator records."""

    def __init__(self):
        self.events, self.time, self.next_address = [], 1_700_000_000_000_000, 0x7f2000000000
        self.segments = {}  # address: [bytes, stream, frames]
        self.free_by_size = {0: [], 7: []}  # for each stream [bytes, address], sorted
        self.free_at, self.free_end, self.live = {}, {}, {}
        self.owner = {}  # the segment of each address of a block or a free piece

    def note(self, action, address, size, stream, frames):
        self.time += 3 + len(self.events) % 5
        self.events.append({"action": action, "addr": address, "size": size, "stream": stream, "frames": frames,
                            "time_us": self.time})

    def add_free(self, address, size, stream):
        self.free_at[address], self.free_end[address + size] = size, address
        bisect.insort(self.free_by_size[stream], [size, address])

    def drop_free(self, address, stream):
        size = self.free_at.pop(address)
        del self.free_end[address + size]
        pieces = self.free_by_size[stream]
        del pieces[bisect.bisect_left(pieces, [size, address])]
        return size

    def alloc(self, size, stream, frames):
        rounded = -(-size // 512) * 512
        pieces = self.free_by_size[stream]
        at = bisect.bisect_left(pieces, [rounded, 0])
        if at == len(pieces):
            total = max(SEGMENT, -(-rounded // (2 * MIB)) * 2 * MIB)
            address, self.next_address = self.next_address, self.next_address + total + 2 * MIB
            self.segments[address] = [total, stream, frames]
            self.note("segment_alloc", address, total, stream, frames)
            self.owner[address] = address
            self.add_free(address, total, stream)
        else:
            address = pieces[at][1]
        total = self.drop_free(address, stream)
        segment = self.owner[address]
        if total > rounded:
            self.owner[address + rounded] = segment
            self.add_free(address + rounded, total - rounded, stream)
        self.live[address] = (rounded, size, stream, frames)
        self.note("alloc", address, size, stream, frames)
        return address

    def free(self, address, frames):
        rounded, size, stream, _ = self.live.pop(address)
        self.note("free_requested", address, size, stream, frames)
        self.note("free_completed", address, size, stream, frames)
        segment, end = self.owner[address], address + rounded
        if end in self.free_at and self.owner[end] == segment:
            del self.owner[end]
            rounded += self.drop_free(end, stream)
        if address in self.free_end and self.owner[self.free_end[address]] == segment:
            before = self.free_end[address]
            del self.owner[address]
            rounded += self.drop_free(before, stream)
            address = before
        self.add_free(address, rounded, stream)

    def empty_cache(self, frames):
        for address, (total, stream, _) in sorted(self.segments.items()):
            if self.free_at.get(address) == total:
                self.drop_free(address, stream)
                del self.segments[address], self.owner[address]
                self.note("segment_free", address, total, stream, frames)

    def state(self):
        segments = []
        for start, (total, stream, frames) in sorted(self.segments.items()):
            blocks, at = [], start
            while at < start + total:
                rounded, size, _, where = self.live.get(at, (self.free_at.get(at), 0, 0, []))
                blocks.append({"address": at, "size": rounded, "requested_size": size, "frames": where,
                               "state": "active_allocated" if at in self.live else "inactive"})
                at += rounded
            active = sum(block["size"] for block in blocks if block["requested_size"] > 0)
            segments.append({"device": 0, "address": start, "total_size": total, "stream": stream, "segment_type": "large",
                             "segment_pool_id": (0, 0), "is_expandable": False, "frames": frames, "blocks": blocks,
                             "allocated_size": active, "active_size": active, "requested_size": active})
        return segments


def train(events, translate):
    random.seed(7)
    stacks, memory, phases = Stacks(translate), Allocator(), []

    def phase(name, stage):
        phases.append({"name": name, "stage": stage, "device": 0, "time_us": memory.time + 1})

    for layer in range(LAYERS):
        memory.alloc((6 + layer % 3) * MIB + 8192, 0, stacks.get("weight", layer))
    step = 0
    while len(memory.events) < events:
        phase(f"step {step}", "START")
        length = random.choice((1, 2, 3, 4))
        held = []
        phase("forward", "START")
        for layer in range(LAYERS):
            scratch = memory.alloc(length * length * 3 * MIB + 4096, 7 if layer % 4 == 3 else 0, stacks.get("scratch", layer))
            held.append((memory.alloc(length * 6 * MIB, 0, stacks.get("attention", layer)), layer))
            for _ in range(4):
                held.append((memory.alloc(length * 64000 * random.randint(1, 60), 0, stacks.get("mlp", layer)), layer))
            memory.free(scratch, stacks.get("scratch", layer))
        phase("forward", "END")
        phase("backward", "START")
        gradients = []
        for address, layer in reversed(held):
            if len(gradients) < LAYERS - layer:
                gradients.append(memory.alloc((6 + layer % 3) * MIB, 0, stacks.get("gradient", layer)))
            memory.free(address, stacks.get("gradient", layer))
        phase("backward", "END")
        phase("optimizer", "START")
        for layer, address in enumerate(gradients):
            if step == 0:
                memory.alloc((6 + layer % 3) * 2 * MIB, 0, stacks.get("state", layer))
            memory.free(address, stacks.get("state", layer))
        phase("optimizer", "END")
        if step % 3 == 2:
            memory.empty_cache(stacks.get("state", 0))
        phase(f"step {step}", "END")
        step += 1
    return {"segments": memory.state(), "device_traces": [memory.events], "allocator_settings": {},
            "external_annotations": phases}


def main():
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 2400
    translate = translated if sys.argv[3:] == ["cpp"] else list
    with open(sys.argv[1], "wb") as file:
        pickle.dump(train(events, translate), file, protocol=4)


if __name__ == "__main__":
    main()
