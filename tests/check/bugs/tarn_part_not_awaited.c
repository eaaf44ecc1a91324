// SPDX-License-Identifier: Apache-2.0
// The parts of a function write a block, and another stream reads it. The program counts the parts,
// which orders nothing in a stream.
// EXPECT: ERROR host-race: read of 250 byte(s) at 0x... by tarn_copy on stream 0x... is unordered with the write by tarn_fill on the host
// EXPECT:   earlier access by thread
// EXPECT: write_part

#include "check/support/tarn.h"

#include <sched.h>
#include <stdatomic.h>

enum { PARTS = 4, BYTES = 1000 };

static tarn_device *device;
static tarn_addr block;
static _Atomic unsigned written;

static void write_part(void *arg, uint64_t part) {
    (void)arg;
    must(tarn_fill(device, block + part * (BYTES / PARTS), 1, 1, BYTES / PARTS, TARN_STREAM_NONE));
    (void)atomic_fetch_add(&written, 1);
}

int main(void) {
    device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream one = make_stream(device);
    tarn_stream two = make_stream(device);
    char read[BYTES];
    block = take(pool, BYTES);
    must(tarn_stream_run(one, write_part, NULL, PARTS));
    while (atomic_load(&written) < PARTS) (void)sched_yield();
    must(tarn_copy(device, TARN_ADDR(read), block, BYTES, two));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_pool_free(pool, block));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    end_pool(device, pool);
    return 0;
}
