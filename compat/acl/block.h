// SPDX-License-Identifier: Apache-2.0
// Blocks: the memory that programs got from this face, and what must be remembered of each beyond
// what Tarn tells of its address - which functions made it, and so may free it, and for whom. One
// table of the process, by start address, behind a lock of its own under which nothing outside is
// called. What is in no block is not the face's to free, whatever Tarn knows of it.
#ifndef TARN_COMPAT_ACL_BLOCK_H
#define TARN_COMPAT_ACL_BLOCK_H

#include "compat/acl/face.h"

// Who made a block. Bits, so that a call can name several.
enum tn_acl_family {
    TN_ACL_MALLOC = 1u << 0,     // aclrtMalloc() and its like
    TN_ACL_MANAGED = 1u << 1,    // aclrtMemAllocManaged()
    TN_ACL_HOST = 1u << 2,       // aclrtMallocHost() and its like
    TN_ACL_REGISTERED = 1u << 3, // aclrtHostRegister() and its like
    TN_ACL_DVPP = 1u << 4,       // acldvppMalloc() and its like
    TN_ACL_HI_MPI = 1u << 5      // hi_mpi_dvpp_malloc()
};

struct tn_acl_block {
    uintptr_t start;
    size_t bytes; // the effective size
    enum tn_acl_family family;
    struct tn_acl_device *device; // current when it was made
    bool pinned;                  // bytes of the host; else of the device
    uint32_t flags;               // REGISTERED: ACL_HOST_REG_ bits
    size_t charged;               // bytes that it takes of the device's capacity
    int module;                   // of tn_acl_usage_add()
    struct tn_acl_block *next;    // the table's
};

// A block that is in no table yet. NULL: no host memory, and the error is decided.
struct tn_acl_block *tn_acl_block_new(enum tn_acl_family family, struct tn_acl_device *device,
                                      size_t bytes);

// Puts a block in. No other starts there. Cannot fail.
void tn_acl_block_insert(struct tn_acl_block *block, uintptr_t start);

// Takes the block of one of these families that starts at `start` out: the caller owns it, and
// calls free() on it. NULL: there is none, and the text says what `start` is instead; the error is
// `refused`.
struct tn_acl_block *tn_acl_block_take(const void *start, unsigned families, aclError refused);

// A copy of the block that holds any byte `ptr`. false: none does.
bool tn_acl_block_look(const void *ptr, struct tn_acl_block *copy);

#endif
