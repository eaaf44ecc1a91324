// SPDX-License-Identifier: Apache-2.0
// Granule map: making, committing and unmapping the leaves. See granule.h.
#include "algo/granule.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/list.h"
#include "base/pages.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14; an older kernel refuses it without harm
#endif

#define LEAF_ENTRIES (UINT64_C(1) << TN_GRANULE_LEAF_BITS)
#define HUGE_MIN     TN_HUGE_PAGE   // a huge page has the entries of 8 GiB in granules of 16 KiB
#define SYSTEM_PAGE  UINT64_C(4096) // where pages are larger, madvise() refuses or commits more

// Leaves that were made together, so that a large range costs one kernel mapping.
struct block {
    struct block *next;
    uint64_t bytes;
    uint64_t padding[6]; // so that the entries start at a cache line
    tn_granule_entry entries[];
};

static tarn_status no_memory(uint64_t bytes) {
    return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                          "out of host memory for %llu bytes of a granule map",
                          (unsigned long long)bytes);
}

static uint64_t leaf_number(const tn_granule *map, uint64_t address) {
    return (address - map->base) >> map->shift >> TN_GRANULE_LEAF_BITS;
}

static uint64_t root_bytes(const tn_granule *map) { return (map->mask + 1) * sizeof *map->root; }

tarn_status tn_granule_init(tn_granule *map, uint64_t base, uint64_t bytes, unsigned shift) {
    TARN_ASSERT(bytes != 0 && bytes - 1 <= UINT64_MAX - base && shift < 64);
    map->base = base;
    map->bytes = bytes;
    map->shift = shift;
    map->blocks = NULL;
    map->mask = 0;
    map->first = NULL;
    atomic_store_explicit(&map->first_count, 0, memory_order_relaxed);
    uint64_t last = leaf_number(map, base + bytes - 1);
    while (map->mask < last && map->mask + 1 < UINT64_C(1) << TN_GRANULE_ROOT_BITS)
        map->mask = 2 * map->mask + 1;
    map->root = (tn_granule_place *)tn_pages_map(root_bytes(map), false);
    return map->root != NULL ? TARN_OK : no_memory(root_bytes(map));
}

void tn_granule_destroy(tn_granule *map) {
    TARN_ASSERT(map->root == NULL || tn_granule_check(map));
    struct block *blocks = (struct block *)map->blocks;
    TN_CHAIN_DRAIN(struct block, block, blocks, next) tn_pages_unmap(block, block->bytes);
    if (map->root != NULL) tn_pages_unmap(map->root, root_bytes(map));
    map->root = NULL;
    map->blocks = NULL;
}

// Maps so many leaves. Returns NULL if there is no memory.
static struct block *map_leaves(tn_granule *map, uint64_t count) {
    uint64_t bytes = sizeof(struct block) + count * LEAF_ENTRIES * sizeof(tn_granule_entry);
    struct block *block = (struct block *)tn_pages_map(bytes, bytes >= HUGE_MIN);
    if (block == NULL) {
        (void)no_memory(bytes);
        return NULL;
    }
    block->bytes = bytes;
    block->next = (struct block *)map->blocks;
    map->blocks = block;
    return block;
}

// Makes the leaves [0, last) of an empty map. They need no places, so the root stays untouched.
static tarn_status cover_first(tn_granule *map, uint64_t last) {
    TARN_ASSERT(map->first == NULL && last != 0);
    struct block *block = map_leaves(map, last);
    if (block == NULL) return TARN_NO_HOST_MEMORY;
    map->first = block->entries;
    // Release: a thread that sees the number sees the entries, and sees them zeroed.
    atomic_store_explicit(&map->first_count, last * LEAF_ENTRIES, memory_order_release);
    return TARN_OK;
}

// The tag at the place of a leaf: 0 for none, the leaf's number plus 1, or that of another leaf.
static uint64_t tag_at(const tn_granule *map, uint64_t number) {
    if (number < atomic_load_explicit(&map->first_count, memory_order_relaxed) / LEAF_ENTRIES)
        return number + 1;
    return atomic_load_explicit(&map->root[number & map->mask].tag, memory_order_relaxed);
}

