// SPDX-License-Identifier: Apache-2.0
// An arena frees all its blocks at once, several times, and is destroyed afterwards.

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "arena"));
    for (int i = 0; i < 3; i++) {
        must(tarn_annotate_region_begin(base, 100, "first"));
        must(tarn_annotate_region_begin(base + 512, 1000, "second"));
        must(tarn_check_write(base + 512, 1000));
        must(tarn_annotate_heap_reset(base));
    }
    must(tarn_annotate_heap_end(base));
    return 0;
}
