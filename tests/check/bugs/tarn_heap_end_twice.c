// SPDX-License-Identifier: Apache-2.0
// A pool of the program is destroyed twice, and one is destroyed that was never made.
// EXPECT: ERROR double-heap-unregister: heap H1 [0x...) ended again; it ended by thread ...
// EXPECT:   in heap H1 ... "cache" ...
// EXPECT:   freed by thread ...
// EXPECT:   first freed by thread ...
// EXPECT:   registered by thread ...
// EXPECT: ERROR bad-heap: tarn_annotate_heap_end: no heap starts at 0x...

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_heap_end(base));
    must(tarn_annotate_heap_end(base));
    must(tarn_annotate_heap_end(base + 4096));
    return 0;
}
