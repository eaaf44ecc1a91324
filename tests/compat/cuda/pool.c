// SPDX-License-Identifier: Apache-2.0
// Pools of stream-ordered memory, by both APIs.
#include "support/cuda.h"

#define MIB ((size_t)1 << 20)

static cudaStream_t stream_new(void) {
    cudaStream_t stream = NULL;
    assert_cuda_ok(cudaStreamCreate(&stream));
    return stream;
}

static cudaMemPool_t pool_new(size_t limit, enum cudaMemAllocationHandleType type) {
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .handleTypes = type,
                                     .location = {cudaMemLocationTypeDevice, 0},
                                     .maxSize = limit};
    cudaMemPool_t pool = NULL;
    assert_cuda_ok(cudaMemPoolCreate(&pool, &props));
    return pool;
}

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr which) {
    uint64_t value = 0;
    assert_cuda_ok(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
}

static void set_flag(cudaMemPool_t pool, enum cudaMemPoolAttr which, int value) {
    assert_cuda_ok(cudaMemPoolSetAttribute(pool, which, &value));
}

// 57
static void a_fresh_pool_reuses_by_all_rules_and_keeps_nothing(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    int flag = 0;
    (void)state;
    for (int which = cudaMemPoolReuseFollowEventDependencies;
         which <= cudaMemPoolReuseAllowInternalDependencies; which++) {
        assert_cuda_ok(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)which, &flag));
        assert_int_equal(flag, 1);
    }
    assert_int_equal(attribute(pool, cudaMemPoolAttrReleaseThreshold), 0);
    assert_cuda(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)77, &flag), 1);
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

// The next pair of calls finds the memory.
static void the_last_free_keeps_memory_until_a_synchronisation(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    cudaStream_t stream = stream_new();
    void *block = NULL;
    uint64_t reserved = 0; // the red zones of sanitizers take pages too
    (void)state;
    for (size_t mib = 4; mib > 0; mib--) {
        assert_cuda_ok(cudaMallocFromPoolAsync(&block, mib * MIB, pool, stream));
        assert_cuda_ok(cudaFreeAsync(block, stream));
        assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
        if (mib == 4) reserved = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
        assert_true(reserved >= 4 * MIB);
        assert_int_equal(attribute(pool, cudaMemPoolAttrReservedMemCurrent), reserved);
    }
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_int_equal(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    assert_cuda_ok(cudaStreamDestroy(stream));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

// 58, 59
static void a_synchronisation_releases_what_is_above_the_threshold(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    cudaStream_t stream = stream_new();
    uint64_t all = UINT64_MAX;
    void *block = NULL;
    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_cuda_ok(cudaMallocFromPoolAsync(&block, MIB, pool, stream));
        assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemCurrent), MIB);
        assert_true(attribute(pool, cudaMemPoolAttrReservedMemCurrent) >= MIB);
        assert_cuda_ok(cudaFreeAsync(block, stream));
        assert_cuda_ok(cudaStreamSynchronize(stream));
        assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
        bool kept = attribute(pool, cudaMemPoolAttrReservedMemCurrent) != 0;
        assert_int_equal(kept, round == 1);
        assert_cuda_ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    }
    assert_cuda_ok(cudaMemPoolTrimTo(pool, 0));
    assert_int_equal(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    assert_cuda_ok(cudaStreamDestroy(stream));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

// 60
static void a_peak_can_be_reset_only(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    uint64_t one = 1;
    uint64_t zero = 0;
    void *block = NULL;
    (void)state;
    assert_cuda_ok(cudaMallocFromPoolAsync(&block, MIB, pool, NULL));
    assert_cuda_ok(cudaFreeAsync(block, NULL));
    assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemHigh), MIB);
    assert_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), 1);
    assert_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero), 1);
    assert_cuda_ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemHigh),
                     attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

static void wait_for_flag(void *flag) {
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) {
    }
}

