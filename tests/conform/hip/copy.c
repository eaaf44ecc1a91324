// SPDX-License-Identifier: Apache-2.0
// Copies: directions, ranges, sizes of 0, rows with a pitch, boxes and lists.
#include "old.h"

#define TN_GROUP "copy"

enum { BYTES = 4096 };

QUESTION(a_bad_direction, "hipMemcpy") {
    uintptr_t ptr = make_memory(BYTES);
    char bytes[16] = "";
    ASK(hipMemcpy, pointer(ptr), bytes, 16, (hipMemcpyKind)7);
    ASK0(hipGetLastError);
    ASK(hipMemcpy, pointer(ptr), bytes, 0, (hipMemcpyKind)7);
    ASK(hipMemcpyAsync, pointer(ptr), bytes, 16, (hipMemcpyKind)7, NULL);
    MUST(hipFree, pointer(ptr));
}

QUESTION(no_bytes, "hipMemcpy") {
    uintptr_t ptr = make_memory(BYTES);
    char byte = 0;
    ASK(hipMemcpy, NULL, NULL, 0, hipMemcpyHostToDevice);
    ASK(hipMemcpy, pointer(ptr), NULL, 0, hipMemcpyHostToDevice);
    ASK(hipMemcpyHtoD, NULL, &byte, 0);
    ASK(hipMemcpyDtoH, NULL, pointer(ptr), 0);
    ASK(hipMemcpyDtoD, NULL, NULL, 0);
    ASK(hipMemcpy, NULL, NULL, 0, hipMemcpyDefault);
    ASK(hipMemcpyAsync, NULL, NULL, 0, hipMemcpyDefault, NULL);
    MUST(hipFree, pointer(ptr));
}

QUESTION(null_addresses, "hipMemcpyHtoD") {
    uintptr_t ptr = make_memory(BYTES);
    char bytes[16] = "";
    ASK(hipMemcpyHtoD, NULL, bytes, 16);
    ASK(hipMemcpyHtoD, pointer(ptr), NULL, 16);
    ASK(hipMemcpyDtoH, NULL, pointer(ptr), 16);
    ASK(hipMemcpyDtoH, bytes, NULL, 16);
    ASK(hipMemcpy, NULL, bytes, 16, hipMemcpyHostToDevice);
    ASK(hipMemcpy, pointer(ptr), NULL, 16, hipMemcpyHostToDevice);
    ASK(hipMemcpy, NULL, NULL, 16, hipMemcpyDefault);
    MUST(hipFree, pointer(ptr));
}

QUESTION(beyond_the_end, "hipMemcpy") {
    static char bytes[8 * MIB + 4096];
    uintptr_t ptr = make_memory(8 * MIB);
    ASK(hipMemcpy, pointer(ptr), bytes, 8 * MIB + 1, hipMemcpyHostToDevice);
    ASK(hipMemcpyHtoD, pointer(ptr + 8 * MIB - 8), bytes, 16);
    ASK(hipMemcpyDtoH, bytes, pointer(ptr), 8 * MIB + 4096);
    ASK(hipMemcpyDtoD, pointer(ptr), pointer(ptr + 4 * MIB), 4 * MIB + 1);
    MUST(hipFree, pointer(ptr));
}

QUESTION(beyond_the_end_of_a_small_block, "hipMemcpy") {
    char bytes[1024] = "";
    uintptr_t ptr = make_memory(100);
    ASK(hipMemcpyHtoD, pointer(ptr), bytes, 101);
    ASK(hipMemcpyHtoD, pointer(ptr), bytes, 513);
    MUST(hipFree, pointer(ptr));
}

QUESTION(freed_memory, "hipMemcpy") {
    char bytes[16] = "";
    uintptr_t ptr = make_memory(64 * MIB);
    MUST(hipFree, pointer(ptr));
    ASK(hipMemcpyHtoD, pointer(ptr), bytes, 16);
    ASK(hipMemcpy, bytes, pointer(ptr), 16, hipMemcpyDeviceToHost);
    ASK(hipMemcpy, bytes, pointer(ptr), 16, hipMemcpyDefault);
}

