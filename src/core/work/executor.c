// SPDX-License-Identifier: Apache-2.0
// See executor.h. The events follow the rules of core/platform/notify.h.
#include "core/work/executor.h"

#include "base/error.h"
#include "core/platform/notify.h"

tarn_status tn_executor_get(struct tarn_device *device, tarn_stream stream,
                            struct tn_executor *executor) {
    *executor = (struct tn_executor){.device = device, .id = stream};
    if (stream == TARN_STREAM_NONE)
        return device == NULL
                   ? tn_fail(TARN_BAD_ARGUMENT, "without a stream a device is needed to copy")
                   : tn_device_usable(device);
    TN_TRY(tn_stream_get(stream, &executor->stream));
    if (device != NULL && device != executor->stream->device) {
        tn_stream_put(executor->stream);
        return tn_fail(TARN_BAD_ARGUMENT, "stream 0x%llx is of another device than the one given",
                       (unsigned long long)stream);
    }
    executor->device = executor->stream->device;
    TARN_ASSERT(!executor->stream->is_event && executor->stream->id == stream);
    return TARN_OK;
}

void tn_executor_put(const struct tn_executor *executor) {
    if (executor->stream != NULL) tn_stream_put(executor->stream);
}

tarn_status tn_executor_peers(const struct tn_executor *executor, tarn_device *const peers[2],
                              int ordinals[2]) {
    for (int i = 0; i < 2; i++) {
        TN_REFUSE(peers[i] != NULL && peers[i]->platform != executor->device->platform,
                  TARN_BAD_ARGUMENT, "a peer is of another platform than the device");
        ordinals[i] = peers[i] != NULL ? peers[i]->ordinal : -1;
    }
    return TARN_OK;
}

void tn_executor_count(const struct tn_executor *executor, uint64_t bytes) {
    TN_COUNT(executor->device->platform, copies, 1);
    TN_COUNT(executor->device->platform, copied_bytes, bytes);
}

// ---- accesses

static struct tn_mem_event access_event(const struct tn_executor *executor,
                                        const struct tn_box *box, uint32_t how, const char *call) {
    // With every member named, GCC stores each one, instead of clearing all by a slow instruction.
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS, .what = 0, .flags = how,
                    .device = executor->device->ordinal, .space = 0, .addr = box->addr,
                    .bytes = box->width, .other = 0, .stream = executor->id, .object = 0,
                    .name = call, .domain = NULL, .pitch = box->height > 1 ? box->pitch : 0,
                    .slice_pitch = box->depth > 1 ? box->slice : 0);
    event.height = box->height;
    event.depth = box->depth;
    tn_emit_place(executor->device->platform, &event);
    return event;
}

void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call) {
    TARN_ASSERT(box->width != 0 && box->height != 0 && box->depth != 0);
    const struct tn_mem_event event = access_event(executor, box, how, call);
    tn_emit(&event);
}

void tn_emit_copy(const struct tn_executor *reader, const struct tn_box *src,
                  const struct tn_executor *writer, const struct tn_box *dst, bool inside,
                  const char *call) {
    uint32_t flag = inside ? TN_MEM_INSIDE : 0;
    const struct tn_mem_event read = access_event(reader, src, TN_MEM_READ | flag, call);
    struct tn_mem_event write = access_event(writer, dst, TN_MEM_WRITE | flag, call);
    if (inside) {
        write.source = src->addr;
        write.source_pitch = src->height > 1 ? src->pitch : 0;
        write.source_slice_pitch = src->depth > 1 ? src->slice : 0;
        write.source_space = read.space;
    }
    tn_emit(&read);
    tn_emit(&write);
}

static void emit_refusal(const struct tn_executor *executor, const struct tn_range_refusal *refusal,
                         tarn_access need, const char *call) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS_REFUSED, .what = (uint16_t)refusal->why,
                    .flags = need == TARN_ACCESS_READ ? TN_MEM_READ : TN_MEM_WRITE,
                    .device = executor->device->ordinal, .addr = refusal->addr,
                    .bytes = refusal->bytes, .other = refusal->bad, .object = refusal->rights,
                    .stream = executor->id, .name = call);
    tn_emit_place(executor->device->platform, &event);
    tn_emit(&event);
}

tarn_status tn_reach_check(const struct tn_executor *executor, const struct tn_box *box,
                           tarn_access need, const struct tn_accessors *accessors, bool *is_own,
                           const char *call) {
    struct tn_range_refusal refusal;
    const char *what = need == TARN_ACCESS_READ ? "source" : "destination";
    tarn_status status = tn_range_check(box, need, accessors, what, is_own, &refusal);
    bool shows_mistake = status != TARN_OK && refusal.why != TN_MEM_REFUSAL_UNSTATED;
    if (shows_mistake && !executor->unseen && tn_subscribed())
        emit_refusal(executor, &refusal, need, call);
    return status;
}
