/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file pool.h
 * Pools: many small blocks out of few large pieces of memory, placed under a rule.
 *
 * A pool keeps all its records on the host. It never reads or writes the memory that it manages,
 * which may be device memory, host memory, or a range of numbers. Every function may be called from
 * any thread. None is a cancellation point, also if it waits for streams; see base.h.
 *
 * A pool belongs to the process that created it. In a child of that process every call about it
 * returns TARN_FORKED.
 *
 * Streams: each block belongs to the stream that it was allocated on. For a pool with a device that
 * is a tarn_stream, for a pool without one it is a key of the caller's choice; 0 is the host's own
 * order. Allocations on its own stream may reuse a freed block at once. Allocations on another
 * stream may reuse it when the work that was enqueued before the free has passed. While one stream
 * only allocates from a pool, blocks lie where they would lie without streams, and its freed blocks
 * count as free rather than pending.
 * tarn_pool_used_on() adds a stream to a block. A block with added streams is reused only when
 * those have passed. A pool with a device watches its streams by events. A pool without one learns
 * from tarn_pool_passed().
 */
#ifndef TARN_POOL_H
#define TARN_POOL_H

#include <tarn/map.h>
#include <tarn/memory.h>
#include <tarn/plan.h>
#include <tarn/rule.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where a pool's memory comes from. */
typedef enum tarn_pool_kind {
    TARN_POOL_FIXED = 1,     /**< a range of the caller's: any numbers, never dereferenced */
    TARN_POOL_SEGMENTS = 2,  /**< segments of plain device memory, allocated on demand */
    TARN_POOL_EXPANDABLE = 3 /**< one reservation, into which pages are mapped on demand */
} tarn_pool_kind;

/**
 * The policy of an EXPANDABLE pool: whether it saves memory or calls of the device. A pool that holds
 * free memory in scattered parts can serve a large block by moving that memory to one place, which
 * costs calls of the device, or by creating more.
 * docs/performance.md shows both sides on recordings of real programs.
 */
typedef enum tarn_pool_policy {
    /** Moves memory once the pool would hold 10 % more than its blocks ever needed. */
    TARN_POOL_BALANCED = 0,
    /** Moves memory only if it cannot create more. The fewest calls of the device. */
    TARN_POOL_TIME = 1,
    /** Moves memory once the pool would hold 0.5 % more than its blocks ever needed, and creates it
        in small portions, which fit everywhere. The least memory. */
    TARN_POOL_MEMORY = 2
} tarn_pool_policy;

/** A pool. Opaque. */
typedef struct tarn_pool tarn_pool;

/** Description of a pool. Initialise it with TARN_INIT(tarn_pool_desc). */
typedef struct tarn_pool_desc {
    size_t struct_size; /**< set by TARN_INIT */
    uint32_t kind;      /**< a tarn_pool_kind: where the memory comes from */
    tarn_rule rule;     /**< placement of blocks; all zero selects TARN_RULE_GPU_256 */
    /** SEGMENTS, EXPANDABLE: the device of the memory. FIXED: the device whose streams order reuse,
        or NULL. */
    tarn_device *device;
    tarn_addr base;      /**< FIXED: first byte, at any alignment */
    uint64_t bytes;      /**< FIXED: length. EXPANDABLE: bytes of address space to reserve; 0
                                 selects eight times the limit, or less, down to the limit, where
                                 the device has no such range */
    uint64_t limit;      /**< maximum physical bytes to hold; 0: as many as the device has */
    uint64_t page_bytes; /**< EXPANDABLE: physical memory is created in multiples of it; 0 selects
                                 the recommended granularity */
    uint64_t segment_bytes; /**< SEGMENTS: bytes of an ordinary segment, for blocks of up to a
                                 quarter of it; 0 selects 32 MiB */
    uint32_t policy; /**< a tarn_pool_policy, of EXPANDABLE: when the pool moves memory, and in
                          which portions it grows */
    const tarn_grant *grants; /**< EXPANDABLE: rights to the memory; NULL: its device reads and
                                   writes */
    size_t grant_count;       /**< number of grants */
    uint32_t flags;           /**< TARN_POOL_ bits */
    uint64_t user;            /**< a word of the caller's, returned by queries */
    const tarn_plan *plan;    /**< a plan that the pool follows, or NULL; see tarn_pool_mark() */
} tarn_pool_desc;

/** Bits of tarn_pool_desc.flags. */
enum {
    TARN_POOL_STRICT = 1u << 0,       /**< an error instead of SEGMENTS in place of EXPANDABLE */
    TARN_POOL_FENCE = 1u << 1,        /**< an electric fence, for finding errors; see below */
    TARN_POOL_FENCE_EXACT = 1u << 2,  /**< a fence that follows the last byte of each block */
    TARN_POOL_USER_WORDS = 1u << 3,   /**< each block carries a word of the caller's */
    TARN_POOL_SELECT_REUSE = 1u << 4, /**< see tarn_pool_set_reuse(); needs a device */
    TARN_POOL_LEARN = 1u << 5         /**< the pool makes itself a plan; see tarn_pool_mark() */
};

