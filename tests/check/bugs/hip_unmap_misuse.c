// SPDX-License-Identifier: Apache-2.0
// Mappings are removed with a wrong size, at a wrong place, twice, and where there was none. The first
// one begins where its reservation begins.
// EXPECT: ERROR invalid-free: hipMemUnmap of 0x... with 0 byte(s), where a mapping of 2097152 byte(s) begins
// EXPECT:   allocated by thread ...
// EXPECT:     ... hipMemMap ...
// EXPECT: ERROR invalid-free: hipMemUnmap of 0x... with 65536 byte(s), where a mapping of 2097152 byte(s) begins
// EXPECT: ERROR invalid-free: hipMemUnmap of 0x..., which is 65536 byte(s) inside a mapping of 2097152 byte(s)
// EXPECT: ERROR double-free: hipMemUnmap of 0x... again, a mapping of 2097152 byte(s)
// EXPECT:   freed by thread ...
// EXPECT:     ... hipMemUnmap ...
// EXPECT:   allocated by thread ...
// EXPECT:     ... hipMemMap ...
// EXPECT:   first freed by thread ...
// EXPECT:     ... hipMemUnmap ...
// EXPECT: ERROR invalid-free: hipMemUnmap of 0x..., which is 4194304 byte(s) inside a reservation of 8388608 byte(s), where nothing is mapped
// EXPECT: ERROR invalid-free: hipMemAddressFree of 0x... with 2097152 byte(s), where a reservation of 8388608 byte(s) begins
// EXPECT: ERROR double-free: hipMemAddressFree of 0x... again, a reservation of 8388608 byte(s)
// EXPECT: ERROR invalid-free: hipMemUnmap of 0x123456000, which is no mapping

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
    hipMemGenericAllocationHandle_t handle = NULL;
    void *base = NULL;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    must(hipMemAddressReserve(&base, 4 * bytes, 0, NULL, 0));
    must(hipMemCreate(&handle, bytes, &prop, 0));
    must(hipMemMap(base, bytes, 0, handle, 0));
    must(hipMemMap((char *)base + bytes, bytes, 0, handle, 0));

    (void)hipMemUnmap(base, 0);
    (void)hipMemUnmap(base, 65536);
    (void)hipMemUnmap((char *)base + 65536, bytes);
    must(hipMemUnmap(base, 2 * bytes));
    (void)hipMemUnmap(base, bytes);
    (void)hipMemUnmap((char *)base + 2 * bytes, bytes);
    must(hipMemRelease(handle));
    (void)hipMemAddressFree(base, bytes);
    must(hipMemAddressFree(base, 4 * bytes));
    (void)hipMemAddressFree(base, 4 * bytes);
    (void)hipMemUnmap((void *)0x123456000, bytes);
    return 0;
}
