// SPDX-License-Identifier: Apache-2.0
// Blocks: memory that programs allocated with this face. Tarn's address book holds the description
// of each block: its start, its effective size, and in the user word the allocating functions, the
// device and the module. The face does not free memory without such a word. Any thread may call
// these functions.
#pragma once

#include "compat/acl/face.h"

// The functions that allocated a block. Bits, so that a call can name several.
enum tn_acl_family {
    TN_ACL_MALLOC = 1u << 0,     // aclrtMalloc() and similar functions
    TN_ACL_MANAGED = 1u << 1,    // aclrtMemAllocManaged()
    TN_ACL_HOST = 1u << 2,       // aclrtMallocHost() and similar functions
    TN_ACL_REGISTERED = 1u << 3, // aclrtHostRegister() and similar functions
    TN_ACL_DVPP = 1u << 4,       // acldvppMalloc() and similar functions
    TN_ACL_HI_MPI = 1u << 5      // hi_mpi_dvpp_malloc()
};

struct tn_acl_block {
    tarn_addr start;
    size_t bytes; // the effective size
    enum tn_acl_family family;
    struct tn_face_device *device; // current when it was allocated
    bool pinned;                   // memory of the host, else of the device
    bool mapped;                   // REGISTERED: with ACL_HOST_REG_MAPPED
    bool registered;               // HOST: aclrtHostRegister() was called for it, too
    int module;                    // of tn_acl_usage_add()
    size_t charged;                // bytes that it takes of the device's capacity
};

// Marks memory that Tarn has just allocated or registered as a block: reads block->family, device,
// mapped and module, and fills in the rest.
void tn_acl_block_mark(tarn_addr start, struct tn_acl_block *block);

// Reports to memory tools how many bytes of a new block the program requested, and the rule by which
// it must divide them.
void tn_acl_block_annotate(tarn_addr addr, enum tn_acl_family family, size_t size);

// Reads the block that holds an address from the answer to a query. Returns false if it holds none.
bool tn_acl_block_read(const tarn_address_info *info, struct tn_acl_block *block);

// The same for the block that holds any byte `addr`.
bool tn_acl_block_query(tarn_addr addr, struct tn_acl_block *block);

// Finds the block of one of these families that starts at `start`, to be freed. Returns `refused`
// if there is none, with a text that names the memory found there.
aclError tn_acl_block_find(const void *start, unsigned families, aclError refused,
                           struct tn_acl_block *block);

// Restores the mark of a block, which the user word 0 removes: then it cannot be found.
void tn_acl_block_remark(const struct tn_acl_block *block);
