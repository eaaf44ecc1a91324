// SPDX-License-Identifier: Apache-2.0
// See memory.h: memory of the host that devices can use, allocated as pinned memory or registered.
// free.c frees pinned memory. The file has no state.
#include "compat/runtime/base/policy.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/policy.h"

tn_rt_error tn_rt_host_alloc(enum tn_rt_block_kind kind, void **ptr, size_t size, unsigned flags) {
    const unsigned host_flags = kind == TN_RT_BLOCK_MANAGED ? TARN_HOST_ON_TOUCH : 0;
    void *memory = NULL;
    if (tn_rt_base_policy.failures_give_null) *ptr = NULL;
    if (size != 0) {
        TN_RT_TRY(
            tn_rt_error_of(tarn_host_alloc(tn_rt_current()->tarn, size, host_flags, &memory)));
        tn_rt_block_mark(TARN_ADDR(memory), kind, flags);
    }
    *ptr = memory;
    return TN_RT_OK;
}

tn_rt_error tn_rt_host_pointer(void **device, void *host, unsigned flags) {
    struct tn_rt_block block;
    TN_RT_REFUSE(device == NULL || flags != 0, TN_RT_INVALID_VALUE, "devPtr %p, flags 0x%x",
                 (void *)device, flags);
    TN_RT_TRY(tn_rt_block_find(host, tn_rt_memory_policy.host_pointer_kinds, &block));
    *device = host;
    return TN_RT_OK;
}

tn_rt_error tn_rt_host_flags(unsigned *flags, const void *host) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(flags, "flagsPtr"));
    TN_RT_TRY(tn_rt_block_find(host, tn_rt_memory_policy.host_flags_kinds, &block));
    *flags = block.flags;
    return TN_RT_OK;
}

tn_rt_error tn_rt_host_register(void *ptr, size_t size, unsigned flags) {
    struct tn_rt_block block;
    TN_RT_REFUSE(tn_rt_block_query(ptr, &block) &&
                     (block.kind & (TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED)) == 0,
                 TN_RT_INVALID_VALUE, "%p is not memory of the host alone", ptr);
    tarn_status status = tarn_host_register(tn_rt_current()->tarn, ptr, size, 0);
    tn_rt_error error = tn_rt_error_of(status);
    if (status == TARN_OK) tn_rt_block_mark(TARN_ADDR(ptr), TN_RT_BLOCK_REGISTERED, flags);
    return status == TARN_BUSY ? TN_RT_ALREADY_REGISTERED : error;
}

tn_rt_error tn_rt_host_unregister(void *ptr) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "hostPtr"));
    if (tn_rt_block_find_end(ptr, TN_RT_BLOCK_REGISTERED, "tarn_host_unregister", &block) !=
        TN_RT_OK)
        return TN_RT_NOT_REGISTERED;
    return tn_rt_error_of(tarn_host_unregister(ptr));
}
