// SPDX-License-Identifier: Apache-2.0
// Streams, events, copies and fills. The context of the stream is current.
#include "backend/cuda/parts.h"

// ---- streams

// Waits for nobody's NULL stream.
struct tn_native tn_cuda_stream_create(void *d, void **stream) {
    const struct tn_cuda *cuda = d;
    tn_cu_stream made = NULL;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuStreamCreate, &made, TN_CU_STREAM_NON_BLOCKING);
    if (answer.code == 0) {
        *stream = made;
    }
    return answer;
}

struct tn_native tn_cuda_stream_destroy(void *d, void *stream) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuStreamDestroy, stream);
}

struct tn_native tn_cuda_stream_synchronize(void *d, void *stream) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuStreamSynchronize, stream);
}

struct tn_native tn_cuda_stream_query(void *d, void *stream) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuStreamQuery, stream);
}

struct tn_native tn_cuda_stream_wait(void *d, void *stream, void *event) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuStreamWaitEvent, stream, event, 0);
}

struct tn_native tn_cuda_stream_call(void *d, void *stream, void (*fn)(void *), void *arg) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuLaunchHostFunc, stream, fn, arg);
}

struct tn_native tn_cuda_device_synchronize(void *d) {
    const struct tn_cuda *cuda = d;
    return (struct tn_native){cuda->cuCtxSynchronize(), "cuCtxSynchronize"};
}

// ---- events

struct tn_native tn_cuda_event_create(void *d, void **event) {
    const struct tn_cuda *cuda = d;
    tn_cu_event made = NULL;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuEventCreate, &made, 0);
    if (answer.code == 0) {
        *event = made;
    }
    return answer;
}

struct tn_native tn_cuda_event_destroy(void *d, void *event) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuEventDestroy, event);
}

struct tn_native tn_cuda_event_record(void *d, void *event, void *stream) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuEventRecord, event, stream);
}

struct tn_native tn_cuda_event_query(void *d, void *event) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuEventQuery, event);
}

struct tn_native tn_cuda_event_synchronize(void *d, void *event) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuEventSynchronize, event);
}

struct tn_native tn_cuda_event_elapsed(void *d, void *start, void *end, int64_t *ns) {
    const struct tn_cuda *cuda = d;
    float ms = 0;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuEventElapsedTime, &ms, start, end);
    if (answer.code == 0) {
        *ns = (int64_t)((double)ms * 1e6);
    }
    return answer;
}

// ---- copies

static const uint64_t PITCH_MAX = 0x7fffffff; // of copies and fills of rows, for every card

bool tn_cuda_is_pageable(void *d, tarn_addr addr) {
    const struct tn_cuda *cuda = d;
    unsigned type = 0;
    return cuda->cuPointerGetAttribute(&type, TN_CU_POINTER_MEMORY_TYPE, addr) != TN_CU_SUCCESS ||
           (type != TN_CU_MEMORY_HOST && type != TN_CU_MEMORY_DEVICE);
}

struct tn_native tn_cuda_copy(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemcpyAsync, dst, src, bytes, stream);
}

static struct tn_native copy_rows(void *d, void *stream, const struct tn_vendor_box *box) {
    struct tn_native answer = TN_NATIVE_OK;
    for (uint64_t y = 0; y < box->height && answer.code == 0; y++) {
        answer = tn_cuda_copy(d, stream, box->dst + y * box->dst_pitch,
                              box->src + y * box->src_pitch, box->width);
    }
    return answer;
}

struct tn_native tn_cuda_copy_box(void *d, void *stream, const struct tn_vendor_box *box) {
    const struct tn_cuda *cuda = d;
    if (box->dst_pitch > PITCH_MAX || box->src_pitch > PITCH_MAX) {
        return copy_rows(d, stream, box);
    }
    tn_cu_rows rows = {
        .src_type = TN_CU_MEMORY_UNIFIED,
        .src_device = box->src,
        .src_pitch = box->src_pitch,
        .dst_type = TN_CU_MEMORY_UNIFIED,
        .dst_device = box->dst,
        .dst_pitch = box->dst_pitch,
        .width = box->width,
        .height = box->height,
    };
    // Of unified memory are only addresses that the driver knows.
    if (tn_cuda_is_pageable(d, box->src)) {
        rows.src_type = TN_CU_MEMORY_HOST;
        rows.src_host = (const void *)(uintptr_t)box->src;
    }
    if (tn_cuda_is_pageable(d, box->dst)) {
        rows.dst_type = TN_CU_MEMORY_HOST;
        rows.dst_host = (void *)(uintptr_t)box->dst;
    }
    return TN_CUDA_CALL(cuda, cuMemcpy2DAsync, &rows, stream);
}

// ---- fills

struct tn_native tn_cuda_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                              unsigned element, uint64_t bytes) {
    const struct tn_cuda *cuda = d;
    switch (element) {
    case 1:
        return TN_CUDA_CALL(cuda, cuMemsetD8Async, dst, (unsigned char)value, bytes, stream);
    case 2:
        return TN_CUDA_CALL(cuda, cuMemsetD16Async, dst, (unsigned short)value, bytes / 2, stream);
    default:
        return TN_CUDA_CALL(cuda, cuMemsetD32Async, dst, value, bytes / 4, stream);
    }
}

static struct tn_native fill_rows(void *d, void *stream, const struct tn_vendor_box *box,
                                  uint32_t value, unsigned element) {
    struct tn_native answer = TN_NATIVE_OK;
    for (uint64_t y = 0; y < box->height && answer.code == 0; y++) {
        answer = tn_cuda_fill(d, stream, box->dst + y * box->dst_pitch, value, element, box->width);
    }
    return answer;
}

struct tn_native tn_cuda_fill_box(void *d, void *stream, const struct tn_vendor_box *box,
                                  uint32_t value, unsigned element) {
    const struct tn_cuda *cuda = d;
    if (box->dst_pitch > PITCH_MAX) {
        return fill_rows(d, stream, box, value, element);
    }
    switch (element) {
    case 1:
        return TN_CUDA_CALL(cuda, cuMemsetD2D8Async, box->dst, box->dst_pitch, (unsigned char)value,
                            box->width, box->height, stream);
    case 2:
        return TN_CUDA_CALL(cuda, cuMemsetD2D16Async, box->dst, box->dst_pitch,
                            (unsigned short)value, box->width / 2, box->height, stream);
    default:
        return TN_CUDA_CALL(cuda, cuMemsetD2D32Async, box->dst, box->dst_pitch, value,
                            box->width / 4, box->height, stream);
    }
}
