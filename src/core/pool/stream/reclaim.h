// SPDX-License-Identifier: Apache-2.0
// Freed memory becomes free for all streams; reclaim.c explains it.
#ifndef TARN_CORE_POOL_STREAM_RECLAIM_H
#define TARN_CORE_POOL_STREAM_RECLAIM_H

#include "core/pool/pool.h"

// Reclaims the blocks in this thread's magazines, or in those of all threads, and the memory whose
// streams have passed, for all streams. Without `all_threads` it leaves that memory to its streams
// where the pool does not allow TARN_REUSE_PASSED. With `wait` it waits for all streams.
void tn_pool_reclaim(tarn_pool *pool, bool all_threads, bool wait);

// Reclaims all, and waits for all work that may use blocks of the pool. A stream without a device has
// passed only if that was reported.
tarn_status tn_pool_wait_for_streams(tarn_pool *pool);

// Makes the young list of a slot its waiting list, without a mark yet, if it has pieces and no list
// waits. Under order.
void tn_pool_close_young(tarn_pool *pool, unsigned slot);

// Discards every use and every wait, even of running work. For reset and destroy.
void tn_pool_forget_streams(tarn_pool *pool);

#endif
