# SPDX-License-Identifier: Apache-2.0
"""RMM (and so cuDF, cuML and others of RAPIDS) on Tarn's pools.

    import rmm_tarn
    library = rmm_tarn.install()

RMM's callback resource calls Python functions, which call the same two symbols as PyTorch. That
costs a few microseconds for each block.
"""

import sys

import tarn_plugin


def handle_of(stream):
    """Returns the vendor's handle of the stream that RMM passes to its callbacks. Versions of RMM
    pass different types, and older ones pass none."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for name in ("ptr", "handle", "value"):
        handle = getattr(stream, name, None)
        if handle is not None:
            return handle() if callable(handle) else handle
    if stream.is_default():
        return 0
    raise TypeError("rmm_tarn: this RMM does not tell the handle of its streams")


def callbacks(device=0):
    """Returns the two functions of a callback resource, for one device."""
    library = tarn_plugin.load()

    def allocate(size, stream=None):
        return library.malloc(size, device, handle_of(stream))

    def deallocate(block, size, stream=None):
        library.free(block, size, device, handle_of(stream))

    return allocate, deallocate


def install(device=0):
    """Makes Tarn RMM's resource of the current device, which is `device`. Returns the library, for
    statistics."""
    import rmm

    rmm.mr.set_current_device_resource(rmm.mr.CallbackMemoryResource(*callbacks(device)))
    return tarn_plugin.load()


def main():
    try:
        import rmm
    except ImportError:
        sys.exit("rmm_tarn: RMM is not installed")
    library = install()
    buffers = [rmm.DeviceBuffer(size=size) for size in (1000, 10**6, 10**8)]
    print(f"{len(buffers)} buffers; {tarn_plugin.describe(library.stats())}")
    del buffers


if __name__ == "__main__":
    main()
