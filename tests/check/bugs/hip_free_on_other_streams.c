// SPDX-License-Identifier: Apache-2.0
// A free on another stream than that of the allocation is a point of that stream alone: it comes neither after the
// allocation nor after the work of the block's own stream, unless the stream waits for them. Nor does a kernel.
// EXPECT: ERROR use-before-event: free of 4096 byte(s) at 0x... by hipFreeAsync on stream ..., allocated in order of
// EXPECT:     ... main .../hip_free_on_other_streams.c:47
// EXPECT:     ... main .../hip_free_on_other_streams.c:46
// EXPECT: ERROR stream-use-after-free: free in order of ... of 4096 byte(s) at 0x... that hipMemsetAsync on stream ... may still write
// EXPECT:     ... main .../hip_free_on_other_streams.c:53
// EXPECT:     ... main .../hip_free_on_other_streams.c:52
// EXPECT: ERROR use-before-event: use of 4096 byte(s) at 0x... by kernel touch (hipExtLaunchHost) on stream ..., allocated in order of
// EXPECT:     ... main .../hip_free_on_other_streams.c:57
// EXPECT:     ... main .../hip_free_on_other_streams.c:56
// EXPECT: ERROR stream-use-after-free: free in order of ... of 4096 byte(s) at 0x... that kernel touch (hipExtLaunchHost) on stream ... may still use
// EXPECT:     ... main .../hip_free_on_other_streams.c:65
// EXPECT:     ... main .../hip_free_on_other_streams.c:64

#include "check/support/hip.h"

enum { BYTES = 4096 };

static hipError_t touch(const void *closure, const hipExtHostBlock *block, const char **why) {
    (void)closure, (void)block, (void)why;
    return hipSuccess;
}

static void launch(void *block, hipStream_t stream) {
    const hipExtHostLaunch launch = {.kernel = touch,
                                     .name = "touch",
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .stream = stream,
                                     .closure = &block,
                                     .closureBytes = sizeof block};
    must(hipExtLaunchHost(&launch));
}

static void *take(hipStream_t stream) {
    void *block = NULL;
    must(hipMallocAsync(&block, BYTES, stream));
    return block;
}

int main(void) {
    hipStream_t own = make_stream(), other = make_stream();

    void *fresh = take(own);
    must(hipFreeAsync(fresh, other));
    must(hipDeviceSynchronize());

    void *busy = take(own);
    must(hipStreamSynchronize(own));
    must(hipMemsetAsync(busy, 1, BYTES, own));
    must(hipFreeAsync(busy, NULL));
    must(hipDeviceSynchronize());

    void *early = take(own);
    launch(early, other);
    must(hipDeviceSynchronize());
    must(hipFreeAsync(early, own));
    must(hipDeviceSynchronize());

    void *used = take(own);
    must(hipStreamSynchronize(own));
    launch(used, own);
    must(hipFreeAsync(used, other));
    must(hipDeviceSynchronize());
    must(hipStreamDestroy(own));
    must(hipStreamDestroy(other));
    return 0;
}
