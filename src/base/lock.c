// SPDX-License-Identifier: Apache-2.0
// Ranked locks over pthreads, and the spin lock that sleeps. With TARN_DEBUG each thread keeps a
// list of the locks that it holds; no other thread reads it. See lock.h.
#include "base/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/uncancelled.h"

void tn_lock_failed(int result) {
    (void)fprintf(stderr, "tarn: a call of pthreads failed with %d\n", result);
    abort();
}

// ---- ranks

#if TARN_DEBUG

#define HELD_MAX 32

static _Thread_local struct {
    const struct tn_witness *lock[HELD_MAX];
    unsigned count;
} held;

// Locks may be released in any order, so the highest rank need not be the last taken.
static const struct tn_witness *highest_held(void) {
    const struct tn_witness *highest = NULL;
    for (unsigned i = 0; i < held.count; i++)
        if (highest == NULL || held.lock[i]->rank > highest->rank) highest = held.lock[i];
    return highest;
}

void tn_witness_check(const struct tn_witness *witness) {
    const struct tn_witness *highest = highest_held();
    if (witness->rank == TN_RANK_NONE)
        tn_assert_failed(__FILE__, __LINE__, "a lock was not initialised");
    if (highest != NULL && witness->rank <= highest->rank) {
        (void)fprintf(stderr,
                      "tarn: lock order: taking \"%s\" (rank %d) while holding \"%s\" (%d)\n",
                      witness->name, (int)witness->rank, highest->name, (int)highest->rank);
        abort();
    }
}

void tn_witness_taken(const struct tn_witness *witness) {
    TARN_ASSERT(held.count < HELD_MAX);
    held.lock[held.count++] = witness;
}

void tn_witness_released(const struct tn_witness *witness) {
    for (unsigned i = held.count; i > 0; i--) {
        if (held.lock[i - 1] == witness) {
            held.lock[i - 1] = held.lock[--held.count];
            return;
        }
    }
    (void)fprintf(stderr, "tarn: unlocking \"%s\", which this thread does not hold\n",
                  witness->name);
    abort();
}

bool tn_witness_is_held(const struct tn_witness *witness) {
    for (unsigned i = 0; i < held.count; i++)
        if (held.lock[i] == witness) return true;
    return false;
}

void tn_witness_init(struct tn_witness *witness, enum tn_rank rank, const char *name) {
    witness->rank = rank;
    witness->name = name;
}

#else

void tn_witness_init(struct tn_witness *witness, enum tn_rank rank, const char *name) {
    (void)rank;
    (void)name;
    witness->unused = 0;
}

#endif

// ---- mutex

void tn_mutex_init(struct tn_mutex *lock, enum tn_rank rank, const char *name) {
    tn_must_succeed(pthread_mutex_init(&lock->mutex, NULL));
    tn_witness_init(&lock->witness, rank, name);
}

void tn_mutex_fini(struct tn_mutex *lock) { tn_must_succeed(pthread_mutex_destroy(&lock->mutex)); }

bool tn_mutex_trylock(struct tn_mutex *lock) {
    int result = pthread_mutex_trylock(&lock->mutex);
    if (result == EBUSY) return false;
    tn_must_succeed(result);
    tn_witness_taken(&lock->witness);
    return true;
}

bool tn_mutex_is_held(const struct tn_mutex *lock) { return tn_witness_is_held(&lock->witness); }

void tn_mutex_lock_for_fork(struct tn_mutex *lock) {
    tn_must_succeed(pthread_mutex_lock(&lock->mutex));
}

void tn_mutex_unlock_after_fork(struct tn_mutex *lock) {
    tn_must_succeed(pthread_mutex_unlock(&lock->mutex));
}

// ---- condition