/*
 * Fences. With TARN_POOL_FENCE each block has pages of its own and lies at their end. Nothing is
 * mapped behind them, nor where a block was freed, so a stray access of the CPU faults, and a copy
 * is refused. The bytes that the rule's alignment leaves between a block and the end of its pages
 * are filled, and checked when the block is freed. A changed byte ends the process (abort()) with a
 * line that names it. With TARN_POOL_FENCE_EXACT a block's alignment is the largest power of two
 * that divides its size, at most the rule's, so that no such bytes exist.
 *
 * The pages of a freed block are unmapped by a later call, once the streams that used it have
 * passed. Addresses of freed blocks are used again only when the whole range has been used
 * (`bytes`, else up to 256 GiB). A block costs three calls of the device, at least one page, and a
 * kernel mapping. Rights cannot be changed (tarn_pool_set_access() returns UNSUPPORTED), and tags
 * are not counted.
 *
 * The environment variable TARN_POOL_FENCE, with the value 1 or exact, adds a fence to every pool
 * that can have one. The flags return UNSUPPORTED for pools that cannot: FIXED pools, and devices
 * without TARN_FEATURE_VMM.
 */

/**
 * Creates a pool. No memory is taken from the device before the first allocation, except for the
 * reservation of an EXPANDABLE pool.
 *
 * On a device that cannot map pages, the call creates a SEGMENTS pool instead of an EXPANDABLE one.
 * Such a device has no virtual memory management, or failed to map, grant and unmap a page when its
 * first such pool was created. tarn_pool_query() returns the kind and the reason, and the statistic
 * `fallback` is 1. `bytes` then limits the memory held, and page_bytes is ignored. With
 * TARN_POOL_STRICT, or with grants other than the device's own, the call returns UNSUPPORTED
 * instead. If the trial fails with BUSY, or because memory, handles or mappings are exhausted, the
 * pool is EXPANDABLE and the next creation tries again.
 *
 * @param desc description; the pool keeps no pointer to it, nor to the plan
 * @param pool receives the pool
 * @retval TARN_BAD_ARGUMENT     desc or pool is NULL; kind, policy or flags are unknown; the rule is
 *                               invalid; a FIXED range is empty or wraps; the device is missing; a
 *                               grant is invalid; the plan is for another rule, or the pool is to
 *                               learn one too
 * @retval TARN_BAD_STRUCT       desc->struct_size is unknown
 * @retval TARN_BAD_DEVICE       a grant names a device that does not exist
 * @retval TARN_BAD_CONFIG       the environment variable TARN_POOL_FENCE has an unknown value
 * @retval TARN_MISALIGNED       page_bytes is not a power of two, or not a multiple of
 *                               the granularity
 * @retval TARN_UNSUPPORTED      see above; or the platform does not support a grant
 * @retval TARN_NO_HOST_MEMORY   no host memory for the records
 * @retval TARN_NO_ADDRESS_SPACE no address space for the reservation
 */
TARN_API tarn_status tarn_pool_create(const tarn_pool_desc *desc, tarn_pool **pool);

/** Bytes of the text that explains a pool's kind, the final 0 included. */
#define TARN_POOL_REASON 256

/** Properties of a pool. Initialise it with TARN_INIT(tarn_pool_info). */
typedef struct tarn_pool_info {
    size_t struct_size;     /**< set by the caller; the library writes no field beyond it */
    uint32_t kind;          /**< a tarn_pool_kind: actual kind */
    uint32_t asked;         /**< a tarn_pool_kind: kind that was requested */
    tarn_rule rule;         /**< placement of blocks */
    uint64_t limit;         /**< maximum physical bytes to hold; 0: only the device's own limit */
    uint64_t page_bytes;    /**< EXPANDABLE: physical memory is a multiple of it; else 0 */
    uint64_t segment_bytes; /**< SEGMENTS: bytes of an ordinary segment; else 0 */
    tarn_addr base;         /**< FIXED, EXPANDABLE: first byte of the range; else 0 */
    uint64_t bytes;         /**< FIXED, EXPANDABLE: length of the range; else 0 */
    char reason[TARN_POOL_REASON]; /**< why `kind` differs from `asked`; "" if it does not */
    uint64_t user;                 /**< tarn_pool_desc.user */
    uint64_t release_threshold;    /**< see tarn_pool_set_release_threshold() */
    uint32_t reuse;                /**< TARN_REUSE_ bits: see tarn_pool_set_reuse() */
    uint32_t zero;                 /**< 0; no meaning yet */
} tarn_pool_info;

/**
 * Returns the properties of a pool.
 *
 * @param pool the pool
 * @param info filled up to info->struct_size
 * @retval TARN_BAD_ARGUMENT pool or info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_pool_query(tarn_pool *pool, tarn_pool_info *info);

/**
 * Changes how many physical bytes the pool may hold. Memory held beyond the new limit stays until a
 * trim, and the pool does not grow meanwhile.
 *
 * @param pool  the pool
 * @param limit bytes; 0: as many as the device has
 * @retval TARN_BAD_ARGUMENT pool is NULL
 * @retval TARN_UNSUPPORTED  the pool is a FIXED one
 */
TARN_API tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit);

