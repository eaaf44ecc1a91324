// SPDX-License-Identifier: Apache-2.0
// hipMallocAsync, hipMallocFromPoolAsync, hipFreeAsync: memory in the order of streams, and who may
// reuse it when.
#include <pthread.h>
#include <unistd.h>

#include "support/work.h"

#define MIB ((size_t)1 << 20)

static size_t free_bytes(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static hipStream_t make_stream(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    return stream;
}

static char *get(size_t size, hipStream_t stream) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocAsync(&ptr, size, stream));
    assert_non_null(ptr);
    return ptr;
}

static hipMemPool_t small_pool(size_t most) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0},
                             .maxSize = most};
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    return pool;
}

static char *get_from(hipMemPool_t pool, size_t size, hipStream_t stream) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocFromPoolAsync(&ptr, size, pool, stream));
    return ptr;
}

// ---- blocks

static void blocks_are_device_memory(void **state) {
    hipStream_t stream = make_stream();
    size_t before = free_bytes();
    (void)state;
    for (size_t size = 1; size <= 4 * MIB; size = size * 3 + 1) {
        hipPointerAttribute_t attributes;
        hipDeviceptr_t base = NULL;
        size_t bytes = 0;
        char *ptr = get(size, stream);
        assert_int_equal((uintptr_t)ptr % 256, 0);
        memset(ptr, 1, size);
        assert_hip_ok(hipPointerGetAttributes(&attributes, ptr + size - 1));
        assert_int_equal(attributes.type, hipMemoryTypeDevice);
        assert_int_equal(attributes.device, 0);
        assert_hip_ok(hipMemGetAddressRange(&base, &bytes, ptr + size - 1));
        assert_ptr_equal(base, ptr);
        assert_int_equal(bytes, size);
        assert_hip_ok(hipFreeAsync(ptr, stream));
        assert_hip_ok(hipPointerGetAttributes(&attributes, ptr)); // the pool still has the page
        assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
        assert_hip(hipMemGetAddressRange(&base, &bytes, ptr), hipErrorNotFound);
    }
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void memory_is_of_the_device_of_the_stream(void **state) {
    hipPointerAttribute_t attributes;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    hipStream_t there = make_stream();
    assert_hip_ok(hipSetDevice(0));
    char *ptr = get(1000, there);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    assert_int_equal(attributes.device, 1);
    assert_hip_ok(hipFreeAsync(ptr, there));
    hipMemPool_t pool = small_pool(0); // of device 0, for a stream of device 1
    ptr = get_from(pool, 1000, there);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    assert_int_equal(attributes.device, 0);
    assert_hip_ok(hipFreeAsync(ptr, there));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipStreamDestroy(there));
}

static void bad_arguments_are_refused(void **state) {
    hipStream_t gone = make_stream();
    hipMemPool_t own = NULL;
    void *ptr = &ptr;
    (void)state;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&own, 0));
    assert_hip_ok(hipStreamDestroy(gone));
    assert_hip(hipMallocAsync(NULL, 16, NULL), hipErrorInvalidValue);
    assert_hip(hipMallocAsync(&ptr, 16, gone), hipErrorInvalidHandle);
    assert_hip(hipMallocAsync(&ptr, SIZE_MAX, NULL), hipErrorOutOfMemory);
    assert_hip(hipMallocFromPoolAsync(NULL, 16, own, NULL), hipErrorInvalidValue);
    assert_hip(hipMallocFromPoolAsync(&ptr, 16, NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipMallocFromPoolAsync(&ptr, 16, (hipMemPool_t)gone, NULL), hipErrorInvalidValue);
    assert_hip(hipMallocFromPoolAsync(&ptr, 16, own, gone), hipErrorInvalidHandle);
    assert_ptr_equal(ptr, &ptr);
    assert_hip_ok(hipMallocAsync(&ptr, 0, NULL));
    assert_null(ptr);
}

