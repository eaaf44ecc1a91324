# SPDX-License-Identifier: Apache-2.0
"""libtarn-torch.so from Python: its path, its functions with their types, its statistics.

Needs only Python. torch_tarn.py, cupy_tarn.py and rmm_tarn.py connect it to the frameworks.
docs/torch.md explains the environment variables.

    library = tarn_plugin.load()
    block = library.malloc(1 << 20)           # device 0, its default stream
    print(library.stats()["held_bytes"])
    library.free(block)
"""

import ctypes
import json
import os
import sys
import sysconfig
import tempfile

NAME = "libtarn-torch.so"


def find():
    """Returns the path of the library: TARN_TORCH_LIBRARY, else that in an installed or built tree,
    else the name alone, which the loader looks up."""
    wish = os.environ.get("TARN_TORCH_LIBRARY")
    if wish:
        return wish
    here = os.path.dirname(os.path.abspath(__file__))
    # PREFIX/share/tarn/python, or examples/python of the source tree.
    debian = f"../../../lib/{sysconfig.get_config_var('MULTIARCH')}/tarn/plugin"
    for way in ("../../../lib/tarn/plugin", "../../../lib64/tarn/plugin", debian, "../../build/lib"):
        path = os.path.normpath(os.path.join(here, way, NAME))
        if os.path.exists(path):
            return path
    return NAME


class Library:
    """The opened library. Functions that fail raise OSError or MemoryError, after a line on
    standard error with the reason."""

    def __init__(self, path=None):
        self.path = path or find()
        try:
            self.dll = ctypes.CDLL(self.path)
        except OSError as error:
            raise OSError(
                f"{error}: set TARN_TORCH_LIBRARY to the path of {NAME}"
            ) from None
        p, i, n = ctypes.c_void_p, ctypes.c_int, ctypes.c_ssize_t
        u64 = ctypes.c_uint64
        self._declare("tarn_torch_malloc", p, n, i, p)
        self._declare("tarn_torch_free", None, p, n, i, p)
        self._declare("tarn_torch_record_stream", None, p, p)
        self._declare("tarn_torch_memory_fraction", None, ctypes.c_double, i)
        self._declare("tarn_torch_reset", None)
        self._declare("tarn_torch_on_refusal", None, p)
        self._declare("tarn_cupy_malloc", p, p, ctypes.c_size_t, i)
        self._declare("tarn_cupy_free", None, p, p, i)
        self._declare("tarn_torch_stats_name", ctypes.c_char_p, ctypes.c_uint)
        self._declare("tarn_torch_reset_peaks", i, i)
        self._declare("tarn_torch_snapshot", i, ctypes.c_char_p)
        self._declare("tarn_torch_snapshot_pickle", i, ctypes.c_char_p)
        self._declare("tarn_torch_trim", i, i, u64, ctypes.POINTER(u64))
        self._declare("tarn_torch_mark", i, i)
        fields = [("size", ctypes.c_size_t)] + [(name, u64) for name in self._names()]
        self._stats = type("Stats", (ctypes.Structure,), {"_fields_": fields})
        self._declare("tarn_torch_stats", i, i, ctypes.POINTER(self._stats))

    def _declare(self, name, result, *arguments):
        function = getattr(self.dll, name)
        function.restype = result
        function.argtypes = arguments

    def _names(self):
        index = 0
        while (name := self.dll.tarn_torch_stats_name(index)) is not None:
            yield name.decode()
            index += 1

    def address(self, symbol):
        """Returns the address of a function, for a framework."""
        return ctypes.cast(getattr(self.dll, symbol), ctypes.c_void_p).value

    def malloc(self, size, device=0, stream=0):
        """Returns the address of a block of `size` bytes. Raises MemoryError on failure."""
        block = self.dll.tarn_torch_malloc(size, device, stream)
        if block is None and size != 0:
            raise MemoryError(f"{size} bytes on device {device}")
        return block or 0

    def free(self, block, size=0, device=0, stream=0):
        self.dll.tarn_torch_free(block, size, device, stream)

    def stats(self, device=0):
        """Returns the statistics of tarn_torch_stats() as a dictionary."""
        stats = self._stats()
        stats.size = ctypes.sizeof(stats)
        self._check(self.dll.tarn_torch_stats(device, ctypes.byref(stats)))
        return {name: getattr(stats, name) for name, _ in self._stats._fields_[1:]}

    def reset_peaks(self, device=0):
        self._check(self.dll.tarn_torch_reset_peaks(device))

    def mark(self, device=-1):
        """A pass begins, such as a step of training, for pools that learn or follow a plan."""
        self._check(self.dll.tarn_torch_mark(device))

    def trim(self, device=-1, keep=0):
        """Releases unused memory to the device. Returns the number of bytes."""
        released = ctypes.c_uint64()
        self._check(self.dll.tarn_torch_trim(device, keep, ctypes.byref(released)))
        return released.value

    def snapshot(self):
        """Returns every pool with its segments and blocks, as tarn_torch_snapshot() writes them."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "snapshot.json")
            self._check(self.dll.tarn_torch_snapshot(path.encode()))
            with open(path, encoding="utf-8") as file:
                return json.load(file)

    def save_snapshot(self, path):
        """Writes every segment and block to a file that pytorch.org/memory_viz opens."""
        self._check(self.dll.tarn_torch_snapshot_pickle(os.fsencode(path)))

    @staticmethod
    def _check(status):
        if status != 0:
            raise OSError(f"libtarn-torch answers with status {status}")


_loaded = None


def load():
    """Returns the one library of this process."""
    global _loaded
    if _loaded is None:
        _loaded = Library()
    return _loaded


def describe(stats):
    """Returns the statistics as one readable line."""
    mib = 1 << 20
    return (
        f"{stats['live_bytes'] / mib:.0f} MiB live, {stats['held_bytes'] / mib:.0f} MiB held "
        f"(peaks {stats['peak_live_bytes'] / mib:.0f} and {stats['peak_held_bytes'] / mib:.0f}), "
        f"{stats['allocs']} allocations by {stats['driver_calls']} calls of the driver"
    )


def main():
    library = load()
    try:
        block = library.malloc(1 << 20)
    except MemoryError as error:  # the library has written the reason
        sys.exit(f"tarn_plugin: no memory: {error}")
    library.free(block)
    device = library.snapshot()["devices"][0]
    print(f"{library.path}: {device['backend']}:{device['ordinal']}, {device['name']}, "
          f"a pool of kind {device['pool']}")
    if device["reason"]:
        print(f"(not {device['asked']}, since {device['reason']})")
    print(describe(library.stats()))


if __name__ == "__main__":
    main()
