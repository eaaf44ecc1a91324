# SPDX-License-Identifier: Apache-2.0
"""CuPy on Tarn's pools.

    import cupy_tarn
    library = cupy_tarn.install()

CuPy does not pass its allocator the stream of an array. install() is for programs that use the
default stream. Arrays of another stream come from an allocator of that stream:

    with stream, cupy.cuda.using_allocator(cupy_tarn.allocator(stream.ptr).malloc):
        ...
"""

import sys

import tarn_plugin


def allocator(stream=0):
    """Returns CuPy's allocator over Tarn for arrays of one stream, which must outlive them."""
    import cupy

    library = tarn_plugin.load()
    return cupy.cuda.CFunctionAllocator(
        stream,
        library.address("tarn_cupy_malloc"),
        library.address("tarn_cupy_free"),
        library,
    )


def install():
    """Makes Tarn CuPy's allocator. Returns the library, for statistics."""
    import cupy

    cupy.cuda.set_allocator(allocator().malloc)
    return tarn_plugin.load()


def main():
    try:
        import cupy
    except ImportError:
        sys.exit("cupy_tarn: CuPy is not installed")
    library = install()
    total = sum(float(cupy.arange(n, dtype=cupy.float32).sum()) for n in (1000, 10**6, 10**7))
    print(f"sum {total:.0f}; {tarn_plugin.describe(library.stats())}")


if __name__ == "__main__":
    main()
