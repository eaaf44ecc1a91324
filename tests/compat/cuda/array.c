// SPDX-License-Identifier: Apache-2.0
// Arrays: creation, descriptions, copies of rows, mipmapped arrays, and sparse ones whose tiles are mapped.
#include "support/cuda.h"

enum { WIDTH = 64, HEIGHT = 4 };

static float sent[HEIGHT][WIDTH], got[HEIGHT][WIDTH];
static const CUDA_ARRAY3D_DESCRIPTOR floats = {WIDTH, HEIGHT, 0, CU_AD_FORMAT_FLOAT, 1, 0};

static CUarray make_array(void) {
    CUarray array = NULL;
    assert_cu_ok(cuArray3DCreate(&array, &floats));
    return array;
}

static void begin_copy(void) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) sent[i / WIDTH][i % WIDTH] = (float)i;
    memset(got, 0, sizeof got);
}

static void both_apis_describe_an_array(void **state) {
    CUDA_ARRAY_DESCRIPTOR flat = {WIDTH, HEIGHT, CU_AD_FORMAT_UNSIGNED_INT8, 4}, read;
    CUDA_ARRAY3D_DESCRIPTOR box = {0};
    cudaChannelFormatDesc channels;
    struct cudaExtent extent;
    unsigned flags = 9;
    CUarray array = NULL;
    (void)state;
    assert_cu_ok(cuArrayCreate(&array, &flat));
    assert_cu_ok(cuArrayGetDescriptor(&read, array));
    assert_true(read.Width == WIDTH && read.Height == HEIGHT && read.NumChannels == 4);
    assert_int_equal(read.Format, CU_AD_FORMAT_UNSIGNED_INT8);
    assert_cu_ok(cuArray3DGetDescriptor(&box, array));
    assert_true(box.Depth == 0 && box.Flags == 0);
    assert_cuda_ok(cudaArrayGetInfo(&channels, &extent, &flags, (cudaArray_t)array));
    assert_true(channels.x == 8 && channels.w == 8 && channels.f == cudaChannelFormatKindUnsigned);
    assert_true(extent.width == WIDTH && extent.height == HEIGHT && flags == 0);
    assert_cu_ok(cuArrayDestroy(array));
    assert_cu(cuArrayDestroy(array), 400);
    assert_cu(cuArrayDestroy(NULL), 400);
    flat.NumChannels = 3;
    assert_cu(cuArrayCreate(&array, &flat), 1);
}

static void the_runtime_makes_arrays_of_channels(void **state) {
    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaChannelFormatDesc read;
    cudaArray_t array = NULL;
    (void)state;
    size_t before = cuda_free_bytes();
    assert_cuda_ok(cudaMallocArray(&array, &channels, WIDTH, HEIGHT, 0));
    assert_cuda_ok(cudaGetChannelDesc(&read, array));
    assert_memory_equal(&read, &channels, sizeof read);
    assert_cuda_ok(cudaFreeArray(array));
    assert_cuda_ok(cudaMalloc3DArray(&array, &channels, (struct cudaExtent){8, 8, 8}, 0));
    assert_cuda_ok(cudaFreeArray(array));
    assert_cuda_ok(cudaFreeArray(NULL));
    assert_int_equal(cuda_free_bytes(), before);
    channels.x = 5;
    assert_cuda(cudaMallocArray(&array, &channels, WIDTH, HEIGHT, 0), 20);
    (void)cudaGetLastError();
}

static void the_runtime_copies_rows(void **state) {
    cudaArray_t a = (cudaArray_t)make_array(), b = (cudaArray_t)make_array();
    const size_t pitch = sizeof sent[0];
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_copy();
        assert_cuda_ok(async ? cudaMemcpy2DToArrayAsync(a, 0, 0, sent, pitch, pitch, HEIGHT,
                                                        cudaMemcpyHostToDevice, NULL)
                             : cudaMemcpy2DToArray(a, 0, 0, sent, pitch, pitch, HEIGHT,
                                                   cudaMemcpyHostToDevice));
        assert_cuda_ok(
            cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, pitch, HEIGHT, cudaMemcpyDeviceToDevice));
        assert_cuda_ok(
            async ? cudaMemcpy2DFromArrayAsync(got, pitch, b, 0, 1, pitch, 2,
                                               cudaMemcpyDeviceToHost, NULL)
                  : cudaMemcpy2DFromArray(got, pitch, b, 0, 1, pitch, 2, cudaMemcpyDeviceToHost));
        assert_cuda_ok(cudaDeviceSynchronize());
        assert_memory_equal(got[0], sent[1], 2 * pitch);
        assert_true(got[2][0] == 0);
    }
    assert_cuda(cudaMemcpy2DToArray(a, 4, 0, sent, pitch, pitch, 1, cudaMemcpyHostToDevice), 1);
    assert_cuda_ok(cudaFreeArray(a));
    assert_cuda_ok(cudaFreeArray(b));
    (void)cudaGetLastError();
}

static void the_driver_copies_a_part_of_a_row(void **state) {
    CUarray a = make_array(), b = make_array();
    CUdeviceptr memory = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&memory, sizeof sent));
    begin_copy();
    assert_cu_ok(cuMemcpyHtoA(a, 0, sent[1], 100));
    assert_cu_ok(cuMemcpyAtoA(b, 0, a, 0, 100));
    assert_cu_ok(cuMemcpyAtoD(memory, b, 0, 100));
    assert_cu_ok(cuMemcpyDtoA(b, 100, memory, 100));
    assert_cu_ok(cuMemcpyAtoH(got[0], b, 100, 100));
    assert_memory_equal(got[0], sent[1], 100);
    assert_cu_ok(cuMemcpyHtoAAsync(a, 0, sent[2], 100, NULL));
    assert_cu_ok(cuMemcpyAtoHAsync(got[0], a, 0, 100, NULL));
    assert_cu_ok(cuCtxSynchronize());
    assert_memory_equal(got[0], sent[2], 100);
    assert_cu(cuMemcpyHtoA(a, 200, sent, 100), 1); // beyond the row
    assert_cu_ok(cuMemFree(memory));
    assert_cu_ok(cuArrayDestroy(a));
    assert_cu_ok(cuArrayDestroy(b));
}