QUESTION(directions_against_addresses, "hipMemcpyKind") {
    char bytes[16] = "";
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpy, pointer(ptr), bytes, 16, hipMemcpyDeviceToDevice);
    ASK(hipMemcpy, bytes, pointer(ptr), 16, hipMemcpyHostToDevice);
    ASK(hipMemcpy, pointer(ptr), pointer(ptr + 64), 16, hipMemcpyHostToHost);
    ASK(hipMemcpy, bytes, bytes + 8, 8, hipMemcpyDefault);
    ASK(hipMemcpy, bytes, bytes + 8, 8, hipMemcpyHostToHost);
    MUST(hipFree, pointer(ptr));
}

QUESTION(driver_directions_against_addresses, "hipMemcpyDtoD") {
    char bytes[32] = "";
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpyDtoD, pointer(ptr), bytes, 16);
    ASK(hipMemcpyHtoD, bytes, bytes + 16, 16);
    ASK(hipMemcpyDtoH, bytes, bytes + 16, 16);
    ASK(hipMemcpyHtoD, pointer(ptr), pointer(ptr + 64), 16);
    ASK(hipMemcpy, pointer(ptr), bytes, 16, hipMemcpyDefault);
    ASK(hipMemcpy, bytes, bytes + 16, 16, hipMemcpyDefault);
    MUST(hipFree, pointer(ptr));
}

QUESTION(pinned_memory_is_of_both_sides, "hipMemcpy") {
    char *pinned = (char *)make_pinned(BYTES);
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpyDtoD, pointer(ptr), pinned, 16);
    ASK(hipMemcpy, pinned, pinned + 64, 16, hipMemcpyDeviceToDevice);
    ASK(hipMemcpy, pinned, pointer(ptr), 16, hipMemcpyDeviceToDevice);
    ASK(hipMemsetD8, pinned, 3, 16);
    MUST0(hipDeviceSynchronize);
    SAY("byte", pinned[15]);
    MUST(hipFree, pointer(ptr));
    MUST(hipHostFree, pinned);
}

QUESTION(managed_memory_is_of_both_sides, "hipMemcpy") {
    uintptr_t managed = make_managed(BYTES), ptr = make_memory(BYTES);
    ASK(hipMemcpyDtoD, pointer(ptr), pointer(managed), 16);
    ASK(hipMemcpy, pointer(ptr), pointer(managed), 16, hipMemcpyHostToDevice);
    ASK(hipMemcpy, pointer(managed), pointer(ptr), 16, hipMemcpyDeviceToHost);
    ASK(hipMemcpy, pointer(managed), pointer(ptr), 16, hipMemcpyDefault);
    MUST(hipFree, pointer(ptr));
    MUST(hipFree, pointer(managed));
}

QUESTION(overlapping_ranges, "hipMemcpyDtoD") {
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpyDtoD, pointer(ptr), pointer(ptr + 8), 64);
    ASK(hipMemcpyDtoD, pointer(ptr), pointer(ptr), 64);
    MUST(hipFree, pointer(ptr));
}

QUESTION(bytes_arrive, "hipMemcpyDtoD") {
    unsigned char sent[64], got[64];
    uintptr_t ptr = make_memory(BYTES);
    int wrong = 0;
    for (int i = 0; i < 64; i++) sent[i] = (unsigned char)(3 * i);
    ASK(hipMemcpyHtoD, pointer(ptr), sent, 64);
    ASK(hipMemcpyDtoD, pointer(ptr + 1001), pointer(ptr), 64);
    ASK(hipMemcpyDtoH, got, pointer(ptr + 1001), 64);
    for (int i = 0; i < 64; i++) wrong += got[i] != sent[i];
    SAY("wrong", wrong);
    MUST(hipFree, pointer(ptr));
}

