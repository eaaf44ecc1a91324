// SPDX-License-Identifier: Apache-2.0
// Claims about the locks that records of events, and waits for them, take: none that captures need
// while no stream and no event is part of a capture. The program's pthread_mutex_lock() replaces
// that of libc for the face too, and counts.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "support/hip.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define REPLACED_BY_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define REPLACED_BY_SANITIZER 1
#endif
#endif

#ifndef REPLACED_BY_SANITIZER

static _Thread_local unsigned locks;

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*_Atomic next)(pthread_mutex_t *);
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    locks++;
    return next(mutex);
}

static hipStream_t streams[2];
static hipEvent_t event;

// The locks that each of these calls takes now.
struct taken {
    unsigned record, wait, query;
};

static struct taken locks_now(void) {
    struct taken taken;
    locks = 0;
    assert_hip_ok(hipEventRecord(event, streams[0]));
    taken.record = locks;
    locks = 0;
    assert_hip_ok(hipStreamWaitEvent(streams[1], event, 0));
    taken.wait = locks;
    assert_hip_ok(hipEventSynchronize(event));
    locks = 0;
    assert_hip_ok(hipEventQuery(event));
    taken.query = locks;
    return taken;
}

static void the_lock_of_captures_is_taken_only_while_one_exists(void **state) {
    hipStream_t captured = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_hip_ok(hipStreamCreateWithFlags(&streams[i], hipStreamNonBlocking));
    assert_hip_ok(hipStreamCreateWithFlags(&captured, hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&event));
    (void)locks_now(); // the first record
    struct taken before = locks_now();
    assert_hip_ok(hipStreamBeginCapture(captured, hipStreamCaptureModeRelaxed));
    struct taken beside = locks_now();
    assert_hip_ok(hipStreamEndCapture(captured, &graph));
    struct taken after = locks_now();
    assert_true(before.record < beside.record && before.wait < beside.wait &&
                before.query < beside.query);
    assert_memory_equal(&after, &before, sizeof after);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(captured));
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamDestroy(streams[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lock_of_captures_is_taken_only_while_one_exists),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}

#else

int main(void) {
    (void)printf("skipped: the sanitizer has its own pthread_mutex_lock()\n");
    return 77;
}

#endif
