// SPDX-License-Identifier: Apache-2.0
// Sparse and deferred arrays, as CUDA's manual describes them: AMD's library supports none. All but
// the first group run with TARN_HIP_SPARSE=1.
#include "support/vmm.h"
#include "support/work.h"

#define TILE ((size_t)64 << 10)
#define SIDE ((unsigned)128) // of a tile of floats, in two dimensions
#define KIND hipMemcpyDefault

static const hipChannelFormatDesc FLOATS = {32, 0, 0, 0, hipChannelFormatKindFloat};

// ---- steps that succeed

static handle_t pool_on(int device, size_t tiles) {
    hipMemAllocationProp prop = prop_on(device);
    handle_t pool = NULL;
    prop.allocFlags.usage = hipExtMemCreateUsageTilePool;
    assert_hip_ok(hipMemCreate(&pool, tiles * TILE, &prop, 0));
    return pool;
}

static hipArray_t array_of(size_t width, size_t height, size_t depth, unsigned flags) {
    hipArray_t array = NULL;
    assert_hip_ok(hipMalloc3DArray(&array, &FLOATS, make_hipExtent(width, height, depth), flags));
    return array;
}

static hipMipmappedArray_t mipmap_of(size_t width, size_t height, size_t depth, unsigned levels,
                                     unsigned flags) {
    hipMipmappedArray_t mipmap = NULL;
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(width, height, depth),
                                          levels, flags));
    return mipmap;
}

// An entry that maps one tile at (x, y), counted in tiles.
static hipArrayMapInfo tile_at(hipArray_t array, unsigned x, unsigned y, handle_t pool,
                               unsigned long long offset) {
    hipArrayMapInfo info;
    memset(&info, 0, sizeof info);
    info.resourceType = hipResourceTypeArray;
    info.resource.array = array;
    info.subresourceType = hipArraySparseSubresourceTypeSparseLevel;
    info.subresource.sparseLevel.offsetX = x * SIDE;
    info.subresource.sparseLevel.offsetY = y * SIDE;
    info.subresource.sparseLevel.extentWidth = SIDE;
    info.subresource.sparseLevel.extentHeight = SIDE;
    info.subresource.sparseLevel.extentDepth = 1;
    info.memOperationType = hipMemOperationTypeMap;
    info.memHandle.memHandle = pool;
    info.offset = offset;
    info.deviceBitMask = 1;
    return info;
}

static hipArrayMapInfo tile_off(hipArray_t array, unsigned x, unsigned y) {
    hipArrayMapInfo info = tile_at(array, x, y, NULL, 0);
    info.memOperationType = hipMemOperationTypeUnmap;
    return info;
}

static hipArrayMapInfo tail_of(const hipMipmappedArray *mipmap, unsigned layer,
                               unsigned long long size, handle_t pool, unsigned long long offset) {
    hipArrayMapInfo info = tile_at(NULL, 0, 0, pool, offset);
    info.resourceType = hipResourceTypeMipmappedArray;
    info.resource.mipmap = *mipmap;
    info.subresourceType = hipArraySparseSubresourceTypeMiptail;
    memset(&info.subresource, 0, sizeof info.subresource);
    info.subresource.miptail.layer = layer;
    info.subresource.miptail.size = size;
    return info;
}

static hipError_t map_one(hipArrayMapInfo info) { return hipMemMapArrayAsync(&info, 1, NULL); }

static void put(hipArray_t array, unsigned x, unsigned y, float value) {
    assert_hip_ok(hipMemcpy2DToArray(array, x * sizeof value, y, &value, 4, 4, 1, KIND));
}

static float get(hipArray_t array, unsigned x, unsigned y) {
    float value = -1;
    assert_hip_ok(hipMemcpy2DFromArray(&value, 4, array, x * sizeof value, y, 4, 1, KIND));
    return value;
}

#define assert_float(a, b) assert_true((a) == (float)(b))

// ---- off: 2.10

