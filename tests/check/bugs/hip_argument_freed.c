// SPDX-License-Identifier: Apache-2.0
// Kernels are launched with a block of a pool and with plain memory that were freed, and a block is
// freed on another stream while a kernel may use it.
// EXPECT: ERROR use-after-free: argument 0x... of kernel scale (hipExtLaunchHost) on stream 0x... points into freed memory
// EXPECT:   is 64 byte(s) inside freed region
// EXPECT:   access by thread
// EXPECT:     ... launch .../hip_argument_freed.c:50
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_argument_freed.c:59
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_argument_freed.c:60
// EXPECT: ERROR use-after-free: argument 0x... of kernel scale (hipExtLaunchHost) on stream 0x... points into freed memory, in a block of device memory of 8192 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT:     ... launch .../hip_argument_freed.c:50
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_argument_freed.c:64
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_argument_freed.c:65
// EXPECT: ERROR stream-use-after-free: free in order of stream 0x... of 4096 byte(s) at 0x... that kernel scale (hipExtLaunchHost) on stream 0x... may still use
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_argument_freed.c:72
// EXPECT:   earlier access by thread
// EXPECT:     ... launch .../hip_argument_freed.c:50

#include "check/support/hip.h"

struct closure {
    long count; // a number in front of the pointer
    float *values;
};

static hipError_t run(const void *bytes, const hipExtHostBlock *block, const char **why) {
    const struct closure *closure = (const struct closure *)bytes;
    (void)block, (void)why;
    for (long i = 0; i < closure->count; i++) closure->values[i] *= 2;
    return hipSuccess;
}

static void launch(float *values, long count, hipStream_t stream) {
    const struct closure closure = {count, values};
    const hipExtHostLaunch launch = {.kernel = run,
                                     .name = "scale",
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .stream = stream,
                                     .closure = &closure,
                                     .closureBytes = sizeof closure};

    // No element is used, so that nothing else can find the bug.
    must(hipExtLaunchHost(&launch));
}

int main(void) {
    hipStream_t stream = make_stream();
    hipStream_t other = make_stream();
    void *block = NULL;
    void *plain = NULL;
    void *shared = NULL;
    must(hipMallocAsync(&block, 4096, stream));
    must(hipFreeAsync(block, stream));
    launch((float *)block + 16, 0, stream);

    // Large, so that its pages end with it.
    must(hipMalloc(&plain, 8192));
    must(hipFree(plain));
    launch((float *)plain, 0, stream);
    must(hipStreamSynchronize(stream));

    must(hipMallocAsync(&shared, 4096, other));
    must(hipStreamSynchronize(other));
    launch((float *)shared, 0, stream);
    must(hipFreeAsync(shared, other));
    must(hipDeviceSynchronize());
    return 0;
}
