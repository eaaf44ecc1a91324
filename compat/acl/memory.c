// SPDX-License-Identifier: Apache-2.0
// See memory.h.
#include "compat/acl/memory.h"

#include <stdlib.h>

#include "compat/acl/pinned.h"
#include "compat/acl/pool.h"
#include "compat/acl/range.h"
#include "compat/acl/usage.h"

#define UNIT       32u               // sizes are multiples of
#define ALIGNMENT  512u              // of every start
#define HUGE_ABOVE ((size_t)1 << 20) // effective bytes from which HUGE_FIRST means huge pages
#define POISON     0xA5u

#define BANDWIDTHS ((uint32_t)(ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH))
#define NO_PAGES   (BANDWIDTHS | (uint32_t)ACL_MEM_ACCESS_USER_SPACE_READONLY)

// ---- sizes, pages, configurations

aclError tn_acl_memory_bytes(size_t size, uint32_t padding, size_t *bytes) {
    if (size == 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    }
    if (size > SIZE_MAX - UNIT - padding) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "size %zu is too big to be padded", size);
    }
    *bytes = (size + UNIT - 1) / UNIT * UNIT + padding;
    return ACL_SUCCESS;
}

aclError tn_acl_memory_pages(const struct tn_acl_device *device, uint32_t policy,
                             struct tn_acl_want *want) {
    want->or_normal = false;
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P:
        want->page_class = TARN_PAGE_HUGE;
        break;
    case ACL_MEM_MALLOC_NORMAL_ONLY:
    case ACL_MEM_MALLOC_NORMAL_ONLY_P2P:
        want->page_class = TARN_PAGE_BASE;
        break;
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P:
        want->page_class = TARN_PAGE_GIANT;
        break;
    default: // HUGE_FIRST, and whatever is not exactly one of them
        want->or_normal = want->bytes > HUGE_ABOVE;
        want->page_class = want->or_normal ? TARN_PAGE_HUGE : TARN_PAGE_BASE;
    }
    bool has_giant = (device->info.features & TARN_FEATURE_GIANT_PAGES) != 0;
    return want->page_class != TARN_PAGE_GIANT || has_giant
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                             "policy %u: the device has no pages of 1 GiB", policy);
}

// What the runtime refuses, it refuses below the question for a context.
static aclError refuse_policy(uint32_t policy) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        tn_acl_context_put(context);
        error =
            tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "policy 0x%x: low and high bandwidth", policy);
    }
    return error;
}

aclError tn_acl_memory_policy(uint32_t policy, uint32_t *pages) {
    if ((policy & BANDWIDTHS) == BANDWIDTHS) {
        return refuse_policy(policy);
    }
    *pages = policy & ~NO_PAGES;
    return ACL_SUCCESS;
}

aclError tn_acl_memory_check_config(const aclrtMallocConfig *config) {
    return config != NULL && config->numAttrs != 0 && config->attrs == NULL
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs is NULL, numAttrs is %zu",
                             config->numAttrs)
               : ACL_SUCCESS;
}

static aclError read_attribute(const aclrtMallocAttribute *attribute,
                               const struct tn_acl_device *device, struct tn_acl_config *read) {
    const aclrtMallocAttrValue *value = &attribute->value;
    switch (attribute->attr) {
    case ACL_RT_MEM_ATTR_MODULE_ID:
        read->module = value->moduleId;
        return ACL_SUCCESS;
    case ACL_RT_MEM_ATTR_DEVICE_ID:
        return value->deviceId == (uint32_t)device->ordinal
                   ? ACL_SUCCESS
                   : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                                 "attribute DEVICE_ID is %u, device %d is current", value->deviceId,
                                 device->ordinal);
    case ACL_RT_MEM_ATTR_VA_FLAG: // addresses of the host and of devices are the same here
        return value->vaFlag <= 1 ? ACL_SUCCESS
                                  : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                                                "attribute VA_FLAG is %u", value->vaFlag);
    case ACL_RT_MEM_ATTR_RSV:
        break;
    }
    return ACL_SUCCESS;
}

aclError tn_acl_memory_config(const aclrtMallocConfig *config, unsigned allowed,
                              const struct tn_acl_device *device, struct tn_acl_config *read) {
    aclError error = ACL_SUCCESS;
    *read = (struct tn_acl_config){.module = TN_ACL_MODULE_NONE};
    for (size_t i = 0; config != NULL && i < config->numAttrs && error == ACL_SUCCESS; i++) {
        uint32_t attribute = (uint32_t)config->attrs[i].attr;
        bool known = attribute < 32 && ((allowed >> attribute) & 1) != 0;
        error = known ? read_attribute(&config->attrs[i], device, read)
                      : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attrs[%zu] is attribute %u", i,
                                    attribute);
    }
    return error;
}

