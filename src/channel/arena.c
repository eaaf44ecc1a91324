// SPDX-License-Identifier: Apache-2.0
// Arenas: creation, destruction and statistics. The steps of a creation are undone in reverse order
// on failure.
#include "channel/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/struct.h"
#include "channel/channel.h"
#include "fail/point.h"

#define BYTES_DEFAULT   (UINT64_C(1) << 30)
#define LARGEST_DEFAULT (UINT64_C(256) << 20)

static _Atomic uint64_t arenas; // created so far

tarn_status tn_arena_usable(const tarn_arena *arena) {
    TN_REFUSE(arena == NULL, TARN_BAD_ARGUMENT, "arena is NULL");
    TN_REFUSE(tn_fork_is_inherited(&arena->fork_entry), TARN_FORKED,
              "the arena belongs to the parent process");
    return TARN_OK;
}

// ---- creation

static tarn_status complete_desc(tarn_arena_desc *desc) {
    TN_REFUSE(desc->bytes > TN_ARENA_MAX || (desc->flags & ~(uint32_t)TARN_ARENA_HUGE) != 0,
              TARN_BAD_ARGUMENT, "bytes is %llu (at most %llu), flags 0x%x",
              (unsigned long long)desc->bytes, (unsigned long long)TN_ARENA_MAX, desc->flags);
    desc->bytes = desc->bytes != 0 ? desc->bytes : BYTES_DEFAULT;
    desc->bytes = (desc->bytes + TN_ARENA_ALIGN - 1) & ~(TN_ARENA_ALIGN - 1);
    TN_REFUSE(desc->largest > desc->bytes, TARN_BAD_ARGUMENT,
              "largest is %llu, more than the arena's %llu bytes",
              (unsigned long long)desc->largest, (unsigned long long)desc->bytes);
    if (desc->largest == 0)
        desc->largest = desc->bytes < LARGEST_DEFAULT ? desc->bytes : LARGEST_DEFAULT;
    TARN_ASSERT(desc->bytes % TN_ARENA_ALIGN == 0 && desc->largest <= desc->bytes);
    return TARN_OK;
}

static tarn_status map_records(tarn_arena *arena) {
    arena->records_bytes = arena->shm.bytes / TN_SHM_PAGE * sizeof *arena->records;
    void *records = mmap(NULL, arena->records_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (records == MAP_FAILED)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno, "the records of an arena");
    arena->records = (struct tn_parcel_record *)records;
    return TARN_OK;
}

static tarn_status create_board(tarn_arena *arena) {
    TN_TRY(tn_shm_create("tarn-arena-board", sizeof(struct tn_arena_board), TN_SHM_PAGE,
                         TN_SHM_ONE_WRITES, &arena->board_shm));
    arena->board = (struct tn_arena_board *)(void *)arena->board_shm.base;
    arena->board->magic = TN_ARENA_BOARD_MAGIC;
    arena->board->bytes = sizeof(struct tn_arena_board);
    tn_arena_count(arena, TN_ARENA_capacity_bytes, arena->shm.bytes);
    return TARN_OK;
}

static tarn_status create_pool(tarn_arena *arena) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_FIXED;
    desc.rule = (tarn_rule){TN_SHM_PAGE, TN_SHM_PAGE, 0};
    desc.base = (tarn_addr)(uintptr_t)arena->shm.base;
    desc.bytes = arena->shm.bytes;
    return tarn_pool_create(&desc, &arena->pool);
}

static tarn_status create_memory(tarn_arena *arena, const tarn_arena_desc *desc) {
    TN_TRY(tn_shm_create("tarn-arena", desc->bytes, TN_ARENA_ALIGN, TN_SHM_ALL_WRITE, &arena->shm));
    if ((desc->flags & TARN_ARENA_HUGE) != 0)
        (void)madvise(arena->shm.base, arena->shm.bytes, MADV_HUGEPAGE);
    arena->largest = desc->largest;
    TARN_ASSERT((uintptr_t)arena->shm.base % TN_ARENA_ALIGN == 0);
    arena->prefault = desc->prefault < desc->bytes ? desc->prefault : desc->bytes;
    tarn_status status = tn_shm_populate(&arena->shm, arena->prefault, false);
    if (status != TARN_OK) tn_shm_close(&arena->shm);
    return status;
}

// Describes a parcel for tarn_address_query().
static void describe_address(struct tn_owner *owner, tarn_addr addr, tarn_address_info *info) {
    const tarn_arena *arena =
        (const tarn_arena *)(const void *)((const char *)owner - offsetof(tarn_arena, owner));
    tarn_parcel_info parcel;
    if (!tn_fork_is_inherited(&arena->fork_entry) &&
        tn_record_query(arena, (const void *)(uintptr_t)addr, &parcel))
        tn_parcel_describe(&parcel, info);
}

