// SPDX-License-Identifier: Apache-2.0
// A block sleeps without its contents, and is read after it woke up: on a device whose memory the CPU can
// reach, and on a simulated one.
// OPTIONS: --uninitialised=strict
// EXPECT: ERROR uninitialised-read: ... byte(s) at 0x... never written since the contents of R... were discarded, read by tarn_copy
// EXPECT:     ... read_discarded .../tarn_discarded_read.c:
// EXPECT: ERROR uninitialised-read: ... byte(s) at 0x... never written since the contents of R... were discarded, read by tarn_copy

#include "check/support/tarn.h"

enum { BYTES = 4 << 20, TAG = 5 };

static void read_discarded(const char *name, tarn_addr to) {
    tarn_device *device = NULL;
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr block = 0;
    must(tarn_device_open(name, &device));
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    request.bytes = BYTES;
    request.tag = TAG;
    must(tarn_pool_alloc_with(pool, &request, &block));
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_pool_sleep(pool, TAG, TARN_POOL_DISCARD, NULL));
    must(tarn_pool_wake(pool, TAG));
    (void)tarn_copy(device, to != 0 ? to : block + 4096, block, 64, TARN_STREAM_NONE);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
}

int main(void) {
    static char out[64];
    read_discarded("host:0,memory=256M", TARN_ADDR(out));
    read_discarded("sim:0", 0);
    return 0;
}
