// SPDX-License-Identifier: Apache-2.0
// A library states the rule of memory that it hands out, and a heap in it breaks the rule, also on a device
// whose addresses are mere numbers.
// EXPECT: ERROR placement-start: R... [0x...,+16) begins 16 byte(s) behind a multiple of 64, which its heap requires
// EXPECT:     ... main .../tarn_rule_of_memory.c:27
// EXPECT: ERROR placement-start: R... [0x1...,+16) begins 16 byte(s) behind a multiple of 64, which its heap requires
// EXPECT:     ... main .../tarn_rule_of_memory.c:28
#include "check/support/tarn.h"

static void divide(const char *name) {
    tarn_device *device = NULL;
    tarn_addr memory = 0;
    tarn_rule rule;
    must(tarn_device_open(name, &device));
    must(tarn_memory_alloc(device, 65536, &memory));
    must(tarn_rule_find("aclrtMalloc", &rule));
    must(tarn_annotate_rule(memory, &rule));
    must(tarn_annotate_heap_begin(memory + 4096, 4096, "part"));
    must(tarn_annotate_region_begin(memory + 4096 + 16, 16, "misplaced"));
    must(tarn_annotate_heap_reset(memory + 4096));
    must(tarn_annotate_heap_end(memory + 4096));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
}

int main(void) {
    divide("host:0");
    divide("sim:0");
    return 0;
}