static void nothing_is_inspected(void *arg) {
    hipArrayMapInfo info;
    (void)arg;
    memset(&info, 0xa5, sizeof info);
    assert_hip(hipMemMapArrayAsync(NULL, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemMapArrayAsync(&info, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemMapArrayAsync(&info, 1, NULL), hipErrorNotSupported);
    assert_hip(hipMemMapArrayAsync(&info, 1, (hipStream_t)4711), hipErrorNotSupported);
    assert_hip(hipMemMapArrayAsync((hipArrayMapInfo *)8, 1000, NULL), hipErrorNotSupported);
}

static void without_sparse_arrays_the_answer_is_not_supported(void **state) {
    (void)state;
    hip_in_child(nothing_is_inspected, NULL, "TARN_HIP_SPARSE", NULL, NULL);
    hip_in_child(nothing_is_inspected, NULL, "TARN_HIP_SPARSE", "0", NULL);
}

// ---- which arrays, and their tiles

static void which_arrays_can_be_sparse(void **state) {
    hipArray_t array = NULL;
    (void)state;
    assert_hip(hipMallocArray(&array, &FLOATS, 256, 0, hipExtArraySparse), hipErrorInvalidValue);
    assert_hip(hipMalloc3DArray(&array, &FLOATS, make_hipExtent(256, 0, 4),
                                hipArrayLayered | hipExtArraySparse),
               hipErrorInvalidValue);
    assert_hip(hipMalloc3DArray(&array, &FLOATS, make_hipExtent(256, 256, 6),
                                hipArrayCubemap | hipExtArraySparse),
               hipErrorInvalidValue);
    assert_hip(
        hipMallocArray(&array, &FLOATS, 256, 256, hipExtArraySparse | hipExtArrayDeferredMapping),
        hipErrorInvalidValue);
    assert_null(array);
    assert_hip_ok(hipFreeArray(array_of(256, 256, 0, hipExtArraySparse)));
    assert_hip_ok(hipFreeArray(array_of(256, 256, 3, hipExtArraySparse | hipArrayLayered)));
    assert_hip_ok(hipFreeArray(array_of(256, 256, 32, hipExtArraySparse)));
    assert_hip_ok(hipFreeMipmappedArray(mipmap_of(256, 256, 0, 3, hipExtArraySparse)));
}

static void tiles_have_the_standard_shapes(void **state) {
    static const struct {
        hipChannelFormatDesc element;
        unsigned flat[2];
        unsigned solid[3];
    } each[] = {
        {{8, 0, 0, 0, hipChannelFormatKindUnsigned}, {256, 256}, {64, 32, 32}},
        {{16, 0, 0, 0, hipChannelFormatKindFloat}, {256, 128}, {32, 32, 32}},
        {{32, 0, 0, 0, hipChannelFormatKindSigned}, {128, 128}, {32, 32, 16}},
        {{32, 32, 0, 0, hipChannelFormatKindFloat}, {128, 64}, {32, 16, 16}},
        {{32, 32, 32, 32, hipChannelFormatKindFloat}, {64, 64}, {16, 16, 16}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        hipExtArraySparseProperties tell;
        hipArray_t flat = NULL;
        hipArray_t solid = NULL;
        assert_hip_ok(hipMallocArray(&flat, &each[i].element, 256, 256, hipExtArraySparse));
        assert_hip_ok(hipExtArrayGetSparseProperties(&tell, flat));
        assert_int_equal(tell.tileExtent.width, each[i].flat[0]);
        assert_int_equal(tell.tileExtent.height, each[i].flat[1]);
        assert_int_equal(tell.tileExtent.depth, 1);
        assert_int_equal(tell.miptailFirstLevel, 0);
        assert_int_equal(tell.miptailSize, 0);
        assert_int_equal(tell.flags, 0);
        assert_hip_ok(hipMalloc3DArray(&solid, &each[i].element, make_hipExtent(64, 64, 64),
                                       hipExtArraySparse));
        assert_hip_ok(hipExtArrayGetSparseProperties(&tell, solid));
        assert_memory_equal(&tell.tileExtent, each[i].solid, sizeof each[i].solid);
        assert_hip_ok(hipFreeArray(flat));
        assert_hip_ok(hipFreeArray(solid));
    }
}

static void levels_below_a_tile_are_the_tail(void **state) {
    hipExtArraySparseProperties tell;
    hipMipmappedArray_t mipmap = mipmap_of(512, 256, 0, 9, hipExtArraySparse);
    (void)state;
    assert_hip_ok(hipExtMipmappedArrayGetSparseProperties(&tell, mipmap));
    assert_int_equal(tell.miptailFirstLevel, 2); // 128x64
    assert_int_equal(tell.miptailSize, TILE);    // 43692 bytes, rounded up
    assert_int_equal(tell.flags, 0);
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    hipArray_t small = array_of(100, 100, 0, hipExtArraySparse);
    assert_hip_ok(hipExtArrayGetSparseProperties(&tell, small));
    assert_int_equal(tell.miptailFirstLevel, 0);
    assert_int_equal(tell.miptailSize, TILE);
    assert_int_equal(tell.flags, hipExtArraySparsePropertiesSingleMiptail);
    assert_hip_ok(hipFreeArray(small));
}

static void only_sparse_arrays_have_tiles(void **state) {
    hipExtArraySparseProperties tell;
    hipMipmappedArray_t mipmap = mipmap_of(256, 256, 0, 2, hipExtArraySparse);
    hipMipmappedArray_t dense = mipmap_of(256, 256, 0, 2, 0);
    hipArray_t plain = array_of(256, 256, 0, 0);
    hipArray_t level = NULL;
    (void)state;
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, 0));
    assert_hip(hipExtArrayGetSparseProperties(&tell, level), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetSparseProperties(&tell, plain), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetSparseProperties(NULL, plain), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetSparseProperties(&tell, NULL), hipErrorInvalidHandle);
    assert_hip(hipExtMipmappedArrayGetSparseProperties(&tell, dense), hipErrorInvalidValue);
    assert_hip(hipExtMipmappedArrayGetSparseProperties(NULL, mipmap), hipErrorInvalidValue);
    assert_hip(hipExtMipmappedArrayGetSparseProperties(&tell, NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipFreeArray(plain));
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    assert_hip_ok(hipFreeMipmappedArray(dense));
}

static void deferred_arrays_tell_what_they_need(void **state) {
    hipExtArrayMemoryRequirements need;
    hipArray_t deferred = array_of(100, 50, 0, hipExtArrayDeferredMapping);
    hipArray_t plain = array_of(100, 50, 0, 0);
    hipMipmappedArray_t mipmap = mipmap_of(100, 50, 0, 2, hipExtArrayDeferredMapping);
    hipArray_t level = NULL;
    (void)state;
    memset(&need, 0xff, sizeof need);
    assert_hip_ok(hipExtArrayGetMemoryRequirements(&need, deferred, 0));
    assert_true(need.size >= (size_t)100 * 50 * 4);
    assert_true(need.alignment > 0 && (need.alignment & (need.alignment - 1)) == 0);
    assert_int_equal(need.reserved[3], 0);
    assert_hip_ok(hipExtMipmappedArrayGetMemoryRequirements(&need, mipmap, 0));
    assert_true(need.size >= (size_t)100 * 50 * 5);
    assert_hip(hipExtArrayGetMemoryRequirements(NULL, deferred, 0), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetMemoryRequirements(&need, plain, 0), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetMemoryRequirements(&need, deferred, 1), hipErrorInvalidValue);
    assert_hip(hipExtArrayGetMemoryRequirements(&need, deferred, 2), hipErrorInvalidDevice);
    assert_hip(hipExtArrayGetMemoryRequirements(&need, NULL, 0), hipErrorInvalidHandle);
    assert_hip(hipExtMipmappedArrayGetMemoryRequirements(NULL, mipmap, 0), hipErrorInvalidValue);
    assert_hip(hipExtMipmappedArrayGetMemoryRequirements(&need, NULL, 0), hipErrorInvalidHandle);
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, 0));
    assert_hip(hipExtArrayGetMemoryRequirements(&need, level, 0), hipErrorInvalidValue);
    assert_hip_ok(hipFreeArray(deferred));
    assert_hip_ok(hipFreeArray(plain));
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
}

