// SPDX-License-Identifier: Apache-2.0
// The lock order of this face, for TN_FACE_ON_FORK(): a thread that holds a lock takes only locks
// that follow it in the enum.
#pragma once

#include "compat/face/fork.h"

enum {
    TN_ACL_LOCK_FACE,
    TN_ACL_LOCK_INIT,
    TN_ACL_LOCK_DEVICE,
    TN_ACL_LOCK_STREAM,
    TN_ACL_LOCK_CALLBACK,
    TN_ACL_LOCK_SPACE,
    TN_ACL_LOCK_SHARE,
    TN_ACL_LOCK_IPC,
    TN_ACL_LOCK_NOTIFY_BIT,
    TN_ACL_LOCK_CLOCK,
    TN_ACL_LOCK_CAPTURE,
    TN_ACL_LOCK_USAGE,
    TN_ACL_LOCK_PINNED,
    TN_ACL_LOCK_MANAGED
};
