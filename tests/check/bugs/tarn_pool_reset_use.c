// SPDX-License-Identifier: Apache-2.0
// All blocks of a pool end at once, and one of them is used behind that.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by tarn_fill
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_pool_reset_use.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_pool_reset_use.c:18
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_pool_reset_use.c:20

#include "check/support/tarn.h"

int main(void) {
    static _Alignas(4096) char memory[65536];
    tarn_device *device = open_device();
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "arena"));
    must(tarn_annotate_region_begin(base, 4096, "activation"));
    must(tarn_fill(device, base, 1, 1, 4096, TARN_STREAM_NONE));
    must(tarn_annotate_heap_reset(base));
    (void)tarn_fill(device, base, 2, 1, 64, TARN_STREAM_NONE);
    must(tarn_annotate_heap_end(base));
    must(tarn_device_close(device));
    return 0;
}