// 61, 62. The pool may grow by another block, or fail; with an event it reuses the first at once.
static void reuse_between_streams_follows_the_rules_of_the_pool(void **state) {
    cudaMemPool_t pool = pool_new(8 * MIB, cudaMemHandleTypeNone);
    cudaStream_t s = stream_new();
    cudaStream_t t = stream_new();
    cudaEvent_t event = NULL;
    int go = 0;
    void *first = NULL;
    void *second = NULL;
    (void)state;
    for (int which = cudaMemPoolReuseFollowEventDependencies;
         which <= cudaMemPoolReuseAllowInternalDependencies; which++)
        set_flag(pool, (enum cudaMemPoolAttr)which, 0);
    assert_cuda_ok(cudaEventCreate(&event));
    assert_cuda_ok(cudaMallocFromPoolAsync(&first, 4 * MIB, pool, s));
    assert_cuda_ok(cudaLaunchHostFunc(s, wait_for_flag, &go));
    assert_cuda_ok(cudaFreeAsync(first, s));
    assert_cuda_ok(cudaMallocFromPoolAsync(&second, 4 * MIB, pool, t));
    assert_ptr_not_equal(second, first);
    assert_cuda_ok(cudaFreeAsync(second, t));
    set_flag(pool, cudaMemPoolReuseFollowEventDependencies, 1);
    assert_cuda_ok(cudaEventRecord(event, s));
    assert_cuda_ok(cudaStreamWaitEvent(t, event, 0));
    assert_cuda_ok(cudaMallocFromPoolAsync(&first, 4 * MIB, pool, t));
    assert_cuda_ok(cudaMallocFromPoolAsync(&second, 4 * MIB, pool, t));
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    assert_cuda_ok(cudaFreeAsync(first, t));
    assert_cuda_ok(cudaFreeAsync(second, t));
    assert_cuda_ok(cudaDeviceSynchronize());
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda_ok(cudaStreamDestroy(s));
    assert_cuda_ok(cudaStreamDestroy(t));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

// 63, 64
static void a_block_is_freed_once_by_either_function(void **state) {
    void *block = NULL;
    (void)state;
    assert_cuda_ok(cudaMallocAsync(&block, MIB, NULL));
    assert_cuda_ok(cudaFreeAsync(block, NULL));
    assert_cuda(cudaFreeAsync(block, NULL), 1);
    assert_cuda_ok(cudaMallocAsync(&block, MIB, NULL));
    assert_cuda(cudaFree((char *)block + 256), 1);
    assert_cuda_ok(cudaFree(block));
    assert_cuda(cudaFree(block), 1);
    assert_cuda_ok(cudaFreeAsync(NULL, NULL));
    assert_cuda_ok(cudaMallocManaged(&block, MIB, cudaMemAttachGlobal));
    assert_cuda(cudaFreeAsync(block, NULL), 801);
    assert_cuda_ok(cudaFree(block));
    (void)cudaGetLastError();
}

// 65
static void a_destroyed_pool_lives_as_long_as_its_blocks(void **state) {
    cudaMemPool_t initial = NULL;
    cudaMemPool_t now = NULL;
    cudaMemPool_t own = pool_new(0, cudaMemHandleTypeNone);
    char bytes[4] = "abc";
    void *block = NULL;
    (void)state;
    assert_cuda_ok(cudaDeviceGetDefaultMemPool(&initial, 0));
    assert_cuda(cudaMemPoolDestroy(initial), 1);
    assert_cuda_ok(cudaDeviceSetMemPool(0, own));
    assert_cuda_ok(cudaDeviceGetMemPool(&now, 0));
    assert_ptr_equal(now, own);
    assert_cuda_ok(cudaMallocAsync(&block, MIB, NULL));
    assert_cuda_ok(cudaMemPoolDestroy(own));
    assert_cuda_ok(cudaDeviceGetMemPool(&now, 0));
    assert_ptr_equal(now, initial);
    assert_cuda_ok(cudaMemcpy(block, bytes, sizeof bytes, cudaMemcpyDefault));
    assert_cuda_ok(cudaFreeAsync(block, NULL));
    assert_cuda_ok(cudaDeviceSynchronize());
}

// 66
static void only_a_pool_with_a_handle_type_is_exported(void **state) {
    cudaMemPool_t plain = pool_new(0, cudaMemHandleTypeNone);
    cudaMemPool_t shared = pool_new(0, cudaMemHandleTypePosixFileDescriptor);
    int fd = -1;
    (void)state;
    assert_cuda(
        cudaMemPoolExportToShareableHandle(&fd, plain, cudaMemHandleTypePosixFileDescriptor, 0), 1);
    assert_cuda_ok(
        cudaMemPoolExportToShareableHandle(&fd, shared, cudaMemHandleTypePosixFileDescriptor, 0));
    assert_true(fd >= 0);
    assert_cuda_ok(cudaMemPoolDestroy(plain));
    assert_cuda_ok(cudaMemPoolDestroy(shared));
}

static void an_imported_pool_has_the_same_blocks(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypePosixFileDescriptor);
    cudaMemPool_t imported = NULL;
    cudaStream_t stream = stream_new();
    struct cudaMemPoolPtrExportData data;
    char text[8] = "";
    void *block = NULL;
    void *same = NULL;
    int fd = -1;
    (void)state;
    assert_cuda_ok(cudaMallocFromPoolAsync(&block, MIB, pool, stream));
    assert_cuda_ok(cudaMemcpyAsync(block, "shared", 7, cudaMemcpyHostToDevice, stream));
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_cuda(cudaMemPoolExportPointer(&data, block), 1); // the pool comes first
    assert_cuda_ok(
        cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    assert_cuda(cudaMemPoolExportPointer(&data, (char *)block + 256), 1);
    assert_cuda_ok(cudaMemPoolExportPointer(&data, block));
    assert_cuda_ok(cudaMemPoolImportFromShareableHandle(&imported, (void *)(intptr_t)fd,
                                                        cudaMemHandleTypePosixFileDescriptor, 0));
    assert_cuda_ok(cudaMemPoolImportPointer(&same, imported, &data));
    assert_cuda_ok(cudaMemcpy(text, same, 7, cudaMemcpyDeviceToHost));
    assert_string_equal(text, "shared");
    void *refused = &data;
    assert_cuda(cudaMallocFromPoolAsync(&refused, MIB, imported, stream), 1);
    uint64_t used = 0;
    assert_cuda(cudaMemPoolGetAttribute(imported, cudaMemPoolAttrUsedMemCurrent, &used), 1);
    assert_cuda(cudaMemPoolTrimTo(imported, 0), 1);
    assert_cuda(cudaDeviceSetMemPool(0, imported), 1);
    assert_cuda_ok(cudaFree(same));
    assert_cuda_ok(cudaFreeAsync(block, stream));
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_cuda_ok(cudaMemPoolDestroy(imported));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
    assert_cuda_ok(cudaStreamDestroy(stream));
    (void)cudaGetLastError();
}

static void devices_have_rights_to_a_pool(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    struct cudaMemLocation there = {cudaMemLocationTypeDevice, cuda_last_device()};
    struct cudaMemAccessDesc desc = {there, cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtRead;
    (void)state;
    assert_cuda_ok(cudaMemPoolGetAccess(&flags, pool, &here));
    assert_int_equal(flags, cudaMemAccessFlagsProtReadWrite);
    assert_cuda_ok(cudaMemPoolGetAccess(&flags, pool, &there));
    if (there.id > 0) assert_int_equal(flags, cudaMemAccessFlagsProtNone);
    assert_cuda_ok(cudaMemPoolSetAccess(pool, &desc, 1));
    assert_cuda_ok(cudaMemPoolGetAccess(&flags, pool, &there));
    assert_int_equal(flags, cudaMemAccessFlagsProtReadWrite);
    desc.location.id = there.id = 77;
    assert_cuda(cudaMemPoolGetAccess(&flags, pool, &there), 1);
    assert_cuda(cudaMemPoolSetAccess(pool, &desc, 1), 101);
    assert_cuda_ok(cudaMemPoolSetAccess(pool, &desc, 0));
    desc.location.type = there.type = cudaMemLocationTypeHost;
    assert_cuda(cudaMemPoolSetAccess(pool, &desc, 1), 801);
    assert_cuda_ok(cudaMemPoolGetAccess(&flags, pool, &there));
    assert_int_equal(flags, cudaMemAccessFlagsProtNone);
    assert_cuda_ok(cudaMemPoolDestroy(pool));
    (void)cudaGetLastError();
}

static void a_location_has_a_current_pool(void **state) {
    cudaMemPool_t pool = pool_new(0, cudaMemHandleTypeNone);
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    cudaMemPool_t first = NULL, current = NULL;
    (void)state;
    assert_cuda_ok(cudaMemGetDefaultMemPool(&first, &here, cudaMemAllocationTypePinned));
    assert_cuda_ok(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, pool));
    assert_cuda_ok(cudaMemGetMemPool(&current, &here, cudaMemAllocationTypePinned));
    assert_ptr_equal(current, pool);
    assert_cuda_ok(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, first));
    assert_cuda(cudaMemGetMemPool(&current, &host, cudaMemAllocationTypePinned), 801);
    assert_cuda(cudaMemGetMemPool(&current, &here, (enum cudaMemAllocationType)0), 1);
    assert_cuda_ok(cudaMemPoolDestroy(pool));
    (void)cudaGetLastError();
}

