// SPDX-License-Identifier: Apache-2.0
// Locks with ranks. A thread takes locks in rising rank only, so two threads cannot wait for each
// other. With TARN_DEBUG each lock has a rank and a name; taking a lock whose rank is not above all
// that the thread holds ends the process with both names. Without it they are plain locks. There
// are three kinds: a mutex, a reader-writer lock, and tn_spin, a lock of four bytes for hot paths
// that hold it for some tens of nanoseconds.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/assert.h"
#include "base/atomic.h"

// In the order in which they may be taken. Channels come first, because they call pools; pools call
// the rest of the core.
#define TN_RANK_LIST(X)                                                                            \
    X(PROGRESS_LIFE)                                                                               \
    X(PROGRESS)                                                                                    \
    X(CHANNEL_LIST)                                                                                \
    X(CHANNEL_PENDING)                                                                             \
    X(CHANNEL_WAIT_SET)                                                                            \
    X(CHANNEL_RECEIVE)                                                                             \
    X(CHANNEL_SEND)                                                                                \
    X(CHANNEL_RECEIVED)                                                                            \
    X(CHANNEL_PEERS)                                                                               \
    X(CHANNEL_PARCEL_CACHE)                                                                        \
    X(POOL_THRESHOLD)                                                                              \
    X(POOL_GROW)                                                                                   \
    X(POOL_ORDER)                                                                                  \
    X(POOL)                                                                                        \
    X(POOL_CLASS)                                                                                  \
    X(POOL_FIT)                                                                                    \
    X(POOL_SHARD)                                                                                  \
    X(REGISTRY)                                                                                    \
    X(PLATFORM)                                                                                    \
    X(SPACES)                                                                                      \
    X(SPACE)                                                                                       \
    X(PHYS)                                                                                        \
    X(ARRAY)                                                                                       \
    X(STREAM)                                                                                      \
    X(CLOCK)                                                                                       \
    X(LAYER)                                                                                       \
    X(BACKEND)                                                                                     \
    X(BACKEND_INNER)                                                                               \
    X(BACKEND_STREAM)                                                                              \
    X(LOG)                                                                                         \
    X(CHECK_MODEL)                                                                                 \
    X(CHECK_ADDRESSES)                                                                             \
    X(ANNOTATE)                                                                                    \
    X(ANNOTATE_LATER)

enum tn_rank {
    TN_RANK_NONE = 0,
#define TN_RANK_ENUM(name) TN_RANK_##name,
    TN_RANK_LIST(TN_RANK_ENUM)
#undef TN_RANK_ENUM
        TN_RANK_COUNT,
};

// The part of a lock that the check uses. One byte in builds without the check.
struct tn_witness {
#if TARN_DEBUG
    enum tn_rank rank;
    const char *name; // static text
#else
    char unused;
#endif
};

