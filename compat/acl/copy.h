// SPDX-License-Identifier: Apache-2.0
// Copies: what one is to move, which kind it really is, and how it is run. A copy belongs to the
// call that describes it.
#ifndef TARN_COMPAT_ACL_COPY_H
#define TARN_COMPAT_ACL_COPY_H

#include "compat/acl/order.h"
#include "compat/acl/place.h"

struct tn_acl_copy {
    tarn_copy_desc desc; // one row, or more of them
    aclrtMemcpyKind kind;
    struct tn_acl_place dst;
    struct tn_acl_place src;
};

// Looks where both ends are. 107000: nowhere.
aclError tn_acl_copy_look(struct tn_acl_copy *copy);

// What a kind is once the places of both ends are known (spec 3.6). 107000: they do not go
// together.
aclError tn_acl_copy_route(const struct tn_acl_copy *copy, aclrtMemcpyKind *kind);

// Runs a copy that was looked at, at once; streams are not waited for. 107000.
aclError tn_acl_copy_now(struct tn_acl_device *device, const struct tn_acl_copy *copy);

// Runs it in stream order, as the kind that it has. Pageable memory is copied when the stream is
// done, before this returns.
aclError tn_acl_copy_give(const struct tn_acl_order *order, const struct tn_acl_copy *copy);

#endif
