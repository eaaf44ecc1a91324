// SPDX-License-Identifier: Apache-2.0
// A mapping is removed twice, and later its reservation is freed twice. The address is the same, the
// mistakes are two. Two handles of physical memory are never released.
// EXPECT: ERROR double-free: hipMemUnmap of 0x... again, a mapping of 2097152 byte(s)
// EXPECT: ERROR double-free: hipMemAddressFree of 0x... again, a reservation of 2097152 byte(s)
// EXPECT: ERROR resource-leak: 2 handles of physical memory of 4194304 byte(s) in all
// EXPECT: CAUSES...
// EXPECT:    1. [#1] double-free: hipMemUnmap...
// EXPECT:    2. [#2] double-free: hipMemAddressFree...
// EXPECT:    3. [#3] resource-leak...

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
    const size_t bytes = 2 << 20;
    hipMemAllocationProp prop = {0};
    hipMemGenericAllocationHandle_t handles[2];
    hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    void *range = NULL;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    must(hipMemAddressReserve(&range, bytes, 0, NULL, 0));
    for (int i = 0; i < 2; i++) must(hipMemCreate(&handles[i], bytes, &prop, 0));
    must(hipMemMap(range, bytes, 0, handles[0], 0));
    must(hipMemSetAccess(range, bytes, &access, 1));
    must(hipMemUnmap(range, bytes));
    (void)hipMemUnmap(range, bytes);
    must(hipMemAddressFree(range, bytes));
    (void)hipMemAddressFree(range, bytes);
    return 0;
}
