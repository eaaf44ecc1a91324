// SPDX-License-Identifier: Apache-2.0
// Reuse of freed memory by streams that follow the stream of the free; reuse.c explains it.
#ifndef TARN_CORE_POOL_STREAM_REUSE_H
#define TARN_CORE_POOL_STREAM_REUSE_H

#include "core/pool/pool.h"

// Called before the free of a block by an address. Takes order, in pools that `selects_reuse`.
void tn_pool_reuse_free(tarn_pool *pool, tarn_addr addr);

// Takes a piece for `want` that another slot has freed and that the slot of `want` may use because
// it follows that one. Takes order and fit. `node` is written on success.
bool tn_pool_reuse_take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

#endif
