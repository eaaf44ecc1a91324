// SPDX-License-Identifier: Apache-2.0
// Keys to the memory of blocks. A pool of segments can give them: a block lies in one segment, which
// is plain memory with a key of its own. The block is live meanwhile, so its segment stays. Any
// thread.
#include "base/error.h"
#include "core/pool/pool.h"
#include "fail/point.h"

tarn_status tarn_pool_export(tarn_pool *pool, tarn_addr addr, tarn_memory_key *key,
                             uint64_t *offset) {
    TN_FAIL_POINT(addr, 0);
    tarn_block block;
    tarn_addr base = 0;
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(key == NULL || offset == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              key == NULL ? "key" : "offset");
    TN_REFUSE(pool->desc.kind != TARN_POOL_SEGMENTS || pool->growth.source == NULL,
              TARN_UNSUPPORTED, "only SEGMENTS pools have keys; this pool is of kind %d",
              (int)pool->desc.kind);
    if (!pool->ops->find(pool, addr, &block) || block.addr != addr) return tn_pool_no_block(addr);
    TN_TRY(tn_owner_export(&pool->growth.source->owner.base, addr, &base, key));
    *offset = addr - base;
    return TARN_OK;
}