QUESTION(a_large_copy_of_pageable_memory_is_synchronous, "hipMemcpy") {
    static char bytes[4 * MIB];
    uintptr_t ptr = make_memory(4 * MIB);
    ASK(hipMemcpyHtoD, pointer(ptr), bytes, 4 * MIB);
    ASK(hipStreamQuery, NULL);
    MUST(hipFree, pointer(ptr));
}

QUESTION(asynchronous_without_a_stream, "hipMemcpyAsync") {
    char bytes[16] = "";
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpyAsync, pointer(ptr), bytes, 16, hipMemcpyHostToDevice, NULL);
    ASK(hipMemcpyAsync, pointer(ptr), bytes, 16, hipMemcpyHostToDevice, hipStreamLegacy);
    ASK(hipMemcpyAsync, pointer(ptr), bytes, 16, hipMemcpyHostToDevice, hipStreamPerThread);
    ASK0(hipDeviceSynchronize);
    MUST(hipFree, pointer(ptr));
}

QUESTION(rows_beyond_the_pitch, "hipMemcpy2D") {
    char bytes[512] = "";
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpy2D, pointer(ptr), 99, bytes, 128, 100, 3, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), 128, bytes, 99, 100, 3, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), 128, bytes, 128, 100, 3, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), 0, bytes, 0, 100, 3, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), 99, bytes, 128, 100, 1, hipMemcpyHostToDevice);
    ASK0(hipGetLastError);
    MUST(hipFree, pointer(ptr));
}

QUESTION(rows_without_bytes, "hipMemcpy2D") {
    char bytes[512] = "";
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemcpy2D, pointer(ptr), 128, bytes, 128, 0, 3, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), 128, bytes, 128, 100, 0, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, NULL, 0, NULL, 0, 0, 0, hipMemcpyHostToDevice);
    MUST(hipFree, pointer(ptr));
}

QUESTION(rows_beyond_the_end, "hipMemcpy2D") {
    static char bytes[9 * MIB];
    uintptr_t ptr = make_memory(8 * MIB);
    ASK(hipMemcpy2D, pointer(ptr), MIB, bytes, MIB, MIB, 8, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr), MIB, bytes, MIB, 100, 9, hipMemcpyHostToDevice);
    ASK(hipMemcpy2D, pointer(ptr + 1), MIB, bytes, MIB, MIB, 8, hipMemcpyHostToDevice);
    MUST(hipFree, pointer(ptr));
}

static hip_Memcpy2D rect_of(uintptr_t to, const void *from) {
    hip_Memcpy2D rect;
    memset(&rect, 0, sizeof rect);
    rect.srcMemoryType = hipMemoryTypeHost;
    rect.srcHost = from;
    rect.srcPitch = 128;
    rect.dstMemoryType = hipMemoryTypeDevice;
    rect.dstDevice = pointer(to);
    rect.dstPitch = 128;
    rect.WidthInBytes = 100;
    rect.Height = 3;
    return rect;
}