// 67
static void a_pool_has_a_limit(void **state) {
    cudaMemPool_t pool = pool_new(4 * MIB, cudaMemHandleTypeNone);
    void *block = NULL;
    (void)state;
    block = &pool;
    assert_cuda(cudaMallocFromPoolAsync(&block, 8 * MIB, pool, NULL), 2);
    assert_null(block);
    assert_cuda(cudaGetLastError(), 2);
    assert_cuda(cudaGetLastError(), 0);
    assert_cuda_ok(cudaMallocFromPoolAsync(&block, 2 * MIB, pool, NULL));
    assert_cuda_ok(cudaFreeAsync(block, NULL));
    assert_cuda_ok(cudaMemPoolDestroy(pool));
}

static void both_apis_see_the_same_pools_and_blocks(void **state) {
    CUmemoryPool driver = NULL;
    cudaMemPool_t runtime = NULL;
    CUdeviceptr block = 0;
    (void)state;
    assert_cu_ok(cuDeviceGetMemPool(&driver, 0));
    assert_cuda_ok(cudaDeviceGetMemPool(&runtime, 0));
    assert_ptr_equal(driver, runtime);
    assert_cu_ok(cuMemAllocAsync(&block, MIB, NULL));
    assert_cuda_ok(cudaFreeAsync((void *)(uintptr_t)block, NULL));
    assert_cu(cuMemFreeAsync(block, NULL), 1);
}

static int begin(void **state) {
    if (cuda_group_setup(state) != 0) return -1;
    cuda_begin();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_pool_reuses_by_all_rules_and_keeps_nothing),
        cmocka_unit_test(the_last_free_keeps_memory_until_a_synchronisation),
        cmocka_unit_test(a_synchronisation_releases_what_is_above_the_threshold),
        cmocka_unit_test(a_peak_can_be_reset_only),
        cmocka_unit_test(reuse_between_streams_follows_the_rules_of_the_pool),
        cmocka_unit_test(a_block_is_freed_once_by_either_function),
        cmocka_unit_test(a_destroyed_pool_lives_as_long_as_its_blocks),
        cmocka_unit_test(only_a_pool_with_a_handle_type_is_exported),
        cmocka_unit_test(an_imported_pool_has_the_same_blocks),
        cmocka_unit_test(devices_have_rights_to_a_pool),
        cmocka_unit_test(a_location_has_a_current_pool),
        cmocka_unit_test(a_pool_has_a_limit),
        cmocka_unit_test(both_apis_see_the_same_pools_and_blocks),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