/**
 * Creates a FIXED pool over a block of a vendor's allocator, under the rule of that allocator. The
 * pool never reads or writes the block. The caller frees the block after destroying the pool. If
 * the rule does not allow the base, the bytes up to the next allowed address stay unused.
 *
 *     void *block;
 *     aclrtMalloc(&block, 64 << 20, 0);
 *     tarn_pool_create_over("aclrtMalloc", (tarn_addr)(uintptr_t)block, 64 << 20, &pool);
 *
 * @param allocator a name of TARN_ALLOCATOR_LIST
 * @param base      first byte of the block
 * @param bytes     length of the block
 * @param pool      receives the pool
 * @return a status of tarn_pool_create()
 * @retval TARN_BAD_ARGUMENT allocator is NULL or not in the list
 */
TARN_API tarn_status tarn_pool_create_over(const char *allocator, tarn_addr base, uint64_t bytes,
                                           tarn_pool **pool);

/**
 * Destroys a pool and releases its memory, after the work of all streams that used it.
 *
 * @param pool the pool; NULL does nothing
 * @retval TARN_BUSY a block is live, or the caller is inside a host function; nothing changed
 */
TARN_API tarn_status tarn_pool_destroy(tarn_pool *pool);

/**
 * Frees every block at once. The caller knows that no work uses them. The pool keeps its memory.
 *
 * @param pool the pool
 * @retval TARN_BAD_ARGUMENT pool is NULL
 * @retval TARN_BUSY         the caller is inside a host function
 */
TARN_API tarn_status tarn_pool_reset(tarn_pool *pool);

/** Tags are below this number. */
#define TARN_POOL_TAGS 64u

/** A request for a block. Zero selects the rule's alignment, stream 0, tag 0. */
typedef struct tarn_pool_request {
    size_t struct_size; /**< set by TARN_INIT */
    uint64_t bytes;     /**< bytes of the block, at least 1 */
    uint64_t alignment; /**< of the start, if more than the rule's: a power of two up to 2 MiB */
    tarn_stream stream; /**< stream of the block */
    uint32_t tag;       /**< for statistics; below TARN_POOL_TAGS */
    uint64_t user;      /**< the block's word, in pools with TARN_POOL_USER_WORDS; else ignored */
} tarn_pool_request;

/**
 * Allocates a block.
 *
 * @param pool   the pool
 * @param bytes  bytes of the block, at least 1
 * @param stream stream of the block; 0: the host's own order
 * @param addr   receives the start of the block
 * @retval TARN_BAD_ARGUMENT     pool or addr is NULL, or bytes is 0
 * @retval TARN_BAD_HANDLE       stream is not a stream
 * @retval TARN_NO_DEVICE_MEMORY the pool cannot place the block even after emptying thread caches,
 *                               moving pages and waiting for freed blocks; the text is that of
 *                               tarn_pool_explain()
 * @retval TARN_NO_HANDLES       8,190 other streams have memory in the pool
 * @retval TARN_NO_HOST_MEMORY   no host memory for the records
 * @return another status of the device if it refuses to provide memory
 */
TARN_API tarn_status tarn_pool_alloc(tarn_pool *pool, uint64_t bytes, tarn_stream stream,
                                     tarn_addr *addr);

/**
 * Allocates a block with an alignment, a tag or a word. Statuses are those of tarn_pool_alloc().
 *
 * @param pool    the pool
 * @param request description of the block
 * @param addr    receives the start of the block
 * @retval TARN_BAD_ARGUMENT also: request is NULL; its alignment or tag is invalid
 * @retval TARN_BAD_STRUCT   request->struct_size is unknown
 */
TARN_API tarn_status tarn_pool_alloc_with(tarn_pool *pool, const tarn_pool_request *request,
                                          tarn_addr *addr);

/**
 * Frees a block.
 *
 * @param pool the pool
 * @param addr the start of the block; 0 does nothing
 * @retval TARN_BAD_ARGUMENT pool is NULL
 * @retval TARN_BAD_ADDRESS  no live block of this pool starts there: it was never allocated, was
 *                           freed already, or addr lies inside a block. Nothing changed.
 */
TARN_API tarn_status tarn_pool_free(tarn_pool *pool, tarn_addr addr);

/**
 * Frees a block on a stream: the block is used again only when the work that was enqueued on
 * `stream` so far has passed, as well as that of the block's own stream and of streams that
 * tarn_pool_used_on() added. If the call fails, the block stays live and unchanged.
 *
 * @param pool   the pool
 * @param addr   the start of the block; 0 does nothing
 * @param stream the stream; 0, or the block's own, means the same as tarn_pool_free()
 * @retval TARN_BAD_ARGUMENT   pool is NULL
 * @retval TARN_BAD_ADDRESS    no live block of this pool starts there
 * @retval TARN_BAD_HANDLE     stream is not a stream
 * @retval TARN_NO_HANDLES     8,190 other streams have memory in the pool
 * @retval TARN_NO_HOST_MEMORY no host memory for the record of the stream
 */
TARN_API tarn_status tarn_pool_free_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);

