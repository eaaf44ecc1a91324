// SPDX-License-Identifier: Apache-2.0
// See memory.h. The file has no state: Tarn's address book holds the blocks.
#include "compat/acl/memory.h"

#include "compat/acl/pinned.h"
#include "compat/acl/usage.h"
#include "compat/runtime/memory/pool.h"

#define UNIT       32u               // of sizes
#define ALIGNMENT  512u              // of every start
#define HUGE_ABOVE ((size_t)1 << 20) // HUGE_FIRST selects huge pages above this effective size
#define POISON     0xA5u

#define BANDWIDTHS ((uint32_t)(ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH))
#define NO_PAGES   (BANDWIDTHS | (uint32_t)ACL_MEM_ACCESS_USER_SPACE_READONLY)

// ---- sizes, pages, configurations

aclError tn_acl_memory_check_range(const void *ptr, uint64_t size) {
    TN_ACL_ARGUMENT(ptr == NULL || size == 0, "the range is %llu bytes at %p",
                    (unsigned long long)size, ptr);
    return ACL_SUCCESS;
}

aclError tn_acl_memory_bytes(size_t size, uint32_t padding, struct tn_acl_request *request) {
    TN_ACL_ARGUMENT(size == 0, "size is 0");
    TN_ACL_ARGUMENT(size > SIZE_MAX - UNIT - padding, "size %zu is too large to be padded", size);
    request->size = size;
    request->bytes = (size + UNIT - 1) / UNIT * UNIT + padding;
    return ACL_SUCCESS;
}

static aclError select_pages(const struct tn_face_device *device, uint32_t policy,
                             struct tn_acl_request *request) {
    request->or_normal = false;
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P: request->page_class = TARN_PAGE_HUGE; return ACL_SUCCESS;
    case ACL_MEM_MALLOC_NORMAL_ONLY:
    case ACL_MEM_MALLOC_NORMAL_ONLY_P2P: request->page_class = TARN_PAGE_BASE; return ACL_SUCCESS;
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P:
        request->page_class = TARN_PAGE_GIANT;
        TN_ACL_UNSUPPORTED((device->info.features & TARN_FEATURE_GIANT_PAGES) == 0,
                           "policy %u: the device has no pages of 1 GiB", policy);
        return ACL_SUCCESS;
    default: // HUGE_FIRST, and every other number
        request->or_normal = request->bytes > HUGE_ABOVE;
        request->page_class = request->or_normal ? TARN_PAGE_HUGE : TARN_PAGE_BASE;
        return ACL_SUCCESS;
    }
}

aclError tn_acl_memory_policy(uint32_t policy, uint32_t *pages) {
    if ((policy & BANDWIDTHS) == BANDWIDTHS) {
        TN_ACL_TRY(tn_acl_current_device(NULL)); // the runtime checks the context first
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                           "policy 0x%x asks for low and for high bandwidth", policy);
    }
    *pages = policy & ~NO_PAGES;
    return ACL_SUCCESS;
}

aclError tn_acl_memory_check_config(const aclrtMallocConfig *config) {
    TN_ACL_ARGUMENT(config != NULL && config->numAttrs != 0 && config->attrs == NULL,
                    "cfg->attrs is NULL, numAttrs is %zu", config->numAttrs);
    return ACL_SUCCESS;
}

// Addresses of the host and of devices are the same here, whatever VA_FLAG is.
aclError tn_acl_memory_config(const aclrtMallocConfig *config, unsigned allowed,
                              const struct tn_face_device *device, int *module) {
    for (size_t i = 0; config != NULL && i < config->numAttrs; i++) {
        uint32_t attribute = (uint32_t)config->attrs[i].attr;
        const aclrtMallocAttrValue *value = &config->attrs[i].value;
        TN_ACL_INVALID(attribute >= 32 || (allowed >> attribute & 1) == 0,
                       "attrs[%zu] is attribute %u", i, attribute);
        if (attribute == ACL_RT_MEM_ATTR_MODULE_ID) *module = value->moduleId;
        TN_ACL_INVALID(
            attribute == ACL_RT_MEM_ATTR_DEVICE_ID && value->deviceId != (uint32_t)device->ordinal,
            "attribute DEVICE_ID is %u, device %d is current", value->deviceId, device->ordinal);
        TN_ACL_INVALID(attribute == ACL_RT_MEM_ATTR_VA_FLAG && value->vaFlag > 1,
                       "attribute VA_FLAG is %u", value->vaFlag);
    }
    return ACL_SUCCESS;
}

