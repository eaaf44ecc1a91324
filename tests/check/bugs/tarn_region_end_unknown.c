// SPDX-License-Identifier: Apache-2.0
// A pool of the program frees an address that it never handed out, and one inside a block.
// EXPECT: ERROR invalid-free: 0x... ended is in no region
// EXPECT: ERROR invalid-free: 0x... ended is 16 byte(s) inside region R1; not a region start

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin(base, 64, "entry"));
    must(tarn_annotate_region_end(base + 4096, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + 16, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
