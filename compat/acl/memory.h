// SPDX-License-Identifier: Apache-2.0
// Device memory as the families of AscendCL allocate it: effective sizes, pages by policy, records.
// Whoever calls owns nothing: a block is in the table of block.h, or it is not there.
#ifndef TARN_COMPAT_ACL_MEMORY_H
#define TARN_COMPAT_ACL_MEMORY_H

#include "compat/acl/block.h"
#include "compat/acl/order.h"

// What the face keeps of aclrtMallocConfig.
struct tn_acl_config {
    int module;
};

// What to take of a device.
struct tn_acl_want {
    enum tn_acl_family family;
    size_t bytes;               // the effective size
    tarn_page_class page_class; // never DEFAULT
    bool or_normal;             // normal pages will do
    int module;                 // of tn_acl_usage_add()
};

// ALIGN_UP(size, 32) + padding. 100000: size 0, or the sum leaves size_t.
aclError tn_acl_memory_bytes(size_t size, uint32_t padding, size_t *bytes);

// The pages that a policy, one listed constant or anything else, means for want->bytes. 207000: the
// device has no such pages.
aclError tn_acl_memory_pages(const struct tn_acl_device *device, uint32_t policy,
                             struct tn_acl_want *want);

// Policies of the functions that take a configuration: bandwidth and read-only bits, which have no
// effect here, are taken off. 107000: both bandwidths, 107002 before that: no current context.
aclError tn_acl_memory_policy(uint32_t policy, uint32_t *pages);

// The same for a configuration. 100000: attributes are announced and not there.
aclError tn_acl_memory_check_config(const aclrtMallocConfig *config);

// What a checked configuration asks for, NULL included, of the attributes that `allowed` has bits
// for (1 << aclrtMallocAttrType). 107000: another attribute, or a device other than `device`.
aclError tn_acl_memory_config(const aclrtMallocConfig *config, unsigned allowed,
                              const struct tn_acl_device *device, struct tn_acl_config *read);

// Takes device memory. 207001 and its like.
aclError tn_acl_memory_take(struct tn_acl_device *device, const struct tn_acl_want *want,
                            void **ptr);

// The same for the current context's device, with the pages of a policy and what a checked
// configuration, or NULL, asks for beside what is in *want. 107002 and what the parts answer.
aclError tn_acl_memory_get(void **ptr, uint32_t policy, const aclrtMallocConfig *config,
                           struct tn_acl_want *want);

// Gives back a block that was taken out of the table and whose bytes are the device's; does not
// wait. It goes back into the table when Tarn refuses.
aclError tn_acl_memory_end(struct tn_acl_block *block);

// Frees the block of one of these families that starts at ptr. 107000: there is none.
aclError tn_acl_memory_free(void *ptr, unsigned families);

// Waits for the current context's device. 107002.
aclError tn_acl_memory_synchronize(void);

#endif
