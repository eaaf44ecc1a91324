/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/pool.h - secondary allocation: many small blocks out of few big ones, under a placement
 * rule.
 *
 * All book-keeping is on the host, out of band: a pool never reads or writes the memory it manages,
 * which may be device memory, host memory, or just a range of numbers. Every function may be called
 * from any thread.
 * A pool belongs to the process that created it: in a child every call but those that create pools
 * is refused with FORKED.
 *
 * Streams. Each block belongs to the stream it was allocated on (any number: a tarn_stream for a
 * pool with a device, a key of the caller's choice for one without; 0 is the host's own order). A
 * freed block is reusable at once by allocations on its own stream. It is reusable on another
 * stream only when the work that its streams had been given at the free has passed.
 * tarn_pool_used_on() adds a stream to a block; a block with added streams is reusable by nobody
 * until those have passed. A pool with a device watches its streams by events; one without is told
 * by tarn_pool_passed().
 */
#ifndef TARN_POOL_H
#define TARN_POOL_H

#include <tarn/map.h>
#include <tarn/rule.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a pool's memory comes from. */
typedef enum tarn_pool_kind {
    TARN_POOL_FIXED = 1,    /* one range that the caller has: any numbers, never dereferenced */
    TARN_POOL_SEGMENTS = 2, /* plain device memory, segment by segment, grown on demand */
    TARN_POOL_EXPANDABLE =
        3 /* one reservation, physical pages mapped under it on demand and moved about */
} tarn_pool_kind;

/* A pool. Opaque. */
typedef struct tarn_pool tarn_pool;

typedef struct tarn_pool_desc {
    size_t struct_size;
    tarn_pool_kind kind;
    tarn_rule rule; /* all zero: TARN_RULE_GPU_256 */
    tarn_device
        *device; /* SEGMENTS, EXPANDABLE: where from. FIXED: NULL, or whose streams order reuse */
    tarn_addr base; /* FIXED: first byte; any alignment */
    uint64_t bytes; /* FIXED: length. EXPANDABLE: address space to reserve, 0: 4 times the limit */
    uint64_t limit; /* most physical bytes to hold; 0: as much as the device gives */
    uint64_t page_bytes; /* EXPANDABLE: size of a physical page; 0: the recommended granularity */
    uint64_t segment_bytes;  /* SEGMENTS: size of an ordinary segment; 0: 32 MiB */
    uint32_t slack_permille; /* EXPANDABLE: how much more than its blocks ever needed at a time the
                                pool may hold before free pages are moved instead of new ones
                                created, in 1/1000; 0: 20; 1000 and more: pages are only moved when
                                no new one is to be had */
    const tarn_grant
        *grants; /* EXPANDABLE: who may use the memory; NULL: the device, read and write */
    size_t grant_count;
    uint32_t flags; /* TARN_POOL_ bits */
    uint64_t user;  /* a word of the caller's, which queries return */
} tarn_pool_desc;

/* Bits of tarn_pool_desc.flags. */
enum {
    TARN_POOL_STRICT = 1u << 0,      /* EXPANDABLE or an error, never SEGMENTS in its place */
    TARN_POOL_FENCE = 1u << 1,       /* an electric fence, for finding errors: see below */
    TARN_POOL_FENCE_EXACT = 1u << 2, /* the same, with the fence at the byte behind each block */
    TARN_POOL_USER_WORDS = 1u << 3   /* each block carries a word of the caller's */
};

/*
 * A fence. Each block has pages of its own and lies at their end; behind them, and where a block
 * was freed, nothing is mapped: a stray access of the CPU faults, one of a copy is refused. Bytes
 * that the rule's alignment leaves between a block and the end of its pages are filled and looked
 * at when the block is freed; a changed one ends the process (abort()) with a line that says which.
 * TARN_POOL_FENCE_EXACT aligns blocks no more than their size does, up to the rule, so that there
 * are none. The addresses of freed blocks are used again only when the whole range has been
 * (`bytes`, else up to 256 GiB). The pages of a block
 * that streams use go when those have passed, as a later call notices. A block costs three calls of
 * the device, a page at least, and a kernel mapping.
 *
 * The environment's TARN_POOL_FENCE (1, or exact) makes pools so that can be; with the flag it is
 * UNSUPPORTED where they cannot: FIXED pools, and devices without TARN_FEATURE_VMM. Rights are not
 * changed afterwards (tarn_pool_set_access: UNSUPPORTED), and tags are not counted.
 */