// ---- arguments, in the order of their checks

struct rows {
    hipArray_t array; // 4 x 2 tiles, the last column and row cut by the edge
    hipArray_t layered;
    hipArray_t dense;
    hipMipmappedArray_t mipmap; // levels 0 and 1 of tiles, 3 layers
    handle_t pool;
};

static int make_rows(void **state) {
    static struct rows rows;
    rows.array = array_of(3 * SIDE + 10, SIDE + 20, 0, hipExtArraySparse);
    rows.layered = array_of(SIDE, SIDE, 2, hipExtArraySparse | hipArrayLayered);
    rows.dense = array_of(SIDE, SIDE, 0, 0);
    rows.mipmap = mipmap_of(4 * SIDE, 2 * SIDE, 3, 4, hipExtArraySparse | hipArrayLayered);
    rows.pool = pool_on(0, 8);
    *state = &rows;
    return 0;
}

static int free_rows(void **state) {
    struct rows *rows = *state;
    assert_hip_ok(hipFreeArray(rows->array));
    assert_hip_ok(hipFreeArray(rows->layered));
    assert_hip_ok(hipFreeArray(rows->dense));
    assert_hip_ok(hipFreeMipmappedArray(rows->mipmap));
    assert_hip_ok(hipMemRelease(rows->pool));
    return 0;
}

