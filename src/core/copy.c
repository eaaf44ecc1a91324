// SPDX-License-Identifier: Apache-2.0
// Copies and fills: checked here when they are given, handed to the backend, checked there again
// when they run.
#include <tarn/copy.h>

#include "base/error.h"
#include "core/describe.h"
#include "core/range.h"
#include "core/stream.h"

// Who does it: the executing device, and the stream when there is one (one reference held).
struct executor {
    struct tarn_device *device;
    struct tn_order *stream;
};

static tarn_status executor_get(tarn_device *device, tarn_stream stream, struct executor *out) {
    *out = (struct executor){device, NULL};
    if (stream == TARN_STREAM_NONE) {
        return device == NULL
                   ? tn_fail(TARN_BAD_ARGUMENT, "without a stream a device is needed to copy")
                   : tn_device_usable(device);
    }
    tarn_status status = tn_stream_get(stream, &out->stream);
    if (status != TARN_OK) {
        return status;
    }
    if (device != NULL && device != out->stream->device) {
        tn_order_put(out->stream);
        return tn_fail(TARN_BAD_ARGUMENT, "stream 0x%llx is of another device than the one given",
                       (unsigned long long)stream);
    }
    out->device = out->stream->device;
    return TARN_OK;
}

static void executor_put(const struct executor *executor) {
    if (executor->stream != NULL) {
        tn_order_put(executor->stream);
    }
}

static void *backend_stream(const struct executor *executor) {
    return executor->stream != NULL ? executor->stream->backend : NULL;
}

static void count(const struct executor *executor, tarn_status status, uint64_t bytes) {
    if (status == TARN_OK) {
        TN_COUNT(executor->device->platform, copies, 1);
        TN_COUNT(executor->device->platform, copied_bytes, bytes);
    }
}

// ---- copy

static tarn_status peer_ordinal(const struct executor *executor, const tarn_device *peer,
                                int *ordinal) {
    *ordinal = -1;
    if (peer == NULL) {
        return TARN_OK;
    }
    if (peer->platform != executor->device->platform) {
        return tn_fail(TARN_BAD_ARGUMENT, "a peer is of another platform than the device");
    }
    *ordinal = peer->ordinal;
    return TARN_OK;
}

static tarn_status check_desc(const tarn_copy_desc *desc) {
    if (desc->dst == 0 || desc->src == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s is 0", desc->dst == 0 ? "dst" : "src");
    }
    if (desc->height > 1 && (desc->dst_pitch < desc->width || desc->src_pitch < desc->width)) {
        return tn_fail(TARN_BAD_ARGUMENT, "pitches 0x%llx and 0x%llx, rows have 0x%llx bytes",
                       (unsigned long long)desc->dst_pitch, (unsigned long long)desc->src_pitch,
                       (unsigned long long)desc->width);
    }
    return TARN_OK;
}

static tarn_status check_places(const tarn_copy_desc *desc, const struct tn_actors *actors) {
    struct tn_rows dst = {desc->dst, desc->width, desc->height, desc->dst_pitch};
    struct tn_rows src = {desc->src, desc->width, desc->height, desc->src_pitch};
    tarn_status status = tn_range_check(&dst, TARN_ACCESS_READ_WRITE, actors, "destination");
    if (status == TARN_OK) {
        status = tn_range_check(&src, TARN_ACCESS_READ, actors, "source");
    }
    if (status == TARN_OK && tn_range_overlap(&dst, &src)) {
        status = tn_fail(TARN_BAD_ARGUMENT, "source 0x%llx and destination 0x%llx overlap",
                         (unsigned long long)desc->src, (unsigned long long)desc->dst);
    }
    return status;
}