/*
 * Creates a pool. Nothing is taken from the device before the first allocation, except the
 * reservation.
 *
 * A device that cannot map pages gets SEGMENTS where EXPANDABLE was asked for: one without virtual
 * memory management, or on which one page could not be mapped, granted and unmapped when the first
 * such pool was created. tarn_pool_query() says so and why, the statistics count it as
 * `fallback`. There `bytes` limits what is held, and page_bytes does not matter. TARN_POOL_STRICT,
 * or grants other than the device's own, make it an error: UNSUPPORTED. A trial that fails for want
 * of memory, handles or mappings, or with BUSY, decides nothing.
 *
 * BAD_ARGUMENT: NULL, unknown kind or flag, bad rule, FIXED with bytes 0 or wrapping, missing
 * device, a bad grant; BAD_DEVICE: a grant; BAD_STRUCT; MISALIGNED: page_bytes; UNSUPPORTED: as
 * said, or a grant that the platform cannot give; NO_HOST_MEMORY; NO_ADDRESS_SPACE.
 */
TARN_API tarn_status tarn_pool_create(const tarn_pool_desc *desc, tarn_pool **pool);

/* Bytes of a text that says why a pool is not of the kind that was asked for, the last one 0. */
#define TARN_POOL_REASON 256

/* What a pool is. */
typedef struct tarn_pool_info {
    size_t struct_size;
    tarn_pool_kind kind;           /* what it is */
    tarn_pool_kind asked;          /* what it was asked to be */
    tarn_rule rule;                /* of its blocks */
    uint64_t limit;                /* most physical bytes; 0: none but the device's */
    uint64_t page_bytes;           /* EXPANDABLE: size of a physical page; else 0 */
    uint64_t segment_bytes;        /* SEGMENTS: size of an ordinary segment; else 0 */
    tarn_addr base;                /* FIXED, EXPANDABLE: first byte of the range; else 0 */
    uint64_t bytes;                /* FIXED, EXPANDABLE: length of the range; else 0 */
    char reason[TARN_POOL_REASON]; /* why `kind` is not what was asked for; "" where it is */
    uint64_t user;                 /* the word of tarn_pool_desc.user */
    uint64_t release_threshold;    /* see tarn_pool_set_release_threshold() */
} tarn_pool_info;

/* Fills `info` up to info->struct_size, which the caller sets (TARN_INIT(tarn_pool_info)). BAD_ARGUMENT,
 * BAD_STRUCT. */
TARN_API tarn_status tarn_pool_query(tarn_pool *pool, tarn_pool_info *info);

/*
 * Changes how many physical bytes the pool may hold; 0: as many as the device gives. What it holds
 * above that stays until a trim; it does not grow meanwhile. BAD_ARGUMENT: pool NULL; UNSUPPORTED:
 * a FIXED pool.
 */
TARN_API tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit);

/*
 * Creates a pool over a block of `bytes` at `base` that the caller has from `allocator` and gives
 * back to it after destroying the pool: a FIXED pool under the allocator's rule. The block is never
 * read or written. A base that the rule does not like costs the bytes up to the next that it does.
 * Statuses of tarn_pool_create(), and BAD_ARGUMENT for an allocator that is none of the list.
 *
 *     void *block;
 *     aclrtMalloc(&block, 64 << 20, 0);
 *     tarn_pool_create_over("aclrtMalloc", (tarn_addr)(uintptr_t)block, 64 << 20, &pool);
 */
TARN_API tarn_status tarn_pool_create_over(const char *allocator, tarn_addr base, uint64_t bytes,
                                           tarn_pool **pool);

/* Destroys a pool and gives everything back. BUSY, and nothing changed, while blocks are live. NULL
 * is fine. */
TARN_API tarn_status tarn_pool_destroy(tarn_pool *pool);

/* Frees every block at once. The caller knows that no work uses them. Memory stays with the pool.
 */
TARN_API tarn_status tarn_pool_reset(tarn_pool *pool);

