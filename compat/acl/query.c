// SPDX-License-Identifier: Apache-2.0
// What memory is, and how much of it there is.
#include <acl/detail/query.h>

#include "compat/acl/block.h"
#include "compat/acl/context.h"

// ---- capacity

#define LAST_ATTR_1 ACL_HBM_MEM_P2P_HUGE1G // of generation 1
#define LAST_ATTR_2 ACL_MEM_P2P_HUGE1G

// The pages that an attribute is about; DEFAULT: all of the memory.
static tarn_page_class pages_of(aclrtMemAttr attr) {
    switch (attr) {
    case ACL_DDR_MEM_HUGE:
    case ACL_HBM_MEM_HUGE:
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_HBM_MEM_P2P_HUGE:
    case ACL_MEM_HUGE:
    case ACL_MEM_P2P_HUGE:
        return TARN_PAGE_HUGE;
    case ACL_HBM_MEM_HUGE1G:
    case ACL_HBM_MEM_P2P_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
        return TARN_PAGE_GIANT;
    default:
        return TARN_PAGE_DEFAULT;
    }
}

static aclError measure(aclrtMemAttr attr, const struct tn_acl_device *device, size_t *left,
                        size_t *all) {
    uint64_t free_bytes = 0;
    uint64_t total_bytes = 0;
    tarn_page_class pages = pages_of(attr);
    tarn_status status = tarn_device_memory(device->tarn, &free_bytes, &total_bytes);
    if (status != TARN_OK) {
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (pages == TARN_PAGE_GIANT && (device->info.features & TARN_FEATURE_GIANT_PAGES) == 0) {
        free_bytes = total_bytes = 0;
    }
    uint64_t unit = pages == TARN_PAGE_DEFAULT ? 1 : TARN_PAGE_BYTES(pages);
    *left = (size_t)(free_bytes / unit * unit);
    *all = (size_t)(total_bytes / unit * unit);
    return ACL_SUCCESS;
}

static aclError tell_memory(aclrtMemAttr attr, size_t *left, size_t *all) {
    struct tn_acl_context *context = NULL;
    if (left == NULL || all == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", left == NULL ? "free" : "total");
    }
    aclError error = tn_acl_open(); // knows the generation
    uint32_t last = tn_acl_face.generation == 1 ? LAST_ATTR_1 : LAST_ATTR_2;
    if ((uint32_t)attr > last) {
        return tn_acl_fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr is %d", (int)attr);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error == ACL_SUCCESS) {
        error = measure(attr, context->device, left, all);
        tn_acl_context_put(context);
    }
    return error;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total) {
    return tn_acl_leave(tell_memory(attr, free, total), __func__);
}

// ---- ranges

static aclError tell_range(const void *ptr, void **base, size_t *size) {
    tarn_address_info info = TARN_ADDRESS_INFO_INIT;
    struct tn_acl_block block;
    if (ptr == NULL || base == NULL || size == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "ptr %p, pbase %p, psize %p", ptr, (void *)base,
                           (void *)size);
    }
    if (tn_acl_block_look(ptr, &block)) {
        *base = (void *)block.start;
        *size = block.bytes;
        return ACL_SUCCESS;
    }
    tarn_status status = tarn_address_query((uintptr_t)ptr, &info);
    bool held = info.kind == TARN_ADDRESS_MAPPED || info.kind == TARN_ADDRESS_IMPORTED;
    if (status != TARN_OK || !held) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is in no allocation", ptr);
    }
    *base = (void *)(uintptr_t)info.base;
    *size = (size_t)info.bytes;
    return ACL_SUCCESS;
}

aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize) {
    return tn_acl_leave(tell_range(ptr, pbase, psize), __func__);
}
