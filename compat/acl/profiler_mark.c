// SPDX-License-Identifier: Apache-2.0
// Marks and ranges for a profiler. There is no profiler, so they reach nobody; the functions check
// their arguments and count ranges. A stamp is an object with a handle. Each thread has its own
// stack of ranges.
#include <acl/acl_prof.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "compat/acl/face.h"
#include "compat/face/handle.h"

static _Thread_local uint32_t depth; // ranges that the thread has pushed
static _Atomic(uint32_t) last_range;

// ---- stamps

static void stamp_destroy(struct tn_face_object *object) { free(object); }

static aclError create_stamp(void **stamp) {
    struct tn_face_object *object = (struct tn_face_object *)calloc(1, sizeof *object);
    if (object == NULL || !tn_face_handle_new(object, TN_ACL_STAMP, stamp_destroy)) {
        free(object);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a stamp");
    }
    *stamp = (void *)object->handle;
    return ACL_SUCCESS;
}

void *aclprofCreateStamp(void) {
    void *stamp = NULL;
    return TN_ACL_CALL(create_stamp(&stamp)) == ACL_SUCCESS ? stamp : NULL;
}

static aclError check_stamp(const void *stamp) {
    TN_ACL_ARGUMENT(!tn_face_handle_live((uintptr_t)stamp, TN_ACL_STAMP), "%p is not a stamp",
                    stamp);
    return ACL_SUCCESS;
}

static aclError destroy_stamp(void *stamp) {
    return tn_face_handle_end((uintptr_t)stamp, TN_ACL_STAMP) ? ACL_SUCCESS : check_stamp(stamp);
}

void aclprofDestroyStamp(void *stamp) { (void)TN_ACL_CALL(destroy_stamp(stamp)); }

static aclError check_property(const void *stamp, const void *value, const char *name) {
    TN_ACL_TRY(check_stamp(stamp));
    return tn_acl_check_pointer(value, name);
}

aclError aclprofSetCategoryName(uint32_t category, const char *categoryName) {
    (void)category;
    return TN_ACL_CALL(tn_acl_check_pointer(categoryName, "categoryName"));
}

aclError aclprofSetStampCategory(void *stamp, uint32_t category) {
    (void)category;
    return TN_ACL_CALL(check_stamp(stamp));
}

aclError aclprofSetStampPayload(void *stamp, int32_t type, void *value) {
    (void)type;
    return TN_ACL_CALL(check_property(stamp, value, "value"));
}

aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen) {
    (void)msgLen;
    return TN_ACL_CALL(check_property(stamp, msg, "msg"));
}

aclError aclprofSetStampTagName(void *stamp, const char *tagName, uint16_t len) {
    (void)len;
    return TN_ACL_CALL(check_property(stamp, tagName, "tagName"));
}

aclError aclprofSetStampCallStack(void *stamp, const char *callStack, uint32_t len) {
    (void)len;
    return TN_ACL_CALL(check_property(stamp, callStack, "callStack"));
}

// ---- marks

aclError aclprofMark(void *stamp) { return TN_ACL_CALL(check_stamp(stamp)); }

aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream) {
    (void)msgLen;
    (void)stream;
    return TN_ACL_CALL(tn_acl_check_pointer(msg, "msg"));
}

// ---- ranges

static aclError push_range(aclError checked) {
    depth += checked == ACL_SUCCESS;
    return checked;
}

static aclError pop_range(void) {
    TN_ACL_ARGUMENT(depth == 0, "the thread has pushed no range");
    depth--;
    return ACL_SUCCESS;
}

aclError aclprofPush(void *stamp) { return TN_ACL_CALL(push_range(check_stamp(stamp))); }

aclError aclprofPop(void) { return TN_ACL_CALL(pop_range()); }

TN_ACL_ROW(aclprofRangePushEx, TN_FACE_EXPRESSION(push_range(tn_acl_check_pointer(attr, "attr"))),
           aclprofEventAttributes *, attr)

aclError aclprofRangePop(void) { return TN_ACL_CALL(pop_range()); }

TN_ACL_FUNCTION(aclprofRangeStart, void *, stamp, uint32_t *, rangeId) {
    TN_ACL_TRY(check_property(stamp, rangeId, "rangeId"));
    *rangeId = atomic_fetch_add(&last_range, 1) + 1;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclprofRangeStop, uint32_t, rangeId) {
    TN_ACL_ARGUMENT(rangeId == 0 || rangeId > atomic_load(&last_range), "range %u was not started",
                    rangeId);
    return ACL_SUCCESS;
}
