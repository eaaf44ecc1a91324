# SPDX-License-Identifier: Apache-2.0
"""Writes the memory snapshot of a PyTorch program, without PyTorch and without a GPU.

    python3 sample_snapshot.py FILE [--batch N] [--card GIB] [--steps N] [--leak]

The program trains a small transformer for a few steps on a card of the given size. Its allocator rounds to
512 bytes and gets segments of 2 MiB and 20 MiB, or whole MiB for larger blocks, as PyTorch's does. A request
that does not fit is an event `oom`, after which the program ends. The same arguments give the same file.
"""

import argparse
import pickle
from typing import Any

MIB = 1 << 20
WIDTH, TOKENS, LAYERS, WORDS = 2048, 1024, 16, 32768
BACKWARD = ("torch::autograd::generated::AddmmBackward0::apply(...) ??:0",
            "_engine_run_backward torch/autograd/graph.py:825", "backward torch/_tensor.py:581",
            "train_step train.py:35", "main train.py:54")
START = 1_700_000_000_000_000  # time of the first event, in microseconds since 1970


class Allocator:
    """A caching allocator with best fit, which records what it does. Before it refuses a request it returns
    segments without a live block, as PyTorch's does."""

    def __init__(self, card: int) -> None:
        self.card = card
        self.reserved = 0
        self.free: list[list[int]] = []  # [address, size, segment]
        self.live: dict[int, tuple[int, int, list[dict[str, Any]]]] = {}  # address: size, bytes, frames
        self.segments: list[list[int]] = []  # [address, size]
        self.events: list[dict[str, Any]] = []
        self.annotations: list[dict[str, Any]] = []
        self.clock = START

    def record(self, action: str, **members: Any) -> None:
        self.clock += 20
        self.events.append({"action": action, "stream": 0, "time_us": self.clock, **members})

    def annotate(self, name: str, stage: str) -> None:
        self.annotations.append({"name": name, "stage": stage, "device": 0, "time_us": self.clock + 1})

    def add_segment(self, size: int, frames: list[dict[str, Any]]) -> bool:
        if self.reserved + size > self.card:
            return False
        address = 0x7F00_0000_0000 + (len(self.segments) << 33)
        self.record("segment_alloc", addr=address, size=size, frames=frames)
        self.free.append([address, size, len(self.segments)])
        self.segments.append([address, size])
        self.reserved += size
        return True

    def release_segments(self, frames: list[dict[str, Any]]) -> bool:
        """Returns all segments without a live block to the card."""
        empty = [piece for piece in self.free if piece[1] == self.segments[piece[2]][1]]
        for piece in empty:
            address, size, segment = piece
            self.record("segment_free", addr=address, size=size, frames=frames)
            self.free.remove(piece)
            self.segments[segment][1] = 0
            self.reserved -= size
        return bool(empty)

    def alloc(self, requested: int, frames: list[dict[str, Any]]) -> int:
        size = (requested + 511) // 512 * 512
        small = size <= MIB
        fits = [piece for piece in self.free
                if piece[1] >= size and (self.segments[piece[2]][1] == 2 * MIB) == small]
        if not fits:
            grown = 2 * MIB if small else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
            if not self.add_segment(grown, frames) and not (
                    self.release_segments(frames) and self.add_segment(grown, frames)):
                self.record("oom", device_free=self.card - self.reserved, size=requested, frames=frames)
                raise MemoryError
            fits = [self.free[-1]]
        piece = min(fits, key=lambda piece: (piece[1], piece[0]))
        address = piece[0]
        rest = piece[1] - size
        self.free.remove(piece)
        if rest >= (512 if small else MIB):
            self.free.append([address + size, rest, piece[2]])
        else:
            size += rest
        self.live[address] = (size, requested, frames)
        self.record("alloc", addr=address, size=requested, frames=frames)
        return address

    def release(self, address: int) -> None:
        size, requested, frames = self.live.pop(address)
        self.record("free_requested", addr=address, size=requested, frames=frames)
        self.record("free_completed", addr=address, size=requested, frames=frames)
        segment = next(number for number, (base, length) in enumerate(self.segments)
                       if base <= address < base + length)
        for piece in [piece for piece in self.free if piece[2] == segment]:
            if piece[0] + piece[1] == address or address + size == piece[0]:
                self.free.remove(piece)
                address, size = min(address, piece[0]), size + piece[1]
        self.free.append([address, size, segment])

    def snapshot(self) -> dict[str, Any]:
        segments = []
        for number, (base, length) in enumerate(self.segments):
            if length == 0:
                continue
            blocks = [(address, size, requested, "active_allocated", frames)
                      for address, (size, requested, frames) in self.live.items() if base <= address < base + length]
            blocks += [(address, size, 0, "inactive", []) for address, size, owner in self.free if owner == number]
            active = sum(block[1] for block in blocks if block[3] != "inactive")
            segments.append({
                "device": 0, "address": base, "total_size": length, "allocated_size": active,
                "active_size": active, "requested_size": sum(block[2] for block in blocks), "stream": 0,
                "segment_type": "small" if length == 2 * MIB else "large", "segment_pool_id": (0, 0),
                "is_expandable": False, "frames": [],
                "blocks": [{"address": address, "size": size, "requested_size": requested, "state": state,
                            "frames": frames} for address, size, requested, state, frames in sorted(blocks)],
            })
        return {"segments": segments, "device_traces": [self.events],
                "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": False,
                                       "pinned_use_cuda_host_register": False},
                "external_annotations": self.annotations}


