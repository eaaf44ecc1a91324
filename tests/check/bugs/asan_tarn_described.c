// SPDX-License-Identifier: Apache-2.0
// A plain store behind plain memory. Tarn adds the block, the call that allocated it, and what the thread runs.
// RUN: plain
// EXPECT: ERROR: AddressSanitizer: use-after-poison
// EXPECT: WRITE of size 1
// EXPECT: asan_tarn_described.c:26
// EXPECT: tarn: 0x... is 4 bytes behind the block of 100 bytes at 0x... (device memory)
// EXPECT: tarn: tarn_memory_alloc allocated the block:
// EXPECT: asan_tarn_described.c:24
// EXPECT: tarn: the thread runs step 3

#include "check/support/tarn.h"

static int step;

static void describe(char *text, size_t size) { (void)snprintf(text, size, "step %d", step); }

int main(void) {
    tarn_device *device = open_device();
    tarn_addr addr = 0;
    tarn_annotate_describe_by(describe);
    step = 3;

    must(tarn_memory_alloc(device, 100, &addr));
    volatile char *bytes = (volatile char *)(uintptr_t)addr;
    bytes[104] = 1;
    must(tarn_memory_free(addr, 0));
    return 0;
}