QUESTION(rectangles, "hipMemcpyParam2D") {
    char bytes[512] = "";
    uintptr_t ptr = make_memory(BYTES);
    hip_Memcpy2D rect = rect_of(ptr, bytes);
    ASK(hipMemcpyParam2D, &rect);
    ASK(hipDrvMemcpy2DUnaligned, &rect);
    ASK(hipMemcpyParam2DAsync, &rect, NULL);
    rect.dstPitch = 99;
    ASK(hipMemcpyParam2D, &rect);
    rect.dstPitch = 0;
    ASK(hipMemcpyParam2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.Height = 0;
    ASK(hipMemcpyParam2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.WidthInBytes = 0;
    ASK(hipMemcpyParam2D, &rect);
    ASK(hipMemcpyParam2D, NULL);
    MUST0(hipDeviceSynchronize);
    MUST(hipFree, pointer(ptr));
}

QUESTION(rectangles_of_bad_kinds, "hipMemcpyParam2D") {
    char bytes[512] = "";
    uintptr_t ptr = make_memory(BYTES);
    hip_Memcpy2D rect = rect_of(ptr, bytes);
    rect.srcMemoryType = (hipMemoryType)0;
    ASK(hipMemcpyParam2D, &rect);
    rect.srcMemoryType = (hipMemoryType)9;
    ASK(hipMemcpyParam2D, &rect);
    rect.srcMemoryType = hipMemoryTypeArray;
    ASK(hipMemcpyParam2D, &rect);
    rect.srcMemoryType = hipMemoryTypeUnified;
    rect.srcDevice = bytes;
    ASK(hipMemcpyParam2D, &rect);
    rect = rect_of(ptr, bytes);
    rect.srcHost = NULL;
    ASK(hipMemcpyParam2D, &rect);
    MUST(hipFree, pointer(ptr));
}

QUESTION(boxes, "hipMemcpy3D") {
    char bytes[1024] = "";
    uintptr_t ptr = make_memory(BYTES);
    hipMemcpy3DParms params;
    memset(&params, 0, sizeof params);
    params.srcPtr = (hipPitchedPtr){bytes, 128, 100, 4};
    params.dstPtr = (hipPitchedPtr){pointer(ptr), 128, 100, 4};
    params.extent = (hipExtent){100, 3, 2};
    params.kind = hipMemcpyHostToDevice;
    ASK(hipMemcpy3D, &params);
    ASK(hipMemcpy3DAsync, &params, NULL);
    params.extent.depth = 0;
    ASK(hipMemcpy3D, &params);
    params.extent = (hipExtent){129, 3, 2};
    ASK(hipMemcpy3D, &params);
    params.extent = (hipExtent){100, 5, 2};
    ASK(hipMemcpy3D, &params);
    params.extent = (hipExtent){100, 3, 2};
    params.srcPtr.ptr = NULL;
    ASK(hipMemcpy3D, &params);
    ASK(hipMemcpy3D, NULL);
    MUST0(hipDeviceSynchronize);
    MUST(hipFree, pointer(ptr));
}

QUESTION(peers_of_one_device, "hipMemcpyPeer") {
    uintptr_t ptr = make_memory(BYTES);
    hipCtx_t ctx = NULL;
    MUST(hipCtxGetCurrent, &ctx);
    ASK(hipMemcpyPeer, pointer(ptr), 0, pointer(ptr + 64), 0, 64);
    ASK(hipMemcpyPeer, pointer(ptr), 99, pointer(ptr + 64), 0, 64);
    ASK(hipMemcpyPeer, pointer(ptr), 0, pointer(ptr + 64), 0, 0);
    MUST(hipFree, pointer(ptr));
}

QUESTION(lists, "hipMemcpyBatchAsync") {
    uintptr_t ptr = make_memory(BYTES);
    void *dsts[] = {pointer(ptr), pointer(ptr + 256)},
         *srcs[] = {pointer(ptr + 512), pointer(ptr + 768)};
    size_t sizes[] = {100, 100}, first = 0, failed = 7;
    hipMemcpyAttributes attributes;
    hipStream_t stream = make_stream();
    memset(&attributes, 0, sizeof attributes);
    attributes.srcAccessOrder = hipMemcpySrcAccessOrderStream;
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 2, &attributes, &first, 1,
        &failed, stream);
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 0, &attributes, &first, 1,
        &failed, stream);
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 2, &attributes, &first, 0,
        &failed, stream);
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 2, &attributes, &first, 1,
        &failed, NULL);
    first = 1;
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 2, &attributes, &first, 1,
        &failed, stream);
    first = 0;
    sizes[1] = 0;
    ASK(hipMemcpyBatchAsync, (void **)dsts, (void **)srcs, sizes, 2, &attributes, &first, 1,
        &failed, stream);
    ASK(hipStreamSynchronize, stream);
    MUST(hipStreamDestroy, stream);
    MUST(hipFree, pointer(ptr));
}

QUESTION(the_capacity_of_a_symbol, "hipMemcpyToSymbol") {
    static int symbol;
    ASK(hipMemcpyToSymbol, &symbol, &symbol, sizeof symbol, 0, hipMemcpyHostToDevice);
    ASK(hipMemcpyFromSymbol, &symbol, &symbol, sizeof symbol, 0, hipMemcpyDeviceToHost);
    ASK0(hipGetLastError);
}

