// SPDX-License-Identifier: Apache-2.0
// The driver copies to a released reservation after the next one has got its memory.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by cuMemcpyHtoD_v2, in a mapping of 2097152 byte(s) at 0x... that was unmapped

#include "check/support/cuda.h"

static CUdeviceptr map_anew(CUmemGenericAllocationHandle handle) {
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr at = 0;
    must_drive(cuMemAddressReserve(&at, PAGE, 0, 0, 0));
    must_drive(cuMemMap(at, PAGE, 0, handle, 0));
    must_drive(cuMemSetAccess(at, PAGE, &access, 1));
    return at;
}

static void end_name(CUdeviceptr at) {
    must_drive(cuMemUnmap(at, PAGE));
    must_drive(cuMemAddressFree(at, PAGE));
}

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemGenericAllocationHandle handle = 0;
    const char bytes[64] = {1};
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    CUdeviceptr old = map_anew(handle);
    end_name(old);
    CUdeviceptr now = map_anew(handle);
    (void)cuMemcpyHtoD(old, bytes, sizeof bytes);
    end_name(now);
    must_drive(cuMemRelease(handle));
    return 0;
}
