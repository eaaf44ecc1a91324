// SPDX-License-Identifier: Apache-2.0
// A fill writes to a mapping before its access is set. Then the CPU does.
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... by hipMemset, in a mapping of ... byte(s) at 0x... that device 0 may not write; allowed: nothing
// EXPECT:   access by thread
// EXPECT: hipMemset
// EXPECT: hip_missing_right.c:
// EXPECT:   allocated by thread
// EXPECT: hipMemMap
// EXPECT: ERROR permission-violation: write at 0x... by the CPU, instruction 0x..., in a mapping of ... byte(s) at 0x... that the CPU may not write
// EXPECT: hip_missing_right.c:
// EXPECT: was ended by signal 11

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

int main(void) {
    hipMemAllocationProp prop = {0};
    hipMemGenericAllocationHandle_t handle;
    size_t bytes = 0;
    void *addr = NULL;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    must(hipMemGetAllocationGranularity(&bytes, &prop, hipMemAllocationGranularityMinimum));
    must(hipMemAddressReserve(&addr, bytes, 0, NULL, 0));
    must(hipMemCreate(&handle, bytes, &prop, 0));
    must(hipMemMap(addr, bytes, 0, handle, 0));
    (void)hipMemset(addr, 1, 64);
    *(volatile char *)addr = 1;
    return 0;
}
