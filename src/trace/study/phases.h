// SPDX-License-Identifier: Apache-2.0
// The phases of a device, from its marks. The caller owns them. Constant once made, so any thread
// may read them.
#pragma once

#include "trace/scratch.h"
#include "trace/trace.h"

struct tn_phase_span {
    uint32_t name;   // text
    uint32_t begin;  // moment of its mark
    uint32_t end;    // moment of its end, or of the next mark if no phase of the device has an end
    uint32_t parent; // number of the phase around it plus 1, or 0
};

struct tn_phases {
    struct tn_phase_span *spans; // by rising begin
    size_t count;
    uint32_t *at; // by moment: number of the innermost phase plus 1, or 0
    struct tn_scratch memory;
};

// Lists the phases of a device. If a phase of a recording with ends has none itself, it lasts to
// the end of the recording if no later one has its name, and else it is left out. Fails with
// NO_HOST_MEMORY.
tarn_status tn_phases_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           struct tn_phases *phases);
void tn_phases_release(struct tn_phases *phases);
