// SPDX-License-Identifier: Apache-2.0
// Copies and fills. They are checked when the call is made; the backend checks them again when they
// run.
#include "core/work/copy.h"

#include <inttypes.h>

#include "base/struct.h"
#include "core/address/index.h"
#include "core/platform/notify.h"
#include "core/work/executor.h"
#include "core/work/stage.h"
#include "fail/point.h"

// ---- copy

static tarn_status check_box(const struct tn_box *box, const char *what) {
    TN_REFUSE(box->addr == 0, TARN_BAD_ARGUMENT, "%s is 0", what);
    TN_REFUSE(!tn_box_is_sound(box), TARN_BAD_ARGUMENT,
              "%s: %" PRIu64 " rows of 0x%" PRIx64 " bytes do not fit a pitch of 0x%" PRIx64
              " or a slice pitch of 0x%" PRIx64 " bytes",
              what, box->height, box->width, box->pitch, box->slice);
    return TARN_OK;
}

static struct tn_box box_of(const tarn_copy_desc *desc, bool dst) {
    return (struct tn_box){.addr = dst ? desc->dst : desc->src,
                           .width = desc->width,
                           .height = desc->height,
                           .pitch = dst ? desc->dst_pitch : desc->src_pitch,
                           .depth = desc->depth,
                           .slice = dst ? desc->dst_slice_pitch : desc->src_slice_pitch};
}

static tarn_backend_copy backend_copy(const struct tn_executor *executor,
                                      const tarn_copy_desc *desc) {
    return (tarn_backend_copy){
        .dst = desc->dst,
        .src = desc->src,
        .width = desc->width,
        .height = desc->height,
        .dst_pitch = desc->dst_pitch,
        .src_pitch = desc->src_pitch,
        .device = executor->device->ordinal,
        .depth = desc->depth,
        .dst_slice_pitch = desc->dst_slice_pitch,
        .src_slice_pitch = desc->src_slice_pitch,
    };
}

static tarn_status run_copy(const struct tn_executor *executor, const tarn_copy_desc *desc) {
    struct tn_platform *platform = executor->device->platform;
    TARN_ASSERT(desc->width != 0 && desc->height != 0 && desc->depth != 0);
    tarn_backend_copy copy = backend_copy(executor, desc);
    const struct tn_box dst = box_of(desc, true);
    const struct tn_box src = box_of(desc, false);
    TN_TRY(check_box(&dst, "dst"));
    TN_TRY(check_box(&src, "src"));
    TN_TRY(tn_executor_peers(executor, desc->peers, copy.peers));
    struct tn_accessors accessors = {platform, {copy.device, copy.peers[0], copy.peers[1]}};
    TN_TRY(tn_reach_check(executor, &dst, TARN_ACCESS_READ_WRITE, &accessors, &copy.dst_is_own,
                          "tarn_copy"));
    TN_TRY(tn_reach_check(executor, &src, TARN_ACCESS_READ, &accessors, &copy.src_is_own,
                          "tarn_copy"));
    TN_REFUSE(tn_range_overlap(&dst, &src), TARN_BAD_ARGUMENT,
              "source 0x%" PRIx64 " and destination 0x%" PRIx64 " overlap", src.addr, dst.addr);
    bool take = (desc->flags & TARN_COPY_TAKE_SOURCE) != 0 && executor->stream != NULL;
    if (take) {
        struct tn_reader *reader = tn_index_peek();
        take = tn_index_find(desc->src) == NULL; // ordinary memory
        tn_index_peek_done(reader);
    }
    if (tn_subscribed() && !executor->unseen) {
        struct tn_executor reader = *executor;
        reader.id = take ? TARN_STREAM_NONE : executor->id; // the calling thread reads then
        bool inside = copy.dst_is_own && copy.src_is_own;
        tn_emit_copy(&reader, &src, executor, &dst, inside, "tarn_copy");
    }
    struct tn_stage *stage = NULL;
    if (take) TN_TRY(tn_stage_new(executor->stream, &copy, &stage));
    tarn_status status = platform->ops->copy(platform->p, tn_executor_stream(executor), &copy);
    if (stage != NULL) tn_stage_end(executor->stream, stage, status == TARN_OK);
    if (status == TARN_OK) tn_executor_count(executor, desc->width * desc->height * desc->depth);
    return status;
}

// The description is the library's own copy, with height and depth at least 1. An unseen copy is
// not the program's, and emits no events.
static tarn_status copy_on_executor(tarn_device *device, const tarn_copy_desc *desc,
                                    tarn_stream stream, bool unseen) {
    struct tn_executor executor;
    TN_TRY(tn_executor_get(device, stream, &executor));
    executor.unseen = unseen;
    tarn_status status = desc->width != 0 ? run_copy(&executor, desc) : TARN_OK;
    tn_executor_put(&executor);
    return status;
}

static tarn_copy_desc row_of(tarn_addr dst, tarn_addr src, uint64_t bytes) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = dst;
    desc.src = src;
    desc.width = bytes;
    desc.height = 1;
    desc.depth = 1;
    return desc;
}

tarn_status tarn_copy(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t bytes,
                      tarn_stream stream) {
    TN_FAIL_POINT(dst, bytes);
    tarn_copy_desc desc = row_of(dst, src, bytes);
    return TN_DONE(copy_on_executor(device, &desc, stream, false));
}

tarn_status tn_copy_unseen(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    tarn_copy_desc desc = row_of(dst, src, bytes);
    return copy_on_executor(device, &desc, TARN_STREAM_NONE, true);
}