/**
 * Makes a live block longer, in place. The block keeps its address and contents; what it gains is
 * memory right behind it that its stream may use. In an EXPANDABLE pool without such memory, pages
 * are mapped there. A call that fails changes nothing, but may leave the pool with more memory.
 *
 * @param pool  the pool
 * @param addr  the start of the block
 * @param bytes bytes of the block from now on, at least as many as before
 * @retval TARN_BAD_ARGUMENT     pool is NULL, or bytes is 0 or less than the bytes of the block
 * @retval TARN_BAD_ADDRESS      no live block of this pool starts there
 * @retval TARN_NO_ADDRESS_SPACE another block lies behind it, or memory that waits for another
 *                               stream; or the block has a size class that is too small
 * @retval TARN_NO_DEVICE_MEMORY an EXPANDABLE pool cannot have the pages; see tarn_pool_explain()
 * @retval TARN_BUSY             the block sleeps
 * @retval TARN_UNSUPPORTED      the pool has a fence
 * @return another status of the device if it refuses to provide memory
 */
TARN_API tarn_status tarn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes);

/** Bits of the flags of tarn_pool_sleep(). */
enum {
    TARN_POOL_DISCARD = 1u << 1 /**< the contents are lost instead of copied to host memory */
};

/**
 * Takes the physical memory from the large blocks of a tag. The blocks stay live and keep their
 * addresses. Their contents are copied to host memory, or discarded. Nothing may access them until
 * tarn_pool_wake(). The call waits for the streams of the pool.
 *
 * Memory is given up in complete handles on which no other block lies, and returns to the device.
 * So a block that shares handles with blocks of other tags may keep a part of its memory, or all.
 * Blocks of size classes (up to 16 KiB) do not sleep. Blocks that are allocated with the tag later
 * are awake. A sleeping block may be freed, which frees its saved contents; its address space is
 * used again once the tag wakes or the blocks around it are freed too. tarn_pool_reset() frees
 * sleeping blocks. They cannot be extended.
 *
 * Either all of this happens or nothing. Only if the device refuses first to unmap memory and then
 * to map back what was unmapped before does the call fail with a part of the tag asleep.
 *
 * @param pool           an EXPANDABLE pool
 * @param tag            below TARN_POOL_TAGS
 * @param flags          0 or TARN_POOL_DISCARD
 * @param released_bytes receives the bytes released to the device; may be NULL
 * @retval TARN_BAD_ARGUMENT   pool is NULL, tag is not below TARN_POOL_TAGS, or flags are unknown
 * @retval TARN_UNSUPPORTED    the pool is of another kind, or has a fence
 * @retval TARN_BUSY           blocks of the tag sleep already; a stream cannot be waited for; or the
 *                             caller is inside a host function
 * @retval TARN_NO_HOST_MEMORY no host memory for the contents or the records
 * @return another status of the device if it refuses to copy or unmap
 */
TARN_API tarn_status tarn_pool_sleep(tarn_pool *pool, uint32_t tag, uint32_t flags,
                                     uint64_t *released_bytes);

/**
 * Gives the sleeping blocks of a tag memory at their addresses again, with their contents. Discarded
 * contents are undefined. If a call fails, the blocks sleep as before. If none sleeps, the call does
 * nothing.
 *
 * @param pool an EXPANDABLE pool
 * @param tag  below TARN_POOL_TAGS
 * @retval TARN_BAD_ARGUMENT     pool is NULL, or tag is not below TARN_POOL_TAGS
 * @retval TARN_UNSUPPORTED      the pool is of another kind, or has a fence
 * @retval TARN_BUSY             the caller is inside a host function
 * @retval TARN_NO_DEVICE_MEMORY the device or the limit does not allow the memory
 * @return another status of the device if it refuses to provide or copy memory
 */
TARN_API tarn_status tarn_pool_wake(tarn_pool *pool, uint32_t tag);

/**
 * Makes a key to the memory that holds a block: of the segment in which it lies. A process that
 * imports the key (tarn_memory_import()) finds the block `offset` bytes behind the start. All blocks
 * of a segment have the same key, and the process sees all of the segment. As with every key, the
 * importer's memory outlives the block, which its owner may free and use again.
 *
 * @param pool   a SEGMENTS pool
 * @param addr   the start of a block
 * @param key    receives the key
 * @param offset receives the distance of the block from the start of its memory, in bytes
 * @retval TARN_BAD_ARGUMENT pool, key or offset is NULL
 * @retval TARN_UNSUPPORTED  the pool is of another kind, or the device has no keys
 * @retval TARN_BAD_ADDRESS  no live block of this pool starts there
 * @return another status of tarn_memory_export()
 */
TARN_API tarn_status tarn_pool_export(tarn_pool *pool, tarn_addr addr, tarn_key *key,
                                      uint64_t *offset);

/**
 * Changes the rights to the memory of an EXPANDABLE pool, mapped now or later. A call that fails
 * changes nothing. The grants are applied in order as by tarn_map_set_access(); locations that they
 * do not name keep their rights. Running work is subject to the new rights.
 *
 * @param pool   the pool
 * @param grants the rights to set
 * @param count  number of grants, at least 1
 * @retval TARN_BAD_ARGUMENT pool or grants is NULL; count is 0; a location type or access is
 *                           unknown
 * @retval TARN_BAD_DEVICE   a grant names a device that does not exist
 * @retval TARN_UNSUPPORTED  the pool is of another kind, or the platform does not support a grant
 * @retval TARN_NO_MAPPINGS  the kernel has no mappings left
 */