void tn_cond_init(struct tn_cond *cond) {
    pthread_condattr_t attributes;
    tn_must_succeed(pthread_condattr_init(&attributes));
    tn_must_succeed(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    tn_must_succeed(pthread_cond_init(&cond->cond, &attributes));
    tn_must_succeed(pthread_condattr_destroy(&attributes));
}

void tn_cond_fini(struct tn_cond *cond) { tn_must_succeed(pthread_cond_destroy(&cond->cond)); }

void tn_cond_wait(struct tn_cond *cond, struct tn_mutex *lock) {
    TN_UNCANCELLED;
    TARN_ASSERT(tn_mutex_is_held(lock));
    tn_must_succeed(pthread_cond_wait(&cond->cond, &lock->mutex));
}

bool tn_cond_wait_until(struct tn_cond *cond, struct tn_mutex *lock, uint64_t deadline_ns) {
    struct timespec until = {
        .tv_sec = (time_t)(deadline_ns / 1000000000u),
        .tv_nsec = (long)(deadline_ns % 1000000000u),
    };
    TN_UNCANCELLED;
    TARN_ASSERT(tn_mutex_is_held(lock));
    int result = pthread_cond_timedwait(&cond->cond, &lock->mutex, &until);
    if (result == ETIMEDOUT) return false;
    tn_must_succeed(result);
    return true;
}

void tn_cond_broadcast(struct tn_cond *cond) {
    tn_must_succeed(pthread_cond_broadcast(&cond->cond));
}

// ---- reader-writer lock

static void init_rwlock(struct tn_rwlock *lock) {
    pthread_rwlockattr_t attributes;
    tn_must_succeed(pthread_rwlockattr_init(&attributes));
    tn_must_succeed(
        pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));
    tn_must_succeed(pthread_rwlock_init(&lock->rwlock, &attributes));
    tn_must_succeed(pthread_rwlockattr_destroy(&attributes));
}

void tn_rwlock_init(struct tn_rwlock *lock, enum tn_rank rank, const char *name) {
    init_rwlock(lock);
    lock->exclude = NULL;
    lock->forker = 0;
    tn_witness_init(&lock->witness, rank, name);
}

void tn_rwlock_fini(struct tn_rwlock *lock) {
    tn_must_succeed(pthread_rwlock_destroy(&lock->rwlock));
}

void tn_rwlock_read(struct tn_rwlock *lock) {
    tn_witness_check(&lock->witness);
    tn_must_succeed(pthread_rwlock_rdlock(&lock->rwlock));
    tn_witness_taken(&lock->witness);
}

bool tn_rwlock_try_read(struct tn_rwlock *lock) {
    if (pthread_rwlock_tryrdlock(&lock->rwlock) != 0) return false;
    tn_witness_taken(&lock->witness);
    return true;
}

void tn_rwlock_write_for_fork(struct tn_rwlock *lock) {
    tn_must_succeed(pthread_rwlock_wrlock(&lock->rwlock));
    if (lock->exclude != NULL) lock->exclude(lock);
    lock->forker = getpid();
}

// ThreadSanitizer sees pthread calls only, and must see the unlock. This damages the lock; the
// initialisation that follows repairs it.
static void notify_thread_sanitizer(struct tn_rwlock *lock) {
#if defined(__SANITIZE_THREAD__)
    (void)pthread_rwlock_unlock(&lock->rwlock);
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    (void)pthread_rwlock_unlock(&lock->rwlock);
#endif
#endif
    (void)lock;
}

void tn_rwlock_unlock_after_fork(struct tn_rwlock *lock) {
    if (lock->forker == getpid()) {
        tn_must_succeed(pthread_rwlock_unlock(&lock->rwlock));
    } else {
        // glibc identifies the writer by its thread id, which differs in the child, so an unlock
        // would count as one of a reader. The child has one thread, so a new lock is equivalent.
        notify_thread_sanitizer(lock);
        init_rwlock(lock);
    }
}

bool tn_rwlock_is_held(const struct tn_rwlock *lock) { return tn_witness_is_held(&lock->witness); }

// ---- spin lock that sleeps

// About two microseconds: long enough for a holder on another CPU to finish, short enough to waste
// little if the holder was preempted on this CPU.
#define SPINS 50

static bool spin_for(struct tn_spin *lock) {
    for (int i = 0; i < SPINS; i++) {
        uint32_t expected = TN_SPIN_FREE;
        if (tn_load_relaxed(&lock->state) == TN_SPIN_FREE &&
            tn_cas_acquire(&lock->state, &expected, TN_SPIN_HELD))
            return true;
        tn_cpu_relax();
    }
    return false;
}

#define NAP_NS 1000000

// The kernel compares the word with TN_SPIN_WAITED before it sleeps, so a wake-up in between is not
// lost. tn_spin_unlock() may miss a waiter; the time limit covers that case. May return early; the
// caller loops.
static void sleep_while_waited(struct tn_spin *lock) {
    struct timespec nap = {0, NAP_NS};
    (void)syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, TN_SPIN_WAITED, &nap, NULL, 0);
}

void tn_spin_lock_slow(struct tn_spin *lock) {
    int saved = errno;
    if (!spin_for(lock)) {
        // Takes the lock in state WAITED, because others may still sleep. One extra wake is
        // harmless.
        while (tn_exchange_acquire(&lock->state, TN_SPIN_WAITED) != TN_SPIN_FREE)
            sleep_while_waited(lock);
    }
    errno = saved;
}

void tn_spin_wake(struct tn_spin *lock) {
    int saved = errno;
    (void)syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = saved;
}
