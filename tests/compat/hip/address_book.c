// SPDX-License-Identifier: Apache-2.0
// The records of memory lie behind its address: they end with the memory, and an address that is used
// again has those of its new memory.
#include "support/hip.h"

#define BYTES ((size_t)4 << 20)

static unsigned buffer_id(const void *ptr) {
    unsigned id = 0;
    assert_hip_ok(hipPointerGetAttribute(&id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, (void *)ptr));
    return id;
}

static void *pointer_attribute(hipPointer_attribute attribute, const void *ptr) {
    void *value = NULL;
    assert_hip_ok(hipPointerGetAttribute(&value, attribute, (void *)ptr));
    return value;
}

static hipMemoryType type_of(const void *ptr) {
    hipPointerAttribute_t attributes;
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    return attributes.type;
}

// ---- addresses that are used again

static void copies_to_freed_memory_are_refused(void **state) {
    char *memory = NULL;
    char byte = 1;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&memory, BYTES));
    assert_hip_ok(hipFree(memory));
    assert_hip(hipMemcpy(memory, &byte, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(&byte, memory + 1, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemset(memory, 0, 1), hipErrorInvalidValue);
    assert_int_equal(byte, 1);
    assert_int_equal(type_of(memory), hipMemoryTypeUnregistered);
}

// A reservation of the program takes the addresses of freed memory.
static void freed_addresses_may_become_a_mapping(void **state) {
    char *memory = NULL;
    void *window = NULL;
    hipMemGenericAllocationHandle_t handle;
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, 0}};
    (void)state;
    assert_hip_ok(hipMalloc((void **)&memory, BYTES));
    assert_hip_ok(hipFree(memory));
    assert_hip_ok(hipMemAddressReserve(&window, BYTES, 0, memory, 0));
    assert_hip(hipFree(window), hipErrorInvalidValue);
    assert_int_equal(type_of(window), hipMemoryTypeUnregistered);
    assert_hip_ok(hipMemCreate(&handle, BYTES, &prop, 0));
    assert_hip_ok(hipMemMap(window, BYTES, 0, handle, 0));
    assert_hip(hipFree(window), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "the start of a mapping"));
    assert_int_equal(type_of(window), hipMemoryTypeDevice);
    hipMemAccessDesc access = {prop.location, hipMemAccessFlagsProtReadWrite};
    char byte = 3;
    assert_hip_ok(hipMemSetAccess(window, BYTES, &access, 1));
    assert_hip_ok(hipMemcpy(window, &byte, 1, hipMemcpyDefault));
    assert_hip_ok(hipMemUnmap(window, BYTES));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(window, BYTES));
}

static void memory_at_the_same_address_is_another_buffer(void **state) {
    enum { TRIES = 8 };
    void *first = NULL;
    void *second = NULL;
    unsigned char on = 1;
    bool sync = true;
    (void)state;
    for (int i = 0; i < TRIES && (second != first || first == NULL); i++) {
        assert_hip_ok(hipFree(second));
        assert_hip_ok(hipMalloc(&first, BYTES));
        assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, first));
        assert_hip_ok(hipFree(first));
        assert_hip_ok(hipMalloc(&second, BYTES));
    }
    unsigned id = buffer_id(second);
    assert_hip_ok(hipPointerGetAttribute(&sync, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, second));
    assert_false(sync);
    assert_hip_ok(hipFree(second));
    assert_hip_ok(hipMalloc(&second, BYTES));
    assert_int_not_equal(buffer_id(second), id);
    assert_hip_ok(hipFree(second));
}

// ---- words

static void flags_of_both_ends_of_the_word_are_kept(void **state) {
    static const unsigned flags[] = {hipHostMallocPortable,
                                     hipHostMallocMapped,
                                     hipHostMallocWriteCombined,
                                     hipHostMallocUncached,
                                     hipHostMallocNumaUser,
                                     hipHostMallocCoherent,
                                     hipHostMallocNonCoherent | hipHostMallocPortable};
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        void *host = NULL;
        unsigned got = 0;
        assert_hip_ok(hipHostMalloc(&host, 100, flags[i]));
        assert_hip_ok(hipHostGetFlags(&got, (char *)host + 99));
        assert_int_equal(got, flags[i]);
        assert_hip_ok(hipHostFree(host));
    }
}

