// SPDX-License-Identifier: Apache-2.0
// Device memory as the families of AscendCL allocate it: effective sizes, pages by policy, the
// attributes of a configuration, and the usage of modules. Any thread may call these functions.
#pragma once

#include "compat/acl/block.h"
#include "compat/acl/context.h"

// A request for device memory.
struct tn_acl_request {
    enum tn_acl_family family;
    size_t size;                // as the program requested it
    size_t bytes;               // the effective size
    tarn_page_class page_class; // not DEFAULT
    bool or_normal;             // normal pages are allowed too
    int module;                 // of tn_acl_usage_add()
};

// Returns 100000 if a range is empty or NULL.
aclError tn_acl_memory_check_range(const void *ptr, uint64_t size);

// Sets both sizes of the request; the effective one is ALIGN_UP(size, 32) + padding. 100000 if size
// is 0 or the sum overflows.
aclError tn_acl_memory_bytes(size_t size, uint32_t padding, struct tn_acl_request *request);

// Removes the bits of a policy that have no effect here, of bandwidth and of read-only memory.
// 107000 if both bandwidths are asked for, but 107002 if there is no current context.
aclError tn_acl_memory_policy(uint32_t policy, uint32_t *pages);

// Returns 100000 if a configuration states a number of attributes but has no list.
aclError tn_acl_memory_check_config(const aclrtMallocConfig *config);

// Reads a checked configuration, or NULL. *module keeps its value unless an attribute names one.
// 107000 if it has an attribute without a bit in `allowed` (1 << aclrtMallocAttrType), or names
// another device than `device`.
aclError tn_acl_memory_config(const aclrtMallocConfig *config, unsigned allowed,
                              const struct tn_face_device *device, int *module);

// Allocates device memory in pages of the request's class. 207001 and others.
aclError tn_acl_memory_alloc(struct tn_face_device *device, const struct tn_acl_request *request,
                             void **ptr);

// The same on the current context's device, with the pages that `policy` selects, and a checked
// configuration, or NULL, which may name a module. 107002; 207000 if the device has no such pages.
aclError tn_acl_memory_alloc_policy(void **ptr, uint32_t policy, const aclrtMallocConfig *config,
                                    struct tn_acl_request *request);

// Frees the block of one of these families that starts at ptr, without a wait. 100000 for NULL,
// 107000 if there is none.
aclError tn_acl_memory_free(void *ptr, unsigned families);

// The same after a wait for the current context's device. 107002.
aclError tn_acl_memory_free_synchronized(void *ptr, unsigned families);

// Forgets the advice about a block of managed memory that is about to be freed.
void tn_acl_managed_forget(tarn_addr start);
