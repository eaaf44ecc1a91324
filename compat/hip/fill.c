// SPDX-License-Identifier: Apache-2.0
// hipMemset() and similar functions. Each call describes its fill and submits it to a stream. The
// file has no state, so any thread may call its functions.
#include <hip/detail/fill.h>

#include "compat/hip/face.h"
#include "compat/runtime/block.h"

_Static_assert(sizeof(tarn_fill_desc) <= TN_RT_PAYLOAD, "a fill fits an op");

// Called when the fill is described and again when it runs, because memory may have been freed
// since the fill was captured.
static tn_rt_error check_memory(const tarn_fill_desc *desc) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    if (desc->width == 0) {
        return TN_RT_OK;
    }
    if (desc->dst == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "dst is NULL");
    }
    if (tarn_address_query(desc->dst, &info) != TARN_OK || info.kind == TARN_ADDRESS_UNKNOWN) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "dst 0x%llx is not memory of a device",
                          (unsigned long long)desc->dst);
    }
    return TN_RT_OK;
}

static tn_rt_error run_fill(const void *payload, const struct tn_rt_where *where) {
    const tarn_fill_desc *desc = (const tarn_fill_desc *)payload;
    TN_RT_TRY(check_memory(desc));
    return tn_rt_from(tarn_fill_box(where->device->tarn, desc, where->stream));
}

// When a call returns: at once, or by the rule of hipMemset().
enum fill_call { FILL_ASYNC, FILL_SYNC };

// hipMemset() and similar functions do not wait for a fill from the start of coarse-grained device
// memory. With SYNC_MEMOPS they always wait.
static bool must_wait(const tarn_fill_desc *desc, enum fill_call call) {
    const unsigned coarse = TN_RT_BLOCK_DEVICE | TN_RT_BLOCK_POOLED | TN_RT_BLOCK_OPENED |
                            TN_RT_BLOCK_MAPPED | TN_RT_BLOCK_IMPORTED;
    struct tn_rt_block block;
    if (call == FILL_ASYNC) {
        return false;
    }
    return !tn_rt_block_query((const void *)(uintptr_t)desc->dst, &block) ||
           (block.kind & coarse) == 0 || block.device == NULL || block.flags != 0 ||
           block.start != desc->dst || block.sync_memops;
}

static tn_rt_error submit_fill(const tarn_fill_desc *desc, hipStream_t stream,
                               enum fill_call call) {
    struct tn_rt_op op = {.work = TN_RT_WORK_FILL, .run = run_fill};
    TN_RT_TRY(check_memory(desc));
    TN_RT_TRY(call != FILL_ASYNC ? tn_rt_capture_check_synchronous() : TN_RT_OK);
    *(tarn_fill_desc *)op.payload = *desc;
    return must_wait(desc, call) ? tn_rt_submit_and_wait(stream, &op) : tn_rt_submit(stream, &op);
}

// ---- one row

static tn_rt_error fill_1d(void *dst, uint32_t value, unsigned element_bytes, size_t count,
                           hipStream_t stream, enum fill_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = TARN_ADDR(dst);
    desc.width = count;
    desc.value = value;
    desc.element_bytes = element_bytes;
    return submit_fill(&desc, stream, call);
}

hipError_t hipMemset(void *dst, int value, size_t sizeBytes) {
    return TN_HIP_CALL(fill_1d(dst, (uint32_t)value, 1, sizeBytes, NULL, FILL_SYNC));
}

hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(fill_1d(dst, (uint32_t)value, 1, sizeBytes, stream, FILL_ASYNC));
}

hipError_t hipMemset_spt(void *dst, int value, size_t sizeBytes) {
    return TN_HIP_CALL(fill_1d(dst, (uint32_t)value, 1, sizeBytes, hipStreamPerThread, FILL_SYNC));
}

hipError_t hipMemsetAsync_spt(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(fill_1d(dst, (uint32_t)value, 1, sizeBytes, tn_hip_spt(stream), FILL_ASYNC));
}

hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count) {
    return TN_HIP_CALL(fill_1d(dest, value, 1, count, NULL, FILL_SYNC));
}

hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count) {
    return TN_HIP_CALL(fill_1d(dest, value, 2, count, NULL, FILL_SYNC));
}

hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count) {
    return TN_HIP_CALL(fill_1d(dest, (uint32_t)value, 4, count, NULL, FILL_SYNC));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count,
                            hipStream_t stream) {
    return TN_HIP_CALL(fill_1d(dest, value, 1, count, stream, FILL_ASYNC));
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count,
                             hipStream_t stream) {
    return TN_HIP_CALL(fill_1d(dest, value, 2, count, stream, FILL_ASYNC));
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
    return TN_HIP_CALL(fill_1d(dst, (uint32_t)value, 4, count, stream, FILL_ASYNC));
}

// ---- boxes

static tn_rt_error check_row(const tarn_fill_desc *desc) {
    if (desc->pitch / desc->element_bytes < desc->width) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "pitch %llu, rows have %llu elements of %u bytes",
                          (unsigned long long)desc->pitch, (unsigned long long)desc->width,
                          desc->element_bytes);
    }
    return TN_RT_OK;
}

// `width` is in bytes for elements of every size, as in AMD's library.
static tn_rt_error fill_2d(void *dst, size_t pitch, uint32_t value, unsigned element_bytes,
                           size_t width, size_t height, hipStream_t stream, enum fill_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.element_bytes = element_bytes;
    desc.value = value;
    if (width % element_bytes != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "rows of %zu bytes have elements of %u bytes", width,
                          element_bytes);
    }
    if (width != 0 && height != 0) {
        desc.dst = TARN_ADDR(dst);
        desc.width = width / element_bytes;
        desc.height = height;
        desc.pitch = pitch;
    }
    TN_RT_TRY(check_row(&desc));
    return submit_fill(&desc, stream, call);
}

hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
    return TN_HIP_CALL(fill_2d(dst, pitch, (uint32_t)value, 1, width, height, NULL, FILL_SYNC));
}

hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
    return TN_HIP_CALL(fill_2d(dst, pitch, (uint32_t)value, 1, width, height, stream, FILL_ASYNC));
}

hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height) {
    return TN_HIP_CALL(
        fill_2d(dst, pitch, (uint32_t)value, 1, width, height, hipStreamPerThread, FILL_SYNC));
}

hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
    return TN_HIP_CALL(
        fill_2d(dst, pitch, (uint32_t)value, 1, width, height, tn_hip_spt(stream), FILL_ASYNC));
}

hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width,
                         size_t height) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 1, width, height, NULL, FILL_SYNC));
}

hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width,
                          size_t height) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 2, width, height, NULL, FILL_SYNC));
}

hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width,
                          size_t height) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 4, width, height, NULL, FILL_SYNC));
}

hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                              size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 1, width, height, stream, FILL_ASYNC));
}

hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value,
                               size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 2, width, height, stream, FILL_ASYNC));
}

hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value,
                               size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(fill_2d(dst, dstPitch, value, 4, width, height, stream, FILL_ASYNC));
}

static tn_rt_error describe_3d(const hipPitchedPtr *to, int value, const hipExtent *extent,
                               tarn_fill_desc *desc) {
    desc->element_bytes = 1;
    desc->value = (uint32_t)value;
    if (extent->width == 0 || extent->height == 0 || extent->depth == 0) {
        return TN_RT_OK;
    }
    desc->dst = TARN_ADDR(to->ptr);
    desc->width = extent->width;
    desc->height = extent->height;
    desc->pitch = to->pitch;
    desc->depth = extent->depth;
    if (__builtin_mul_overflow(to->pitch, to->ysize, &desc->slice_pitch)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "slices of %zu rows of %zu bytes wrap", to->ysize,
                          to->pitch);
    }
    return check_row(desc);
}

static tn_rt_error fill_3d(const hipPitchedPtr *to, int value, const hipExtent *extent,
                           hipStream_t stream, enum fill_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    TN_RT_TRY(describe_3d(to, value, extent, &desc));
    return submit_fill(&desc, stream, call);
}

hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, NULL, FILL_SYNC));
}

hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                            hipStream_t stream) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, stream, FILL_ASYNC));
}

hipError_t hipMemset3D_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, hipStreamPerThread, FILL_SYNC));
}

hipError_t hipMemset3DAsync_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                                hipStream_t stream) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, tn_hip_spt(stream), FILL_ASYNC));
}