TARN_API tarn_status tarn_pool_set_access(tarn_pool *pool, const tarn_grant *grants, size_t count);

/**
 * Returns the rights of a location to the memory of an EXPANDABLE pool.
 *
 * @param pool     the pool
 * @param location a device or the host
 * @param access   receives the rights
 * @retval TARN_BAD_ARGUMENT pool or access is NULL, or the location type is unknown
 * @retval TARN_BAD_DEVICE   the device does not exist
 * @retval TARN_UNSUPPORTED  the pool is of another kind
 */
TARN_API tarn_status tarn_pool_get_access(tarn_pool *pool, tarn_location location,
                                          tarn_access *access);

/**
 * Begins a pass of a program that repeats itself, such as a step of training, for the pool's plan.
 *
 * A pool with a plan gives each large request the place that the plan has for it. It recognises the
 * request by its stream, length, tag and turn, and allows for requests that change places, are missing
 * or are new. One that the plan does not have (`unplanned`), or whose place is taken (`late`), is served
 * as without a plan, and from gaps between the places before the pool grows. The first planned request
 * takes the memory of all places. While no block lies in it, it returns to the pool if another request would
 * otherwise be refused, and by tarn_pool_trim(). This call returns it if the first pass left more than
 * an eighth of it free, or four passes in a row did, until one makes most of the plan's requests.
 * Streams of the plan are the pool's in the order of their first large requests. Planned blocks do not
 * sleep.
 *
 * A pool with TARN_POOL_LEARN records the large requests between two calls. When two passes in a row
 * were the same, or at the fourth call if most requests were, the call makes a plan, which takes up to
 * about a quarter of a second more. The pool moves free memory to the places and releases the rest, so
 * that it never holds more than without the plan, which it else does not follow, as little as one with
 * places for less than three quarters of the bytes. After three passes in a row that did not fit the
 * plan (tarn_pool_stats.planned_passes) it learns again, each time later. Passes of more than 2^19
 * requests are not learnt.
 *
 * Without calls of this function, the pool looks for a period in its large requests, ever more rarely
 * while it finds none. When the last ones were two equal passes, whose blocks were freed, a request
 * makes the plan, in about ten microseconds for each request of the pass. A fence has no plan.
 *
 * @param pool the pool
 * @retval TARN_BAD_ARGUMENT   pool is NULL
 * @retval TARN_NO_HOST_MEMORY out of host memory for the plan; the pool goes on learning
 */
TARN_API tarn_status tarn_pool_mark(tarn_pool *pool);

/**
 * Adds a stream to a block: work on `stream` uses the block too.
 *
 * @param pool   the pool
 * @param addr   the start of the block
 * @param stream the stream; 0 has no effect
 * @retval TARN_BAD_ARGUMENT   pool is NULL
 * @retval TARN_BAD_ADDRESS    no live block of this pool starts there
 * @retval TARN_BAD_HANDLE     stream is not a stream
 * @retval TARN_NO_HANDLES     8,190 other streams have memory in the pool
 * @retval TARN_NO_HOST_MEMORY no host memory for the record
 */
TARN_API tarn_status tarn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);

/**
 * Reports to a pool without a device that all work enqueued on a stream so far has passed. The call
 * has no effect on pools with a device.
 *
 * @param pool   the pool
 * @param stream the stream
 * @retval TARN_BAD_ARGUMENT pool is NULL
 */
TARN_API tarn_status tarn_pool_passed(tarn_pool *pool, tarn_stream stream);

/**
 * Releases physical memory that holds no live block until the pool holds at most `keep_bytes`. An
 * EXPANDABLE pool releases physical memory in the portions in which it was created, so it may end up
 * holding less. The peak need of blocks, which its policy refers to, falls to what is kept.
 *
 * @param pool           the pool
 * @param keep_bytes     bytes to keep
 * @param flags          0: the call waits for the streams of freed blocks. TARN_NO_WAIT: it does
 *                       not, and memory whose streams have not passed stays. The device's own free
 *                       may still wait when a segment is released.
 * @param released_bytes receives the bytes released; may be NULL
 * @retval TARN_BAD_ARGUMENT pool is NULL, or flags are unknown
 * @retval TARN_BUSY         the caller is inside a host function, and flags lack TARN_NO_WAIT
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
 * @param pool  a SEGMENTS or EXPANDABLE pool; other pools store the value without any effect
 * @param bytes the threshold; the default, UINT64_MAX, keeps all memory
 * @retval TARN_BAD_ARGUMENT pool is NULL
 */
TARN_API tarn_status tarn_pool_set_release_threshold(tarn_pool *pool, uint64_t bytes);

/** Bits of tarn_pool_set_reuse(). */
enum {
    TARN_REUSE_PASSED = 1u << 0,  /**< memory whose work has passed, for every stream */
    TARN_REUSE_FOLLOWED = 1u << 1 /**< memory that was freed on streams that the requesting stream
                                       waits for */
};

