// SPDX-License-Identifier: Apache-2.0
// hipMemcpy2D(), hipMemcpy3D() and their relatives: each description becomes a box, and the box a
// copy. No state, so any thread may be here.
#include "compat/hip/array.h"
#include "compat/hip/box.h"
#include "compat/hip/copy.h"

#include <hip/detail/copy_box.h>

#define HIP_5_MANAGED 4 // hipMemoryTypeManaged of HIP 5

// ---- boxes

static hipError_t check_side(const struct tn_hip_box *box, const struct tn_hip_side *side) {
    uint64_t right = side->x + box->width;
    uint64_t low = side->y + box->height;
    if (side->base == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "the %s is NULL", side->name);
    }
    if (side->pitch < box->width) {
        return tn_hip_fail(hipErrorInvalidPitchValue, "%s pitch %llu, rows have %llu bytes",
                           side->name, (unsigned long long)side->pitch,
                           (unsigned long long)box->width);
    }
    if (right < side->x || right > side->pitch) {
        return tn_hip_fail(hipErrorInvalidValue, "%s: %llu bytes from %llu on in a pitch of %llu",
                           side->name, (unsigned long long)box->width, (unsigned long long)side->x,
                           (unsigned long long)side->pitch);
    }
    bool one_slice = box->depth == 1 && side->z == 0;
    if (low < side->y || (low > side->rows && !(one_slice && side->rows == 0))) {
        return tn_hip_fail(hipErrorInvalidValue, "%s: %llu rows from %llu on in slices of %llu",
                           side->name, (unsigned long long)box->height, (unsigned long long)side->y,
                           (unsigned long long)side->rows);
    }
    return hipSuccess;
}

static bool add_offset(const struct tn_hip_side *side, tarn_addr *addr, uint64_t *slice) {
    uint64_t down;
    uint64_t deep;
    return !__builtin_mul_overflow(side->pitch, side->rows, slice) &&
           !__builtin_mul_overflow(side->pitch, side->y, &down) &&
           !__builtin_mul_overflow(*slice, side->z, &deep) &&
           !__builtin_add_overflow(side->base, side->x, addr) &&
           !__builtin_add_overflow(*addr, down, addr) && !__builtin_add_overflow(*addr, deep, addr);
}

// A position must not lead out of the memory that the program named: what is known no more would
// pass for ordinary memory.
static bool is_same_memory(tarn_addr base, tarn_addr addr) {
    tarn_address_info from = TARN_INIT(tarn_address_info);
    tarn_address_info to = TARN_INIT(tarn_address_info);
    if (addr == base) {
        return true;
    }
    if (tarn_address_query(base, &from) != TARN_OK || tarn_address_query(addr, &to) != TARN_OK) {
        return false;
    }
    switch (from.kind) {
    case TARN_ADDRESS_RESERVED:
    case TARN_ADDRESS_MAPPED:
        return to.kind == TARN_ADDRESS_RESERVED || to.kind == TARN_ADDRESS_MAPPED;
    default:
        return to.kind == from.kind && to.base == from.base;
    }
}

hipError_t tn_hip_side_place(const struct tn_hip_box *box, const struct tn_hip_side *side,
                             tarn_addr *addr, uint64_t *slice) {
    hipError_t error = check_side(box, side);
    if (error == hipSuccess &&
        (!add_offset(side, addr, slice) || !is_same_memory(side->base, *addr))) {
        error = tn_hip_fail(hipErrorInvalidValue, "row %llu of slice %llu is not in the %s 0x%llx",
                            (unsigned long long)side->y, (unsigned long long)side->z, side->name,
                            (unsigned long long)side->base);
    }
    return error;
}

hipError_t tn_hip_box_op(const struct tn_hip_box *box, struct tn_hip_op *op) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    if (box->width == 0 || box->height == 0 || box->depth == 0) {
        tn_hip_copy_op(&desc, op);
        return hipSuccess;
    }
    if (box->dst.is_array || box->src.is_array) {
        return tn_hip_box_op_array(box, op);
    }
    TN_HIP_TRY(tn_hip_side_place(box, &box->dst, &desc.dst, &desc.dst_slice_pitch));
    TN_HIP_TRY(tn_hip_side_place(box, &box->src, &desc.src, &desc.src_slice_pitch));
    desc.width = box->width;
    desc.height = box->height;
    desc.depth = box->depth;
    desc.dst_pitch = box->dst.pitch;
    desc.src_pitch = box->src.pitch;
    desc.peers[0] = box->peers[0];
    desc.peers[1] = box->peers[1];
    tn_hip_copy_op(&desc, op);
    return hipSuccess;
}

