// SPDX-License-Identifier: Apache-2.0
// Pinned memory of the host, which the CPU and all devices use: that of aclrtMallocHost() on a
// host, and managed memory. Free functions of AscendCL do not wait for streams, while Tarn must not
// give pinned memory back under running work: such blocks are retired, and given back by whoever
// comes along when devices are idle.
#ifndef TARN_COMPAT_ACL_PINNED_H
#define TARN_COMPAT_ACL_PINNED_H

#include "compat/acl/block.h"

// Takes pinned memory into a block of that family. 207001.
aclError tn_acl_pinned_take(struct tn_acl_device *device, enum tn_acl_family family, size_t bytes,
                            void **ptr);

// Gives back such a block, which was taken out of the table. It goes back in when Tarn refuses.
aclError tn_acl_pinned_end(struct tn_acl_block *block);

#endif