#define REFUSE(want, member, bad)                                                                  \
    do {                                                                                           \
        hipArrayMapInfo refused = good;                                                            \
        refused.member = (bad);                                                                    \
        assert_hip(map_one(refused), want);                                                        \
    } while (0)

// The fields of an entry that CUDA's manual requires.
static void entries_must_be_well_formed(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo good = tile_at(rows->array, 0, 0, rows->pool, 0);
    assert_hip(hipMemMapArrayAsync(NULL, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemMapArrayAsync(&good, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemMapArrayAsync(&good, 1, (hipStream_t)4711), hipErrorContextIsDestroyed);
    REFUSE(hipErrorInvalidValue, resourceType, hipResourceTypeLinear);
    REFUSE(hipErrorInvalidValue, resourceType, (hipResourceType)-1);
    REFUSE(hipErrorInvalidValue, flags, 1);
    REFUSE(hipErrorInvalidValue, reserved[0], 1);
    REFUSE(hipErrorInvalidValue, reserved[1], 1);
    REFUSE(hipErrorInvalidValue, memOperationType, (hipMemOperationType)0);
    REFUSE(hipErrorInvalidValue, memOperationType, (hipMemOperationType)3);
    REFUSE(hipErrorInvalidValue, deviceBitMask, 0);
    REFUSE(hipErrorInvalidValue, deviceBitMask, 2);
    REFUSE(hipErrorInvalidValue, deviceBitMask, 3);
    assert_hip_ok(map_one(good));
}

// CUDA maps tiles of sparse arrays, and deferred arrays as one piece.
static void the_array_must_be_sparse_and_alive(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo good = tile_at(rows->array, 0, 0, rows->pool, 0);
    hipArray_t level = NULL;
    REFUSE(hipErrorInvalidHandle, resource.array, NULL);
    REFUSE(hipErrorInvalidHandle, resource.array, (hipArray_t)4711);
    REFUSE(hipErrorInvalidValue, resource.array, rows->dense);
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, rows->mipmap, 0));
    REFUSE(hipErrorInvalidValue, resource.array, level);
    REFUSE(hipErrorInvalidValue, subresourceType, (hipArraySparseSubresourceType)2);
    good = tail_of(rows->mipmap, 0, TILE, rows->pool, 0);
    REFUSE(hipErrorInvalidHandle, resource.mipmap.data, NULL);
    REFUSE(hipErrorInvalidHandle, resource.mipmap.data, rows->array);
    assert_hip_ok(map_one(good));
}