/**
 * Selects which freed memory a stream may reuse besides its own.
 *
 * With TARN_REUSE_FOLLOWED a stream reuses memory of another stream at once if it waits for an event
 * that was recorded there after the free: its work runs behind the work that used the memory. Direct
 * waits count (tarn_stream_wait()), and waits of the recorded stream that precede the record. Not
 * counted are shared events, waits before the first pool with TARN_POOL_SELECT_REUSE was created, and
 * waits for more than 16 streams, of which the oldest are forgotten. After tarn_stream_abort() no
 * earlier wait counts. The pool knows the latest free of each stream, not that of each block: a free
 * after the record hides the memory freed before it, unless the wait came before that free, several
 * streams use the pool, and no older free of that stream still waits for its work. Where the order is
 * not known, the pool grows instead.
 *
 * Without TARN_REUSE_PASSED memory stays with its stream until the pool is trimmed, releases memory
 * at a synchronisation, or would otherwise refuse an allocation.
 *
 * A pool with TARN_POOL_SELECT_REUSE begins with both bits; other pools have TARN_REUSE_PASSED. A
 * fence ignores them, as it reuses no memory. Such a pool has no parts for single threads, and each
 * free notes the position of its stream.
 *
 * @param pool  a pool with TARN_POOL_SELECT_REUSE
 * @param reuse TARN_REUSE_ bits; 0: each stream reuses its own memory only
 * @retval TARN_BAD_ARGUMENT pool is NULL, or reuse has unknown bits
 * @retval TARN_UNSUPPORTED  the pool was created without TARN_POOL_SELECT_REUSE, or has no device
 */
TARN_API tarn_status tarn_pool_set_reuse(tarn_pool *pool, uint32_t reuse);

/** State of a block in a walk. */
typedef enum tarn_block_state {
    TARN_BLOCK_LIVE = 1,    /**< allocated */
    TARN_BLOCK_FREE = 2,    /**< free, with physical memory */
    TARN_BLOCK_PENDING = 3, /**< freed; waits for streams */
    TARN_BLOCK_UNMAPPED = 4 /**< address space without physical memory */
} tarn_block_state;

/** A block of a pool. */
typedef struct tarn_block {
    tarn_addr addr;     /**< start */
    uint64_t occupied;  /**< bytes of the pool that it occupies */
    uint64_t bytes;     /**< bytes requested, exactly; 0 unless LIVE or PENDING */
    uint32_t state;     /**< a tarn_block_state: state */
    tarn_stream stream; /**< stream of the block */
    uint32_t tag;       /**< tag of the request */
    uint64_t usable;    /**< LIVE: bytes from addr on that the owner may use, at least `bytes` */
    uint64_t user;      /**< LIVE: the block's word; 0 without TARN_POOL_USER_WORDS */
    bool asleep; /**< LIVE: the block, or a part of it, has no memory; see tarn_pool_sleep() */
} tarn_block;

/**
 * Returns the live block that holds an address.
 *
 * @param pool  the pool
 * @param addr  any byte of the block
 * @param block receives the block
 * @retval TARN_BAD_ARGUMENT pool or block is NULL
 * @retval TARN_BAD_ADDRESS  no live block holds the address
 */
TARN_API tarn_status tarn_pool_query_block(tarn_pool *pool, tarn_addr addr, tarn_block *block);

/**
 * Calls visit(block, arg) for every block in address order, until visit returns false. The pool's
 * locks are held: visit must not call the pool.
 *
 * @param pool  the pool
 * @param visit the function
 * @param arg   passed to visit
 * @retval TARN_BAD_ARGUMENT pool or visit is NULL
 */
TARN_API tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *),
                                    void *arg);

/**
 * The statistics of a pool: X(name, "text"). Held memory is physical memory that the pool has from
 * the device; for a FIXED pool it is the range, whose use the reach describes.
 */
#define TARN_POOL_STATS_LIST(X)                                                                    \
    X(live_blocks, "live blocks")                                                                  \
    X(live_bytes, "bytes requested for them")                                                      \
    X(used_bytes, "bytes that they occupy under the rule")                                         \
    X(pending_bytes, "freed bytes that wait for streams")                                          \
    X(held_bytes, "physical bytes held")                                                           \
    X(largest_free, "largest block that could be had without growing")                             \
    X(peak_live_bytes, "highest live_bytes; one thread: exact, more: 1/64 each")                   \
    X(peak_used_bytes, "highest used_bytes, as exactly")                                           \
    X(peak_held_bytes, "highest held_bytes")                                                       \
    X(allocs, "allocations")                                                                       \
    X(frees, "frees")                                                                              \
    X(refusals, "allocations that could not be had")                                               \
    X(driver_calls, "calls of the device made for the pool")                                       \
    X(map_calls, "of them maps")                                                                   \
    X(unmap_calls, "of them unmaps")                                                               \
    X(moved_bytes, "physical bytes moved from one address to another")                             \
    X(host_bytes, "host memory of the records, as committed")                                      \
    X(fallback, "1: segments stand in for the pages asked for; 0: no")                             \
    X(reach_bytes, "FIXED: from the range's start to the end of the highest block ever; else 0")   \
    X(sleeping_bytes, "memory that sleeping blocks have given up")                                 \
    X(created_handles, "handles of physical memory created, or segments allocated")                \
    X(created_bytes, "their bytes")                                                                \
    X(mapped_handles, "handles mapped, again after a move")                                        \
    X(mapped_bytes, "their bytes")                                                                 \
    X(moved_handles, "handles moved from one address to another")                                  \
    X(device_ns, "time of these calls by the costs of the device, modelled or measured once")      \
    X(cached_bytes, "free bytes in slabs, chunks of threads and the plan, taken back before a "    \
                    "refusal")                                                                     \
    X(planned, "requests that got their place in the plan")                                        \
    X(unplanned, "large requests that the plan does not have")                                     \
    X(late, "requests whose place was not free yet")                                               \
    X(plan_bytes, "memory that the pool has for the places of its plan")                           \
    X(planned_bytes, "bytes of the requests in `planned`")                                         \
    X(unplanned_bytes, "bytes of the requests in `unplanned`")                                     \
    X(late_bytes, "bytes of the requests in `late`")                                               \
    X(plans, "plans that the pool has learnt")                                                     \
    X(passes, "passes that have ended")                                                            \
    X(planned_passes, "of them those with places for at least three quarters of the large bytes")

