// SPDX-License-Identifier: Apache-2.0
// Arenas: creation, the end, room for those who wait, and statistics.
#include "channel/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/struct.h"
#include "channel/channel.h"
#include "channel/fork.h"

#define BYTES_DEFAULT   (UINT64_C(1) << 30)
#define BYTES_MOST      (UINT64_C(1) << 40)
#define LARGEST_DEFAULT (UINT64_C(256) << 20)

tarn_status tn_arena_usable(const tarn_arena *arena) {
    if (arena == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "arena NULL");
    }
    if (arena->generation != tn_load_relaxed(&tn_channel_forks)) {
        return tn_fail(TARN_FORKED, "the arena belongs to the parent process");
    }
    return TARN_OK;
}

// ---- creation

static tarn_status check_desc(tarn_arena_desc *desc) {
    if (desc->bytes > BYTES_MOST || (desc->flags & ~(uint32_t)TARN_ARENA_HUGE) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "an arena of %llu bytes, flags 0x%x",
                       (unsigned long long)desc->bytes, desc->flags);
    }
    desc->bytes = desc->bytes != 0 ? desc->bytes : BYTES_DEFAULT;
    desc->bytes = (desc->bytes + TN_ARENA_ALIGN - 1) & ~(TN_ARENA_ALIGN - 1);
    if (desc->largest > desc->bytes) {
        return tn_fail(TARN_BAD_ARGUMENT, "parcels of %llu bytes in an arena of %llu",
                       (unsigned long long)desc->largest, (unsigned long long)desc->bytes);
    }
    if (desc->largest == 0) {
        desc->largest = desc->bytes < LARGEST_DEFAULT ? desc->bytes : LARGEST_DEFAULT;
    }
    return TARN_OK;
}

static tarn_status make_records(tarn_arena *arena) {
    arena->records_bytes = arena->shm.bytes / TN_SHM_PAGE * sizeof *arena->records;
    void *records = mmap(NULL, arena->records_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (records == MAP_FAILED) {
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno, "records of an arena");
    }
    arena->records = (struct tn_parcel_record *)records;
    return TARN_OK;
}

static tarn_status make_board(tarn_arena *arena) {
    tarn_status status = tn_shm_create("tarn-arena-board", sizeof(struct tn_arena_board),
                                       TN_SHM_PAGE, TN_SHM_ONE_WRITES, &arena->board_shm);
    if (status == TARN_OK) {
        arena->board = (struct tn_arena_board *)(void *)arena->board_shm.base;
        arena->board->magic = TN_ARENA_BOARD_MAGIC;
        arena->board->bytes = sizeof(struct tn_arena_board);
        tn_arena_count(arena, TN_ARENA_capacity_bytes, arena->shm.bytes);
    }
    return status;
}

static tarn_status make_pool(tarn_arena *arena) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_FIXED;
    desc.rule = (tarn_rule){TN_SHM_PAGE, TN_SHM_PAGE, 0};
    desc.base = (tarn_addr)(uintptr_t)arena->shm.base;
    desc.bytes = arena->shm.bytes;
    return tarn_pool_create(&desc, &arena->pool);
}

static tarn_status make_memory(tarn_arena *arena, const tarn_arena_desc *desc) {
    tarn_status status =
        tn_shm_create("tarn-arena", desc->bytes, TN_ARENA_ALIGN, TN_SHM_ALL_WRITE, &arena->shm);
    if (status != TARN_OK) {
        return status;
    }
    if ((desc->flags & TARN_ARENA_HUGE) != 0) {
        (void)madvise(arena->shm.base, arena->shm.bytes, MADV_HUGEPAGE);
    }
    arena->largest = desc->largest;
    arena->prefault = desc->prefault < desc->bytes ? desc->prefault : desc->bytes;
    status = tn_shm_populate(&arena->shm, arena->prefault, false);
    if (status != TARN_OK) {
        tn_shm_close(&arena->shm);
    }
    return status;
}

