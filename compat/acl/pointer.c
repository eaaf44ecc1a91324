// SPDX-License-Identifier: Apache-2.0
// Queries about pointers. Programs ask about any number, so nothing here follows a pointer. The
// file has no state.
#include <acl/detail/query.h>
#include <unistd.h>

#include "compat/acl/block.h"

#define ALL_TYPES (ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD)

struct facts {
    tarn_address_info info;
    struct tn_acl_block block;
    bool known; // the address is in `block`
};

// Pinned memory that is no block is freed and retired, and so unknown; see pinned.h.
static void learn_facts(const void *ptr, struct facts *facts) {
    *facts = (struct facts){.info = TARN_INIT(tarn_address_info)};
    (void)tarn_address_query(TARN_ADDR(ptr), &facts->info);
    facts->known = tn_acl_block_read(&facts->info, &facts->block);
    if (facts->info.kind == TARN_ADDRESS_HOST && !facts->known)
        facts->info = (tarn_address_info)TARN_INIT(tarn_address_info);
}

TN_ACL_FUNCTION(aclrtPointerGetAttributes, const void *, ptr, aclrtPtrAttributes *, attributes) {
    struct facts facts;
    TN_ACL_POINTERS(ptr, attributes);
    learn_facts(ptr, &facts);
    tarn_address_kind kind = facts.info.kind;
    bool of_device = facts.info.location.type == TARN_LOCATION_DEVICE;
    TN_ACL_INVALID(kind == TARN_ADDRESS_RESERVED || (kind == TARN_ADDRESS_RETIRED && of_device),
                   "%p is an address of devices without memory", ptr);
    if (kind == TARN_ADDRESS_UNKNOWN || kind == TARN_ADDRESS_RETIRED ||
        kind == TARN_ADDRESS_ARENA) {
        *attributes = (aclrtPtrAttributes){.location = {0, ACL_MEM_LOCATION_TYPE_UNREGISTERED}};
        return ACL_SUCCESS;
    }
    uint64_t page = facts.info.page_bytes;
    aclrtMemLocation location = {0, ACL_MEM_LOCATION_TYPE_HOST};
    if (of_device)
        location = (aclrtMemLocation){(uint32_t)tn_acl_ordinal_of(facts.info.location.id),
                                      ACL_MEM_LOCATION_TYPE_DEVICE};
    else if (facts.known && facts.block.family == TN_ACL_MANAGED)
        location = (aclrtMemLocation){(uint32_t)facts.block.device->ordinal,
                                      ACL_MEM_LOCATION_TYPE_MANAGED};
    *attributes = (aclrtPtrAttributes){.location = location,
                                       .pageSize = page != 0 ? (uint32_t)page
                                                             : (uint32_t)sysconf(_SC_PAGESIZE)};
    return ACL_SUCCESS;
}

// ---- types

static uint32_t type_of(const void *ptr) {
    struct facts facts;
    learn_facts(ptr, &facts);
    const tarn_address_info *info = &facts.info;
    bool range = info->kind == TARN_ADDRESS_RESERVED || info->kind == TARN_ADDRESS_MAPPED;
    if (range && info->block == 0) return ACL_RT_MEM_TYPE_RSVD;
    if (facts.known && (facts.block.family & (TN_ACL_DVPP | TN_ACL_HI_MPI)) != 0)
        return ACL_RT_MEM_TYPE_DVPP;
    return info->location.type == TARN_LOCATION_DEVICE ? ACL_RT_MEM_TYPE_DEV : 0;
}

TN_ACL_FUNCTION(aclrtCheckMemType, void **, addrList, uint32_t, size, uint32_t, memType, uint32_t *,
                checkResult, uint32_t, reserve) {
    bool all = true;
    TN_ACL_POINTERS(addrList, checkResult);
    TN_ACL_ARGUMENT(size == 0 || memType == 0 || (memType & ~ALL_TYPES) != 0 || reserve != 0,
                    "size %u, memType 0x%x or reserve %u", size, memType, reserve);
    for (uint32_t i = 0; i < size && all; i++) all = (type_of(addrList[i]) & memType) != 0;
    *checkResult = all;
    return ACL_SUCCESS;
}

// ---- ranges

// A block of a pool, a block of this face, and then a mapping or an import.
TN_ACL_FUNCTION(aclrtMemGetAddressRange, void *, ptr, void **, pbase, size_t *, psize) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_acl_block block;
    TN_ACL_POINTER(ptr);
    TN_ACL_INVALID(pbase == NULL && psize == NULL, "pbase and psize are NULL");
    (void)tarn_address_query(TARN_ADDR(ptr), &info);
    TN_ACL_INVALID(info.block == 0 && !tn_acl_block_read(&info, &block) &&
                       info.kind != TARN_ADDRESS_MAPPED && info.kind != TARN_ADDRESS_IMPORTED,
                   "%p is in no allocation", ptr);
    if (pbase != NULL) *pbase = (void *)(uintptr_t)(info.block != 0 ? info.block : info.base);
    if (psize != NULL) *psize = (size_t)(info.block != 0 ? info.block_bytes : info.bytes);
    return ACL_SUCCESS;
}
