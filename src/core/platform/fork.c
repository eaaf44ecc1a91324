// SPDX-License-Identifier: Apache-2.0
// See fork.h. Before a fork every registered lock is taken, so that the child gets tables between
// two changes.
#include "core/platform/fork.h"

enum { MAX_BACKENDS = 32 }; // that are followed

_Atomic(unsigned) tn_fork_generation;

static struct tn_fork_part *parts;   // by rising rank; complete when the library is loaded
static _Thread_local unsigned depth; // handlers that have run before a fork, and not yet after it

void tn_fork_register(struct tn_fork_part *part) {
    struct tn_fork_part **link = &parts;
    while (*link != NULL && (*link)->rank <= part->rank) link = &(*link)->next;
    part->next = *link;
    *link = part;
}

// A vendor's library may have handlers of its own, and locks that they take. Tarn holds its locks
// when it calls such a library, so before a fork Tarn's locks must be taken first. Handlers that
// are installed later run earlier, so ours are installed again after each backend's library. The
// first of them that runs takes the locks, and the last one releases them.
static void before_fork(void) {
    if (depth++ > 0) return;
    for (struct tn_fork_part *part = parts; part != NULL; part = part->next) {
        if (part->mutex != NULL) tn_mutex_lock_for_fork(part->mutex);
        if (part->rwlock != NULL) tn_rwlock_write_for_fork(part->rwlock);
        if (part->prepare != NULL) part->prepare();
    }
}

// Releases the parts from the last to the first.
static void release_from(struct tn_fork_part *part, bool in_child) {
    if (part == NULL) return;
    release_from(part->next, in_child);
    void (*step)(void) = in_child ? part->child : part->parent;
    if (step != NULL) step();
    if (part->rwlock != NULL) tn_rwlock_unlock_after_fork(part->rwlock);
    if (part->mutex != NULL) tn_mutex_unlock_after_fork(part->mutex);
}

static void in_parent(void) {
    TARN_ASSERT(depth != 0); // as many handlers run after the fork as before it
    if (--depth == 0) release_from(parts, false);
}

static void in_child(void) {
    TARN_ASSERT(depth != 0);
    if (--depth == 0) {
        (void)tn_add_relaxed(&tn_fork_generation, 1);
        release_from(parts, true);
    }
}

static void install_handlers(void) { (void)pthread_atfork(before_fork, in_parent, in_child); }

void tn_fork_watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handlers);
}

void tn_fork_watch_behind(const tarn_backend *ops) {
    static _Atomic(const tarn_backend *) behind[MAX_BACKENDS];
    for (unsigned i = 0; i < MAX_BACKENDS; i++) {
        const tarn_backend *none = NULL;
        if (tn_load_relaxed(&behind[i]) == ops) return;
        if (atomic_compare_exchange_strong(&behind[i], &none, ops)) {
            install_handlers();
            return;
        }
        if (none == ops) return;
    }
}
