// SPDX-License-Identifier: Apache-2.0
// Copies: the description of a copy, the places of its ends, its kind, and its execution. Each call
// describes its own copy, so any thread may call these functions.
#pragma once

#include "compat/acl/order.h"
#include "compat/acl/place.h"

struct tn_acl_copy {
    tarn_copy_desc desc; // one row, or several
    aclrtMemcpyKind kind;
    struct tn_acl_place dst;
    struct tn_acl_place src;
};

// Describes a copy of one row. Its places are not known yet.
struct tn_acl_copy tn_acl_copy_row(void *dst, const void *src, size_t bytes, aclrtMemcpyKind kind);

// Finds the places of both ends. Returns 107000 if one of them is not memory.
aclError tn_acl_copy_locate(struct tn_acl_copy *copy);

// Replaces the kind by the one that follows from the places of both ends. Returns 107000 if the
// places do not fit the kind.
aclError tn_acl_copy_route(struct tn_acl_copy *copy);

// Runs a located copy at once. Does not wait for streams. 107000.
aclError tn_acl_copy_now(struct tn_face_device *device, const struct tn_acl_copy *copy);

// Runs a located copy of a kind from tn_acl_copy_route() in stream order. If one end is pageable
// memory, it waits for the stream and copies before it returns.
aclError tn_acl_copy_enqueue(const struct tn_acl_order *order, const struct tn_acl_copy *copy);
