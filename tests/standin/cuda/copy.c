// SPDX-License-Identifier: Apache-2.0
// Copies and fills. Pageable memory is treated as by the driver: small amounts are read before the
// call returns, and all other operations with it are complete when the call returns.
#include <stdlib.h>
#include <string.h>

#include "standin/cuda/parts.h"

#define STAGED    (64 * 1024) // bytes of pageable memory that are copied aside
#define MAX_PITCH ((size_t)2147483647)

enum where { NOWHERE, PAGEABLE, PINNED, DEVICE };

static enum where where_is(tn_cu_address address) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(address, &info);
    switch (info.kind) {
    case TARN_ADDRESS_UNKNOWN: return PAGEABLE;
    case TARN_ADDRESS_HOST:
    case TARN_ADDRESS_REGISTERED: return PINNED;
    case TARN_ADDRESS_RESERVED: return NOWHERE;
    default: return DEVICE;
    }
}

// Only devices with rights to mapped memory may use it; its owner has no others.
static bool may_use(const struct standin_stream *s, tn_cu_address address, tarn_access need) {
    const tarn_location executor = {TARN_LOCATION_DEVICE, s->context->device->ordinal};
    tarn_address_info info = TARN_INIT(tarn_address_info);
    tarn_access has = TARN_ACCESS_NONE;
    (void)tarn_address_query(address, &info);
    return info.kind != TARN_ADDRESS_MAPPED ||
           (tarn_map_get_access(address, executor, &has) == TARN_OK &&
            ((unsigned)has & (unsigned)need) == (unsigned)need);
}

// ---- copies

static tn_cu_result copy_and_wait(const tarn_copy_desc *desc, struct standin_stream *s) {
    tarn_status status = tarn_copy_box(NULL, desc, s->tarn);
    if (status == TARN_OK) status = tarn_stream_synchronize(s->tarn, TARN_FOREVER);
    return standin_from_address(status, s->context);
}

// Uses a copy of the bytes, which the stream frees.
static tn_cu_result copy_staged(const tarn_copy_desc *desc, struct standin_stream *s) {
    tarn_copy_desc from_stage = *desc;
    void *stage = malloc(desc->width);
    if (stage == NULL) return copy_and_wait(desc, s);
    (void)memcpy(stage, (const void *)(uintptr_t)desc->src, desc->width);
    from_stage.src = TARN_ADDR(stage);
    tn_cu_result result =
        standin_from_address(tarn_copy_box(NULL, &from_stage, s->tarn), s->context);
    if (result != TN_CU_SUCCESS) {
        free(stage);
        return result;
    }
    result = standin_stream_call(s, free, stage, true);
    if (result != TN_CU_SUCCESS) {
        (void)tarn_stream_synchronize(s->tarn, TARN_FOREVER);
        free(stage);
    }
    return result;
}

static tn_cu_result copy_box(const tarn_copy_desc *desc, struct standin_stream *s) {
    enum where dst = where_is(desc->dst);
    enum where src = where_is(desc->src);
    if (dst == NOWHERE || src == NOWHERE || !may_use(s, desc->dst, TARN_ACCESS_READ_WRITE) ||
        !may_use(s, desc->src, TARN_ACCESS_READ))
        return TN_CU_INVALID_VALUE;
    if (dst == PAGEABLE || (dst == PINNED && src != DEVICE)) return copy_and_wait(desc, s);
    if (src == PAGEABLE) {
        return desc->height == 1 && desc->width <= STAGED ? copy_staged(desc, s)
                                                          : copy_and_wait(desc, s);
    }
    return standin_from_address(tarn_copy_box(NULL, desc, s->tarn), s->context);
}

// Copies run in any stream, whichever context is current.
static tn_cu_result copy(const tarn_copy_desc *desc, tn_cu_stream handle) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS) result = standin_stream_get(context, handle, &s);
    if (result != TN_CU_SUCCESS) return result;
    result = standin_stream_line_up(s);
    if (result == TN_CU_SUCCESS && desc->width != 0 && desc->height != 0)
        result = copy_box(desc, s);
    standin_stream_put(s);
    return result;
}

tn_cu_result cuMemcpyAsync(tn_cu_address dst, tn_cu_address src, size_t bytes,
                           tn_cu_stream stream) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = dst;
    desc.src = src;
    desc.width = bytes;
    desc.height = 1;
    return copy(&desc, stream);
}

