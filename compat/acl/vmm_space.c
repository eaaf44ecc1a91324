// SPDX-License-Identifier: Apache-2.0
// Reservations of addresses. Tarn's address book marks those of the program as the face's. The file
// has no state.
#include "compat/acl/vmm.h"

// Returns the number that an expected address must be a multiple of.
static uint64_t unit_of_hint(uint64_t bytes) {
    uint64_t unit = TN_ACL_HUGE;
    while (unit < bytes && unit < TN_ACL_GIANT) unit *= 2;
    return unit;
}

static aclError reserve_range(void **virPtr, size_t size, size_t alignment, const void *hint,
                              uint64_t flags, int generation) {
    tarn_addr start = 0;
    TN_ACL_ARGUMENT(virPtr == NULL || size == 0 || flags > 1, "virPtr %p, size %zu, flags %llu",
                    (const void *)virPtr, size, (unsigned long long)flags);
    TN_ACL_TRY(tn_acl_vmm_enter(generation));
    TN_ACL_INVALID(alignment != 0, "alignment %zu is not 0", alignment);
    TN_ACL_INVALID(TARN_ADDR(hint) % unit_of_hint(size) != 0,
                   "expectPtr %p is not a multiple of 0x%llx, which %zu bytes require", hint,
                   (unsigned long long)unit_of_hint(size), size);
    TN_ACL_REFUSE(size > SIZE_MAX - TN_ACL_HUGE, ACL_ERROR_RT_MEMORY_ALLOCATION,
                  "size %zu exceeds the address space", size);
    uint64_t bytes = (size + TN_ACL_HUGE - 1) / TN_ACL_HUGE * TN_ACL_HUGE;
    uint64_t unit = bytes >= TN_ACL_GIANT ? TN_ACL_GIANT : TN_ACL_HUGE;
    tarn_status status =
        tarn_space_reserve(tn_acl_face.devices.of[0].tarn, bytes, unit, TARN_ADDR(hint), &start);
    TN_ACL_TRY(tn_acl_status(status));
    (void)tarn_address_set_owner(start, TARN_OWNER_FACE, 0);
    *virPtr = (void *)(uintptr_t)start;
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtReserveMemAddress,
           TN_FACE_EXPRESSION(reserve_range(virPtr, size, alignment, expectPtr, flags, 1)), void **,
           virPtr, size_t, size, size_t, alignment, void *, expectPtr, uint64_t, flags)

TN_ACL_ROW(aclrtReserveMemAddressNoUCMemory,
           TN_FACE_EXPRESSION(reserve_range(virPtr, size, alignment, expectPtr, flags, 2)), void **,
           virPtr, size_t, size, size_t, alignment, void *, expectPtr, uint64_t, flags)

TN_ACL_FUNCTION(aclrtReleaseMemAddress, void *, virPtr) {
    tarn_addr start = TARN_ADDR(virPtr);
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_acl_space space;
    TN_ACL_POINTER(virPtr);
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    (void)tarn_address_query(start, &info);
    if (tn_acl_space_read(&info, &space) && space.start == start)
        return tn_acl_status(tarn_space_release(start));
    tarn_annotate_refused("tarn_space_release", start);
    return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "no reservation starts at 0x%llx",
                       (unsigned long long)start);
}
