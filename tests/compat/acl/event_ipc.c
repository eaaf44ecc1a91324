// SPDX-License-Identifier: Apache-2.0
// Events between processes.
#include <sys/wait.h>
#include <unistd.h>

#include "support/work.h"

static aclrtEvent make_shared(void) {
    aclrtEvent event = NULL;
    assert_acl_ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
    return event;
}

static void only_events_for_processes_have_handles(void **state) {
    aclrtIpcEventHandle handle = {{0}};
    aclrtEvent plain = NULL;
    aclrtEvent shared = make_shared();
    aclrtEvent other = NULL;
    (void)state;
    assert_int_equal(sizeof handle, 64);
    assert_acl_ok(aclrtCreateEventExWithFlag(&plain, ACL_EVENT_SYNC));
    assert_acl(aclrtIpcGetEventHandle(plain, &handle), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcGetEventHandle(NULL, &handle), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcGetEventHandle(shared, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcOpenEventHandle(handle, &other), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtIpcGetEventHandle(shared, &handle));
    assert_acl(aclrtIpcOpenEventHandle(handle, &other), ACL_ERROR_RT_PARAM_INVALID); // own
    assert_acl(aclrtIpcOpenEventHandle(handle, NULL), ACL_ERROR_INVALID_PARAM);
    assert_null(other);
    assert_acl_ok(aclrtDestroyEvent(plain));
    assert_acl_ok(aclrtDestroyEvent(shared));
}

static void an_event_for_processes_works_in_its_own(void **state) {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    struct gate gate = {false, 0};
    aclrtEvent event = make_shared();
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtQueryEventStatus(event, &status));
    assert_int_equal(status, ACL_EVENT_RECORDED_STATUS_COMPLETE); // no record yet
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(event, stream));
    assert_acl_ok(aclrtStreamWaitEvent(NULL, event));
    assert_acl_ok(aclrtQueryEventStatus(event, &status));
    assert_int_equal(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtSynchronizeEvent(event));
    assert_int_equal(gate.passed, 1);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(stream));
}

// ---- two processes

enum { OPENED, PASSED, REPLIES };

// Waits in a stream for the record of its parent, and reports after the wait.
static int wait_for_parent(int in, int out) {
    aclrtIpcEventHandle handle;
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    aclrtEvent event = NULL;
    char reply = OPENED;
    bool good = read(in, &handle, sizeof handle) == (ssize_t)sizeof handle &&
                aclrtSetDevice(1) == 0 && aclrtIpcOpenEventHandle(handle, &event) == 0 &&
                aclrtQueryEventStatus(event, &status) == 0 &&
                status == ACL_EVENT_RECORDED_STATUS_NOT_READY &&
                aclrtStreamWaitEvent(NULL, event) == 0 &&
                aclrtSynchronizeStreamWithTimeout(NULL, 20) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT &&
                write(out, &reply, 1) == 1 && aclrtSynchronizeStream(NULL) == 0;
    reply = PASSED;
    return good && write(out, &reply, 1) == 1 && aclrtDestroyEvent(event) == 0 ? 0 : 1;
}

static int to_child[2];
static int from_child[2];
static pid_t child;

static int begin_child(void **state) {
    if (work_group_setup(state) != 0 || pipe(to_child) != 0 || pipe(from_child) != 0) return -1;
    child = fork();
    if (child == 0) _exit(wait_for_parent(to_child[0], from_child[1]));
    (void)close(from_child[1]); // so that a child that ends is noticed
    return child > 0 ? 0 : -1;
}

static void another_process_waits_for_a_record(void **state) {
    aclrtIpcEventHandle handle;
    struct gate gate = {false, 0};
    aclrtEvent event = make_shared();
    char reply = REPLIES;
    int status = 0;
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtIpcGetEventHandle(event, &handle));
    assert_int_equal(write(to_child[1], &handle, sizeof handle), sizeof handle);
    assert_int_equal(read(from_child[0], &reply, 1), 1);
    assert_int_equal(reply, OPENED);
    gate.open = true;
    assert_int_equal(read(from_child[0], &reply, 1), 1);
    assert_int_equal(reply, PASSED);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_acl_ok(aclrtDestroyEvent(event));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(only_events_for_processes_have_handles),
        WITH_DEVICE(an_event_for_processes_works_in_its_own),
        WITH_DEVICE(another_process_waits_for_a_record),
    };
    return cmocka_run_group_tests(tests, begin_child, NULL);
}
