// SPDX-License-Identifier: Apache-2.0
// A client's pattern: sleep and wake, as vllm-ascend has it (spec 6.3). Each block has a
// reservation of its own. To sleep, its bytes are copied out - with a destMax that is an address
// and not a size - and its memory is unmapped and freed; to wake, new memory is mapped at the same
// address. No return code of aclrtGetCurrentContext() is looked at.
#include "support/vmm.h"

struct block {
    void *start;
    size_t size;
    aclrtDrvMemHandle *handle; // stored apart
    char *backup;              // pinned
};

static void ensure_context(void) {
    aclrtContext context;
    memset(&context, 0x55, sizeof context);
    (void)aclrtGetCurrentContext(&context);
    if (context == NULL) {
        assert_acl_ok(aclrtCreateContext(&context, 0));
        assert_acl_ok(aclrtSetCurrentContext(context));
    }
}

static void create_and_map(struct block *block) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    assert_acl_ok(aclrtMallocPhysical(block->handle, block->size, &prop, 0));
    assert_acl_ok(aclrtMapMem(block->start, block->size, 0, *block->handle, 0));
}

static void unmap_and_release(struct block *block) {
    assert_acl_ok(aclrtUnmapMem(block->start));
    assert_acl_ok(aclrtFreePhysical(*block->handle));
}

static struct block my_malloc(size_t size) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    struct block block = {NULL, 0, NULL, NULL};
    size_t granularity = 0;
    ensure_context();
    assert_acl_ok(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
                                                   &granularity));
    block.size = (size + granularity - 1) / granularity * granularity;
    assert_acl_ok(aclrtReserveMemAddress(&block.start, block.size, 0, NULL, 0));
    block.handle = malloc(sizeof(aclrtDrvMemHandle));
    assert_non_null(block.handle);
    create_and_map(&block);
    return block;
}

static void my_free(struct block *block) {
    unmap_and_release(block);
    assert_acl_ok(aclrtReleaseMemAddress(block->start));
    free(block->handle);
}

static void go_to_sleep(struct block *block, bool keep) {
    if (keep) {
        void *backup = NULL;
        assert_acl_ok(aclrtMallocHost(&backup, block->size));
        block->backup = backup;
        assert_acl_ok(aclrtMemcpy(backup, (uintptr_t)backup + block->size * 2, block->start,
                                  block->size, ACL_MEMCPY_DEVICE_TO_HOST));
    }
    unmap_and_release(block);
}

static void wake_up(struct block *block) {
    create_and_map(block);
    if (block->backup != NULL) {
        assert_acl_ok(aclrtMemcpy(block->start, (uintptr_t)block->start + block->size * 2,
                                  block->backup, block->size, ACL_MEMCPY_HOST_TO_DEVICE));
        assert_acl_ok(aclrtFreeHost(block->backup));
        block->backup = NULL;
    }
}

// ---- contents

static void fill(const struct block *block, int value) {
    assert_acl_ok(aclrtMemset(block->start, block->size, value, block->size));
}

static void assert_filled(const struct block *block, char value) {
    char *bytes = malloc(block->size);
    assert_non_null(bytes);
    assert_acl_ok(
        aclrtMemcpy(bytes, block->size, block->start, block->size, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < block->size; i += 4093) assert_int_equal(bytes[i], value);
    free(bytes);
}

static size_t free_memory(void) {
    size_t free_bytes = 0;
    size_t total = 0;
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    return free_bytes;
}

// ---- claims

static void sleep_gives_memory_back_and_wake_brings_it(void **state) {
    (void)state;
    struct block weights = my_malloc(8 * MIB);
    struct block cache = my_malloc(5 * MIB);
    size_t awake = free_memory();
    fill(&weights, 'w');
    void *before = weights.start;
    go_to_sleep(&weights, true);
    go_to_sleep(&cache, false);
    assert_int_equal(free_memory(), awake + weights.size + cache.size);
    wake_up(&weights);
    wake_up(&cache);
    assert_ptr_equal(weights.start, before);
    assert_filled(&weights, 'w');
    fill(&cache, 'c'); // what it held is undefined
    assert_filled(&cache, 'c');
    assert_int_equal(free_memory(), awake);
    my_free(&weights);
    my_free(&cache);
}

// vllm-ascend#9563: repeated cycles must not lose memory
static void many_cycles_lose_nothing(void **state) {
    (void)state;
    struct block block = my_malloc(4 * MIB);
    size_t awake = free_memory();
    for (int i = 0; i < 100; i++) {
        fill(&block, i);
        go_to_sleep(&block, true);
        wake_up(&block);
        assert_filled(&block, (char)i);
        assert_int_equal(free_memory(), awake);
    }
    my_free(&block);
}

// While one sleeps, another takes its memory: waking is out of memory, and works afterwards
static void waking_without_memory_fails_and_is_tried_again(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    aclrtDrvMemHandle hog = NULL;
    (void)state;
    struct block block = my_malloc(16 * MIB);
    fill(&block, 'z');
    go_to_sleep(&block, true);
    assert_acl_ok(aclrtMallocPhysical(&hog, free_memory(), &prop, 0));
    assert_acl(aclrtMallocPhysical(block.handle, block.size, &prop, 0),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtFreePhysical(hog));
    wake_up(&block);
    assert_filled(&block, 'z');
    my_free(&block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleep_gives_memory_back_and_wake_brings_it),
        cmocka_unit_test(many_cycles_lose_nothing),
        cmocka_unit_test(waking_without_memory_fails_and_is_tried_again),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