// Advice gives the block a record; what was known of it before stays.
static void advice_keeps_the_other_properties(void **state) {
    void *managed = NULL;
    unsigned char on = 1;
    bool sync = false;
    hipPointerAttribute_t attributes;
    (void)state;
    assert_hip_ok(hipMallocManaged(&managed, BYTES, hipMemAttachHost));
    unsigned id = buffer_id(managed);
    assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    assert_hip_ok(hipMemAdvise(managed, BYTES, hipMemAdviseSetReadMostly, 0));
    assert_int_equal(buffer_id((char *)managed + BYTES - 1), id);
    assert_hip_ok(hipPointerGetAttribute(&sync, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    assert_true(sync);
    on = 0;
    assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    assert_hip_ok(hipPointerGetAttribute(&sync, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    assert_false(sync);
    assert_hip_ok(hipPointerGetAttributes(&attributes, managed));
    assert_int_equal(attributes.type, hipMemoryTypeManaged);
    assert_hip_ok(hipFree(managed));
    assert_hip(hipMemAdvise(managed, BYTES, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
}

static void exported_memory_keeps_its_buffer_id(void **state) {
    void *memory = NULL;
    hipIpcMemHandle_t handle;
    (void)state;
    assert_hip_ok(hipMalloc(&memory, BYTES));
    unsigned id = buffer_id(memory);
    assert_hip_ok(hipIpcGetMemHandle(&handle, (char *)memory + 1));
    assert_hip_ok(hipIpcGetMemHandle(&handle, memory));
    assert_int_equal(buffer_id(memory), id);
    assert_hip_ok(hipFree(memory));
    assert_hip(hipFree(memory), hipErrorInvalidValue);
}

// ---- pools

static hipMemPool_t make_pool(size_t max) {
    hipMemPool_t pool = NULL;
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0},
                             .maxSize = max};
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    return pool;
}

static void blocks_of_pools_are_found_from_any_byte(void **state) {
    enum { SMALL = 1001, LARGE = 3000001 };
    static const size_t sizes[] = {SMALL, LARGE};
    (void)state;
    for (int i = 0; i < 2; i++) {
        hipMemPool_t pool = make_pool(0);
        char *block = NULL;
        unsigned size = 0;
        assert_hip_ok(hipMallocFromPoolAsync((void **)&block, sizes[i], pool, NULL));
        const char *last = block + sizes[i] - 1;
        assert_ptr_equal(pointer_attribute(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, last), block);
        assert_hip_ok(
            hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, (void *)last));
        assert_int_equal(size, sizes[i]);
        assert_int_not_equal(buffer_id(block), 0);
        assert_int_equal(type_of(block + sizes[i]), hipMemoryTypeUnregistered);
        assert_hip_ok(hipFreeAsync(block, NULL));
        assert_int_equal(type_of(block), hipMemoryTypeUnregistered);
        assert_hip(hipFreeAsync(block, NULL), hipErrorInvalidValue);
        assert_hip_ok(hipMemPoolDestroy(pool));
    }
}

static void pages_of_pools_are_not_the_program_s_to_change(void **state) {
    hipMemPool_t pool = make_pool(0);
    char *block = NULL;
    char byte = 3;
    unsigned long long rights = 0;
    hipMemLocation device = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc none = {device, hipMemAccessFlagsProtNone};
    hipMemGenericAllocationHandle_t handle = NULL;
    (void)state;
    assert_hip_ok(hipMallocFromPoolAsync((void **)&block, BYTES, pool, NULL));
    assert_hip_ok(hipMemcpy(block, &byte, 1, hipMemcpyDefault));
    assert_hip(hipMemUnmap(block, BYTES), hipErrorInvalidValue);
    assert_hip(hipMemSetAccess(block, BYTES, &none, 1), hipErrorInvalidValue);
    assert_hip(hipMemGetAccess(&rights, &device, block), hipErrorInvalidValue);
    assert_hip(hipMemRetainAllocationHandle(&handle, block), hipErrorInvalidValue);
    assert_hip(hipMemAddressFree(block, BYTES), hipErrorInvalidValue);
    byte = 0;
    assert_hip_ok(hipMemcpy(&byte, block, 1, hipMemcpyDefault));
    assert_int_equal(byte, 3);
    assert_hip_ok(hipFreeAsync(block, NULL));
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// A failed allocation keeps no reference to its pool: destroying the pool returns all its memory.
static void a_failed_allocation_does_not_keep_its_pool(void **state) {
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    uint64_t keep_all = UINT64_MAX;
    void *block = NULL;
    void *more = NULL;
    (void)state;
    assert_hip_ok(hipMemGetInfo(&before, &total));
    hipMemPool_t pool = make_pool(BYTES);
    assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep_all));
    assert_hip_ok(hipMallocFromPoolAsync(&block, BYTES, pool, NULL));
    assert_hip(hipMallocFromPoolAsync(&more, 1, pool, NULL), hipErrorOutOfMemory);
    assert_hip(hipMallocFromPoolAsync(&more, 1, pool, (hipStream_t)4711), hipErrorInvalidHandle);
    assert_hip(hipMallocFromPoolAsync(NULL, 1, pool, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipFree(block));
    assert_hip_ok(hipMemGetInfo(&after, &total));
    assert_int_equal(after, before);
}

static void reset_frees_blocks_of_destroyed_pools(void **state) {
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    void *blocks[3] = {NULL, NULL, NULL};
    (void)state;
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipMemGetInfo(&before, &total));
    hipMemPool_t pool = make_pool(0);
    for (int i = 0; i < 3; i++)
        assert_hip_ok(hipMallocFromPoolAsync(&blocks[i], BYTES, pool, NULL));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    assert_hip(hipFree(blocks[1]), hipErrorInvalidValue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_to_freed_memory_are_refused),
        cmocka_unit_test(freed_addresses_may_become_a_mapping),
        cmocka_unit_test(memory_at_the_same_address_is_another_buffer),
        cmocka_unit_test(flags_of_both_ends_of_the_word_are_kept),
        cmocka_unit_test(advice_keeps_the_other_properties),
        cmocka_unit_test(exported_memory_keeps_its_buffer_id),
        cmocka_unit_test(blocks_of_pools_are_found_from_any_byte),
        cmocka_unit_test(pages_of_pools_are_not_the_program_s_to_change),
        cmocka_unit_test(a_failed_allocation_does_not_keep_its_pool),
        cmocka_unit_test(reset_frees_blocks_of_destroyed_pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
