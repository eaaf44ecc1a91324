// SPDX-License-Identifier: Apache-2.0
// Arrays: creation, descriptions, copies, mipmapped and sparse arrays.
#include "begin.h"

#define TN_GROUP "array"

static CUDA_ARRAY3D_DESCRIPTOR shape_of(size_t width, size_t height, size_t depth, unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR shape;
    memset(&shape, 0, sizeof shape);
    shape.Width = width;
    shape.Height = height;
    shape.Depth = depth;
    shape.Format = CU_AD_FORMAT_FLOAT;
    shape.NumChannels = 1;
    shape.Flags = flags;
    return shape;
}

static void try_shape(size_t width, size_t height, size_t depth, unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(width, height, depth, flags);
    CUarray array = NULL;
    if (ASK(cuArray3DCreate, &array, &shape) == 0) MUST(cuArrayDestroy, array);
}

QUESTION(shapes, "cuArray3DCreate") {
    try_shape(0, 0, 0, 0);
    try_shape(64, 0, 0, 0);
    try_shape(64, 4, 0, 0);
    try_shape(64, 4, 2, 0);
    try_shape(64, 0, 2, 0);
    try_shape(0, 4, 0, 0);
    try_shape((size_t)1 << 40, 0, 0, 0);
    try_shape(64, (size_t)1 << 40, 0, 0);
}

QUESTION(layered_shapes, "CUDA_ARRAY3D_LAYERED") {
    try_shape(64, 4, 6, 1);
    try_shape(64, 0, 6, 1);
    try_shape(64, 4, 0, 1);
    try_shape(64, 64, 6, 4);
    try_shape(64, 32, 6, 4);
    try_shape(64, 64, 5, 4);
    try_shape(64, 64, 6, 0x8000);
}

QUESTION(channels, "cuArrayCreate: 1, 2 or 4 channels") {
    for (unsigned channels = 0; channels <= 5; channels++) {
        CUDA_ARRAY_DESCRIPTOR shape = {64, 4, CU_AD_FORMAT_UNSIGNED_INT8, channels};
        CUarray array = NULL;
        if (ASK(cuArrayCreate, &array, &shape) == 0) MUST(cuArrayDestroy, array);
    }
}

QUESTION(formats, "cuArrayCreate: CUarray_format") {
    static const int formats[] = {1, 2, 3, 8, 9, 10, 0x10, 0x20, 0, 0x7f, 0xb0};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        CUDA_ARRAY_DESCRIPTOR shape = {64, 4, (CUarray_format)formats[i], 1};
        CUarray array = NULL;
        if (ASK(cuArrayCreate, &array, &shape) == 0) MUST(cuArrayDestroy, array);
    }
}

QUESTION(descriptions, "cuArrayGetDescriptor") {
    CUDA_ARRAY_DESCRIPTOR shape = {64, 4, CU_AD_FORMAT_UNSIGNED_INT8, 4}, flat = {0};
    CUDA_ARRAY3D_DESCRIPTOR box = {0};
    cudaChannelFormatDesc format = {0};
    struct cudaExtent extent = {0};
    unsigned flags = 77;
    CUarray array = NULL;
    MUST(cuArrayCreate, &array, &shape);
    ASK(cuArrayGetDescriptor, &flat, array);
    SAY("width", flat.Width);
    SAY("height", flat.Height);
    SAY("channels", flat.NumChannels);
    ASK(cuArray3DGetDescriptor, &box, array);
    SAY("depth", box.Depth);
    SAY("flags", box.Flags);
    ASK(cudaArrayGetInfo, &format, &extent, &flags, (cudaArray_t)array);
    SAY("x", format.x);
    SAY("w", format.w);
    SAY("f", format.f);
    SAY("extent_depth", extent.depth);
    ASK(cuArrayGetDescriptor, NULL, array);
    MUST(cuArrayDestroy, array);
}

QUESTION(destroyed_twice, "cuArrayDestroy") {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(64, 4, 0, 0);
    CUarray array = NULL;
    MUST(cuArray3DCreate, &array, &shape);
    ASK(cuArrayDestroy, array);
    ASK(cuArrayDestroy, array);
}

QUESTION(destroyed_null, "cuArrayDestroy") { ASK(cuArrayDestroy, NULL); }
QUESTION(freed_null, "cudaFreeArray") { ASK(cudaFreeArray, NULL); }

QUESTION(capacity, "cuMemGetInfo") {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(4096, 1024, 0, 0);
    CUarray array = NULL;
    size_t before = free_bytes();
    ASK(cuArray3DCreate, &array, &shape);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuArrayDestroy, array);
    SAY("back", before == free_bytes());
}

