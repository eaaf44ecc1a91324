// SPDX-License-Identifier: Apache-2.0
// See notify.h. Also registers the locks of the subscribers for fork().
#include "core/platform/notify.h"

#include "core/platform/fork.h"

TN_ON_FORK(subscribers, .rank = TN_RANK_ANNOTATE, .prepare = tn_annotate_fork_prepare,
           .parent = tn_annotate_fork_done, .child = tn_annotate_fork_done);

void tn_emit_place(const struct tn_platform *platform, struct tn_mem_event *event) {
    if (event->addr >= TN_NUMBERS_FROM) {
        event->flags |= TN_MEM_NUMBERS | TN_MEM_SEEN; // without bytes, no write goes unseen
        event->space = (uint32_t)((uintptr_t)platform >> 4) | 1u;
    } else if (event->device < 0 || (platform != NULL && (platform->devices[0].caps.features &
                                                          TARN_FEATURE_HOST_ACCESS) != 0)) {
        event->flags |= TN_MEM_HOST_CAN;
    }
}

void tn_emit_opened(const struct tn_platform *platform) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_PLATFORM, .device = -1,
                                              .other = (uint64_t)platform->device_count));
    for (int i = 0; i < platform->device_count; i++)
        tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_DEVICE, .device = i,
                                                  .bytes = platform->devices[i].caps.memory_bytes));
}

bool tn_is_shortage(tarn_status status) {
    return status == TARN_NO_DEVICE_MEMORY || status == TARN_NO_HOST_MEMORY ||
           status == TARN_NO_ADDRESS_SPACE || status == TARN_NO_HANDLES ||
           status == TARN_NO_MAPPINGS;
}

void tn_emit_order(unsigned kind, const struct tarn_device *device, uint64_t stream,
                   uint64_t event) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .device = device->ordinal,
                                              .stream = stream, .object = event,
                                              .other = (uintptr_t)device->platform));
}

void tn_emit_device_sync(const struct tn_platform *platform, int ordinal) {
    tn_emit_order(TN_MEM_DEVICE_SYNC, &platform->devices[ordinal], 0, 0);
}

void tn_emit_refused(const char *call, tarn_addr addr, uint64_t bytes, uint64_t object,
                     tarn_status status) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_REFUSED,
                                              .flags = addr >= TN_NUMBERS_FROM ? TN_MEM_NUMBERS : 0,
                                              .device = -1, .addr = addr, .bytes = bytes,
                                              .object = object, .other = (uint64_t)(int64_t)status,
                                              .name = call));
}

void tn_emit_stale(unsigned what, const char *call, uint64_t handle) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_REFUSED, .what = (uint16_t)what,
                                              .device = -1, .object = handle,
                                              .other = (uint64_t)TARN_BAD_HANDLE, .name = call));
}
