// SPDX-License-Identifier: Apache-2.0
// See fork.h. The list is written while the library is loaded and only read afterwards.
#include "compat/face/fork.h"

#include <stdbool.h>
#include <stddef.h>

static struct tn_face_fork_part *parts; // in ascending order

void tn_face_fork_register(struct tn_face_fork_part *part) {
    struct tn_face_fork_part **link = &parts;
    while (*link != NULL && (*link)->order < part->order) link = &(*link)->next;
    part->next = *link;
    *link = part;
}

static void prepare_fork(void) {
    for (struct tn_face_fork_part *part = parts; part != NULL; part = part->next)
        if (part->lock != NULL) (void)pthread_mutex_lock(part->lock);
}

// Releases in descending order: the rest of the list first.
static void finish_parts(struct tn_face_fork_part *part, bool in_child) {
    if (part == NULL) return;
    finish_parts(part->next, in_child);
    if (in_child && part->forget != NULL) part->forget();
    if (part->lock != NULL) (void)pthread_mutex_unlock(part->lock);
}

static void finish_fork_in_parent(void) { finish_parts(parts, false); }

static void finish_fork_in_child(void) { finish_parts(parts, true); }

static void install_handlers(void) {
    (void)pthread_atfork(prepare_fork, finish_fork_in_parent, finish_fork_in_child);
}

void tn_face_fork_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, install_handlers);
}
