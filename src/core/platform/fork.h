// SPDX-License-Identifier: Apache-2.0
// fork(). An object that was opened before a fork belongs to the parent: the child's calls refuse
// it with FORKED. The child may open the same device anew. Each file of the core that has a lock,
// or a list that a fork must find consistent, registers it here when the library is loaded.
#pragma once

#include <tarn/backend.h>

#include "base/lock.h"

// One file's part. NULL fields are skipped.
struct tn_fork_part {
    enum tn_rank rank;        // parts are prepared in rising order, and released in falling order
    struct tn_mutex *mutex;   // taken before the fork, released in both processes
    struct tn_rwlock *rwlock; // the same, taken for writing
    void (*prepare)(void);    // before the fork, after its lock
    void (*parent)(void);     // after the fork, before its lock is released
    void (*child)(void);
    struct tn_fork_part *next;
};

// Registers a part at file scope: TN_ON_FORK(phys, .rank = TN_RANK_PHYS, .mutex = &lock).
#define TN_ON_FORK(name, ...)                                                                      \
    static struct tn_fork_part fork_part_of_##name = {__VA_ARGS__};                                \
    __attribute__((constructor)) static void register_fork_part_of_##name(void) {                  \
        tn_fork_register(&fork_part_of_##name);                                                    \
    }                                                                                              \
    struct tn_fork_part

// For TN_ON_FORK(): only while the library is loaded.
void tn_fork_register(struct tn_fork_part *part);

// Installs the handlers, once.
void tn_fork_watch(void);

// Installs them again after those of the backend's library, once for each backend. Call it when the
// library has been opened.
void tn_fork_watch_behind(const tarn_backend *ops);

// The number of forks between this process and the first one that watched. Written by the child
// before it has other threads.
extern _Atomic(unsigned) tn_fork_generation;
