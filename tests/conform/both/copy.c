// SPDX-License-Identifier: Apache-2.0
// Copies: directions, ranges, sizes of 0, rows with a pitch, boxes and lists.
#include "begin.h"

#define TN_GROUP "copy"

enum { BYTES = 4096 };

QUESTION(a_bad_direction, EITHER("cudaMemcpy", "hipMemcpy")) {
    CUdeviceptr ptr = make_memory(BYTES);
    char bytes[16] = "";
    ASK(cudaMemcpy, pointer(ptr), bytes, 16, (enum cudaMemcpyKind)7);
    ASK0(cudaGetLastError);
    ASK(cudaMemcpy, pointer(ptr), bytes, 0, (enum cudaMemcpyKind)7);
    ASK(cudaMemcpyAsync, pointer(ptr), bytes, 16, (enum cudaMemcpyKind)7, NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(no_bytes, EITHER("cudaMemcpy with count 0", "hipMemcpy")) {
    CUdeviceptr ptr = make_memory(BYTES);
    char byte = 0;
    ASK(cudaMemcpy, NULL, NULL, 0, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy, pointer(ptr), NULL, 0, cudaMemcpyHostToDevice);
    ASK(cuMemcpyHtoD, 0, &byte, 0);
    ASK(cuMemcpyDtoH, NULL, ptr, 0);
    ASK(cuMemcpyDtoD, 0, 0, 0);
    ASK(cuMemcpy, 0, 0, 0 IN_HIP(, cudaMemcpyDefault));
    ASK(cudaMemcpyAsync, NULL, NULL, 0, cudaMemcpyDefault, NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(null_addresses, EITHER("cuMemcpyHtoD", "hipMemcpyHtoD")) {
    CUdeviceptr ptr = make_memory(BYTES);
    char bytes[16] = "";
    ASK(cuMemcpyHtoD, 0, bytes, 16);
    ASK(cuMemcpyHtoD, ptr, NULL, 16);
    ASK(cuMemcpyDtoH, NULL, ptr, 16);
    ASK(cuMemcpyDtoH, bytes, 0, 16);
    ASK(cudaMemcpy, NULL, bytes, 16, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy, pointer(ptr), NULL, 16, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy, NULL, NULL, 16, cudaMemcpyDefault);
    MUST(cuMemFree, ptr);
}

QUESTION(beyond_the_end, EITHER("cudaMemcpy: the range must lie in one allocation", "hipMemcpy")) {
    static char bytes[8 * MIB + 4096];
    CUdeviceptr ptr = make_memory(8 * MIB);
    ASK(cudaMemcpy, pointer(ptr), bytes, 8 * MIB + 1, cudaMemcpyHostToDevice);
    ASK(cuMemcpyHtoD, ptr + 8 * MIB - 8, bytes, 16);
    ASK(cuMemcpyDtoH, bytes, ptr, 8 * MIB + 4096);
    ASK(cuMemcpyDtoD, ptr, ptr + 4 * MIB, 4 * MIB + 1);
    MUST(cuMemFree, ptr);
}

QUESTION(beyond_the_end_of_a_small_block,
         EITHER("cudaMemcpy: the range must lie in one allocation", "hipMemcpy")) {
    char bytes[1024] = "";
    CUdeviceptr ptr = make_memory(100);
    ASK(cuMemcpyHtoD, ptr, bytes, 101);
    ASK(cuMemcpyHtoD, ptr, bytes, 513);
    MUST(cuMemFree, ptr);
}

QUESTION(freed_memory, EITHER("cudaMemcpy", "hipMemcpy")) {
    char bytes[16] = "";
    CUdeviceptr ptr = make_memory(64 * MIB);
    MUST(cuMemFree, ptr);
    ASK(cuMemcpyHtoD, ptr, bytes, 16);
    ASK(cudaMemcpy, bytes, pointer(ptr), 16, cudaMemcpyDeviceToHost);
    ASK(cudaMemcpy, bytes, pointer(ptr), 16, cudaMemcpyDefault);
}

QUESTION(directions_against_addresses,
         EITHER("cudaMemcpyKind and the kind of the memory", "hipMemcpyKind")) {
    char bytes[16] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cudaMemcpy, pointer(ptr), bytes, 16, cudaMemcpyDeviceToDevice);
    ASK(cudaMemcpy, bytes, pointer(ptr), 16, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy, pointer(ptr), pointer(ptr + 64), 16, cudaMemcpyHostToHost);
    ASK(cudaMemcpy, bytes, bytes + 8, 8, cudaMemcpyDefault);
    ASK(cudaMemcpy, bytes, bytes + 8, 8, cudaMemcpyHostToHost);
    MUST(cuMemFree, ptr);
}

QUESTION(driver_directions_against_addresses, EITHER("cuMemcpyDtoD", "hipMemcpyDtoD")) {
    char bytes[32] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cuMemcpyDtoD, ptr, number(bytes), 16);
    ASK(cuMemcpyHtoD, number(bytes), bytes + 16, 16);
    ASK(cuMemcpyDtoH, bytes, number(bytes + 16), 16);
    ASK(cuMemcpyHtoD, ptr, pointer(ptr + 64), 16);
    ASK(cuMemcpy, ptr, number(bytes), 16 IN_HIP(, cudaMemcpyDefault));
    ASK(cuMemcpy, number(bytes), number(bytes + 16), 16 IN_HIP(, cudaMemcpyDefault));
    MUST(cuMemFree, ptr);
}

QUESTION(pinned_memory_is_of_both_sides, EITHER("cudaMemcpy", "hipMemcpy")) {
    char *pinned = (char *)make_pinned(BYTES);
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cuMemcpyDtoD, ptr, number(pinned), 16);
    ASK(cudaMemcpy, pinned, pinned + 64, 16, cudaMemcpyDeviceToDevice);
    ASK(cudaMemcpy, pinned, pointer(ptr), 16, cudaMemcpyDeviceToDevice);
    ASK(cuMemsetD8, number(pinned), 3, 16);
    MUST0(cuCtxSynchronize);
    SAY("byte", pinned[15]);
    MUST(cuMemFree, ptr);
    MUST(cuMemFreeHost, pinned);
}

QUESTION(managed_memory_is_of_both_sides, EITHER("cudaMemcpy", "hipMemcpy")) {
    CUdeviceptr managed = make_managed(BYTES), ptr = make_memory(BYTES);
    ASK(cuMemcpyDtoD, ptr, managed, 16);
    ASK(cudaMemcpy, pointer(ptr), pointer(managed), 16, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy, pointer(managed), pointer(ptr), 16, cudaMemcpyDeviceToHost);
    ASK(cudaMemcpy, pointer(managed), pointer(ptr), 16, cudaMemcpyDefault);
    MUST(cuMemFree, ptr);
    MUST(cuMemFree, managed);
}

QUESTION(overlapping_ranges, EITHER("cuMemcpyDtoD: undefined if they overlap", "hipMemcpyDtoD")) {
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cuMemcpyDtoD, ptr, ptr + 8, 64);
    ASK(cuMemcpyDtoD, ptr, ptr, 64);
    MUST(cuMemFree, ptr);
}

