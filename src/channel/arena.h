// SPDX-License-Identifier: Apache-2.0
// An arena from the inside: its memory, which peers write too, and beside it, in memory of this
// process alone, the pool that places parcels and a record for each page where one may start.
//
// A record's `life` counts how often the parcel must still be let go of: by holders here, and by
// peers that it was sent to. One compare-and-swap moves a hold to a peer or back; whoever takes the
// count to zero gives the bytes to the pool. So a free, a send and a return may meet on one parcel
// and each either happens or is refused.
#ifndef TARN_CHANNEL_ARENA_H
#define TARN_CHANNEL_ARENA_H

#include <tarn/channel.h>
#include <tarn/pool.h>

#include "base/atomic.h"
#include "channel/memory.h"
#include "channel/parcel_cache.h"
#include "channel/wait_set.h"

#define TN_HOLD      UINT64_C(1)
#define TN_HOLDS_MAX UINT64_C(0xffff)
#define TN_PEER_HOLD UINT64_C(0x10000)

static inline uint32_t tn_life_local_holds(uint64_t life) {
    return (uint32_t)(life & TN_HOLDS_MAX);
}

static inline uint32_t tn_life_peer_holds(uint64_t life) {
    return (uint32_t)(life / TN_PEER_HOLD);
}

struct tn_parcel_record {
    _Atomic uint64_t
        life; // holds here + TN_PEER_HOLD * sends that have not come back; 0: no parcel.
              // The release when it is born pairs with the acquire of who looks
    // Written before `life` is born; stay while it is not zero.
    uint64_t bytes;
    uint32_t tag;
    uint32_t policy;
};

enum tn_arena_stat {
#define TN_STAT(name, text) TN_ARENA_##name,
    TARN_ARENA_STATS_LIST(TN_STAT)
#undef TN_STAT
        TN_ARENA_STATS
};

// The statistics of an arena, in shared memory for tarn_arena_peek(). Never read by this process
// but to show them.
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
    struct tn_parcel_record *records; // one a page
    uint64_t records_bytes;
    uint64_t largest;
    uint64_t prefault;
    unsigned generation; // of forks
    struct tn_wait_set wait_set;
    struct tn_spin peers_lock;
    tarn_channel *peers;     // channels whose peer's arena is mapped, closed ones too. Guard: peers
    struct tarn_arena *next; // list of all, for forks
    _Atomic uint64_t live;   // parcels alive; unlike the board nobody else can change it
};

#define TN_ARENA_ALIGN TN_SHM_HUGE

// Refuses NULL and a parent's arena.
tarn_status tn_arena_usable(const tarn_arena *arena);

static inline bool tn_arena_has(const tarn_arena *arena, const void *address) {
    return (uintptr_t)address - (uintptr_t)arena->shm.base < arena->shm.bytes;
}

static inline unsigned char *tn_arena_at(const tarn_arena *arena, uint32_t page) {
    return arena->shm.base + (uint64_t)page * TN_SHM_PAGE;
}

// The record of the parcel that starts at `parcel`, an address in the arena; NULL: none can start
// there. Its life may be zero.
struct tn_parcel_record *tn_arena_record(const tarn_arena *arena, const void *parcel);
static inline uint32_t tn_arena_record_page(const tarn_arena *arena,
                                            const struct tn_parcel_record *record) {
    return (uint32_t)(record - arena->records);
}

// A hold becomes a loan to a peer (AUTO), or a loan is added (MANUAL). False: no hold.
bool tn_record_send(struct tn_parcel_record *record);
// A loan comes back: the parcel may be free then. tn_arena_notify_room() is the caller's to call.
void tn_record_return(tarn_arena *arena, struct tn_parcel_record *record);
// A loan comes back as a hold.
void tn_record_return_as_hold(struct tn_parcel_record *record);

// A parcel for what has arrived over a link, in line with all who wait for room: `w` and `in_line`
// stay the caller's from try to try. False: no room yet; the eventfd `bell` tells when to try
// again.
bool tn_parcel_alloc_for_link(tarn_arena *arena, uint64_t bytes, int bell, struct tn_waiter *w,
                              bool *in_line, void **parcel);

// Gives what is on the shelf to the pool.
void tn_arena_flush_cache(tarn_arena *arena);

// Tells those who wait for room that there is some. Not with a lock of a channel held.
void tn_arena_notify_room(tarn_arena *arena);

// The channel, with a reference more, whose peer's arena has that address; NULL.
tarn_channel *tn_arena_peer_of(tarn_arena *arena, const void *address);

static inline void tn_arena_count(tarn_arena *arena, enum tn_arena_stat stat, uint64_t more) {
    (void)tn_add_relaxed(&arena->board->stats[stat], more);
}

#endif
