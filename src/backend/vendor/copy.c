// SPDX-License-Identifier: Apache-2.0
// Copies and fills. A box is lowered to what vendors have: one row, or rows a pitch apart; slices
// are done one after the other. Without a stream the vendor's waiting calls are used, or a stream
// of ours, so that nobody's default stream is waited for. What a vendor cannot queue, and what is
// the CPU's own business, is done by a thread of ours when the stream comes to it.
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

// A copy or a fill, on its way down.
struct move {
    struct tn_vendor_box box; // of one slice
    bool is_fill;
    bool by_cpu; // only memory that the CPU reads and writes itself
    bool waited; // the caller waits for it anyway
    uint32_t value;
    unsigned element;
};

// ---- whose memory

static bool is_known(struct tn_vendor *vendor, tarn_addr addr) {
    struct tn_vendor_range range;
    tarn_addr start;
    return tn_vendor_range_find(vendor, addr, &range, &start);
}

// ---- by the CPU

static void fill_row(unsigned char *row, uint64_t bytes, uint32_t value, unsigned element) {
    if (element == 1) {
        memset(row, (int)(value & 0xffu), bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; i += element) {
        memcpy(row + i, &value, element); // the low bytes come first on the machines of cards
    }
}

static void move_by_cpu(const struct move *move) {
    const struct tn_vendor_box *box = &move->box;
    for (uint64_t y = 0; y < box->height; y++) {
        unsigned char *to = (unsigned char *)(uintptr_t)(box->dst + y * box->dst_pitch);
        if (move->is_fill) {
            fill_row(to, box->width, move->value, move->element);
        } else {
            memcpy(to, (const unsigned char *)(uintptr_t)(box->src + y * box->src_pitch),
                   box->width);
        }
    }
}

// ---- by calls that wait

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

static struct tn_native work(struct tn_vendor_stream *stream, const void *data) {
    const struct move *move = data;
    if (!move->by_cpu) {
        return move_now(stream->vendor, move);
    }
    move_by_cpu(move);
    return TN_NATIVE_OK;
}

// ---- in a stream

static struct tn_native queue_rows(struct tn_vendor_stream *stream, const struct move *move) {
    const struct tn_vendor_driver *driver = stream->vendor->driver;
    const struct tn_vendor_box *box = &move->box;
    struct tn_native answer = TN_NATIVE_OK;
    for (uint64_t y = 0; y < box->height && tn_native_ok(answer); y++) {
        tarn_addr dst = box->dst + y * box->dst_pitch;
        answer = move->is_fill ? driver->fill(stream->vendor->d, stream->native, dst, move->value,
                                              move->element, box->width)
                               : driver->copy(stream->vendor->d, stream->native, dst,
                                              box->src + y * box->src_pitch, box->width);
    }
    return answer;
}

static struct tn_native queue(struct tn_vendor_stream *stream, const struct move *move) {
    const struct tn_vendor_driver *driver = stream->vendor->driver;
    void *d = stream->vendor->d;
    if (move->box.height > 1 && move->is_fill && driver->fill_box != NULL) {
        return driver->fill_box(d, stream->native, &move->box, move->value, move->element);
    }
    if (move->box.height > 1 && !move->is_fill && driver->copy_box != NULL) {
        return driver->copy_box(d, stream->native, &move->box);
    }
    return queue_rows(stream, move);
}

struct tn_native tn_vendor_queue_copy(struct tn_vendor_stream *stream,
                                      const struct tn_vendor_box *box) {
    const struct move move = {.box = *box};
    return queue(stream, &move);
}

static bool is_pageable(struct tn_vendor *vendor, tarn_addr addr) {
    return vendor->driver->is_pageable != NULL && !is_known(vendor, addr) &&
           vendor->driver->is_pageable(vendor->d, addr);
}

// With the stream's device current.
static tarn_status give(struct tn_vendor_stream *stream, const struct move *move) {
    struct tn_vendor *vendor = stream->vendor;
    bool in = !move->is_fill && !move->waited && is_pageable(vendor, move->box.src);
    bool out = !move->is_fill && !move->waited && is_pageable(vendor, move->box.dst);
    if (in && out) {
        struct move by_cpu = *move;
        by_cpu.by_cpu = true;
        return tn_vendor_defer(stream, work, &by_cpu, sizeof by_cpu);
    }
    if (in || out) {
        return tn_vendor_copy_staged(stream, &move->box, out);
    }
    struct tn_native answer = queue(stream, move);
    return answer.code == TN_NATIVE_DEFER
               ? tn_vendor_defer(stream, work, move, sizeof *move)
               : tn_vendor_stream_answer(stream, answer, move->is_fill ? "a fill" : "a copy");
}

static tarn_status move_in_stream(struct tn_vendor_stream *stream, const struct move *move) {
    struct tn_vendor_scope scope;
    if (move->by_cpu) {
        return tn_vendor_defer(stream, work, move, sizeof *move);
    }
    tarn_status status = tn_vendor_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_vendor_enter(stream->vendor, stream->device, &scope);
    }
    if (status != TARN_OK) {
        return status;
    }
    status = give(stream, move);
    tn_vendor_leave(&scope);
    return status;
}

