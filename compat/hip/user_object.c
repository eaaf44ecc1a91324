// SPDX-License-Identifier: Apache-2.0
// HIP's functions about user objects. See user_object.h.
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/user_object.h"

TN_HIP_FUNCTION(hipUserObjectCreate, hipUserObject_t *, object_out, void *, ptr, hipHostFn_t,
                destroy, unsigned int, initialRefcount, unsigned int, flags) {
    uintptr_t handle = 0;
    TN_RT_REFUSE(object_out == NULL || destroy == NULL || flags != hipUserObjectNoDestructorSync,
                 TN_RT_INVALID_VALUE, "object %p, destroy %s, flags 0x%x", (void *)object_out,
                 destroy != NULL ? "given" : "NULL", flags);
    TN_RT_TRY(tn_rt_user_new(ptr, destroy, initialRefcount, &handle));
    *object_out = (hipUserObject_t)handle;
    return TN_RT_OK;
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_user_retain(object, count));
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_user_release(object, count));
}
