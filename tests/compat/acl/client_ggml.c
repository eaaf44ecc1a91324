// SPDX-License-Identifier: Apache-2.0
// A client's pattern: the three pools of ggml-cann (spec 6.2) - a heap of free buffers, slots with
// first fit, and one growing reservation whose blocks are freed in the reverse order. All pools run
// the same work. Each must free what it allocated.
#include "support/vmm.h"

#define PAD     128u
#define SURPLUS (4 * MIB) // a buffer that is so much too large is not used
#define BUFFERS 256
#define CHUNKS  64

static size_t pad(size_t size) { return size == 0 ? PAD : (size + PAD - 1) / PAD * PAD; }

struct buffer {
    void *start;
    size_t size;
    bool used;
};

struct pool {
    void *(*alloc)(struct pool *pool, size_t size, size_t *actual);
    void (*free)(struct pool *pool, void *start, size_t size);
    void (*end)(struct pool *pool);
    struct buffer buffers[BUFFERS]; // prio: the first `count`, smallest first; leg: slots
    size_t count;
    char *base; // vmm
    size_t most;
    size_t granularity;
    size_t mapped;
    size_t taken;
    aclrtDrvMemHandle handles[CHUNKS];
    size_t places[CHUNKS];
};

// ---- prio: the smallest free buffer that is large enough

static void *prio_alloc(struct pool *pool, size_t size, size_t *actual) {
    void *start = NULL;
    size = pad(size);
    for (size_t i = 0; i < pool->count; i++) {
        struct buffer found = pool->buffers[i];
        if (found.size >= size && found.size - size <= SURPLUS) {
            memmove(&pool->buffers[i], &pool->buffers[i + 1], (pool->count - i - 1) * sizeof found);
            pool->count--;
            *actual = found.size;
            return found.start;
        }
    }
    assert_acl_ok(aclrtMalloc(&start, size, ACL_MEM_MALLOC_HUGE_FIRST));
    *actual = size;
    return start;
}

static void prio_free(struct pool *pool, void *start, size_t size) {
    size_t at = pool->count++;
    assert_in_range(at, 0, BUFFERS - 1);
    while (at > 0 && pool->buffers[at - 1].size > size) {
        pool->buffers[at] = pool->buffers[at - 1];
        at--;
    }
    pool->buffers[at] = (struct buffer){start, size, false};
}

static void prio_end(struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++) assert_acl_ok(aclrtFree(pool->buffers[i].start));
}

// ---- leg: the first slot whose buffer fits

static void *leg_alloc(struct pool *pool, size_t size, size_t *actual) {
    size = pad(size);
    for (size_t i = 0; i < BUFFERS; i++) {
        struct buffer *slot = &pool->buffers[i];
        if (slot->used) continue;
        if (slot->start == NULL) {
            assert_acl_ok(aclrtMalloc(&slot->start, size, ACL_MEM_MALLOC_HUGE_FIRST));
            slot->size = size;
        }
        if (slot->size >= size && slot->size - size <= SURPLUS) {
            slot->used = true;
            *actual = slot->size;
            return slot->start;
        }
    }
    fail_msg("no slot is left");
    return NULL;
}

static void leg_free(struct pool *pool, void *start, size_t size) {
    (void)size;
    for (size_t i = 0; i < BUFFERS; i++) {
        if (pool->buffers[i].start == start) {
            pool->buffers[i].used = false;
            return;
        }
    }
    fail_msg("not of this pool");
}

static void leg_end(struct pool *pool) {
    for (size_t i = 0; i < BUFFERS; i++)
        if (pool->buffers[i].start != NULL) assert_acl_ok(aclrtFree(pool->buffers[i].start));
}

// ---- vmm: a stack in a reservation as large as all that is free

static void vmm_grow(struct pool *pool, size_t size) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    size = (size + pool->granularity - 1) / pool->granularity * pool->granularity;
    assert_in_range(pool->mapped + size, 0, pool->most);
    assert_in_range(pool->count, 0, CHUNKS - 1);
    if (pool->base == NULL) {
        void *base = NULL;
        assert_acl_ok(aclrtReserveMemAddress(&base, pool->most, 0, NULL, 1));
        pool->base = base;
    }
    assert_acl_ok(aclrtMallocPhysical(&pool->handles[pool->count], size, &prop, 0));
    assert_acl_ok(aclrtMapMem(pool->base + pool->mapped, size, 0, pool->handles[pool->count], 0));
    pool->places[pool->count++] = pool->mapped;
    pool->mapped += size;
}