/** Statistics of a pool; TARN_POOL_STATS_LIST describes the fields. */
typedef struct tarn_pool_stats {
    size_t struct_size; /**< set by the caller; the library writes no field beyond it */
#define TARN_POOL_STATS_FIELD(name, text) uint64_t name; /**< see TARN_POOL_STATS_LIST */
    TARN_POOL_STATS_LIST(TARN_POOL_STATS_FIELD)
#undef TARN_POOL_STATS_FIELD
} tarn_pool_stats;

/**
 * Returns the statistics of a pool. The counts of other running threads may be a few blocks old.
 *
 * Threads that wait for each other get chunks of free memory for themselves, each at most an eighth
 * of what is free at that time; a thread that frees blocks of another hands over 32 at a time. All
 * of it counts as cached_bytes, and this call, like every allocation that would otherwise be
 * refused, takes it back.
 *
 * @param pool  the pool
 * @param stats filled up to stats->struct_size
 * @retval TARN_BAD_ARGUMENT pool or stats is NULL
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 */
TARN_API tarn_status tarn_pool_query_stats(tarn_pool *pool, tarn_pool_stats *stats);

/** Peaks that tarn_pool_reset_peaks() resets. */
enum {
    TARN_PEAK_LIVE = 1u << 0, /**< peak_live_bytes, and peak_bytes of every tag */
    TARN_PEAK_USED = 1u << 1, /**< peak_used_bytes */
    TARN_PEAK_HELD = 1u << 2  /**< peak_held_bytes; of a FIXED pool it does not change */
};

/**
 * Resets peaks to the present values.
 *
 * A peak may still include blocks that other threads have counted but not yet published.
 *
 * @param pool  the pool
 * @param which TARN_PEAK_ bits; 0 selects all peaks
 * @retval TARN_BAD_ARGUMENT pool is NULL, or `which` has an unknown bit
 */
TARN_API tarn_status tarn_pool_reset_peaks(tarn_pool *pool, uint32_t which);

/** Statistics of one tag. */
typedef struct tarn_pool_tag_stats {
    size_t struct_size;   /**< set by the caller; the library writes no field beyond it */
    uint64_t live_blocks; /**< live blocks with the tag */
    uint64_t live_bytes;  /**< bytes requested for them */
    uint64_t peak_bytes;  /**< highest live_bytes */
} tarn_pool_tag_stats;

/**
 * Returns the statistics of one tag.
 *
 * @param pool  the pool
 * @param tag   below TARN_POOL_TAGS
 * @param stats filled up to stats->struct_size
 * @retval TARN_BAD_ARGUMENT pool or stats is NULL, or tag is not below TARN_POOL_TAGS
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 */
TARN_API tarn_status tarn_pool_query_tag_stats(tarn_pool *pool, uint32_t tag,
                                               tarn_pool_tag_stats *stats);

/**
 * Why an allocation was refused: X(NAME, value, "name"). "Enough" is the piece that it needs.
 *
 *  - FULL: not enough memory is free or waits for streams, and the device has no more
 *  - FRAGMENTED: enough bytes are free, but not in one piece, and no more can be had
 *  - STREAMS: with the memory that waits for streams there would be enough
 *  - LIMIT: the pool's limit forbids it to hold more
 *  - OTHERS: with the memory that others have on the device there would be enough
 *  - SPACE: the pool's address space has no place of that length
 *  - RECORDS: host memory, handles, kernel mappings or the pool's own records are exhausted
 *  - DEVICE: the device refused for another reason, which `status` and `text` name
 *  - PLAN: no refusal, but requests that got no place in the pool's plan
 */
#define TARN_POOL_CAUSE_LIST(X)                                                                    \
    X(FULL, 1, "full")                                                                             \
    X(FRAGMENTED, 2, "fragmented")                                                                 \
    X(STREAMS, 3, "held by streams")                                                               \
    X(LIMIT, 4, "limit")                                                                           \
    X(OTHERS, 5, "others on the device")                                                           \
    X(SPACE, 6, "address space")                                                                   \
    X(RECORDS, 7, "records")                                                                       \
    X(DEVICE, 8, "device")                                                                         \
    X(PLAN, 9, "plan")

