// SPDX-License-Identifier: Apache-2.0
// A stream, an event and a pool are destroyed twice, and a stream that never was once.
// EXPECT: ERROR bad-handle: hipStreamDestroy of 0x..., which names nothing any more
// EXPECT:   freed by thread ...
// EXPECT:     ... hipStreamDestroy ...
// EXPECT: ERROR bad-handle: hipEventDestroy of 0x..., which names nothing any more
// EXPECT: ERROR bad-handle: hipMemPoolDestroy of 0x..., which names nothing any more
// EXPECT: ERROR bad-handle: hipStreamDestroy of 0x1234, which names nothing

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
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    hipMemPool_t pool = NULL;
    hipMemPoolProps props = {0};
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    must(hipStreamCreate(&stream));
    must(hipEventCreate(&event));
    must(hipMemPoolCreate(&pool, &props));
    must(hipStreamDestroy(stream));
    must(hipEventDestroy(event));
    must(hipMemPoolDestroy(pool));
    (void)hipStreamDestroy(stream);
    (void)hipEventDestroy(event);
    (void)hipMemPoolDestroy(pool);
    (void)hipStreamDestroy((hipStream_t)0x1234);
    return 0;
}
