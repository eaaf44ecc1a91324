# SPDX-License-Identifier: Apache-2.0
"""PyTorch on Tarn's pools.

Call install() before the first tensor goes to the GPU; from then on Tarn serves all of PyTorch's
device memory:

    import torch_tarn
    library = torch_tarn.install()
    ...
    print(library.stats())

torch.cuda.memory_stats() and the functions that use it (memory_allocated, memory_summary) belong to
PyTorch's own allocator and fail with another one. Use library.stats() instead. Capture of
CUDA graphs needs an allocator that keeps memory private to a graph, and cannot be used.
"""

import ctypes
import os
import sys

import tarn_plugin

# Hooks of PyTorch's pluggable allocator that take plain C functions, and Tarn's functions for them.
# Some versions of PyTorch lack some hooks.
HOOKS = (
    ("set_record_stream_fn", "tarn_torch_record_stream"),
    ("set_memory_fraction_fn", "tarn_torch_memory_fraction"),
    ("set_reset_fn", "tarn_torch_reset"),
)

# c10::detail::torchCheckFail(const char *, const char *, uint32_t, const char *), which throws.
RAISE = "_ZN3c106detail14torchCheckFailEPKcS2_jS2_"


def raise_refusals(torch, library):
    """Makes a failed allocation a RuntimeError in Python. Otherwise PyTorch would use the NULL."""
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    try:
        c10 = ctypes.CDLL(os.path.join(folder, "libc10.so"))
        function = ctypes.cast(getattr(c10, RAISE), ctypes.c_void_p)
    except (OSError, AttributeError):
        print("torch_tarn: this PyTorch has no torchCheckFail: refusals are told on standard "
              "error only", file=sys.stderr)
        return
    library.dll.tarn_torch_on_refusal(function)


def install():
    """Makes Tarn PyTorch's allocator of device memory. Returns the library, for statistics."""
    import torch

    if torch.version.hip:
        os.environ.setdefault("TARN_TORCH_DEVICE", "hip:0")
    library = tarn_plugin.load()
    allocator = torch.cuda.memory.CUDAPluggableAllocator(
        library.path, "tarn_torch_malloc", "tarn_torch_free"
    )
    raw = allocator.allocator()
    for hook, symbol in HOOKS:
        if hasattr(raw, hook):
            getattr(raw, hook)(library.address(symbol))
    raise_refusals(torch, library)
    torch.cuda.memory.change_current_allocator(allocator)
    return library


def main():
    try:
        import torch
    except ImportError:
        sys.exit("torch_tarn: PyTorch is not installed")
    if not torch.cuda.is_available():
        sys.exit("torch_tarn: PyTorch sees no GPU")
    library = install()
    layer = torch.nn.Linear(4096, 4096, device="cuda")
    optimizer = torch.optim.SGD(layer.parameters(), lr=1e-3)
    for step in range(10):
        loss = layer(torch.randn(64 + 32 * step, 4096, device="cuda")).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.cuda.synchronize()
    print(f"loss {loss.item():.4f}; {tarn_plugin.describe(library.stats())}")


if __name__ == "__main__":
    main()
