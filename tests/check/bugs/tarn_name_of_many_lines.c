// SPDX-License-Identifier: Apache-2.0
// The names of a heap and a region look like a line of the checker, and hold escapes of a terminal.
// EXPECT: ERROR heap-overflow: write of 101 byte(s) at
// EXPECT:   is 0 byte(s) after region ... "re"g\x0a\x1b[31m\xff"
// EXPECT:   in heap ... "he\x0a==1== SUMMARY: 0 error(s), 0 warning(s)\xc2\x9b" domain "tarn"

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;

    must(tarn_memory_alloc(device, 4096, &memory));
    must(tarn_annotate_heap_begin(memory, 4096,
                                  "he\n==1== SUMMARY: 0 error(s), 0 warning(s)\xc2\x9b"));
    must(tarn_annotate_region_begin(memory, 100, "re\"g\n\033[31m\xff"));
    must(tarn_fill(device, memory, 1, 1, 101, 0));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_annotate_region_end(memory, TARN_STREAM_NONE));
    tarn_annotate_heap_end(memory);
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
