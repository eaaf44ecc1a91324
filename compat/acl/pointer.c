// SPDX-License-Identifier: Apache-2.0
// What a pointer is. Programs ask about any number: nothing here follows it.
#include <acl/detail/query.h>
#include <unistd.h>

#include "compat/acl/block.h"
#include "compat/acl/pool.h"
#include "compat/acl/range.h"

#define ALL_TYPES (ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD)

// Everything that is known of a pointer.
struct facts {
    tarn_address_info info;
    bool known; // as the block:
    struct tn_acl_block block;
};

static void learn(const void *ptr, struct facts *facts) {
    *facts = (struct facts){.info = TARN_INIT(tarn_address_info)};
    (void)tarn_address_query((uintptr_t)ptr, &facts->info);
    facts->known = tn_acl_block_look(ptr, &facts->block);
    if (facts->info.kind == TARN_ADDRESS_HOST && !facts->known) {
        facts->info =
            (tarn_address_info)TARN_INIT(tarn_address_info); // freed, and retired: see pinned.h
    }
}

// ---- what it is

static aclrtMemLocation location_of(const struct facts *facts) {
    const tarn_address_info *info = &facts->info;
    if (info->kind == TARN_ADDRESS_UNKNOWN) {
        return (aclrtMemLocation){0, ACL_MEM_LOCATION_TYPE_UNREGISTERED};
    }
    if (info->location.type == TARN_LOCATION_DEVICE) {
        return (aclrtMemLocation){(uint32_t)info->location.id, ACL_MEM_LOCATION_TYPE_DEVICE};
    }
    bool managed = facts->known && facts->block.family == TN_ACL_MANAGED;
    return managed ? (aclrtMemLocation){(uint32_t)facts->block.device->ordinal,
                                        ACL_MEM_LOCATION_TYPE_MANAGED}
                   : (aclrtMemLocation){0, ACL_MEM_LOCATION_TYPE_HOST};
}

static uint32_t page_of(const struct facts *facts) {
    if (facts->info.kind == TARN_ADDRESS_UNKNOWN) {
        return 0;
    }
    uint64_t page = facts->info.page_bytes;
    return page != 0 ? (uint32_t)page : (uint32_t)sysconf(_SC_PAGESIZE);
}

static aclError tell_attributes(const void *ptr, aclrtPtrAttributes *attributes) {
    struct facts facts;
    if (ptr == NULL || attributes == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           ptr == NULL ? "ptr" : "attributes");
    }
    learn(ptr, &facts);
    bool unused = facts.info.kind == TARN_ADDRESS_RESERVED ||
                  (facts.info.kind == TARN_ADDRESS_UNKNOWN && tn_acl_range_holds((uintptr_t)ptr));
    if (unused) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                           "%p is an address of devices, and nothing is there", ptr);
    }
    *attributes =
        (aclrtPtrAttributes){.location = location_of(&facts), .pageSize = page_of(&facts)};
    return ACL_SUCCESS;
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes) {
    return tn_acl_leave(tell_attributes(ptr, attributes), __func__);
}

// ---- whether it is of a type

static uint32_t type_of(const void *ptr) {
    struct facts facts;
    tarn_block pooled;
    learn(ptr, &facts);
    if (facts.info.kind == TARN_ADDRESS_MAPPED && tn_acl_pool_look((uintptr_t)ptr, &pooled)) {
        return ACL_RT_MEM_TYPE_DEV;
    }
    bool device = facts.info.location.type == TARN_LOCATION_DEVICE;
    if (facts.info.kind == TARN_ADDRESS_RESERVED || facts.info.kind == TARN_ADDRESS_MAPPED) {
        return ACL_RT_MEM_TYPE_RSVD;
    }
    if (facts.known && (facts.block.family & (TN_ACL_DVPP | TN_ACL_HI_MPI)) != 0) {
        return ACL_RT_MEM_TYPE_DVPP;
    }
    return device ? ACL_RT_MEM_TYPE_DEV : 0;
}

static aclError check_types(void *const *addresses, uint32_t count, uint32_t types,
                            uint32_t *result, uint32_t reserve) {
    if (addresses == NULL || count == 0 || result == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "addrList %p of %u, checkResult %p",
                           (const void *)addresses, count, (void *)result);
    }
    if (types == 0 || (types & ~ALL_TYPES) != 0 || reserve != 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "memType 0x%x, reserve %u", types, reserve);
    }
    uint32_t all = 1;
    for (uint32_t i = 0; i < count && all != 0; i++) {
        all = (type_of(addresses[i]) & types) != 0;
    }
    *result = all;
    return ACL_SUCCESS;
}

aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult,
                           uint32_t reserve) {
    return tn_acl_leave(check_types(addrList, size, memType, checkResult, reserve), __func__);
}

// ---- ranges

static aclError tell_range(const void *ptr, void **base, size_t *size) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_acl_block block;
    tarn_block pooled;
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
    if (info.kind == TARN_ADDRESS_MAPPED && tn_acl_pool_look((uintptr_t)ptr, &pooled)) {
        info.base = pooled.addr;
        info.bytes = pooled.bytes;
    }
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
