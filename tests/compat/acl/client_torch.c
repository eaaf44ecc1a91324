// SPDX-License-Identifier: Apache-2.0
// A client's pattern: torch_npu's caching allocator (spec 6.1), in its two modes. With plain
// segments: rounding, segments of 2 and 20 MiB, splitting, reuse, blocks of other streams held back
// until an event there has passed, and all cached segments released when memory runs out. With
// expandable segments: one reservation larger than the device, and memory mapped under it in units.
#include "support/vmm.h"
#include "support/work.h"

#define SMALL_MAX   MIB
#define SMALL_UNIT  (2 * MIB)
#define LARGE_BELOW (10 * MIB)
#define LARGE_UNIT  (20 * MIB)
#define SEGMENTS    128
#define BLOCKS      1024

struct block {
    char *start;
    size_t size;
    int segment;
    bool used;
    aclrtEvent event; // recorded at the free on another stream
};

struct cache {
    void *segments[SEGMENTS];
    size_t segment_sizes[SEGMENTS];
    int segment_count;
    struct block blocks[BLOCKS]; // those of a segment side by side, in order of address
    int block_count;
};

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

// 32 bytes behind, then whole 512.
static size_t block_size(size_t size) { return round_up(size + 32, 512); }

static size_t segment_size(size_t size) {
    return size <= SMALL_MAX ? SMALL_UNIT
                             : (size < LARGE_BELOW ? LARGE_UNIT : round_up(size, SMALL_UNIT));
}

// ---- plain segments

static void insert_block(struct cache *cache, int at, struct block block) {
    assert_in_range(cache->block_count, 0, BLOCKS - 1);
    memmove(&cache->blocks[at + 1], &cache->blocks[at],
            (size_t)(cache->block_count - at) * sizeof block);
    cache->blocks[at] = block;
    cache->block_count++;
}

static void remove_block(struct cache *cache, int at) {
    cache->block_count--;
    memmove(&cache->blocks[at], &cache->blocks[at + 1],
            (size_t)(cache->block_count - at) * sizeof cache->blocks[0]);
}

static bool joins(const struct block *left, const struct block *right) {
    return !left->used && !right->used && left->segment == right->segment;
}

static void release_block(struct cache *cache, int at) {
    cache->blocks[at].used = false;
    if (at + 1 < cache->block_count && joins(&cache->blocks[at], &cache->blocks[at + 1])) {
        cache->blocks[at].size += cache->blocks[at + 1].size;
        remove_block(cache, at + 1);
    }
    if (at > 0 && joins(&cache->blocks[at - 1], &cache->blocks[at])) {
        cache->blocks[at - 1].size += cache->blocks[at].size;
        remove_block(cache, at);
    }
}

// Blocks whose other stream has passed them are free again.
static void process_events(struct cache *cache) {
    for (int i = 0; i < cache->block_count; i++) {
        aclrtEvent event = cache->blocks[i].event;
        aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        if (event == NULL) continue;
        assert_acl_ok(aclrtQueryEventStatus(event, &status));
        if (status == ACL_EVENT_RECORDED_STATUS_COMPLETE) {
            assert_acl_ok(aclrtDestroyEvent(event));
            cache->blocks[i].event = NULL;
            release_block(cache, i);
            i = -1;
        }
    }
}

static int best_fit(const struct cache *cache, size_t size) {
    int best = -1;
    for (int i = 0; i < cache->block_count; i++) {
        const struct block *block = &cache->blocks[i];
        bool small = cache->segment_sizes[block->segment] == SMALL_UNIT;
        if (!block->used && block->size >= size && small == (size <= SMALL_MAX) &&
            (best < 0 || block->size < cache->blocks[best].size))
            best = i;
    }
    return best;
}

