// SPDX-License-Identifier: Apache-2.0
// Pinned memory of the host, which the CPU and all devices use: that of aclrtMallocHost() on a
// host, and managed memory. The free functions of AscendCL do not wait for streams, but Tarn frees
// pinned memory only after the work that may use it. Such a block is retired: it is no block any
// more, and a later call frees it when the devices are idle.
#pragma once

#include "compat/acl/block.h"

struct tn_acl_request; // memory.h

// Allocates pinned memory as a block of the request's family. 207001.
aclError tn_acl_pinned_alloc(struct tn_face_device *device, const struct tn_acl_request *request,
                             void **ptr);

// Frees or retires such a block. 107000 if another thread freed it since it was found; 200000
// inside a function that a stream runs, if no host memory is left. The block is live then.
aclError tn_acl_pinned_free(const struct tn_acl_block *block);

// Marks host memory that starts there as registered, or not. Returns false, without a change, if
// the mark is like that already, or no host memory of this face starts there.
bool tn_acl_pinned_set_registered(tarn_addr start, bool registered);
