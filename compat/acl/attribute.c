// SPDX-License-Identifier: Apache-2.0
// The functions that read and write the properties of a stream. The file has no state.
#include <string.h>

#include "compat/acl/failure.h"
#include "compat/acl/order.h"

// ---- properties that do not change

TN_ACL_FUNCTION(aclrtStreamGetPriority, aclrtStream, stream, uint32_t *, priority) {
    TN_ACL_POINTER(priority);
    TN_ACL_ORDER(order, stream);
    *priority = order.queue->attributes[ACL_STREAM_ATTR_PRIORITY];
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtStreamGetFlags, aclrtStream, stream, uint32_t *, flags) {
    TN_ACL_POINTER(flags);
    TN_ACL_ORDER(order, stream);
    *flags = order.queue->flags;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtStreamGetId, aclrtStream, stream, int32_t *, streamId) {
    TN_ACL_POINTER(streamId);
    TN_ACL_ORDER(order, stream);
    *streamId = (int32_t)tn_face_handle_slot(&order.queue->object);
    return ACL_SUCCESS;
}

// ---- attributes

// The greatest value of each attribute.
static const uint32_t attribute_limits[TN_ACL_ATTRIBUTES] = {
    [ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK] = 1,
    [ACL_STREAM_ATTR_USER_CUSTOM_TAG] = UINT32_MAX,
    [ACL_STREAM_ATTR_CACHE_OP_INFO] = 1,
    [ACL_STREAM_ATTR_PRIORITY] = TN_ACL_PRIORITIES - 1,
};

static aclError check_attribute(aclrtStreamAttr kind, const void *value) {
    TN_ACL_TRY(tn_acl_check_pointer(value, "value"));
    TN_ACL_INVALID(kind < ACL_STREAM_ATTR_FAILURE_MODE || kind >= TN_ACL_ATTRIBUTES,
                   "attribute %d is not one of 1 to %d", (int)kind, TN_ACL_ATTRIBUTES - 1);
    return ACL_SUCCESS;
}

static aclError set_failure_mode(aclrtStream stream, uint64_t mode) {
    TN_ACL_ORDER(order, stream);
    return tn_acl_failure_mode(order.queue, mode);
}

TN_ACL_ROW(aclrtSetStreamFailureMode, set_failure_mode, aclrtStream, stream, uint64_t, mode)

TN_ACL_FUNCTION(aclrtSetStreamAttribute, aclrtStream, stream, aclrtStreamAttr, stmAttrType,
                aclrtStreamAttrValue *, value) {
    TN_ACL_TRY(check_attribute(stmAttrType, value));
    if (stmAttrType == ACL_STREAM_ATTR_FAILURE_MODE)
        return set_failure_mode(stream, value->failureMode);
    uint32_t word = value->userCustomTag; // where each attribute of 32 bits is
    TN_ACL_INVALID(word > attribute_limits[stmAttrType], "%u is greater than %u, attribute %d",
                   word, attribute_limits[stmAttrType], (int)stmAttrType);
    TN_ACL_ORDER(order, stream);
    order.queue->attributes[stmAttrType] = word;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetStreamAttribute, aclrtStream, stream, aclrtStreamAttr, stmAttrType,
                aclrtStreamAttrValue *, value) {
    TN_ACL_TRY(check_attribute(stmAttrType, value));
    TN_ACL_ORDER(order, stream);
    memset(value, 0, sizeof *value);
    value->failureMode = order.queue->attributes[stmAttrType]; // for the others, its lower half
    return ACL_SUCCESS;
}
