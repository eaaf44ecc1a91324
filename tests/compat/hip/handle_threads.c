// SPDX-License-Identifier: Apache-2.0
// Handles on several threads: one thread destroys what another is about to use. Meant for
// ThreadSanitizer too.
#include "support/hip.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 3000, SHARED = 4 };

static _Atomic(hipEvent_t) shared[SHARED];

struct thread {
    hipEvent_t made[ROUNDS]; // all handles that the thread ever got
    size_t count;
    unsigned seed;
    pthread_t thread;
};

static hipEvent_t make_event(struct thread *thread) {
    hipEvent_t event = NULL;
    assert_hip_ok(hipEventCreate(&event));
    thread->made[thread->count++] = event;
    return event;
}

static void replace_event(struct thread *thread, unsigned place) {
    hipEvent_t before = atomic_exchange(&shared[place], make_event(thread));
    if (before != NULL) assert_hip_ok(hipEventDestroy(before));
}

static void use_event(unsigned place) {
    hipEvent_t event = atomic_load(&shared[place]);
    if (event == NULL) return;
    hipError_t error = hipEventRecord(event, NULL);
    assert_true(error == hipSuccess || error == hipErrorInvalidHandle);
    error = hipEventSynchronize(event);
    assert_true(error == hipSuccess || error == hipErrorInvalidHandle);
}

static void *use_often(void *arg) {
    struct thread *thread = (struct thread *)arg;
    for (int i = 0; i < ROUNDS; i++) {
        thread->seed = thread->seed * 1664525 + 1013904223;
        unsigned place = thread->seed >> 16 & (SHARED - 1);
        if ((thread->seed >> 24) % 4 == 0)
            replace_event(thread, place);
        else
            use_event(place);
    }
    return NULL;
}

static int by_value(const void *a, const void *b) {
    uintptr_t x = (uintptr_t) * (const hipEvent_t *)a;
    uintptr_t y = (uintptr_t) * (const hipEvent_t *)b;
    return (x > y) - (x < y);
}

static void a_destroyed_handle_is_refused_and_never_given_again(void **state) {
    static struct thread threads[THREADS];
    static hipEvent_t all[THREADS * ROUNDS];
    size_t count = 0;
    (void)state;
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i].seed = i;
        assert_int_equal(pthread_create(&threads[i].thread, NULL, use_often, &threads[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
        for (size_t j = 0; j < threads[i].count; j++) all[count++] = threads[i].made[j];
    }
    for (int i = 0; i < SHARED; i++) {
        hipEvent_t last = atomic_load(&shared[i]);
        assert_true(last == NULL || hipEventDestroy(last) == hipSuccess);
    }
    qsort(all, count, sizeof all[0], by_value);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || all[i] != all[i - 1]);
        assert_hip(hipEventQuery(all[i]), hipErrorInvalidHandle);
    }
}

// A handle that nobody got yet is refused too, also while another object has not ended in its place.
static void a_guessed_handle_is_refused(void **state) {
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    for (unsigned bit = 0; bit < 60; bit++) {
        hipEvent_t guess = (hipEvent_t)((uintptr_t)event ^ (uintptr_t)1 << bit);
        assert_hip(hipEventQuery(guess), hipErrorInvalidHandle);
    }
    assert_hip_ok(hipEventQuery(event));
    assert_hip_ok(hipEventDestroy(event));
    for (uintptr_t next = 0; next < 4; next++) {
        hipEvent_t guess = (hipEvent_t)((uintptr_t)event + (next << 24));
        assert_hip(hipEventQuery(guess), hipErrorInvalidHandle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destroyed_handle_is_refused_and_never_given_again),
        cmocka_unit_test(a_guessed_handle_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
