// SPDX-License-Identifier: Apache-2.0
// Thread caches: each thread's magazines and tally of each pool, used without a lock. A cache
// belongs to the pool, which frees it. A thread finds its own by the pool's id, which is never used
// twice, so a thread never uses a cache of a destroyed pool. A thread that ends looks up which of
// its caches still exist, and empties them.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/barrier.h"
#include "base/list.h"
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"
#include "core/pool/small/cache.h"

// The list of living pools, and each pool's list of caches.
static struct tn_mutex list_lock = TN_MUTEX(POOL, "list of pools");
static tarn_pool *pools;

TN_POOL_THREAD_LOCAL tn_pool_held tn_pool_recent;

// All caches of this thread, those of destroyed pools included.
static _Thread_local struct {
    tn_pool_held *list;
    size_t count;
    size_t capacity;
} mine;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;
static bool has_key;

// ---- lists; the lock is held

static tarn_pool *living_pool(uint64_t id) {
    TARN_ASSERT(tn_mutex_is_held(&list_lock));
    tarn_pool *pool = pools;
    while (pool != NULL && pool->id != id) pool = pool->small.next_pool;
    return pool;
}

// Makes the only thread leave its cache, so that its claims and counts from now on are those of one
// of several.
static void end_alone(tarn_pool *pool) {
    TARN_ASSERT(tn_mutex_is_held(&list_lock));
    tn_pool_cache *first = tn_load_relaxed(&pool->small.alone);
    pool->small.joined = true;
    if (first != NULL) {
        tn_store_relaxed(&pool->small.alone, NULL);
        tn_barrier();
        while (tn_load_acquire(&first->inside) != 0) (void)sched_yield();
        tn_store_relaxed(&first->tally.slack, 0); // it folds in its next call
    }
}

// Only other threads miss the changes that a tally hides.
void tn_pool_count_fold(tn_pool_cache *cache, void *arg) {
    TARN_ASSERT(cache != NULL);
    tarn_pool *pool = (tarn_pool *)arg;
    tn_pool_tally_fold(&cache->tally, &pool->totals);
    if (tn_load_relaxed(&pool->small.alone) == cache)
        tn_store_relaxed(&cache->tally.slack, UINT64_MAX);
}

static void cache_free(tn_pool_cache *cache) {
    TARN_ASSERT(tn_mutex_is_held(&list_lock));
    *cache->link = cache->next;
    if (cache->next != NULL) cache->next->link = cache->link;
    for (unsigned s = 0; s < TN_MAGAZINE_SLOTS; s++) free(cache->magazines[s]);
    free(cache);
}

static void cache_empty(tarn_pool *pool, tn_pool_cache *cache, unsigned slot) {
    TARN_ASSERT(slot < TN_MAGAZINE_SLOTS);
    tn_pool_magazine *magazine = cache->magazines[slot];
    for (unsigned c = 0; magazine != NULL && c < pool->classes.count; c++) {
        if (magazine[c].count != 0) {
            tn_pool_slab_flush(pool, slot, c, magazine[c].blocks, magazine[c].count);
            magazine[c].count = 0;
        }
    }
}

// ---- a thread's own list

static bool reserve_mine(void) {
    if (mine.count < mine.capacity) return true;
    size_t kept = 0; // those of living pools
    tn_mutex_lock(&list_lock);
    for (size_t i = 0; i < mine.count; i++)
        if (living_pool(mine.list[i].id) != NULL) mine.list[kept++] = mine.list[i];
    tn_mutex_unlock(&list_lock);
    mine.count = kept;
    // The list grows unless half of it became free, so that searches for destroyed pools are rare.
    if (mine.capacity != 0 && 2 * mine.count <= mine.capacity) return true;
    size_t capacity = mine.capacity != 0 ? 2 * mine.capacity : 4;
    tn_pool_held *list = (tn_pool_held *)realloc(mine.list, capacity * sizeof *list);
    if (list == NULL) return false;
    mine.list = list;
    mine.capacity = capacity;
    return true;
}

// Gives a cache the first home of those with the fewest caches.
static void move_in(tarn_pool *pool, tn_pool_cache *cache) {
    TARN_ASSERT(tn_mutex_is_held(&list_lock));
    _Atomic(uint32_t) *residents = pool->small.residents;
    unsigned home = 0;
    for (unsigned h = 1; h < TN_HOMES; h++)
        if (tn_load_relaxed(&residents[h]) < tn_load_relaxed(&residents[home])) home = h;
    tn_store_relaxed(&residents[home], tn_load_relaxed(&residents[home]) + 1);
    cache->home = home;
}

static void move_out(tarn_pool *pool, const tn_pool_cache *cache) {
    _Atomic(uint32_t) *residents = &pool->small.residents[cache->home];
    TARN_ASSERT(tn_mutex_is_held(&list_lock) && tn_load_relaxed(residents) != 0);
    tn_store_relaxed(residents, tn_load_relaxed(residents) - 1);
}

static void thread_ends(void *unused) {
    (void)unused;
    tn_mutex_lock(&list_lock);
    for (size_t i = 0; i < mine.count; i++) {
        tarn_pool *pool = living_pool(mine.list[i].id);
        if (pool != NULL) {
            for (unsigned s = 0; s < TN_MAGAZINE_SLOTS; s++)
                cache_empty(pool, mine.list[i].cache, s);
            tn_pool_count_fold(mine.list[i].cache, pool);
            tn_store_relaxed(&pool->small.alone, NULL);
            tn_pool_shard_leave(pool, mine.list[i].cache);
            move_out(pool, mine.list[i].cache);
            cache_free(mine.list[i].cache);
        }
    }
    tn_mutex_unlock(&list_lock);
    free(mine.list);
    memset(&mine, 0, sizeof mine);
    memset(&tn_pool_recent, 0, sizeof tn_pool_recent);
}

