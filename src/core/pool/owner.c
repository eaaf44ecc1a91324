// SPDX-License-Identifier: Apache-2.0
// Blocks of pools in the address book: the part of a pool that tarn_address_query(),
// tarn_address_set_user() and tarn_free() use. They call it with the owner held and without a lock
// of the address room. Any thread.
#include "core/pool/owner.h"

#include "base/error.h"
#include "core/pool/pool.h"

// The pool of an owner, or NULL. The order of the load pairs with the fence of
// tn_pool_owner_detach(), and with the barrier of tn_owner_drain(): the call is a hold before it loads
// the pool. So either it sees NULL, or the detaching thread sees the hold and waits.
static tarn_pool *pool_of(struct tn_owner *owner) {
    tarn_pool *pool = tn_load_seq_cst(&((tn_pool_owner *)owner)->pool);
    return pool != NULL && tn_pool_usable(pool) == TARN_OK ? pool : NULL;
}

static void describe_block(struct tn_owner *owner, tarn_addr addr, tarn_address_info *info) {
    tarn_pool *pool = pool_of(owner);
    tarn_block block;
    if (pool == NULL) return;
    info->pool = pool;
    info->pool_user = pool->desc.user;
    if (pool->ops->find(pool, addr, &block)) {
        info->block = block.addr;
        info->block_bytes = block.bytes;
        info->block_usable = block.usable;
        info->block_user = block.user;
        info->block_stream = block.stream;
    }
}

static void find_block(struct tn_owner *owner, tarn_addr addr, tarn_address_block *found) {
    tarn_pool *pool = pool_of(owner);
    tarn_block block;
    if (pool == NULL) return;
    found->pool_user = pool->desc.user;
    if (pool->ops->find(pool, addr, &block)) {
        found->start = block.addr;
        found->bytes = block.bytes;
        found->user = block.user;
        found->stream = block.stream;
    }
}

static tarn_status set_block_user(struct tn_owner *owner, tarn_addr addr, uint64_t user) {
    tarn_pool *pool = pool_of(owner);
    TN_REFUSE(pool != NULL && (pool->desc.flags & TARN_POOL_USER_WORDS) == 0, TARN_UNSUPPORTED,
              "0x%llx belongs to a pool without TARN_POOL_USER_WORDS: its blocks have no words",
              (unsigned long long)addr);
    return pool != NULL && pool->ops->set_user(pool, addr, user) ? TARN_OK : tn_pool_no_block(addr);
}

static tarn_status free_block(struct tn_owner *owner, tarn_addr addr) {
    tarn_pool *pool = pool_of(owner);
    return pool != NULL ? pool->ops->free(pool, addr, 0, "tarn_pool_free") : tn_pool_no_block(addr);
}

static const struct tn_owner_ops ops = {.describe = describe_block,
                                        .find = find_block,
                                        .set_user = set_block_user,
                                        .free_block = free_block};

void tn_pool_owner_init(tn_pool_owner *owner) {
    *owner = (tn_pool_owner){.base = {.ops = &ops, .kind = TARN_OWNER_POOL}};
}

void tn_pool_owner_attach(tn_pool_owner *owner, tarn_pool *pool) {
    tn_store_release(&owner->pool, pool);
}

void tn_pool_owner_detach(tn_pool_owner *owner) {
    tn_store_relaxed(&owner->pool, NULL);
    atomic_thread_fence(memory_order_seq_cst);
    tn_owner_drain(&owner->base);
}
