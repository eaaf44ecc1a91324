// SPDX-License-Identifier: Apache-2.0
// A handle of physical memory is released twice, and one that never was is released.
// EXPECT: ERROR double-free: hipMemRelease of 0x... again, a handle of physical memory of 2097152 byte(s)
// EXPECT:   freed by thread ...
// EXPECT:     ... hipMemRelease ...
// EXPECT:   allocated by thread ...
// EXPECT:     ... hipMemCreate ...
// EXPECT:   first freed by thread ...
// EXPECT:     ... hipMemRelease ...
// EXPECT: ERROR bad-handle: hipMemRelease of 0x1234, which is no handle of physical memory

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
    hipMemGenericAllocationHandle_t handle = NULL;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    must(hipMemCreate(&handle, 2 << 20, &prop, 0));
    must(hipMemRelease(handle));
    (void)hipMemRelease(handle);
    (void)hipMemRelease((hipMemGenericAllocationHandle_t)0x1234);
    return 0;
}
