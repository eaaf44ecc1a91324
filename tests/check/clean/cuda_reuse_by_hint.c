// SPDX-License-Identifier: Apache-2.0
// Half of a released range is reserved again by its address, and the old pointer into it is used.

#include "check/support/cuda.h"

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr range = 0;
    CUdeviceptr half = 0;
    char byte = 0;
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuMemAddressReserve(&range, 4 * PAGE, 0, 0, 0));
    must_drive(cuMemAddressFree(range, 4 * PAGE));
    must_drive(cuMemAddressReserve(&half, 2 * PAGE, 0, range + 2 * PAGE, 0));
    if (half != range + 2 * PAGE) return 1;
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(half, PAGE, 0, handle, 0));
    must_drive(cuMemSetAccess(half, PAGE, &access, 1));
    must_drive(cuMemsetD8(range + 2 * PAGE, 5, PAGE));
    must_drive(cuMemcpyDtoH(&byte, range + 2 * PAGE, 1));
    must_drive(cuMemUnmap(half, PAGE));
    must_drive(cuMemAddressFree(half, 2 * PAGE));
    must_drive(cuMemRelease(handle));
    return byte == 5 ? 0 : 1;
}
