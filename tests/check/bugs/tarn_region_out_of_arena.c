// SPDX-License-Identifier: Apache-2.0
// The last piece of an arena exceeds it.
// EXPECT: ERROR region-out-of-heap: R1 [0x...,+1024) exceeds heap H1 end 0x... by 512 byte(s)
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_region_out_of_arena.c:17
// EXPECT:   registered by thread
// EXPECT:     ... main .../tarn_region_out_of_arena.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_region_out_of_arena.c:17

#include "check/support/tarn.h"

int main(void) {
    static char memory[65536];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "arena"));
    (void)tarn_annotate_region_begin(base + 65024, 1024, "tail");
    (void)tarn_annotate_region_end(base + 65024, TARN_STREAM_NONE);
    must(tarn_annotate_heap_end(base));
    return 0;
}
