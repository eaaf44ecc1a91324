// SPDX-License-Identifier: Apache-2.0
// hipMemcpy2D(), hipMemcpy3D() and similar functions. Each description becomes a box, and the box
// becomes a copy. The file has no state, so any thread may call its functions.
#include "compat/hip/array.h"
#include "compat/hip/copy.h"
#include "compat/hip/face.h"
#include "compat/runtime/box.h"

#include <hip/detail/copy_box.h>

// ---- two dimensions

static tn_rt_error copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                           size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                           bool wait) {
    struct tn_rt_box box = {
        .dst = {.name = "destination", .base = TARN_ADDR(dst), .pitch = dst_pitch},
        .src = {.name = "source", .base = TARN_ADDR(src), .pitch = src_pitch},
        .width = width,
        .height = height,
        .depth = 1,
    };
    TN_RT_TRY(tn_rt_copy_kind((int)kind));
    return tn_rt_box_submit(&box, stream, wait);
}

hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_2d(dst, dpitch, src, spitch, width, height, kind, NULL, true));
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(copy_2d(dst, dpitch, src, spitch, width, height, kind, stream, false));
}

hipError_t hipMemcpy2D_spt(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        copy_2d(dst, dpitch, src, spitch, width, height, kind, hipStreamPerThread, true));
}

hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
    return TN_HIP_CALL(
        copy_2d(dst, dpitch, src, spitch, width, height, kind, tn_hip_spt(stream), false));
}

// ---- the driver's descriptions

static tn_rt_error read_place(struct tn_rt_side *side, hipMemoryType type, const void *host,
                              hipDeviceptr_t device, hipArray_t array) {
    switch (type) {
    case hipMemoryTypeUnregistered:
    case hipMemoryTypeHost: side->base = TARN_ADDR(host); return TN_RT_OK;
    case hipMemoryTypeDevice:
    case hipMemoryTypeManaged:
    case hipMemoryTypeUnified: side->base = TARN_ADDR(device); return TN_RT_OK;
    case hipMemoryTypeArray:
        side->is_array = true;
        side->array = array;
        return TN_RT_OK;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%s: memory type %d is unknown", side->name,
                          (int)type);
    }
}

// A pitch or number of rows of 0 is as large as needed.
static void complete_side(const struct tn_rt_box *box, struct tn_rt_side *side) {
    side->pitch = side->pitch == 0 ? side->x + box->width : side->pitch;
    side->rows = side->rows == 0 ? side->y + box->height : side->rows;
}

static tn_rt_error read_drv(const HIP_MEMCPY3D *copy, struct tn_rt_box *box) {
    *box = (struct tn_rt_box){
        .dst = {.name = "destination",
                .pitch = copy->dstPitch,
                .rows = copy->dstHeight,
                .x = copy->dstXInBytes,
                .y = copy->dstY,
                .z = copy->dstZ},
        .src = {.name = "source",
                .pitch = copy->srcPitch,
                .rows = copy->srcHeight,
                .x = copy->srcXInBytes,
                .y = copy->srcY,
                .z = copy->srcZ},
        .width = copy->WidthInBytes,
        .height = copy->Height,
        .depth = copy->Depth,
    };
    TN_RT_REFUSE(copy->srcLOD != 0 || copy->dstLOD != 0, TN_RT_INVALID_VALUE,
                 "levels %zu and %zu are not 0", copy->srcLOD, copy->dstLOD);
    complete_side(box, &box->dst);
    complete_side(box, &box->src);
    TN_RT_TRY(
        read_place(&box->dst, copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray));
    return read_place(&box->src, copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                      copy->srcArray);
}

static tn_rt_error copy_drv(const HIP_MEMCPY3D *copy, hipStream_t stream,
                            enum tn_rt_copy_call call) {
    struct tn_rt_box box;
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_check_pointer(copy, "pCopy"));
    TN_RT_TRY(read_drv(copy, &box));
    TN_RT_TRY(tn_rt_box_op(&box, &op));
    return tn_rt_copy_submit(&op, stream, call);
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy) {
    return TN_HIP_CALL(copy_drv(pCopy, NULL, TN_RT_COPY_COMPLETE));
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream) {
    return TN_HIP_CALL(copy_drv(pCopy, stream, TN_RT_COPY_ASYNC));
}

