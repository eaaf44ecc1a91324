// SPDX-License-Identifier: Apache-2.0
// User objects: data of a program with a function that destroys it, which is called when neither
// the program nor a graph has a reference any more. A list of zeros, of the references of a graph,
// is empty. user_object.c's lock guards all counts and lists.
#pragma once

#include "compat/runtime/device/device.h"

struct tn_rt_user_list {
    struct tn_rt_user_refs *of; // one element for each object
    size_t count;
};

// Makes an object with a handle and `count` references of the program. Fails with INVALID_VALUE if
// a pointer is NULL, `flags` lacks NO_DESTRUCTOR_SYNC, or `count` is not 1 to 2^31-1. The next two
// functions add and release references of the program. They ignore a handle that is not one of a
// user object.
enum { TN_RT_USER_NO_DESTRUCTOR_SYNC = 1 };
tn_rt_error tn_rt_user_new(void *object, void *data, void (*destroy)(void *data), unsigned count,
                           unsigned flags);
tn_rt_error tn_rt_user_retain(void *handle, unsigned count);
tn_rt_error tn_rt_user_release(void *handle, unsigned count);

// Add and release references of a graph. With `move`, they are taken from those of the program.
tn_rt_error tn_rt_users_retain(struct tn_rt_user_list *list, void *handle, unsigned count,
                               bool move);
tn_rt_error tn_rt_users_release(struct tn_rt_user_list *list, void *handle, unsigned count);

// Fills an empty list with as many references as another has. Fails with OUT_OF_MEMORY without
// memory.
tn_rt_error tn_rt_users_copy(struct tn_rt_user_list *to, const struct tn_rt_user_list *from);

// Releases all references of a list, which nobody else uses any more. It calls the destructors of
// objects, so the caller must hold no lock.
void tn_rt_users_drop(struct tn_rt_user_list *list);