/* What to allocate. Zeros mean: the rule's alignment, stream 0, tag 0. */
typedef struct tarn_pool_request {
    size_t struct_size;
    uint64_t bytes;
    uint64_t alignment; /* of the start, if more than the rule's; a power of two up to 2 MiB */
    tarn_stream stream;
    uint32_t tag;  /* for statistics; below TARN_POOL_TAGS */
    uint64_t user; /* the block's word; kept if the pool has TARN_POOL_USER_WORDS, else ignored */
} tarn_pool_request;
#define TARN_POOL_TAGS 64u

/*
 * Allocates a block for `bytes`. BAD_ARGUMENT: NULL, bytes 0, a bad alignment or tag; BAD_STRUCT;
 * NO_DEVICE_MEMORY: not even after flushing caches, moving pages and waiting for freed blocks in
 * flight (the text names the size, what is free and the largest free block); other statuses of the
 * device when it refuses to grow.
 */
TARN_API tarn_status tarn_pool_alloc(tarn_pool *pool, uint64_t bytes, tarn_stream stream,
                                     tarn_addr *addr);
TARN_API tarn_status tarn_pool_alloc_with(tarn_pool *pool, const tarn_pool_request *request,
                                          tarn_addr *addr);

/*
 * Frees a block. 0 is fine. BAD_ADDRESS: not the start of a live block of this pool (never
 * allocated, freed already, inside a block); nothing changed.
 */
TARN_API tarn_status tarn_pool_free(tarn_pool *pool, tarn_addr addr);

/*
 * Changes who may use the memory of an EXPANDABLE pool: what is mapped now, and all that will be;
 * all of it or nothing. Grants as in tarn_map_set_access(): their order counts, locations not named
 * keep what they have. Work that is running meets the new rights. BAD_ARGUMENT: pool or grants
 * NULL, count 0, unknown location type or access; BAD_DEVICE; UNSUPPORTED: a pool of another kind,
 * or the platform cannot give this location access; NO_MAPPINGS.
 */
TARN_API tarn_status tarn_pool_set_access(tarn_pool *pool, const tarn_grant *grants, size_t count);

/* The rights of `location` to the memory of an EXPANDABLE pool. BAD_ARGUMENT, BAD_DEVICE,
 * UNSUPPORTED: as above. */
TARN_API tarn_status tarn_pool_get_access(tarn_pool *pool, tarn_location location,
                                          tarn_access *access);

/* Says that work on `stream` uses the block too. BAD_ADDRESS; NO_HOST_MEMORY; BAD_HANDLE: not a
 * stream. */
TARN_API tarn_status tarn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);

/* Says that all work given to `stream` so far has passed. For pools without a device; harmless for
 * others. */
TARN_API tarn_status tarn_pool_passed(tarn_pool *pool, tarn_stream stream);

/*
 * Returns physical memory that holds no live block to the device until at most `keep_bytes` are
 * held, waiting for blocks in flight. With TARN_NO_WAIT it does not wait for them: what their
 * streams have not passed yet stays. Returning a segment of a SEGMENTS pool waits for the device all
 * the same, as tarn_memory_free() does. `released_bytes` may be NULL. BAD_ARGUMENT: pool NULL,
 * unknown flags; BUSY: inside a host function, without TARN_NO_WAIT.
 */
TARN_API tarn_status tarn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, uint32_t flags,
                                    uint64_t *released_bytes);

/**
 * Sets how many bytes the pool keeps at a synchronisation.
 *
 * After a successful synchronisation of a device, stream or event of the pool's device, the pool
 * releases physical memory above the threshold that holds no live block. It never waits for that:
 * memory that unfinished work may use stays. Inside a host function nothing is released.
 *
 * @param pool a SEGMENTS or EXPANDABLE pool; other pools store the value without any effect
 * @param bytes the threshold; the default, UINT64_MAX, keeps all memory
 * @retval TARN_BAD_ARGUMENT pool is NULL
 */
TARN_API tarn_status tarn_pool_set_release_threshold(tarn_pool *pool, uint64_t bytes);

/* State of a block in a snapshot. */
typedef enum tarn_block_state {
    TARN_BLOCK_LIVE = 1,
    TARN_BLOCK_FREE = 2,    /* physical memory is there */
    TARN_BLOCK_PENDING = 3, /* freed; waits for streams */
    TARN_BLOCK_UNMAPPED = 4 /* address space only */
} tarn_block_state;

