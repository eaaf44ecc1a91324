// SPDX-License-Identifier: Apache-2.0
// See notify.h.
#include "core/work/notify.h"

void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS, .flags = how, .device = executor->device->ordinal,
                    .addr = box->addr, .bytes = box->width, .stream = executor->id, .name = call);
    event.height = box->height;
    event.pitch = box->height > 1 ? box->pitch : 0;
    event.depth = box->depth;
    event.slice_pitch = box->depth > 1 ? box->slice : 0;
    tn_emit_place(executor->device->platform, &event);
    tn_emit(&event);
}
