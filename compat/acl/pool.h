// SPDX-License-Identifier: Apache-2.0
// Pools of programs: each a pool of Tarn's behind a handle, until it is destroyed, which it is not
// while it has blocks. A block's pool is found by asking them all: there are few.
#ifndef TARN_COMPAT_ACL_POOL_H
#define TARN_COMPAT_ACL_POOL_H

#include "compat/acl/face.h"

// After a wait for a device or a stream of it: its pools give back what is free beyond their
// thresholds. Nearly free without pools.
void tn_acl_pool_synchronized(const struct tn_acl_device *device);

// For a device out of memory: its pools give back all that is free. Whether anything was.
bool tn_acl_pool_reclaim(const struct tn_acl_device *device);

// Fills in the fields about the pool and its block, if the address is in a block of a pool.
void tn_acl_pool_describe(tarn_addr addr, tarn_address_info *info);

#endif
