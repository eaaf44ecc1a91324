// SPDX-License-Identifier: Apache-2.0
// Events of both kinds: their states and times (spec table 2).
#include <pthread.h>

#include "support/work.h"

typedef aclError create_function(aclrtEvent *event, uint32_t flag);

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

static aclrtEvent new_event(create_function *create) {
    aclrtEvent event = NULL;
    assert_acl_ok(create(&event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    return event;
}

static aclrtStream new_stream(void) {
    aclrtStream stream = NULL;
    assert_acl_ok(aclrtCreateStream(&stream));
    return stream;
}

static int old_status(aclrtEvent event) {
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    assert_acl_ok(aclrtQueryEvent(event, &status));
    return (int)status;
}

static int recorded_status(aclrtEvent event) {
    aclrtEventRecordedStatus status = (aclrtEventRecordedStatus)7;
    assert_acl_ok(aclrtQueryEventStatus(event, &status));
    return (int)status;
}

static int wait_status(aclrtEvent event) {
    aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
    assert_acl_ok(aclrtQueryEventWaitStatus(event, &status));
    return (int)status;
}

static void without_a_context_there_are_no_events(void **state) {
    aclrtEvent event = state;
    aclrtEventStatus status;
    aclrtEventRecordedStatus recorded;
    aclrtEventWaitStatus waited;
    uint64_t us;
    float ms;
    (void)state;
    assert_acl(aclrtCreateEvent(&event), ACL_ERROR_RT_CONTEXT_NULL);
    assert_ptr_equal(event, state);
    assert_acl(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtDestroyEvent(event), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtRecordEvent(event, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtResetEvent(event, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtStreamWaitEvent(NULL, event), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtQueryEvent(event, &status), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtQueryEventStatus(event, &recorded), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtQueryEventWaitStatus(event, &waited), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeEvent(event), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtEventGetTimestamp(event, &us), ACL_ERROR_RT_CONTEXT_NULL);
}

static void null_is_refused(void **state) {
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    aclrtEventStatus status;
    aclrtEventRecordedStatus recorded;
    aclrtEventWaitStatus waited;
    uint64_t us;
    float ms;
    (void)state;
    assert_acl(aclrtCreateEvent(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateEventWithFlag(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateEventExWithFlag(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDestroyEvent(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtRecordEvent(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtResetEvent(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtStreamWaitEvent(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEvent(NULL, &status), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEvent(event, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEventStatus(NULL, &recorded), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEventStatus(event, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEventWaitStatus(NULL, &waited), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtQueryEventWaitStatus(event, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSynchronizeEvent(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSynchronizeEventWithTimeout(NULL, -2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtEventElapsedTime(NULL, event, event), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtEventElapsedTime(&ms, NULL, event), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtEventElapsedTime(&ms, event, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtEventGetTimestamp(NULL, &us), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtEventGetTimestamp(event, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyEvent(event));
}

static void flags_are_checked(void **state) {
    aclrtEvent event = NULL;
    (void)state;
    assert_acl(aclrtCreateEventWithFlag(&event, 0x80), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "0x80"));
    assert_acl(aclrtCreateEventWithFlag(&event, ACL_EVENT_IPC), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtCreateEventWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtCreateEventExWithFlag(
        &event, ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_EXTERNAL));
    assert_acl_ok(aclrtDestroyEvent(event));
}

// V21, and table 2.
static void kinds_differ_before_the_first_record(void **state) {
    aclrtEvent old = new_event(aclrtCreateEventWithFlag);
    aclrtEvent new = new_event(aclrtCreateEventExWithFlag);
    (void)state;
    assert_int_equal(recorded_status(new), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_int_equal(recorded_status(old), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    assert_int_equal(old_status(new), ACL_EVENT_STATUS_COMPLETE);
    assert_int_equal(old_status(old), ACL_EVENT_STATUS_NOT_READY);
    assert_int_equal(wait_status(old), ACL_EVENT_WAIT_STATUS_COMPLETE);
    assert_acl_ok(aclrtDestroyEvent(old));
    assert_acl_ok(aclrtDestroyEvent(new));
}

static void without_a_record_there_is_nothing_to_wait_for_or_measure(void **state) {
    static create_function *const creates[] = {aclrtCreateEventWithFlag,
                                               aclrtCreateEventExWithFlag};
    (void)state;
    for (int i = 0; i < 2; i++) {
        aclrtEvent event = new_event(creates[i]);
        float ms = 7;
        uint64_t us = 7;
        assert_acl_ok(aclrtSynchronizeEvent(event));
        assert_acl_ok(aclrtSynchronizeEventWithTimeout(event, 1));
        assert_acl(aclrtSynchronizeEventWithTimeout(event, 0), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_INTERNAL_ERROR);
        assert_acl(aclrtEventGetTimestamp(event, &us), ACL_ERROR_RT_INTERNAL_ERROR);
        assert_true(ms == 7 && us == 7);
        assert_acl_ok(aclrtStreamWaitEvent(NULL, event));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_acl_ok(aclrtDestroyEvent(event));
    }
}

static void a_record_captures_the_work_so_far(void **state) {
    static create_function *const creates[] = {aclrtCreateEventWithFlag,
                                               aclrtCreateEventExWithFlag};
    aclrtStream stream = new_stream();
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct gate before = {false, 0};
        struct gate behind = {false, 0};
        aclrtEvent event = new_event(creates[i]);
        assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &before));
        assert_acl_ok(aclrtRecordEvent(event, stream));
        assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &behind));
        assert_int_equal(old_status(event), ACL_EVENT_STATUS_NOT_READY);
        assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
        before.open = true;
        assert_acl_ok(aclrtSynchronizeEvent(event));
        assert_int_equal(before.passed, 1);
        assert_int_equal(behind.passed, 0);
        assert_int_equal(old_status(event), ACL_EVENT_STATUS_COMPLETE);
        assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
        behind.open = true;
        assert_acl_ok(aclrtSynchronizeStream(stream));
        assert_acl_ok(aclrtDestroyEvent(event));
    }
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void a_stream_waits_for_the_record_that_was_there(void **state) {
    struct gate first = {false, 0};
    struct gate second = {false, 0};
    struct seen seen = {&first, 7};
    (void)state;
    need_functions_at_once();
    aclrtStream from = new_stream();
    aclrtStream other = new_stream();
    aclrtStream to = new_stream();
    aclrtEvent event = new_event(aclrtCreateEventExWithFlag);
    assert_acl_ok(aclrtLaunchHostFunc(from, pass_gate, &first));
    assert_acl_ok(aclrtRecordEvent(event, from));
    assert_acl_ok(aclrtStreamWaitEvent(to, event));
    assert_acl_ok(aclrtLaunchHostFunc(to, see, &seen));
    assert_acl_ok(aclrtLaunchHostFunc(other, pass_gate, &second));
    assert_acl_ok(aclrtRecordEvent(event, other)); // does not move the wait
    let_others_begin();
    assert_int_equal(seen.passed, 7);
    assert_int_equal(wait_status(event), ACL_EVENT_WAIT_STATUS_NOT_READY);
    first.open = true;
    assert_acl_ok(aclrtSynchronizeStream(to));
    assert_int_equal(seen.passed, 1);
    assert_int_equal(wait_status(event), ACL_EVENT_WAIT_STATUS_COMPLETE);
    assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    second.open = true;
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(from));
    assert_acl_ok(aclrtDestroyStream(other));
    assert_acl_ok(aclrtDestroyStream(to));
}

static void all_waits_count_not_only_the_last(void **state) {
    struct gate gate = {false, 0};
    aclrtStream held = new_stream();
    aclrtStream idle = new_stream();
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    (void)state;
    assert_acl_ok(aclrtRecordEvent(event, idle));
    assert_acl_ok(aclrtLaunchHostFunc(held, pass_gate, &gate));
    for (int i = 0; i < 3; i++) {
        assert_acl_ok(aclrtStreamWaitEvent(held, event));
        assert_acl_ok(aclrtStreamWaitEvent(idle, event));
        assert_acl_ok(aclrtSynchronizeStream(idle));
    }
    assert_int_equal(wait_status(event), ACL_EVENT_WAIT_STATUS_NOT_READY);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(held));
    assert_int_equal(wait_status(event), ACL_EVENT_WAIT_STATUS_COMPLETE);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(held));
    assert_acl_ok(aclrtDestroyStream(idle));
}

static void a_reset_takes_place_in_its_stream(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = new_stream();
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    float ms = 0;
    (void)state;
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtResetEvent(event, stream));
    assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    assert_acl(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_INTERNAL_ERROR);
    assert_acl_ok(aclrtRecordEvent(event, stream));
    assert_acl_ok(aclrtSynchronizeEvent(event));
    assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(stream));
}

// The reset takes place at once, in an idle stream. The work before the record goes on.
static void an_event_that_was_reset_has_nothing_to_wait_for(void **state) {
    struct gate gate = {false, 0};
    aclrtStream held = new_stream();
    aclrtStream idle = new_stream();
    aclrtEvent event = new_event(aclrtCreateEventExWithFlag);
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(held, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(event, held));
    assert_acl(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    assert_acl_ok(aclrtResetEvent(event, idle));
    assert_acl_ok(aclrtSynchronizeStream(idle));
    assert_acl_ok(aclrtSynchronizeEventWithTimeout(event, 1));
    gate.open = true;
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(held));
    assert_acl_ok(aclrtDestroyStream(idle));
}

static void a_record_undoes_an_earlier_reset(void **state) {
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    (void)state;
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtResetEvent(event, NULL));
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_int_equal(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_acl_ok(aclrtDestroyEvent(event));
}

static void limits_of_waits_expire(void **state) {
    struct gate gate = {false, 0};
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    let_others_begin();
    assert_acl(aclrtSynchronizeEventWithTimeout(event, -2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeEventWithTimeout(event, 3), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    assert_non_null(strstr(aclGetRecentErrMsg(), "3 ms"));
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeEventWithTimeout(event, -1));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtDestroyEvent(event));
}

static void time_passes_between_events(void **state) {
    struct gate gate = {false, 0};
    aclrtEvent start = NULL;
    aclrtEvent end = new_event(aclrtCreateEventExWithFlag);
    uint64_t from = 0;
    uint64_t to = 0;
    float ms = -1;
    (void)state;
    assert_acl_ok(aclrtCreateEvent(&start)); // measures without a flag
    assert_acl_ok(aclrtRecordEvent(start, NULL));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(end, NULL));
    assert_acl(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
    assert_acl(aclrtEventGetTimestamp(end, &to), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeEvent(end));
    assert_acl_ok(aclrtEventElapsedTime(&ms, start, end));
    assert_true(ms >= 0);
    assert_acl_ok(aclrtEventGetTimestamp(start, &from));
    assert_acl_ok(aclrtEventGetTimestamp(end, &to));
    assert_true(from > 0 && to >= from);
    assert_true((float)(to - from) / 1000 <= ms + 0.002F);
    assert_true((float)(to - from) / 1000 >= ms - 0.002F);
    assert_acl_ok(aclrtDestroyEvent(start));
    assert_acl_ok(aclrtDestroyEvent(end));
}

static void time_is_only_on_a_time_line(void **state) {
    aclrtEvent event = NULL;
    uint64_t us = 0;
    float ms = 0;
    (void)state;
    assert_acl_ok(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtSynchronizeEvent(event));
    assert_acl(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    assert_acl(aclrtEventGetTimestamp(event, &us), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    assert_acl_ok(aclrtDestroyEvent(event));
}

static void events_of_one_context_serve_another(void **state) {
    struct gate gate = {false, 0};
    struct seen seen = {&gate, 7};
    aclrtContext usual = NULL;
    aclrtContext other = NULL;
    aclrtEvent event = new_event(aclrtCreateEventExWithFlag);
    aclrtStream stream = new_stream();
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(event, stream));
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&other, 1)); // another device too
    assert_acl(aclrtRecordEvent(event, stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl_ok(aclrtStreamWaitEvent(NULL, event));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, see, &seen));
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_int_equal(seen.passed, 1);
    assert_acl_ok(aclrtDestroyContext(other));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void what_is_gone_is_refused(void **state) {
    aclrtEvent event = new_event(aclrtCreateEventWithFlag);
    aclrtEventStatus status;
    (void)state;
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtStreamWaitEvent(NULL, event));
    assert_acl_ok(aclrtResetEvent(event, NULL));
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl(aclrtDestroyEvent(event), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtRecordEvent(event, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtQueryEvent(event, &status), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSynchronizeEvent(event), ACL_ERROR_RT_PARAM_INVALID);
}

struct shared {
    aclrtContext context;
    aclrtEvent event;
};

static void *use_event(void *arg) {
    struct shared *shared = arg;
    assert_acl_ok(aclrtSetCurrentContext(shared->context));
    aclrtStream stream = new_stream();
    for (int i = 0; i < 50; i++) {
        assert_acl_ok(aclrtRecordEvent(shared->event, stream));
        assert_acl_ok(aclrtStreamWaitEvent(stream, shared->event));
        (void)wait_status(shared->event);
        (void)recorded_status(shared->event);
        assert_acl_ok(aclrtResetEvent(shared->event, stream));
        assert_acl_ok(aclrtSynchronizeEvent(shared->event));
    }
    assert_acl_ok(aclrtDestroyStream(stream));
    return NULL;
}

static void threads_share_an_event(void **state) {
    struct shared shared = {NULL, new_event(aclrtCreateEventWithFlag)};
    pthread_t threads[3];
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&shared.context));
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_event, &shared), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(wait_status(shared.event), ACL_EVENT_WAIT_STATUS_COMPLETE);
    assert_acl_ok(aclrtDestroyEvent(shared.event));
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_context_there_are_no_events),
        with_a_device(null_is_refused),
        with_a_device(flags_are_checked),
        with_a_device(kinds_differ_before_the_first_record),
        with_a_device(without_a_record_there_is_nothing_to_wait_for_or_measure),
        with_a_device(a_record_captures_the_work_so_far),
        with_a_device(a_stream_waits_for_the_record_that_was_there),
        with_a_device(all_waits_count_not_only_the_last),
        with_a_device(a_reset_takes_place_in_its_stream),
        with_a_device(an_event_that_was_reset_has_nothing_to_wait_for),
        with_a_device(a_record_undoes_an_earlier_reset),
        with_a_device(limits_of_waits_expire),
        with_a_device(time_passes_between_events),
        with_a_device(time_is_only_on_a_time_line),
        with_a_device(events_of_one_context_serve_another),
        with_a_device(what_is_gone_is_refused),
        with_a_device(threads_share_an_event),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