hipError_t tn_hip_box_give(const struct tn_hip_box *box, hipStream_t stream, bool wait) {
    struct tn_hip_op op;
    TN_HIP_TRY(tn_hip_box_op(box, &op));
    return tn_hip_copy_give(&op, stream, wait);
}

// ---- two dimensions

static hipError_t copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                          size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                          bool wait) {
    struct tn_hip_box box = {
        .dst = {.name = "destination", .base = TARN_ADDR(dst), .pitch = dst_pitch},
        .src = {.name = "source", .base = TARN_ADDR(src), .pitch = src_pitch},
        .width = width,
        .height = height,
        .depth = 1,
    };
    TN_HIP_TRY(tn_hip_enter());
    TN_HIP_TRY(tn_hip_copy_kind(kind));
    return tn_hip_box_give(&box, stream, wait);
}

hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
    return tn_hip_leave(copy_2d(dst, dpitch, src, spitch, width, height, kind, NULL, true),
                        __func__);
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return tn_hip_leave(copy_2d(dst, dpitch, src, spitch, width, height, kind, stream, false),
                        __func__);
}

hipError_t hipMemcpy2D_spt(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, hipMemcpyKind kind) {
    return tn_hip_leave(
        copy_2d(dst, dpitch, src, spitch, width, height, kind, hipStreamPerThread, true), __func__);
}

hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
    hipStream_t own = stream != NULL ? stream : hipStreamPerThread;
    return tn_hip_leave(copy_2d(dst, dpitch, src, spitch, width, height, kind, own, false),
                        __func__);
}

// ---- the driver's descriptions

// Which of a side's three members counts. HIP 5 gave memory types other numbers (device 1, array
// 2) to descriptions of the same layout, so a member that is NULL gives way to one that is not.
static void pick(struct tn_hip_side *side, const void *first, const void *second,
                 hipArray_t array) {
    side->base = TARN_ADDR(first != NULL ? first : second);
    side->is_array = side->base == 0 && array != NULL;
    side->array = array;
}

static hipError_t read_place(struct tn_hip_side *side, hipMemoryType type, const void *host,
                             hipDeviceptr_t device, hipArray_t array) {
    switch ((unsigned)type) {
    case hipMemoryTypeUnregistered:
    case hipMemoryTypeHost:
        pick(side, host, device, NULL);
        return hipSuccess;
    case hipMemoryTypeDevice:
        pick(side, device, NULL, array);
        return hipSuccess;
    case hipMemoryTypeManaged:
    case hipMemoryTypeUnified:
    case HIP_5_MANAGED:
        pick(side, device, NULL, NULL);
        return hipSuccess;
    case hipMemoryTypeArray:
        side->is_array = true;
        side->array = array;
        return hipSuccess;
    default:
        return tn_hip_fail(hipErrorInvalidValue, "%s of memory type %d", side->name, (int)type);
    }
}

// What the description leaves open is as large as needed.
static void complete(const struct tn_hip_box *box, struct tn_hip_side *side) {
    side->pitch = side->pitch == 0 ? side->x + box->width : side->pitch;
    side->rows = side->rows == 0 ? side->y + box->height : side->rows;
}

static hipError_t read_drv(const HIP_MEMCPY3D *copy, struct tn_hip_box *box) {
    *box = (struct tn_hip_box){
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
    if (copy->srcLOD != 0 || copy->dstLOD != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "levels %zu and %zu are not 0", copy->srcLOD,
                           copy->dstLOD);
    }
    complete(box, &box->dst);
    complete(box, &box->src);
    TN_HIP_TRY(
        read_place(&box->dst, copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray));
    return read_place(&box->src, copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                      copy->srcArray);
}

static hipError_t copy_drv(const HIP_MEMCPY3D *copy, hipStream_t stream, bool wait) {
    struct tn_hip_box box;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && copy == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "pCopy is NULL");
    }
    if (error == hipSuccess) {
        error = read_drv(copy, &box);
    }
    return error == hipSuccess ? tn_hip_box_give(&box, stream, wait) : error;
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy) {
    return tn_hip_leave(copy_drv(pCopy, NULL, true), __func__);
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream) {
    return tn_hip_leave(copy_drv(pCopy, stream, false), __func__);
}

// The description of two dimensions is that of three with one slice.
static hipError_t copy_param_2d(const hip_Memcpy2D *copy, hipStream_t stream, bool wait) {
    if (copy == NULL) {
        return copy_drv(NULL, stream, wait);
    }
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
    return copy_drv(&slice, stream, wait);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
    return tn_hip_leave(copy_param_2d(pCopy, NULL, true), __func__);
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
    return tn_hip_leave(copy_param_2d(pCopy, stream, false), __func__);
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy) {
    return tn_hip_leave(copy_param_2d(pCopy, NULL, true), __func__);
}

