// SPDX-License-Identifier: Apache-2.0
// Words that streams write and wait for.
#include "support/bytes.h"
#include "support/work.h"

static aclrtStream writer;
static aclrtStream waiter;
static uint64_t *word;

static int with_word(void **state) {
    (void)state;
    void *memory = NULL;
    if (aclrtSetDevice(0) != 0 || aclrtCreateStream(&writer) != 0 ||
        aclrtCreateStream(&waiter) != 0 || aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY))
        return -1;
    word = memory;
    return aclrtMemset(word, 64, 0, 64);
}

static int without_word(void **state) {
    (void)state;
    return aclrtDestroyStream(writer) != 0 || aclrtDestroyStream(waiter) != 0 ||
           aclrtFree(word) != 0 || aclrtResetDevice(0) != 0;
}

static void set_word(uint64_t value) {
    assert_acl_ok(aclrtMemcpy(word, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
}

static uint64_t get_word(void) {
    uint64_t value = 0;
    assert_acl_ok(aclrtMemcpy(&value, 8, word, 8, ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
}

static bool is_blocked(void) {
    return aclrtSynchronizeStreamWithTimeout(waiter, 20) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

static void a_write_lets_a_wait_pass(void **state) {
    (void)state;
    assert_acl_ok(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_EQ, waiter));
    assert_true(is_blocked());
    assert_acl_ok(aclrtValueWrite(word, 5, 0, writer));
    assert_acl_ok(aclrtSynchronizeStream(waiter));
    assert_int_equal(get_word(), 5);
}

static void a_write_is_in_stream_order(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(writer, pass_gate, &gate));
    assert_acl_ok(aclrtValueWrite(word, UINT64_MAX - 1, 0, writer));
    let_others_begin();
    assert_int_equal(get_word(), 0);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(writer));
    assert_int_equal(get_word(), UINT64_MAX - 1);
}

static void each_condition_decides_as_documented(void **state) {
    static const struct {
        uint32_t flag;
        uint64_t now;
        uint64_t value;
        bool passes;
    } cases[] = {
        {ACL_STREAM_WAIT_VALUE_GEQ, 2, UINT64_MAX, true}, // a difference of 3
        {ACL_STREAM_WAIT_VALUE_GEQ, 2, 3, false},
        {ACL_STREAM_WAIT_VALUE_GEQ, 3, 3, true},
        {ACL_STREAM_WAIT_VALUE_EQ, 3, 3, true},
        {ACL_STREAM_WAIT_VALUE_EQ, 3 | UINT64_C(1) << 40, 3, false},
        {ACL_STREAM_WAIT_VALUE_AND, 6, 2, true},
        {ACL_STREAM_WAIT_VALUE_AND, 6, 1, false},
        {ACL_STREAM_WAIT_VALUE_NOR, 6, 1, true},
        {ACL_STREAM_WAIT_VALUE_NOR, UINT64_MAX - 1, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_word(cases[i].now);
        assert_acl_ok(aclrtValueWait(word, cases[i].value, cases[i].flag, waiter));
        if (!cases[i].passes) {
            assert_true(is_blocked());
            set_word(cases[i].flag == ACL_STREAM_WAIT_VALUE_NOR ? 0 : cases[i].value);
        }
        assert_acl_ok(aclrtSynchronizeStream(waiter));
    }
}

static void many_streams_wait_without_holding_up_others(void **state) {
    enum { STREAMS = 24 }; // more than there are workers
    aclrtStream streams[STREAMS];
    (void)state;
    for (int i = 0; i < STREAMS; i++) {
        assert_acl_ok(aclrtCreateStream(&streams[i]));
        assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, streams[i]));
    }
    assert_acl_ok(aclrtMemsetAsync(word + 1, 8, 7, 8, writer));
    assert_acl_ok(aclrtSynchronizeStream(writer));
    assert_acl_ok(aclrtValueWrite(word, 1, 0, writer));
    for (int i = 0; i < STREAMS; i++) assert_acl_ok(aclrtDestroyStream(streams[i])); // waits
}

static void bad_arguments_are_refused(void **state) {
    unsigned char *pinned = pinned_bytes(64, 0);
    uint64_t local[8] = {0};
    void *const others[] = {pinned, local, (char *)word + 4};
    (void)state;
    assert_acl(aclrtValueWrite(word, 5, 1, writer), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtValueWait(word, 5, 4, waiter), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtValueWrite(NULL, 5, 0, writer), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtValueWait(NULL, 5, 0, waiter), ACL_ERROR_INVALID_PARAM);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_acl(aclrtValueWrite(others[i], 5, 0, writer), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtValueWait(others[i], 5, 0, waiter), ACL_ERROR_RT_PARAM_INVALID);
    }
    assert_acl(aclrtValueWrite(word, 5, 0, &local), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_int_equal(get_word(), 0);
    assert_acl_ok(aclrtFreeHost(pinned));
}

static void a_wait_for_memory_that_is_freed_fails(void **state) {
    aclrtStream stream = NULL;
    void *freed = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtMemset(freed, 64, 0, 64));
    assert_acl_ok(aclrtValueWait(freed, 5, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtFree(freed));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtDestroyStream(stream));
}

int main(void) {
#define WITH_WORD(test) cmocka_unit_test_setup_teardown(test, with_word, without_word)
    const struct CMUnitTest tests[] = {
        WITH_WORD(a_write_lets_a_wait_pass),
        WITH_WORD(a_write_is_in_stream_order),
        WITH_WORD(each_condition_decides_as_documented),
        WITH_WORD(many_streams_wait_without_holding_up_others),
        WITH_WORD(bad_arguments_are_refused),
        WITH_WORD(a_wait_for_memory_that_is_freed_fails),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
