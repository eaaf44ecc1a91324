// SPDX-License-Identifier: Apache-2.0
// An arena: memory that peers write too, the pool that places parcels in it, and one record for
// each page at which a parcel may start. Pool and records are private memory of this process.
//
// A record's `life` counts the holds on the parcel: local holds, and those of peers that it was
// sent to. One compare-and-swap moves a hold to a peer or back, and the thread that decrements the
// count to zero frees the parcel. So a free, a send and a return may race: each succeeds or is
// refused.
#pragma once

#include "base/clock.h"
#include "base/lock.h"
#include "channel/fork.h"
#include "channel/mailbox.h"
#include "core/address/owner.h"

// ---- the wait set

// The wait set of an arena, in which its threads wait for messages, credits, slots and room. It has
// no thread of its own. One of the waiting threads leads: it sleeps in epoll_wait() on the sockets
// of all channels, while the others sleep on their condition variables. A leader that leaves wakes
// the next one. A thread enters first, then tests its condition, and only then sleeps, so it misses
// no change.

// A waiting thread. Lives on its stack.
struct tn_waiter {
    struct tn_cond cond;
    tarn_channel *channel; // NULL waits for room in the arena
    uint32_t wants;        // tn_wait_kind bits
    int eventfd;           // wakes a thread that sleeps elsewhere; -1 if it sleeps here
    bool woken;            // this and the following. Guard: wait set
    bool leads;            // sleeps in epoll_wait() for all waiters
    struct tn_waiter *next, *prev;
};

// Callbacks by which a wait set acts on its channels. Called with the wait set's lock held.
struct tn_wait_ops {
    void (*reclaim)(tarn_channel *channel);      // collects the peer's returns
    void (*disconnected)(tarn_channel *channel); // ends the channel, because the peer is gone
};

struct tn_wait_set {
    struct tn_mutex lock;
    int epoll;
    int wake_fd; // an eventfd that wakes the leader from within this process
    bool led;    // this and the following. Guard: lock
    bool wake_pending;
    uint32_t ids; // last id given to a channel
    const struct tn_wait_ops *ops;
    struct tn_waiter *first, *last; // in the order of arrival
    tarn_channel *channels;         // all open channels
    _Atomic uint32_t for_room;      // waiters for room; changed under the lock
};

tarn_status tn_wait_set_init(struct tn_wait_set *set);
void tn_wait_set_fini(struct tn_wait_set *set);
void tn_wait_set_close_in_child(struct tn_wait_set *set);

// Adds a channel with its socket and pidfd. All channels of a set have the same ops.
tarn_status tn_wait_set_add(struct tn_wait_set *set, const struct tn_wait_ops *ops,
                            tarn_channel *channel);
void tn_wait_set_remove(struct tn_wait_set *set, tarn_channel *channel);
// Stops watching the descriptors of a channel that has ended.
void tn_wait_set_unwatch(struct tn_wait_set *set, const tarn_channel *channel);

// Enters `w`. `channel` NULL waits for room. With `eventfd` -1 the thread sleeps in
// tn_wait_set_sleep(); otherwise it sleeps elsewhere and is woken through that descriptor.
void tn_wait_set_enter(struct tn_wait_set *set, struct tn_waiter *w, tarn_channel *channel,
                       uint32_t wants, int eventfd);
// Sleeps until woken or until the deadline (CLOCK_MONOTONIC, ns). Returns false if the deadline had
// passed before the call.
bool tn_wait_set_sleep(struct tn_wait_set *set, struct tn_waiter *w, uint64_t deadline_ns);
void tn_wait_set_leave(struct tn_wait_set *set, struct tn_waiter *w);

// Returns true if `w` is the first that waits for room. Requests for room are served in order.
bool tn_wait_set_is_next(struct tn_wait_set *set, const struct tn_waiter *w);

// Wakes the threads that wait on the channel (unless it is NULL), and the first that waits for
// room.
void tn_wait_set_wake(struct tn_wait_set *set, const tarn_channel *channel);
void tn_wait_set_wake_locked(struct tn_wait_set *set, const tarn_channel *channel);

