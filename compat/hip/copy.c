// SPDX-License-Identifier: Apache-2.0
// hipMemcpy() and its one-dimensional relatives. No state: each call describes its copy and gives
// it to a stream, so any thread may be here.
#include "compat/hip/copy.h"

#include <hip/detail/copy.h>

struct linear {
    struct tn_hip_copy head;
    tarn_copy_desc desc;
};
_Static_assert(sizeof(struct linear) <= TN_HIP_PAYLOAD, "a copy fits an op");

// Whoever launches a graph does not wait for its copies.
hipError_t tn_hip_copy_keep(void *payload) {
    ((struct tn_hip_copy *)payload)->ran = NULL;
    return hipSuccess;
}

hipError_t tn_hip_copy_ran(const struct tn_hip_copy *copy, const struct tn_hip_where *where,
                           tarn_status status) {
    if (status == TARN_OK && copy->ran != NULL) {
        *copy->ran = where->stream;
    }
    return tn_hip_from(status);
}

static bool is_onto_itself(const tarn_copy_desc *desc) {
    return desc->dst == desc->src && (desc->height <= 1 || desc->dst_pitch == desc->src_pitch) &&
           (desc->depth <= 1 || desc->dst_slice_pitch == desc->src_slice_pitch);
}

static hipError_t run(const void *payload, const struct tn_hip_where *where) {
    const struct linear *copy = (const struct linear *)payload;
    tarn_status status = TARN_OK;
    if (!is_onto_itself(&copy->desc)) {
        status = tarn_copy_box(where->device->tarn, &copy->desc, where->stream);
    }
    return tn_hip_copy_ran(&copy->head, where, status);
}

void tn_hip_copy_op(const tarn_copy_desc *desc, struct tn_hip_op *op) {
    struct linear *copy = (struct linear *)op->payload;
    *op = (struct tn_hip_op){.work = TN_HIP_WORK_COPY, .run = run, .keep = tn_hip_copy_keep};
    *copy = (struct linear){.desc = *desc};
    if (desc->width != 0) {
        copy->head = (struct tn_hip_copy){NULL, {desc->dst, desc->src}};
    }
    if (desc->peers[0] == NULL && desc->peers[1] == NULL) {
        copy->desc.peers[0] = tn_hip_current()->tarn;
    }
}

hipError_t tn_hip_copy_kind(hipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToHost:
    case hipMemcpyHostToDevice:
    case hipMemcpyDeviceToHost:
    case hipMemcpyDeviceToDevice:
    case hipMemcpyDefault:
    case hipMemcpyDeviceToDeviceNoCU:
        return hipSuccess;
    }
    return tn_hip_fail(hipErrorInvalidMemcpyDirection, "kind %d is none of 0 to 4 and 1024",
                       (int)kind);
}

static hipError_t check_pointers(const void *dst, const void *src) {
    if (dst == NULL || src == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL", dst == NULL ? "dst" : "src");
    }
    return hipSuccess;
}

static hipError_t describe(void *dst, const void *src, size_t size, struct tn_hip_device *dst_owner,
                           struct tn_hip_device *src_owner, struct tn_hip_op *op) {
    hipError_t error = size != 0 ? check_pointers(dst, src) : hipSuccess;
    if (error == hipSuccess) {
        tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
        desc.dst = TARN_ADDR(dst);
        desc.src = TARN_ADDR(src);
        desc.width = size;
        desc.peers[0] = dst_owner != NULL ? dst_owner->tarn : NULL;
        desc.peers[1] = src_owner != NULL ? src_owner->tarn : NULL;
        tn_hip_copy_op(&desc, op);
    }
    return error;
}

// ---- giving it

// An address of 0 is no memory: there is nothing to copy, or an array.
static bool is_ordinary(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    return addr != 0 && tarn_address_query(addr, &info) == TARN_OK &&
           info.kind == TARN_ADDRESS_UNKNOWN;
}

hipError_t tn_hip_copy_give(struct tn_hip_op *op, hipStream_t stream, bool wait) {
    struct tn_hip_copy *copy = (struct tn_hip_copy *)op->payload;
    tarn_stream ran = TARN_STREAM_NONE;
    if (wait) {
        return tn_hip_submit_and_wait(stream, op);
    }
    if (is_ordinary(copy->linear[0]) || is_ordinary(copy->linear[1])) {
        copy->ran = &ran;
    }
    hipError_t error = tn_hip_submit(stream, op);
    if (error == hipSuccess && ran != TARN_STREAM_NONE) {
        error = tn_hip_from(tarn_stream_synchronize(ran));
    }
    return error;
}

static hipError_t copy_1d(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                          hipStream_t stream, bool wait) {
    struct tn_hip_op op;
    TN_HIP_TRY(tn_hip_enter());
    TN_HIP_TRY(tn_hip_copy_kind(kind));
    TN_HIP_TRY(describe(dst, src, size, NULL, NULL, &op));
    return tn_hip_copy_give(&op, stream, wait);
}

hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, kind, NULL, true), __func__);
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                               hipStream_t stream) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, kind, stream, true), __func__);
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                          hipStream_t stream) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, kind, stream, false), __func__);
}

hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, kind, hipStreamPerThread, true), __func__);
}

hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                              hipStream_t stream) {
    hipStream_t own = stream != NULL ? stream : hipStreamPerThread;
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, kind, own, false), __func__);
}

// ---- with the direction in the name

static const hipMemcpyKind to_device = hipMemcpyHostToDevice;
static const hipMemcpyKind to_host = hipMemcpyDeviceToHost;
static const hipMemcpyKind on_device = hipMemcpyDeviceToDevice;

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, to_device, NULL, true), __func__);
}

hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, to_host, NULL, true), __func__);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, on_device, NULL, true), __func__);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes,
                              hipStream_t stream) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, to_device, stream, false), __func__);
}

hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, to_host, stream, false), __func__);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes,
                              hipStream_t stream) {
    return tn_hip_leave(copy_1d(dst, src, sizeBytes, on_device, stream, false), __func__);
}

// ---- between devices

static hipError_t find_device(int ordinal, const char *name, struct tn_hip_device **device) {
    *device = tn_hip_device(ordinal);
    return *device != NULL ? hipSuccess
                           : tn_hip_fail(hipErrorInvalidDevice, "%s device %d, there are %d", name,
                                         ordinal, tn_hip_face.count);
}

static hipError_t copy_peer(void *dst, int dst_ordinal, const void *src, int src_ordinal,
                            size_t size, hipStream_t stream, bool wait) {
    struct tn_hip_op op;
    struct tn_hip_device *dst_device;
    struct tn_hip_device *src_device;
    TN_HIP_TRY(tn_hip_enter());
    TN_HIP_TRY(find_device(dst_ordinal, "destination", &dst_device));
    TN_HIP_TRY(find_device(src_ordinal, "source", &src_device));
    TN_HIP_TRY(describe(dst, src, size, dst_device, src_device, &op));
    return tn_hip_copy_give(&op, stream, wait);
}

hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId,
                         size_t sizeBytes) {
    return tn_hip_leave(copy_peer(dst, dstDeviceId, src, srcDeviceId, sizeBytes, NULL, true),
                        __func__);
}

hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice,
                              size_t sizeBytes, hipStream_t stream) {
    return tn_hip_leave(copy_peer(dst, dstDeviceId, src, srcDevice, sizeBytes, stream, false),
                        __func__);
}
