// SPDX-License-Identifier: Apache-2.0
// The kinds of the runtime's objects that have handles. Programs hold handles of all kinds except
// records; see block.h. A face numbers kinds of its own from TN_RT_KINDS.
#pragma once

#include <string.h>

#include "compat/face/handle.h"

enum tn_rt_kind {
    TN_RT_STREAM = 1,
    TN_RT_EVENT,
    TN_RT_GRAPH,
    TN_RT_GRAPH_EXEC,
    TN_RT_GRAPH_NODE,
    TN_RT_POOL,
    TN_RT_CONTEXT,
    TN_RT_ARRAY,
    TN_RT_MIPMAP,
    TN_RT_USER_OBJECT,
    TN_RT_RECORD,
    TN_RT_MODULE,
    TN_RT_LIBRARY,
    TN_RT_KINDS
};

// Ends the handles of all objects of a kind that belong to an owner; see device.h.
static inline bool tn_rt_is_owned(const struct tn_face_object *object, const void *owner) {
    return object->owner == *(const unsigned *)owner;
}
static inline void tn_rt_end_owned(enum tn_rt_kind kind, unsigned owner) {
    tn_face_handle_end_all((int)kind, tn_rt_is_owned, &owner);
}

// Writes a handle to a program's variable for it, a pointer of any type.
static inline void tn_rt_give(void *out, uintptr_t handle) { memcpy(out, &handle, sizeof handle); }
