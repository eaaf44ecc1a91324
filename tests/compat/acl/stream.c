// SPDX-License-Identifier: Apache-2.0
// Streams: order, waits, and the context that each belongs to (spec table 2).
#include <pthread.h>
#include <unistd.h>

#include "support/work.h"

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

static void without_a_context_there_are_no_streams(void **state) {
    aclrtStream stream = state;
    aclrtStreamStatus status;
    (void)state;
    assert_acl(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    assert_ptr_equal(stream, state);
    assert_acl(aclrtCreateStreamWithConfig(&stream, 0, 0), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeStreamWithTimeout(NULL, 1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtStreamQuery(NULL, &status), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtLaunchHostFunc(NULL, count, NULL), ACL_ERROR_RT_CONTEXT_NULL);
}

static void null_is_refused_where_it_is_no_stream(void **state) {
    (void)state;
    assert_acl(aclrtCreateStream(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateStreamWithConfig(NULL, 0, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDestroyStream(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDestroyStreamForce(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtStreamQuery(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtLaunchHostFunc(NULL, NULL, NULL), ACL_ERROR_RT_PARAM_INVALID);
}

static void null_is_the_default_stream(void **state) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    struct gate gate = {false, 0};
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtStreamQuery(NULL, &status));
    assert_int_equal(status, ACL_STREAM_STATUS_NOT_READY);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtStreamQuery(NULL, &status));
    assert_int_equal(status, ACL_STREAM_STATUS_COMPLETE);
}

static void flags_and_priorities_are_checked(void **state) {
    static const uint32_t foreign[] = {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE,
                                       ACL_STREAM_DEVICE_USE_ONLY};
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(
        aclrtCreateStreamWithConfig(&stream, 7, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtCreateStreamWithConfig(&stream, 0, UINT32_MAX), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtCreateStreamWithConfig(&stream, 0, 0x41), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "0x41"));
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        assert_acl(aclrtCreateStreamWithConfig(&stream, 0, foreign[i]),
                   ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
}

static void other_priorities_and_flags_make_ordinary_streams(void **state) {
    static const struct {
        uint32_t priority, flag, becomes;
    } rows[] = {{8, 0, 7}, {64, 0, 7}, {UINT32_MAX, 0, 0}, {0, 0x40, 0}, {0, 0x80000000, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        aclrtStream stream = NULL;
        uint32_t priority = 99, flags = 99;
        assert_acl_ok(aclrtCreateStreamWithConfig(&stream, rows[i].priority, rows[i].flag));
        assert_acl_ok(aclrtStreamGetPriority(stream, &priority));
        assert_acl_ok(aclrtStreamGetFlags(stream, &flags));
        assert_int_equal(priority, rows[i].becomes);
        assert_int_equal(flags, 0);
        assert_acl_ok(aclrtDestroyStream(stream));
    }
}

static void work_of_one_stream_runs_in_order(void **state) {
    struct gate gate = {false, 0};
    struct seen seen = {&gate, 7};
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(stream, see, &seen));
    let_others_begin();
    assert_int_equal(seen.passed, 7);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_int_equal(seen.passed, 1);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void streams_run_beside_each_other(void **state) {
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    aclrtStream held = NULL;
    aclrtStream other = NULL;
    (void)state;
    need_functions_at_once();
    assert_acl_ok(aclrtCreateStream(&held));
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtLaunchHostFunc(held, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(other, count, &counter));
    assert_acl_ok(aclrtSynchronizeStream(other));
    assert_int_equal(counter, 1);
    assert_int_equal(gate.passed, 0);
    gate.open = true;
    assert_acl_ok(aclrtDestroyStream(held)); // waits
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtDestroyStream(other));
}

static void limits_of_waits_expire(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    let_others_begin(); // so that no waiting thread runs the gate itself
    assert_acl(aclrtSynchronizeStreamWithTimeout(stream, -2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeStreamWithTimeout(stream, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_non_null(strstr(aclGetRecentErrMsg(), "5 ms"));
    assert_acl(aclrtSynchronizeStreamWithTimeout(stream, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeDeviceWithTimeout(0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeDeviceWithTimeout(-2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeDeviceWithTimeout(5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStreamWithTimeout(stream, -1));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtSynchronizeDeviceWithTimeout(-1));
    assert_acl_ok(aclrtSynchronizeStreamWithTimeout(stream, 1));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void synchronize_device_waits_for_all_streams(void **state) {
    struct gate gates[2] = {{true, 0}, {true, 0}};
    aclrtStream streams[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(aclrtCreateStream(&streams[i]));
        assert_acl_ok(aclrtLaunchHostFunc(streams[i], pass_gate, &gates[i]));
    }
    assert_acl_ok(aclrtSynchronizeDevice());
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gates[i].passed, 1);
        assert_acl_ok(aclrtDestroyStream(streams[i]));
    }
}

static void force_does_not_wait(void **state) {
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(stream, count, &counter));
    assert_acl_ok(aclrtDestroyStreamForce(stream));
    assert_int_equal(gate.passed, 0);
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_int_equal(counter, 1);
}

static void what_is_gone_is_refused(void **state) {
    aclrtStreamStatus status;
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtDestroyStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtDestroyStreamForce(stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtStreamQuery(stream, &status), ACL_ERROR_RT_PARAM_INVALID);
}

static void streams_of_other_contexts_are_refused(void **state) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    aclrtStreamStatus status;
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtStreamQuery(stream, &status), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtDestroyStreamForce(stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtLaunchHostFunc(stream, count, NULL), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl_ok(aclrtDestroyContext(own));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void streams_end_with_their_context(void **state) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    aclrtStream stream = NULL;
    aclrtStream stays = NULL;
    struct gate gate = {true, 0};
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateStream(&stays));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtDestroyContext(own));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyStream(stays));
}

static void streams_end_with_the_last_reset_of_their_device(void **state) {
    aclrtContext usual = NULL;
    aclrtStream stream = NULL;
    struct gate gate = {true, 0};
    (void)state;
    for (int force = 0; force < 2; force++) {
        gate.passed = 0;
        assert_acl_ok(aclrtSetDevice(0)); // for the second time
        assert_acl_ok(aclrtGetCurrentContext(&usual));
        assert_acl_ok(aclrtCreateStream(&stream));
        if (force == 0) {
            assert_acl_ok(aclrtResetDevice(0));
            assert_acl_ok(aclrtSynchronizeStream(stream));
        }
        assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
        assert_acl_ok(force == 0 ? aclrtResetDevice(0) : aclrtResetDeviceForce(0));
        assert_int_equal(gate.passed, 1);
        assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_CONTEXT_NULL);
        assert_acl(aclrtSetCurrentContext(usual), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl_ok(aclrtSetDevice(0));
        assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    }
}

struct inside {
    aclrtContext context;
    aclrtStream stream;
    aclError codes[3];
};

static void wait_inside(void *arg) {
    struct inside *inside = arg;
    inside->codes[0] = aclrtSynchronizeStream(NULL);
    (void)aclrtSetCurrentContext(inside->context);
    inside->codes[1] = aclrtSynchronizeStream(inside->stream);
    inside->codes[2] = aclrtDestroyStream(inside->stream);
}

static void functions_must_not_wait(void **state) {
    struct inside inside = {NULL, NULL, {0, 0, 0}};
    struct gate gate = {false, 0};
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&inside.context));
    assert_acl_ok(aclrtCreateStream(&inside.stream));
    assert_acl_ok(aclrtLaunchHostFunc(inside.stream, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(inside.stream, wait_inside, &inside));
    let_others_begin(); // so that a worker runs it: this thread has a context
    gate.open = true;
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    while (status == ACL_STREAM_STATUS_NOT_READY) {
        usleep(100);
        assert_acl_ok(aclrtStreamQuery(inside.stream, &status));
    }
    assert_int_equal(inside.codes[0], ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(inside.codes[1], ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(inside.codes[2], ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyStream(inside.stream));
}

static void *make_and_destroy(void *context) {
    assert_acl_ok(aclrtSetCurrentContext(context));
    for (int i = 0; i < 50; i++) {
        _Atomic(int) counter = 0;
        aclrtStream stream = NULL;
        assert_acl_ok(aclrtCreateStream(&stream));
        assert_acl_ok(aclrtLaunchHostFunc(stream, count, &counter));
        if (i % 2 == 0) {
            assert_acl_ok(aclrtSynchronizeStream(stream));
            assert_acl_ok(aclrtDestroyStreamForce(stream));
        } else {
            assert_acl_ok(aclrtDestroyStream(stream));
        }
        assert_int_equal(counter, 1);
    }
    return NULL;
}

static void threads_make_streams_of_one_context(void **state) {
    aclrtContext context = NULL;
    pthread_t threads[3];
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&context));
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_destroy, context), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_context_there_are_no_streams),
        cmocka_unit_test(null_is_refused_where_it_is_no_stream),
        with_a_device(null_is_the_default_stream),
        with_a_device(flags_and_priorities_are_checked),
        with_a_device(other_priorities_and_flags_make_ordinary_streams),
        with_a_device(work_of_one_stream_runs_in_order),
        with_a_device(streams_run_beside_each_other),
        with_a_device(limits_of_waits_expire),
        with_a_device(synchronize_device_waits_for_all_streams),
        with_a_device(force_does_not_wait),
        with_a_device(what_is_gone_is_refused),
        with_a_device(streams_of_other_contexts_are_refused),
        with_a_device(streams_end_with_their_context),
        with_a_device(streams_end_with_the_last_reset_of_their_device),
        with_a_device(functions_must_not_wait),
        with_a_device(threads_make_streams_of_one_context),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