// Makes the missing leaves [first, last) in one mapping.
static tarn_status cover_run(tn_granule *map, uint64_t first, uint64_t last) {
    struct block *block = map_leaves(map, last - first);
    if (block == NULL) return TARN_NO_HOST_MEMORY;
    for (uint64_t number = first; number < last; number++) {
        tn_granule_place *place = &map->root[number & map->mask];
        TARN_ASSERT(tag_at(map, number) == 0); // a leaf keeps its place for ever
        atomic_store_explicit(&place->leaf, &block->entries[(number - first) * LEAF_ENTRIES],
                              memory_order_relaxed);
        // Release: a thread that sees the tag sees the leaf, and sees it zeroed.
        atomic_store_explicit(&place->tag, number + 1, memory_order_release);
    }
    return TARN_OK;
}

static tarn_status check_places(const tn_granule *map, uint64_t first, uint64_t end) {
    for (uint64_t number = first; number < end; number++) {
        bool taken = tag_at(map, number) != 0 && tag_at(map, number) != number + 1;
        TN_REFUSE(taken || end - first > map->mask + 1, TARN_NO_ADDRESS_SPACE,
                  "the addresses are too far apart for one granule map");
    }
    return TARN_OK;
}

tarn_status tn_granule_cover(tn_granule *map, uint64_t address, uint64_t bytes) {
    TARN_ASSERT(bytes != 0 && address >= map->base && bytes - 1 <= UINT64_MAX - address);
    TARN_ASSERT(leaf_number(map, address + bytes - 1) <=
                leaf_number(map, map->base + map->bytes - 1));
    uint64_t number = leaf_number(map, address);
    uint64_t end = leaf_number(map, address + bytes - 1) + 1;
    if (number == 0 && map->blocks == NULL) return cover_first(map, end);
    TN_TRY(check_places(map, number, end));
    while (number < end) {
        uint64_t first = number;
        while (number < end && tag_at(map, number) == 0) number++;
        if (number > first) TN_TRY(cover_run(map, first, number));
        while (number < end && tag_at(map, number) != 0) number++;
    }
    TARN_ASSERT(tn_granule_at(map, address) != NULL);
    TARN_ASSERT(tn_granule_at(map, address + bytes - 1) != NULL);
    return TARN_OK;
}

// Commits entries of one leaf from that of an address on. Returns the bytes of addresses covered.
static uint64_t commit_leaf(tn_granule *map, uint64_t address, uint64_t bytes) {
    const tn_granule_entry *entry = tn_granule_at(map, address);
    uint64_t granule = (address - map->base) >> map->shift;
    uint64_t left = LEAF_ENTRIES - (granule & (LEAF_ENTRIES - 1));
    uint64_t count = (bytes >> map->shift) + 1 < left ? (bytes >> map->shift) + 1 : left;
    if (entry != NULL) {
        uintptr_t first = (uintptr_t)entry & ~(SYSTEM_PAGE - 1);
        uintptr_t end = (uintptr_t)(entry + count);
        (void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
    }
    return count << map->shift;
}

void tn_granule_commit(tn_granule *map, uint64_t address, uint64_t bytes) {
    int saved = errno;
    for (uint64_t done = 0; done < bytes;) done += commit_leaf(map, address + done, bytes - done);
    errno = saved;
}

// A reader that sees the first entry set, also after it has read the others, has seen all of them.
void tn_granule_set(tn_granule *map, uint64_t address, uint64_t bytes, uint32_t record) {
    uint64_t step = UINT64_C(1) << map->shift;
    TARN_ASSERT(bytes != 0 && address >= map->base && bytes - 1 <= UINT64_MAX - address);
    if (record == 0) tn_granule_put(map, address, 0);
    for (uint64_t at = step; at < bytes; at += step) tn_granule_put(map, address + at, record);
    if (record != 0) tn_granule_put(map, address, record);
}
