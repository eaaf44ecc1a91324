// SPDX-License-Identifier: Apache-2.0
// The references that a graph has to user objects; see <hip/detail/user_object.h>. A list of zeros
// is empty. user_object.c's lock guards all lists.
#ifndef TARN_COMPAT_HIP_USER_OBJECT_H
#define TARN_COMPAT_HIP_USER_OBJECT_H

#include <hip/detail/user_object.h>

#include "compat/hip/face.h"

struct tn_hip_user_list {
    struct tn_hip_user_refs *of; // one element for each object
    size_t count;
};

// Do the work of hipGraphRetainUserObject() and hipGraphReleaseUserObject() for the list of a graph.
tn_rt_error tn_hip_users_retain(struct tn_hip_user_list *list, hipUserObject_t handle,
                                unsigned count, bool move);
tn_rt_error tn_hip_users_release(struct tn_hip_user_list *list, hipUserObject_t handle,
                                 unsigned count);

// Fills an empty list with as many references as another has. TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_hip_users_copy(struct tn_hip_user_list *to, const struct tn_hip_user_list *from);

// Releases all references of a list, which nobody else uses any more. It calls the destructors of
// objects, so the caller must hold no lock.
void tn_hip_users_drop(struct tn_hip_user_list *list);

#endif
