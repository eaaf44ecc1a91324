// SPDX-License-Identifier: Apache-2.0
// The ring between a program and the writer of its recording: order, a full ring, and lost entries. The
// linker redirects nanosleep() and the clock to here, so that a wait of seconds takes no time.
#include "record/ring.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "base/atomic.h"

enum { THREADS = 4, EACH = 50000 };

static _Atomic uint64_t skipped_ns; // by waits
static _Atomic bool skips;

int __real_nanosleep(const struct timespec *pause, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *pause, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *pause, struct timespec *rest) {
    if (!tn_load_relaxed(&skips)) return __real_nanosleep(pause, rest);
    (void)tn_add_relaxed(&skipped_ns, UINT64_C(1000000000));
    errno = EINTR;
    return -1;
}

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    int result = __real_clock_gettime(clock, now);
    if (clock == CLOCK_MONOTONIC)
        now->tv_sec += (time_t)(tn_load_relaxed(&skipped_ns) / UINT64_C(1000000000));
    return result;
}

static void append_number(uint64_t number) {
    const struct tn_record_entry entry = {.addr = number};
    tn_record_ring_append(&entry);
}

static void a_full_ring_loses_entries_and_counts_them(void **state) {
    (void)state;
    struct tn_record_entry entry;
    struct tn_record_ring_counts before = tn_record_ring_counts();
    for (uint64_t i = 0; i < TN_RECORD_RING_ENTRIES; i++) append_number(i);
    tn_store_relaxed(&skips, true);
    errno = 4711;
    for (uint64_t i = 0; i < 3; i++) append_number(UINT64_MAX);
    assert_int_equal(errno, 4711);
    tn_store_relaxed(&skips, false);
    assert_true(tn_load_relaxed(&skipped_ns) >= 3 * UINT64_C(20000000000));
    struct tn_record_ring_counts counts = tn_record_ring_counts();
    assert_int_equal(counts.appended - before.appended, TN_RECORD_RING_ENTRIES);
    assert_int_equal(counts.lost, 3);
    assert_int_equal(counts.waits, 3);
    for (uint64_t i = 0; i < TN_RECORD_RING_ENTRIES; i++) {
        assert_true(tn_record_ring_take(&entry));
        assert_int_equal(entry.addr, i);
    }
    assert_false(tn_record_ring_take(&entry));
    append_number(1);
    assert_true(tn_record_ring_take(&entry));
    assert_int_equal(entry.addr, 1);
}

static void *append_many(void *first) {
    for (uint64_t i = 0; i < EACH; i++) append_number((uintptr_t)first + i);
    return NULL;
}

// More entries than the ring holds: threads wait for the writer, and each keeps its own order.
static void threads_that_wait_lose_nothing(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    uint64_t next[THREADS] = {0}, taken = 0, lost = tn_record_ring_counts().lost;
    struct tn_record_entry entry;
    for (uintptr_t i = 0; i < THREADS; i++)
        (void)pthread_create(&threads[i], NULL, append_many, (void *)(i << 32));
    while (taken < THREADS * (uint64_t)EACH) {
        if (!tn_record_ring_take(&entry)) {
            tn_record_ring_wait(1);
            continue;
        }
        assert_int_equal(entry.addr & UINT32_MAX, next[entry.addr >> 32]);
        next[entry.addr >> 32]++;
        taken++;
    }
    for (uintptr_t i = 0; i < THREADS; i++) (void)pthread_join(threads[i], NULL);
    assert_int_equal(tn_record_ring_counts().lost, lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_ring_loses_entries_and_counts_them),
        cmocka_unit_test(threads_that_wait_lose_nothing),
    };
    return tn_record_ring_open() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
