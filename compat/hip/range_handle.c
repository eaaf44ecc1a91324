// SPDX-License-Identifier: Apache-2.0
// Descriptors of ranges of addresses. A mapping of memory that was created for descriptors has one;
// the software device has no other. The file has no state.
#include <string.h>

#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/block.h"

static tn_rt_error check_range(const void *out, const void *ptr, size_t size, unsigned type,
                               unsigned long long flags) {
    if (out == NULL || ptr == NULL || size == 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle %p, dptr %p, size %zu", out, ptr, size);
    if (type != hipMemRangeHandleTypeDmaBufFd || flags != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle type 0x%x (only 0x1), flags 0x%llx", type,
                          flags);
    }
    return TN_RT_OK;
}

// Writes exactly an int: the caller's variable need not be aligned.
static tn_rt_error export_mapping(void *out, const struct tn_rt_block *block) {
    tarn_shareable shareable = {0, -1, 0};
    TN_RT_TRY(tn_rt_translate(tarn_phys_export(block->phys, TARN_SHAREABLE_FD, &shareable),
                              TN_RT_NOT_SUPPORTED));
    memcpy(out, &shareable.fd, sizeof shareable.fd);
    return TN_RT_OK;
}

static tn_rt_error get_range_handle(void *out, const void *ptr, size_t size, unsigned type,
                                    unsigned long long flags) {
    struct tn_rt_block block;
    TN_RT_TRY(check_range(out, ptr, size, type, flags));
    if (!tn_rt_block_query(ptr, &block) ||
        size > block.bytes - (size_t)(TARN_ADDR(ptr) - block.start)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%zu bytes at %p are not in one block or mapping",
                          size, ptr);
    }
    if (block.kind != TN_RT_BLOCK_MAPPED || block.start != TARN_ADDR(ptr)) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                          "only a range from the start of a mapping can have a descriptor");
    }
    return export_mapping(out, &block);
}

hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t dptr, size_t size,
                                          hipMemRangeHandleType handleType,
                                          unsigned long long flags) {
    return TN_HIP_CALL(get_range_handle(handle, dptr, size, (unsigned)handleType, flags));
}
