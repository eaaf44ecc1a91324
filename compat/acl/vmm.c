// SPDX-License-Identifier: Apache-2.0
// See vmm.h. The user word of a reservation is the tie: type | imported << 8 | id << 32.
#include "compat/acl/vmm.h"

aclError tn_acl_vmm_enter(int generation) {
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_UNSUPPORTED(tn_acl_face.rc, "not supported in RC mode");
    return tn_acl_enter(generation);
}

aclError tn_acl_check_pids(const int32_t *pids, size_t count) {
    for (size_t i = 0; i < count; i++)
        TN_ACL_INVALID(pids[i] <= 0, "pid[%zu] %d is not a process", i, pids[i]);
    return ACL_SUCCESS;
}

bool tn_acl_space_read(const tarn_address_info *info, struct tn_acl_space *space) {
    if (info->owner != TARN_OWNER_FACE ||
        (info->kind != TARN_ADDRESS_RESERVED && info->kind != TARN_ADDRESS_MAPPED))
        return false;
    *space = (struct tn_acl_space){
        .start = info->region_base,
        .bytes = info->region_bytes,
        .tie = {(tarn_location_type)(info->user & 0xff), (int)(info->user >> 32)},
        .imported = (info->user >> 8 & 1) != 0,
    };
    return true;
}

void tn_acl_space_tie(const struct tn_acl_space *space) {
    uint64_t word = (uint64_t)space->tie.type | (uint64_t)space->imported << 8 |
                    (uint64_t)(uint32_t)space->tie.id << 32;
    (void)tarn_address_set_user(space->start, word);
}