static void a_mipmap_has_levels(void **state) {
    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    CUmipmappedArray mipmap = NULL;
    cudaMipmappedArray_t other = NULL;
    CUDA_ARRAY3D_DESCRIPTOR read;
    cudaArray_t level = NULL;
    CUarray array = NULL;
    (void)state;
    assert_cu_ok(cuMipmappedArrayCreate(&mipmap, &floats, 3));
    assert_cu_ok(cuMipmappedArrayGetLevel(&array, mipmap, 2));
    assert_cu_ok(cuArray3DGetDescriptor(&read, array));
    assert_true(read.Width == WIDTH / 4 && read.Height == HEIGHT / 4);
    assert_cu(cuMipmappedArrayGetLevel(&array, mipmap, 3), 1);
    assert_cu_ok(cuMipmappedArrayDestroy(mipmap));
    assert_cuda_ok(
        cudaMallocMipmappedArray(&other, &channels, (struct cudaExtent){WIDTH, HEIGHT, 0}, 2, 0));
    assert_cuda_ok(cudaGetMipmappedArrayLevel(&level, other, 1));
    assert_cuda_ok(cudaFreeMipmappedArray(other));
    assert_cuda_ok(cudaFreeMipmappedArray(NULL));
}

static void tiles_of_a_sparse_array_are_mapped(void **state) {
    CUDA_ARRAY3D_DESCRIPTOR desc = {1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE};
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                      .allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL};
    CUDA_ARRAY_SPARSE_PROPERTIES tiles;
    CUarrayMapInfo info;
    CUmemGenericAllocationHandle handle = 0;
    CUarray array = NULL;
    (void)state;
    assert_cu_ok(cuArray3DCreate(&array, &desc));
    assert_cu_ok(cuArrayGetSparseProperties(&tiles, array));
    assert_true(tiles.tileExtent.width * tiles.tileExtent.height * 4 == 65536);
    assert_cu_ok(cuMemCreate(&handle, G, &prop, 0));
    memset(&info, 0, sizeof info);
    info.resourceType = CU_RESOURCE_TYPE_ARRAY;
    info.resource.array = array;
    info.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    info.subresource.sparseLevel.extentWidth = tiles.tileExtent.width;
    info.subresource.sparseLevel.extentHeight = tiles.tileExtent.height;
    info.subresource.sparseLevel.extentDepth = 1;
    info.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
    info.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
    info.memHandle.memHandle = handle;
    info.deviceBitMask = 1;
    begin_copy();
    assert_cu_ok(cuMemcpyHtoA(array, 0, sent[1], 64)); // dropped: nothing is mapped
    assert_cu_ok(cuMemcpyAtoH(got[0], array, 0, 64));
    assert_true(got[0][1] == 0);
    assert_cu_ok(cuMemMapArrayAsync(&info, 1, NULL));
    assert_cu_ok(cuMemcpyHtoA(array, 0, sent[1], 64));
    assert_cu_ok(cuMemcpyAtoH(got[0], array, 0, 64));
    assert_memory_equal(got[0], sent[1], 64);
    assert_cu_ok(cuMemRelease(handle));
    assert_cu_ok(cuArrayDestroy(array));
}

static void a_deferred_array_states_its_needs(void **state) {
    CUDA_ARRAY3D_DESCRIPTOR desc = floats;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUDA_ARRAY_SPARSE_PROPERTIES tiles;
    CUmipmappedArray mipmap = NULL;
    CUarray array = NULL;
    (void)state;
    desc.Flags = CUDA_ARRAY3D_DEFERRED_MAPPING;
    assert_cu_ok(cuArray3DCreate(&array, &desc));
    assert_cu_ok(cuArrayGetMemoryRequirements(&needs, array, 0));
    assert_true(needs.size >= sizeof sent && needs.alignment != 0);
    assert_cu(cuArrayGetSparseProperties(&tiles, array), 1);
    assert_cu_ok(cuArrayDestroy(array));
    desc = (CUDA_ARRAY3D_DESCRIPTOR){1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE};
    assert_cu_ok(cuMipmappedArrayCreate(&mipmap, &desc, 3));
    assert_cu_ok(cuMipmappedArrayGetSparseProperties(&tiles, mipmap));
    assert_true(tiles.tileExtent.width != 0);
    assert_cu(cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0), 1); // not deferred
    assert_cu_ok(cuMipmappedArrayDestroy(mipmap));
    desc.Flags = CUDA_ARRAY3D_DEFERRED_MAPPING;
    assert_cu_ok(cuMipmappedArrayCreate(&mipmap, &desc, 3));
    assert_cu_ok(cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0));
    assert_true(needs.size >= 1024 * 1024 * sizeof(float));
    assert_cu_ok(cuMipmappedArrayDestroy(mipmap));
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_apis_describe_an_array),
        cmocka_unit_test(the_runtime_makes_arrays_of_channels),
        cmocka_unit_test(the_runtime_copies_rows),
        cmocka_unit_test(the_driver_copies_a_part_of_a_row),
        cmocka_unit_test(a_mipmap_has_levels),
        cmocka_unit_test(tiles_of_a_sparse_array_are_mapped),
        cmocka_unit_test(a_deferred_array_states_its_needs),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