// CUDA wants whole tiles. Tarn also takes the rest of a tile at the end of a level.
static void boxes_must_be_tiles_of_their_level(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo good = tile_at(rows->array, 1, 0, rows->pool, 0);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.level, 1);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.layer, 1);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentWidth, 0);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentHeight, 0);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 0);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 2);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetX, SIDE / 2);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetY, 1);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetZ, 1);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentWidth, SIDE / 2);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentWidth, 3 * SIDE);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentHeight, 2 * SIDE);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetX, 4 * SIDE);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetY, 0u - SIDE);
    // Up to the edge it need not be a multiple.
    good.subresource.sparseLevel.extentWidth = 2 * SIDE + 10;
    good.subresource.sparseLevel.extentHeight = SIDE + 20;
    assert_hip_ok(map_one(good));
    good = tile_at(rows->layered, 0, 0, rows->pool, 0);
    good.subresource.sparseLevel.layer = 1;
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.layer, 2);
    good = tile_at(NULL, 1, 0, rows->pool, 0);
    good.resourceType = hipResourceTypeMipmappedArray;
    good.resource.mipmap = *rows->mipmap;
    good.subresource.sparseLevel.level = 1;
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.level, 2);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.level, 4);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.layer, 3);
}

// The device is the stream's, not the current one.
static void the_bit_is_of_the_streams_device(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    hipArray_t array = array_of(SIDE, SIDE, 0, hipExtArraySparse);
    handle_t pool = pool_on(1, 1);
    hipArrayMapInfo good = tile_at(array, 0, 0, pool, 0);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipSetDevice(0));
    assert_hip(hipMemMapArrayAsync(&good, 1, stream), hipErrorInvalidValue);
    good.deviceBitMask = 3;
    assert_hip(hipMemMapArrayAsync(&good, 1, stream), hipErrorInvalidValue);
    good.deviceBitMask = 2;
    assert_hip_ok(hipMemMapArrayAsync(&good, 1, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipMemRelease(pool));
    assert_hip_ok(hipFreeArray(array));
}

// The third axis: 64 x 64 x 40 floats are tiles of 32 x 32 x 16, the last ones half as deep.
static void boxes_of_solid_arrays_are_as_deep_as_tiles(void **state) {
    struct rows *rows = *state;
    hipArray_t solid = array_of(64, 64, 40, hipExtArraySparse);
    hipArrayMapInfo good = tile_at(solid, 0, 0, rows->pool, 0);
    good.subresource.sparseLevel.extentWidth = 32;
    good.subresource.sparseLevel.extentHeight = 32;
    good.subresource.sparseLevel.extentDepth = 16;
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.layer, 1);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetZ, 8);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetZ, 48);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.offsetZ, 0u - 16);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 0);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 8);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 48);
    good.subresource.sparseLevel.offsetZ = 32;
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentDepth, 16);
    good.subresource.sparseLevel.extentDepth = 8; // up to the edge
    assert_hip_ok(map_one(good));
    assert_hip_ok(hipFreeArray(solid));
}

// CUDA maps a tail by offset and size.
static void tails_are_mapped_by_the_page(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo good = tail_of(rows->mipmap, 2, TILE, rows->pool, 0);
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, subresource.miptail.offset, 4096);
    REFUSE(hipErrorInvalidValue, subresource.miptail.offset, TILE);
    REFUSE(hipErrorInvalidValue, subresource.miptail.size, 4096);
    REFUSE(hipErrorInvalidValue, subresource.miptail.size, 2 * TILE);
    REFUSE(hipErrorInvalidValue, subresource.miptail.size, 0);
    REFUSE(hipErrorInvalidValue, subresource.miptail.layer, 3);
    hipArray_t small = array_of(SIDE / 2, SIDE / 2, 3, hipExtArraySparse | hipArrayLayered);
    good = tail_of(rows->mipmap, 0, TILE, rows->pool, 0);
    good.resourceType = hipResourceTypeArray;
    good.resource.array = small;
    hipExtArraySparseProperties tell;
    assert_hip_ok(hipExtArrayGetSparseProperties(&tell, small));
    assert_int_equal(tell.flags, hipExtArraySparsePropertiesSingleMiptail);
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, subresource.miptail.layer, 1);
    assert_hip_ok(hipFreeArray(small));
}

