// SPDX-License-Identifier: Apache-2.0
// A client's pattern: torch_memory_saver, which stands behind malloc of the device. Each block has
// a range and memory of its own; to pause is to take the memory away from all blocks of a tag, to
// resume is to put new memory where it was.
#include "support/census.h"
#include "support/vmm.h"

#define MIB ((size_t)1 << 20)

enum { BLOCKS = 12 };

struct block {
    char *at;
    size_t size;
    handle_t handle;
    int tag;
    bool paused;
};

static hipError_t put_memory(struct block *block) {
    hipMemAllocationProp prop = prop_on(0);
    hipError_t error = hipMemCreate(&block->handle, block->size, &prop, 0);
    if (error == hipSuccess) {
        assert_hip_ok(hipMemMap(block->at, block->size, 0, block->handle, 0));
        grant(block->at, block->size, 0, READ_WRITE);
    }
    return error;
}

static void take_memory(struct block *block) {
    assert_hip_ok(hipMemUnmap(block->at, block->size));
    assert_hip_ok(hipMemRelease(block->handle));
}

static void allocate(struct block *block, size_t size, int tag) {
    *block = (struct block){reserve(size), size, NULL, tag, false};
    assert_hip_ok(put_memory(block));
}

static void free_block(struct block *block) {
    assert_hip_ok(hipDeviceSynchronize());
    if (!block->paused) take_memory(block);
    assert_hip_ok(hipMemAddressFree(block->at, block->size));
}

static void pause_tag(struct block *blocks, int tag) {
    for (size_t i = 0; i < BLOCKS; i++) {
        if (blocks[i].tag == tag && !blocks[i].paused) {
            take_memory(&blocks[i]);
            blocks[i].paused = true;
        }
    }
}

static hipError_t resume_tag(struct block *blocks, int tag) {
    for (size_t i = 0; i < BLOCKS; i++) {
        if (blocks[i].tag == tag && blocks[i].paused) {
            hipError_t error = put_memory(&blocks[i]);
            if (error != hipSuccess) return error;
            blocks[i].paused = false;
        }
    }
    return hipSuccess;
}

static void allocate_all(struct block *blocks, size_t each) {
    for (size_t i = 0; i < BLOCKS; i++) {
        allocate(&blocks[i], each, (int)(i % 3));
        blocks[i].at[each - 1] = (char)i;
    }
}

static void free_all(struct block *blocks) {
    for (size_t i = 0; i < BLOCKS; i++) free_block(&blocks[i]);
    assert_free_bytes(0, CAPACITY);
}

static void a_paused_tag_costs_nothing_and_the_others_go_on(void **state) {
    struct block blocks[BLOCKS];
    (void)state;
    allocate_all(blocks, 6 * MIB);
    pause_tag(blocks, 1);
    assert_free_bytes(0, CAPACITY - 8 * 6 * MIB);
    for (size_t i = 0; i < BLOCKS; i++) {
        unsigned long long flags = 0;
        if (blocks[i].paused) {
            assert_hip(hipMemset(blocks[i].at, 1, 1), hipErrorInvalidValue);
            assert_hip(get_rights(blocks[i].at, 0, &flags), hipErrorInvalidValue);
        } else {
            assert_int_equal(blocks[i].at[blocks[i].size - 1], i);
        }
    }
    assert_hip_ok(resume_tag(blocks, 1));
    assert_free_bytes(0, CAPACITY - BLOCKS * 6 * MIB);
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_hip_ok(hipMemset(blocks[i].at, 1, G));
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(blocks[i].at[G - 1], 1);
    }
    free_all(blocks);
}

// A block that is paused when it is freed has only its range to give back.
static void a_paused_block_is_freed(void **state) {
    struct block blocks[BLOCKS];
    (void)state;
    allocate_all(blocks, 2 * MIB);
    pause_tag(blocks, 0);
    pause_tag(blocks, 2);
    free_all(blocks);
}

// Too much is awake: the first that is out of memory says so, more is paused, and it goes on where
// it stood.
static void a_resume_out_of_memory_is_tried_again(void **state) {
    struct block blocks[BLOCKS];
    void *other = NULL;
    (void)state;
    allocate_all(blocks, 80 * MIB);
    pause_tag(blocks, 0);
    assert_hip_ok(hipMalloc(&other, 200 * MIB));
    assert_hip(resume_tag(blocks, 0), hipErrorOutOfMemory); // of 4, 2 have room
    assert_false(blocks[3].paused);
    assert_true(blocks[6].paused);
    pause_tag(blocks, 1);
    assert_hip_ok(resume_tag(blocks, 0));
    assert_hip_ok(hipFree(other));
    assert_hip_ok(resume_tag(blocks, 1));
    free_all(blocks);
}

// Its way for old releases gives a node of the host as flags of the range. There are no flags: node
// 0 works, node 1 is refused and nothing is lost.
static void flags_of_a_range_are_0(void **state) {
    void *at = &at;
    (void)state;
    struct census before = census_take();
    assert_hip(hipMemAddressReserve(&at, 2 * MIB, 0, NULL, 1), hipErrorInvalidValue);
    assert_ptr_equal(at, &at);
    census_no_growth(&before, 0, MIB);
    assert_hip_ok(hipMemAddressReserve(&at, 2 * MIB, 0, NULL, 0));
    assert_hip_ok(hipMemAddressFree(at, 2 * MIB));
}

static void a_hundred_pauses_leave_nothing_behind(void **state) {
    struct block blocks[BLOCKS];
    struct census before;
    (void)state;
    allocate_all(blocks, 2 * MIB);
    for (int round = 0; round < 100; round++) {
        if (round == 10) before = census_take();
        pause_tag(blocks, round % 3);
        assert_hip_ok(resume_tag(blocks, round % 3));
        memset(blocks[round % 3].at, round, MIB);
    }
    census_no_growth(&before, 16, 16 * MIB);
    free_all(blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paused_tag_costs_nothing_and_the_others_go_on),
        cmocka_unit_test(a_paused_block_is_freed),
        cmocka_unit_test(a_resume_out_of_memory_is_tried_again),
        cmocka_unit_test(flags_of_a_range_are_0),
        cmocka_unit_test(a_hundred_pauses_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
