// SPDX-License-Identifier: Apache-2.0
// Ranked locks: they exclude, they wake, and a wrong order aborts a debug build. These tests fork
// to observe the abort; without TARN_DEBUG they are skipped.
#include "base/lock.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define THREADS 4
#define ROUNDS  20000

static struct tn_mutex mutex = TN_MUTEX(SPACE, "space");
static struct tn_rwlock rwlock = TN_RWLOCK(PHYS, "phys");
static struct tn_spin spin = TN_SPIN(BACKEND, "backend");

// Not atomic, so that ThreadSanitizer and the sum detect a lock that does not exclude.
static uint64_t counter;

static void *count_under_mutex(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        tn_mutex_lock(&mutex);
        counter++;
        tn_mutex_unlock(&mutex);
    }
    return unused;
}

static void *count_under_rwlock(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        tn_rwlock_write(&rwlock);
        counter++;
        tn_rwlock_unlock(&rwlock);
        tn_rwlock_read(&rwlock);
        uint64_t seen = counter;
        tn_rwlock_unlock(&rwlock);
        if (seen == 0) abort();
    }
    return unused;
}

static void *count_under_spin(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        tn_spin_lock(&spin);
        counter++;
        tn_spin_unlock(&spin);
    }
    return unused;
}

static void *count_by_trying(void *unused) {
    for (int i = 0; i < ROUNDS;) {
        if (tn_spin_trylock(&spin)) {
            counter++;
            i++;
            tn_spin_unlock(&spin);
        }
    }
    return unused;
}

static void count_in_threads(void *(*work)(void *)) {
    pthread_t thread[THREADS];
    counter = 0;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(counter, THREADS * ROUNDS);
}

static void a_mutex_excludes(void **state) {
    (void)state;
    count_in_threads(count_under_mutex);
}

static void a_writer_excludes(void **state) {
    (void)state;
    count_in_threads(count_under_rwlock);
}

static void a_spin_lock_excludes(void **state) {
    (void)state;
    count_in_threads(count_under_spin);
    count_in_threads(count_by_trying);
}

static void *take_and_count(void *unused) {
    tn_spin_lock(&spin);
    counter++;
    tn_spin_unlock(&spin);
    return unused;
}

static void a_spin_lock_held_for_long_is_slept_for(void **state) {
    (void)state;
    pthread_t thread[THREADS];
    counter = 0;
    tn_spin_lock(&spin);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, take_and_count, NULL), 0);
    while (tn_load_relaxed(&spin.state) != TN_SPIN_WAITED) (void)usleep(1000);
    assert_int_equal(counter, 0);
    tn_spin_unlock(&spin);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(counter, THREADS);
    assert_int_equal(tn_load_relaxed(&spin.state), TN_SPIN_FREE);
}

static void trying_a_taken_lock_says_no(void **state) {
    (void)state;
    tn_spin_lock(&spin);
    assert_false(tn_spin_trylock(&spin));
    tn_spin_unlock(&spin);
    assert_true(tn_spin_trylock(&spin));
    tn_spin_unlock(&spin);
    tn_mutex_lock(&mutex);
    assert_false(tn_mutex_trylock(&mutex));
    tn_mutex_unlock(&mutex);
    assert_true(tn_mutex_trylock(&mutex));
    tn_mutex_unlock(&mutex);
}

// ---- conditions

static struct tn_cond cond;
static bool told;

static void *tell(void *unused) {
    tn_mutex_lock(&mutex);
    told = true;
    tn_cond_broadcast(&cond);
    tn_mutex_unlock(&mutex);
    return unused;
}

