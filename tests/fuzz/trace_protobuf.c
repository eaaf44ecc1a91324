// SPDX-License-Identifier: Apache-2.0
// Any bytes as a protocol buffer, gzip or plain: a profile of pprof or XPlane, or a dump of BFC.
// The readers refuse them or build a sound trace.
#include "unit/trace/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    if (size == 0 || (data[0] != 0x0a && data[0] != 0x1f)) return 0;
    if (tn_trace_read_memory("fuzz", data, size, &limits, &trace) == TARN_OK) {
        sound_trace(&trace);
        tn_trace_release(&trace);
    }
    return 0;
}
