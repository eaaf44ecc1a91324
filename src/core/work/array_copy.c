// SPDX-License-Identifier: Apache-2.0
// Copies of boxes between arrays and linear memory. They are checked when the call is made.
#include "base/struct.h"
#include "core/platform/notify.h"
#include "core/work/array.h"
#include "core/work/executor.h"
#include "fail/point.h"

// One copy: its description with defaults filled in, and a reference to each array that it names.
struct job {
    tarn_array_copy_desc desc;
    struct tn_executor executor;
    struct tn_array *dst;
    struct tn_array *src;
    bool dst_is_own; // see tarn_backend_copy
    bool src_is_own;
};

// ---- sides

static tarn_status check_box(const struct tn_array *array, const tarn_array_place *place,
                             const tarn_array_copy_desc *desc, const char *what) {
    const struct tn_tiles *t = &array->tiles;
    const uint64_t at[3] = {place->x, place->y, place->z};
    const uint64_t extent[3] = {desc->width, desc->height, desc->depth};
    TN_REFUSE(place->level >= t->levels, TARN_BAD_ARGUMENT, "%s: level %u of %u", what,
              place->level, t->levels);
    for (int axis = 0; axis < 3; axis++) {
        uint64_t size =
            axis == 2 ? tn_tiles_planes(t, place->level) : tn_tiles_size(t, place->level, axis);
        TN_REFUSE(at[axis] > size || extent[axis] > size - at[axis], TARN_BAD_ARGUMENT,
                  "%s: [%llu, +%llu) of %llu in %c", what, (unsigned long long)at[axis],
                  (unsigned long long)extent[axis], (unsigned long long)size, "xyz"[axis]);
    }
    TN_REFUSE(tn_array_is(array, TARN_ARRAY_DEFERRED) && !tn_load_relaxed(&array->mapped),
              TARN_NOT_MAPPED, "%s: the array is deferred, and not mapped", what);
    return TARN_OK;
}

// Checks linear memory, `row` bytes for each row, and fills in pitches that are 0.
static tarn_status check_linear(const struct tn_executor *executor, tarn_array_place *place,
                                const tarn_array_copy_desc *desc, uint64_t row, tarn_access need,
                                const struct tn_accessors *accessors, bool *is_own,
                                const char *what) {
    place->pitch = place->pitch != 0 ? place->pitch : row;
    place->slice_pitch = place->slice_pitch != 0 ? place->slice_pitch : place->pitch * desc->height;
    const struct tn_box box = {place->addr,  row,         desc->height,
                               place->pitch, desc->depth, place->slice_pitch};
    TN_REFUSE(place->addr == 0 || !tn_box_is_sound(&box), TARN_BAD_ARGUMENT,
              "%s: at 0x%llx, %llu rows of 0x%llx bytes, pitch 0x%llx, slice pitch 0x%llx", what,
              (unsigned long long)box.addr, (unsigned long long)box.height,
              (unsigned long long)box.width, (unsigned long long)box.pitch,
              (unsigned long long)box.slice);
    return tn_reach_check(executor, &box, need, accessors, is_own, "tarn_array_copy");
}

static tarn_status check_side(struct job *job, bool is_dst, uint32_t element_bytes,
                              const struct tn_accessors *accessors) {
    tarn_array_place *place = is_dst ? &job->desc.dst : &job->desc.src;
    const struct tn_array *array = is_dst ? job->dst : job->src;
    const char *what = is_dst ? "destination" : "source";
    return array != NULL
               ? check_box(array, place, &job->desc, what)
               : check_linear(&job->executor, place, &job->desc, job->desc.width * element_bytes,
                              is_dst ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_READ, accessors,
                              is_dst ? &job->dst_is_own : &job->src_is_own, what);
}

static bool lengths_overlap(uint64_t a, uint64_t b, uint64_t length) {
    return a < b ? b - a < length : a - b < length;
}

static tarn_status check_overlap(const struct job *job) {
    const tarn_array_place *a = &job->desc.dst;
    const tarn_array_place *b = &job->desc.src;
    bool overlap = job->dst == job->src && a->level == b->level &&
                   lengths_overlap(a->x, b->x, job->desc.width) &&
                   lengths_overlap(a->y, b->y, job->desc.height) &&
                   lengths_overlap(a->z, b->z, job->desc.depth);
    return overlap
               ? tn_fail(TARN_BAD_ARGUMENT, "source and destination overlap in level %u", a->level)
               : TARN_OK;
}

// ---- the copy

static tarn_status check_arrays(const struct job *job) {
    const struct tn_array *sides[2] = {job->dst, job->src};
    TN_REFUSE(job->dst == NULL && job->src == NULL, TARN_BAD_ARGUMENT,
              "neither side of the copy is an array");
    for (int i = 0; i < 2; i++)
        TN_REFUSE(sides[i] != NULL && sides[i]->device->platform != job->executor.device->platform,
                  TARN_BAD_ARGUMENT, "array 0x%llx is of another platform",
                  (unsigned long long)(i == 0 ? job->desc.dst.array : job->desc.src.array));
    TN_REFUSE(job->dst != NULL && job->src != NULL &&
                  job->dst->desc.element_bytes != job->src->desc.element_bytes,
              TARN_BAD_ARGUMENT, "elements of %u bytes to an array of %u",
              job->src->desc.element_bytes, job->dst->desc.element_bytes);
    return TARN_OK;
}