// ---- allocating and freeing

// When the device is out of memory, pools release their unused memory, and the allocation is tried
// again.
static tarn_status alloc_or_reclaim(const struct tn_face_device *device,
                                    const tarn_memory_desc *desc, tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc_with(device->tarn, desc, addr);
    return status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device)
               ? tarn_memory_alloc_with(device->tarn, desc, addr)
               : status;
}

aclError tn_acl_memory_alloc(struct tn_face_device *device, const struct tn_acl_request *request,
                             void **ptr) {
    struct tn_acl_block block = {
        .family = request->family, .device = device, .module = request->module};
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr addr = 0;
    desc.bytes = request->bytes;
    desc.alignment = ALIGNMENT;
    desc.page_class = request->page_class;
    tarn_status status = alloc_or_reclaim(device, &desc, &addr);
    if (status == TARN_NO_DEVICE_MEMORY && request->or_normal) {
        desc.page_class = TARN_PAGE_BASE;
        status = alloc_or_reclaim(device, &desc, &addr);
    }
    if (status == TARN_OK && tn_acl_face.poison) {
        status = tarn_fill(device->tarn, addr, POISON, 1, request->bytes, TARN_STREAM_NONE);
        if (status != TARN_OK) (void)tarn_memory_free(addr, TARN_NO_WAIT);
    }
    aclError error = tn_acl_status(status);
    if (error == ACL_ERROR_RT_MEMORY_ALLOCATION) *ptr = NULL; // which programs test
    TN_ACL_TRY(error);
    tn_acl_block_mark(addr, &block);
    tn_acl_block_annotate(addr, request->family, request->size);
    tn_acl_usage_add(device, block.module, block.charged);
    *ptr = (void *)(uintptr_t)addr;
    return ACL_SUCCESS;
}

aclError tn_acl_memory_alloc_policy(void **ptr, uint32_t policy, const aclrtMallocConfig *config,
                                    struct tn_acl_request *request) {
    const unsigned allowed = 1u << ACL_RT_MEM_ATTR_MODULE_ID | 1u << ACL_RT_MEM_ATTR_DEVICE_ID;
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_memory_config(config, allowed, device, &request->module));
    TN_ACL_TRY(select_pages(device, policy, request));
    return tn_acl_memory_alloc(device, request, ptr);
}

aclError tn_acl_memory_free(void *ptr, unsigned families) {
    struct tn_acl_block block;
    TN_ACL_TRY(tn_acl_check_pointer(ptr, "the address to free"));
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_TRY(tn_acl_block_find(ptr, families, ACL_ERROR_RT_PARAM_INVALID, &block));
    if (block.family == TN_ACL_MANAGED) tn_acl_managed_forget(block.start);
    if (block.pinned) return tn_acl_pinned_free(&block);
    TN_ACL_TRY(tn_acl_status(tarn_memory_free(block.start, TARN_NO_WAIT)));
    tn_acl_usage_sub(block.device, block.module, block.charged);
    return ACL_SUCCESS;
}

aclError tn_acl_memory_free_synchronized(void *ptr, unsigned families) {
    TN_ACL_TRY(tn_acl_check_pointer(ptr, "the address to free"));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_status(tarn_device_synchronize(device->tarn, TARN_FOREVER)));
    return tn_acl_memory_free(ptr, families);
}
