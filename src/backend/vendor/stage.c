// SPDX-License-Identifier: Apache-2.0
// Copies between a device and host memory that is not pinned. A vendor blocks the caller of such a
// copy until the stream reaches it, but a Tarn stream never blocks its caller. So the copy passes
// in pieces through pinned memory of the stream. The vendor copies between the device and the
// pinned memory, and a host function copies the rest of the way. The pieces of a stream run one
// after another, so one buffer is enough. `stream->staging` guards it while pieces are enqueued.
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

enum { STAGE = 1 << 20 };

// A box in pieces of several rows, or of parts of a row that is too long. The enqueuing thread and
// the host function each have a copy of this, and step through the same pieces.
struct pieces {
    struct tn_vendor_box box;
    void *stage;
    bool out;
    uint64_t rows;  // of a piece
    uint64_t bytes; // of a row of a piece
    uint64_t x;     // of the next piece
    uint64_t y;
};

// The next piece, as a copy from end to end.
static struct tn_vendor_box next_piece(const struct pieces *all) {
    const struct tn_vendor_box *box = &all->box;
    uint64_t width = box->width - all->x;
    uint64_t height = box->height - all->y;
    return (struct tn_vendor_box){
        .dst = box->dst + all->y * box->dst_pitch + all->x,
        .src = box->src + all->y * box->src_pitch + all->x,
        .dst_pitch = box->dst_pitch,
        .src_pitch = box->src_pitch,
        .width = width < all->bytes ? width : all->bytes,
        .height = height < all->rows ? height : all->rows,
    };
}

static void step_piece(struct pieces *all) {
    all->x += all->bytes;
    if (all->x >= all->box.width) {
        all->x = 0;
        all->y += all->rows;
    }
}

// ---- the two halves

static void copy_by_cpu(void *data) {
    struct pieces *all = data;
    struct tn_vendor_box piece = next_piece(all);
    unsigned char *stage = all->stage;
    for (uint64_t y = 0; y < piece.height; y++, stage += piece.width)
        if (all->out)
            memcpy((void *)(uintptr_t)(piece.dst + y * piece.dst_pitch), stage, piece.width);
        else
            memcpy(stage, (const void *)(uintptr_t)(piece.src + y * piece.src_pitch), piece.width);
    step_piece(all);
}

static struct tn_native copy_by_device(struct tn_vendor_stream *stream, const struct pieces *all,
                                       tn_vendor_enqueue_copy *enqueue) {
    struct tn_vendor_box piece = next_piece(all);
    if (all->out) {
        piece.dst = (tarn_addr)(uintptr_t)all->stage;
        piece.dst_pitch = piece.width;
    } else {
        piece.src = (tarn_addr)(uintptr_t)all->stage;
        piece.src_pitch = piece.width;
    }
    return enqueue(stream, &piece);
}

// ---- the complete copy

// Under `staging`. If a copy fails after its record was enqueued, the record is freed together with
// the stream.
static tarn_status enqueue_pieces(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                                  bool out, tn_vendor_enqueue_copy *enqueue) {
    uint64_t bytes = box->width < STAGE ? box->width : STAGE;
    struct pieces all = {
        .box = *box, .stage = stream->stage, .out = out, .rows = STAGE / bytes, .bytes = bytes};
    uint64_t count =
        (box->width + all.bytes - 1) / all.bytes * ((box->height + all.rows - 1) / all.rows);
    struct tn_vendor_call *call =
        tn_vendor_direct_create(stream, copy_by_cpu, &all, sizeof all, count);
    if (call == NULL) return TARN_NO_HOST_MEMORY;
    struct tn_native answer = TN_NATIVE_OK;
    bool enqueued = false; // the record
    for (; all.y < box->height && tn_native_ok(answer); step_piece(&all)) {
        if (out) answer = copy_by_device(stream, &all, enqueue);
        if (tn_native_ok(answer)) {
            answer = tn_vendor_direct_enqueue(call);
            enqueued = enqueued || tn_native_ok(answer);
        }
        if (!out && tn_native_ok(answer)) answer = copy_by_device(stream, &all, enqueue);
    }
    if (!enqueued) tn_vendor_call_drop(call);
    return tn_vendor_stream_answer(stream, answer, "a copy");
}

tarn_status tn_vendor_copy_staged(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                                  bool out, tn_vendor_enqueue_copy *enqueue) {
    const struct tn_vendor *vendor = stream->vendor;
    TN_LOCKED(&stream->staging); // pieces of two copies must not mix
    if (stream->stage == NULL)
        TN_TRY(tn_vendor_status(vendor,
                                vendor->driver->host_alloc(vendor->d, STAGE, &stream->stage),
                                TARN_NO_HOST_MEMORY, TARN_NO_HOST_MEMORY,
                                "pinned memory for a stream of device %d", stream->device));
    return enqueue_pieces(stream, box, out, enqueue);
}

// No work of the stream is running.
void tn_vendor_stage_free(struct tn_vendor_stream *stream) {
    struct tn_vendor *vendor = stream->vendor;
    if (stream->stage != NULL)
        (void)TN_VENDOR_CALL(vendor, stream->device, host_free, stream->stage);
    tn_mutex_fini(&stream->staging);
}
