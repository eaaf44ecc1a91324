# SPDX-License-Identifier: Apache-2.0
"""A client of CUDA's driver that others wrote: the memory part of numba, without kernels."""

import sys
import unittest

import numpy as np
from numba import cuda

MIB = 1 << 20


def free_bytes():
    """Free memory of the device, after numba has freed what it no longer uses."""
    context = cuda.current_context()
    context.memory_manager.deallocations.clear()
    return context.get_memory_info().free


class Memory(unittest.TestCase):
    def test_arrays_come_back_as_they_went(self):
        values = np.arange(1000, dtype=np.float32)
        self.assertTrue((cuda.to_device(values).copy_to_host() == values).all())
        square = cuda.device_array((10, 10))
        square.copy_to_device(np.full((10, 10), 4.0))
        self.assertEqual(square[2:4].copy_to_host().sum(), 80)

    def test_a_stream_orders_both_copies(self):
        stream = cuda.stream()
        with stream.auto_synchronize():
            array = cuda.to_device(np.arange(1000), stream=stream)
            back = array.copy_to_host(stream=stream)
        self.assertEqual(back.sum(), 499500)

    def test_free_memory_follows_arrays_to_the_granule(self):
        before = free_bytes()
        array = cuda.device_array(64 * MIB, dtype=np.uint8)
        self.assertEqual(before - free_bytes(), 64 * MIB)
        del array
        self.assertEqual(free_bytes(), before)

    def test_too_much_is_out_of_memory_and_nothing_changes(self):
        before = free_bytes()
        with self.assertRaisesRegex(cuda.cudadrv.driver.CudaAPIError, "CUDA_ERROR_OUT_OF_MEMORY"):
            cuda.device_array(1 << 40, dtype=np.uint8)
        self.assertEqual(free_bytes(), before)

    def test_pinned_mapped_and_managed_arrays(self):
        for make in cuda.pinned_array, cuda.mapped_array, cuda.managed_array:
            array = make(100)
            array[:] = 5
            self.assertEqual(array.sum(), 500)

    def test_events_measure_time(self):
        start, end = cuda.event(), cuda.event()
        start.record()
        end.record()
        end.synchronize()
        self.assertGreaterEqual(cuda.event_elapsed_time(start, end), 0)

    def test_memory_has_handles_for_other_processes(self):
        self.assertEqual(len(bytes(cuda.to_device(np.arange(5)).get_ipc_handle()._ipc_handle.handle)), 64)

    def test_each_device_has_its_own_context(self):
        with cuda.gpus[1]:
            self.assertEqual(list(cuda.to_device(np.arange(5)).copy_to_host()), [0, 1, 2, 3, 4])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    cuda.close()
    sys.exit(not result.wasSuccessful())
