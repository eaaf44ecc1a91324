# SPDX-License-Identifier: Apache-2.0
"""A program for tests/cli/record_owners.sh, which records it: a line with HOLDER allocates, in the
function that the comment names. Usage: owners.py [LIBRARY], the HIP library to call by ctypes."""

import ctypes
import sys
import threading

import tarn


class Model:
    def __init__(self, pool: tarn.Pool) -> None:
        self.weights = pool.alloc(4096)  # HOLDER __init__
        self.layers = [pool.alloc(1000 + size) for size in range(3)]  # HOLDER __init__

    def forward(self, pool: tarn.Pool) -> tarn.Block:
        return pool.alloc(512)  # HOLDER forward


def use_package() -> None:
    with tarn.Device("host:0,memory=64M") as device, device.pool(limit=8 << 20) as pool:
        model = Model(pool)
        kept = [model.forward(pool) for _ in range(2)]
        thread = threading.Thread(target=lambda: kept.append(pool.alloc(300)))  # HOLDER <lambda>
        thread.start()
        thread.join()
        plain = device.alloc(64)  # HOLDER use_package
        for block in kept + model.layers + [model.weights, plain]:
            block.close()


def use_face(path: str) -> None:
    hip = ctypes.CDLL(path)
    block = ctypes.c_void_p()
    if hip.hipMalloc(ctypes.byref(block), ctypes.c_size_t(1 << 20)) != 0:  # HOLDER use_face
        sys.exit("hipMalloc failed")
    hip.hipFree(block)


if len(sys.argv) > 1:
    use_face(sys.argv[1])
else:
    use_package()