// ---- without a stream

// One that has failed is left, and ends with the platform.
tarn_status tn_vendor_internal_stream(struct tn_vendor *vendor, int device,
                                      struct tn_vendor_stream **stream) {
    _Atomic(struct tn_vendor_stream *) *place = &vendor->devices[device].aside;
    struct tn_vendor_stream *found = tn_load_acquire(place);
    if (found != NULL && !tn_load_acquire(&found->faulted)) {
        *stream = found;
        return TARN_OK;
    }
    struct tn_vendor_stream *made = NULL;
    tarn_status status = tn_vendor_stream_new(vendor, device, &made);
    if (status != TARN_OK) {
        return status;
    }
    if (!tn_cas_acq_rel(place, &found, made)) { // another thread was faster
        tn_vendor_stream_release(made);
        return tn_vendor_internal_stream(vendor, device, stream);
    }
    *stream = made;
    return TARN_OK;
}

static tarn_status move_waiting(struct tn_vendor *vendor, int device, const struct move *move) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = move_now(vendor, move);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "%s on device %d", move->is_fill ? "a fill" : "a copy", device);
}

// ---- which device

// Has the device this right to every mapping in [addr, addr + size), or is it plain memory?
static bool reaches(struct tn_vendor *vendor, int device, tarn_addr addr, uint64_t size,
                    tarn_access need) {
    struct tn_interval_entry entry;
    bool good = true;
    tn_mutex_lock(&vendor->lock);
    struct tn_interval_cursor at = tn_interval_seek(&vendor->maps, addr);
    while (good && tn_interval_step(&at, &entry) && entry.start < addr + size) {
        const struct tn_vendor_mapping *mapping =
            (const struct tn_vendor_mapping *)(uintptr_t)entry.value;
        uint64_t rights = mapping->rights >> tn_vendor_shift(false, device);
        good = (rights & (uint64_t)need) == (uint64_t)need;
    }
    tn_mutex_unlock(&vendor->lock);
    return good;
}

static bool can_copy(struct tn_vendor *vendor, int device, const tarn_backend_copy *desc) {
    uint64_t dst_span = (desc->depth - 1) * desc->dst_slice_pitch +
                        (desc->height - 1) * desc->dst_pitch + desc->width;
    uint64_t src_span = (desc->depth - 1) * desc->src_slice_pitch +
                        (desc->height - 1) * desc->src_pitch + desc->width;
    return device >= 0 && reaches(vendor, device, desc->dst, dst_span, TARN_ACCESS_READ_WRITE) &&
           reaches(vendor, device, desc->src, src_span, TARN_ACCESS_READ);
}

// A right of the owner, or of a named peer, lets another device copy. Cards ask for the right of
// the one that executes, so without a stream, which decides that, one that has it is taken.
static int executor(struct tn_vendor *vendor, const tarn_backend_copy *desc) {
    if (can_copy(vendor, desc->device, desc)) {
        return desc->device;
    }
    for (int i = 0; i < vendor->count; i++) {
        if (can_copy(vendor, i, desc)) {
            return i;
        }
    }
    return desc->device;
}

// The same for a fill.
static int fill_executor(struct tn_vendor *vendor, const tarn_backend_fill *desc) {
    uint64_t span =
        (desc->depth - 1) * desc->slice_pitch + (desc->height - 1) * desc->pitch + desc->width;
    for (int i = -1; i < vendor->count; i++) {
        int device = i < 0 ? desc->device : i;
        if (reaches(vendor, device, desc->dst, span, TARN_ACCESS_READ_WRITE)) {
            return device;
        }
    }
    return desc->device;
}

// ---- boxes

// What lies without gaps is one row.
static void flatten(struct move *move) {
    struct tn_vendor_box *box = &move->box;
    bool dense = box->dst_pitch == box->width && (move->is_fill || box->src_pitch == box->width);
    if (box->height > 1 && dense) {
        box->width *= box->height;
        box->height = 1;
    }
}

