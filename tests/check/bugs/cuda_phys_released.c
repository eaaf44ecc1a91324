// SPDX-License-Identifier: Apache-2.0
// A handle loses its last mapping after its release, and is mapped and exported again.
// EXPECT: ERROR bad-handle: cuMemMap with 0x..., which was released
// EXPECT:     ... main .../cuda_phys_released.c:
// EXPECT: ERROR bad-handle: cuMemExportToShareableHandle with 0x..., which was released
#include "check/support/cuda.h"

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes =
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    int descriptor = -1;
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuMemAddressReserve(&at, PAGE, 0, 0, 0));
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(at, PAGE, 0, handle, 0));
    must_drive(cuMemRelease(handle));
    must_drive(cuMemUnmap(at, PAGE));
    (void)cuMemMap(at, PAGE, 0, handle, 0);
    (void)cuMemExportToShareableHandle(&descriptor, handle,
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    must_drive(cuMemAddressFree(at, PAGE));
    (void)cudaDeviceReset();
    return 0;
}