static tarn_status run_copy(const struct executor *executor, const tarn_copy_desc *desc) {
    struct tn_platform *platform = executor->device->platform;
    tarn_backend_copy copy = {
        .dst = desc->dst,
        .src = desc->src,
        .width = desc->width,
        .height = desc->height,
        .dst_pitch = desc->dst_pitch,
        .src_pitch = desc->src_pitch,
        .device = executor->device->ordinal,
    };
    tarn_status status = TARN_OK;
    for (int i = 0; i < 2 && status == TARN_OK; i++) {
        status = peer_ordinal(executor, desc->peers[i], &copy.peers[i]);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_actors actors = {platform, {copy.device, copy.peers[0], copy.peers[1]}};
    status = check_places(desc, &actors);
    if (status != TARN_OK) {
        return status;
    }
    status = platform->ops->copy(platform->p, backend_stream(executor), &copy);
    count(executor, status, desc->width * desc->height);
    return status;
}

// The description is the library's own, whole and with height at least 1.
static tarn_status copy(tarn_device *device, const tarn_copy_desc *desc, tarn_stream stream) {
    struct executor executor;
    tarn_status status = executor_get(device, stream, &executor);
    if (status != TARN_OK) {
        return status;
    }
    if (desc->width != 0) {
        status = check_desc(desc);
        if (status == TARN_OK) {
            status = run_copy(&executor, desc);
        }
    }
    executor_put(&executor);
    return status;
}

tarn_status tarn_copy(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t size,
                      tarn_stream stream) {
    tarn_copy_desc desc = TARN_COPY_DESC_INIT;
    desc.dst = dst;
    desc.src = src;
    desc.width = size;
    desc.height = 1;
    return copy(device, &desc, stream);
}

tarn_status tarn_copy_2d(tarn_device *device, const tarn_copy_desc *given, tarn_stream stream) {
    if (given == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "desc is NULL");
    }
    tarn_copy_desc desc = TARN_COPY_DESC_INIT;
    tarn_status status = tn_describe_read(&desc, sizeof desc, given, "tarn_copy_desc");
    if (status != TARN_OK) {
        return status;
    }
    desc.height = desc.height == 0 ? 1 : desc.height;
    return copy(device, &desc, stream);
}

// ---- fill

static tarn_status check_fill(const tarn_backend_fill *fill, unsigned element_bytes) {
    if (fill->dst == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "dst is 0");
    }
    if (fill->height > 1 && fill->pitch < fill->width) {
        return tn_fail(TARN_BAD_ARGUMENT, "pitch 0x%llx, rows have 0x%llx bytes",
                       (unsigned long long)fill->pitch, (unsigned long long)fill->width);
    }
    if (fill->dst % element_bytes != 0 || (fill->height > 1 && fill->pitch % element_bytes != 0)) {
        return tn_fail(TARN_MISALIGNED, "dst 0x%llx or pitch 0x%llx is no multiple of %u",
                       (unsigned long long)fill->dst, (unsigned long long)fill->pitch,
                       element_bytes);
    }
    return TARN_OK;
}

static tarn_status run_fill(const struct executor *executor, tarn_backend_fill *fill) {
    struct tn_platform *platform = executor->device->platform;
    fill->device = executor->device->ordinal;
    struct tn_actors actors = {platform, {fill->device, -1, -1}};
    struct tn_rows rows = {fill->dst, fill->width, fill->height, fill->pitch};
    tarn_status status = check_fill(fill, fill->element_bytes);
    if (status == TARN_OK) {
        status = tn_range_check(&rows, TARN_ACCESS_READ_WRITE, &actors, "destination");
    }
    if (status == TARN_OK) {
        status = platform->ops->fill(platform->p, backend_stream(executor), fill);
        count(executor, status, fill->width * fill->height);
    }
    return status;
}

tarn_status tarn_fill_2d(tarn_device *device, tarn_addr dst, uint64_t pitch, uint32_t value,
                         unsigned element_bytes, uint64_t width, uint64_t height,
                         tarn_stream stream) {
    if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) {
        return tn_fail(TARN_BAD_ARGUMENT, "elements of %u bytes, not 1, 2 or 4", element_bytes);
    }
    if (width > UINT64_MAX / element_bytes) {
        return tn_fail(TARN_BAD_ADDRESS, "a row of 0x%llx elements of %u bytes wraps",
                       (unsigned long long)width, element_bytes);
    }
    struct executor executor;
    tarn_status status = executor_get(device, stream, &executor);
    if (status != TARN_OK) {
        return status;
    }
    tarn_backend_fill fill = {.dst = dst,
                              .width = width * element_bytes,
                              .height = height,
                              .pitch = pitch,
                              .value = value,
                              .element_bytes = element_bytes};
    if (width != 0 && height != 0) {
        status = run_fill(&executor, &fill);
    }
    executor_put(&executor);
    return status;
}

tarn_status tarn_fill(tarn_device *device, tarn_addr dst, uint32_t value, unsigned element_bytes,
                      uint64_t count, tarn_stream stream) {
    return tarn_fill_2d(device, dst, 0, value, element_bytes, count, 1, stream);
}
