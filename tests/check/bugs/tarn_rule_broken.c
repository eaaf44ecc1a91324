// SPDX-License-Identifier: Apache-2.0
// A program states the rule of its arena, and then places a block at 100, one that occupies less than the
// rule needs, and one in the padding of another.
// EXPECT: ERROR placement-start: R1 [0x...,+10) begins 100 byte(s) behind a multiple of 256, which its heap requires
// EXPECT:     ... main .../tarn_rule_broken.c:19
// EXPECT: ERROR placement-padding: the 1000 byte(s) of R2 [0x...,+1000) need 1280 (rounded up to 256, and 256 more), but it occupies only +1024
// EXPECT:     ... main .../tarn_rule_broken.c:20
// EXPECT: ERROR placement-padding: the 256 byte(s) of R3 [0x...,+256) need 512 (rounded up to 256, and 256 more), but the next live region begins at +256
// EXPECT:     ... main .../tarn_rule_broken.c:23
// EXPECT:     ... main .../tarn_rule_broken.c:22
#include "check/support/tarn.h"

int main(void) {
    static _Alignas(4096) char memory[16384];
    const tarn_rule rule = {256, 256, 256};
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "arena"));
    must(tarn_annotate_rule(base, &rule));
    must(tarn_annotate_region_begin(base + 100, 10, "misplaced"));
    must(tarn_annotate_region_begin_with(
        REGION_OF(base + 1024, 1000, 1024, TARN_STREAM_NONE, "tight")));
    must(tarn_annotate_region_begin(base + 4096, 256, "first"));
    must(tarn_annotate_region_begin(base + 4352, 256, "second"));
    must(tarn_annotate_heap_reset(base));
    must(tarn_annotate_heap_end(base));
    return 0;
}
