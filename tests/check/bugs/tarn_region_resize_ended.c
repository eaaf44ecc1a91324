// SPDX-License-Identifier: Apache-2.0
// A pool of the program resizes and protects a block that it has freed.
// EXPECT: ERROR use-after-free: region R1 [0x...,+1000) resized after its end
// EXPECT:   is 0 byte(s) inside freed region R1 ...
// EXPECT: ERROR use-after-free: region R1 [0x...,+1000) given permissions after its end
// EXPECT: ERROR invalid-free: 0x... resized is in no region

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin(base, 1000, "entry"));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_region_resize(base, 2000));
    must(tarn_annotate_permission(base, 1000, TARN_ANNOTATE_READ));
    must(tarn_annotate_region_resize(base + 8192, 2000));
    must(tarn_annotate_heap_end(base));
    return 0;
}