static void free_refuses_what_is_not_the_start_of_a_block(void **state) {
    hipStream_t gone = make_stream();
    char *ptr = get(100000, NULL);
    void *host = NULL;
    char here[16];
    (void)state;
    assert_hip_ok(hipStreamDestroy(gone));
    assert_hip_ok(hipHostMalloc(&host, 4096, 0));
    assert_hip(hipFreeAsync(ptr + 256, NULL), hipErrorInvalidValue);
    assert_hip(hipFree(ptr + 256), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "inside memory of a pool"));
    assert_hip(hipFreeAsync(host, NULL), hipErrorInvalidValue);
    assert_hip(hipFreeAsync(here, NULL), hipErrorInvalidValue);
    assert_hip(hipFreeAsync(ptr, gone), hipErrorInvalidHandle);
    ptr[99999] = 1;
    assert_hip_ok(hipFreeAsync(ptr, NULL));
    assert_hip(hipFreeAsync(ptr, NULL), hipErrorInvalidValue);
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    assert_hip_ok(hipHostFree(host));
}

static void plain_memory_is_freed_too(void **state) {
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipDeviceSynchronize()); // pools release memory, as at hipFreeAsync() below
    size_t before = free_bytes();
    assert_hip_ok(hipMalloc(&ptr, MIB));
    assert_hip_ok(hipFreeAsync(ptr, NULL));
    assert_true(free_bytes() == before);
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    assert_hip_ok(hipMallocManaged(&ptr, MIB, hipMemAttachGlobal));
    assert_hip_ok(hipFreeAsync(ptr, NULL));
}

static void expect_no_mapping(char *at, size_t size) {
    hipMemGenericAllocationHandle_t handle = NULL;
    unsigned long long rights = 77;
    hipMemLocation here = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc none = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtNone};
    assert_hip(hipMemRetainAllocationHandle(&handle, at), hipErrorInvalidValue);
    assert_hip(hipMemGetAccess(&rights, &here, at), hipErrorInvalidValue);
    assert_hip(hipMemSetAccess(at, size, &none, 1), hipErrorInvalidValue);
    assert_hip(hipMemUnmap(at, size), hipErrorInvalidValue);
    assert_hip(hipMemAddressFree(at, size), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "belongs to a pool"));
}

// Programs probe any pointer with these, and must not take a page of the pool for theirs.
static void virtual_memory_management_leaves_pools_alone(void **state) {
    size_t size = 2 * MIB;
    char *ptr = get(size, NULL);
    char *freed = get(size, NULL);
    (void)state;
    assert_hip_ok(hipFreeAsync(freed, NULL));
    expect_no_mapping(ptr, size);
    expect_no_mapping(freed, size);
    ptr[size - 1] = 1;
    assert_hip_ok(hipFreeAsync(ptr, NULL));
}

// ---- streams

static bool apart(const char *a, const char *b, size_t size) {
    return a + size <= b || b + size <= a;
}

// A stream that does not get on until told so, with a block allocated and freed on it.
static void a_freed_block_is_reused_at_once_on_its_stream_and_later_on_others(void **state) {
    struct gate gate = {false, 0};
    hipMemPool_t pool = small_pool(64 * MIB);
    hipStream_t a = make_stream();
    hipStream_t b = make_stream();
    (void)state;
    char *first = get_from(pool, 24 * MIB, a);
    assert_hip_ok(hipLaunchHostFunc(a, pass_gate, &gate));
    assert_hip_ok(hipFreeAsync(first, a));
    char *there = get_from(pool, 24 * MIB, b);
    assert_true(apart(first, there, 24 * MIB));
    char *again = get_from(pool, 24 * MIB, a);
    assert_ptr_equal(again, first);
    assert_hip_ok(hipFreeAsync(again, a));
    assert_hip_ok(hipFreeAsync(there, b));
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(a));
    char *all = get_from(pool, 64 * MIB, b); // what was freed on a as well
    assert_hip_ok(hipFreeAsync(all, b));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipStreamDestroy(a));
    assert_hip_ok(hipStreamDestroy(b));
}

