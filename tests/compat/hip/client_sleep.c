// SPDX-License-Identifier: Apache-2.0
// A client's pattern: sleep mode, as vLLM has it. A block is cut into chunks of 256 MiB that lie
// side by side. To sleep, the bytes are copied out and the chunks unmapped and released, while the
// addresses stay reserved; to wake, new chunks are mapped at the same addresses and the bytes
// copied in.
#include <sys/mman.h>

#include "support/census.h"
#include "support/vmm.h"

#define MIB   ((size_t)1 << 20)
#define CHUNK (256 * MIB)
#define PAGES ((size_t)16) // touched, spread over the block: the machine need not have the rest

enum { CHUNKS_MAX = 4 };

struct block {
    char *base;
    size_t size;
    handle_t chunks[CHUNKS_MAX];
};

static size_t chunk_size(const struct block *block, size_t index) {
    size_t rest = block->size - index * CHUNK;
    return rest < CHUNK ? rest : CHUNK;
}

static size_t chunk_count(const struct block *block) { return (block->size + CHUNK - 1) / CHUNK; }

static void create_and_map(struct block *block) {
    for (size_t i = 0; i < chunk_count(block); i++) block->chunks[i] = create(chunk_size(block, i));
    for (size_t i = 0; i < chunk_count(block); i++) {
        assert_hip_ok(
            hipMemMap(block->base + i * CHUNK, chunk_size(block, i), 0, block->chunks[i], 0));
    }
    grant(block->base, block->size, 0, READ_WRITE);
}

static void unmap_and_release(struct block *block) {
    for (size_t i = 0; i < chunk_count(block); i++) {
        assert_hip_ok(hipMemUnmap(block->base + i * CHUNK, chunk_size(block, i)));
        assert_hip_ok(hipMemRelease(block->chunks[i]));
    }
}

static void open_block(struct block *block, size_t size) {
    hipMemAllocationProp prop = prop_on(0);
    size_t granularity = 0;
    void *base = NULL;
    assert_hip_ok(
        hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum));
    block->size = (size + granularity - 1) / granularity * granularity;
    assert_hip_ok(hipMemAddressReserve(&base, block->size, granularity, NULL, 0));
    block->base = base;
    create_and_map(block);
}

static void close_block(struct block *block) {
    unmap_and_release(block);
    assert_hip_ok(hipMemAddressFree(block->base, block->size));
}

// ---- what is in it: a page here and there, one of them over each border of chunks

static char *touched(const struct block *block, size_t page) {
    return page > 0 && page < chunk_count(block)
               ? block->base + page * CHUNK - G / 2
               : block->base + page * ((block->size - 2 * G) / (PAGES - 1));
}

static void copy_out(const struct block *block, char *host) {
    for (size_t i = 0; i < PAGES; i++)
        assert_hip_ok(hipMemcpy(host + i * G, touched(block, i), G, hipMemcpyDeviceToHost));
}

static void copy_in(const struct block *block, const char *host) {
    for (size_t i = 0; i < PAGES; i++)
        assert_hip_ok(hipMemcpy(touched(block, i), host + i * G, G, hipMemcpyHostToDevice));
}

static void fill(char *host, int seed) {
    for (size_t i = 0; i < PAGES * G; i++) host[i] = (char)((i / 7 + (size_t)seed) % 251);
}

// ---- claims

static void a_block_wakes_where_it_fell_asleep_with_its_bytes(void **state) {
    static char written[PAGES * G];
    static char kept[PAGES * G];
    struct block block;
    (void)state;
    open_block(&block, 600 * MIB + 1);
    fill(written, 1);
    copy_in(&block, written);
    assert_free_bytes(0, CAPACITY - block.size);
    copy_out(&block, kept);
    unmap_and_release(&block);
    assert_free_bytes(0, CAPACITY);
    create_and_map(&block);
    assert_free_bytes(0, CAPACITY - block.size);
    copy_in(&block, kept);
    copy_out(&block, kept);
    assert_memory_equal(kept, written, sizeof kept);
    close_block(&block);
}

static void a_hundred_nights_leave_nothing_behind(void **state) {
    static char host[PAGES * G];
    static char back[PAGES * G];
    struct block block;
    struct census before;
    (void)state;
    open_block(&block, 600 * MIB);
    char *base = block.base;
    for (int night = 0; night < 100; night++) {
        if (night == 10) before = census_take();
        fill(host, night);
        copy_in(&block, host);
        copy_out(&block, host);
        unmap_and_release(&block);
        create_and_map(&block);
        copy_in(&block, host);
        copy_out(&block, back);
        assert_memory_equal(back, host, sizeof back);
        assert_ptr_equal(block.base, base);
        memset(block.base + 7 * MIB, night, MIB); // as much again would be seen to stay
    }
    census_no_growth(&before, 4, 16 * MIB);
    close_block(&block);
}

// Nobody else gets the addresses in the night, however much is asked for, wished for or mapped.
static void the_addresses_stay_reserved_in_the_night(void **state) {
    struct block block;
    void *others[64];
    void *wished = NULL;
    (void)state;
    open_block(&block, 600 * MIB);
    unmap_and_release(&block);
    for (size_t i = 0; i < 64; i++) {
        assert_hip_ok(hipMalloc(&others[i], 64 * G));
        char *end = (char *)others[i] + 64 * G;
        assert_true(end <= block.base || (char *)others[i] >= block.base + block.size);
    }
    assert_hip_ok(hipMemAddressReserve(&wished, 4 * G, 0, block.base + 10 * G, 0));
    assert_true((char *)wished + 4 * G <= block.base || (char *)wished >= block.base + block.size);
    char *page = mmap(block.base, G, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page + G <= block.base || page >= block.base + block.size);
    assert_int_equal(munmap(page, G), 0);
    assert_hip_ok(hipMemAddressFree(wished, 4 * G));
    for (size_t i = 0; i < 64; i++) assert_hip_ok(hipFree(others[i]));
    create_and_map(&block);
    close_block(&block);
}

// Two models that do not fit at once share a device in turn.
static void another_block_has_the_memory_in_the_night(void **state) {
    static char first[PAGES * G];
    static char second[PAGES * G];
    static char back[PAGES * G];
    struct block blocks[2];
    (void)state;
    fill(first, 100);
    fill(second, 200);
    open_block(&blocks[0], 700 * MIB);
    copy_in(&blocks[0], first);
    unmap_and_release(&blocks[0]);
    open_block(&blocks[1], 700 * MIB);
    for (int turn = 0; turn < 10; turn++) {
        const char *mine = turn % 2 == 0 ? second : first;
        struct block *awake = &blocks[turn % 2 == 0];
        copy_in(awake, mine);
        copy_out(awake, back);
        assert_memory_equal(back, mine, sizeof back);
        unmap_and_release(awake);
        create_and_map(&blocks[turn % 2]);
    }
    unmap_and_release(&blocks[1]);
    create_and_map(&blocks[0]);
    close_block(&blocks[0]);
    assert_hip_ok(hipMemAddressFree(blocks[1].base, blocks[1].size));
    assert_free_bytes(0, CAPACITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_wakes_where_it_fell_asleep_with_its_bytes),
        cmocka_unit_test(a_hundred_nights_leave_nothing_behind),
        cmocka_unit_test(the_addresses_stay_reserved_in_the_night),
        cmocka_unit_test(another_block_has_the_memory_in_the_night),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