// CUDA maps memory of a tile pool, and an unmap names none.
static void memory_must_fit(void **state) {
    struct rows *rows = *state;
    handle_t plain = create(8 * TILE);
    handle_t far = pool_on(1, 8);
    hipArrayMapInfo good = tile_at(rows->array, 0, 0, rows->pool, 7 * TILE);
    assert_hip_ok(map_one(good));
    REFUSE(hipErrorInvalidValue, memHandleType, (hipMemHandleType)1);
    REFUSE(hipErrorInvalidHandle, memHandle.memHandle, NULL);
    REFUSE(hipErrorInvalidHandle, memHandle.memHandle, no_handle());
    REFUSE(hipErrorInvalidValue, memHandle.memHandle, plain);
    REFUSE(hipErrorInvalidValue, memHandle.memHandle, far);
    REFUSE(hipErrorInvalidValue, offset, 4096);
    REFUSE(hipErrorInvalidValue, offset, 8 * TILE);
    REFUSE(hipErrorInvalidValue, offset, 0 - (unsigned long long)TILE);
    REFUSE(hipErrorInvalidValue, subresource.sparseLevel.extentWidth, 2 * SIDE);
    REFUSE(hipErrorInvalidValue, memOperationType, hipMemOperationTypeUnmap); // memory is given
    assert_hip_ok(map_one(tile_off(rows->array, 0, 0)));
    assert_hip_ok(hipMemRelease(plain));
    assert_hip_ok(hipMemRelease(far));
}

static void one_bad_entry_spoils_the_list(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo list[] = {tile_at(rows->array, 0, 0, rows->pool, 0),
                              tile_at(rows->array, 1, 0, rows->pool, 1)};
    assert_hip(hipMemMapArrayAsync(list, 2, NULL), hipErrorInvalidValue);
    put(rows->array, 0, 0, 5);
    assert_float(get(rows->array, 0, 0), 0);
}

