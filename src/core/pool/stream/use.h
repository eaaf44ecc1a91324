// SPDX-License-Identifier: Apache-2.0
// Blocks used on other streams than their own; use.c explains them.
#ifndef TARN_CORE_POOL_STREAM_USE_H
#define TARN_CORE_POOL_STREAM_USE_H

#include "core/pool/pool.h"

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

tarn_status tn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);

#endif