// One slice. `stream` NULL: it is done when this returns.
static tarn_status move_slice(struct tn_vendor *vendor, struct tn_vendor_stream *stream, int device,
                              struct move move) {
    flatten(&move);
    if (stream != NULL) {
        return move_in_stream(stream, &move);
    }
    if (move.by_cpu) {
        move_by_cpu(&move);
        return TARN_OK;
    }
    return move_waiting(vendor, device, &move);
}

static tarn_status move_slices(struct tn_vendor *vendor, struct tn_vendor_stream *stream,
                               int device, struct move move, uint64_t depth, uint64_t dst_slice,
                               uint64_t src_slice) {
    tarn_status status = TARN_OK;
    for (uint64_t z = 0; z < depth && status == TARN_OK; z++) {
        status = move_slice(vendor, stream, device, move);
        move.box.dst += dst_slice;
        move.box.src += src_slice;
    }
    return status;
}

// A box without a stream goes by a stream of ours where the vendor has no call that waits.
static tarn_status move_box(struct tn_vendor *vendor, struct tn_vendor_stream *stream, int device,
                            const struct move *move, uint64_t depth, uint64_t dst_slice,
                            uint64_t src_slice) {
    bool waits = move->by_cpu || (move->is_fill ? vendor->driver->fill_now != NULL
                                                : vendor->driver->copy_now != NULL);
    if (stream != NULL || waits) {
        return move_slices(vendor, stream, device, *move, depth, dst_slice, src_slice);
    }
    struct tn_vendor_stream *aside = NULL;
    tarn_status status = tn_vendor_internal_stream(vendor, device, &aside);
    if (status != TARN_OK) {
        return status;
    }
    struct move waited = *move;
    waited.waited = true;
    status = move_slices(vendor, aside, device, waited, depth, dst_slice, src_slice);
    tarn_status end = tn_vendor_stream_synchronize(vendor, aside);
    return status == TARN_OK ? end : status;
}

// Slices that follow each other as their rows do are rows.
static uint64_t merge_slices(struct tn_vendor_box *box, uint64_t depth, uint64_t dst_slice,
                             uint64_t src_slice) {
    bool merges = depth > 1 && dst_slice == box->height * box->dst_pitch &&
                  src_slice == box->height * box->src_pitch;
    if (merges) {
        box->height *= depth;
    }
    return merges ? 1 : depth;
}

static struct tn_vendor_box box_of_copy(const tarn_backend_copy *desc) {
    bool row = desc->height == 1;
    return (struct tn_vendor_box){.dst = desc->dst,
                                  .src = desc->src,
                                  .dst_pitch = row ? desc->width : desc->dst_pitch,
                                  .src_pitch = row ? desc->width : desc->src_pitch,
                                  .width = desc->width,
                                  .height = desc->height};
}

tarn_status tn_vendor_copy(void *p, void *stream, const tarn_backend_copy *desc) {
    struct tn_vendor *vendor = p;
    struct move move = {.box = box_of_copy(desc)};
    uint64_t depth =
        merge_slices(&move.box, desc->depth, desc->dst_slice_pitch, desc->src_slice_pitch);
    int device = stream != NULL ? desc->device : executor(vendor, desc);
    return move_box(vendor, stream, device, &move, depth, desc->dst_slice_pitch,
                    desc->src_slice_pitch);
}

// Memory that nothing is known of may be another library's on the device, so the vendor is asked
// first. What it refuses is ordinary memory of the CPU.
tarn_status tn_vendor_fill(void *p, void *stream, const tarn_backend_fill *desc) {
    struct tn_vendor *vendor = p;
    struct move move = {
        .is_fill = true,
        .value = desc->value,
        .element = desc->element_bytes,
        .box = {.dst = desc->dst,
                .dst_pitch = desc->height == 1 ? desc->width : desc->pitch,
                .width = desc->width,
                .height = desc->height},
    };
    uint64_t depth = merge_slices(&move.box, desc->depth, desc->slice_pitch, 0);
    int device = stream != NULL ? desc->device : fill_executor(vendor, desc);
    tarn_status status = move_box(vendor, stream, device, &move, depth, desc->slice_pitch, 0);
    if (status == TARN_NATIVE && !is_known(vendor, desc->dst)) {
        move.by_cpu = true;
        status = move_box(vendor, stream, device, &move, depth, desc->slice_pitch, 0);
    }
    return status;
}