// The description of two dimensions is that of three with one slice.
static tn_rt_error copy_param_2d(const hip_Memcpy2D *copy, hipStream_t stream,
                                 enum tn_rt_copy_call call) {
    TN_RT_TRY(tn_rt_check_pointer(copy, "pCopy"));
    HIP_MEMCPY3D slice = {
        .srcXInBytes = copy->srcXInBytes,
        .srcY = copy->srcY,
        .srcMemoryType = copy->srcMemoryType,
        .srcHost = copy->srcHost,
        .srcDevice = copy->srcDevice,
        .srcArray = copy->srcArray,
        .srcPitch = copy->srcPitch,
        .dstXInBytes = copy->dstXInBytes,
        .dstY = copy->dstY,
        .dstMemoryType = copy->dstMemoryType,
        .dstHost = copy->dstHost,
        .dstDevice = copy->dstDevice,
        .dstArray = copy->dstArray,
        .dstPitch = copy->dstPitch,
        .WidthInBytes = copy->WidthInBytes,
        .Height = copy->Height,
        .Depth = 1,
    };
    return copy_drv(&slice, stream, call);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
    return TN_HIP_CALL(copy_param_2d(pCopy, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
    return TN_HIP_CALL(copy_param_2d(pCopy, stream, TN_RT_COPY_ASYNC));
}

// Unlike the functions above, this one calls an array that is NULL a bad value.
static tn_rt_error copy_unaligned(const hip_Memcpy2D *copy) {
    TN_RT_TRY(tn_rt_check_pointer(copy, "pCopy"));
    TN_RT_TRY(copy->srcMemoryType == hipMemoryTypeArray
                  ? tn_rt_check_pointer(copy->srcArray, "srcArray")
                  : TN_RT_OK);
    TN_RT_TRY(copy->dstMemoryType == hipMemoryTypeArray
                  ? tn_rt_check_pointer(copy->dstArray, "dstArray")
                  : TN_RT_OK);
    return copy_param_2d(copy, NULL, TN_RT_COPY_COMPLETE);
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy) {
    return TN_HIP_CALL(copy_unaligned(pCopy));
}

// ---- three dimensions

static tn_rt_error read_side(const hipPitchedPtr *pitched, hipArray_t array, hipPos pos,
                             struct tn_rt_side *side) {
    TN_RT_REFUSE((pitched->ptr == NULL) == (array == NULL), TN_RT_INVALID_VALUE, "the %s is %s",
                 side->name, array == NULL ? "NULL" : "both an array and a pointer");
    side->is_array = array != NULL;
    side->array = array;
    side->base = TARN_ADDR(pitched->ptr);
    side->pitch = pitched->pitch;
    side->rows = pitched->ysize;
    side->x = pos.x;
    side->y = pos.y;
    side->z = pos.z;
    return TN_RT_OK;
}

// The description counts the elements of an array; a box counts bytes.
static tn_rt_error scale_side(struct tn_rt_box *box, struct tn_rt_side *side) {
    uint64_t element = 1;
    tn_rt_error error = side->is_array ? tn_rt_array_element(side->array, &element) : TN_RT_OK;
    if (error != TN_RT_OK) return error;
    TN_RT_REFUSE(__builtin_mul_overflow(side->x, element, &side->x) ||
                     __builtin_mul_overflow(box->width, element, &box->width),
                 TN_RT_INVALID_VALUE, "%s: elements of %llu bytes from %llu on wrap", side->name,
                 (unsigned long long)element, (unsigned long long)side->x);
    return TN_RT_OK;
}

static tn_rt_error read_3d(const hipMemcpy3DParms *parms, struct tn_rt_box *box) {
    *box = (struct tn_rt_box){
        .dst = {.name = "destination"},
        .src = {.name = "source"},
        .width = parms->extent.width,
        .height = parms->extent.height,
        .depth = parms->extent.depth,
    };
    TN_RT_TRY(tn_rt_copy_kind((int)parms->kind));
    TN_RT_TRY(read_side(&parms->dstPtr, parms->dstArray, parms->dstPos, &box->dst));
    TN_RT_TRY(read_side(&parms->srcPtr, parms->srcArray, parms->srcPos, &box->src));
    TN_RT_TRY(scale_side(box, &box->dst));
    uint64_t width = box->width;
    tn_rt_error error = scale_side(box, &box->src);
    box->width = box->dst.is_array ? width : box->width; // once, not for each array
    return error;
}

tn_rt_error tn_hip_copy_3d(const hipMemcpy3DParms *parms, hipStream_t stream, bool wait) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_check_pointer(parms, "p"));
    TN_RT_TRY(read_3d(parms, &box));
    return tn_rt_box_submit(&box, stream, wait);
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) {
    return TN_HIP_CALL(tn_hip_copy_3d(p, NULL, true));
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
    return TN_HIP_CALL(tn_hip_copy_3d(p, stream, false));
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *p) {
    return TN_HIP_CALL(tn_hip_copy_3d(p, hipStreamPerThread, true));
}

hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *p, hipStream_t stream) {
    return TN_HIP_CALL(tn_hip_copy_3d(p, tn_hip_spt(stream), false));
}

static tn_rt_error read_peer(const hipMemcpy3DPeerParms *parms, struct tn_rt_box *box) {
    hipMemcpy3DParms plain = {
        .srcArray = parms->srcArray,
        .srcPos = parms->srcPos,
        .srcPtr = parms->srcPtr,
        .dstArray = parms->dstArray,
        .dstPos = parms->dstPos,
        .dstPtr = parms->dstPtr,
        .extent = parms->extent,
        .kind = hipMemcpyDefault,
    };
    TN_RT_TRY(read_3d(&plain, box));
    TN_RT_TRY(tn_rt_check_device(parms->dstDevice));
    TN_RT_TRY(tn_rt_check_device(parms->srcDevice));
    box->peers[0] = tn_rt_device(parms->dstDevice)->tarn;
    box->peers[1] = tn_rt_device(parms->srcDevice)->tarn;
    return TN_RT_OK;
}

static tn_rt_error copy_3d_peer(const hipMemcpy3DPeerParms *parms, hipStream_t stream, bool wait) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_check_pointer(parms, "p"));
    TN_RT_TRY(read_peer(parms, &box));
    return tn_rt_box_submit(&box, stream, wait);
}

hipError_t hipMemcpy3DPeer(const hipMemcpy3DPeerParms *p) {
    return TN_HIP_CALL(copy_3d_peer(p, NULL, true));
}

hipError_t hipMemcpy3DPeerAsync(const hipMemcpy3DPeerParms *p, hipStream_t stream) {
    return TN_HIP_CALL(copy_3d_peer(p, stream, false));
}
