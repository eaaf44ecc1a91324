// SPDX-License-Identifier: Apache-2.0
// Two clients' patterns. GMLake stitches: physical blocks that are mapped at home are mapped again,
// side by side in any order, in a range of their own, so that scattered free blocks make one large
// one. GLake serves attention caches: two huge ranges, for keys and values, of which one granule
// more is mapped at each step.
#include "support/census.h"
#include "support/vmm.h"

#define MIB   ((size_t)1 << 20)
#define BLOCK (2 * MIB)

enum { BLOCKS = 24 };

struct blocks {
    char *home[BLOCKS];
    handle_t handles[BLOCKS];
};

static void make_blocks(struct blocks *blocks) {
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks->home[i] = reserve(BLOCK);
        blocks->handles[i] = create(BLOCK);
        assert_hip_ok(hipMemMap(blocks->home[i], BLOCK, 0, blocks->handles[i], 0));
        grant(blocks->home[i], BLOCK, 0, READ_WRITE);
        blocks->home[i][0] = (char)i;
    }
}

static void end_blocks(const struct blocks *blocks) {
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_hip_ok(hipMemRelease(blocks->handles[i]));
        unmap_and_free(blocks->home[i], BLOCK);
    }
    assert_free_bytes(0, CAPACITY);
}

// A range at the place asked for. Another place is given back and the wish is tried once more.
static char *reserve_at(char *wish, size_t size) {
    void *at = NULL;
    assert_hip_ok(hipMemAddressReserve(&at, size, 0, wish, 0));
    if (wish != NULL && at != wish) {
        assert_hip_ok(hipMemAddressFree(at, size));
        return NULL;
    }
    return at;
}

// Every step-th block from `first` on, one after the other at `at`. Returns how many.
static size_t stitch(const struct blocks *blocks, char *at, size_t first, size_t step) {
    size_t count = 0;
    for (size_t i = first; i < BLOCKS; i += step) {
        assert_hip_ok(hipMemMap(at + count * BLOCK, BLOCK, 0, blocks->handles[i], 0));
        grant(at + count * BLOCK, BLOCK, 0, READ_WRITE);
        count++;
    }
    return count;
}

static void scattered_blocks_make_one(void **state) {
    static struct blocks blocks;
    (void)state;
    make_blocks(&blocks);
    char *at = reserve(BLOCKS * BLOCK);
    size_t count = stitch(&blocks, at, 1, 3);
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++) assert_int_equal(at[i * BLOCK], 1 + 3 * i);
    assert_hip_ok(hipMemset(at + BLOCK - G, 77, BLOCK + 2 * G)); // over two borders
    assert_int_equal(blocks.home[1][BLOCK - 1], 77);
    assert_int_equal(blocks.home[4][BLOCK / 2], 77);
    assert_int_equal(blocks.home[7][G - 1], 77);
    assert_int_equal(blocks.home[7][G], 0);
    assert_hip_ok(hipMemUnmap(at, count * BLOCK)); // one call over all of it
    assert_hip_ok(hipMemAddressFree(at, BLOCKS * BLOCK));
    assert_int_equal(blocks.home[4][0], 77); // at home nothing has changed
    end_blocks(&blocks);
}

static void a_block_is_part_of_many_stitches_at_once(void **state) {
    enum { STITCHES = 30 };
    static struct blocks blocks;
    char *at[STITCHES];
    (void)state;
    make_blocks(&blocks);
    for (size_t i = 0; i < STITCHES; i++) {
        at[i] = reserve(BLOCKS * BLOCK);
        assert_int_equal(stitch(&blocks, at[i], 0, 1), BLOCKS);
    }
    assert_free_bytes(0, CAPACITY - BLOCKS * BLOCK); // however often it is mapped
    for (size_t i = 0; i < STITCHES; i++) {
        at[i][5 * BLOCK + i] = (char)i;
        assert_int_equal(at[(i + 1) % STITCHES][5 * BLOCK + i], i);
        assert_int_equal(blocks.home[5][i], i);
    }
    for (size_t i = 0; i < STITCHES; i++) unmap_and_free(at[i], BLOCKS * BLOCK);
    end_blocks(&blocks);
}

