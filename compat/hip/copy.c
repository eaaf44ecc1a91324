// SPDX-License-Identifier: Apache-2.0
// hipMemcpy() and the other one-dimensional copies. Each call describes its copy and submits it to
// a stream. The file has no state, so any thread may call its functions.
#include "compat/hip/copy.h"
#include "compat/hip/face.h"

#include <hip/detail/copy.h>

struct linear {
    struct tn_hip_copy head;
    tarn_copy_desc desc;
};
_Static_assert(sizeof(struct linear) <= TN_RT_PAYLOAD, "a copy fits an op");

// The thread that launches a graph does not wait for its copies.
tn_rt_error tn_hip_copy_keep(void *payload) {
    struct tn_hip_copy *copy = (struct tn_hip_copy *)payload;
    copy->ran = NULL;
    copy->take_source = false;
    return TN_RT_OK;
}

tn_rt_error tn_hip_copy_ran(const struct tn_hip_copy *copy, const struct tn_rt_where *where,
                            tarn_status status) {
    if (status == TARN_OK && copy->ran != NULL) {
        *copy->ran = where->stream;
    }
    return tn_rt_from(status);
}

static bool is_onto_itself(const tarn_copy_desc *desc) {
    return desc->dst == desc->src && (desc->height <= 1 || desc->dst_pitch == desc->src_pitch) &&
           (desc->depth <= 1 || desc->dst_slice_pitch == desc->src_slice_pitch);
}

static tn_rt_error run_linear(const void *payload, const struct tn_rt_where *where) {
    const struct linear *copy = (const struct linear *)payload;
    tarn_copy_desc desc = copy->desc;
    tarn_status status = TARN_OK;
    if (!is_onto_itself(&desc)) {
        desc.flags = copy->head.take_source ? TARN_COPY_TAKE_SOURCE : 0;
        status = tarn_copy_box(where->device->tarn, &desc, where->stream);
    }
    return tn_hip_copy_ran(&copy->head, where, status);
}

void tn_hip_copy_op(const tarn_copy_desc *desc, struct tn_rt_op *op) {
    struct linear *copy = (struct linear *)op->payload;
    *op = (struct tn_rt_op){.work = TN_RT_WORK_COPY, .run = run_linear, .keep = tn_hip_copy_keep};
    *copy = (struct linear){.desc = *desc};
    if (desc->width != 0) {
        copy->head = (struct tn_hip_copy){
            .linear = {desc->dst, desc->src},
            .row = desc->height <= 1 && desc->depth <= 1 ? (size_t)desc->width : 0};
    }
    if (desc->peers[0] == NULL && desc->peers[1] == NULL) {
        copy->desc.peers[0] = tn_rt_current()->tarn;
    }
}

tn_rt_error tn_hip_copy_kind(hipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToHost:
    case hipMemcpyHostToDevice:
    case hipMemcpyDeviceToHost:
    case hipMemcpyDeviceToDevice:
    case hipMemcpyDefault:
    case hipMemcpyDeviceToDeviceNoCU:
        return TN_RT_OK;
    }
    return tn_rt_fail(TN_RT_INVALID_DIRECTION, "kind %d is not 0 to 4 or 1024", (int)kind);
}

static tn_rt_error describe_linear(void *dst, const void *src, size_t size,
                                   const struct tn_rt_device *dst_owner,
                                   const struct tn_rt_device *src_owner, struct tn_rt_op *op) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    if (size != 0) {
        TN_RT_TRY(tn_rt_check_pointer(dst, "dst"));
        TN_RT_TRY(tn_rt_check_pointer(src, "src"));
    }
    desc.dst = TARN_ADDR(dst);
    desc.src = TARN_ADDR(src);
    desc.width = size;
    desc.peers[0] = dst_owner != NULL ? dst_owner->tarn : NULL;
    desc.peers[1] = src_owner != NULL ? src_owner->tarn : NULL;
    tn_hip_copy_op(&desc, op);
    return TN_RT_OK;
}

// ---- in one direction or any

static tn_rt_error copy_1d(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                           hipStream_t stream, enum tn_hip_copy_call call) {
    struct tn_rt_op op;
    TN_RT_TRY(describe_linear(dst, src, size, NULL, NULL, &op));
    if (size != 0) {
        TN_RT_TRY(tn_hip_copy_kind(kind));
        ((struct tn_hip_copy *)op.payload)->kind = kind;
    }
    return tn_hip_copy_submit(&op, stream, call);
}

tn_rt_error tn_hip_copy_linear(void *dst, const void *src, size_t size, hipStream_t stream,
                               enum tn_hip_copy_call call) {
    return copy_1d(dst, src, size, hipMemcpyDefault, stream, call);
}

hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, kind, NULL, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                               hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, kind, stream, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                          hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, kind, stream, TN_HIP_COPY_ASYNC));
}

hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, kind, hipStreamPerThread, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                              hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, kind, tn_hip_spt(stream), TN_HIP_COPY_ASYNC));
}

// ---- with the direction in the name

static const hipMemcpyKind to_device = hipMemcpyHostToDevice;
static const hipMemcpyKind to_host = hipMemcpyDeviceToHost;
static const hipMemcpyKind on_device = hipMemcpyDeviceToDevice;

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, to_device, NULL, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, to_host, NULL, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, on_device, NULL, TN_HIP_COPY_SYNC));
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes,
                              hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, to_device, stream, TN_HIP_COPY_ASYNC));
}

hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, to_host, stream, TN_HIP_COPY_ASYNC));
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes,
                              hipStream_t stream) {
    return TN_HIP_CALL(copy_1d(dst, src, sizeBytes, on_device, stream, TN_HIP_COPY_ASYNC));
}

// ---- between devices

static tn_rt_error copy_peer(void *dst, int dst_ordinal, const void *src, int src_ordinal,
                             size_t size, hipStream_t stream, enum tn_hip_copy_call call) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_check_device(dst_ordinal));
    TN_RT_TRY(tn_rt_check_device(src_ordinal));
    TN_RT_TRY(
        describe_linear(dst, src, size, tn_rt_device(dst_ordinal), tn_rt_device(src_ordinal), &op));
    return tn_hip_copy_submit(&op, stream, call);
}

hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId,
                         size_t sizeBytes) {
    return TN_HIP_CALL(
        copy_peer(dst, dstDeviceId, src, srcDeviceId, sizeBytes, NULL, TN_HIP_COPY_PEER));
}

hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice,
                              size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(
        copy_peer(dst, dstDeviceId, src, srcDevice, sizeBytes, stream, TN_HIP_COPY_ASYNC));
}
