// SPDX-License-Identifier: Apache-2.0
// The streams that a pool knows: a slot each, marks of their ends, and blocks used on several.
#pragma once

#include <tarn/pool.h>

#include "base/lock.h"
#include "core/pool/small/small.h"

struct tn_vector_clock;

// ---- the order of streams behind a table of calls, by which a pool learns that work has passed

// The calls are made under order only.

typedef struct tn_pool_order tn_pool_order;

// A point in a stream. 0 is none.
typedef uint64_t tn_pool_mark;

typedef struct tn_pool_order_ops {
    // Returns TARN_OK if `stream` is a stream, else the status of the failure.
    tarn_status (*known)(tn_pool_order *order, tarn_stream stream);
    // Marks the end of the work enqueued on `stream` so far.
    tarn_status (*mark)(tn_pool_order *order, tarn_stream stream, tn_pool_mark *mark);
    // Returns true if the work before a mark has passed, and destroys the mark then. With `wait` it
    // waits for the work. Returns false even with `wait` if waiting is forbidden in this context.
    // The work of a stream that failed or was destroyed has passed.
    bool (*passed)(tn_pool_order *order, tn_pool_mark mark, bool wait);
    // Destroys a mark, passed or not.
    void (*discard)(tn_pool_order *order, tn_pool_mark mark);
    // Waits for the work of a stream when a mark cannot be made. Returns false if waiting is
    // forbidden in this context. NULL in an order without waits.
    bool (*finish)(tn_pool_order *order, tarn_stream stream);
    // Returns the vector clock of a stream with a reference, or NULL. Pools that select their reuse
    // call it and `discard`; an order for others may lack both.
    struct tn_vector_clock *(*clock)(tn_pool_order *order, tarn_stream stream);
    void (*destroy)(tn_pool_order *order);
} tn_pool_order_ops;

struct tn_pool_order {
    const tn_pool_order_ops *ops;
};

// The order of a device's streams, by events.
tarn_status tn_pool_order_events(tarn_device *device, tn_pool_order **order);

// ---- slots and waits

enum { TN_SLOT_BUCKETS = 256, TN_USE_BUCKETS = 1024 };

// A stream that the pool knows. Frees on it go to the young list, unless the stream is alone in the
// pool (fit/lists.c). When another stream needs the memory, the stream's end is marked and the two
// lists change places. Once the mark has passed, the pieces of the waiting list become free for all
// streams.
struct tn_pool_slot {
    _Atomic(tarn_stream) stream; // 0: the host's order, slot 0
    tn_pool_lists lists;         // of its free pieces. Guard: fit
    tn_fit_bins bins[2];         // of `lists`
    bool waiting;                // the other list waits. Guard: order, as for the rest
    bool spare;                  // serves no stream, and waits for a new one
    unsigned next;               // in its bucket, or the next spare one; 0: the last
    tn_pool_mark mark;           // of the waiting list; 0: it could not be made yet
    tn_pool_mark sole_mark;      // see fit/lists.c; 0: none
    uint64_t issued, passed;     // a pool without a device: marks made, and those that have passed
    uint64_t waits;              // waits of blocks in use.c for this slot that have not passed
    struct tn_vector_clock *clock;  // of the stream, in a pool that selects_reuse; with a reference
    _Atomic(uint64_t) young_record; // the record of the stream that covers the young list, or will
    uint64_t waiting_record;        // the same for the waiting list
    _Atomic(uint32_t) slabs;        // of all its classes
    struct tn_pool_slot *older;     // made before; leak checkers do not search the table
    tn_pool_class classes[TN_CLASSES];
};

// The wait of a block for a stream. Guard: order.
typedef struct tn_pool_wait {
    unsigned slot;
    bool passed;
    tn_pool_mark mark; // 0: not made yet
    uint64_t record;   // of the stream, which covers the work; UINT64_MAX: not known
} tn_pool_wait;

// The waits of one block. Guard: order.
typedef struct tn_pool_waits {
    tn_pool_wait *list;
    unsigned count;
    unsigned capacity;
} tn_pool_waits;

// A block used on other streams than its own. Guard: order.
typedef struct tn_pool_use {
    struct tn_pool_use *next; // in its bucket, later in the queue of freed blocks
    tarn_addr addr;
    uint32_t node;   // once freed: the node of a large block, or
    uint64_t packed; // the small block (TN_PACK)
    uint64_t bytes;  // occupied
    tn_pool_waits waits;
} tn_pool_use;

// The streams that a pool knows. Guarded by `lock`, which comments call order, unless they state
// otherwise.
typedef struct tn_pool_streams {
    // ---- set at creation, then only read
    tn_pool_order *order;           // NULL: tarn_pool_passed() reports passed streams
    _Atomic(tn_pool_slot *) *slots; // an array of `slot_room`; slots are added under order and stay
    uint64_t slot_room;
    bool selects_reuse; // TARN_POOL_SELECT_REUSE, and its order has clocks

    _Atomic(uint32_t) reuse;           // TARN_REUSE_ bits
    _Atomic(unsigned) count;           // read by any thread: slots below it exist
    unsigned buckets[TN_SLOT_BUCKETS]; // by stream, through `next`
    struct tn_mutex lock;
    unsigned spare;
    tn_pool_slot *newest;     // the list of all, through `older`
    unsigned sweep;           // the number of slots at which spare ones are searched for
    bool pinned;              // a thread without a cache uses a slot, so no slot changes its stream
    tn_pool_use **uses;       // buckets of live blocks used elsewhere; made at the first one
    tn_pool_use *queue_first; // freed blocks, oldest first
    tn_pool_use *queue_last;
    _Atomic(uint64_t) queue_bytes;
} tn_pool_streams;

