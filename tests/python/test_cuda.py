# SPDX-License-Identifier: Apache-2.0
"""The package where Tarn's face of CUDA is active: its devices and memory are CUDA's."""

import os
import pathlib
import subprocess
import sys

import pytest

FACE = pathlib.Path(os.environ["TARN_LIBRARY"]).parent / "tarn/cuda/libcuda.so.1"

pytestmark = pytest.mark.skipif(not FACE.exists(), reason="the face of CUDA is not built")


def run_on_face(program):
    """Runs a program in Python, which must print what its last line asserts."""
    command = [os.environ["TARN_COMMAND"], "run", "--as", "cuda", "--compat", "12"]
    device = ["--device", "host:0,devices=2,memory=1G"]
    done = subprocess.run(
        [*command, *device, "--", sys.executable, "-c", program], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "done\n")


def test_memory_has_cudas_device_types():
    run_on_face(
        "import tarn\n"
        "with tarn.Device('cuda:0') as device, device.alloc(64) as memory, \\\n"
        "        device.alloc_host(64) as host, device.sibling(1) as other, \\\n"
        "        other.alloc(64) as theirs:\n"
        "    assert device.backend == 'cuda' and other.ordinal == 1\n"
        "    assert memory.__dlpack_device__() == (2, 0) and theirs.__dlpack_device__() == (2, 1)\n"
        "    assert host.__dlpack_device__() == (3, 0)\n"
        "    assert memory.__cuda_array_interface__['data'] == (memory.address, False)\n"
        "print('done')\n"
    )


def test_the_driver_knows_the_memory():
    run_on_face(
        "import ctypes, tarn\n"
        "cuda = ctypes.CDLL('libcuda.so.1')\n"
        "context, kind, bytes = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_size_t()\n"
        "with tarn.Device('cuda:0') as device, device.alloc(4 << 20) as memory:\n"
        "    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0\n"
        "    assert cuda.cuCtxSetCurrent(context) == 0\n"
        "    address = ctypes.c_uint64(memory.address)\n"
        "    assert cuda.cuPointerGetAttribute(ctypes.byref(kind), 2, address) == 0\n"
        "    assert kind.value == 2\n"
        "    assert cuda.cuMemGetAddressRange_v2(None, ctypes.byref(bytes), address) == 0\n"
        "    assert bytes.value == 4 << 20\n"
        "    assert cuda.cuMemsetD8_v2(address, ctypes.c_ubyte(7), ctypes.c_size_t(8)) == 0\n"
        "    assert memory.read(9) == bytearray(8 * [7] + [0])\n"
        "print('done')\n"
    )


def test_numba_takes_the_memory():
    try:
        subprocess.run([sys.executable, "-c", "import numba"], check=True, capture_output=True)
    except subprocess.CalledProcessError:
        pytest.skip("needs python3-numba")
    run_on_face(
        "import numpy, tarn\n"
        "from numba import cuda\n"
        "with tarn.Device('cuda:0') as device, device.alloc(64) as memory:\n"
        "    memory.write(b'from tarn')\n"
        "    array = cuda.as_cuda_array(memory)\n"
        "    assert array.copy_to_host()[:9].tobytes() == b'from tarn'\n"
        "    array[5:9].copy_to_device(numpy.frombuffer(b'numb', numpy.uint8))\n"
        "    assert memory.read(9) == b'from numb'\n"
        "    del array\n"
        "print('done')\n"
    )
