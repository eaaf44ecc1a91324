// SPDX-License-Identifier: Apache-2.0
// Properties of streams: priority, flags, number, attributes.
#include "support/acl.h"

static aclrtStream make_stream(uint32_t priority, uint32_t flags) {
    aclrtStream stream = NULL;
    assert_acl_ok(aclrtCreateStreamWithConfig(&stream, priority, flags));
    return stream;
}

static void a_stream_reports_the_priority_it_was_created_with(void **state) {
    aclrtStream stream = make_stream(3, 0);
    uint32_t priority = 9;
    (void)state;
    assert_acl_ok(aclrtStreamGetPriority(stream, &priority));
    assert_int_equal(priority, 3);
    assert_acl_ok(aclrtStreamGetPriority(NULL, &priority));
    assert_int_equal(priority, 0);
    assert_acl(aclrtStreamGetPriority(stream, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtStreamGetPriority(stream, &priority), ACL_ERROR_RT_PARAM_INVALID);
}

static void a_stream_reports_the_flags_it_was_created_with(void **state) {
    aclrtStream plain = make_stream(0, 0);
    aclrtStream fast = make_stream(0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC);
    uint32_t flags = 9;
    (void)state;
    assert_acl_ok(aclrtStreamGetFlags(fast, &flags));
    assert_int_equal(flags, 3);
    assert_acl_ok(aclrtStreamGetFlags(plain, &flags));
    assert_int_equal(flags, 0);
    assert_acl_ok(aclrtStreamGetFlags(NULL, &flags));
    assert_int_equal(flags, 0);
    assert_acl(aclrtStreamGetFlags(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(plain));
    assert_acl_ok(aclrtDestroyStream(fast));
}

static void streams_have_different_numbers(void **state) {
    aclrtStream a = make_stream(0, 0);
    aclrtStream b = make_stream(0, 0);
    int32_t ids[3] = {-1, -1, -1};
    (void)state;
    assert_acl_ok(aclrtStreamGetId(a, &ids[0]));
    assert_acl_ok(aclrtStreamGetId(b, &ids[1]));
    assert_acl_ok(aclrtStreamGetId(NULL, &ids[2]));
    assert_true(ids[0] >= 0 && ids[1] >= 0 && ids[2] >= 0);
    assert_true(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    assert_acl(aclrtStreamGetId(a, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(a));
    assert_acl_ok(aclrtDestroyStream(b));
}

static void an_attribute_keeps_its_value_and_writes_16_bytes(void **state) {
    static const struct {
        aclrtStreamAttr kind;
        uint32_t first;
        uint32_t last;
    } kinds[] = {{ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 0, 1},
                 {ACL_STREAM_ATTR_USER_CUSTOM_TAG, UINT32_MAX, UINT32_MAX},
                 {ACL_STREAM_ATTR_CACHE_OP_INFO, 0, 1},
                 {ACL_STREAM_ATTR_PRIORITY, 5, 7}};
    aclrtStream stream = make_stream(5, 0);
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct {
            aclrtStreamAttrValue value;
            unsigned char guard[16];
        } got;
        memset(&got, 0x5a, sizeof got);
        assert_acl_ok(aclrtGetStreamAttribute(stream, kinds[i].kind, &got.value));
        assert_int_equal(got.value.reserve[0], kinds[i].first);
        assert_int_equal(got.value.reserve[1] | got.value.reserve[2] | got.value.reserve[3], 0);
        assert_int_equal(got.guard[0], 0x5a);
        got.value.userCustomTag = kinds[i].last;
        assert_acl_ok(aclrtSetStreamAttribute(stream, kinds[i].kind, &got.value));
        got.value.userCustomTag = 9;
        if (kinds[i].last != UINT32_MAX) {
            assert_acl(aclrtSetStreamAttribute(stream, kinds[i].kind, &got.value),
                       ACL_ERROR_RT_PARAM_INVALID);
        }
        assert_acl_ok(aclrtGetStreamAttribute(stream, kinds[i].kind, &got.value));
        assert_int_equal(got.value.userCustomTag, kinds[i].last);
    }
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void unknown_attributes_and_null_are_refused(void **state) {
    aclrtStreamAttrValue value = {0};
    (void)state;
    assert_acl(aclrtGetStreamAttribute(NULL, (aclrtStreamAttr)0, &value),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSetStreamAttribute(NULL, (aclrtStreamAttr)6, &value),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtGetStreamAttribute(NULL, ACL_STREAM_ATTR_PRIORITY, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSetStreamAttribute(NULL, ACL_STREAM_ATTR_PRIORITY, NULL),
               ACL_ERROR_INVALID_PARAM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_stream_reports_the_priority_it_was_created_with),
        WITH_DEVICE(a_stream_reports_the_flags_it_was_created_with),
        WITH_DEVICE(streams_have_different_numbers),
        WITH_DEVICE(an_attribute_keeps_its_value_and_writes_16_bytes),
        WITH_DEVICE(unknown_attributes_and_null_are_refused),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
