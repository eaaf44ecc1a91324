// SPDX-License-Identifier: Apache-2.0
// Arrays: making, asking and freeing, with sparse arrays off. Mipmapped ones too.
#include <limits.h>
#include <pthread.h>

#include "support/hip.h"

static const hipChannelFormatDesc FLOATS = {32, 0, 0, 0, hipChannelFormatKindFloat};

static size_t free_bytes(void) {
    size_t left = 0;
    size_t total = 0;
    assert_hip_ok(hipMemGetInfo(&left, &total));
    return left;
}

static hipError_t make_3d(hipArray_t *array, size_t width, size_t height, size_t depth,
                          unsigned flags) {
    return hipMalloc3DArray(array, &FLOATS, make_hipExtent(width, height, depth), flags);
}

static void an_array_takes_memory_until_it_is_freed(void **state) {
    size_t before = free_bytes();
    hipArray_t array = NULL;
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &FLOATS, 1024, 1024, hipArrayDefault));
    assert_non_null(array);
    assert_true(before - free_bytes() >= (size_t)4 << 20);
    assert_hip_ok(hipFreeArray(array));
    assert_int_equal(free_bytes(), before);
    assert_hip(hipFreeArray(array), hipErrorContextIsDestroyed);
    assert_hip(hipArrayDestroy(array), hipErrorContextIsDestroyed);
    assert_hip(hipFreeArray(NULL), hipErrorInvalidValue);
    assert_hip(hipArrayDestroy(NULL), hipErrorInvalidValue);
    assert_hip(hipFreeArray((hipArray_t)4711), hipErrorContextIsDestroyed);
}