static aclError grow(struct cache *cache, size_t size) {
    void *segment = NULL;
    size_t bytes = segment_size(size);
    aclError error = aclrtMallocAlign32(&segment, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    if (error == 0) {
        assert_int_equal((uintptr_t)segment % 512, 0);
        assert_in_range(cache->segment_count, 0, SEGMENTS - 1);
        cache->segments[cache->segment_count] = segment;
        cache->segment_sizes[cache->segment_count] = bytes;
        insert_block(cache, cache->block_count,
                     (struct block){segment, bytes, cache->segment_count++, false, NULL});
    }
    return error;
}

// Segments that are one free block go back; their numbers stay taken.
static void release_cached(struct cache *cache) {
    assert_acl_ok(aclrtSynchronizeDevice());
    process_events(cache);
    for (int i = cache->block_count - 1; i >= 0; i--) {
        struct block *block = &cache->blocks[i];
        if (!block->used && block->size == cache->segment_sizes[block->segment]) {
            assert_acl_ok(aclrtFree(cache->segments[block->segment]));
            remove_block(cache, i);
        }
    }
}

static char *cached_alloc(struct cache *cache, size_t wanted) {
    size_t size = block_size(wanted);
    process_events(cache);
    int at = best_fit(cache, size);
    if (at < 0) {
        aclError error = grow(cache, size);
        if (error == ACL_ERROR_RT_MEMORY_ALLOCATION) { // the only code that counts
            release_cached(cache);
            error = grow(cache, size);
        }
        if (error != 0) {
            assert_int_equal(error, ACL_ERROR_RT_MEMORY_ALLOCATION);
            return NULL;
        }
        at = cache->block_count - 1;
    }
    struct block *block = &cache->blocks[at];
    size_t rest = block->size - size;
    block->used = true;
    if (rest >= (size <= SMALL_MAX ? 512 : SMALL_MAX + 1)) {
        block->size = size;
        insert_block(cache, at + 1,
                     (struct block){block->start + size, rest, block->segment, false, NULL});
    }
    return cache->blocks[at].start;
}

static int find_block(const struct cache *cache, const char *start) {
    for (int i = 0; i < cache->block_count; i++)
        if (cache->blocks[i].start == start && cache->blocks[i].used) return i;
    fail_msg("not a block of the cache");
    return -1;
}

static void cached_free(struct cache *cache, const char *start) {
    release_block(cache, find_block(cache, start));
}

static void free_after(struct cache *cache, const char *start, aclrtStream stream) {
    struct block *block = &cache->blocks[find_block(cache, start)];
    assert_acl_ok(aclrtCreateEventExWithFlag(&block->event, ACL_EVENT_SYNC));
    assert_acl_ok(aclrtRecordEvent(block->event, stream));
}

// ---- what is in blocks

static void mark(char *start, size_t size, int value) {
    assert_acl_ok(aclrtMemset(start, size, value, size));
}

static void assert_marked(const char *start, size_t size, char value) {
    char ends[2] = {0, 0};
    assert_acl_ok(aclrtMemcpy(&ends[0], 1, start, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_acl_ok(aclrtMemcpy(&ends[1], 1, start + size - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_int_equal(ends[0], value);
    assert_int_equal(ends[1], value);
}

static size_t free_memory(size_t *total) {
    size_t free_bytes = 0;
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, total));
    return free_bytes;
}

// ---- claims about plain segments

static struct cache *new_cache(void) {
    static struct cache cache; // large
    memset(&cache, 0, sizeof cache);
    return &cache;
}

static void tensors_share_segments(void **state) {
    static const size_t sizes[] = {1, 512, 100 * 1024, MIB, 2 * MIB, 9 * MIB, 10 * MIB, 33 * MIB};
    enum { TENSORS = sizeof sizes / sizeof sizes[0] };
    char *tensors[TENSORS];
    size_t total = 0;
    (void)state;
    struct cache *cache = new_cache();
    size_t before = free_memory(&total);
    for (int step = 0; step < 10; step++) {
        for (size_t i = 0; i < TENSORS; i++) {
            tensors[i] = cached_alloc(cache, sizes[i]);
            mark(tensors[i], sizes[i], 'a' + (int)i);
        }
        for (size_t i = 0; i < TENSORS; i++) assert_marked(tensors[i], sizes[i], (char)('a' + i));
        for (size_t i = 0; i < TENSORS; i++) // in another order each time
            cached_free(cache, tensors[(i * 3 + (size_t)step) % TENSORS]);
    }
    assert_in_range(cache->segment_count, 1, 6); // the second step on takes nothing new
    release_cached(cache);
    assert_int_equal(free_memory(&total), before);
}

static void a_block_of_another_stream_waits_for_its_event(void **state) {
    struct gate gate = {0};
    aclrtStream side = NULL;
    (void)state;
    struct cache *cache = new_cache();
    assert_acl_ok(aclrtCreateStreamWithConfig(&side, 0, ACL_STREAM_FAST_LAUNCH));
    char *first = cached_alloc(cache, 15 * MIB);
    assert_acl_ok(aclrtLaunchHostFunc(side, pass_gate, &gate));
    free_after(cache, first, side);
    char *second = cached_alloc(cache, 15 * MIB);
    assert_ptr_not_equal(second, first);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(side));
    assert_ptr_equal(cached_alloc(cache, 15 * MIB), first);
    cached_free(cache, first);
    cached_free(cache, second);
    release_cached(cache);
    assert_acl_ok(aclrtDestroyStream(side));
}

static void running_out_releases_what_is_cached(void **state) {
    size_t total = 0;
    (void)state;
    struct cache *cache = new_cache();
    size_t before = free_memory(&total);
    char *big = cached_alloc(cache, 700 * MIB);
    assert_non_null(big);
    cached_free(cache, big);
    char *bigger = cached_alloc(cache, 900 * MIB); // only without the one before
    assert_non_null(bigger);
    assert_null(cached_alloc(cache, 400 * MIB));
    cached_free(cache, bigger);
    release_cached(cache);
    assert_int_equal(free_memory(&total), before);
}

// ---- expandable segments

struct expandable {
    char *start;
    size_t unit;
    aclrtDrvMemHandle handles[64];
    size_t units;
};

static void probe(void) {
    void *start = NULL;
    assert_acl_ok(aclrtReserveMemAddress(&start, 512, 0, NULL, 1));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static struct expandable expand_begin(size_t unit) {
    struct expandable segment = {.unit = unit};
    void *start = NULL;
    size_t total = 0;
    (void)free_memory(&total);
    assert_acl_ok(aclrtReserveMemAddress(&start, round_up(total + total / 8, unit), 0, NULL, 1));
    segment.start = start;
    return segment;
}

static aclError expand_map(struct expandable *segment, size_t units) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    for (; segment->units < units; segment->units++) {
        aclrtDrvMemHandle *handle = &segment->handles[segment->units];
        aclError error = aclrtMallocPhysical(handle, segment->unit, &prop, 0);
        if (error != 0) return error;
        assert_acl_ok(aclrtMapMem(segment->start + segment->units * segment->unit, segment->unit, 0,
                                  *handle, 0));
    }
    return 0;
}

static void expand_unmap(struct expandable *segment, size_t units) {
    assert_acl_ok(aclrtSynchronizeDevice());
    for (; segment->units > units; segment->units--) {
        assert_acl_ok(aclrtUnmapMem(segment->start + (segment->units - 1) * segment->unit));
        assert_acl_ok(aclrtFreePhysical(segment->handles[segment->units - 1]));
    }
}

static void a_segment_grows_and_shrinks_in_place(void **state) {
    size_t total = 0;
    (void)state;
    size_t before = free_memory(&total);
    probe();
    struct expandable segment = expand_begin(LARGE_UNIT);
    assert_int_equal(free_memory(&total), before); // addresses cost nothing
    assert_acl_ok(expand_map(&segment, 2));
    mark(segment.start, 2 * LARGE_UNIT, 'x');
    assert_acl_ok(expand_map(&segment, 5));
    assert_int_equal(before - free_memory(&total), 5 * LARGE_UNIT);
    mark(segment.start + 2 * LARGE_UNIT - MIB, 2 * MIB, 'y'); // one tensor over two units
    assert_marked(segment.start, 2 * LARGE_UNIT - MIB, 'x');
    assert_marked(segment.start + 2 * LARGE_UNIT - MIB, 2 * MIB, 'y');
    expand_unmap(&segment, 1);
    assert_marked(segment.start, LARGE_UNIT, 'x');
    assert_int_equal(before - free_memory(&total), LARGE_UNIT);
    expand_unmap(&segment, 0);
    assert_acl_ok(aclrtReleaseMemAddress(segment.start));
    assert_int_equal(free_memory(&total), before);
}

static void a_full_device_is_reported_by_one_code(void **state) {
    size_t total = 0;
    (void)state;
    struct expandable segment = expand_begin(LARGE_UNIT);
    size_t fits = free_memory(&total) / LARGE_UNIT;
    assert_acl(expand_map(&segment, fits + 1), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_int_equal(segment.units, fits);
    mark(segment.start + (fits - 1) * LARGE_UNIT, LARGE_UNIT, 'z');
    expand_unmap(&segment, 0);
    assert_acl_ok(aclrtReleaseMemAddress(segment.start));
}

static int start(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int stop(void **state) {
    (void)state;
    return aclrtResetDevice(0);
}

#define of_device(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        of_device(tensors_share_segments),
        of_device(a_block_of_another_stream_waits_for_its_event),
        of_device(running_out_releases_what_is_cached),
        of_device(a_segment_grows_and_shrinks_in_place),
        of_device(a_full_device_is_reported_by_one_code),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