QUESTION(bytes_arrive, EITHER("cuMemcpyDtoD", "hipMemcpyDtoD")) {
    unsigned char sent[64], got[64];
    CUdeviceptr ptr = make_memory(BYTES);
    int wrong = 0;
    for (int i = 0; i < 64; i++) sent[i] = (unsigned char)(3 * i);
    ASK(cuMemcpyHtoD, ptr, sent, 64);
    ASK(cuMemcpyDtoD, ptr + 1001, ptr, 64);
    ASK(cuMemcpyDtoH, got, ptr + 1001, 64);
    for (int i = 0; i < 64; i++) wrong += got[i] != sent[i];
    SAY("wrong", wrong);
    MUST(cuMemFree, ptr);
}

QUESTION(a_large_copy_of_pageable_memory_is_synchronous,
         EITHER("API synchronization behavior", "hipMemcpy")) {
    static char bytes[4 * MIB];
    CUdeviceptr ptr = make_memory(4 * MIB);
    ASK(cuMemcpyHtoD, ptr, bytes, 4 * MIB);
    ASK(cuStreamQuery, NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(asynchronous_without_a_stream, EITHER("cudaMemcpyAsync", "hipMemcpyAsync")) {
    char bytes[16] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cudaMemcpyAsync, pointer(ptr), bytes, 16, cudaMemcpyHostToDevice, NULL);
    ASK(cudaMemcpyAsync, pointer(ptr), bytes, 16, cudaMemcpyHostToDevice, cudaStreamLegacy);
    ASK(cudaMemcpyAsync, pointer(ptr), bytes, 16, cudaMemcpyHostToDevice, cudaStreamPerThread);
    ASK0(cudaDeviceSynchronize);
    MUST(cuMemFree, ptr);
}

QUESTION(rows_beyond_the_pitch,
         EITHER("cudaMemcpy2D: width must not exceed the pitch", "hipMemcpy2D")) {
    char bytes[512] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cudaMemcpy2D, pointer(ptr), 99, bytes, 128, 100, 3, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), 128, bytes, 99, 100, 3, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), 128, bytes, 128, 100, 3, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), 0, bytes, 0, 100, 3, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), 99, bytes, 128, 100, 1, cudaMemcpyHostToDevice);
    ASK0(cudaGetLastError);
    MUST(cuMemFree, ptr);
}