// 700 MiB lie free in the device's pool of 1 GiB.
static void what_lies_free_in_pools_is_there_for_arrays(void **state) {
    size_t pooled = (size_t)700 << 20;
    uint64_t keep = UINT64_MAX;
    hipMemPool_t pool = NULL;
    hipArray_t array = NULL;
    void *block = NULL;
    (void)state;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&pool, 0));
    assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
    assert_hip_ok(hipMallocAsync(&block, pooled, NULL));
    assert_hip_ok(hipFreeAsync(block, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_hip_ok(hipMallocArray(&array, &FLOATS, 16384, 8192, 0)); // 512 MiB
    assert_hip_ok(hipFreeArray(array));
    keep = 0;
    assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
    assert_hip_ok(hipMemPoolTrimTo(pool, 0));
}

static void questions_are_answered_as_created(void **state) {
    HIP_ARRAY3D_DESCRIPTOR given = {.Width = 20,
                                    .Height = 10,
                                    .Depth = 3,
                                    .Format = HIP_AD_FORMAT_HALF,
                                    .NumChannels = 2,
                                    .Flags = hipArrayLayered | hipArraySurfaceLoadStore};
    HIP_ARRAY3D_DESCRIPTOR solid;
    HIP_ARRAY_DESCRIPTOR flat;
    hipChannelFormatDesc channels;
    hipExtent extent;
    unsigned flags = 0;
    hipArray_t array = NULL;
    (void)state;
    assert_hip_ok(hipArray3DCreate(&array, &given));
    assert_hip_ok(hipArray3DGetDescriptor(&solid, array));
    assert_memory_equal(&solid, &given, sizeof given);
    assert_hip_ok(hipArrayGetDescriptor(&flat, array));
    assert_int_equal(flat.Width, 20);
    assert_int_equal(flat.Height, 10);
    assert_int_equal(flat.Format, HIP_AD_FORMAT_HALF);
    assert_int_equal(flat.NumChannels, 2);
    assert_hip_ok(hipArrayGetInfo(&channels, &extent, &flags, array));
    assert_int_equal(channels.x, 16);
    assert_int_equal(channels.y, 16);
    assert_int_equal(channels.z, 0);
    assert_int_equal(channels.f, hipChannelFormatKindFloat);
    assert_int_equal(extent.depth, 3);
    assert_int_equal(flags, given.Flags);
    assert_hip_ok(hipArrayGetInfo(NULL, NULL, NULL, array));
    assert_hip(hipArray3DGetDescriptor(NULL, array), hipErrorInvalidValue);
    assert_hip(hipArrayGetDescriptor(NULL, array), hipErrorInvalidValue);
    assert_hip(hipGetChannelDesc(NULL, array), hipErrorInvalidValue);
    assert_hip_ok(hipArrayDestroy(array));
    assert_hip(hipArray3DGetDescriptor(&solid, array), hipErrorInvalidHandle);
    assert_hip(hipArrayGetDescriptor(&flat, NULL), hipErrorInvalidHandle);
    assert_hip(hipGetChannelDesc(&channels, array), hipErrorInvalidHandle);
    assert_hip(hipArrayGetInfo(&channels, &extent, &flags, (hipArray_t)1), hipErrorInvalidHandle);
}

static void channels_come_back_for_every_format(void **state) {
    static const struct {
        int bits;
        hipChannelFormatKind kind;
        hipArray_Format format;
    } each[] = {
        {8, hipChannelFormatKindUnsigned, HIP_AD_FORMAT_UNSIGNED_INT8},
        {16, hipChannelFormatKindUnsigned, HIP_AD_FORMAT_UNSIGNED_INT16},
        {32, hipChannelFormatKindUnsigned, HIP_AD_FORMAT_UNSIGNED_INT32},
        {8, hipChannelFormatKindSigned, HIP_AD_FORMAT_SIGNED_INT8},
        {16, hipChannelFormatKindSigned, HIP_AD_FORMAT_SIGNED_INT16},
        {32, hipChannelFormatKindSigned, HIP_AD_FORMAT_SIGNED_INT32},
        {16, hipChannelFormatKindFloat, HIP_AD_FORMAT_HALF},
        {32, hipChannelFormatKindFloat, HIP_AD_FORMAT_FLOAT},
    };
    (void)state;
    for (size_t i = 0; i < 3 * sizeof each / sizeof each[0]; i++) {
        int b = each[i / 3].bits;
        unsigned count = 1u << i % 3;
        hipChannelFormatDesc desc = hipCreateChannelDesc(b, count > 1 ? b : 0, count > 2 ? b : 0,
                                                         count > 2 ? b : 0, each[i / 3].kind);
        hipChannelFormatDesc back;
        HIP_ARRAY3D_DESCRIPTOR shape;
        hipArray_t array = NULL;
        assert_hip_ok(hipMallocArray(&array, &desc, 5, 0, 0));
        assert_hip_ok(hipGetChannelDesc(&back, array));
        assert_memory_equal(&back, &desc, sizeof desc);
        assert_hip_ok(hipArray3DGetDescriptor(&shape, array));
        assert_int_equal(shape.Format, each[i / 3].format);
        assert_int_equal(shape.NumChannels, count);
        assert_hip_ok(hipFreeArray(array));
    }
}

static void channels_that_are_no_element_are_refused(void **state) {
    static const hipChannelFormatDesc bad[] = {
        {0, 0, 0, 0, hipChannelFormatKindFloat},    {8, 0, 0, 0, hipChannelFormatKindFloat},
        {32, 16, 0, 0, hipChannelFormatKindFloat},  {32, 0, 32, 0, hipChannelFormatKindFloat},
        {32, 32, 32, 0, hipChannelFormatKindFloat}, {64, 0, 0, 0, hipChannelFormatKindSigned},
        {24, 0, 0, 0, hipChannelFormatKindSigned},  {-8, 0, 0, 0, hipChannelFormatKindSigned},
        {8, 0, 0, 0, hipChannelFormatKindNone},     {8, 0, 0, 0, (hipChannelFormatKind)99},
    };
    hipArray_t array = (hipArray_t)7;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_hip(hipMallocArray(&array, &bad[i], 8, 8, 0), hipErrorInvalidValue);
    assert_ptr_equal(array, (hipArray_t)7);
}

static void bad_descriptions_are_refused(void **state) {
    HIP_ARRAY_DESCRIPTOR flat = {.Width = 8, .Format = HIP_AD_FORMAT_FLOAT, .NumChannels = 1};
    HIP_ARRAY3D_DESCRIPTOR solid = {.Width = 8, .Format = HIP_AD_FORMAT_FLOAT, .NumChannels = 3};
    hipArray_t array = NULL;
    (void)state;
    assert_hip(hipMallocArray(NULL, &FLOATS, 8, 8, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, NULL, 8, 8, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, 0, 8, 0), hipErrorInvalidValue);
    assert_hip(hipMalloc3DArray(NULL, &FLOATS, make_hipExtent(1, 1, 1), 0), hipErrorInvalidValue);
    assert_hip(hipMalloc3DArray(&array, NULL, make_hipExtent(1, 1, 1), 0), hipErrorInvalidValue);
    assert_hip(hipArrayCreate(NULL, &flat), hipErrorInvalidValue);
    assert_hip(hipArrayCreate(&array, NULL), hipErrorInvalidValue);
    assert_hip(hipArray3DCreate(NULL, &solid), hipErrorInvalidValue);
    assert_hip(hipArray3DCreate(&array, NULL), hipErrorInvalidValue);
    assert_hip(hipArray3DCreate(&array, &solid), hipErrorInvalidValue);
    flat.Format = (hipArray_Format)4;
    assert_hip(hipArrayCreate(&array, &flat), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, SIZE_MAX, SIZE_MAX, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, 1 << 15, 1 << 15, 0), hipErrorOutOfMemory);
    assert_null(array);
}