// CUDA's manual does not mention captures: a decision of Tarn.
static void a_capturing_stream_is_refused(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo good = tile_at(rows->array, 0, 0, rows->pool, 0);
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip(hipMemMapArrayAsync(&good, 1, stream), hipErrorStreamCaptureUnsupported);
    (void)hipStreamEndCapture(stream, &graph);
    if (graph != NULL) assert_hip_ok(hipGraphDestroy(graph));
    put(rows->array, 0, 0, 5);
    assert_float(get(rows->array, 0, 0), 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- 4.4

static void what_is_not_mapped_reads_zero_and_swallows_writes(void **state) {
    struct rows *rows = *state;
    put(rows->array, 0, 0, 3);
    assert_float(get(rows->array, 0, 0), 0);
    assert_hip_ok(map_one(tile_at(rows->array, 0, 0, rows->pool, 0)));
    put(rows->array, 0, 0, 3);
    put(rows->array, SIDE, 0, 4);
    assert_float(get(rows->array, 0, 0), 3);
    assert_float(get(rows->array, SIDE, 0), 0);
    assert_hip_ok(map_one(tile_off(rows->array, 0, 0)));
    assert_hip_ok(map_one(tile_off(rows->array, 0, 0))); // a no-op
    assert_float(get(rows->array, 0, 0), 0);
}

static void tiles_are_counted_x_first(void **state) {
    struct rows *rows = *state;
    hipArrayMapInfo all = tile_at(rows->array, 0, 0, rows->pool, 0);
    all.subresource.sparseLevel.extentWidth = 3 * SIDE + 10;
    all.subresource.sparseLevel.extentHeight = SIDE + 20;
    assert_hip_ok(map_one(all));
    put(rows->array, 3 * SIDE, 0, 1);        // tile 3
    put(rows->array, 0, SIDE, 2);            // tile 4
    put(rows->array, 2 * SIDE + 1, SIDE, 3); // tile 6
    hipArray_t other = array_of(SIDE, SIDE, 0, hipExtArraySparse);
    assert_hip_ok(map_one(tile_at(other, 0, 0, rows->pool, 3 * TILE)));
    assert_float(get(other, 0, 0), 1);
    assert_hip_ok(map_one(tile_at(other, 0, 0, rows->pool, 4 * TILE))); // replaces
    assert_float(get(other, 0, 0), 2);
    assert_hip_ok(map_one(tile_at(other, 0, 0, rows->pool, 6 * TILE)));
    assert_float(get(other, 1, 0), 3);
    put(other, 1, 0, 9); // the same bytes
    assert_float(get(rows->array, 2 * SIDE + 1, SIDE), 9);
    assert_hip_ok(hipFreeArray(other));
}

// 2 x 2 x 2 tiles of 32 x 32 x 16 floats.
static void then_y_and_then_z(void **state) {
    struct rows *rows = *state;
    hipArray_t solid = array_of(64, 64, 32, hipExtArraySparse);
    hipArray_t other = array_of(32, 32, 16, hipExtArraySparse);
    hipArrayMapInfo all = tile_at(solid, 0, 0, rows->pool, 0);
    float value = 4;
    hipMemcpy3DParms up = {.srcPtr = make_hipPitchedPtr(&value, 4, 4, 1),
                           .dstArray = solid,
                           .extent = make_hipExtent(1, 1, 1)};
    hipMemcpy3DParms down = {
        .srcArray = other, .dstPtr = up.srcPtr, .extent = make_hipExtent(1, 1, 1)};
    static const hipPos corners[] = {{32, 0, 0}, {0, 32, 0}, {0, 0, 16}};
    static const unsigned tiles[] = {1, 2, 4};
    all.subresource.sparseLevel.extentWidth = 64;
    all.subresource.sparseLevel.extentHeight = 64;
    all.subresource.sparseLevel.extentDepth = 32;
    assert_hip_ok(map_one(all));
    for (int i = 0; i < 3; i++) {
        hipArrayMapInfo one = tile_at(other, 0, 0, rows->pool, tiles[i] * TILE);
        one.subresource.sparseLevel.extentWidth = 32;
        one.subresource.sparseLevel.extentHeight = 32;
        one.subresource.sparseLevel.extentDepth = 16;
        assert_hip_ok(map_one(one));
        value = (float)tiles[i];
        up.dstPos = corners[i];
        assert_hip_ok(hipMemcpy3D(&up));
        value = 0;
        assert_hip_ok(hipMemcpy3D(&down));
        assert_float(value, tiles[i]);
    }
    assert_hip_ok(hipFreeArray(solid));
    assert_hip_ok(hipFreeArray(other));
}

static void the_call_returns_before_the_stream_comes_to_it(void **state) {
    struct rows *rows = *state;
    struct gate gate = {0};
    hipStream_t stream = NULL;
    hipArrayMapInfo list[2] = {tile_at(rows->array, 0, 0, rows->pool, 0),
                               tile_at(rows->array, 0, 0, rows->pool, TILE)};
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(map_one(tile_at(rows->array, 1, 0, rows->pool, TILE)));
    put(rows->array, SIDE, 0, 7);
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemMapArrayAsync(list, 2, stream));
    memset(list, 0xff, sizeof list); // the list was copied
    assert_float(get(rows->array, 0, 0), 0);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_float(get(rows->array, 0, 0), 7); // the second entry came second
    assert_hip_ok(hipStreamDestroy(stream));
}

static void tiles_keep_their_memory(void **state) {
    hipArray_t array = array_of(2 * SIDE, SIDE, 0, hipExtArraySparse);
    handle_t pool = pool_on(0, 2);
    (void)state;
    assert_free_bytes(0, CAPACITY - 2 * TILE);
    assert_hip_ok(map_one(tile_at(array, 0, 0, pool, 0)));
    assert_hip_ok(map_one(tile_at(array, 1, 0, pool, TILE)));
    assert_hip_ok(hipMemRelease(pool));
    put(array, SIDE, 3, 8);
    assert_float(get(array, SIDE, 3), 8);
    assert_hip_ok(map_one(tile_off(array, 0, 0)));
    assert_free_bytes(0, CAPACITY - 2 * TILE);
    assert_hip_ok(hipFreeArray(array));
    assert_free_bytes(0, CAPACITY);
}

static void tails_hold_the_small_levels(void **state) {
    struct rows *rows = *state;
    hipArray_t level = NULL;
    float value = 6;
    hipMemcpy3DParms up = {.srcPtr = make_hipPitchedPtr(&value, 4, 4, 1),
                           .dstPos = make_hipPos(5, 3, 1), // layer 1
                           .extent = make_hipExtent(1, 1, 1)};
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, rows->mipmap, 3));
    up.dstArray = level;
    assert_hip_ok(map_one(tail_of(rows->mipmap, 1, TILE, rows->pool, 0)));
    assert_hip_ok(hipMemcpy3D(&up));
    value = 0;
    hipMemcpy3DParms down = {
        .srcArray = level, .srcPos = up.dstPos, .dstPtr = up.srcPtr, .extent = up.extent};
    assert_hip_ok(hipMemcpy3D(&down));
    assert_float(value, 6);
    down.srcPos.z = 2; // a layer without memory
    assert_hip_ok(hipMemcpy3D(&down));
    assert_float(value, 0);
}

