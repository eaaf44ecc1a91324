// SPDX-License-Identifier: Apache-2.0
// See block.h. The user word is family | device << 8 | mapped << 16 | registered << 17 |
// module << 32.
#include "compat/acl/block.h"

#include <tarn/annotate.h>

static uint64_t word_of(const struct tn_acl_block *block) {
    return (uint64_t)block->family | (uint64_t)block->device->ordinal << 8 |
           (uint64_t)block->mapped << 16 | (uint64_t)block->registered << 17 |
           (uint64_t)(uint32_t)block->module << 32;
}

// A child of fork() finds its parent's blocks in the address book too. They are on devices that the
// child has not opened.
bool tn_acl_block_read(const tarn_address_info *info, struct tn_acl_block *block) {
    struct tn_face_device *device =
        tn_face_device(&tn_acl_face.devices, (int64_t)(info->user >> 8 & 0xff));
    bool host = info->kind == TARN_ADDRESS_HOST || info->kind == TARN_ADDRESS_REGISTERED;
    if (info->owner != TARN_OWNER_FACE || (!host && info->kind != TARN_ADDRESS_MEMORY) ||
        (info->user & 0xff) == 0 || device == NULL ||
        (info->device != NULL && info->device != device->tarn))
        return false;
    *block = (struct tn_acl_block){
        .start = info->base,
        .bytes = (size_t)info->bytes,
        .family = (enum tn_acl_family)(info->user & 0xff),
        .device = device,
        .pinned = host,
        .mapped = (info->user >> 16 & 1) != 0,
        .registered = (info->user >> 17 & 1) != 0,
        .module = (int)(uint32_t)(info->user >> 32),
        .charged = (size_t)info->charged_bytes,
    };
    return true;
}

bool tn_acl_block_query(tarn_addr addr, struct tn_acl_block *block) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    return tarn_address_query(addr, &info) == TARN_OK && tn_acl_block_read(&info, block);
}

// Tarn does not refuse a word on memory that the caller has just allocated.
void tn_acl_block_mark(tarn_addr start, struct tn_acl_block *block) {
    (void)tarn_address_set_owner(start, TARN_OWNER_FACE, word_of(block));
    (void)tn_acl_block_query(start, block);
}

// The documents state no rule for managed memory, and since release 8.5 none for pinned memory.
void tn_acl_block_annotate(tarn_addr addr, enum tn_acl_family family, size_t size) {
    const bool media = family == TN_ACL_DVPP || family == TN_ACL_HI_MPI;
    const bool pinned = family == TN_ACL_HOST && !tn_acl_face.rc;
    tarn_rule rule;
    (void)tarn_annotate_requested(addr, size);
    if (family == TN_ACL_MANAGED || (pinned && tn_acl_face.generation > 1)) return;
    (void)tarn_rule_get(media                      ? TARN_RULE_ACL_MEDIA
                        : tn_acl_face.padding == 0 ? TARN_RULE_ACL_950
                                                   : TARN_RULE_ACL,
                        &rule);
    (void)tarn_annotate_rule(addr, &rule);
}

void tn_acl_block_remark(const struct tn_acl_block *block) {
    (void)tarn_address_set_user(block->start, word_of(block));
}

// By the number of the family's bit.
static const char *const family_texts[] = {
    "device memory",
    "managed memory",
    "host memory",
    "registered host memory",
    "media memory of acldvppMalloc()",
    "media memory of hi_mpi_dvpp_malloc()",
};

aclError tn_acl_block_find(const void *start, unsigned families, aclError refused,
                           struct tn_acl_block *block) {
    tarn_addr addr = TARN_ADDR(start);
    bool found = tn_acl_block_query(addr, block);
    if (found && block->start == addr && (block->family & families) != 0) return ACL_SUCCESS;
    tarn_annotate_refused("a free by AscendCL", addr);
    TN_ACL_REFUSE(!found, refused, "%p is in no memory that was allocated, or is freed already",
                  start);
    return tn_acl_fail(refused, "%p is %s %s of %zu bytes from 0x%llx", start,
                       addr == block->start ? "the start of" : "inside",
                       family_texts[__builtin_ctz(block->family)], block->bytes,
                       (unsigned long long)block->start);
}