static void flags_must_fit_the_extent(void **state) {
    hipArray_t array = NULL;
    (void)state;
    assert_hip(hipMallocArray(&array, &FLOATS, 8, 8, 0x10), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, 8, 8, hipArrayLayered), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, 8, 8, hipArrayCubemap), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &FLOATS, 8, 0, hipArrayTextureGather), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 8, 8, hipArrayTextureGather), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 0, 8, 0), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 4, 6, hipArrayCubemap), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 8, 5, hipArrayCubemap), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 8, 12, hipArrayCubemap), hipErrorInvalidValue);
    assert_hip(make_3d(&array, 8, 8, (size_t)1 << 32, hipArrayLayered), hipErrorInvalidValue);
    assert_null(array);
}

static void every_shape_can_be_made(void **state) {
    static const struct {
        size_t width, height, depth;
        unsigned flags;
    } each[] = {
        {8, 0, 0, 0},
        {8, 8, 0, hipArrayTextureGather},
        {8, 8, 8, hipArraySurfaceLoadStore},
        {8, 0, 3, hipArrayLayered},
        {8, 8, 3, hipArrayLayered | hipArrayTextureGather},
        {8, 8, 6, hipArrayCubemap},
        {8, 8, 12, hipArrayCubemap | hipArrayLayered},
    };
    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        hipArray_t array = NULL;
        assert_hip_ok(make_3d(&array, each[i].width, each[i].height, each[i].depth, each[i].flags));
        assert_hip_ok(hipFreeArray(array));
    }
}

// AMD has no sparse arrays; they are an extension that must be asked for.
static void sparse_arrays_are_off(void **state) {
    hipArray_t array = NULL;
    hipMipmappedArray_t mipmap = NULL;
    (void)state;
    assert_hip(hipMallocArray(&array, &FLOATS, 256, 256, hipExtArraySparse), hipErrorNotSupported);
    assert_hip(make_3d(&array, 256, 256, 0, hipExtArrayDeferredMapping), hipErrorNotSupported);
    assert_hip(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(256, 256, 0), 2,
                                       hipExtArraySparse),
               hipErrorNotSupported);
    assert_non_null(strstr(hipExtGetLastErrorText(), "TARN_HIP_SPARSE"));
    assert_null(array);
    assert_null(mipmap);
}

// ---- mipmapped arrays

static void levels_are_halved(void **state) {
    hipMipmappedArray_t mipmap = NULL;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(
        hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(40, 12, 5), 4, hipArrayDefault));
    for (unsigned level = 0; level < 4; level++) {
        static const unsigned depths[] = {5, 2, 1, 1};
        HIP_ARRAY3D_DESCRIPTOR shape;
        hipArray_t array = NULL;
        hipArray_t again = NULL;
        assert_hip_ok(hipGetMipmappedArrayLevel(&array, mipmap, level));
        assert_hip_ok(hipMipmappedArrayGetLevel(&again, mipmap, level));
        assert_ptr_equal(array, again);
        assert_hip_ok(hipArray3DGetDescriptor(&shape, array));
        assert_int_equal(shape.Width, 40 >> level);
        assert_int_equal(shape.Height, 12 >> level);
        assert_int_equal(shape.Depth, depths[level]);
        assert_hip(hipFreeArray(array), hipErrorInvalidValue);
    }
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    assert_int_equal(free_bytes(), before);
}