static void *stack_alloc(struct pool *pool, size_t size, size_t *actual) {
    size = pad(size);
    if (pool->taken + size > pool->mapped) vmm_grow(pool, pool->taken + size - pool->mapped);
    *actual = size;
    pool->taken += size;
    return pool->base + pool->taken - size;
}

static void stack_free(struct pool *pool, void *start, size_t size) {
    pool->taken -= size;
    assert_ptr_equal(start, pool->base + pool->taken); // the last one first
}

static void stack_end(struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        assert_acl_ok(aclrtUnmapMem(pool->base + pool->places[i]));
        assert_acl_ok(aclrtFreePhysical(pool->handles[i]));
    }
    if (pool->base != NULL) assert_acl_ok(aclrtReleaseMemAddress(pool->base));
}

// ---- the work: blocks that come and go like the tensors of layers

static size_t free_memory(void) {
    size_t free_bytes = 0;
    size_t total = 0;
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    return free_bytes;
}

struct tensor {
    char *start;
    size_t size;
    size_t actual;
};

static void mark(const struct tensor *tensor, char value) {
    assert_acl_ok(aclrtMemset(tensor->start, tensor->actual, value, tensor->size));
}

static void assert_marked(const struct tensor *tensor, char value) {
    char ends[2] = {0, 0};
    assert_acl_ok(aclrtMemcpy(&ends[0], 1, tensor->start, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_acl_ok(
        aclrtMemcpy(&ends[1], 1, tensor->start + tensor->size - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_int_equal(ends[0], value);
    assert_int_equal(ends[1], value);
}

static void compute(struct pool *pool, int layer) {
    static const size_t sizes[] = {1, 4096, 100000, 3 * MIB + 5, 900 * 1024, 7 * MIB};
    enum { TENSORS = sizeof sizes / sizeof sizes[0] };
    struct tensor tensors[TENSORS];
    for (size_t i = 0; i < TENSORS; i++) {
        struct tensor *tensor = &tensors[i];
        tensor->size = sizes[(i + (size_t)layer) % TENSORS];
        tensor->start = pool->alloc(pool, tensor->size, &tensor->actual);
        assert_in_range(tensor->actual, tensor->size, SIZE_MAX);
        assert_int_equal((uintptr_t)tensor->start % PAD, 0);
        mark(tensor, (char)('a' + i));
    }
    for (size_t i = TENSORS; i-- > 0;) {
        assert_marked(&tensors[i], (char)('a' + i)); // of no other tensor
        pool->free(pool, tensors[i].start, tensors[i].actual);
    }
}

static void work(struct pool *pool) {
    size_t before = free_memory();
    for (int layer = 0; layer < 24; layer++) compute(pool, layer);
    assert_in_range(before - free_memory(), 1, 256 * MIB);
    assert_acl_ok(aclrtSynchronizeDevice());
    pool->end(pool);
    assert_int_equal(free_memory(), before);
}

// ---- claims

static int start(void **state) {
    static struct pool pool; // large
    memset(&pool, 0, sizeof pool);
    *state = &pool;
    return aclrtSetDevice(0);
}

static int stop(void **state) {
    (void)state;
    return aclrtResetDevice(0);
}

static void the_heap_of_buffers_works(void **state) {
    struct pool *pool = *state;
    pool->alloc = prio_alloc;
    pool->free = prio_free;
    pool->end = prio_end;
    work(pool);
}

static void the_slots_work(void **state) {
    struct pool *pool = *state;
    pool->alloc = leg_alloc;
    pool->free = leg_free;
    pool->end = leg_end;
    work(pool);
}

// Chosen when the granularity of huge HBM pages can be had
static void the_growing_reservation_works(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    struct pool *pool = *state;
    assert_acl_ok(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                                   &pool->granularity));
    pool->most = free_memory();
    pool->alloc = stack_alloc;
    pool->free = stack_free;
    pool->end = stack_end;
    work(pool);
}

#define of_device(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        of_device(the_heap_of_buffers_works),
        of_device(the_slots_work),
        of_device(the_growing_reservation_works),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