// ---- taking and giving back

// Pools that hold what they do not use give it back first, and the call is tried once more.
static tarn_status take_or_relieve(const struct tn_acl_device *device, const tarn_memory_desc *desc,
                                   tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc_with(device->tarn, desc, addr);
    return status == TARN_NO_DEVICE_MEMORY && tn_acl_pool_relieve(device)
               ? tarn_memory_alloc_with(device->tarn, desc, addr)
               : status;
}

static tarn_status take_pages(const struct tn_acl_device *device, const struct tn_acl_want *want,
                              tarn_addr *addr) {
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    desc.bytes = want->bytes;
    desc.alignment = ALIGNMENT;
    desc.page_class = want->page_class;
    tarn_status status = take_or_relieve(device, &desc, addr);
    if (status == TARN_NO_DEVICE_MEMORY && want->or_normal) {
        desc.page_class = TARN_PAGE_BASE;
        status = take_or_relieve(device, &desc, addr);
    }
    return status;
}

static tarn_status take_filled(const struct tn_acl_device *device, const struct tn_acl_want *want,
                               tarn_addr *addr) {
    tarn_status status = take_pages(device, want, addr);
    if (status == TARN_OK && tn_acl_face.poison) {
        status = tarn_fill(device->tarn, *addr, POISON, 1, want->bytes, TARN_STREAM_NONE);
        if (status != TARN_OK) {
            (void)tarn_memory_free(*addr, TARN_NO_WAIT);
        }
    }
    return status;
}

static size_t charged_for(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    return tarn_address_query(addr, &info) == TARN_OK ? (size_t)info.charged_bytes : 0;
}

aclError tn_acl_memory_take(struct tn_acl_device *device, const struct tn_acl_want *want,
                            void **ptr) {
    tarn_addr addr = 0;
    struct tn_acl_block *block = tn_acl_block_new(want->family, device, want->bytes);
    if (block == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    tarn_status status = take_filled(device, want, &addr);
    if (status != TARN_OK) {
        free(block);
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    block->charged = charged_for(addr);
    block->module = want->module;
    tn_acl_usage_add(device, block->module, block->charged);
    tn_acl_range_add((uintptr_t)addr, block->charged);
    tn_acl_block_insert(block, (uintptr_t)addr);
    *ptr = (void *)(uintptr_t)addr;
    return ACL_SUCCESS;
}

aclError tn_acl_memory_end(struct tn_acl_block *block) {
    tarn_status status = tarn_memory_free(block->start, TARN_NO_WAIT);
    if (status != TARN_OK) {
        tn_acl_block_insert(block, block->start);
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    tn_acl_usage_sub(block->device, block->module, block->charged);
    free(block);
    return ACL_SUCCESS;
}

static aclError get(void **ptr, uint32_t policy, const aclrtMallocConfig *config,
                    struct tn_acl_device *device, struct tn_acl_want *want) {
    const unsigned allowed = 1u << ACL_RT_MEM_ATTR_MODULE_ID | 1u << ACL_RT_MEM_ATTR_DEVICE_ID;
    struct tn_acl_config read;
    aclError error = tn_acl_memory_config(config, allowed, device, &read);
    if (error == ACL_SUCCESS) {
        want->module = read.module != TN_ACL_MODULE_NONE ? read.module : want->module;
        error = tn_acl_memory_pages(device, policy, want);
    }
    return error == ACL_SUCCESS ? tn_acl_memory_take(device, want, ptr) : error;
}

aclError tn_acl_memory_get(void **ptr, uint32_t policy, const aclrtMallocConfig *config,
                           struct tn_acl_want *want) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        error = get(ptr, policy, config, context->device, want);
        tn_acl_context_put(context);
    }
    return error;
}

aclError tn_acl_memory_free(void *ptr, unsigned families) {
    aclError error = tn_acl_open();
    if (error != ACL_SUCCESS) {
        return error;
    }
    struct tn_acl_block *block = tn_acl_block_take(ptr, families, ACL_ERROR_RT_PARAM_INVALID);
    if (block == NULL) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    return block->pinned ? tn_acl_pinned_end(block) : tn_acl_memory_end(block);
}

aclError tn_acl_memory_synchronize(void) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        error =
            tn_acl_from(tarn_device_synchronize(context->device->tarn), ACL_ERROR_RT_PARAM_INVALID);
        tn_acl_context_put(context);
    }
    return error;
}
