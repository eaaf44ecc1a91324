// SPDX-License-Identifier: Apache-2.0
// An arena takes the rounded size of a block of which fewer bytes were requested.
// EXPECT: NOTE api-size-slack: heap of 1024 byte(s) over a region of which 1000 were requested
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_size_slack.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_size_slack.c:15

#include "check/support/tarn.h"

int main(void) {
    static _Alignas(1024) char memory[65536];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "pool"));
    must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, TARN_STREAM_NONE, "block")));
    must(tarn_annotate_heap_begin(base, 1024, "arena"));
    must(tarn_annotate_heap_end(base));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