static void layers_stay_as_many(void **state) {
    HIP_ARRAY3D_DESCRIPTOR shape = {.Width = 16,
                                    .Height = 8,
                                    .Depth = 3,
                                    .Format = HIP_AD_FORMAT_UNSIGNED_INT8,
                                    .NumChannels = 4,
                                    .Flags = hipArrayLayered};
    hipMipmappedArray_t mipmap = NULL;
    hipArray_t level = NULL;
    (void)state;
    assert_hip_ok(hipMipmappedArrayCreate(&mipmap, &shape, 3));
    assert_int_equal(mipmap->width, 16);
    assert_int_equal(mipmap->height, 8);
    assert_int_equal(mipmap->depth, 3);
    assert_int_equal(mipmap->max_mipmap_level, 3);
    assert_int_equal(mipmap->num_channels, 4);
    assert_int_equal(mipmap->flags, hipArrayLayered);
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, 2));
    assert_hip_ok(hipArray3DGetDescriptor(&shape, level));
    assert_int_equal(shape.Width, 4);
    assert_int_equal(shape.Depth, 3);
    assert_hip_ok(hipMipmappedArrayDestroy(mipmap));
    assert_hip(hipArray3DGetDescriptor(&shape, level), hipErrorInvalidHandle);
}

static void as_many_levels_as_there_can_be(void **state) {
    static const unsigned asked[] = {0, 3, 5};
    static const unsigned made[] = {1, 3, 5};
    static const unsigned too_many[] = {6, 64, 1u << 31, UINT_MAX};
    hipMipmappedArray_t none = NULL;
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_hip(
            hipMallocMipmappedArray(&none, &FLOATS, make_hipExtent(16, 3, 0), too_many[i], 0),
            hipErrorInvalidValue);
        assert_non_null(strstr(hipExtGetLastErrorText(), "at most 5"));
    }
    assert_hip(hipMallocMipmappedArray(&none, &FLOATS, make_hipExtent(8, 8, 6), 2, hipArrayCubemap),
               hipErrorInvalidValue);
    assert_null(none);
    for (int i = 0; i < 3; i++) {
        hipMipmappedArray_t mipmap = NULL;
        hipArray_t level = NULL;
        assert_hip_ok(
            hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(16, 3, 0), asked[i], 0));
        assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, made[i] - 1));
        assert_hip(hipGetMipmappedArrayLevel(&level, mipmap, made[i]), hipErrorInvalidValue);
        assert_hip_ok(hipFreeMipmappedArray(mipmap));
    }
}

static void pointers_to_nothing_are_not_followed(void **state) {
    hipMipmappedArray fake = {0};
    hipMipmappedArray_t mipmap = NULL;
    hipArray_t level = NULL;
    (void)state;
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
    fake = *mipmap;
    assert_hip(hipGetMipmappedArrayLevel(&level, &fake, 0), hipErrorInvalidHandle);
    assert_hip(hipGetMipmappedArrayLevel(&level, (hipMipmappedArray_t)8, 0), hipErrorInvalidHandle);
    assert_hip(hipGetMipmappedArrayLevel(&level, NULL, 0), hipErrorInvalidHandle);
    assert_hip(hipGetMipmappedArrayLevel(NULL, mipmap, 0), hipErrorInvalidValue);
    assert_hip(hipFreeMipmappedArray(&fake), hipErrorContextIsDestroyed);
    assert_hip(hipFreeMipmappedArray(NULL), hipErrorInvalidValue);
    assert_hip(hipMipmappedArrayDestroy(NULL), hipErrorInvalidValue);
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    assert_hip(hipFreeMipmappedArray(mipmap), hipErrorContextIsDestroyed);
    assert_hip(hipMipmappedArrayDestroy(mipmap), hipErrorContextIsDestroyed);
}

