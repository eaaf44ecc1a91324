// SPDX-License-Identifier: Apache-2.0
// A pool of the program states what was requested and what it occupies. It keeps its own data in a
// header before each block, and blocks grow into their slack.
// OPTIONS: --canary=16 --fill

#include "check/support/tarn.h"

enum { HEADER = 16, SLOT = 1024 };

static char memory[64 * SLOT];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "slots"));
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 64; i++) {
            char *slot = memory + (size_t)i * SLOT;
            memset(slot, (int)i, HEADER);
            must(tarn_annotate_region_begin_with(REGION_OF(TARN_ADDR(slot + HEADER), 500 + i,
                                                           SLOT - HEADER, TARN_STREAM_NONE, NULL)));
            memset(slot + HEADER, 0, 500 + i);
        }
        must(tarn_annotate_region_resize(base + HEADER, SLOT - HEADER));
        memset(memory + HEADER, 0, SLOT - HEADER);
        for (unsigned i = 0; i < 64; i++)
            must(tarn_annotate_region_end(base + i * SLOT + HEADER, TARN_STREAM_NONE));
    }
    must(tarn_annotate_heap_end(base));
    return 0;
}
