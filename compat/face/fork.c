// SPDX-License-Identifier: Apache-2.0
// See fork.h. The list is written while the library is loaded and only read afterwards.
#include "compat/face/fork.h"

static struct tn_face_fork_part *parts; // in ascending order

static const tn_face_fork_step *listed_steps;
static size_t listed_count;

void tn_face_fork_register(struct tn_face_fork_part *part) {
    struct tn_face_fork_part **link = &parts;
    while (*link != NULL && (*link)->order < part->order) {
        link = &(*link)->next;
    }
    part->next = *link;
    *link = part;
}

static void prepare_fork(void) {
    for (size_t i = 0; i < listed_count; i++) {
        listed_steps[i](TN_FACE_FORK_PREPARE);
    }
    for (struct tn_face_fork_part *part = parts; part != NULL; part = part->next) {
        if (part->lock != NULL) {
            (void)pthread_mutex_lock(part->lock);
        }
    }
}

// Releases in descending order: the rest of the list first.
static void finish_parts(struct tn_face_fork_part *part, enum tn_face_fork step) {
    if (part == NULL) {
        return;
    }
    finish_parts(part->next, step);
    if (step == TN_FACE_FORK_CHILD && part->forget != NULL) {
        part->forget();
    }
    if (part->lock != NULL) {
        (void)pthread_mutex_unlock(part->lock);
    }
}

static void finish_fork(enum tn_face_fork step) {
    finish_parts(parts, step);
    for (size_t i = listed_count; i-- > 0;) {
        listed_steps[i](step);
    }
}

static void finish_fork_in_parent(void) {
    finish_fork(TN_FACE_FORK_PARENT);
}

static void finish_fork_in_child(void) {
    finish_fork(TN_FACE_FORK_CHILD);
}

static void install_handlers(void) {
    (void)pthread_atfork(prepare_fork, finish_fork_in_parent, finish_fork_in_child);
}

void tn_face_fork_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, install_handlers);
}

void tn_face_fork_watch(const tn_face_fork_step *steps, size_t count) {
    listed_steps = steps;
    listed_count = count;
    tn_face_fork_install();
}
