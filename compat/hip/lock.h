// SPDX-License-Identifier: Apache-2.0
// The order of this face's locks: a thread that holds a lock takes only locks of a higher order.
// Each file registers its lock for fork() under its order; see compat/face/fork.h.
#ifndef TARN_COMPAT_HIP_LOCK_H
#define TARN_COMPAT_HIP_LOCK_H

#include "compat/face/fork.h"

enum tn_hip_lock {
    TN_HIP_LOCK_FACE,
    TN_HIP_LOCK_DEVICE_CODE,
    TN_HIP_LOCK_IPC,
    TN_HIP_LOCK_CONTEXT,
    TN_HIP_LOCK_EVENT,
    TN_HIP_LOCK_CAPTURE,
    TN_HIP_LOCK_GRAPH,
    TN_HIP_LOCK_STREAM,
    TN_HIP_LOCK_CALLS,
    TN_HIP_LOCK_POOL,
    TN_HIP_LOCK_POOL_TABLE,
    TN_HIP_LOCK_GRAPH_MEMORY,
    TN_HIP_LOCK_RECORD,
    TN_HIP_LOCK_USER_OBJECT
};

#endif
