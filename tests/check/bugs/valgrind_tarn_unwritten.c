// SPDX-License-Identifier: Apache-2.0
// A condition on bytes of a new block that nobody wrote, beside a queued host function that uses
// another block.
// RUN: valgrind
// EXPECT: Conditional jump or move depends on uninitialised value(s)
// EXPECT: main (valgrind_tarn_unwritten.c

#include <sched.h>
#include <stdatomic.h>

#include "check/support/tarn.h"

static void wait_for(void *arg) {
    while (!atomic_load((atomic_int *)arg)) sched_yield();
}

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream stream = make_stream(device);
    atomic_int open = 0;
    tarn_addr used = 0, fresh = 0;

    must(tarn_pool_alloc(pool, 256, stream, &used));
    must(tarn_stream_call(stream, wait_for, &open));
    must(tarn_pool_alloc(pool, 256, stream, &fresh));
    if (*(volatile int *)(uintptr_t)fresh == 7) puts("seven");
    atomic_store(&open, 1);
    must(tarn_pool_free(pool, used));
    must(tarn_pool_free(pool, fresh));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
