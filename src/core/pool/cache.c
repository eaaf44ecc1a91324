// SPDX-License-Identifier: Apache-2.0
// What each thread keeps of each pool: magazines of small blocks and a tally, touched without a
// lock. A cache belongs to the pool, which frees it; a thread finds its own by the pool's id, which
// is never used twice, so that what a destroyed pool leaves in a thread is never followed. A thread
// that ends asks the list of living pools which of its caches are still there, and empties them.
//
// A thread that would be refused empties everybody's magazines first. The owners take no lock, so
// it says what it wants, makes every running thread of the process pass a full fence (membarrier),
// and waits for those that were inside: the others are sure to see it.
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/pool/pool.h"

// The list of living pools, and each pool's list of caches.
static struct tn_mutex list_lock = TN_MUTEX(POOL, "list of pools");
static tarn_pool *pools;

TN_POOL_THREAD_LOCAL tn_pool_held tn_pool_recent;

// All caches of this thread, those of pools that are no more included.
static _Thread_local struct {
    tn_pool_held *list;
    size_t count;
    size_t capacity;
} mine;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;
static bool has_key;

// ---- lists; the lock is held

static tarn_pool *living(uint64_t id) {
    tarn_pool *pool = pools;
    while (pool != NULL && pool->id != id) {
        pool = pool->next_pool;
    }
    return pool;
}

static void unlink_cache(tn_pool_cache *cache) {
    *cache->link = cache->next;
    if (cache->next != NULL) {
        cache->next->link = cache->link;
    }
}

static void free_cache(tn_pool_cache *cache) {
    for (unsigned r = 0; r < TN_POOL_SLOTS; r++) {
        free(cache->magazines[r]);
    }
    free(cache);
}

static void empty(tarn_pool *pool, tn_pool_cache *cache, unsigned slot) {
    tn_pool_magazine *magazine = cache->magazines[slot];
    for (unsigned c = 0; magazine != NULL && c < pool->classes.count; c++) {
        if (magazine[c].count != 0) {
            tn_pool_small_flush(pool, slot, c, magazine[c].blocks, magazine[c].count);
            magazine[c].count = 0;
        }
    }
}

// ---- a thread's own list

static void forget_the_dead(void) {
    size_t kept = 0;
    tn_mutex_lock(&list_lock);
    for (size_t i = 0; i < mine.count; i++) {
        if (living(mine.list[i].id) != NULL) {
            mine.list[kept++] = mine.list[i];
        }
    }
    tn_mutex_unlock(&list_lock);
    mine.count = kept;
}

static bool reserve_mine(void) {
    if (mine.count < mine.capacity) {
        return true;
    }
    forget_the_dead();
    if (2 * mine.count <= mine.capacity && mine.capacity != 0) {
        return true;
    }
    size_t capacity = mine.capacity != 0 ? 2 * mine.capacity : 4;
    tn_pool_held *list = (tn_pool_held *)realloc(mine.list, capacity * sizeof *list);
    if (list == NULL) {
        return false;
    }
    mine.list = list;
    mine.capacity = capacity;
    return true;
}

static void thread_ends(void *unused) {
    (void)unused;
    tn_mutex_lock(&list_lock);
    for (size_t i = 0; i < mine.count; i++) {
        tarn_pool *pool = living(mine.list[i].id);
        if (pool != NULL) {
            for (unsigned r = 0; r < TN_POOL_SLOTS; r++) {
                empty(pool, mine.list[i].cache, r);
            }
            tn_pool_tally_fold(&mine.list[i].cache->tally, &pool->totals);
            unlink_cache(mine.list[i].cache);
            free_cache(mine.list[i].cache);
        }
    }
    tn_mutex_unlock(&list_lock);
    free(mine.list);
    memset(&mine, 0, sizeof mine);
    memset(&tn_pool_recent, 0, sizeof tn_pool_recent);
}

static void make_key(void) {
    has_key = pthread_key_create(&at_exit, thread_ends) == 0;
}

static tn_pool_cache *make(tarn_pool *pool) {
    (void)pthread_once(&once, make_key);
    // Without the key a thread's end would leave its blocks stranded; any value but NULL will do.
    if (!has_key || !reserve_mine() || pthread_setspecific(at_exit, &once) != 0) {
        return NULL;
    }
    tn_pool_cache *cache = (tn_pool_cache *)calloc(1, sizeof *cache);
    if (cache == NULL) {
        return NULL;
    }
    tn_mutex_lock(&list_lock);
    cache->next = pool->caches;
    cache->link = &pool->caches;
    if (cache->next != NULL) {
        cache->next->link = &cache->next;
    }
    pool->caches = cache;
    tn_mutex_unlock(&list_lock);
    tn_pool_held *held = &mine.list[mine.count++];
    held->id = pool->id;
    held->cache = cache;
    return cache;
}

