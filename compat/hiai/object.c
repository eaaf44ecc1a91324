// SPDX-License-Identifier: Apache-2.0
// Managed messages: a hash table by address. `lock` guards it.
#include "compat/hiai/message.h"

#include <pthread.h>
#include <stdlib.h>

#include "compat/face/scope.h"

#define BUCKETS 1024u // a power of two

struct object {
    struct object *next;
    void *msg;
    HIAIX_DestroyT destroy; // may be NULL
    void *arg;
    uint32_t refs;
    pthread_t adopter; // while `adopted`
    bool adopted;      // by HIAIX_Adopt(), and not used by a send or a receive since then
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *buckets[BUCKETS]; // guard: lock

// A child inherits copies of the objects, which stay managed.
TN_FACE_ON_FORK(TN_HIAI_LOCK_OBJECTS, &lock, NULL);

// With the lock.
static struct object **find_object(void *msg) {
    uintptr_t bits = (uintptr_t)msg >> 4;
    struct object **link = &buckets[(bits ^ bits >> 10 ^ bits >> 20) & (BUCKETS - 1)];
    while (*link != NULL && (*link)->msg != msg) link = &(*link)->next;
    return link;
}

static struct object *new_object(void *msg, HIAIX_DestroyT destroy, void *arg) {
    struct object *object = (struct object *)calloc(1, sizeof *object);
    if (object != NULL)
        *object = (struct object){.msg = msg, .destroy = destroy, .arg = arg, .refs = 1};
    return object;
}

bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg) {
    struct object *fresh = new_object(msg, destroy, arg);
    if (fresh == NULL) return false;
    (void)pthread_mutex_lock(&lock);
    struct object **link = find_object(msg);
    struct object *there = *link;
    if (there == NULL) {
        *link = fresh;
    } else {
        bool passed_on = there->adopted && pthread_equal(there->adopter, pthread_self()) != 0;
        there->adopted = false;
        there->refs += passed_on ? 0 : 1; // otherwise the adopter's reference becomes the caller's
    }
    (void)pthread_mutex_unlock(&lock);
    if (there != NULL) free(fresh);
    return true;
}

bool tn_hiai_object_ref(void *msg) {
    TN_FACE_LOCKED(&lock);
    struct object *object = *find_object(msg);
    if (object != NULL) {
        object->refs++;
        object->adopted = false;
    }
    return object != NULL;
}

bool tn_hiai_object_unref(void *msg) {
    (void)pthread_mutex_lock(&lock);
    struct object **link = find_object(msg);
    struct object *object = *link;
    bool found = object != NULL;
    bool last = found && --object->refs == 0;
    if (last) *link = object->next;
    (void)pthread_mutex_unlock(&lock);
    if (last) {
        if (object->destroy != NULL) object->destroy(msg, object->arg);
        free(object);
    }
    return found;
}

// ---- shares

static void *copy_object(void *msg) { return tn_hiai_object_ref(msg) ? msg : NULL; }

static void release_object(void *msg) { (void)tn_hiai_object_unref(msg); }

const struct HIAIX_OwnerOps tn_hiai_object_ops = {0, copy_object, release_object};

bool tn_hiai_share(const struct HIAIX_Message *message, struct HIAIX_Message *copy) {
    *copy = *message;
    if (message->ops != NULL) {
        copy->owner = message->ops->copy(message->owner);
        return copy->owner != NULL;
    }
    if (tn_hiai_object_ref(message->msg)) {
        copy->owner = message->msg;
        copy->ops = &tn_hiai_object_ops;
    }
    return true;
}

void tn_hiai_unshare(struct HIAIX_Message *message) {
    if (message->ops != NULL && message->owner != NULL) {
        message->ops->release(message->owner);
        message->owner = NULL;
    }
}

// ---- adopted messages

TN_HIAI_FUNCTION(HIAIX_Adopt, void *, msg, HIAIX_DestroyT, destroy, void *, arg) {
    TN_HIAI_REFUSE(msg == NULL || destroy == NULL, HIAI_GRAPH_INVALID_VALUE, "%s is NULL",
                   msg == NULL ? "msg" : "destroy");
    struct object *fresh = new_object(msg, destroy, arg);
    TN_HIAI_REFUSE(fresh == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for managing a message");
    fresh->adopted = true;
    fresh->adopter = pthread_self();
    TN_FACE_LOCKED(&lock);
    struct object **link = find_object(msg);
    if (*link != NULL) {
        free(fresh);
        return tn_hiai_fail(HIAI_GRAPH_ID_EXIST, "message %p is managed already", msg);
    }
    *link = fresh;
    return HIAI_OK;
}

TN_HIAI_FUNCTION(HIAIX_Release, void *, msg) {
    return msg != NULL && tn_hiai_object_unref(msg)
               ? HIAI_OK
               : tn_hiai_fail(HIAI_GRAPH_NOT_FOND_MEMORY, "message %p is not managed", msg);
}