QUESTION(rows_without_bytes, EITHER("cudaMemcpy2D", "hipMemcpy2D")) {
    char bytes[512] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cudaMemcpy2D, pointer(ptr), 128, bytes, 128, 0, 3, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), 128, bytes, 128, 100, 0, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, NULL, 0, NULL, 0, 0, 0, cudaMemcpyHostToDevice);
    MUST(cuMemFree, ptr);
}

QUESTION(rows_beyond_the_end, EITHER("cudaMemcpy2D", "hipMemcpy2D")) {
    static char bytes[9 * MIB];
    CUdeviceptr ptr = make_memory(8 * MIB);
    ASK(cudaMemcpy2D, pointer(ptr), MIB, bytes, MIB, MIB, 8, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr), MIB, bytes, MIB, 100, 9, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2D, pointer(ptr + 1), MIB, bytes, MIB, MIB, 8, cudaMemcpyHostToDevice);
    MUST(cuMemFree, ptr);
}

static CUDA_MEMCPY2D rect_of(CUdeviceptr to, const void *from) {
    CUDA_MEMCPY2D rect;
    memset(&rect, 0, sizeof rect);
    rect.srcMemoryType = CU_MEMORYTYPE_HOST;
    rect.srcHost = from;
    rect.srcPitch = 128;
    rect.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rect.dstDevice = to;
    rect.dstPitch = 128;
    rect.WidthInBytes = 100;
    rect.Height = 3;
    return rect;
}

