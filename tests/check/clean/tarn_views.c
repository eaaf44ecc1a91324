// SPDX-License-Identifier: Apache-2.0
// Regions that are views of the same bytes, in a program that turns the report off.
// OPTIONS: --overlap=off
#include "check/support/tarn.h"

int main(void) {
    static char memory[4096];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "tensors"));
    must(tarn_annotate_region_begin(base, 1024, "tensor"));
    must(tarn_annotate_region_begin(base + 256, 256, "slice"));
    must(tarn_check_write(base, 1024));
    must(tarn_check_read(base + 256, 256));
    must(tarn_annotate_region_end(base + 256, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