def stack(*calls: str) -> list[dict[str, Any]]:
    """Returns a stack, innermost call first, from calls like `forward model.py:12`."""
    frames = []
    for call in calls:
        name, place = call.split()
        file, line = place.split(":")
        frames.append({"name": name, "filename": file, "line": int(line)})
    return frames


class Training:
    """The program: parameters, then steps of forward, backward and optimizer."""

    def __init__(self, allocator: Allocator, batch: int, leak: bool) -> None:
        self.allocator = allocator
        self.batch = batch
        self.leak = leak
        self.losses: list[int] = []
        sizes = [WORDS * WIDTH] + [4 * WIDTH * WIDTH, 8 * WIDTH * WIDTH] * LAYERS
        self.sizes = [4 * size for size in sizes]  # float32
        self.take(self.sizes, "__init__ model.py:21", "main train.py:12")
        self.moments: list[int] = []

    def take(self, sizes: list[int], *calls: str) -> list[int]:
        return [self.allocator.alloc(size, stack(*calls)) for size in sizes]

    def give(self, blocks: list[int]) -> None:
        for block in blocks:
            self.allocator.release(block)

    def forward(self, length: int) -> list[int]:
        rows = self.batch * length
        kept = []
        for _ in range(LAYERS):
            scores = self.take([4 * self.batch * 16 * length * length], "attention model.py:48", "forward model.py:67",
                               "train_step train.py:31", "main train.py:54")
            kept += self.take([4 * rows * WIDTH, 16 * rows * WIDTH], "mlp model.py:58", "forward model.py:69",
                              "train_step train.py:31", "main train.py:54")
            self.give(scores)
        kept += self.take([4 * rows * WORDS], "logits model.py:75", "train_step train.py:31", "main train.py:54")
        return kept

    def backward(self, kept: list[int], length: int) -> list[int]:
        gradients = []
        rows = self.batch * length
        for number, size in enumerate(self.sizes):
            work = self.take([8 * rows * WIDTH], *BACKWARD)
            gradients += self.take([size], *BACKWARD)
            self.give(work)
            if kept and number > 0:
                self.give([kept.pop()])
        self.give(kept)
        return gradients

    def step(self, number: int) -> None:
        length = TOKENS - 128 * (3 * number % 4)  # the batches differ in length
        self.allocator.annotate(f"step {number}", "START")
        kept = self.forward(length)
        if self.leak:
            self.losses += self.take([64 * MIB], "append train.py:38", "train_step train.py:38", "main train.py:54")
        gradients = self.backward(kept, length)
        self.allocator.annotate("Optimizer.step#AdamW.step", "START")
        if not self.moments:
            self.moments = self.take(self.sizes * 2, "_init_group torch/optim/adamw.py:124",
                                     "step torch/optim/adamw.py:220", "train_step train.py:41", "main train.py:54")
        self.allocator.annotate("Optimizer.step#AdamW.step", "END")
        self.give(gradients)
        self.allocator.annotate(f"step {number}", "END")


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the memory snapshot of a small training program.")
    parser.add_argument("file")
    parser.add_argument("--batch", type=int, default=14, help="sequences in a batch")
    parser.add_argument("--card", type=float, default=22, help="memory of the card in GiB")
    parser.add_argument("--steps", type=int, default=6, help="steps of the training")
    parser.add_argument("--leak", action="store_true", help="keep each step's losses")
    options = parser.parse_args()
    allocator = Allocator(int(options.card * 1024) * MIB)
    try:
        training = Training(allocator, options.batch, options.leak)
        for number in range(options.steps):
            training.step(number)
    except MemoryError:
        print("out of memory")
    with open(options.file, "wb") as file:
        pickle.dump(allocator.snapshot(), file, protocol=4)


if __name__ == "__main__":
    main()