QUESTION(rectangles, EITHER("cuMemcpy2D", "hipMemcpyParam2D")) {
    char bytes[512] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    CUDA_MEMCPY2D rect = rect_of(ptr, bytes);
    ASK(cuMemcpy2D, &rect);
    ASK(cuMemcpy2DUnaligned, &rect);
    ASK(cuMemcpy2DAsync, &rect, NULL);
    rect.dstPitch = 99;
    ASK(cuMemcpy2D, &rect);
    rect.dstPitch = 0;
    ASK(cuMemcpy2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.Height = 0;
    ASK(cuMemcpy2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.WidthInBytes = 0;
    ASK(cuMemcpy2D, &rect);
    ASK(cuMemcpy2D, NULL);
    MUST0(cuCtxSynchronize);
    MUST(cuMemFree, ptr);
}

QUESTION(rectangles_of_bad_kinds, EITHER("cuMemcpy2D: CUmemorytype", "hipMemcpyParam2D")) {
    char bytes[512] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    CUDA_MEMCPY2D rect = rect_of(ptr, bytes);
    rect.srcMemoryType = (CUmemorytype)0;
    ASK(cuMemcpy2D, &rect);
    rect.srcMemoryType = (CUmemorytype)9;
    ASK(cuMemcpy2D, &rect);
    rect.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    ASK(cuMemcpy2D, &rect);
    rect.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    rect.srcDevice = number(bytes);
    ASK(cuMemcpy2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.srcHost = NULL;
    ASK(cuMemcpy2D, &rect);
    MUST(cuMemFree, ptr);
}

QUESTION(boxes, EITHER("cudaMemcpy3D", "hipMemcpy3D")) {
    char bytes[1024] = "";
    CUdeviceptr ptr = make_memory(BYTES);
    struct cudaMemcpy3DParms params;
    memset(&params, 0, sizeof params);
    params.srcPtr = (struct cudaPitchedPtr){bytes, 128, 100, 4};
    params.dstPtr = (struct cudaPitchedPtr){pointer(ptr), 128, 100, 4};
    params.extent = (struct cudaExtent){100, 3, 2};
    params.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D, &params);
    ASK(cudaMemcpy3DAsync, &params, NULL);
    params.extent.depth = 0;
    ASK(cudaMemcpy3D, &params);
    params.extent = (struct cudaExtent){129, 3, 2};
    ASK(cudaMemcpy3D, &params);
    params.extent = (struct cudaExtent){100, 5, 2};
    ASK(cudaMemcpy3D, &params);
    params.extent = (struct cudaExtent){100, 3, 2};
    params.srcPtr.ptr = NULL;
    ASK(cudaMemcpy3D, &params);
    ASK(cudaMemcpy3D, NULL);
    MUST0(cuCtxSynchronize);
    MUST(cuMemFree, ptr);
}

QUESTION(peers_of_one_device, EITHER("cudaMemcpyPeer", "hipMemcpyPeer")) {
    CUdeviceptr ptr = make_memory(BYTES);
    CUcontext ctx = NULL;
    MUST(cuCtxGetCurrent, &ctx);
    ASK(cudaMemcpyPeer, pointer(ptr), 0, pointer(ptr + 64), 0, 64);
    IN_CUDA(ASK(cuMemcpyPeer, ptr, ctx, ptr + 64, ctx, 64);)
    ASK(cudaMemcpyPeer, pointer(ptr), 99, pointer(ptr + 64), 0, 64);
    IN_CUDA(ASK(cuMemcpyPeer, ptr, NULL, ptr + 64, ctx, 64);)
    ASK(cudaMemcpyPeer, pointer(ptr), 0, pointer(ptr + 64), 0, 0);
    MUST(cuMemFree, ptr);
}

QUESTION(lists, EITHER("cuMemcpyBatchAsync", "hipMemcpyBatchAsync")) {
    CUdeviceptr ptr = make_memory(BYTES), dsts[] = {ptr, ptr + 256},
                srcs[] = {ptr + 512, ptr + 768};
    size_t sizes[] = {100, 100}, first = 0;
    IN_HIP(size_t failed = 7;)
    CUmemcpyAttributes attributes;
    CUstream stream = make_stream();
    memset(&attributes, 0, sizeof attributes);
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 2, &attributes, &first, 1 IN_HIP(, &failed), stream);
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 0, &attributes, &first, 1 IN_HIP(, &failed), stream);
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 2, &attributes, &first, 0 IN_HIP(, &failed), stream);
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 2, &attributes, &first, 1 IN_HIP(, &failed), NULL);
    first = 1;
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 2, &attributes, &first, 1 IN_HIP(, &failed), stream);
    first = 0;
    sizes[1] = 0;
    ASK(cuMemcpyBatchAsync, dsts, srcs, sizes, 2, &attributes, &first, 1 IN_HIP(, &failed), stream);
    ASK(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}

QUESTION(the_capacity_of_a_symbol, EITHER("cudaMemcpyToSymbol", "hipMemcpyToSymbol")) {
    static int symbol;
    ASK(cudaMemcpyToSymbol, &symbol, &symbol, sizeof symbol, 0, cudaMemcpyHostToDevice);
    ASK(cudaMemcpyFromSymbol, &symbol, &symbol, sizeof symbol, 0, cudaMemcpyDeviceToHost);
    ASK0(cudaGetLastError);
}

// ---- fills

QUESTION(fills_of_no_bytes, EITHER("cuMemsetD8", "hipMemsetD8")) {
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cuMemsetD8, ptr, 1, 0);
    ASK(cuMemsetD8, 0, 1, 0);
    ASK(cudaMemset, NULL, 1, 0);
    ASK(cuMemsetD32, ptr + 2, 1, 0);
    MUST(cuMemFree, ptr);
}

