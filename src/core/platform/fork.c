// SPDX-License-Identifier: Apache-2.0
// fork(). Before it every lock of the core is taken, so that the child gets tables between two
// changes; backends do the same for theirs.
//
// A vendor's library may have handlers of its own, and locks that they take. Ours are held when it
// is called, so ours have to be taken first: handlers that are installed later run earlier, and so
// they are installed again behind each backend's library. Of those that run, the first takes the
// locks and the last gives them back.
#include "core/platform/fork.h"

#include <pthread.h>

#include "annotate/annotate.h"
#include "core/address/index.h"
#include "core/address/phys.h"
#include "core/platform/platform.h"
#include "core/pool/pool.h"
#include "core/work/array.h"
#include "core/work/stream.h"

enum { BACKENDS = 32 }; // that are followed

_Atomic(unsigned) tn_fork_generation;

static _Thread_local unsigned depth; // handlers that have run before a fork, and not behind it yet

static void prepare_one(struct tn_platform *platform) {
    if (!platform->forked) {
        platform->ops->fork_prepare(platform->p);
    }
}

static void parent_one(struct tn_platform *platform) {
    if (!platform->forked) {
        platform->ops->fork_parent(platform->p);
    }
}

static void child_one(struct tn_platform *platform) {
    if (!platform->forked) {
        platform->ops->fork_child(platform->p);
        platform->forked = true;
    }
}

// In rank order. The index is taken for writing: nobody then works on any reservation, so none of
// their locks is held.
static void prepare(void) {
    if (depth++ > 0) {
        return;
    }
    tn_platform_fork_prepare();
    tn_index_fork_prepare();
    tn_phys_fork_prepare();
    tn_array_fork_prepare();
    tn_stream_fork_prepare();
    tn_platform_each(prepare_one);
    tn_annotate_fork_prepare();
}

static void release(void) {
    tn_stream_fork_done();
    tn_array_fork_done();
    tn_phys_fork_done();
    tn_index_fork_done();
    tn_platform_fork_done();
}

static void in_parent(void) {
    if (--depth > 0) {
        return;
    }
    tn_annotate_fork_done();
    tn_platform_each(parent_one);
    release();
}

static void in_child(void) {
    if (--depth > 0) {
        return;
    }
    tn_annotate_fork_done();
    (void)tn_add_relaxed(&tn_fork_generation, 1);
    tn_pool_fork_child();
    tn_platform_each(child_one);
    release();
}

static void install(void) {
    (void)pthread_atfork(prepare, in_parent, in_child);
}

void tn_fork_watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void tn_fork_watch_behind(const tarn_backend *ops) {
    static _Atomic(const tarn_backend *) behind[BACKENDS];
    for (unsigned i = 0; i < BACKENDS; i++) {
        const tarn_backend *none = NULL;
        if (tn_load_relaxed(&behind[i]) == ops) {
            return;
        }
        if (atomic_compare_exchange_strong(&behind[i], &none, ops)) {
            install();
            return;
        }
        if (none == ops) {
            return;
        }
    }
}
