// SPDX-License-Identifier: Apache-2.0
// A plain store runs four bytes over the end of a block of the program's own pool, into the bytes
// that the pool rounded the size up by.
// OPTIONS: --canary=16
// EXPECT: ERROR redzone-damage: 4 byte(s) after region R1 changed before unregister: +0: 00 00 00 00 (expected fb)
// EXPECT:   is 0 byte(s) after region R1 [0x...) size 1000 "entry"
// EXPECT:   allocated by thread ...
// EXPECT:     #0 0x... tarn_annotate_region_begin_with ...

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, TARN_STREAM_NONE, "entry")));
    must(tarn_annotate_region_begin_with(
        REGION_OF(base + 1024, 1024, 1024, TARN_STREAM_NONE, "neighbour")));
    memset(memory, 0, 1004);
    memset(memory + 1024, 0, 1024);
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + 1024, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
