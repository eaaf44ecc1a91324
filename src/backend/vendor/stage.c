// SPDX-License-Identifier: Apache-2.0
// Copies between a device and memory of the CPU that nobody has pinned. Vendors do them while the
// caller waits for the stream; a stream of ours never holds its caller up. So they go in pieces
// through a little pinned memory of the stream's own: one half of each piece is the vendor's, the
// other a host function that does nothing but copy. Pieces of one stream follow each other, which
// is why one place is enough for all.
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

enum { STAGE = 1 << 20 };

// A box in pieces of rows, or of parts of one row where a row is too long. Each turn of the host
// function does the next one, as each turn of the giving did.
struct run {
    struct tn_vendor_box box;
    void *stage;
    bool out;
    uint64_t rows;  // of a piece
    uint64_t bytes; // of a row of a piece
    uint64_t x;
    uint64_t y;
};

// ---- pieces

static struct run begin(const struct tn_vendor_box *box, void *stage, bool out) {
    uint64_t bytes = box->width < STAGE ? box->width : STAGE;
    return (struct run){
        .box = *box, .stage = stage, .out = out, .rows = STAGE / bytes, .bytes = bytes};
}

static uint64_t count(const struct run *run) {
    return (run->box.width + run->bytes - 1) / run->bytes *
           ((run->box.height + run->rows - 1) / run->rows);
}

// The piece that is next, between the two ends of the copy.
static struct tn_vendor_box piece(const struct run *run) {
    const struct tn_vendor_box *box = &run->box;
    uint64_t width = box->width - run->x;
    uint64_t height = box->height - run->y;
    return (struct tn_vendor_box){
        .dst = box->dst + run->y * box->dst_pitch + run->x,
        .src = box->src + run->y * box->src_pitch + run->x,
        .dst_pitch = box->dst_pitch,
        .src_pitch = box->src_pitch,
        .width = width < run->bytes ? width : run->bytes,
        .height = height < run->rows ? height : run->rows,
    };
}

static void step(struct run *run) {
    run->x += run->bytes;
    if (run->x >= run->box.width) {
        run->x = 0;
        run->y += run->rows;
    }
}

// ---- the two halves

static void copy_by_cpu(void *data) {
    struct run *run = data;
    struct tn_vendor_box part = piece(run);
    unsigned char *stage = run->stage;
    for (uint64_t y = 0; y < part.height; y++, stage += part.width) {
        if (run->out) {
            memcpy((void *)(uintptr_t)(part.dst + y * part.dst_pitch), stage, part.width);
        } else {
            memcpy(stage, (const void *)(uintptr_t)(part.src + y * part.src_pitch), part.width);
        }
    }
    step(run);
}

static struct tn_native copy_by_device(struct tn_vendor_stream *stream, const struct run *run) {
    struct tn_vendor_box part = piece(run);
    tarn_addr stage = (tarn_addr)(uintptr_t)run->stage;
    if (run->out) {
        part.dst = stage;
        part.dst_pitch = part.width;
    } else {
        part.src = stage;
        part.src_pitch = part.width;
    }
    return tn_vendor_queue_copy(stream, &part);
}

// *given: the stream has the record, and will come back to it.
static struct tn_native give_to_cpu(struct tn_vendor_call *call, bool *given) {
    struct tn_native answer = tn_vendor_direct_enqueue(call);
    *given = *given || tn_native_ok(answer);
    return answer;
}

static struct tn_native give_piece(struct tn_vendor_stream *stream, const struct run *run,
                                   struct tn_vendor_call *call, bool *given) {
    struct tn_native answer = run->out ? copy_by_device(stream, run) : give_to_cpu(call, given);
    if (tn_native_ok(answer)) {
        answer = run->out ? give_to_cpu(call, given) : copy_by_device(stream, run);
    }
    return answer;
}

// ---- the whole

// Under `staging`. A record that the stream has, of a copy that failed half way, goes with the
// stream.
static tarn_status give_all(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                            bool out) {
    struct run run = begin(box, stream->stage, out);
    struct tn_vendor_call *call =
        tn_vendor_direct_create(stream, copy_by_cpu, &run, sizeof run, count(&run));
    if (call == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    struct tn_native answer = TN_NATIVE_OK;
    bool given = false;
    while (run.y < box->height && tn_native_ok(answer)) {
        answer = give_piece(stream, &run, call, &given);
        step(&run);
    }
    if (!given) {
        tn_vendor_direct_destroy(call);
    }
    return tn_vendor_stream_answer(stream, answer, "a copy");
}

tarn_status tn_vendor_copy_staged(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                                  bool out) {
    const struct tn_vendor *vendor = stream->vendor;
    struct tn_native answer = TN_NATIVE_OK;
    tarn_status status = TARN_OK;
    tn_mutex_lock(&stream->staging); // pieces of two copies must not mix
    if (stream->stage == NULL) {
        answer = vendor->driver->host_alloc(vendor->d, STAGE, &stream->stage);
    }
    if (tn_native_ok(answer)) {
        status = give_all(stream, box, out);
    } else {
        status = tn_vendor_status(vendor, answer, TARN_NO_HOST_MEMORY, TARN_NO_HOST_MEMORY,
                                  "pinned memory for a stream of device %d", stream->device);
    }
    tn_mutex_unlock(&stream->staging);
    return status;
}

// Nothing of the stream runs any more.
void tn_vendor_stage_free(struct tn_vendor_stream *stream) {
    struct tn_vendor_scope scope;
    if (stream->stage != NULL &&
        tn_vendor_enter(stream->vendor, stream->device, &scope) == TARN_OK) {
        (void)stream->vendor->driver->host_free(stream->vendor->d, stream->stage);
        tn_vendor_leave(&scope);
    }
    tn_mutex_fini(&stream->staging);
}
