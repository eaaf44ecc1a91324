// SPDX-License-Identifier: Apache-2.0
// Granule map: the leaves and who gives them back. See granule.h for the model.
#include "algo/granule.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/error.h"

#define LEAF_ENTRIES (UINT64_C(1) << TN_GRANULE_LEAF_BITS)

// Leaves that were made together, so that a large range costs one of the kernel's mappings. The
// entries follow the header.
struct block {
    struct block *next;
    uint64_t bytes;
    uint64_t padding[6]; // keeps the entries on cache lines of their own
    tn_granule_entry entries[];
};

// Not malloc, which zeroes by hand, and so commits, what it has had before.
static void *get_zeroed(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static tarn_status no_memory(uint64_t bytes) {
    return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                          "no host memory for %llu bytes of a granule map",
                          (unsigned long long)bytes);
}

static uint64_t leaf_index(const tn_granule *map, uint64_t address) {
    return (address - map->base) >> map->shift >> TN_GRANULE_LEAF_BITS;
}

tarn_status tn_granule_init(tn_granule *map, uint64_t base, uint64_t bytes, unsigned shift) {
    map->base = base;
    map->bytes = bytes;
    map->shift = shift;
    map->blocks = NULL;
    map->leaves = leaf_index(map, base + bytes - 1) + 1;
    uint64_t size = map->leaves * sizeof *map->root;
    map->root = (_Atomic(tn_granule_entry *) *)get_zeroed(size);
    return map->root != NULL ? TARN_OK : no_memory(size);
}

void tn_granule_destroy(tn_granule *map) {
    struct block *block = (struct block *)map->blocks;
    while (block != NULL) {
        struct block *next = block->next;
        (void)munmap(block, block->bytes);
        block = next;
    }
    if (map->root != NULL) {
        (void)munmap(map->root, map->leaves * sizeof *map->root);
    }
    map->root = NULL;
    map->blocks = NULL;
}

// Makes the missing leaves [first, last) in one piece.
static tarn_status cover_run(tn_granule *map, uint64_t first, uint64_t last) {
    uint64_t bytes =
        sizeof(struct block) + (last - first) * LEAF_ENTRIES * sizeof(tn_granule_entry);
    struct block *block = (struct block *)get_zeroed(bytes);
    if (block == NULL) {
        return no_memory(bytes);
    }
    block->bytes = bytes;
    block->next = (struct block *)map->blocks;
    map->blocks = block;
    for (uint64_t i = first; i < last; i++) {
        // Release: whoever finds the leaf finds it zeroed.
        atomic_store_explicit(&map->root[i], &block->entries[(i - first) * LEAF_ENTRIES],
                              memory_order_release);
    }
    return TARN_OK;
}

static bool has_leaf(const tn_granule *map, uint64_t index) {
    return atomic_load_explicit(&map->root[index], memory_order_relaxed) != NULL;
}

tarn_status tn_granule_cover(tn_granule *map, uint64_t address, uint64_t bytes) {
    uint64_t end = leaf_index(map, address + bytes - 1) + 1;
    uint64_t i = leaf_index(map, address);
    while (i < end) {
        uint64_t first = i;
        while (i < end && !has_leaf(map, i)) {
            i++;
        }
        tarn_status status = i > first ? cover_run(map, first, i) : TARN_OK;
        if (status != TARN_OK) {
            return status;
        }
        while (i < end && has_leaf(map, i)) {
            i++;
        }
    }
    return TARN_OK;
}

void tn_granule_set(tn_granule *map, uint64_t address, uint64_t bytes, uint32_t record) {
    uint64_t step = UINT64_C(1) << map->shift;
    for (uint64_t at = 0; at < bytes; at += step) {
        tn_granule_put(map, address + at, record);
    }
}