// Collects the returns of all peers.
void tn_wait_set_reclaim(struct tn_wait_set *set);
// Like tn_wait_set_reclaim(), and ends the channels whose peer is gone.
void tn_wait_set_poll_peers(struct tn_wait_set *set);
// Ends the channel if its peer is gone. Returns true if the channel is still open.
bool tn_wait_set_is_alive(struct tn_wait_set *set, tarn_channel *channel);

// Calls attempt(arg) until it returns a status other than NOT_READY. Returns NOT_READY if the time
// is over before.
tarn_status tn_wait_until(tarn_channel *channel, uint32_t wants, uint64_t timeout_ns,
                          tarn_status (*attempt)(void *), void *arg);

void tn_eventfd_signal(int eventfd);
void tn_eventfd_clear(int eventfd);

// ---- the parcel cache

// The parcel cache of an arena: the parcels freed last, kept out of the pool for the next request
// of the same size. A stream of frames then reuses few parcels, which are still in the CPU caches,
// whereas the pool would choose by address. A cached parcel counts as free: a request that finds no
// room flushes the cache first. Any thread may call these functions.

#define TN_PARCEL_CACHE_ENTRIES 16u
#define TN_NO_PAGE              UINT32_MAX

struct tn_parcel_cache {
    struct tn_spin lock;
    uint32_t count; // this and the following. Guard: lock
    struct {
        uint64_t bytes;                 // that the parcel occupies
        uint32_t page;                  // its first page
    } entries[TN_PARCEL_CACHE_ENTRIES]; // in the order in which they were freed
};

static inline void tn_parcel_cache_init(struct tn_parcel_cache *cache) {
    cache->count = 0;
    tn_spin_init(&cache->lock, TN_RANK_CHANNEL_PARCEL_CACHE, "parcel cache of an arena");
}

// Removes the last freed parcel that occupies exactly `bytes`. Returns its first page, or
// TN_NO_PAGE if the cache has none.
uint32_t tn_parcel_cache_pop(struct tn_parcel_cache *cache, uint64_t bytes);

// Adds a parcel. If the cache was full, returns the first page of the oldest parcel, which the
// caller frees to the pool. Otherwise returns TN_NO_PAGE.
uint32_t tn_parcel_cache_push(struct tn_parcel_cache *cache, uint64_t bytes, uint32_t page);

// Removes all parcels, stores their first pages and returns their number.
uint32_t tn_parcel_cache_clear(struct tn_parcel_cache *cache,
                               uint32_t pages[TN_PARCEL_CACHE_ENTRIES]);

#define TN_HOLD      UINT64_C(1)
#define TN_HOLDS_MAX UINT64_C(0xffff)
#define TN_PEER_HOLD UINT64_C(0x10000)

static inline uint32_t tn_life_local_holds(uint64_t life) {
    return (uint32_t)(life & TN_HOLDS_MAX);
}

static inline uint32_t tn_life_peer_holds(uint64_t life) { return (uint32_t)(life / TN_PEER_HOLD); }

struct tn_parcel_record {
    _Atomic uint64_t life; // local holds + TN_PEER_HOLD * sends not returned; 0 means no parcel.
                           // The release at allocation pairs with the acquire of every reader
    // Written before `life` becomes nonzero, and constant until it is zero again.
    uint64_t bytes;
    uint32_t tag;
    uint16_t policy;
    // 1 after an AUTO send, until the parcel is this process' again or a new one starts there. Only
    // for the words of a refusal, so a reader may see it late.
    _Atomic uint16_t handed_over;
};

enum tn_arena_stat {
#define TN_ARENA_STAT(name, text) TN_ARENA_##name,
    TARN_ARENA_STATS_LIST(TN_ARENA_STAT)
#undef TN_ARENA_STAT
        TN_ARENA_STATS
};

// The statistics of an arena, in shared memory for tarn_arena_peek(). This process reads them only
// to report them.
struct tn_arena_board {
    uint64_t magic;
    uint64_t bytes;
    _Alignas(64) _Atomic uint64_t stats[TN_ARENA_STATS];
};
#define TN_ARENA_BOARD_MAGIC UINT64_C(0x647261626e726174) // "tarnboard"

