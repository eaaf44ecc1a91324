// SPDX-License-Identifier: Apache-2.0
// Copies and fills. Vendors support one row, or rows at a pitch, so a box is lowered to those, one
// slice after another. Without a stream, the vendor's waiting calls or the platform's internal
// stream do the work: an application's default stream is never waited for. A thread of the platform
// runs operations that a vendor cannot queue, and those between host addresses, in stream order.
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

struct move {
    struct tn_vendor_box box; // of one slice
    bool is_fill;
    bool by_cpu; // all memory is host memory that the CPU accesses directly
    bool waited; // the caller waits for it anyway
    uint32_t value;
    unsigned element;
    uint64_t depth; // slices
    uint64_t dst_slice;
    uint64_t src_slice;
};

// ---- complete when they return

static void fill_row(unsigned char *row, uint64_t bytes, uint32_t value, unsigned element) {
    if (element == 1) {
        memset(row, (int)(value & 0xffu), bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; i += element)
        memcpy(row + i, &value, element); // hosts of devices are little-endian
}

static void move_by_cpu(const struct move *move) {
    const struct tn_vendor_box *box = &move->box;
    for (uint64_t y = 0; y < box->height; y++) {
        unsigned char *dst = (unsigned char *)(uintptr_t)(box->dst + y * box->dst_pitch);
        if (move->is_fill)
            fill_row(dst, box->width, move->value, move->element);
        else
            memcpy(dst, (const unsigned char *)(uintptr_t)(box->src + y * box->src_pitch),
                   box->width);
    }
}

static struct tn_native move_now(struct tn_vendor *vendor, const struct move *move) {
    const struct tn_vendor_driver *driver = vendor->driver;
    const struct tn_vendor_box *box = &move->box;
    struct tn_native answer = TN_NATIVE_OK;
    for (uint64_t y = 0; y < box->height && tn_native_ok(answer); y++) {
        tarn_addr dst = box->dst + y * box->dst_pitch;
        answer = move->is_fill
                     ? driver->fill_now(vendor->d, dst, move->value, move->element, box->width)
                     : driver->copy_now(vendor->d, dst, box->src + y * box->src_pitch, box->width);
    }
    return answer;
}

static struct tn_native move_deferred(struct tn_vendor_stream *stream, const void *data) {
    const struct move *move = data;
    if (!move->by_cpu) return move_now(stream->vendor, move);
    move_by_cpu(move);
    return TN_NATIVE_OK;
}

// ---- in a stream

static struct tn_native enqueue_move(struct tn_vendor_stream *stream, const struct move *move) {
    const struct tn_vendor_driver *driver = stream->vendor->driver;
    const struct tn_vendor_box *box = &move->box;
    void *d = stream->vendor->d;
    struct tn_native answer = {TN_NATIVE_ROWS, NULL};
    if (box->height > 1 && move->is_fill && driver->fill_box != NULL)
        answer = driver->fill_box(d, stream->native, box, move->value, move->element);
    if (box->height > 1 && !move->is_fill && driver->copy_box != NULL)
        answer = driver->copy_box(d, stream->native, box);
    if (answer.code != TN_NATIVE_ROWS) return answer;
    answer = TN_NATIVE_OK;
    for (uint64_t y = 0; y < box->height && tn_native_ok(answer); y++) {
        tarn_addr dst = box->dst + y * box->dst_pitch;
        answer =
            move->is_fill
                ? driver->fill(d, stream->native, dst, move->value, move->element, box->width)
                : driver->copy(d, stream->native, dst, box->src + y * box->src_pitch, box->width);
    }
    return answer;
}

static struct tn_native enqueue_copy(struct tn_vendor_stream *stream,
                                     const struct tn_vendor_box *box) {
    const struct move move = {.box = *box};
    return enqueue_move(stream, &move);
}

static bool is_pageable(struct tn_vendor *vendor, tarn_addr addr) {
    return vendor->driver->is_pageable != NULL && !tn_vendor_range_contains(vendor, addr) &&
           vendor->driver->is_pageable(vendor->d, addr);
}

// The stream's device is current.
static tarn_status submit_move(struct tn_vendor_stream *stream, const struct move *move) {
    struct tn_vendor *vendor = stream->vendor;
    bool asks = !move->is_fill && !move->waited;
    bool in = asks && is_pageable(vendor, move->box.src);
    bool out = asks && is_pageable(vendor, move->box.dst);
    if (in && out) {
        struct move by_cpu = *move;
        by_cpu.by_cpu = true;
        return tn_vendor_defer(stream, move_deferred, &by_cpu, sizeof by_cpu);
    }
    if (in || out) return tn_vendor_copy_staged(stream, &move->box, out, enqueue_copy);
    struct tn_native answer = enqueue_move(stream, move);
    return answer.code == TN_NATIVE_DEFER
               ? tn_vendor_defer(stream, move_deferred, move, sizeof *move)
               : tn_vendor_stream_answer(stream, answer, move->is_fill ? "a fill" : "a copy");
}

static tarn_status move_in_stream(struct tn_vendor_stream *stream, const struct move *move) {
    if (move->by_cpu) return tn_vendor_defer(stream, move_deferred, move, sizeof *move);
    TN_TRY(tn_vendor_stream_check(stream));
    TN_VENDOR_CURRENT(stream->vendor, stream->device);
    return submit_move(stream, move);
}

// ---- boxes

// Merges slices and rows without gaps between them into fewer, longer ones.
static void merge_rows(struct move *move) {
    struct tn_vendor_box *box = &move->box;
    if (move->depth > 1 && move->dst_slice == box->height * box->dst_pitch &&
        move->src_slice == box->height * box->src_pitch) {
        box->height *= move->depth;
        move->depth = 1;
    }
    if (box->height > 1 && box->dst_pitch == box->width &&
        (move->is_fill || box->src_pitch == box->width)) {
        box->width *= box->height;
        box->height = 1;
    }
}

// Moves the slices: in a stream, or before it returns if `stream` is NULL.
static tarn_status move_slices(struct tn_vendor *vendor, struct tn_vendor_stream *stream,
                               int device, struct move move) {
    tarn_status status = TARN_OK;
    for (uint64_t z = 0; z < move.depth && status == TARN_OK; z++) {
        if (stream != NULL) {
            status = move_in_stream(stream, &move);
        } else if (move.by_cpu) {
            move_by_cpu(&move);
        } else {
            struct tn_native answer = TN_VENDOR_ON(vendor, device, move_now(vendor, &move));
            status =
                tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                 "%s on device %d", move.is_fill ? "a fill" : "a copy", device);
        }
        move.box.dst += move.dst_slice;
        move.box.src += move.src_slice;
    }
    return status;
}

