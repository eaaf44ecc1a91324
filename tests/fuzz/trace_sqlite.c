// SPDX-License-Identifier: Apache-2.0
// Any bytes as an SQLite database: the reader refuses them or builds a sound trace.
#include "unit/trace/sound.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    if (size < 16 || memcmp(data, "SQLite format 3", 16) != 0) return 0;
    if (tn_trace_read_memory("fuzz", data, size, &limits, &trace) == TARN_OK) {
        sound_trace(&trace);
        tn_trace_release(&trace);
    }
    return 0;
}
