// SPDX-License-Identifier: Apache-2.0
// See memory.h: frees device memory, managed memory, pinned memory and blocks of pools by their
// address, and the memory of a device that is reset. The file has no state.
#include "compat/runtime/device/policy.h"
#include "compat/runtime/memory/memory.h"

#include <tarn/address.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/stream/stream.h"

#define OF_DEVICES                                                                                 \
    (TN_RT_BLOCK_DEVICE | TN_RT_BLOCK_MANAGED | TN_RT_BLOCK_POOLED | TN_RT_BLOCK_IMPORTED)

// Waits for all work of the device. The error of a failed stream is ignored, because its work does
// not run any more.
static tn_rt_error wait_for(const struct tn_face_device *device) {
    tarn_status status = tarn_device_synchronize(device->tarn, TARN_FOREVER);
    return status == TARN_BUSY ? tn_rt_error_of(status) : TN_RT_OK;
}

// Frees memory behind all work of the devices that can use it. Device memory waits for its own
// device only, as with vendors' libraries: work of another device that uses the memory fails.
static tn_rt_error free_waiting(const struct tn_rt_block *block) {
    if (block->kind == TN_RT_BLOCK_IMPORTED) return tn_rt_ipc_end(block);
    if (block->kind != TN_RT_BLOCK_POOLED && !tn_rt_graph_memory_is(block)) {
        bool own = block->kind == TN_RT_BLOCK_DEVICE;
        TN_RT_TRY(own ? wait_for(block->device) : TN_RT_OK);
        TN_RT_TRY(tn_rt_error_of(tarn_free(block->start, own ? TARN_NO_WAIT : 0)));
        tn_rt_record_end(block);
        return TN_RT_OK;
    }
    for (int i = 0; i < tn_rt_devices.count; i++) TN_RT_TRY(wait_for(&tn_rt_devices.of[i]));
    tn_rt_error error =
        block->kind == TN_RT_BLOCK_POOLED
            ? tn_rt_pool_free(block->pool_user, block->start, block->bytes, block->stream)
            : tn_rt_graph_memory_release(block, TARN_STREAM_NONE);
    // This wait applies the pool's release threshold.
    (void)tarn_device_synchronize(block->device->tarn, TARN_FOREVER);
    return error;
}

tn_rt_error tn_rt_free(const void *ptr) {
    struct tn_rt_block block;
    if (ptr == NULL) return TN_RT_OK;
    TN_RT_TRY(tn_rt_block_find_start(ptr, OF_DEVICES | TN_RT_BLOCK_HOST, &block));
    return free_waiting(&block);
}

static tn_rt_error free_ordered(const void *ptr, tarn_stream stream) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_block_find_start(ptr, OF_DEVICES, &block));
    TN_RT_REFUSE(block.kind == TN_RT_BLOCK_MANAGED &&
                     tn_rt_memory_policy.async_free_of_managed_fails,
                 TN_RT_NOT_SUPPORTED, "%p is managed memory, which no stream frees", ptr);
    TN_FACE_DIFFERS(free_other_stream, block.kind == TN_RT_BLOCK_POOLED && block.stream != stream);
    TN_FACE_DIFFERS(free_imported, block.kind == TN_RT_BLOCK_IMPORTED);
    if (block.kind == TN_RT_BLOCK_POOLED)
        return tn_rt_pool_free(block.pool_user, TARN_ADDR(ptr), block.bytes, stream);
    return tn_rt_graph_memory_is(&block) ? tn_rt_graph_memory_release(&block, stream)
                                         : free_waiting(&block);
}

// A stream that captures frees by a node of a graph.
static tn_rt_error free_on(const void *ptr, struct tn_rt_stream *s) {
    struct tn_rt_where where;
    bool nothing = ptr == NULL && tn_rt_memory_policy.async_free_accepts_null;
    tn_rt_error error = TN_RT_OK;
    if (atomic_load(&s->capturing) && (nothing || tn_rt_graph_memory_free(s, ptr, &error)))
        return error;
    TN_RT_REFUSE(tn_rt_memory_policy.capture_frees_its_memory && atomic_load(&s->capturing),
                 TN_RT_INVALID_VALUE, "%p is not memory of a graph", ptr);
    TN_RT_TRY(tn_rt_capture_check_beside());
    TN_RT_TRY(tn_rt_invalid_stream(tn_rt_stream_begin_on(s, &where)));
    if (nothing) return TN_RT_OK;
    TN_RT_TRY(free_ordered(ptr, where.stream));
    tn_rt_stream_marked(s);
    return TN_RT_OK;
}

tn_rt_error tn_rt_free_async(const void *ptr, void *stream) {
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(stream, &s)));
    return free_on(ptr, s);
}

// ---- reset

// Called without locks, so it may free the region that it visits. Other threads may free it first.
static bool free_region(const tarn_address_info *info, void *arg) {
    const bool contexts = tn_rt_device_policy.explicit_contexts;
    const unsigned owner = *(const unsigned *)arg;
    struct tn_rt_block block;
    if (info->owner == TARN_OWNER_POOL) {
        if (!contexts) tn_rt_pool_empty_at(info->base, tn_rt_device((int)owner));
        return true;
    }
    if (info->owner != TARN_OWNER_FACE || !tn_rt_block_describe(info, &block) ||
        block.owner != owner)
        return true;
    if (tn_rt_graph_memory_is(&block)) return true; // ends with its graph
    switch (block.kind) {
    case TN_RT_BLOCK_OPENED: (void)tn_rt_ipc_end(&block); break;
    case TN_RT_BLOCK_REGISTERED:
        if (contexts) (void)tarn_host_unregister((void *)(uintptr_t)block.start);
        break;
    case TN_RT_BLOCK_HOST:
        if (contexts) (void)free_waiting(&block);
        break;
    case TN_RT_BLOCK_IMPORTED:
        if (!contexts) (void)free_waiting(&block);
        break;
    default: (void)free_waiting(&block); break;
    }
    return true;
}

void tn_rt_memory_reset(struct tn_face_device *device, unsigned owner) {
    (void)tarn_address_walk(device->tarn, free_region, &owner);
}