// A stitch outlives its parts at home.
static void a_stitch_holds_its_blocks(void **state) {
    static struct blocks blocks;
    (void)state;
    make_blocks(&blocks);
    char *at = reserve(BLOCKS * BLOCK);
    stitch(&blocks, at, 0, 1);
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_hip_ok(hipMemRelease(blocks.handles[i]));
        unmap_and_free(blocks.home[i], BLOCK);
    }
    assert_free_bytes(0, CAPACITY - BLOCKS * BLOCK);
    for (size_t i = 0; i < BLOCKS; i++) assert_int_equal(at[i * BLOCK], i);
    unmap_and_free(at, BLOCKS * BLOCK);
    assert_free_bytes(0, CAPACITY);
}

static void an_address_wished_for_is_had_or_said_to_be_taken(void **state) {
    (void)state;
    char *at = reserve(64 * BLOCK);
    assert_hip_ok(hipMemAddressFree(at, 64 * BLOCK));
    char *first = reserve_at(at, 4 * BLOCK);
    assert_ptr_equal(first, at);
    assert_null(reserve_at(at, BLOCK)); // taken whole, in part, and around
    assert_null(reserve_at(at + 3 * BLOCK, 2 * BLOCK));
    assert_null(reserve_at(at - BLOCK, 8 * BLOCK));
    char *next = reserve_at(at + 4 * BLOCK, 4 * BLOCK); // directly behind is free
    assert_ptr_equal(next, at + 4 * BLOCK);
    assert_hip_ok(hipMemAddressFree(first, 4 * BLOCK));
    first = reserve_at(at, 4 * BLOCK);
    assert_ptr_equal(first, at);
    assert_hip_ok(hipMemAddressFree(first, 4 * BLOCK));
    assert_hip_ok(hipMemAddressFree(next, 4 * BLOCK));
}

// ---- keys and values

enum { KEYS, VALUES, CACHES };

static void step(char *const *caches, size_t step, size_t granule) {
    for (int i = 0; i < CACHES; i++) {
        map_fresh(caches[i] + step * granule, granule);
        caches[i][step * granule + step] = (char)(step + (size_t)i);
    }
}

static void serve(size_t granule, size_t steps) {
    size_t size = (size_t)64 << 30;
    char *caches[CACHES] = {reserve(size), reserve(size)};
    for (size_t i = 0; i < steps; i++) step(caches, i, granule);
    for (size_t i = 0; i < steps; i++) {
        assert_int_equal((unsigned char)caches[KEYS][i * granule + i], i & 255);
        assert_int_equal((unsigned char)caches[VALUES][i * granule + i], (i + 1) & 255);
    }
    assert_free_bytes(0, CAPACITY - CACHES * steps * granule);
    for (int i = 0; i < CACHES; i++) { // what is used: many mappings in one call
        assert_hip(hipMemUnmap(caches[i], (steps + 1) * granule), hipErrorInvalidValue);
        assert_hip_ok(hipMemUnmap(caches[i], steps * granule));
        assert_hip_ok(hipMemAddressFree(caches[i], size));
    }
    assert_free_bytes(0, CAPACITY);
}

static void caches_grow_granule_by_granule_and_go_at_once(void **state) {
    (void)state;
    serve(G, 1000);
    serve(BLOCK, 200);
}

// The front of a sequence goes while its end grows.
static void a_window_slides_through_a_cache(void **state) {
    enum { WINDOW = 8, STEPS = 500 };
    struct census before;
    (void)state;
    char *cache = reserve((size_t)64 << 30);
    for (size_t i = 0; i < STEPS; i++) {
        map_fresh(cache + i * BLOCK, BLOCK);
        cache[i * BLOCK] = (char)i;
        if (i >= WINDOW) {
            assert_int_equal(cache[(i - WINDOW) * BLOCK], (char)(i - WINDOW));
            assert_hip_ok(hipMemUnmap(cache + (i - WINDOW) * BLOCK, BLOCK));
        }
        if (i == 2 * WINDOW) before = census_take();
    }
    census_no_growth(&before, 16, 8 * MIB);
    assert_hip_ok(hipMemUnmap(cache + (STEPS - WINDOW) * BLOCK, WINDOW * BLOCK));
    assert_hip_ok(hipMemAddressFree(cache, (size_t)64 << 30));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scattered_blocks_make_one),
        cmocka_unit_test(a_block_is_part_of_many_stitches_at_once),
        cmocka_unit_test(a_stitch_holds_its_blocks),
        cmocka_unit_test(an_address_wished_for_is_had_or_said_to_be_taken),
        cmocka_unit_test(caches_grow_granule_by_granule_and_go_at_once),
        cmocka_unit_test(a_window_slides_through_a_cache),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
