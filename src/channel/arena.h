// SPDX-License-Identifier: Apache-2.0
// An arena: memory that peers write too, the pool that places parcels in it, and one record for
// each page at which a parcel may start. Pool and records are private memory of this process.
//
// A record's `life` counts the holds on the parcel: local holds, and those of peers that it was
// sent to. One compare-and-swap moves a hold to a peer or back, and the thread that decrements the
// count to zero frees the parcel. So a free, a send and a return may race: each succeeds or is
// refused.
#ifndef TARN_CHANNEL_ARENA_H
#define TARN_CHANNEL_ARENA_H

#include <tarn/channel.h>
#include <tarn/pool.h>

#include "base/atomic.h"
#include "channel/fork.h"
#include "channel/memory.h"
#include "channel/parcel_cache.h"
#include "channel/wait_set.h"
#include "core/address/owner.h"

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
    uint32_t policy;
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
    return arena->shm.base + (uint64_t)page * TN_SHM_PAGE;
}

static inline uint32_t tn_arena_record_page(const tarn_arena *arena,
                                            const struct tn_parcel_record *record) {
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

#endif
