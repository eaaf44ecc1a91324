// SPDX-License-Identifier: Apache-2.0
// Devices that are mere numbers have blocks at the same addresses, and the host has memory of its own.
#include "check/support/tarn.h"

int main(void) {
    static char own[4096];
    tarn_device *devices[2] = {NULL, NULL};
    tarn_addr memory[2] = {0, 0};
    must(tarn_device_open("sim:0", &devices[0]));
    must(tarn_device_open("sim:0,memory=1G", &devices[1]));
    for (int i = 0; i < 2; i++) {
        must(tarn_memory_alloc(devices[i], 65536, &memory[i]));
        must(tarn_annotate_heap_begin(memory[i], 65536, "numbers"));
        must(tarn_annotate_region_begin(memory[i], 4096, "block"));
    }
    must(tarn_annotate_region_begin(TARN_ADDR(own), sizeof own, "host"));
    must(tarn_annotate_region_end(TARN_ADDR(own), TARN_STREAM_NONE));
    for (int i = 0; i < 2; i++) {
        must(tarn_annotate_region_end(memory[i], TARN_STREAM_NONE));
        must(tarn_annotate_heap_end(memory[i]));
        must(tarn_memory_free(memory[i], 0));
        must(tarn_device_close(devices[i]));
    }
    return 0;
}