static const struct tn_owner_ops owner_ops = {.describe = describe_address};

tarn_status tarn_arena_create(const tarn_arena_desc *desc, tarn_arena **arena) {
    TN_FAIL_POINT(0, 0);
    tarn_arena_desc own;
    TN_REFUSE(desc == NULL || arena == NULL, TARN_BAD_ARGUMENT, "desc is %p, arena is %p",
              (const void *)desc, (void *)arena);
    tarn_status status;
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_arena_desc"));
    TN_TRY(complete_desc(&own));
    tarn_arena *a = (tarn_arena *)aligned_alloc(64, (sizeof *a + 63) / 64 * 64);
    TN_REFUSE(a == NULL, TARN_NO_HOST_MEMORY, "out of host memory for an arena");
    *a = (tarn_arena){.number = tn_add_relaxed(&arenas, 1),
                      .shm = TN_SHM_NONE,
                      .board_shm = TN_SHM_NONE,
                      .owner = {.ops = &owner_ops, .kind = TARN_OWNER_CHANNEL}};
    tn_parcel_cache_init(&a->cache);
    tn_spin_init(&a->peers_lock, TN_RANK_CHANNEL_PEERS, "peers of an arena");
    if ((status = create_memory(a, &own)) != TARN_OK) goto err_free;
    if ((status = create_board(a)) != TARN_OK) goto err_memory;
    if ((status = map_records(a)) != TARN_OK) goto err_board;
    if ((status = create_pool(a)) != TARN_OK) goto err_records;
    if ((status = tn_wait_set_init(&a->wait_set)) != TARN_OK) goto err_pool;
    status = tn_owner_add_range(&a->owner, (tarn_addr)(uintptr_t)a->shm.base, a->shm.bytes);
    if (status != TARN_OK) goto err_wait_set;
    a->fork_entry.arena = a;
    tn_fork_add(&a->fork_entry);
    *arena = a;
    return TARN_OK;

err_wait_set:
    tn_wait_set_fini(&a->wait_set);
err_pool:
    (void)tarn_pool_destroy(a->pool);
err_records:
    (void)munmap(a->records, a->records_bytes);
err_board:
    tn_shm_close(&a->board_shm);
err_memory:
    tn_shm_close(&a->shm);
err_free:
    free(a);
    return TN_DONE(status);
}

// ---- destruction

static tarn_status check_unused(tarn_arena *arena) {
    tn_wait_set_reclaim(&arena->wait_set);
    uint64_t live = tn_load_relaxed(&arena->live);
    TN_REFUSE(live != 0, TARN_BUSY, "%llu parcels of the arena are live", (unsigned long long)live);
    TN_SPIN_LOCKED(&arena->peers_lock);
    TN_REFUSE(arena->peers != NULL, TARN_BUSY,
              "a channel of the arena is open, or a parcel received over it is still held");
    return TARN_OK;
}

tarn_status tarn_arena_destroy(tarn_arena *arena) {
    if (arena == NULL) return TARN_OK;
    TN_TRY(tn_arena_usable(arena));
    TN_TRY(check_unused(arena));
    tn_owner_remove_range((tarn_addr)(uintptr_t)arena->shm.base);
    tn_owner_drain(&arena->owner);
    tn_arena_flush_cache(arena);
    TARN_ASSERT(arena->peers == NULL && arena->cache.count == 0);
    TN_TRY(tarn_pool_destroy(arena->pool));
    tn_fork_remove(&arena->fork_entry);
    tn_wait_set_fini(&arena->wait_set);
    (void)munmap(arena->records, arena->records_bytes);
    tn_shm_close(&arena->board_shm);
    tn_shm_close(&arena->shm);
    free(arena);
    return TARN_OK;
}

// ---- peers and statistics

tarn_channel *tn_arena_peer_of(tarn_arena *arena, const void *address) {
    TN_SPIN_LOCKED(&arena->peers_lock);
    tarn_channel *c = arena->peers;
    while (c != NULL && !tn_channel_peer_has(c, address)) c = c->next_peer;
    return c != NULL && tn_channel_ref(c) ? c : NULL; // the last reference may be gone already
}

tarn_status tarn_arena_query_stats(tarn_arena *arena, tarn_arena_stats *stats) {
    tarn_arena_stats own = {.struct_size = sizeof own};
    TN_TRY(tn_arena_usable(arena));
    tn_wait_set_poll_peers(&arena->wait_set);
#define COPY(name, text) own.name = tn_load_relaxed(&arena->board->stats[TN_ARENA_##name]);
    TARN_ARENA_STATS_LIST(COPY)
    return TN_DONE(tn_struct_write(stats, &own, sizeof own, "tarn_arena_stats"));
}