QUESTION(fills_of_misaligned_elements,
         EITHER("cuMemsetD32: dstDevice must be aligned", "hipMemsetD32")) {
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cuMemsetD16, ptr + 1, 1, 4);
    ASK(cuMemsetD32, ptr + 2, 1, 4);
    ASK(cuMemsetD32, ptr + 1, 1, 4);
    ASK(cuMemsetD8, ptr + 1, 1, 4);
    ASK(cuMemsetD2D16, ptr, 127, 1, 4, 4);
    ASK(cuMemsetD2D32, ptr, 126, 1, 4, 4);
    MUST(cuMemFree, ptr);
}

QUESTION(fills_beyond_the_end, EITHER("cuMemsetD8", "hipMemsetD8")) {
    CUdeviceptr ptr = make_memory(8 * MIB);
    ASK(cuMemsetD8, ptr, 1, 8 * MIB + 1);
    ASK(cuMemsetD32, ptr, 1, 2 * MIB + 1);
    ASK(cuMemsetD32, ptr, 1, SIZE_MAX / 2);
    ASK(cudaMemset, pointer(ptr + 4 * MIB), 1, 4 * MIB + 1);
    MUST(cuMemFree, ptr);
}

QUESTION(fills_of_the_host, EITHER("cuMemsetD8", "hipMemsetD8")) {
    static char bytes[64];
    ASK(cuMemsetD8, number(bytes), 1, 16);
    ASK(cudaMemset, bytes, 1, 16);
    ASK(cudaMemset, NULL, 1, 16);
    ASK0(cudaGetLastError);
}

QUESTION(fills_of_freed_memory, EITHER("cuMemsetD8", "hipMemsetD8")) {
    CUdeviceptr ptr = make_memory(64 * MIB);
    MUST(cuMemFree, ptr);
    ASK(cuMemsetD8, ptr, 1, 16);
    ASK(cudaMemsetAsync, pointer(ptr), 1, 16, NULL);
}

QUESTION(fills_of_rows, EITHER("cudaMemset2D", "hipMemset2D")) {
    CUdeviceptr ptr = make_memory(BYTES);
    ASK(cudaMemset2D, pointer(ptr), 128, 1, 100, 3);
    ASK(cudaMemset2D, pointer(ptr), 99, 1, 100, 3);
    ASK(cudaMemset2D, pointer(ptr), 128, 1, 0, 3);
    ASK(cudaMemset2D, pointer(ptr), 128, 1, 100, 0);
    ASK(cuMemsetD2D8, ptr, 99, 1, 100, 3);
    ASK(cuMemsetD2D8, ptr, 0, 1, 100, 1);
    ASK(cuMemsetD2D32, ptr, 128, 1, 33, 3);
    MUST(cuMemFree, ptr);
}

QUESTION(fills_of_boxes, EITHER("cudaMemset3D", "hipMemset3D")) {
    CUdeviceptr ptr = make_memory(BYTES);
    struct cudaPitchedPtr box = {pointer(ptr), 128, 100, 4};
    ASK(cudaMemset3D, box, 1, (struct cudaExtent){100, 3, 2});
    ASK(cudaMemset3D, box, 1, (struct cudaExtent){129, 3, 2});
    ASK(cudaMemset3D, box, 1, (struct cudaExtent){100, 3, 0});
    ASK(cudaMemset3D, box, 1, (struct cudaExtent){100, 5, 2});
    MUST(cuMemFree, ptr);
}

QUESTION(fills_take_the_low_bits, EITHER("cuMemsetD16", "hipMemsetD16")) {
    unsigned char bytes[8] = {0};
    CUdeviceptr ptr = make_memory(BYTES);
    MUST(cuMemsetD8, ptr, 0, 64);
    ASK(cuMemsetD16, ptr + 2, 0x1234, 1);
    ASK(cudaMemset, pointer(ptr + 6), -1, 1);
    MUST(cuMemcpyDtoH, bytes, ptr, 8);
    for (int i = 0; i < 8; i++) SAY("byte", bytes[i]);
    MUST(cuMemFree, ptr);
}
