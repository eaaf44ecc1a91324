// SPDX-License-Identifier: Apache-2.0
// Granule map: the leaves and who gives them back. See granule.h for the model.
#include "algo/granule.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/error.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14; an older kernel refuses it, and nothing is lost
#endif

#define LEAF_ENTRIES (UINT64_C(1) << TN_GRANULE_LEAF_BITS)
#define SYSTEM_PAGE  UINT64_C(4096) // or more; then the call is refused or does more

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

static uint64_t tag_of(const tn_granule *map, uint64_t address) {
    return (address - map->base) >> map->shift >> TN_GRANULE_LEAF_BITS;
}

static uint64_t root_bytes(const tn_granule *map) {
    return (map->mask + 1) * sizeof *map->root;
}

tarn_status tn_granule_init(tn_granule *map, uint64_t base, uint64_t bytes, unsigned shift) {
    map->base = base;
    map->bytes = bytes;
    map->shift = shift;
    map->blocks = NULL;
    map->mask = 0;
    uint64_t last = tag_of(map, base + bytes - 1);
    while (map->mask < last && map->mask + 1 < UINT64_C(1) << TN_GRANULE_ROOT_BITS) {
        map->mask = 2 * map->mask + 1;
    }
    map->root = (tn_granule_place *)get_zeroed(root_bytes(map));
    return map->root != NULL ? TARN_OK : no_memory(root_bytes(map));
}

void tn_granule_destroy(tn_granule *map) {
    struct block *block = (struct block *)map->blocks;
    while (block != NULL) {
        struct block *next = block->next;
        (void)munmap(block, block->bytes);
        block = next;
    }
    if (map->root != NULL) {
        (void)munmap(map->root, root_bytes(map));
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
    for (uint64_t tag = first; tag < last; tag++) {
        tn_granule_place *place = &map->root[tag & map->mask];
        atomic_store_explicit(&place->tag, tag, memory_order_relaxed);
        // Release: whoever finds the leaf finds its tag, and finds it zeroed.
        atomic_store_explicit(&place->leaf, &block->entries[(tag - first) * LEAF_ENTRIES],
                              memory_order_release);
    }
    return TARN_OK;
}

static bool has_leaf(const tn_granule *map, uint64_t tag) {
    return atomic_load_explicit(&map->root[tag & map->mask].leaf, memory_order_relaxed) != NULL;
}

static bool is_taken(const tn_granule *map, uint64_t tag) {
    const tn_granule_place *place = &map->root[tag & map->mask];
    return has_leaf(map, tag) && atomic_load_explicit(&place->tag, memory_order_relaxed) != tag;
}

static tarn_status check_places(const tn_granule *map, uint64_t first, uint64_t end) {
    for (uint64_t tag = first; tag < end; tag++) {
        if (is_taken(map, tag) || end - first > map->mask + 1) {
            return tn_fail(TARN_NO_ADDRESS_SPACE, "addresses too far apart for one granule map");
        }
    }
    return TARN_OK;
}

tarn_status tn_granule_cover(tn_granule *map, uint64_t address, uint64_t bytes) {
    uint64_t tag = tag_of(map, address);
    uint64_t end = tag_of(map, address + bytes - 1) + 1;
    tarn_status status = check_places(map, tag, end);
    while (tag < end && status == TARN_OK) {
        uint64_t first = tag;
        while (tag < end && !has_leaf(map, tag)) {
            tag++;
        }
        status = tag > first ? cover_run(map, first, tag) : TARN_OK;
        while (tag < end && has_leaf(map, tag)) {
            tag++;
        }
    }
    return status;
}

// Of one leaf, from the entry of an address on; returns how many bytes of addresses that was.
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
    for (uint64_t done = 0; done < bytes;) {
        done += commit_leaf(map, address + done, bytes - done);
    }
    errno = saved;
}

void tn_granule_set(tn_granule *map, uint64_t address, uint64_t bytes, uint32_t record) {
    uint64_t step = UINT64_C(1) << map->shift;
    for (uint64_t at = 0; at < bytes; at += step) {
        tn_granule_put(map, address + at, record);
    }
}