// Returns one side of a copy of rows, or 0 if it is not supported here.
static tn_cu_address place(int type, const void *host, tn_cu_address device, size_t x, size_t y,
                           size_t pitch) {
    tn_cu_address base = 0;
    if (type == TN_CU_MEMORY_HOST)
        base = TARN_ADDR(host);
    else if (type == TN_CU_MEMORY_DEVICE ||
             (type == TN_CU_MEMORY_UNIFIED && where_is(device) != PAGEABLE))
        base = device;
    return base == 0 ? 0 : base + y * pitch + x;
}

tn_cu_result cuMemcpy2DAsync_v2(const tn_cu_rows *rows, tn_cu_stream stream) {
    if (rows == NULL) return TN_CU_INVALID_VALUE;
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = place(rows->dst_type, rows->dst_host, rows->dst_device, rows->dst_x, rows->dst_y,
                     rows->dst_pitch);
    desc.src = place(rows->src_type, rows->src_host, rows->src_device, rows->src_x, rows->src_y,
                     rows->src_pitch);
    desc.width = rows->width;
    desc.height = rows->height;
    desc.dst_pitch = rows->dst_pitch;
    desc.src_pitch = rows->src_pitch;
    if (desc.dst == 0 || desc.src == 0 || rows->dst_pitch < rows->dst_x + rows->width ||
        rows->src_pitch < rows->src_x + rows->width || rows->dst_pitch > MAX_PITCH ||
        rows->src_pitch > MAX_PITCH)
        return TN_CU_INVALID_VALUE;
    return copy(&desc, stream);
}

// ---- fills of memory that the device can access, in streams of the current context

static tn_cu_result fill(const tarn_fill_desc *desc, tn_cu_stream handle) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    enum where where = where_is(desc->dst);
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (where == NOWHERE || where == PAGEABLE))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = standin_stream_begin(context, handle, &s);
    if (result == TN_CU_SUCCESS) {
        if (!may_use(s, desc->dst, TARN_ACCESS_READ_WRITE))
            result = TN_CU_INVALID_VALUE;
        else if (desc->height != 0)
            result = standin_from_address(tarn_fill_box(NULL, desc, s->tarn), s->context);
        standin_stream_put(s);
    }
    return result;
}

static tn_cu_result fill_row(tn_cu_address dst, unsigned value, unsigned element, size_t count,
                             tn_cu_stream stream) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = dst;
    desc.width = count;
    desc.height = 1;
    desc.value = value;
    desc.element_bytes = element;
    return fill(&desc, stream);
}

tn_cu_result cuMemsetD8Async(tn_cu_address dst, unsigned char value, size_t count,
                             tn_cu_stream stream) {
    return fill_row(dst, value, 1, count, stream);
}

tn_cu_result cuMemsetD16Async(tn_cu_address dst, unsigned short value, size_t count,
                              tn_cu_stream stream) {
    return fill_row(dst, value, 2, count, stream);
}

tn_cu_result cuMemsetD32Async(tn_cu_address dst, unsigned value, size_t count,
                              tn_cu_stream stream) {
    return fill_row(dst, value, 4, count, stream);
}

static tn_cu_result fill_rows(tn_cu_address dst, size_t pitch, unsigned value, unsigned element,
                              size_t width, size_t height, tn_cu_stream stream) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = dst;
    desc.pitch = pitch;
    desc.value = value;
    desc.element_bytes = element;
    desc.width = width;
    desc.height = height;
    return pitch > MAX_PITCH ? TN_CU_INVALID_VALUE : fill(&desc, stream);
}

tn_cu_result cuMemsetD2D8Async(tn_cu_address dst, size_t pitch, unsigned char value, size_t width,
                               size_t height, tn_cu_stream stream) {
    return fill_rows(dst, pitch, value, 1, width, height, stream);
}

tn_cu_result cuMemsetD2D16Async(tn_cu_address dst, size_t pitch, unsigned short value, size_t width,
                                size_t height, tn_cu_stream stream) {
    return fill_rows(dst, pitch, value, 2, width, height, stream);
}

tn_cu_result cuMemsetD2D32Async(tn_cu_address dst, size_t pitch, unsigned value, size_t width,
                                size_t height, tn_cu_stream stream) {
    return fill_rows(dst, pitch, value, 4, width, height, stream);
}
