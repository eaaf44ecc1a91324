// SPDX-License-Identifier: Apache-2.0
// Marks and ranges for a profiler that does not exist.
#include <acl/acl_prof.h>

#include "support/acl.h"

static void marks_and_ranges_succeed_without_a_profiler(void **state) {
    void *stamp = aclprofCreateStamp();
    aclprofEventAttributes attributes = {1, sizeof attributes, 0, "range"};
    uint32_t ranges[2] = {0, 0};
    int32_t payload = 7;
    (void)state;
    assert_non_null(stamp);
    assert_acl_ok(aclprofSetCategoryName(1, "category"));
    assert_acl_ok(aclprofSetStampCategory(stamp, 1));
    assert_acl_ok(aclprofSetStampPayload(stamp, 2, &payload));
    assert_acl_ok(aclprofSetStampTraceMessage(stamp, "message", 7));
    assert_acl_ok(aclprofSetStampTagName(stamp, "tag", 3));
    assert_acl_ok(aclprofSetStampCallStack(stamp, "main", 4));
    assert_acl_ok(aclprofMark(stamp));
    assert_acl_ok(aclprofMarkEx("message", 7, NULL));
    assert_acl_ok(aclprofPush(stamp));
    assert_acl_ok(aclprofRangePushEx(&attributes));
    assert_acl_ok(aclprofRangePop());
    assert_acl_ok(aclprofPop());
    assert_acl_ok(aclprofRangeStart(stamp, &ranges[0]));
    assert_acl_ok(aclprofRangeStart(stamp, &ranges[1]));
    assert_int_not_equal(ranges[0], ranges[1]);
    assert_acl_ok(aclprofRangeStop(ranges[0]));
    assert_acl_ok(aclprofRangeStop(ranges[1]));
    aclprofDestroyStamp(stamp);
}

static void mistakes_are_refused(void **state) {
    void *stamp = aclprofCreateStamp();
    uint32_t range = 0;
    (void)state;
    assert_acl(aclprofPop(), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofRangePop(), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofRangeStop(12345), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofRangeStart(stamp, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofMarkEx(NULL, 0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofRangePushEx(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofSetStampTagName(stamp, NULL, 0), ACL_ERROR_INVALID_PARAM);
    aclprofDestroyStamp(stamp);
    assert_acl(aclprofMark(stamp), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofPush(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclprofRangeStart(stamp, &range), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(range, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_and_ranges_succeed_without_a_profiler),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
