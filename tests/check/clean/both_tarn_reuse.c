// SPDX-License-Identifier: Apache-2.0
// A block is freed and allocated again in the order of its stream while a host function still uses
// its bytes: the function has written them before, and decides by them afterwards.

#include <sched.h>
#include <stdatomic.h>

#include "check/support/tarn.h"

enum { COUNT = 64 };

struct use {
    int *values;
    atomic_int written, again;
    int sum;
};

static void write_and_read(void *arg) {
    struct use *use = arg;
    for (int i = 0; i < COUNT; i++) use->values[i] = i;
    atomic_store(&use->written, 1);
    while (!atomic_load(&use->again)) sched_yield();
    for (int i = 0; i < COUNT; i++)
        if (use->values[i] == i) use->sum += i;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream stream = make_stream(device);
    struct use use = {0};
    tarn_addr first = 0, second = 0;

    must(tarn_pool_alloc(pool, COUNT * sizeof(int), stream, &first));
    use.values = (int *)(uintptr_t)first;
    must(tarn_stream_call(stream, write_and_read, &use));
    while (!atomic_load(&use.written)) sched_yield();
    must(tarn_pool_free(pool, first));
    must(tarn_pool_alloc(pool, COUNT * sizeof(int), stream, &second));
    atomic_store(&use.again, 1);
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    if (second != first || use.sum != COUNT * (COUNT - 1) / 2) return 1;
    must(tarn_pool_free(pool, second));
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
