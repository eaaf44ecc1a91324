// SPDX-License-Identifier: Apache-2.0
// A kernel has a gradient as its argument, and another stream clears it completely.
// EXPECT: WARN overlapping-writers: complete block of 4096 byte(s) at 0x... written by tarn_fill on stream 0x..., used as an argument by tarn_check_arguments on stream 0x... without order
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_overlapping_writers.c:23
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../tarn_overlapping_writers.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_overlapping_writers.c:20
// EXIT: 0

#include "check/support/tarn.h"

static void kernel(void *arg) { *(char *)arg = 1; }

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream compute = make_stream(device), clear = make_stream(device);
    tarn_addr gradient = take(pool, 4096);
    must(tarn_stream_call(compute, kernel, (void *)(uintptr_t)gradient));
    tarn_check_arguments(&gradient, sizeof gradient, NULL, compute);
    must(tarn_fill(device, gradient, 0, 1, 4096, clear));
    must(tarn_stream_synchronize(clear, TARN_FOREVER));
    must(tarn_stream_synchronize(compute, TARN_FOREVER));
    must(tarn_pool_free(pool, gradient));
    must(tarn_stream_destroy(compute));
    must(tarn_stream_destroy(clear));
    end_pool(device, pool);
    return 0;
}
