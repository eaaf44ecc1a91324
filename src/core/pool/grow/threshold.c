// SPDX-License-Identifier: Apache-2.0
// Release thresholds. After a synchronisation, each pool of that device releases the free memory
// that it holds above its threshold. The list contains every pool for which a threshold was ever
// set. Its lock is held while the pools are trimmed, so that none of them is destroyed meanwhile.
#include "base/lock.h"
#include "core/platform/platform.h"
#include "core/pool/grow/grow.h"
#include "core/pool/small/count.h"

static struct tn_mutex lock = TN_MUTEX(POOL_THRESHOLD, "pools with a threshold");
static tarn_pool *first;

// A host function releases nothing, and does not wait for the lock either: a thread that holds it
// may be in a call of the device that waits for that function.
static void trim_pools_of(tarn_device *device) {
    if (tn_platform_inside_hostfn(device->platform)) return;
    TN_LOCKED(&lock);
    for (tarn_pool *pool = first; pool != NULL; pool = pool->growth.next_threshold) {
        if (pool->desc.device != device) continue;
        // A trim interrupts all threads, so it is made only if the pool holds more than its
        // threshold and at least a page that its live blocks cannot need.
        uint64_t threshold = device->platform->drops_threshold
                                 ? 0
                                 : tn_load_relaxed(&pool->growth.release_threshold);
        uint64_t held = tn_pool_held_bytes(pool);
        uint64_t page = pool->growth.source->page_bytes;
        if (held > threshold && held > (tn_pool_used_bytes(pool) + page - 1) / page * page)
            (void)tn_pool_trim(pool, threshold, false);
    }
}

tarn_status tarn_pool_set_release_threshold(tarn_pool *pool, uint64_t bytes) {
    TN_TRY(tn_pool_usable(pool));
    TN_LOCKED(&lock);
    tarn_pool *at = first;
    while (at != NULL && at != pool) at = at->growth.next_threshold;
    if (at == NULL && pool->growth.source != NULL && pool->desc.device != NULL) {
        pool->growth.next_threshold = first;
        first = pool;
        tn_store_release(&tn_synchronized_hook, trim_pools_of);
    }
    tn_store_relaxed(&pool->growth.release_threshold, bytes);
    return TARN_OK;
}

void tn_pool_threshold_forget(tarn_pool *pool) {
    TN_LOCKED(&lock);
    for (tarn_pool **link = &first; *link != NULL; link = &(*link)->growth.next_threshold) {
        if (*link == pool) {
            *link = pool->growth.next_threshold;
            break;
        }
    }
}

static void forget_thresholds(void) {
    tn_mutex_init(&lock, TN_RANK_POOL_THRESHOLD, "pools with a threshold");
    first = NULL;
}

TN_ON_FORK(thresholds, .rank = TN_RANK_POOL_THRESHOLD, .child = forget_thresholds);
