// SPDX-License-Identifier: Apache-2.0
// HIP's functions about user objects. See compat/runtime/user_object.h.
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/user_object.h"

_Static_assert((int)hipUserObjectNoDestructorSync == (int)TN_RT_USER_NO_DESTRUCTOR_SYNC,
               "flags have the same numbers");

TN_HIP_ROW(hipUserObjectCreate, tn_rt_user_new, hipUserObject_t *, void *, hipHostFn_t,
           unsigned int, unsigned int)
TN_HIP_ROW(hipUserObjectRetain, tn_rt_user_retain, hipUserObject_t, unsigned int)
TN_HIP_ROW(hipUserObjectRelease, tn_rt_user_release, hipUserObject_t, unsigned int)
