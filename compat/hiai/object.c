// SPDX-License-Identifier: Apache-2.0
// See object.h.
#include "compat/hiai/object.h"

#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 1024u // power of two

struct object {
    struct object *next;
    void *msg;
    HIAIX_DestroyT destroy; // may be NULL
    void *arg;
    uint32_t refs;
    pthread_t adopter; // while `adopted`
    bool adopted;      // by HIAIX_Adopt(), and not seen by a send or a receive since
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *buckets[BUCKETS]; // guard: lock

// ---- with the lock

static struct object **find(void *msg) {
    uintptr_t bits = (uintptr_t)msg >> 4;
    struct object **link = &buckets[(bits ^ bits >> 10 ^ bits >> 20) & (BUCKETS - 1)];
    while (*link != NULL && (*link)->msg != msg) {
        link = &(*link)->next;
    }
    return link;
}

// Is it the calling thread's own, made for what it is about to return?
static bool is_handed_on(struct object *object) {
    bool handed_on = object->adopted && pthread_equal(object->adopter, pthread_self()) != 0;
    object->adopted = false;
    return handed_on;
}

// ---- the calls

static struct object *new_object(void *msg, HIAIX_DestroyT destroy, void *arg) {
    struct object *object = (struct object *)calloc(1, sizeof *object);
    if (object != NULL) {
        object->msg = msg;
        object->destroy = destroy;
        object->arg = arg;
        object->refs = 1;
    }
    return object;
}

bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg) {
    struct object *fresh = new_object(msg, destroy, arg);
    if (fresh == NULL) {
        return false;
    }
    (void)pthread_mutex_lock(&lock);
    struct object **link = find(msg);
    struct object *there = *link;
    if (there == NULL) {
        *link = fresh;
    } else if (!is_handed_on(there)) {
        there->refs++;
    }
    (void)pthread_mutex_unlock(&lock);
    if (there != NULL) {
        free(fresh);
    }
    return true;
}

bool tn_hiai_object_ref(void *msg) {
    (void)pthread_mutex_lock(&lock);
    struct object *object = *find(msg);
    if (object != NULL) {
        object->refs++;
        object->adopted = false;
    }
    (void)pthread_mutex_unlock(&lock);
    return object != NULL;
}

bool tn_hiai_object_unref(void *msg) {
    (void)pthread_mutex_lock(&lock);
    struct object **link = find(msg);
    struct object *object = *link;
    bool found = object != NULL;
    bool last = found && --object->refs == 0;
    if (last) {
        *link = object->next;
    }
    (void)pthread_mutex_unlock(&lock);
    if (last) {
        if (object->destroy != NULL) {
            object->destroy(msg, object->arg);
        }
        free(object);
    }
    return found;
}

// Objects that a child inherits are copies of its parent's, and stay in care.
void tn_hiai_object_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
    } else {
        (void)pthread_mutex_unlock(&lock);
    }
}

static HIAI_StatusT adopt(void *msg, HIAIX_DestroyT destroy, void *arg) {
    if (msg == NULL || destroy == NULL) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "%s is NULL",
                            msg == NULL ? "msg" : "destroy");
    }
    struct object *fresh = new_object(msg, destroy, arg);
    if (fresh == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "care for a message");
    }
    fresh->adopted = true;
    fresh->adopter = pthread_self();
    (void)pthread_mutex_lock(&lock);
    struct object **link = find(msg);
    bool is_new = *link == NULL;
    if (is_new) {
        *link = fresh;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!is_new) {
        free(fresh);
        return tn_hiai_fail(HIAI_GRAPH_ID_EXIST, "message %p is in care already", msg);
    }
    return HIAI_OK;
}

HIAI_StatusT HIAIX_Adopt(void *msg, HIAIX_DestroyT destroy, void *arg) {
    return tn_hiai_leave(adopt(msg, destroy, arg), __func__);
}

HIAI_StatusT HIAIX_Release(void *msg) {
    HIAI_StatusT status = HIAI_OK;
    if (msg == NULL || !tn_hiai_object_unref(msg)) {
        status = tn_hiai_fail(HIAI_GRAPH_NOT_FOND_MEMORY, "message %p is not in care", msg);
    }
    return tn_hiai_leave(status, __func__);
}