tn_pool_cache *tn_pool_cache_find(tarn_pool *pool) {
    tn_pool_cache *cache = NULL;
    for (size_t i = 0; i < mine.count && cache == NULL; i++) {
        cache = mine.list[i].id == pool->id ? mine.list[i].cache : NULL;
    }
    if (cache == NULL) {
        cache = make(pool);
    }
    if (cache != NULL) {
        tn_pool_recent.id = pool->id;
        tn_pool_recent.cache = cache;
    }
    return cache;
}

tn_pool_magazine *tn_pool_cache_equip(tarn_pool *pool, tn_pool_cache *cache, unsigned slot) {
    cache->magazines[slot] =
        (tn_pool_magazine *)calloc(pool->classes.count, sizeof *cache->magazines[slot]);
    return cache->magazines[slot];
}

void tn_pool_cache_flush(tarn_pool *pool, unsigned slot) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (cache != NULL && tn_pool_cache_enter(cache)) {
        empty(pool, cache, slot);
        tn_pool_cache_leave(cache);
    }
}

// ---- everybody's magazines

static pthread_once_t fence_once = PTHREAD_ONCE_INIT;
static bool has_fence;

static bool membarrier(int command) {
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

static void register_fence(void) {
    has_fence = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

static void wait_until_left(tn_pool_cache *cache) {
    while (tn_load_acquire(&cache->inside) != 0) {
        (void)sched_yield(); // its thread may have lost the processor inside
    }
}

static void empty_seized(tarn_pool *pool, tn_pool_cache *cache) {
    wait_until_left(cache);
    for (unsigned r = 0; r < TN_POOL_SLOTS; r++) {
        empty(pool, cache, r);
    }
    tn_store_release(&cache->seized, 0);
}

void tn_pool_cache_flush_all(tarn_pool *pool) {
    (void)pthread_once(&fence_once, register_fence);
    if (!has_fence) {
        return;
    }
    tn_mutex_lock(&list_lock);
    for (tn_pool_cache *cache = pool->caches; cache != NULL; cache = cache->next) {
        tn_store_relaxed(&cache->seized, 1);
    }
    bool fenced = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    for (tn_pool_cache *cache = pool->caches; cache != NULL; cache = cache->next) {
        if (fenced) {
            empty_seized(pool, cache);
        } else {
            tn_store_release(&cache->seized, 0);
        }
    }
    tn_mutex_unlock(&list_lock);
}

// ---- the list of pools

void tn_pool_cache_enlist(tarn_pool *pool) {
    static uint64_t last_id; // guarded by the lock
    tn_mutex_lock(&list_lock);
    pool->id = ++last_id;
    pool->next_pool = pools;
    pools = pool;
    tn_mutex_unlock(&list_lock);
}

void tn_pool_cache_delist(tarn_pool *pool) {
    tn_mutex_lock(&list_lock);
    tarn_pool **link = &pools;
    while (*link != pool) {
        link = &(*link)->next_pool;
    }
    *link = pool->next_pool;
    while (pool->caches != NULL) {
        tn_pool_cache *cache = pool->caches;
        unlink_cache(cache);
        free_cache(cache);
    }
    tn_mutex_unlock(&list_lock);
}

// Pools of the parent are forgotten, here and in the thread.
static void forget_pools(void) {
    tn_mutex_init(&list_lock, TN_RANK_POOL, "list of pools");
    tn_pool_threshold_fork_child();
    pools = NULL;
    mine.count = 0;
    memset(&tn_pool_recent, 0, sizeof tn_pool_recent);
}

TN_ON_FORK(pools, .rank = TN_RANK_POOL, .child = forget_pools);

void tn_pool_cache_each(tarn_pool *pool, void (*visit)(tn_pool_cache *, void *), void *arg) {
    tn_mutex_lock(&list_lock);
    for (tn_pool_cache *cache = pool->caches; cache != NULL; cache = cache->next) {
        visit(cache, arg);
    }
    tn_mutex_unlock(&list_lock);
}

void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used) {
    tn_pool_tally tally;
    memset(&tally, 0, sizeof tally);
    if (alloc) {
        (void)tn_pool_tally_alloc(&tally, tag, live, used);
    } else {
        (void)tn_pool_tally_free(&tally, tag, live, used);
    }
    tn_pool_tally_fold(&tally, &pool->totals);
}
