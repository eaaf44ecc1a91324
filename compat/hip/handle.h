// SPDX-License-Identifier: Apache-2.0
// The kinds of objects that only HIP has, beside those of the runtime.
#pragma once

#include "compat/runtime/base/handle.h"

enum tn_hip_kind { TN_HIP_PROGRAM = TN_RT_KINDS, TN_HIP_LINK, TN_HIP_KINDS };

_Static_assert(TN_HIP_KINDS <= TN_FACE_KINDS, "handles have room for all kinds");

// Returns a new object without contents of that kind, or NULL without host memory.
struct tn_face_object *tn_hip_empty_new(enum tn_hip_kind kind);
