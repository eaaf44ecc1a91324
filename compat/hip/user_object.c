// SPDX-License-Identifier: Apache-2.0
// HIP's functions about user objects. See compat/runtime/user_object.h.
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/user_object.h"

_Static_assert((int)hipUserObjectNoDestructorSync == (int)TN_RT_USER_NO_DESTRUCTOR_SYNC,
               "flags have the same numbers");

hipError_t hipUserObjectCreate(hipUserObject_t *object_out, void *ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_user_new(object_out, ptr, destroy, initialRefcount, flags));
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_user_retain(object, count));
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_user_release(object, count));
}