static void bad_mipmapped_arrays_are_refused(void **state) {
    HIP_ARRAY3D_DESCRIPTOR shape = {.Width = 8, .Format = HIP_AD_FORMAT_FLOAT, .NumChannels = 5};
    hipMipmappedArray_t mipmap = NULL;
    hipExtent extent = make_hipExtent(16, 16, 0);
    size_t before = free_bytes();
    (void)state;
    assert_hip(hipMallocMipmappedArray(NULL, &FLOATS, extent, 2, 0), hipErrorInvalidValue);
    assert_hip(hipMallocMipmappedArray(&mipmap, NULL, extent, 2, 0), hipErrorInvalidValue);
    assert_hip(hipMallocMipmappedArray(&mipmap, &FLOATS, extent, 2, 0x20), hipErrorInvalidValue);
    extent.width = 0;
    assert_hip(hipMallocMipmappedArray(&mipmap, &FLOATS, extent, 2, 0), hipErrorInvalidValue);
    extent = make_hipExtent(1 << 15, 1 << 15, 0);
    assert_hip(hipMallocMipmappedArray(&mipmap, &FLOATS, extent, 2, 0), hipErrorOutOfMemory);
    assert_hip(hipMipmappedArrayCreate(NULL, &shape, 2), hipErrorInvalidValue);
    assert_hip(hipMipmappedArrayCreate(&mipmap, NULL, 2), hipErrorInvalidValue);
    assert_hip(hipMipmappedArrayCreate(&mipmap, &shape, 2), hipErrorInvalidValue);
    assert_null(mipmap);
    assert_int_equal(free_bytes(), before);
}

static void a_reset_ends_the_arrays_of_its_device(void **state) {
    hipArray_t array = NULL;
    hipArray_t level = NULL;
    hipArray_t far = NULL;
    hipMipmappedArray_t mipmap = NULL;
    HIP_ARRAY_DESCRIPTOR shape;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &FLOATS, 16, 16, 0));
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
    assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, 1));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMallocArray(&far, &FLOATS, 16, 16, 0));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipDeviceReset());
    assert_hip(hipArrayGetDescriptor(&shape, array), hipErrorInvalidHandle);
    assert_hip(hipArrayGetDescriptor(&shape, level), hipErrorInvalidHandle);
    assert_hip(hipFreeMipmappedArray(mipmap), hipErrorContextIsDestroyed);
    assert_int_equal(free_bytes(), before);
    assert_hip_ok(hipFreeArray(far));
}

// ---- threads and processes

static void *make_and_free(void *arg) {
    for (int i = 0; i < 40; i++) {
        hipMipmappedArray_t mipmap = NULL;
        hipArray_t array = NULL;
        hipArray_t level = NULL;
        HIP_ARRAY_DESCRIPTOR shape;
        float value = (float)i;
        assert_hip_ok(hipMallocArray(&array, &FLOATS, 16, 16, 0));
        assert_hip_ok(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
        assert_hip_ok(hipGetMipmappedArrayLevel(&level, mipmap, 1));
        assert_hip_ok(hipMemcpy2DToArray(level, 0, 3, &value, 4, 4, 1, hipMemcpyDefault));
        assert_hip_ok(hipMemcpy2DArrayToArray(array, 4, 4, level, 0, 3, 4, 1, hipMemcpyDefault));
        value = -1;
        assert_hip_ok(hipMemcpy2DFromArray(&value, 4, array, 4, 4, 4, 1, hipMemcpyDefault));
        assert_true(value == (float)i);
        assert_hip_ok(hipArrayGetDescriptor(&shape, array));
        assert_hip_ok(hipFreeMipmappedArray(mipmap));
        assert_hip_ok(hipFreeArray(array));
    }
    return arg;
}

static void threads_do_not_disturb_each_other(void **state) {
    pthread_t threads[4];
    size_t before = free_bytes();
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_free, NULL), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(free_bytes(), before);
}

struct search {
    hipMipmappedArray_t mipmap;
    _Atomic(bool) over;
};

static void *search_all_the_time(void *arg) {
    struct search *search = arg;
    hipArray_t level = NULL;
    while (!search->over) assert_hip_ok(hipGetMipmappedArrayLevel(&level, search->mipmap, 0));
    return NULL;
}

static void a_mipmapped_array_is_freed_at_once_beside_searches_for_another(void **state) {
    pthread_t threads[2];
    struct search search = {NULL, false};
    hipMipmappedArray_t mipmaps[20];
    (void)state;
    assert_hip_ok(
        hipMallocMipmappedArray(&search.mipmap, &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
    size_t before = free_bytes();
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, search_all_the_time, &search), 0);
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 20; i++) {
            assert_hip_ok(
                hipMallocMipmappedArray(&mipmaps[i], &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
        }
        for (int i = 0; i < 20; i++) assert_hip_ok(hipFreeMipmappedArray(mipmaps[i]));
        assert_int_equal(free_bytes(), before);
    }
    search.over = true;
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_hip_ok(hipFreeMipmappedArray(search.mipmap));
}

