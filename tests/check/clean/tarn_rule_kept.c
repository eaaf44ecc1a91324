// SPDX-License-Identifier: Apache-2.0
// A heap states its rule and keeps it to the last byte; another one cancels the rule of its memory.
#include "check/support/tarn.h"

enum { COUNT = 5, BYTES = 1376 };

int main(void) {
    static const uint64_t lengths[COUNT] = {1, 31, 32, 33, 1000};
    tarn_device *device = open_device();
    tarn_addr memory = 0, at;
    tarn_rule rule;
    must(tarn_rule_get(TARN_RULE_ACL, &rule));
    must(tarn_memory_alloc(device, BYTES, &memory));
    must(tarn_annotate_rule(memory, &rule));
    must(tarn_annotate_heap_begin(memory, BYTES, "segments"));
    at = memory;
    for (int i = 0; i < COUNT; i++) {
        uint64_t occupied = 0;
        must(tarn_rule_occupied(&rule, lengths[i], &occupied));
        must(tarn_annotate_region_begin_with(
            REGION_OF(at, lengths[i], occupied, TARN_STREAM_NONE, NULL)));
        at = (at + occupied + rule.start - 1) / rule.start * rule.start;
    }
    must(tarn_annotate_heap_reset(memory));
    must(tarn_annotate_rule(memory, NULL));
    must(tarn_annotate_region_begin(memory + 1, 100, "anywhere"));
    must(tarn_annotate_region_begin(memory + 101, BYTES - 101, "behind it"));
    must(tarn_annotate_heap_reset(memory));
    must(tarn_annotate_heap_end(memory));
    must(tarn_annotate_rule(memory + 16, &rule)); /* no heap and no memory begins there */
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
