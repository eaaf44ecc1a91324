// SPDX-License-Identifier: Apache-2.0
// Pools of programs: each is a pool of Tarn behind a handle. A pool with live blocks cannot be
// destroyed. Tarn's address book names the pool of each block. Any thread may call this function.
#ifndef TARN_COMPAT_ACL_POOL_H
#define TARN_COMPAT_ACL_POOL_H

#include "compat/acl/face.h"

// Releases all memory of the device's pools that holds no block. Called when the device is out of
// memory. Returns true if any was released.
bool tn_acl_pool_reclaim(const struct tn_face_device *device);

#endif