QUESTION(arrays_of_the_runtime, "cudaMallocArray") {
    cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat}, got = {0};
    cudaArray_t array = NULL;
    ASK(cudaMallocArray, &array, &format, 64, 4, 0);
    ASK(cudaGetChannelDesc, &got, array);
    SAY("same", memcmp(&format, &got, sizeof got) == 0);
    MUST(cudaFreeArray, array);
    ASK(cudaMallocArray, &array, &format, 0, 4, 0);
    ASK(cudaMallocArray, &array, NULL, 64, 4, 0);
    ASK(cudaMallocArray, NULL, &format, 64, 4, 0);
    format.x = 5;
    ASK(cudaMallocArray, &array, &format, 64, 4, 0);
    format.x = 0;
    ASK(cudaMallocArray, &array, &format, 64, 4, 0);
    format = (cudaChannelFormatDesc){8, 8, 8, 0, cudaChannelFormatKindUnsigned};
    ASK(cudaMallocArray, &array, &format, 64, 4, 0);
    format = (cudaChannelFormatDesc){8, 16, 0, 0, cudaChannelFormatKindUnsigned};
    ASK(cudaMallocArray, &array, &format, 64, 4, 0);
    ASK0(cudaGetLastError);
}

QUESTION(copies_of_rows, "cudaMemcpy2DToArray") {
    static float sent[4][64], got[4][64];
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(64, 4, 0, 0);
    CUarray array = NULL;
    for (int i = 0; i < 256; i++) sent[i / 64][i % 64] = (float)i;
    MUST(cuArray3DCreate, &array, &shape);
    cudaArray_t to = (cudaArray_t)array;
    ASK(cudaMemcpy2DToArray, to, 0, 0, sent, 256, 256, 4, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2DFromArray, got, 256, to, 0, 1, 256, 2, cudaMemcpyDeviceToHost);
    SAY("same", memcmp(got[0], sent[1], 512) == 0);
    ASK(cudaMemcpy2DToArray, to, 4, 0, sent, 256, 256, 1, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2DToArray, to, 0, 4, sent, 256, 256, 1, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2DToArray, to, 0, 0, sent, 100, 256, 1, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2DToArray, to, 2, 0, sent, 256, 16, 1, cudaMemcpyHostToDevice);
    ASK(cudaMemcpy2DToArray, to, 0, 0, sent, 256, 0, 1, cudaMemcpyHostToDevice);
    MUST(cuArrayDestroy, array);
}

QUESTION(copies_of_bytes, "cuMemcpyHtoA") {
    char sent[256] = {1}, got[256];
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(64, 0, 0, 0);
    CUarray array = NULL;
    MUST(cuArray3DCreate, &array, &shape);
    ASK(cuMemcpyHtoA, array, 0, sent, 256);
    ASK(cuMemcpyAtoH, got, array, 0, 256);
    SAY("byte", got[0]);
    ASK(cuMemcpyHtoA, array, 4, sent, 256);
    ASK(cuMemcpyHtoA, array, 1, sent, 16);
    ASK(cuMemcpyHtoA, array, 0, sent, 0);
    MUST(cuArrayDestroy, array);
}

QUESTION(mipmaps, "cuMipmappedArrayCreate") {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(64, 64, 0, 0), got = {0};
    CUmipmappedArray mipmap = NULL;
    CUarray level = NULL;
    ASK(cuMipmappedArrayCreate, &mipmap, &shape, 3);
    ASK(cuMipmappedArrayGetLevel, &level, mipmap, 1);
    ASK(cuArray3DGetDescriptor, &got, level);
    SAY("width", got.Width);
    SAY("height", got.Height);
    ASK(cuMipmappedArrayGetLevel, &level, mipmap, 3);
    ASK(cuArrayDestroy, level);
    ASK(cuMipmappedArrayDestroy, mipmap);
    if (ASK(cuMipmappedArrayCreate, &mipmap, &shape, 0) == 0) MUST(cuMipmappedArrayDestroy, mipmap);
    if (ASK(cuMipmappedArrayCreate, &mipmap, &shape, 100) == 0)
        MUST(cuMipmappedArrayDestroy, mipmap);
}

QUESTION(sparse_arrays, "CUDA_ARRAY3D_SPARSE") {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(1024, 1024, 0, CUDA_ARRAY3D_SPARSE);
    CUDA_ARRAY_SPARSE_PROPERTIES tiles;
    CUarray array = NULL;
    size_t before = free_bytes();
    memset(&tiles, 0, sizeof tiles);
    if (ASK(cuArray3DCreate, &array, &shape) != 0) return;
    ASK(cuArrayGetSparseProperties, &tiles, array);
    SAY("width", tiles.tileExtent.width);
    SAY("height", tiles.tileExtent.height);
    SAY("depth", tiles.tileExtent.depth);
    SAY("first_level", tiles.miptailFirstLevel);
    SAY("tail", tiles.miptailSize);
    SAY("flags", tiles.flags);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuArrayDestroy, array);
}

QUESTION(deferred_arrays, "CUDA_ARRAY3D_DEFERRED_MAPPING") {
    CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(1024, 1024, 0, CUDA_ARRAY3D_DEFERRED_MAPPING);
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUDA_ARRAY_SPARSE_PROPERTIES tiles;
    CUarray array = NULL;
    memset(&needs, 0, sizeof needs);
    if (ASK(cuArray3DCreate, &array, &shape) != 0) return;
    ASK(cuArrayGetMemoryRequirements, &needs, array, 0);
    SAY("size", needs.size);
    SAY("alignment", needs.alignment);
    ASK(cuArrayGetMemoryRequirements, &needs, array, 99);
    ASK(cuArrayGetSparseProperties, &tiles, array);
    MUST(cuArrayDestroy, array);
}
