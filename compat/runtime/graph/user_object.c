// SPDX-License-Identifier: Apache-2.0
// User objects. An object ends with its last reference, whether that belongs to the program or to a
// graph. The handle holds the only reference of the handle table, so a list needs none. The lock
// guards all counts and lists, and is not held while a destructor runs.
#include "compat/runtime/graph/user_object.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/base/lock.h"
#include "src/base/tsan.h"

struct user_object {
    struct tn_face_object object;
    void (*destroy)(void *data);
    void *data;
    uint64_t own;       // references of the program
    uint64_t of_graphs; // references in lists; the object has ended when both are 0
};

struct tn_rt_user_refs {
    struct user_object *user;
    uint64_t count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void free_user(struct tn_face_object *object) { free(object); }

static tn_rt_error check_count(unsigned count) {
    return count >= 1 && count <= INT_MAX
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "count %u is not 1 to 2^31-1", count);
}

// Returns the object with a reference of the handle table, or NULL, which is no error. Memory tools
// report a handle whose object has ended.
static struct user_object *get_user(void *handle) {
    return (struct user_object *)tn_face_handle_get((uintptr_t)handle, TN_RT_USER_OBJECT);
}

// Releases references of the program or of a graph, if there are so many. The last one ends the
// object.
static void release_refs(struct user_object *user, uint64_t *from, uint64_t count) {
    (void)pthread_mutex_lock(&lock);
    bool enough = *from >= count;
    *from -= enough ? count : 0;
    bool ended = enough && user->own == 0 && user->of_graphs == 0;
    (void)pthread_mutex_unlock(&lock);
    if (ended) {
        (void)tn_face_handle_close(user->object.handle, TN_RT_USER_OBJECT);
        tn_tsan_show(true);
        user->destroy(user->data);
        tn_tsan_show(false);
        tn_face_object_put(&user->object);
    }
}

// ---- the program's references

tn_rt_error tn_rt_user_new(void *object, void *data, void (*destroy)(void *data), unsigned count,
                           unsigned flags) {
    TN_RT_REFUSE(object == NULL || destroy == NULL || flags != TN_RT_USER_NO_DESTRUCTOR_SYNC,
                 TN_RT_INVALID_VALUE, "object %p, destroy %s, flags 0x%x", object,
                 destroy != NULL ? "given" : "NULL", flags);
    TN_RT_TRY(check_count(count));
    struct user_object *user = (struct user_object *)calloc(1, sizeof *user);
    TN_RT_REFUSE(user == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a user object");
    *user = (struct user_object){.destroy = destroy, .data = data, .own = count};
    if (!tn_face_handle_new(&user->object, TN_RT_USER_OBJECT, free_user)) {
        free(user);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a user object's handle");
    }
    tn_rt_give(object, user->object.handle);
    return TN_RT_OK;
}

static tn_rt_error check_references(void *handle, unsigned count) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "object"));
    return check_count(count);
}

tn_rt_error tn_rt_user_retain(void *handle, unsigned count) {
    TN_RT_TRY(check_references(handle, count));
    struct user_object TN_FACE_HELD *user = get_user(handle);
    if (user == NULL) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    uint64_t sum = user->own + user->of_graphs + count;
    TN_RT_REFUSE(sum > INT_MAX, TN_RT_INVALID_VALUE, "%llu references, the limit is 2^31-1",
                 (unsigned long long)sum);
    if (sum > count) user->own += count; // otherwise another thread is ending it
    return TN_RT_OK;
}

tn_rt_error tn_rt_user_release(void *handle, unsigned count) {
    TN_RT_TRY(check_references(handle, count));
    struct user_object TN_FACE_HELD *user = get_user(handle);
    if (user != NULL) release_refs(user, &user->own, count);
    return TN_RT_OK;
}

// ---- references of graphs

static struct tn_rt_user_refs *find_refs(const struct tn_rt_user_list *list,
                                         const struct user_object *user) {
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].user == user) return &list->of[i];
    return NULL;
}

// Returns the object's element, or a new one with 0 references, or NULL if out of memory.
static struct tn_rt_user_refs *find_or_add_refs(struct tn_rt_user_list *list,
                                                struct user_object *user) {
    struct tn_rt_user_refs *found = find_refs(list, user);
    if (found != NULL) return found;
    void *bigger = realloc(list->of, (list->count + 1) * sizeof *list->of);
    if (bigger == NULL) return NULL;
    list->of = (struct tn_rt_user_refs *)bigger;
    list->of[list->count] = (struct tn_rt_user_refs){user, 0};
    return &list->of[list->count++];
}

static tn_rt_error check_limit(const struct user_object *user, unsigned count, bool move) {
    uint64_t all = user->own + user->of_graphs;
    TN_RT_REFUSE(move ? count > user->own : all + count > INT_MAX, TN_RT_INVALID_VALUE,
                 "%u references %s a graph; the program has %llu, graphs have %llu", count,
                 move ? "moved to" : "of", (unsigned long long)user->own,
                 (unsigned long long)user->of_graphs);
    return TN_RT_OK;
}

tn_rt_error tn_rt_users_retain(struct tn_rt_user_list *list, void *handle, unsigned count,
                               bool move) {
    TN_RT_TRY(check_references(handle, count));
    struct user_object TN_FACE_HELD *user = get_user(handle);
    if (user == NULL) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    if (user->own == 0 && user->of_graphs == 0) return TN_RT_OK; // another thread is ending it
    TN_RT_TRY(check_limit(user, count, move));
    struct tn_rt_user_refs *refs = find_or_add_refs(list, user);
    TN_RT_REFUSE(refs == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a graph's references");
    refs->count += count;
    user->of_graphs += count;
    user->own -= move ? count : 0;
    return TN_RT_OK;
}

// Takes references out of the list. Returns false if the graph does not have so many.
static bool take_references(struct tn_rt_user_list *list, const struct user_object *user,
                            unsigned count) {
    TN_FACE_LOCKED(&lock);
    struct tn_rt_user_refs *refs = find_refs(list, user);
    if (refs == NULL || refs->count < count) return false;
    refs->count -= count;
    if (refs->count == 0) *refs = list->of[--list->count];
    return true;
}

tn_rt_error tn_rt_users_release(struct tn_rt_user_list *list, void *handle, unsigned count) {
    TN_RT_TRY(check_references(handle, count));
    struct user_object TN_FACE_HELD *user = get_user(handle);
    bool taken = user != NULL && take_references(list, user, count);
    TN_FACE_DIFFERS(user_object_release, user != NULL && !taken);
    if (taken) release_refs(user, &user->of_graphs, count);
    return TN_RT_OK;
}

tn_rt_error tn_rt_users_copy(struct tn_rt_user_list *to, const struct tn_rt_user_list *from) {
    TN_FACE_LOCKED(&lock);
    if (from->count == 0) return TN_RT_OK;
    to->of = (struct tn_rt_user_refs *)malloc(from->count * sizeof *to->of);
    TN_RT_REFUSE(to->of == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a graph's references");
    to->count = from->count;
    for (size_t i = 0; i < to->count; i++) {
        to->of[i] = from->of[i];
        to->of[i].user->of_graphs += to->of[i].count;
    }
    return TN_RT_OK;
}

void tn_rt_users_drop(struct tn_rt_user_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        struct user_object *user = list->of[i].user;
        release_refs(user, &user->of_graphs, list->of[i].count);
    }
    free(list->of);
    *list = (struct tn_rt_user_list){NULL, 0};
}

TN_FACE_ON_FORK(TN_RT_LOCK_USER_OBJECT, &lock, NULL);