static void deferred_arrays_are_mapped_whole(void **state) {
    hipExtArrayMemoryRequirements need;
    hipArray_t array = array_of(50, 20, 0, hipExtArrayDeferredMapping);
    float value = 2;
    (void)state;
    assert_hip_ok(hipExtArrayGetMemoryRequirements(&need, array, 0));
    handle_t pool = pool_on(0, 2 + (need.size + need.alignment) / TILE);
    hipArrayMapInfo good = tile_at(array, 0, 0, pool, need.alignment);
    memset(&good.subresource, 0xff, sizeof good.subresource); // ignored
    good.subresourceType = (hipArraySparseSubresourceType)77;
    assert_hip(hipMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, KIND), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DFromArray(&value, 4, array, 0, 0, 4, 1, KIND), hipErrorInvalidValue);
    REFUSE(hipErrorInvalidValue, offset, need.alignment / 2);
    assert_hip_ok(map_one(good));
    put(array, 49, 19, 2);
    assert_float(get(array, 49, 19), 2);
    assert_hip_ok(hipMemRelease(pool));
    good.memOperationType = hipMemOperationTypeUnmap;
    good.memHandle.memHandle = NULL;
    assert_hip_ok(map_one(good));
    assert_hip(hipMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, KIND), hipErrorInvalidValue);
    assert_hip_ok(hipFreeArray(array));
    assert_free_bytes(0, CAPACITY);
}

static int sparse_setup(void **state) {
    return work_group_setup(state) != 0 ? -1 : setenv("TARN_HIP_SPARSE", "1", 1);
}

#define ROW(name) cmocka_unit_test_setup_teardown(name, make_rows, free_rows)

int main(void) {
    const struct CMUnitTest off[] = {
        cmocka_unit_test(without_sparse_arrays_the_answer_is_not_supported),
    };
    const struct CMUnitTest on[] = {
        cmocka_unit_test(which_arrays_can_be_sparse),
        cmocka_unit_test(tiles_have_the_standard_shapes),
        cmocka_unit_test(levels_below_a_tile_are_the_tail),
        cmocka_unit_test(only_sparse_arrays_have_tiles),
        cmocka_unit_test(deferred_arrays_tell_what_they_need),
        ROW(entries_must_be_well_formed),
        ROW(the_array_must_be_sparse_and_alive),
        ROW(boxes_must_be_tiles_of_their_level),
        cmocka_unit_test(the_bit_is_of_the_streams_device),
        ROW(boxes_of_solid_arrays_are_as_deep_as_tiles),
        ROW(tails_are_mapped_by_the_page),
        ROW(memory_must_fit),
        ROW(one_bad_entry_spoils_the_list),
        ROW(a_capturing_stream_is_refused),
        ROW(what_is_not_mapped_reads_zero_and_swallows_writes),
        ROW(tiles_are_counted_x_first),
        ROW(then_y_and_then_z),
        ROW(the_call_returns_before_the_stream_comes_to_it),
        cmocka_unit_test(tiles_keep_their_memory),
        ROW(tails_hold_the_small_levels),
        cmocka_unit_test(deferred_arrays_are_mapped_whole),
    };
    int failed = cmocka_run_group_tests(off, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(on, sparse_setup, NULL);
}
