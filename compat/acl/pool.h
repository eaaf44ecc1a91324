// SPDX-License-Identifier: Apache-2.0
// Pools of programs: each is a pool of Tarn's behind a handle. A pool with live blocks cannot be
// destroyed. Tarn's address book knows the pool of each block. Any thread may call this function.
#ifndef TARN_COMPAT_ACL_POOL_H
#define TARN_COMPAT_ACL_POOL_H

#include "compat/acl/face.h"

// For a device out of memory: its pools release all memory that holds no block. Returns true if
// there was any.
bool tn_acl_pool_reclaim(const struct tn_acl_device *device);

#endif
