// SPDX-License-Identifier: Apache-2.0
// What a pool tells those who listen. Each function is called behind tn_subscribed(), under no spin
// lock. Any thread.
#ifndef TARN_CORE_POOL_NOTIFY_H
#define TARN_CORE_POOL_NOTIFY_H

#include "annotate/annotate.h"
#include "core/pool/pool.h"

// The pool is there, with its range if it has one from the start; and it goes, with nothing live.
void tn_pool_emit_birth(tarn_pool *pool);
void tn_pool_emit_death(tarn_pool *pool);

// A heap begins or ends (a note kind). `whole`: with memory beneath it.
void tn_pool_emit_heap(tarn_pool *pool, unsigned kind, tarn_addr addr, uint64_t bytes, bool whole);

// The same for what a source of pages knows: pages of a heap come and go, and it ends.
void tn_pool_emit_pages(unsigned kind, const tarn_device *device, tarn_addr addr, uint64_t bytes);

// A block is the caller's; a block is given back by the caller, to its slot.
void tn_pool_emit_alloc(tarn_pool *pool, tarn_addr addr, uint64_t bytes, tarn_stream stream);
void tn_pool_emit_free(tarn_pool *pool, tarn_addr addr, uint64_t occupied, unsigned slot);
void tn_pool_emit_passed(tarn_pool *pool, tarn_stream stream);
void tn_pool_emit_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);

// All live blocks are about to end.
void tn_pool_emit_reset(tarn_pool *pool);

#endif
