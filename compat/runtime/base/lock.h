// SPDX-License-Identifier: Apache-2.0
// The order of the runtime's locks: a thread that holds a lock takes only locks of a higher order.
// Each file registers its lock for fork() under its order; see compat/face/fork.h. The locks of a
// face itself come first, because a face calls the runtime and never the other way.
#pragma once

#include "compat/face/fork.h"

enum tn_rt_lock {
    TN_RT_LOCK_DEVICE_CODE = 100,
    TN_RT_LOCK_HOST_KERNELS,
    TN_RT_LOCK_VARIABLES,
    TN_RT_LOCK_MODULES,
    TN_RT_LOCK_DEVICES,
    TN_RT_LOCK_POLICY,
    TN_RT_LOCK_IPC,
    TN_RT_LOCK_CONTEXT,
    TN_RT_LOCK_GRAPH,
    TN_RT_LOCK_EVENT,
    TN_RT_LOCK_CAPTURE,
    TN_RT_LOCK_STREAM,
    TN_RT_LOCK_CALLS,
    TN_RT_LOCK_TEAMS,
    TN_RT_LOCK_FAULT,
    TN_RT_LOCK_POOL,
    TN_RT_LOCK_POOL_TABLE,
    TN_RT_LOCK_GRAPH_MEMORY,
    TN_RT_LOCK_RECORD,
    TN_RT_LOCK_MULTICAST,
    TN_RT_LOCK_USER_OBJECT
};