static void make_key(void) { has_key = pthread_key_create(&at_exit, thread_ends) == 0; }

static tn_pool_cache *cache_new(tarn_pool *pool) {
    (void)pthread_once(&once, make_key);
    // Without the key the blocks of a thread would be lost when it ends. Any value except NULL
    // serves.
    if (!has_key || !reserve_mine() || pthread_setspecific(at_exit, &once) != 0) return NULL;
    tn_pool_cache *cache = (tn_pool_cache *)calloc(1, sizeof *cache);
    if (cache == NULL) return NULL;
    tn_mutex_lock(&list_lock);
    if (pool->small.joined || pool->small.caches != NULL)
        end_alone(pool);
    else if (tn_barrier_works())
        tn_store_relaxed(&pool->small.alone, cache);
    pool->small.joined = true;
    move_in(pool, cache);
    cache->next = pool->small.caches;
    cache->link = &pool->small.caches;
    if (cache->next != NULL) cache->next->link = &cache->next;
    pool->small.caches = cache;
    tn_mutex_unlock(&list_lock);
    tn_pool_fit_adopt(pool);
    mine.list[mine.count++] = (tn_pool_held){pool->id, cache};
    return cache;
}

tn_pool_cache *tn_pool_cache_find(tarn_pool *pool) {
    tn_pool_cache *cache = NULL;
    for (size_t i = 0; i < mine.count && cache == NULL; i++)
        cache = mine.list[i].id == pool->id ? mine.list[i].cache : NULL;
    if (cache == NULL) cache = cache_new(pool);
    if (cache == NULL) {
        tn_mutex_lock(&list_lock);
        end_alone(pool);
        tn_mutex_unlock(&list_lock);
        return NULL;
    }
    tn_pool_recent = (tn_pool_held){pool->id, cache};
    return cache;
}

tn_pool_magazine *tn_pool_cache_equip(tarn_pool *pool, tn_pool_cache *cache, unsigned slot) {
    if (slot >= TN_MAGAZINE_SLOTS) return NULL;
    cache->magazines[slot] =
        (tn_pool_magazine *)calloc(pool->classes.count, sizeof *cache->magazines[slot]);
    return cache->magazines[slot];
}

void tn_pool_cache_flush(tarn_pool *pool, unsigned slot) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (slot < TN_MAGAZINE_SLOTS && cache != NULL && tn_pool_cache_enter(cache)) {
        cache_empty(pool, cache, slot);
        tn_pool_cache_leave(cache);
    }
}

void tn_pool_small_return(tarn_pool *pool, tn_pool_cache *cache, uint64_t packed) {
    bool entered = cache != NULL && tn_pool_cache_enter(cache);
    tn_pool_magazine_push(pool, cache, entered, &pool->small.slabs[packed >> 32], packed);
    if (entered) tn_pool_cache_leave(cache);
}

// ---- the magazines of all threads

// The protocol is that of a biased lock (base/biased.h), with one barrier for all caches. Where it
// does not work, the magazines stay as they are.
void tn_pool_cache_flush_all(tarn_pool *pool) {
    if (!tn_barrier_works()) return;
    TN_LOCKED(&list_lock);
    for (tn_pool_cache *cache = pool->small.caches; cache != NULL; cache = cache->next)
        tn_store_relaxed(&cache->seized, 1);
    tn_barrier();
    for (tn_pool_cache *cache = pool->small.caches; cache != NULL; cache = cache->next) {
        while (tn_load_acquire(&cache->inside) != 0)
            (void)sched_yield(); // its thread may have been preempted inside
        for (unsigned s = 0; s < TN_MAGAZINE_SLOTS; s++) cache_empty(pool, cache, s);
        tn_store_release(&cache->seized, 0);
    }
}

void tn_pool_cache_reset(tarn_pool *pool) {
    TN_LOCKED(&list_lock);
    for (tn_pool_cache *cache = pool->small.caches; cache != NULL; cache = cache->next)
        for (unsigned s = 0; s < TN_MAGAZINE_SLOTS; s++)
            for (unsigned c = 0; cache->magazines[s] != NULL && c < pool->classes.count; c++)
                cache->magazines[s][c].count = 0;
}

// ---- the list of pools

void tn_pool_cache_enlist(tarn_pool *pool) {
    static uint64_t last_id; // guarded by the lock
    TN_LOCKED(&list_lock);
    pool->id = ++last_id;
    pool->small.next_pool = pools;
    pools = pool;
}

void tn_pool_cache_delist(tarn_pool *pool) {
    TN_LOCKED(&list_lock);
    TN_CHAIN_REMOVE(pools, pool, small.next_pool);
    while (pool->small.caches != NULL) cache_free(pool->small.caches);
}

// The child drops the parent's pools, here and in the thread.
static void forget_pools(void) {
    tn_mutex_init(&list_lock, TN_RANK_POOL, "list of pools");
    pools = NULL;
    mine.count = 0;
    memset(&tn_pool_recent, 0, sizeof tn_pool_recent);
}

TN_ON_FORK(pools, .rank = TN_RANK_POOL, .child = forget_pools);

void tn_pool_cache_each(tarn_pool *pool, void (*visit)(tn_pool_cache *, void *), void *arg) {
    TN_LOCKED(&list_lock);
    for (tn_pool_cache *cache = pool->small.caches; cache != NULL; cache = cache->next)
        visit(cache, arg);
}
