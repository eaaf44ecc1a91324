// SPDX-License-Identifier: Apache-2.0
// hipIpcGetEventHandle, hipIpcOpenEventHandle: events of another process. The exporter is a process
// that obeys; the process of the tests itself never calls HIP.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/hip.h"

#define SHARED (hipEventInterprocess | hipEventDisableTiming)

// Requests to the exporter, which answers with one byte. Its stream waits for the word to be 1.
enum { HOLD = 'h', RECORD = 'r', LET_GO = 'g', WAIT = 'w', QUIT = 'q' };

static void need(bool good) {
    if (!good) _exit(4);
}

static void obey(int fd) {
    hipEvent_t event = NULL;
    hipStream_t stream = NULL;
    hipIpcEventHandle_t handle;
    uint32_t *word = NULL;
    char order;
    need(hipEventCreateWithFlags(&event, SHARED) == hipSuccess);
    need(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess);
    need(hipMalloc((void **)&word, 64) == hipSuccess);
    need(hipIpcGetEventHandle(&handle, event) == hipSuccess);
    need(write(fd, &handle, sizeof handle) == (ssize_t)sizeof handle);
    while (read(fd, &order, 1) == 1 && order != QUIT) {
        switch (order) {
        case HOLD:
            need(hipStreamWriteValue32(NULL, word, 0, 0) == hipSuccess);
            need(hipStreamSynchronize(NULL) == hipSuccess);
            need(hipStreamWaitValue32(stream, word, 1, hipStreamWaitValueEq, UINT32_MAX) ==
                 hipSuccess);
            break;
        case RECORD: need(hipEventRecord(event, stream) == hipSuccess); break;
        case LET_GO: need(hipStreamWriteValue32(NULL, word, 1, 0) == hipSuccess); break;
        case WAIT: need(hipStreamSynchronize(stream) == hipSuccess); break;
        default: need(false);
        }
        need(write(fd, &order, 1) == 1);
    }
    _exit(0);
}

struct exporter {
    int fd;
    pid_t pid;
};

static void tell(const struct exporter *exporter, char order) {
    char answer = 0;
    assert_int_equal(write(exporter->fd, &order, 1), 1);
    assert_int_equal(read(exporter->fd, &answer, 1), 1);
}

static hipEvent_t open_event(const struct exporter *exporter) {
    hipIpcEventHandle_t handle;
    hipEvent_t event = NULL;
    assert_int_equal(read(exporter->fd, &handle, sizeof handle), sizeof handle);
    assert_hip_ok(hipIpcOpenEventHandle(&event, handle));
    return event;
}

static void with_exporter(void (*body)(void *exporter)) {
    int fds[2];
    struct exporter exporter;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    exporter.pid = fork();
    assert_true(exporter.pid >= 0);
    if (exporter.pid == 0) {
        close(fds[0]);
        obey(fds[1]);
    }
    close(fds[1]);
    exporter.fd = fds[0];
    hip_in_child(body, &exporter, NULL);
    close(exporter.fd);
    (void)waitpid(exporter.pid, NULL, 0);
}

static void wait_for_the_record(void *arg) {
    const struct exporter *exporter = arg;
    hipStream_t stream = NULL;
    hipEvent_t event = open_event(exporter);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipEventQuery(event)); // never recorded
    assert_hip_ok(hipStreamWaitEvent(stream, event, 0));
    assert_hip_ok(hipStreamSynchronize(stream));
    tell(exporter, HOLD);
    tell(exporter, RECORD);
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    assert_hip_ok(hipStreamWaitEvent(stream, event, 0));
    (void)usleep(3000);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    tell(exporter, LET_GO);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventQuery(event));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_stream_waits_for_the_record_of_another_process(void **state) {
    (void)state;
    with_exporter(wait_for_the_record);
}

static void see_it_end(void *arg) {
    const struct exporter *exporter = arg;
    hipStream_t stream = NULL;
    hipEvent_t event = open_event(exporter);
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    tell(exporter, HOLD);
    tell(exporter, RECORD);
    assert_hip_ok(hipStreamWaitEvent(stream, event, 0));
    assert_int_equal(kill(exporter->pid, SIGKILL), 0);
    assert_int_not_equal(hipStreamSynchronize(stream), hipSuccess);
    assert_int_not_equal(hipEventSynchronize(event), hipSuccess);
    assert_hip_ok(hipEventDestroy(event));
}

static void a_crash_of_the_exporter_ends_the_wait_with_an_error(void **state) {
    (void)state;
    with_exporter(see_it_end);
}

static void outlive_it(void *arg) {
    const struct exporter *exporter = arg;
    hipEvent_t event = open_event(exporter);
    tell(exporter, RECORD);
    tell(exporter, WAIT);
    assert_int_equal(kill(exporter->pid, SIGKILL), 0);
    assert_hip_ok(hipEventQuery(event));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventDestroy(event));
}

static void a_record_that_has_passed_outlives_the_exporter(void **state) {
    (void)state;
    with_exporter(outlive_it);
}

static void be_refused(void *arg) {
    hipEvent_t plain = NULL;
    hipEvent_t shared = NULL;
    hipEvent_t opened = NULL;
    hipIpcEventHandle_t handle;
    (void)arg;
    memset(&handle, 0, sizeof handle);
    assert_hip(hipEventCreateWithFlags(&shared, hipEventInterprocess), hipErrorInvalidValue);
    assert_hip_ok(hipEventCreate(&plain));
    assert_hip(hipIpcGetEventHandle(&handle, plain), hipErrorInvalidConfiguration);
    assert_hip(hipIpcGetEventHandle(NULL, plain), hipErrorInvalidValue);
    assert_hip(hipIpcGetEventHandle(&handle, NULL), hipErrorInvalidValue);
    assert_hip(hipIpcOpenEventHandle(&opened, handle), hipErrorInvalidValue);
    assert_hip_ok(hipEventCreateWithFlags(&shared, SHARED));
    assert_hip_ok(hipIpcGetEventHandle(&handle, shared));
    assert_hip(hipIpcOpenEventHandle(&opened, handle), hipErrorInvalidContext); // its own
    assert_hip(hipIpcOpenEventHandle(NULL, handle), hipErrorInvalidValue);
    assert_hip_ok(hipEventRecord(shared, NULL)); // works as any event
    assert_hip_ok(hipEventSynchronize(shared));
    assert_hip_ok(hipEventDestroy(shared));
    assert_hip_ok(hipEventDestroy(plain));
}

static void bad_events_and_handles_are_refused(void **state) {
    (void)state;
    hip_in_child(be_refused, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_waits_for_the_record_of_another_process),
        cmocka_unit_test(a_crash_of_the_exporter_ends_the_wait_with_an_error),
        cmocka_unit_test(a_record_that_has_passed_outlives_the_exporter),
        cmocka_unit_test(bad_events_and_handles_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