#if TARN_DEBUG
#define TN_WITNESS(rank, name)                                                                     \
    { TN_RANK_##rank, name }

// Called before a thread waits for the lock. Aborts if the rank is not above all that it holds.
void tn_witness_check(const struct tn_witness *witness);
// Called after the lock is taken, and before it is released. The address identifies the lock.
void tn_witness_taken(const struct tn_witness *witness);
void tn_witness_released(const struct tn_witness *witness);
bool tn_witness_is_held(const struct tn_witness *witness);
#else
#define TN_WITNESS(rank, name)                                                                     \
    { 0 }

static inline void tn_witness_check(const struct tn_witness *witness) { (void)witness; }

static inline void tn_witness_taken(const struct tn_witness *witness) { (void)witness; }

static inline void tn_witness_released(const struct tn_witness *witness) { (void)witness; }

// Without the check the answer is unknown, and assertions must hold.
static inline bool tn_witness_is_held(const struct tn_witness *witness) {
    (void)witness;
    return true;
}
#endif

void tn_witness_init(struct tn_witness *witness, enum tn_rank rank, const char *name);

// ---- mutex

struct tn_mutex {
    pthread_mutex_t mutex;
    struct tn_witness witness;
};

// Initialises a static mutex: static struct tn_mutex m = TN_MUTEX(REGISTRY, "registry");
#define TN_MUTEX(rank, name)                                                                       \
    { PTHREAD_MUTEX_INITIALIZER, TN_WITNESS(rank, name) }

// `name` is static text.
void tn_mutex_init(struct tn_mutex *lock, enum tn_rank rank, const char *name);
void tn_mutex_fini(struct tn_mutex *lock);
bool tn_mutex_trylock(struct tn_mutex *lock); // never waits, so any rank may be tried

// Ends the process: the call of pthreads fails only by a mistake of this library.
__attribute__((cold, noreturn)) void tn_lock_failed(int result);

static inline void tn_must_succeed(int result) {
    if (__builtin_expect(result != 0, 0)) tn_lock_failed(result);
}

static inline void tn_mutex_lock(struct tn_mutex *lock) {
    tn_witness_check(&lock->witness);
    tn_must_succeed(pthread_mutex_lock(&lock->mutex));
    tn_witness_taken(&lock->witness);
}

static inline void tn_mutex_unlock(struct tn_mutex *lock) {
    tn_witness_released(&lock->witness);
    tn_must_succeed(pthread_mutex_unlock(&lock->mutex));
}

// For assertions. Returns true if this thread holds it, and always in builds without the check.
bool tn_mutex_is_held(const struct tn_mutex *lock);

static inline struct tn_mutex *tn_mutex_hold(struct tn_mutex *lock) {
    tn_mutex_lock(lock);
    return lock;
}

static inline void tn_mutex_release(struct tn_mutex *const *lock) { tn_mutex_unlock(*lock); }

// A declaration: holds a mutex until the end of the block. The compiler releases it on every way
// out. One in a block.
#define TN_LOCKED(mutex)                                                                           \
    __attribute__((cleanup(tn_mutex_release), unused)) struct tn_mutex *const locked_here =        \
        tn_mutex_hold(mutex)

static inline pthread_mutex_t *tn_pthread_hold(pthread_mutex_t *lock) {
    (void)pthread_mutex_lock(lock);
    return lock;
}

static inline void tn_pthread_release(pthread_mutex_t *const *lock) {
    (void)pthread_mutex_unlock(*lock);
}

// The same for a mutex without a rank.
#define TN_PTHREAD_LOCKED(mutex)                                                                   \
    __attribute__((cleanup(tn_pthread_release), unused)) pthread_mutex_t *const locked_here =      \
        tn_pthread_hold(mutex)

// Used around fork(), where one thread takes all locks of all platforms. They ignore ranks and are
// not recorded as held. After the fork both parent and child unlock.
void tn_mutex_lock_for_fork(struct tn_mutex *lock);
void tn_mutex_unlock_after_fork(struct tn_mutex *lock);

// ---- condition

// Deadlines use the monotonic clock. Wait in a loop that tests the condition.
struct tn_cond {
    pthread_cond_t cond;
};

void tn_cond_init(struct tn_cond *cond);
void tn_cond_fini(struct tn_cond *cond);
void tn_cond_wait(struct tn_cond *cond, struct tn_mutex *lock);
// Returns false if the deadline (CLOCK_MONOTONIC, nanoseconds) passed.
bool tn_cond_wait_until(struct tn_cond *cond, struct tn_mutex *lock, uint64_t deadline_ns);
void tn_cond_broadcast(struct tn_cond *cond);

// ---- reader-writer lock

// A waiting writer goes before new readers, so that readers cannot starve it. A thread must
// therefore not take the lock for reading twice.
struct tn_rwlock {
    pthread_rwlock_t rwlock;
    // NULL, or called by a writer that has just taken the lock, to make the short readers leave
    // that the lock has beside it (readers.h).
    void (*exclude)(struct tn_rwlock *lock);
    pid_t forker; // the process that took the lock for a fork
    struct tn_witness witness;
};

#define TN_RWLOCK_BESIDE(exclude, rank, name)                                                      \
    { PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP, exclude, 0, TN_WITNESS(rank, name) }
#define TN_RWLOCK(rank, name) TN_RWLOCK_BESIDE(NULL, rank, name)

void tn_rwlock_init(struct tn_rwlock *lock, enum tn_rank rank, const char *name);
void tn_rwlock_fini(struct tn_rwlock *lock);
void tn_rwlock_read(struct tn_rwlock *lock);
bool tn_rwlock_try_read(struct tn_rwlock *lock);       // never waits, so any rank may be tried
void tn_rwlock_write_for_fork(struct tn_rwlock *lock); // see tn_mutex_lock_for_fork()
void tn_rwlock_unlock_after_fork(struct tn_rwlock *lock);
bool tn_rwlock_is_held(const struct tn_rwlock *lock);

static inline void tn_rwlock_write(struct tn_rwlock *lock) {
    tn_witness_check(&lock->witness);
    tn_must_succeed(pthread_rwlock_wrlock(&lock->rwlock));
    tn_witness_taken(&lock->witness);
    if (lock->exclude != NULL) lock->exclude(lock);
}

// After either.
static inline void tn_rwlock_unlock(struct tn_rwlock *lock) {
    tn_witness_released(&lock->witness);
    tn_must_succeed(pthread_rwlock_unlock(&lock->rwlock));
}

static inline struct tn_rwlock *tn_rwlock_hold_read(struct tn_rwlock *lock) {
    tn_rwlock_read(lock);
    return lock;
}

static inline struct tn_rwlock *tn_rwlock_hold_write(struct tn_rwlock *lock) {
    tn_rwlock_write(lock);
    return lock;
}

static inline void tn_rwlock_release(struct tn_rwlock *const *lock) { tn_rwlock_unlock(*lock); }

// Like TN_LOCKED(): for reading and for writing.
#define TN_READ_LOCKED(rwlock)                                                                     \
    __attribute__((cleanup(tn_rwlock_release), unused)) struct tn_rwlock *const locked_rwlock =    \
        tn_rwlock_hold_read(rwlock)
#define TN_WRITE_LOCKED(rwlock)                                                                    \
    __attribute__((cleanup(tn_rwlock_release), unused)) struct tn_rwlock *const locked_rwlock =    \
        tn_rwlock_hold_write(rwlock)

// ---- spin lock that sleeps

// Taking it costs one atomic exchange and releasing it a plain store, as long as no other thread
// wants it. A second thread spins briefly, then sleeps in the kernel until it is woken. A zeroed
// lock is free, but has no rank, which builds with TARN_DEBUG refuse: initialise it.
struct tn_spin {
    _Atomic uint32_t state; // TN_SPIN_...; the release in unlock pairs with the acquire in lock
    struct tn_witness witness;
};

enum {
    TN_SPIN_FREE = 0,
    TN_SPIN_HELD = 1,
    TN_SPIN_WAITED = 2, // held, and a thread may sleep
};

#define TN_SPIN(rank, name)                                                                        \
    { TN_SPIN_FREE, TN_WITNESS(rank, name) }

static inline void tn_spin_init(struct tn_spin *lock, enum tn_rank rank, const char *name) {
    tn_store_relaxed(&lock->state, TN_SPIN_FREE);
    tn_witness_init(&lock->witness, rank, name);
}

__attribute__((cold, noinline)) void tn_spin_lock_slow(struct tn_spin *lock);
__attribute__((cold, noinline)) void tn_spin_wake(struct tn_spin *lock);

static inline void tn_spin_lock(struct tn_spin *lock) {
    uint32_t expected = TN_SPIN_FREE;
    tn_witness_check(&lock->witness);
    if (!tn_cas_acquire(&lock->state, &expected, TN_SPIN_HELD)) tn_spin_lock_slow(lock);
    tn_witness_taken(&lock->witness);
}

static inline bool tn_spin_trylock(struct tn_spin *lock) {
    uint32_t expected = TN_SPIN_FREE;
    if (!tn_cas_acquire(&lock->state, &expected, TN_SPIN_HELD)) return false;
    tn_witness_taken(&lock->witness);
    return true;
}

// A waiter that announces itself between the load and the store is not woken. Its sleep has a time
// limit, so the delay is short. An exchange would instead cost every unlock about ten nanoseconds.
static inline void tn_spin_unlock(struct tn_spin *lock) {
    tn_witness_released(&lock->witness);
    if (tn_load_relaxed(&lock->state) == TN_SPIN_HELD)
        tn_store_release(&lock->state, TN_SPIN_FREE);
    else if (tn_exchange_release(&lock->state, TN_SPIN_FREE) == TN_SPIN_WAITED)
        tn_spin_wake(lock);
}

static inline struct tn_spin *tn_spin_hold(struct tn_spin *lock) {
    tn_spin_lock(lock);
    return lock;
}

static inline void tn_spin_release(struct tn_spin *const *lock) { tn_spin_unlock(*lock); }

// Like TN_LOCKED().
#define TN_SPIN_LOCKED(spin)                                                                       \
    __attribute__((cleanup(tn_spin_release), unused)) struct tn_spin *const locked_spin =          \
        tn_spin_hold(spin)

// See tn_mutex_lock_for_fork().
static inline void tn_spin_lock_for_fork(struct tn_spin *lock) {
    uint32_t expected = TN_SPIN_FREE;
    if (!tn_cas_acquire(&lock->state, &expected, TN_SPIN_HELD)) tn_spin_lock_slow(lock);
}

// The unlock in the child wakes no thread: those that sleep are in the parent.
static inline void tn_spin_unlock_after_fork(struct tn_spin *lock) {
    if (tn_exchange_release(&lock->state, TN_SPIN_FREE) == TN_SPIN_WAITED) tn_spin_wake(lock);
}

static inline bool tn_spin_is_held(const struct tn_spin *lock) {
    return tn_witness_is_held(&lock->witness);
}