struct inherited {
    hipArray_t array;
    hipMipmappedArray_t mipmap;
};

static void inherited_arrays_are_none(void *arg) {
    struct inherited *parents = arg;
    HIP_ARRAY_DESCRIPTOR shape;
    hipArray_t own = NULL;
    assert_hip(hipArrayGetDescriptor(&shape, parents->array), hipErrorInvalidHandle);
    assert_hip(hipFreeArray(parents->array), hipErrorContextIsDestroyed);
    assert_hip(hipFreeMipmappedArray(parents->mipmap), hipErrorContextIsDestroyed);
    assert_hip_ok(hipMallocArray(&own, &FLOATS, 16, 16, 0));
    assert_hip_ok(hipFreeArray(own));
}

static void arrays_stay_with_the_parent(void **state) {
    struct inherited mine = {NULL, NULL};
    HIP_ARRAY_DESCRIPTOR shape;
    (void)state;
    assert_hip_ok(hipMallocArray(&mine.array, &FLOATS, 16, 16, 0));
    assert_hip_ok(hipMallocMipmappedArray(&mine.mipmap, &FLOATS, make_hipExtent(16, 16, 0), 2, 0));
    hip_in_child(inherited_arrays_are_none, &mine, NULL);
    assert_hip_ok(hipArrayGetDescriptor(&shape, mine.array));
    assert_hip_ok(hipFreeArray(mine.array));
    assert_hip_ok(hipFreeMipmappedArray(mine.mipmap));
}

static void no_device(void *arg) {
    (void)arg;
    assert_hip(hipMallocArray(NULL, NULL, 0, 0, 0), hipErrorNoDevice);
    assert_hip(hipFreeArray(NULL), hipErrorNoDevice);
    assert_hip(hipFreeMipmappedArray(NULL), hipErrorNoDevice);
    assert_hip(hipMemcpy2DToArray(NULL, 0, 0, NULL, 0, 0, 0, hipMemcpyDefault), hipErrorNoDevice);
    assert_hip(hipMemcpyToArray(NULL, 0, 0, NULL, 0, hipMemcpyDefault), hipErrorNoDevice);
    assert_hip(hipMemcpy(NULL, NULL, 0, hipMemcpyDefault), hipErrorNoDevice);
    assert_hip(hipMemcpyPeer(NULL, 0, NULL, 0, 0), hipErrorNoDevice);
    assert_hip(hipMemcpy3D(NULL), hipErrorNoDevice);
    assert_hip(hipDrvMemcpy3D(NULL), hipErrorNoDevice);
    assert_hip(hipMemset(NULL, 0, 0), hipErrorNoDevice);
    assert_hip(hipMemset2D(NULL, 0, 0, 0, 0), hipErrorNoDevice);
    assert_hip(hipMemMapArrayAsync(NULL, 0, NULL), hipErrorNoDevice);
}

static void no_device_is_told_before_arguments_are_looked_at(void **state) {
    (void)state;
    hip_in_child(no_device, NULL, "TARN_HIP_DEVICE", "none", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(no_device_is_told_before_arguments_are_looked_at),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_takes_memory_until_it_is_freed),
        cmocka_unit_test(what_lies_free_in_pools_is_there_for_arrays),
        cmocka_unit_test(questions_are_answered_as_created),
        cmocka_unit_test(channels_come_back_for_every_format),
        cmocka_unit_test(channels_that_are_no_element_are_refused),
        cmocka_unit_test(bad_descriptions_are_refused),
        cmocka_unit_test(flags_must_fit_the_extent),
        cmocka_unit_test(every_shape_can_be_made),
        cmocka_unit_test(sparse_arrays_are_off),
        cmocka_unit_test(levels_are_halved),
        cmocka_unit_test(layers_stay_as_many),
        cmocka_unit_test(as_many_levels_as_there_can_be),
        cmocka_unit_test(pointers_to_nothing_are_not_followed),
        cmocka_unit_test(bad_mipmapped_arrays_are_refused),
        cmocka_unit_test(a_reset_ends_the_arrays_of_its_device),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(a_mipmapped_array_is_freed_at_once_beside_searches_for_another),
        cmocka_unit_test(arrays_stay_with_the_parent),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