static void a_block_freed_on_another_stream_waits_for_that_one(void **state) {
    struct gate gate = {false, 0};
    hipMemPool_t pool = small_pool(64 * MIB);
    hipStream_t a = make_stream();
    hipStream_t b = make_stream();
    (void)state;
    char *first = get_from(pool, 24 * MIB, a);
    assert_hip_ok(hipLaunchHostFunc(b, pass_gate, &gate));
    assert_hip_ok(hipFreeAsync(first, b));
    char *other = get_from(pool, 24 * MIB, a); // not even for its own stream
    assert_true(apart(first, other, 24 * MIB));
    gate.open = true;
    assert_hip_ok(hipFreeAsync(other, a));
    assert_hip_ok(hipStreamSynchronize(b));
    char *all = get_from(pool, 64 * MIB, a);
    assert_hip_ok(hipFreeAsync(all, a));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipStreamDestroy(a));
    assert_hip_ok(hipStreamDestroy(b));
}

static void *open_later(void *arg) {
    struct gate *gate = arg;
    usleep(20000);
    gate->open = true;
    return NULL;
}

static void plain_free_waits_for_the_work(void **state) {
    struct gate gate = {false, 0};
    hipStream_t stream = make_stream();
    pthread_t opener;
    (void)state;
    assert_hip_ok(hipDeviceSynchronize());
    size_t before = free_bytes();
    char *ptr = get(MIB, stream);
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_int_equal(pthread_create(&opener, NULL, open_later, &gate), 0);
    assert_hip_ok(hipFree(ptr));
    assert_int_equal(gate.passed, 1);
    assert_true(free_bytes() == before); // it was a wait, so the pool has given back
    assert_int_equal(pthread_join(opener, NULL), 0);
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_block_outlives_its_stream(void **state) {
    size_t before = free_bytes();
    hipStream_t gone = make_stream();
    hipStream_t stream = make_stream();
    (void)state;
    char *one = get(MIB, gone);
    char *two = get(MIB, gone);
    assert_hip_ok(hipStreamDestroy(gone));
    memset(one, 1, MIB);
    assert_hip_ok(hipFreeAsync(one, stream));
    assert_hip_ok(hipFree(two));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- exhaustion

static void exhaustion_is_exact_and_recoverable(void **state) {
    hipMemPool_t pool = small_pool(8 * MIB);
    void *more = &more;
    (void)state;
    char *most = get_from(pool, 8 * MIB, NULL);
    assert_hip(hipMallocFromPoolAsync(&more, 1, pool, NULL), hipErrorOutOfMemory);
    assert_ptr_equal(more, &more);
    assert_hip_ok(hipFreeAsync(most, NULL));
    assert_hip(hipMallocFromPoolAsync(&more, 8 * MIB + 1, pool, NULL), hipErrorOutOfMemory);
    most = get_from(pool, 8 * MIB, NULL);
    assert_hip_ok(hipFreeAsync(most, NULL));
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// What lies free in pools is nobody's loss.
static void what_is_free_in_a_pool_is_had_by_others(void **state) {
    uint64_t everything = UINT64_MAX;
    hipMemPool_t pool = small_pool(0);
    void *ptr = NULL;
    (void)state;
    size_t before = free_bytes();
    assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &everything));
    assert_hip_ok(hipFreeAsync(get_from(pool, 600 * MIB, NULL), NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(free_bytes() <= before - 600 * MIB);
    assert_hip_ok(hipMalloc(&ptr, 900 * MIB));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipFreeAsync(get_from(pool, 600 * MIB, NULL), NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipFreeAsync(get(900 * MIB, NULL), NULL)); // of another pool
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipFreeAsync(get_from(pool, 600 * MIB, NULL), NULL));
    assert_hip_ok(hipDeviceSynchronize());
    hipMemAllocationProp prop;
    hipMemGenericAllocationHandle_t handle = NULL;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    assert_hip_ok(hipMemCreate(&handle, 900 * MIB, &prop, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_true(free_bytes() == before);
}

// ---- threads and processes

enum { THREADS = 4, ROUNDS = 200 };

static void *come_and_go(void *arg) {
    hipStream_t stream = make_stream();
    char *ptr[8] = {NULL};
    size_t size[8] = {0};
    unsigned seed = (unsigned)(uintptr_t)arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned slot = (seed = seed * 1103515245 + 12345) >> 16 & 7;
        if (ptr[slot] != NULL) {
            assert_int_equal(ptr[slot][size[slot] - 1], (char)slot);
            assert_hip_ok(hipFreeAsync(ptr[slot], stream));
        }
        size[slot] = 1 + (seed >> 8 & 0x3ffff);
        ptr[slot] = get(size[slot], stream);
        ptr[slot][size[slot] - 1] = (char)slot;
    }
    for (unsigned i = 0; i < 8; i++)
        if (ptr[i] != NULL) assert_hip_ok(hipFreeAsync(ptr[i], stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipStreamDestroy(stream));
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
    pthread_t threads[THREADS];
    size_t before = free_bytes();
    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)), 0);
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(free_bytes() == before);
}

static void pools_of_the_parent_are_unknown(void *arg) {
    hipMemPool_t own = NULL;
    assert_hip(hipFreeAsync(arg, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceGetDefaultMemPool(&own, 0));
    assert_hip_ok(hipFreeAsync(get(100, NULL), NULL));
}

static void a_child_begins_with_nothing(void **state) {
    char *ptr = get(MIB, NULL);
    (void)state;
    hip_in_child(pools_of_the_parent_are_unknown, ptr, NULL);
    ptr[0] = 1;
    assert_hip_ok(hipFreeAsync(ptr, NULL));
}

// The default pool and one of the program, with a threshold that keeps everything.
static void a_refused_block_takes_no_memory(void **state) {
    hipStream_t stream = make_stream();
    hipMemPool_t pools[2] = {NULL, small_pool(0)};
    uint64_t all = UINT64_MAX;
    void *plain = NULL;
    (void)state;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&pools[0], 0));
    assert_hip_ok(hipMalloc(&plain, free_bytes() / 2));
    for (int i = 0; i < 2; i++) {
        uint64_t reserved[2] = {0}, high[2] = {0};
        size_t left = free_bytes();
        void *ptr = &plain;
        assert_hip_ok(hipMemPoolSetAttribute(pools[i], hipMemPoolAttrReleaseThreshold, &all));
        for (int k = 0; k < 2; k++) {
            assert_hip_ok(
                hipMemPoolGetAttribute(pools[i], hipMemPoolAttrReservedMemCurrent, &reserved[k]));
            assert_hip_ok(
                hipMemPoolGetAttribute(pools[i], hipMemPoolAttrReservedMemHigh, &high[k]));
            if (k == 1) break;
            assert_hip(hipMallocFromPoolAsync(&ptr, left + 64 * MIB, pools[i], stream),
                       hipErrorOutOfMemory);
            assert_hip(hipMallocFromPoolAsync(&ptr, SIZE_MAX / 2, pools[i], stream),
                       hipErrorOutOfMemory);
        }
        assert_int_equal(free_bytes(), left);
        assert_int_equal(reserved[0], reserved[1]);
        assert_int_equal(high[0], high[1]);
        all = 0;
        assert_hip_ok(hipMemPoolSetAttribute(pools[i], hipMemPoolAttrReleaseThreshold, &all));
        all = UINT64_MAX;
    }
    assert_hip_ok(hipFree(plain));
    assert_hip_ok(hipMemPoolDestroy(pools[1]));
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_device_memory),
        cmocka_unit_test(memory_is_of_the_device_of_the_stream),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(free_refuses_what_is_not_the_start_of_a_block),
        cmocka_unit_test(plain_memory_is_freed_too),
        cmocka_unit_test(virtual_memory_management_leaves_pools_alone),
        cmocka_unit_test(a_freed_block_is_reused_at_once_on_its_stream_and_later_on_others),
        cmocka_unit_test(a_block_freed_on_another_stream_waits_for_that_one),
        cmocka_unit_test(plain_free_waits_for_the_work),
        cmocka_unit_test(a_block_outlives_its_stream),
        cmocka_unit_test(exhaustion_is_exact_and_recoverable),
        cmocka_unit_test(a_refused_block_takes_no_memory),
        cmocka_unit_test(what_is_free_in_a_pool_is_had_by_others),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(a_child_begins_with_nothing),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