/** The cause of a refusal. */
typedef enum tarn_pool_cause {
#define TARN_POOL_CAUSE_ENUM(name, value, text)                                                    \
    TARN_POOL_CAUSE_##name = value, /**< see TARN_POOL_CAUSE_LIST */
    TARN_POOL_CAUSE_LIST(TARN_POOL_CAUSE_ENUM)
#undef TARN_POOL_CAUSE_ENUM
} tarn_pool_cause;

/** Streams and tags that a report names: those with the most bytes. */
#define TARN_POOL_SHARES 8

/** A stream or tag and its bytes. */
typedef struct tarn_pool_share {
    uint64_t id;    /**< the stream, or the tag */
    uint64_t bytes; /**< its bytes; 0: this entry and those behind it are unused */
} tarn_pool_share;

/** Bytes of the text of a report, the final 0 included. */
#define TARN_POOL_REPORT_TEXT 320

/**
 * The report of a refusal. All numbers are of the moment at which the pool gave up, after it had
 * emptied the thread caches, waited for streams where that is allowed, and tried to grow. Those of
 * other running threads may be a few blocks old. Initialise it with TARN_INIT(tarn_pool_report).
 */
typedef struct tarn_pool_report {
    size_t struct_size;     /**< set by the caller; the library writes no field beyond it */
    uint32_t cause;         /**< a tarn_pool_cause: why the pool refused */
    int32_t status;         /**< a tarn_status: the status that the allocation returned */
    const char *cause_name; /**< the name of the cause, such as "fragmented"; static */
    uint64_t refusals;      /**< tarn_pool_stats.refusals, with this one */
    uint64_t requested;     /**< bytes requested */
    uint64_t overhead;      /**< bytes that the rule adds to them */
    uint64_t piece_bytes;   /**< bytes of the piece that the block needs: both together, or more for
                                 a small block outside of the size classes */
    uint64_t alignment;     /**< alignment of the start, in bytes */
    tarn_stream stream;     /**< stream of the request */
    uint32_t tag;           /**< tag of the request */
    uint64_t free_bytes;    /**< free bytes that the request may use, in any number of pieces */
    uint64_t largest_free;  /**< bytes of the largest free piece */
    uint64_t movable_bytes; /**< EXPANDABLE: free memory in complete handles, which could be moved
                                 to make one piece, were it enough */
    uint64_t waiting_bytes; /**< freed memory that waits for streams */
    uint64_t cached_bytes;  /**< memory of small blocks that is not live: free blocks of size
                                 classes and in thread caches */
    uint64_t live_bytes;    /**< bytes requested for live blocks */
    uint64_t used_bytes;    /**< bytes that they occupy under the rule */
    uint64_t held_bytes;    /**< physical memory that the pool holds; FIXED: the range */
    uint64_t limit;         /**< most that it may hold; 0: only the device's own limit */
    uint64_t device_bytes;  /**< memory of the device; 0 for FIXED pools, as for the next two */
    uint64_t device_free;   /**< of it free */
    uint64_t others_bytes;  /**< of it neither free nor held by this pool */
    uint64_t space_bytes;   /**< EXPANDABLE: address space without memory */
    uint64_t largest_space; /**< EXPANDABLE: longest piece of it */
    uint64_t handles;       /**< live handles to physical memory on the device's platform */
    uint64_t mappings;      /**< live mappings there */
    uint64_t records_left;  /**< pieces for which the pool has records left */
    tarn_pool_share streams[TARN_POOL_SHARES]; /**< the streams with the most waiting bytes */
    tarn_pool_share tags[TARN_POOL_SHARES];    /**< the tags with the most live bytes */
    uint64_t free_by_size[64]; /**< entry i: bytes in free pieces of 2^i to 2^(i+1) - 1 */
    char
        text[TARN_POOL_REPORT_TEXT]; /**< the cause and the numbers that matter for it, in a line */
    /** Requests that got no place since the present plan was made or read: those with the most bytes
        together, about. They are those at the time of tarn_pool_explain(). */
    tarn_plan_miss misses[TARN_POOL_SHARES];
} tarn_pool_report;

/**
 * Returns a report about the last allocation that the pool refused. The text of the error that the
 * allocation recorded (tarn_last_error()) has the same numbers. The report stays until the next
 * refusal. If there was none, but requests got no place in the pool's plan, the report is about those:
 * `cause` is TARN_POOL_CAUSE_PLAN, `status` TARN_OK, and only `text` and `misses` are set.
 *
 * @param pool   the pool
 * @param report filled up to report->struct_size
 * @retval TARN_BAD_ARGUMENT pool or report is NULL
 * @retval TARN_BAD_STRUCT   report->struct_size is unknown
 * @retval TARN_NOT_READY    the pool has not refused an allocation yet, and each request got its place
 *                           in the plan, if the pool has one
 */
TARN_API tarn_status tarn_pool_explain(tarn_pool *pool, tarn_pool_report *report);

/**
 * Compares every record of the pool with the others. For tests and bug reports: it holds the pool's
 * locks meanwhile.
 *
 * @param pool the pool
 * @retval TARN_BAD_ARGUMENT pool is NULL
 * @retval TARN_CORRUPT      two records contradict each other; the text names the first
 */
TARN_API tarn_status tarn_pool_verify(tarn_pool *pool);

#ifdef __cplusplus
}
#endif
#endif