struct tarn_arena {
    struct tn_shm shm;
    struct tn_shm board_shm;
    struct tn_arena_board *board;
    tarn_pool *pool;
    struct tn_parcel_cache cache;
    struct tn_parcel_record *records; // one for each page
    uint64_t records_bytes;
    uint64_t number; // of this arena, which no other one of the process ever has
    uint64_t largest;
    uint64_t prefault;
    struct tn_fork_entry fork_entry;
    struct tn_owner owner; // registers the memory, so that tarn_address_query() knows its parcels
    struct tn_wait_set wait_set;
    struct tn_spin peers_lock;
    tarn_channel *peers;   // channels that map the peer's arena, closed ones too. Guard: peers
    _Atomic uint64_t live; // live parcels; unlike the board, no other process can change it
};

#define TN_ARENA_ALIGN TN_SHM_HUGE
#define TN_ARENA_MAX   (UINT64_C(1) << 40)

// Refuses NULL, and an arena of the parent process.
tarn_status tn_arena_usable(const tarn_arena *arena);

static inline bool tn_arena_has(const tarn_arena *arena, const void *address) {
    return (uintptr_t)address - (uintptr_t)arena->shm.base < arena->shm.bytes;
}

static inline unsigned char *tn_arena_at(const tarn_arena *arena, uint32_t page) {
    TARN_ASSERT(page < arena->shm.bytes / TN_SHM_PAGE);
    return arena->shm.base + (uint64_t)page * TN_SHM_PAGE;
}

static inline uint32_t tn_arena_record_page(const tarn_arena *arena,
                                            const struct tn_parcel_record *record) {
    TARN_ASSERT((uintptr_t)record - (uintptr_t)arena->records < arena->records_bytes);
    return (uint32_t)(record - arena->records);
}

static inline void tn_arena_count(tarn_arena *arena, enum tn_arena_stat stat, uint64_t more) {
    (void)tn_add_relaxed(&arena->board->stats[stat], more);
}

// Returns the channel whose peer's arena contains the address, with one more reference, or NULL.
tarn_channel *tn_arena_peer_of(tarn_arena *arena, const void *address);

// ---- record.c

// Returns the bytes that a parcel of `bytes` occupies in the pool.
uint64_t tn_parcel_occupied(uint64_t bytes);

// Returns the record of a parcel that starts at `parcel`, an address in the arena, or NULL if none
// can start there. Its life may be zero.
struct tn_parcel_record *tn_arena_record(const tarn_arena *arena, const void *parcel);

// Describes the live parcel that contains the address, which is in the arena. Returns false if
// there is none.
bool tn_record_query(const tarn_arena *arena, const void *address, tarn_parcel_info *info);
// Fills the fields of tarn_address_info about the block of a pool with those of a parcel.
void tn_parcel_describe(const tarn_parcel_info *parcel, tarn_address_info *info);

// Initialises the record of a new parcel, with one local hold.
void tn_record_init(tarn_arena *arena, void *parcel, const tarn_parcel_request *request);
// Moves a local hold to a peer (AUTO), or adds a peer's hold (MANUAL). Returns false if the parcel
// has no local hold.
bool tn_record_send(struct tn_parcel_record *record);
// Ends a peer's hold, which may free the parcel. The caller calls tn_arena_notify_room().
void tn_record_return(tarn_arena *arena, struct tn_parcel_record *record);
// Turns a peer's hold into a local one.
void tn_record_return_as_hold(struct tn_parcel_record *record);
// Returns true if the latest parcel there was handed over to a peer, and has not come back.
bool tn_record_is_handed_over(const struct tn_parcel_record *record);
// Ends a local hold. Returns false if there was none.
bool tn_record_free(tarn_arena *arena, struct tn_parcel_record *record);

// Frees the cached parcels to the pool.
void tn_arena_flush_cache(tarn_arena *arena);

// Wakes the first thread that waits for room. The caller holds no lock of a channel.
void tn_arena_notify_room(tarn_arena *arena);

// ---- parcel.c

// Allocates a parcel for data that has arrived over a link, in turn with all threads that wait for
// room. `w` and `queued` keep the caller's place from attempt to attempt. Returns false if there is
// no room yet: `eventfd` is signalled when the caller should try again.
bool tn_parcel_alloc_for_link(tarn_arena *arena, uint64_t bytes, int eventfd, struct tn_waiter *w,
                              bool *queued, void **parcel);
