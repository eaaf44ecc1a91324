// SPDX-License-Identifier: Apache-2.0
// Slots of a pool that follow each other; follow.c explains it. Under order, unless stated otherwise.
#ifndef TARN_CORE_POOL_STREAM_FOLLOW_H
#define TARN_CORE_POOL_STREAM_FOLLOW_H

#include "core/pool/pool.h"

// Connects a slot of a pool that `selects_reuse` with the clock of its stream, and disconnects it.
void tn_pool_follow_attach(tarn_pool *pool, tn_pool_slot *slot);
void tn_pool_follow_detach(tn_pool_slot *slot);

// Records that memory of a slot becomes free behind the work enqueued on its stream so far. Needs no
// lock.
void tn_pool_follow_freed(tn_pool_slot *slot);

// Returns true if later work of `slot` runs behind what was enqueued on the stream of `first` when
// its next record had that number.
bool tn_pool_follows(const tarn_pool *pool, const tn_pool_slot *slot, const tn_pool_slot *first,
                     uint64_t record);

#endif
