// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy() and its asynchronous forms, which copy one row. The file has no state.
#include "compat/acl/copy.h"

#include <acl/detail/copy.h>
#include <stdio.h>

#include "compat/acl/capture.h"
#include "compat/face/fidelity.h"
#include "compat/face/log.h"

#define ASYNC_ALIGNMENT 64
#define UNALIGNED       "dst %p or src %p is not a multiple of %d"

// A count of 0 copies nothing. Generation 2 accepts it before all other checks; generation 1
// rejects it after the check for NULL.
static aclError check_row(void *dst, size_t room, const void *src, size_t count,
                          aclrtMemcpyKind kind, bool *nothing) {
    TN_ACL_TRY(tn_acl_open()); // reads the generation
    *nothing = count == 0 && tn_acl_face.generation != 1;
    if (*nothing) return ACL_SUCCESS;
    TN_ACL_POINTERS(dst, src);
    TN_ACL_ARGUMENT((unsigned)kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                    "kind %d is not one of 0 to 5", (int)kind);
    TN_ACL_INVALID(count == 0 || count > room, "count %zu is 0 or exceeds destMax %zu", count,
                   room);
    return ACL_SUCCESS;
}

// ---- at once

TN_ACL_FUNCTION(aclrtMemcpy, void *, dst, size_t, destMax, const void *, src, size_t, count,
                aclrtMemcpyKind, kind) {
    struct tn_acl_copy copy = tn_acl_copy_row(dst, src, count, kind);
    bool nothing = false;
    TN_ACL_TRY(check_row(dst, destMax, src, count, kind, &nothing));
    if (nothing || dst == src) return ACL_SUCCESS;
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_copy_locate(&copy));
    return tn_acl_copy_now(device, &copy);
}

// ---- in a stream

// Generation 1 requires the alignment. The documents of generation 2 still recommend it.
static aclError copy_in(void *dst, size_t room, const void *src, size_t count, aclrtMemcpyKind kind,
                        aclrtStream stream) {
    struct tn_acl_copy copy = tn_acl_copy_row(dst, src, count, kind);
    bool nothing = false;
    TN_ACL_TRY(check_row(dst, room, src, count, kind, &nothing));
    if (nothing) return ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_order_check_context(stream));
    TN_ACL_ORDER(order, stream);
    TN_ACL_TRY(tn_acl_copy_locate(&copy));
    TN_ACL_TRY(tn_acl_copy_route(&copy));
    if (dst == src) return ACL_SUCCESS;
    if (((uintptr_t)dst | (uintptr_t)src) % ASYNC_ALIGNMENT != 0) {
        TN_FACE_DIFFERS(copy_alignment, true);
        TN_ACL_REFUSE(tn_acl_face.generation == 1 || tn_acl_face.strict,
                      ACL_ERROR_RT_ADDR_UNALIGNED, UNALIGNED, dst, src, ASYNC_ALIGNMENT);
        tn_log_line(TN_LOG_ERROR, "aclrtMemcpyAsync: warning: " UNALIGNED, dst, src,
                    ASYNC_ALIGNMENT);
    }
    return copy.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE
               ? tn_acl_capture_copy(&order, dst, src, count)
               : tn_acl_copy_enqueue(&order, &copy);
}

TN_ACL_ROW(aclrtMemcpyAsync, copy_in, void *, dst, size_t, destMax, const void *, src, size_t,
           count, aclrtMemcpyKind, kind, aclrtStream, stream)

TN_ACL_ROW(aclrtMemcpyAsyncWithCondition, copy_in, void *, dst, size_t, destMax, const void *, src,
           size_t, count, aclrtMemcpyKind, kind, aclrtStream, stream)