// The bytes of a box whose description may be of an earlier version, without its depth.
#define GIVEN_BYTES(given, element)                                                                \
    ((given) == NULL                                                                               \
         ? 0                                                                                       \
         : (given)->width * (element) * ((given)->height != 0 ? (given)->height : 1) *             \
               ((given)->struct_size >= sizeof *(given) && (given)->depth != 0 ? (given)->depth    \
                                                                               : 1))

tarn_status tarn_copy_box(tarn_device *device, const tarn_copy_desc *given, tarn_stream stream) {
    TN_FAIL_POINT(given != NULL ? given->dst : 0, GIVEN_BYTES(given, 1));
    TN_REFUSE(given == NULL, TARN_BAD_ARGUMENT, "desc is NULL");
    tarn_copy_desc desc;
    TN_TRY(tn_struct_read(&desc, sizeof desc, given, "tarn_copy_desc"));
    TN_REFUSE((desc.flags & ~(uint32_t)TARN_COPY_TAKE_SOURCE) != 0 || desc.zero != 0,
              TARN_BAD_ARGUMENT, "flags 0x%x are unknown, or zero is 0x%x", desc.flags, desc.zero);
    desc.height = desc.height == 0 ? 1 : desc.height;
    desc.depth = desc.depth == 0 ? 1 : desc.depth;
    return TN_DONE(copy_on_executor(device, &desc, stream, false));
}

// ---- fill

static tarn_status check_elements(const struct tn_box *box, unsigned element_bytes) {
    TN_REFUSE(
        box->addr % element_bytes != 0 || (box->height > 1 && box->pitch % element_bytes != 0) ||
            (box->depth > 1 && box->slice % element_bytes != 0),
        TARN_MISALIGNED, "dst 0x%llx, pitch 0x%llx or slice pitch 0x%llx is not a multiple of %u",
        (unsigned long long)box->addr, (unsigned long long)box->pitch,
        (unsigned long long)box->slice, element_bytes);
    return TARN_OK;
}

static tarn_status run_fill(const struct tn_executor *executor, const struct tn_box *box,
                            const tarn_fill_desc *desc) {
    struct tn_platform *platform = executor->device->platform;
    tarn_backend_fill fill = {
        .dst = box->addr,
        .width = box->width,
        .height = box->height,
        .pitch = box->pitch,
        .value = desc->value,
        .element_bytes = desc->element_bytes,
        .device = executor->device->ordinal,
        .depth = box->depth,
        .slice_pitch = box->slice,
    };
    struct tn_accessors accessors = {platform, {fill.device, -1, -1}};
    TARN_ASSERT(box->width != 0 && box->width % desc->element_bytes == 0);
    TN_TRY(check_box(box, "dst"));
    TN_TRY(check_elements(box, desc->element_bytes));
    TN_TRY(tn_reach_check(executor, box, TARN_ACCESS_READ_WRITE, &accessors, &fill.dst_is_own,
                          "tarn_fill"));
    if (tn_subscribed()) tn_emit_access(executor, box, TN_MEM_WRITE, "tarn_fill");
    TN_TRY(platform->ops->fill(platform->p, tn_executor_stream(executor), &fill));
    tn_executor_count(executor, box->width * box->height * box->depth);
    return TARN_OK;
}

// The description is the library's own copy, with height and depth at least 1.
static tarn_status fill_on_executor(tarn_device *device, const tarn_fill_desc *desc,
                                    tarn_stream stream) {
    unsigned element = desc->element_bytes;
    TN_REFUSE(element != 1 && element != 2 && element != 4, TARN_BAD_ARGUMENT,
              "elements of %u bytes, not 1, 2 or 4", element);
    TN_REFUSE(desc->width > UINT64_MAX / element, TARN_BAD_ADDRESS,
              "a row of 0x%" PRIx64 " elements of %u bytes wraps", desc->width, element);
    struct tn_executor executor;
    TN_TRY(tn_executor_get(device, stream, &executor));
    const struct tn_box box = {desc->dst,   desc->width * element, desc->height,
                               desc->pitch, desc->depth,           desc->slice_pitch};
    tarn_status status = desc->width != 0 ? run_fill(&executor, &box, desc) : TARN_OK;
    tn_executor_put(&executor);
    return status;
}

tarn_status tarn_fill_box(tarn_device *device, const tarn_fill_desc *given, tarn_stream stream) {
    TN_FAIL_POINT(given != NULL ? given->dst : 0,
                  GIVEN_BYTES(given, given->element_bytes != 0 ? given->element_bytes : 1));
    TN_REFUSE(given == NULL, TARN_BAD_ARGUMENT, "desc is NULL");
    tarn_fill_desc desc;
    TN_TRY(tn_struct_read(&desc, sizeof desc, given, "tarn_fill_desc"));
    desc.height = desc.height == 0 ? 1 : desc.height;
    desc.depth = desc.depth == 0 ? 1 : desc.depth;
    desc.element_bytes = desc.element_bytes == 0 ? 1 : desc.element_bytes;
    return TN_DONE(fill_on_executor(device, &desc, stream));
}

tarn_status tarn_fill(tarn_device *device, tarn_addr dst, uint32_t value, unsigned element_bytes,
                      uint64_t count, tarn_stream stream) {
    TN_FAIL_POINT(dst, count * element_bytes);
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = dst;
    desc.width = count;
    desc.height = 1;
    desc.depth = 1;
    desc.value = value;
    desc.element_bytes = element_bytes;
    return TN_DONE(fill_on_executor(device, &desc, stream));
}