// ---- slot.c

// Makes slot 0.
tarn_status tn_pool_slot_init(tarn_pool *pool);

// Sets the order of the streams, which may be NULL, before the first block. It is the pool's.
// Returns true if the pool selects its reuse.
bool tn_pool_slot_order(tarn_pool *pool, tn_pool_order *order);

// The lock that comments call order.
void tn_pool_order_lock(tarn_pool *pool);
void tn_pool_order_unlock(tarn_pool *pool);

// Writes the slot of a stream; makes one for a new stream. Under order; tn_pool_slot_find() of
// small/cache.h takes it.
tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Writes the slot that a stream has already. Returns false if it has none. Under order.
bool tn_pool_slot_search(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Marks the end of a slot's stream.  Under order, as for the next two.
tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark);
// Returns true if a mark has passed, and sets it to 0 then. A mark of 0 is made first. If it cannot
// be made, `wait` waits for the stream itself.
bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait);
// Waits for a mark and discards it.
void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark);

// Waits of a block for streams, under order. tn_pool_waits_add() may be called twice for a slot.
tarn_status tn_pool_waits_add(tarn_pool *pool, tn_pool_waits *waits, unsigned slot);
// Marks the ends of the streams. A mark that cannot be made now is made at the next check.
void tn_pool_waits_mark(tarn_pool *pool, tn_pool_waits *waits);
// Returns true if all have passed. `query` false: only those count that the slot `own` follows.
bool tn_pool_waits_passed(tarn_pool *pool, unsigned own, tn_pool_waits *waits, bool query,
                          bool wait);
// Discards them, after waiting for marks that have not passed.
void tn_pool_waits_drop(tarn_pool *pool, tn_pool_waits *waits);

// Records that memory of a slot becomes free behind the work enqueued on its stream so far. Needs
// no lock.
void tn_pool_follow_freed(tn_pool_slot *slot);

// Returns true if later work of `slot` runs behind what was enqueued on the stream of `first` when
// its next record had that number. Under order.
bool tn_pool_follows(const tarn_pool *pool, const tn_pool_slot *slot, const tn_pool_slot *first,
                     uint64_t record);

// Destroys the order, which no slot asks any more; and the slots.
void tn_pool_slot_end_order(tarn_pool *pool);
void tn_pool_slot_destroy(tarn_pool *pool);

// ---- reclaim.c

// Reclaims the blocks in this thread's magazines, or in those of all threads, and the memory whose
// streams have passed, for all streams. Without `all_threads` it leaves that memory to its streams
// where the pool does not allow TARN_REUSE_PASSED. With `wait` it waits for all streams.
void tn_pool_reclaim(tarn_pool *pool, bool all_threads, bool wait);

// Reclaims all, and waits for all work that may use blocks of the pool. A stream without a device
// has passed only if that was reported.
tarn_status tn_pool_wait_for_streams(tarn_pool *pool);

// Makes the young list of a slot its waiting list, without a mark yet, if it has pieces and no list
// waits. Under order.
void tn_pool_close_young(tarn_pool *pool, unsigned slot);

// Discards every use and every wait, even of running work. For reset and destroy.
void tn_pool_forget_streams(tarn_pool *pool);

// ---- reuse.c

// Called before the free of the block that starts at `addr`, behind the work on `stream` too, if that
// is not 0. `entry` is the granule entry of `addr`. The free itself refuses a block that does not
// live. Takes order.
tarn_status tn_pool_free_begin(tarn_pool *pool, tarn_addr addr, uint32_t entry, tarn_stream stream);

// Takes a piece for `want` that another slot has freed and that the slot of `want` may use because
// it follows that one. Blocks whose other streams their own one follows return to that one before.
// Takes order and fit. `node` is written on success.
bool tn_pool_reuse_take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// ---- use.c

// Removes the record of a block whose work has passed. Takes order.
void tn_pool_use_forget(tarn_pool *pool, tarn_addr addr);

// Frees a block that is used on other streams: node, or packed small block, at `addr`.
void tn_pool_defer(tarn_pool *pool, tarn_addr addr, uint32_t node, uint64_t packed, uint64_t bytes);

// Finishes the frees of the oldest blocks in the queue whose marks have passed; stops after `max`
// that have not. Returns true if there was one. `query` as for tn_pool_waits_passed(). Under order.
bool tn_pool_use_poll(tarn_pool *pool, unsigned max, bool query, bool wait);

// Returns the bytes of the blocks in the queue that wait for a slot; a block that waits for several
// counts for the first. Under order.
uint64_t tn_pool_queued_for(const tarn_pool *pool, unsigned slot);

// Discards all uses. Under order.
void tn_pool_use_reset(tarn_pool *pool);

// Writes the slot of the live block that starts at `addr`, and with `share` marks the block as used
// on other streams. Returns false if no live block starts there.
bool tn_pool_block_slot(tarn_pool *pool, tarn_addr addr, bool share, unsigned *slot);

// Adds a stream to the block that starts at `addr`; the second for a block of the slot `own`, which the
// caller has looked up. Take order.
tarn_status tn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);
tarn_status tn_pool_use_on(tarn_pool *pool, tarn_addr addr, unsigned own, tarn_stream stream);