typedef struct tarn_block {
    tarn_addr addr;
    uint64_t occupied; /* bytes of the pool it takes */
    uint64_t bytes;    /* bytes requested, exactly; 0 unless LIVE or PENDING */
    tarn_block_state state;
    tarn_stream stream;
    uint32_t tag;
    uint64_t
        usable;    /* LIVE: bytes from `addr` on that the owner may use, at least `bytes`; else 0 */
    uint64_t user; /* LIVE: the block's word; 0 without TARN_POOL_USER_WORDS */
} tarn_block;

/* The live block that holds `addr`, any byte of it. BAD_ADDRESS: none does. */
TARN_API tarn_status tarn_pool_query_block(tarn_pool *pool, tarn_addr addr, tarn_block *block);

/*
 * Calls visit(block, arg) for every block in address order, under the pool's locks: it must not
 * call the pool. Stops when it returns false.
 */
TARN_API tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *),
                                    void *arg);

/*
 * The statistics of a pool: X(name, "text"). "held" is physical memory the pool has from the device
 * (for FIXED the range as far as it was ever used).
 */
#define TARN_POOL_STATS_LIST(X)                                                                    \
    X(live_blocks, "blocks alive")                                                                 \
    X(live_bytes, "bytes requested for them")                                                      \
    X(used_bytes, "bytes they occupy under the rule")                                              \
    X(pending_bytes, "bytes freed that wait for streams")                                          \
    X(held_bytes, "physical bytes held")                                                           \
    X(largest_free, "largest block that could be had without growing")                             \
    X(peak_live_bytes, "highest live_bytes")                                                       \
    X(peak_used_bytes, "highest used_bytes")                                                       \
    X(peak_held_bytes, "highest held_bytes")                                                       \
    X(allocs, "allocations")                                                                       \
    X(frees, "frees")                                                                              \
    X(refusals, "allocations that could not be had")                                               \
    X(driver_calls, "calls of the device made for the pool")                                       \
    X(map_calls, "of them maps")                                                                   \
    X(unmap_calls, "of them unmaps")                                                               \
    X(moved_bytes, "physical bytes moved from one address to another")                             \
    X(host_bytes, "host memory of the book-keeping, as committed")                                 \
    X(fallback, "1: segments stand in for the pages asked for; 0: no")

typedef struct tarn_pool_stats {
    size_t struct_size;
#define TARN_POOL_STATS_FIELD(name, text) uint64_t name;
    TARN_POOL_STATS_LIST(TARN_POOL_STATS_FIELD)
#undef TARN_POOL_STATS_FIELD
} tarn_pool_stats;

/* Fills `stats` up to stats->struct_size, which the caller sets. BAD_ARGUMENT, BAD_STRUCT. */
TARN_API tarn_status tarn_pool_query_stats(tarn_pool *pool, tarn_pool_stats *stats);

/** Peaks that tarn_pool_reset_peaks() resets. */
enum {
    TARN_PEAK_LIVE = 1u << 0, /**< peak_live_bytes, and peak_bytes of every tag */
    TARN_PEAK_USED = 1u << 1, /**< peak_used_bytes */
    TARN_PEAK_HELD = 1u << 2  /**< peak_held_bytes; that of a FIXED pool cannot be reset */
};

/**
 * Resets peaks to the present values.
 *
 * A peak may still include blocks that other threads have counted but not yet published.
 *
 * @param pool the pool
 * @param which TARN_PEAK_ bits; 0 selects all peaks
 * @retval TARN_BAD_ARGUMENT pool is NULL, or `which` has an unknown bit
 */
TARN_API tarn_status tarn_pool_reset_peaks(tarn_pool *pool, uint32_t which);

/* Live and peak bytes and blocks of one tag. BAD_ARGUMENT: tag. */
typedef struct tarn_pool_tag_stats {
    size_t struct_size;
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t peak_bytes;
} tarn_pool_tag_stats;
TARN_API tarn_status tarn_pool_query_tag_stats(tarn_pool *pool, uint32_t tag,
                                               tarn_pool_tag_stats *stats);

/* Walks and compares every record. CORRUPT names the first contradiction. */
TARN_API tarn_status tarn_pool_verify(tarn_pool *pool);

#ifdef __cplusplus
}
#endif
#endif
