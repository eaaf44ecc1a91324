// SPDX-License-Identifier: Apache-2.0
// The order of the locks that the face has beside the runtime's; see compat/runtime/lock.h.
#ifndef TARN_COMPAT_HIP_LOCK_H
#define TARN_COMPAT_HIP_LOCK_H

#include "compat/face/fork.h"

enum tn_hip_lock { TN_HIP_LOCK_DEVICE_CODE };

#endif
