// SPDX-License-Identifier: Apache-2.0
// A stream and an event are used after they were destroyed.
// EXPECT: ERROR bad-handle: hipStreamSynchronize with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT: hip_stale_handles.c:
// EXPECT:   allocated by thread
// EXPECT: hipStreamCreate
// EXPECT:   freed by thread
// EXPECT: hipStreamDestroy
// EXPECT: ERROR bad-handle: hipEventQuery with 0x..., which was destroyed

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
    must(hipStreamCreate(&stream));
    must(hipEventCreate(&event));
    must(hipStreamDestroy(stream));
    must(hipEventDestroy(event));
    (void)hipStreamSynchronize(stream);
    (void)hipEventQuery(event);
    return 0;
}
