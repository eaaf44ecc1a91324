// SPDX-License-Identifier: Apache-2.0
// A cache gives a block out again, but does not report the end of its first use.
// EXPECT: ERROR region-overlap: R2 [0x...,+64) overlaps live R1 by 64 byte(s); both begin at the same address
// EXPECT: ERROR leak-in-heap: heap H1 ends with 64 byte(s) in 1 region(s)
// EXPECT:     ... main .../tarn_overlap_lost_end.c:12
#include "check/support/tarn.h"

int main(void) {
    static char memory[4096];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin(base, 64, "first use"));
    must(tarn_annotate_region_begin(base, 64, "second use"));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
