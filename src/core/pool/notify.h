// SPDX-License-Identifier: Apache-2.0
// Events of a pool for subscribers. Each function is called behind tn_subscribed(), under no spin
// lock. Any thread.
#pragma once

#include "annotate/annotate.h"
#include "core/pool/pool.h"

// The pool exists, with its range if that is fixed; the pool ends, with no live block.
void tn_pool_emit_birth(tarn_pool *pool);
void tn_pool_emit_death(tarn_pool *pool);

// A heap begins or ends (`kind` of the event). `whole`: all of it has memory.
void tn_pool_emit_heap(tarn_pool *pool, unsigned kind, tarn_addr addr, uint64_t bytes, bool whole);

// The rights to the memory of a pool that has one range are about to change.
void tn_pool_emit_rights(const tarn_pool *pool, tarn_addr addr, uint64_t bytes);

// For a source of pages: pages of a heap are mapped or unmapped, or the heap ends.
void tn_pool_emit_pages(unsigned kind, const tarn_device *device, tarn_addr addr, uint64_t bytes);

// The pool has no memory for the request, as its last report explains. Other statuses are no shortage.
void tn_pool_emit_shortage(tarn_pool *pool, const tarn_pool_request *request, tarn_status status);

// A block that was asleep has memory again. `kept`: with its contents.
void tn_pool_emit_awake(tarn_pool *pool, tarn_addr addr, uint64_t bytes, bool kept);

// A block was allocated; a block has `bytes` now; a block was freed to its slot; a stream uses a
// block; a stream has passed.
void tn_pool_emit_alloc(tarn_pool *pool, tarn_addr addr, uint64_t bytes, tarn_stream stream);
void tn_pool_emit_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes, unsigned slot);
void tn_pool_emit_free(tarn_pool *pool, tarn_addr addr, uint64_t occupied, unsigned slot);
void tn_pool_emit_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);
void tn_pool_emit_passed(tarn_pool *pool, tarn_stream stream);

// All live blocks are about to end.
void tn_pool_emit_reset(tarn_pool *pool);