static tarn_backend_array_side side_of(const tarn_array_place *place, const struct tn_array *array,
                                       bool is_own) {
    return (tarn_backend_array_side){
        .array = array != NULL ? array->backend : NULL,
        .level = place->level,
        .at = {place->x, place->y, place->z},
        .addr = place->addr,
        .pitch = place->pitch,
        .slice_pitch = place->slice_pitch,
        .is_own = is_own,
    };
}

// The bytes of one side. Those of an array have numbers for addresses.
static struct tn_box box_of_side(const struct job *job, bool is_dst, uint32_t element_bytes) {
    const tarn_array_copy_desc *desc = &job->desc;
    const tarn_array_place *place = is_dst ? &desc->dst : &desc->src;
    const struct tn_array *array = is_dst ? job->dst : job->src;
    TARN_ASSERT(array == NULL || array->desc.element_bytes == element_bytes);
    return array == NULL ? (struct tn_box){place->addr,  desc->width * element_bytes,
                                           desc->height, place->pitch,
                                           desc->depth,  place->slice_pitch}
                         : tn_array_numbers(array, place, desc->width, desc->height, desc->depth);
}

static void emit_sides(const struct job *job, uint32_t element_bytes) {
    const struct tn_box src = box_of_side(job, false, element_bytes);
    const struct tn_box dst = box_of_side(job, true, element_bytes);
    bool inside = (job->src != NULL || job->src_is_own) && (job->dst != NULL || job->dst_is_own) &&
                  src.width == dst.width && src.height == dst.height && src.depth == dst.depth;
    tn_emit_copy(&job->executor, &src, &job->executor, &dst, inside, "tarn_array_copy");
}

static tarn_status enqueue_copy(struct job *job) {
    struct tn_platform *platform = job->executor.device->platform;
    tarn_backend_array_copy copy = {.device = job->executor.device->ordinal};
    TN_TRY(tn_executor_peers(&job->executor, job->desc.peers, copy.peers));
    copy.element_bytes = (job->dst != NULL ? job->dst : job->src)->desc.element_bytes;
    const struct tn_accessors accessors = {platform, {copy.device, copy.peers[0], copy.peers[1]}};
    TARN_ASSERT(job->desc.width != 0 && job->desc.height != 0 && job->desc.depth != 0);
    // Arrays first: they bound the box, so that the bytes of its rows do not wrap.
    bool dst_first = job->dst != NULL;
    TN_TRY(check_side(job, dst_first, copy.element_bytes, &accessors));
    TN_TRY(check_side(job, !dst_first, copy.element_bytes, &accessors));
    TN_TRY(check_overlap(job));
    if (tn_subscribed()) emit_sides(job, copy.element_bytes);
    copy.dst = side_of(&job->desc.dst, job->dst, job->dst_is_own);
    copy.src = side_of(&job->desc.src, job->src, job->src_is_own);
    copy.extent[0] = job->desc.width;
    copy.extent[1] = job->desc.height;
    copy.extent[2] = job->desc.depth;
    TN_TRY(platform->ops->array_copy(platform->p, tn_executor_stream(&job->executor), &copy));
    tn_executor_count(&job->executor,
                      copy.extent[0] * copy.extent[1] * copy.extent[2] * copy.element_bytes);
    return TARN_OK;
}

tarn_status tarn_array_copy(tarn_device *device, const tarn_array_copy_desc *given,
                            tarn_stream stream) {
    TN_FAIL_POINT(0, 0);
    struct job job = {.dst = NULL, .src = NULL};
    TN_REFUSE(given == NULL, TARN_BAD_ARGUMENT, "desc is NULL");
    TN_TRY(tn_struct_read(&job.desc, sizeof job.desc, given, "tarn_array_copy_desc"));
    job.desc.height = job.desc.height == 0 ? 1 : job.desc.height;
    job.desc.depth = job.desc.depth == 0 ? 1 : job.desc.depth;
    TN_TRY(tn_executor_get(device, stream, &job.executor));
    tarn_status status = TARN_OK;
    if (job.desc.dst.array != 0) status = tn_array_get(job.desc.dst.array, &job.dst);
    if (job.desc.src.array != 0 && status == TARN_OK)
        status = tn_array_get(job.desc.src.array, &job.src);
    if (status == TARN_OK) status = check_arrays(&job);
    if (status == TARN_OK && job.desc.width != 0) status = enqueue_copy(&job);
    if (job.src != NULL) tn_array_put(job.src);
    if (job.dst != NULL) tn_array_put(job.dst);
    tn_executor_put(&job.executor);
    return TN_DONE(status);
}