// ---- three dimensions

static hipError_t read_side(const hipPitchedPtr *pitched, hipArray_t array, hipPos pos,
                            struct tn_hip_side *side) {
    if ((pitched->ptr == NULL) == (array == NULL)) {
        return tn_hip_fail(hipErrorInvalidValue, "the %s is %s", side->name,
                           array == NULL ? "NULL" : "both an array and a pointer");
    }
    side->is_array = array != NULL;
    side->array = array;
    side->base = TARN_ADDR(pitched->ptr);
    side->pitch = pitched->pitch;
    side->rows = pitched->ysize;
    side->x = pos.x;
    side->y = pos.y;
    side->z = pos.z;
    return hipSuccess;
}

// The description counts elements of an array; a box counts bytes.
static hipError_t scale(struct tn_hip_box *box, struct tn_hip_side *side) {
    uint64_t element = 1;
    hipError_t error = side->is_array ? tn_hip_array_element(side->array, &element) : hipSuccess;
    if (error != hipSuccess) {
        return error;
    }
    if (__builtin_mul_overflow(side->x, element, &side->x) ||
        __builtin_mul_overflow(box->width, element, &box->width)) {
        return tn_hip_fail(hipErrorInvalidValue, "%s: elements of %llu bytes from %llu on wrap",
                           side->name, (unsigned long long)element, (unsigned long long)side->x);
    }
    return hipSuccess;
}

static hipError_t read_3d(const hipMemcpy3DParms *parms, struct tn_hip_box *box) {
    *box = (struct tn_hip_box){
        .dst = {.name = "destination"},
        .src = {.name = "source"},
        .width = parms->extent.width,
        .height = parms->extent.height,
        .depth = parms->extent.depth,
    };
    TN_HIP_TRY(tn_hip_copy_kind(parms->kind));
    TN_HIP_TRY(read_side(&parms->dstPtr, parms->dstArray, parms->dstPos, &box->dst));
    TN_HIP_TRY(read_side(&parms->srcPtr, parms->srcArray, parms->srcPos, &box->src));
    TN_HIP_TRY(scale(box, &box->dst));
    uint64_t width = box->width;
    hipError_t error = scale(box, &box->src);
    box->width = box->dst.is_array ? width : box->width; // once, not for each array
    return error;
}

static hipError_t copy_3d(const hipMemcpy3DParms *parms, hipStream_t stream, bool wait) {
    struct tn_hip_box box;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && parms == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "p is NULL");
    }
    if (error == hipSuccess) {
        error = read_3d(parms, &box);
    }
    return error == hipSuccess ? tn_hip_box_give(&box, stream, wait) : error;
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) {
    return tn_hip_leave(copy_3d(p, NULL, true), __func__);
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
    return tn_hip_leave(copy_3d(p, stream, false), __func__);
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *p) {
    return tn_hip_leave(copy_3d(p, hipStreamPerThread, true), __func__);
}

hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *p, hipStream_t stream) {
    return tn_hip_leave(copy_3d(p, stream != NULL ? stream : hipStreamPerThread, false), __func__);
}

static hipError_t name_peer(int ordinal, const char *name, tarn_device **peer) {
    struct tn_hip_device *device = tn_hip_device(ordinal);
    if (device == NULL) {
        return tn_hip_fail(hipErrorInvalidDevice, "%s device %d, there are %d", name, ordinal,
                           tn_hip_face.count);
    }
    *peer = device->tarn;
    return hipSuccess;
}

static hipError_t read_peer(const hipMemcpy3DPeerParms *parms, struct tn_hip_box *box) {
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
    TN_HIP_TRY(read_3d(&plain, box));
    TN_HIP_TRY(name_peer(parms->dstDevice, "destination", &box->peers[0]));
    return name_peer(parms->srcDevice, "source", &box->peers[1]);
}

static hipError_t copy_3d_peer(const hipMemcpy3DPeerParms *parms, hipStream_t stream, bool wait) {
    struct tn_hip_box box;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && parms == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "p is NULL");
    }
    if (error == hipSuccess) {
        error = read_peer(parms, &box);
    }
    return error == hipSuccess ? tn_hip_box_give(&box, stream, wait) : error;
}

hipError_t hipMemcpy3DPeer(const hipMemcpy3DPeerParms *p) {
    return tn_hip_leave(copy_3d_peer(p, NULL, true), __func__);
}

hipError_t hipMemcpy3DPeerAsync(const hipMemcpy3DPeerParms *p, hipStream_t stream) {
    return tn_hip_leave(copy_3d_peer(p, stream, false), __func__);
}