static uint64_t now_ns(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void a_condition_wakes_its_waiter(void **state) {
    (void)state;
    pthread_t thread;
    tn_cond_init(&cond);
    told = false;
    tn_mutex_lock(&mutex);
    assert_int_equal(pthread_create(&thread, NULL, tell, NULL), 0);
    while (!told) tn_cond_wait(&cond, &mutex);
    tn_mutex_unlock(&mutex);
    assert_int_equal(pthread_join(thread, NULL), 0);
    tn_cond_fini(&cond);
}

static void a_wait_ends_at_its_deadline(void **state) {
    (void)state;
    tn_cond_init(&cond);
    tn_mutex_lock(&mutex);
    uint64_t deadline = now_ns() + 5000000;
    while (tn_cond_wait_until(&cond, &mutex, deadline)) {
    }
    assert_true(now_ns() >= deadline);
    tn_mutex_unlock(&mutex);
    tn_cond_fini(&cond);
}

// ---- ranks

#if TARN_DEBUG

static void take_in_wrong_order(void) {
    tn_rwlock_read(&rwlock);
    tn_mutex_lock(&mutex);
}

static void take_twice(void) {
    tn_spin_lock(&spin);
    tn_spin_lock(&spin);
}

static void read_twice(void) {
    tn_rwlock_read(&rwlock);
    tn_rwlock_read(&rwlock);
}

static void unlock_what_is_free(void) { tn_mutex_unlock(&mutex); }

static void take_uninitialised(void) {
    static struct tn_spin zeroed;
    tn_spin_lock(&zeroed);
}

// Runs `work` in a child with its standard error in a pipe.
static int run_in_child(void (*work)(void), char *text, size_t size) {
    int ends[2];
    int status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGABRT, SIG_DFL); // cmocka catches it
        (void)dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    (void)close(ends[1]);
    ssize_t got = read(ends[0], text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_aborts_naming(void (*work)(void), const char *one, const char *other) {
    char text[512];
    int status = run_in_child(work, text, sizeof text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(text, one));
    assert_non_null(strstr(text, other));
}

static void a_wrong_order_aborts_with_both_names(void **state) {
    (void)state;
    assert_aborts_naming(take_in_wrong_order, "\"space\"", "\"phys\"");
}

static void taking_a_rank_twice_aborts(void **state) {
    (void)state;
    assert_aborts_naming(take_twice, "\"backend\"", "\"backend\"");
    assert_aborts_naming(read_twice, "\"phys\"", "\"phys\"");
}

static void misuse_aborts(void **state) {
    (void)state;
    assert_aborts_naming(unlock_what_is_free, "\"space\"", "does not hold");
    assert_aborts_naming(take_uninitialised, "not initialised", "");
}

#else

static void a_wrong_order_aborts_with_both_names(void **state) {
    (void)state;
    skip();
}

static void taking_a_rank_twice_aborts(void **state) {
    (void)state;
    skip();
}

static void misuse_aborts(void **state) {
    (void)state;
    skip();
}

#endif

static void rising_ranks_and_any_order_of_unlocking_are_fine(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tn_mutex_lock(&mutex);
        tn_rwlock_read(&rwlock);
        tn_spin_lock(&spin);
        assert_true(tn_mutex_is_held(&mutex));
        assert_true(tn_rwlock_is_held(&rwlock));
        assert_true(tn_spin_is_held(&spin));
        tn_mutex_unlock(&mutex);
        tn_spin_unlock(&spin);
        tn_rwlock_unlock(&rwlock);
    }
    assert_true(!TARN_DEBUG || !tn_mutex_is_held(&mutex));
}

static void all_locks_can_be_taken_around_a_fork(void **state) {
    (void)state;
    static struct tn_mutex same_rank = TN_MUTEX(SPACE, "another space");
    tn_spin_lock_for_fork(&spin); // in no order of rank, and two of one rank
    tn_mutex_lock_for_fork(&mutex);
    tn_mutex_lock_for_fork(&same_rank);
    tn_rwlock_write_for_fork(&rwlock);
    pid_t child = fork();
    tn_rwlock_unlock_after_fork(&rwlock);
    tn_mutex_unlock_after_fork(&same_rank);
    tn_mutex_unlock_after_fork(&mutex);
    tn_spin_unlock_after_fork(&spin);
    if (child == 0) {
        tn_mutex_lock(&mutex);
        if (!tn_rwlock_try_read(&rwlock)) _exit(2);
        tn_rwlock_unlock(&rwlock);
        tn_rwlock_write(&rwlock);
        tn_spin_lock(&spin);
        _exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    rising_ranks_and_any_order_of_unlocking_are_fine(state);
}

static void locks_made_at_run_time_work(void **state) {
    (void)state;
    struct tn_mutex m;
    struct tn_rwlock r;
    struct tn_spin s;
    tn_mutex_init(&m, TN_RANK_POOL, "m");
    tn_rwlock_init(&r, TN_RANK_BACKEND, "r");
    tn_spin_init(&s, TN_RANK_LOG, "s");
    tn_mutex_lock(&m);
    tn_rwlock_write(&r);
    tn_spin_lock(&s);
    tn_spin_unlock(&s);
    tn_rwlock_unlock(&r);
    tn_mutex_unlock(&m);
    tn_rwlock_fini(&r);
    tn_mutex_fini(&m);
}

static void *write_once(void *arg) {
    struct tn_rwlock *lock = (struct tn_rwlock *)arg;
    tn_rwlock_write(lock);
    tn_rwlock_unlock(lock);
    return NULL;
}

static void expect_writer_goes_first(struct tn_rwlock *lock) {
    pthread_t writer;
    tn_rwlock_read(lock);
    assert_int_equal(pthread_create(&writer, NULL, write_once, lock), 0);
    // Once a writer waits, further readers wait too.
    int result = 0;
    while (result == 0) {
        result = pthread_rwlock_tryrdlock(&lock->rwlock);
        if (result == 0) {
            assert_int_equal(pthread_rwlock_unlock(&lock->rwlock), 0);
            (void)usleep(1000);
        }
    }
    tn_rwlock_unlock(lock);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_int_equal(result, EBUSY);
}

static void a_waiting_writer_goes_before_new_readers(void **state) {
    struct tn_rwlock made;
    (void)state;
    expect_writer_goes_first(&rwlock);
    tn_rwlock_init(&made, TN_RANK_PHYS, "made");
    expect_writer_goes_first(&made);
    tn_rwlock_fini(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_excludes),
        cmocka_unit_test(a_writer_excludes),
        cmocka_unit_test(a_spin_lock_excludes),
        cmocka_unit_test(a_spin_lock_held_for_long_is_slept_for),
        cmocka_unit_test(trying_a_taken_lock_says_no),
        cmocka_unit_test(a_condition_wakes_its_waiter),
        cmocka_unit_test(a_wait_ends_at_its_deadline),
        cmocka_unit_test(a_wrong_order_aborts_with_both_names),
        cmocka_unit_test(taking_a_rank_twice_aborts),
        cmocka_unit_test(misuse_aborts),
        cmocka_unit_test(rising_ranks_and_any_order_of_unlocking_are_fine),
        cmocka_unit_test(all_locks_can_be_taken_around_a_fork),
        cmocka_unit_test(locks_made_at_run_time_work),
        cmocka_unit_test(a_waiting_writer_goes_before_new_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
