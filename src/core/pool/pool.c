// SPDX-License-Identifier: Apache-2.0
// Checks whether the calling thread and process may use a pool. Every public call about a pool
// begins here. No locks.
#include "core/pool/pool.h"
#include "base/error.h"
#include "core/platform/platform.h"

tarn_status tn_pool_unusable(const tarn_pool *pool) {
    return pool == NULL ? tn_fail(TARN_BAD_ARGUMENT, "pool is NULL")
                        : tn_fail(TARN_FORKED, "the pool belongs to the parent process");
}

bool tn_pool_in_hostfn(const tarn_pool *pool) {
    return pool->desc.device != NULL && tn_platform_inside_hostfn(pool->desc.device->platform);
}

tarn_status tn_pool_may_wait(const tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    return status == TARN_OK && pool->desc.device != NULL
               ? tn_platform_may_wait(pool->desc.device->platform)
               : status;
}

tarn_status tn_pool_no_block(tarn_addr addr) {
    return tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of a live block of this pool",
                   (unsigned long long)addr);
}

tarn_status tn_pool_check_growth(uint64_t bytes, uint64_t before) {
    return bytes >= before ? TARN_OK
                           : tn_fail(TARN_BAD_ARGUMENT, "%llu bytes are less than the block's %llu",
                                     (unsigned long long)bytes, (unsigned long long)before);
}