// ---- fills

QUESTION(fills_of_no_bytes, "hipMemsetD8") {
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemsetD8, pointer(ptr), 1, 0);
    ASK(hipMemsetD8, NULL, 1, 0);
    ASK(hipMemset, NULL, 1, 0);
    ASK(hipMemsetD32, pointer(ptr + 2), 1, 0);
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills_of_misaligned_elements, "hipMemsetD32") {
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemsetD16, pointer(ptr + 1), 1, 4);
    ASK(hipMemsetD32, pointer(ptr + 2), 1, 4);
    ASK(hipMemsetD32, pointer(ptr + 1), 1, 4);
    ASK(hipMemsetD8, pointer(ptr + 1), 1, 4);
    ASK(hipMemsetD2D16, pointer(ptr), 127, 1, 4, 4);
    ASK(hipMemsetD2D32, pointer(ptr), 126, 1, 4, 4);
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills_beyond_the_end, "hipMemsetD8") {
    uintptr_t ptr = make_memory(8 * MIB);
    ASK(hipMemsetD8, pointer(ptr), 1, 8 * MIB + 1);
    ASK(hipMemsetD32, pointer(ptr), 1, 2 * MIB + 1);
    ASK(hipMemsetD32, pointer(ptr), 1, SIZE_MAX / 2);
    ASK(hipMemset, pointer(ptr + 4 * MIB), 1, 4 * MIB + 1);
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills_of_the_host, "hipMemsetD8") {
    static char bytes[64];
    ASK(hipMemsetD8, bytes, 1, 16);
    ASK(hipMemset, bytes, 1, 16);
    ASK(hipMemset, NULL, 1, 16);
    ASK0(hipGetLastError);
}

QUESTION(fills_of_freed_memory, "hipMemsetD8") {
    uintptr_t ptr = make_memory(64 * MIB);
    MUST(hipFree, pointer(ptr));
    ASK(hipMemsetD8, pointer(ptr), 1, 16);
    ASK(hipMemsetAsync, pointer(ptr), 1, 16, NULL);
}

QUESTION(fills_of_rows, "hipMemset2D") {
    uintptr_t ptr = make_memory(BYTES);
    ASK(hipMemset2D, pointer(ptr), 128, 1, 100, 3);
    ASK(hipMemset2D, pointer(ptr), 99, 1, 100, 3);
    ASK(hipMemset2D, pointer(ptr), 128, 1, 0, 3);
    ASK(hipMemset2D, pointer(ptr), 128, 1, 100, 0);
    ASK(hipMemsetD2D8, pointer(ptr), 99, 1, 100, 3);
    ASK(hipMemsetD2D8, pointer(ptr), 0, 1, 100, 1);
    ASK(hipMemsetD2D32, pointer(ptr), 128, 1, 33, 3);
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills_of_boxes, "hipMemset3D") {
    uintptr_t ptr = make_memory(BYTES);
    hipPitchedPtr box = {pointer(ptr), 128, 100, 4};
    ASK(hipMemset3D, box, 1, (hipExtent){100, 3, 2});
    ASK(hipMemset3D, box, 1, (hipExtent){129, 3, 2});
    ASK(hipMemset3D, box, 1, (hipExtent){100, 3, 0});
    ASK(hipMemset3D, box, 1, (hipExtent){100, 5, 2});
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills_take_the_low_bits, "hipMemsetD16") {
    unsigned char bytes[8] = {0};
    uintptr_t ptr = make_memory(BYTES);
    MUST(hipMemsetD8, pointer(ptr), 0, 64);
    ASK(hipMemsetD16, pointer(ptr + 2), 0x1234, 1);
    ASK(hipMemset, pointer(ptr + 6), -1, 1);
    MUST(hipMemcpyDtoH, bytes, pointer(ptr), 8);
    for (int i = 0; i < 8; i++) SAY("byte", bytes[i]);
    MUST(hipFree, pointer(ptr));
}