tarn_status tarn_arena_create(const tarn_arena_desc *desc, tarn_arena **arena) {
    tarn_arena_desc own;
    if (desc == NULL || arena == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "desc %p, arena %p", (const void *)desc, (void *)arena);
    }
    tarn_status status = tn_struct_read(&own, sizeof own, desc, "tarn_arena_desc");
    if (status != TARN_OK || (status = check_desc(&own)) != TARN_OK) {
        return status;
    }
    tarn_arena *a = (tarn_arena *)aligned_alloc(64, (sizeof *a + 63) / 64 * 64);
    if (a == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "an arena's record");
    }
    *a = (tarn_arena){.shm = TN_SHM_NONE, .board_shm = TN_SHM_NONE};
    tn_parcel_cache_init(&a->cache);
    tn_spin_init(&a->peers_lock, TN_RANK_CHANNEL_PEERS, "peers of an arena");
    if ((status = make_memory(a, &own)) != TARN_OK) {
        goto err_free;
    }
    if ((status = make_board(a)) != TARN_OK) {
        goto err_memory;
    }
    if ((status = make_records(a)) != TARN_OK) {
        goto err_board;
    }
    if ((status = make_pool(a)) != TARN_OK) {
        goto err_records;
    }
    if ((status = tn_wait_set_init(&a->wait_set)) != TARN_OK) {
        goto err_pool;
    }
    tn_fork_add_arena(a);
    *arena = a;
    return TARN_OK;

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
    return status;
}

// ---- the end

static tarn_status check_unused(tarn_arena *arena) {
    tn_wait_set_reclaim(&arena->wait_set);
    uint64_t live = tn_load_relaxed(&arena->live);
    if (live != 0) {
        return tn_fail(TARN_BUSY, "%llu parcels of the arena are live", (unsigned long long)live);
    }
    tn_spin_lock(&arena->peers_lock);
    const tarn_channel *peer = arena->peers;
    tn_spin_unlock(&arena->peers_lock);
    if (peer != NULL) {
        return tn_fail(TARN_BUSY, "a channel of the arena is open, or what it received is held");
    }
    return TARN_OK;
}

tarn_status tarn_arena_destroy(tarn_arena *arena) {
    if (arena == NULL) {
        return TARN_OK;
    }
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK || (status = check_unused(arena)) != TARN_OK) {
        return status;
    }
    tn_arena_flush_cache(arena);
    status = tarn_pool_destroy(arena->pool);
    if (status != TARN_OK) {
        return status;
    }
    tn_fork_remove_arena(arena);
    tn_wait_set_fini(&arena->wait_set);
    (void)munmap(arena->records, arena->records_bytes);
    tn_shm_close(&arena->board_shm);
    tn_shm_close(&arena->shm);
    free(arena);
    return TARN_OK;
}

// ---- what others ask of it

void tn_arena_notify_room(tarn_arena *arena) {
    // The free before was made under the pool's lock, as is the attempt of who waits, who counted
    // himself before it: either he finds the room, or he is seen here.
    if (tn_load_relaxed(&arena->wait_set.for_room) != 0) {
        tn_wait_set_wake(&arena->wait_set, NULL);
    }
}

tarn_channel *tn_arena_peer_of(tarn_arena *arena, const void *address) {
    tn_spin_lock(&arena->peers_lock);
    tarn_channel *c = arena->peers;
    while (c != NULL && !tn_channel_peer_has(c, address)) {
        c = c->next_peer;
    }
    if (c != NULL && !tn_channel_ref(c)) {
        c = NULL; // on its way out
    }
    tn_spin_unlock(&arena->peers_lock);
    return c;
}

static void look_after_peers(tarn_arena *arena) {
    tn_mutex_lock(&arena->wait_set.lock);
    for (tarn_channel *c = arena->wait_set.channels; c != NULL; c = c->next) {
        tn_channel_reclaim(c);
        if (!tn_channel_socket_alive(c)) {
            tn_channel_disconnected_locked(c);
        }
    }
    tn_mutex_unlock(&arena->wait_set.lock);
}

tarn_status tarn_arena_query_stats(tarn_arena *arena, tarn_arena_stats *stats) {
    tarn_arena_stats own = {.struct_size = sizeof own};
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK) {
        return status;
    }
    look_after_peers(arena);
#define COPY(name, text) own.name = tn_load_relaxed(&arena->board->stats[TN_ARENA_##name]);
    TARN_ARENA_STATS_LIST(COPY)
#undef COPY
    return tn_struct_write(stats, &own, sizeof own, "tarn_arena_stats");
}