// Without a stream, and where the vendor has no waiting call, the internal stream is used.
static tarn_status move_box(struct tn_vendor *vendor, struct tn_vendor_stream *stream, int device,
                            struct move move) {
    bool has_call =
        move.is_fill ? vendor->driver->fill_now != NULL : vendor->driver->copy_now != NULL;
    merge_rows(&move);
    if (stream != NULL || move.by_cpu || has_call) return move_slices(vendor, stream, device, move);
    TN_TRY(tn_vendor_internal_stream(vendor, device, &stream));
    move.waited = true;
    tarn_status status = move_slices(vendor, stream, device, move);
    tarn_status end = tn_vendor_stream_await(vendor, stream);
    return status == TARN_OK ? end : status;
}

// ---- the executing device

// Returns true if the device has this right to every mapping in [addr, addr + size), and for memory
// that has no mappings.
static bool has_rights(struct tn_vendor *vendor, int device, tarn_addr addr, uint64_t size,
                       tarn_access need) {
    TN_LOCKED(&vendor->lock);
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&vendor->maps, addr), addr + size) {
        const struct tn_vendor_mapping *mapping =
            (const struct tn_vendor_mapping *)(uintptr_t)entry.value;
        uint64_t rights = mapping->rights >> tn_vendor_shift(false, device);
        if ((rights & (uint64_t)need) != (uint64_t)need) return false;
    }
    return true;
}

static bool can_move(struct tn_vendor *vendor, int device, const struct move *move) {
    const struct tn_vendor_box *box = &move->box;
    uint64_t dst_bytes =
        (move->depth - 1) * move->dst_slice + (box->height - 1) * box->dst_pitch + box->width;
    uint64_t src_bytes =
        (move->depth - 1) * move->src_slice + (box->height - 1) * box->src_pitch + box->width;
    return device >= 0 && has_rights(vendor, device, box->dst, dst_bytes, TARN_ACCESS_READ_WRITE) &&
           (move->is_fill || has_rights(vendor, device, box->src, src_bytes, TARN_ACCESS_READ));
}

// Vendors check the rights of the executing device, while the core also accepts the rights of the
// owner or of a peer. So without a stream, a device is chosen that has the rights.
static int choose_device(struct tn_vendor *vendor, int preferred, const struct move *move) {
    if (can_move(vendor, preferred, move)) return preferred;
    for (int i = 0; i < vendor->count; i++)
        if (can_move(vendor, i, move)) return i;
    return preferred;
}

// ---- slots

tarn_status tn_vendor_copy(void *p, void *stream, const tarn_backend_copy *desc) {
    bool row = desc->height == 1;
    const struct move move = {
        .box = {.dst = desc->dst,
                .src = desc->src,
                .dst_pitch = row ? desc->width : desc->dst_pitch,
                .src_pitch = row ? desc->width : desc->src_pitch,
                .width = desc->width,
                .height = desc->height},
        .depth = desc->depth,
        .dst_slice = desc->dst_slice_pitch,
        .src_slice = desc->src_slice_pitch,
    };
    return move_box(p, stream,
                    stream != NULL ? desc->device : choose_device(p, desc->device, &move), move);
}

// The vendor's library is queried first, because memory that Tarn does not know may belong to
// another library on the device. Unknown memory that the vendor refuses is ordinary host memory.
tarn_status tn_vendor_fill(void *p, void *stream, const tarn_backend_fill *desc) {
    struct move move = {
        .is_fill = true,
        .value = desc->value,
        .element = desc->element_bytes,
        .box = {.dst = desc->dst,
                .dst_pitch = desc->height == 1 ? desc->width : desc->pitch,
                .width = desc->width,
                .height = desc->height},
        .depth = desc->depth,
        .dst_slice = desc->slice_pitch,
    };
    int device = stream != NULL ? desc->device : choose_device(p, desc->device, &move);
    tarn_status status = move_box(p, stream, device, move);
    if (status == TARN_NATIVE && !tn_vendor_range_contains(p, desc->dst)) {
        move.by_cpu = true;
        status = move_box(p, stream, device, move);
    }
    return status;
}
