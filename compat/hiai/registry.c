// SPDX-License-Identifier: Apache-2.0
// See registry.h.
#include "compat/hiai/registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// An entry is one allocation, with its name behind it.
struct entry {
    struct entry *next;
    union {
        struct tn_hiai_message_type kind;
        struct tn_hiai_engine_type type;
    } what;
    char name[];
};

struct table {
    pthread_mutex_t lock;
    struct entry *first; // guard: lock
};

static struct table kinds = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct table makers = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- tables

static struct entry **find(struct table *table, const char *name) {
    struct entry **link = &table->first;
    while (*link != NULL && strcmp((*link)->name, name) != 0) {
        link = &(*link)->next;
    }
    return link;
}

static bool look_up(struct table *table, const char *name, struct entry *copy) {
    (void)pthread_mutex_lock(&table->lock);
    const struct entry *found = *find(table, name);
    if (found != NULL) {
        copy->what = found->what;
    }
    (void)pthread_mutex_unlock(&table->lock);
    return found != NULL;
}

// False: there is one of that name.
static bool insert(struct table *table, struct entry *entry) {
    (void)pthread_mutex_lock(&table->lock);
    struct entry **link = find(table, entry->name);
    bool is_new = *link == NULL;
    if (is_new) {
        entry->next = NULL;
        *link = entry;
    }
    (void)pthread_mutex_unlock(&table->lock);
    return is_new;
}

static struct entry *take_out(struct table *table, const char *name) {
    (void)pthread_mutex_lock(&table->lock);
    struct entry **link = find(table, name);
    struct entry *found = *link;
    if (found != NULL) {
        *link = found->next;
    }
    (void)pthread_mutex_unlock(&table->lock);
    return found;
}

static HIAI_StatusT add(struct table *table, const char *name, const struct entry *what) {
    size_t bytes = strlen(name) + 1;
    struct entry *entry = (struct entry *)malloc(sizeof *entry + bytes);
    if (entry == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "registering \"%s\"", name);
    }
    entry->what = what->what;
    memcpy(entry->name, name, bytes);
    if (!insert(table, entry)) {
        free(entry);
        return tn_hiai_fail(HIAI_ENGINE_FUNCTOR_EXIST, "\"%s\" is registered already", name);
    }
    return HIAI_OK;
}

static HIAI_StatusT drop(struct table *table, const char *name, HIAI_StatusT otherwise) {
    struct entry *found = name != NULL ? take_out(table, name) : NULL;
    if (found == NULL) {
        return tn_hiai_fail(otherwise, "\"%s\" is not registered", name != NULL ? name : "(NULL)");
    }
    free(found);
    return HIAI_OK;
}

static HIAI_StatusT check_name(const char *name, size_t most) {
    if (name == NULL || name[0] == '\0' || strnlen(name, most + 1) > most) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "name \"%.80s\": 1 to %zu bytes",
                            name != NULL ? name : "(NULL)", most);
    }
    return HIAI_OK;
}

void tn_hiai_registry_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&kinds.lock);
        (void)pthread_mutex_lock(&makers.lock);
        return;
    }
    (void)pthread_mutex_unlock(&makers.lock);
    (void)pthread_mutex_unlock(&kinds.lock);
}

// ---- kinds of messages

bool tn_hiai_find_message_type(const char *name, struct tn_hiai_message_type *kind) {
    struct entry copy;
    bool found = look_up(&kinds, name, &copy);
    if (found) {
        *kind = copy.what.kind;
    }
    return found;
}

HIAI_StatusT HIAIX_RegisterSerialize(const char *name, HIAIX_SerializeT serialize,
                                     HIAIX_DeserializeT deserialize, HIAIX_DestroyT destroy,
                                     void *arg) {
    struct entry entry = {.what.kind = {serialize, deserialize, destroy, arg}};
    HIAI_StatusT status = check_name(name, TARN_MESSAGE_NAME_MAX);
    if (status == HIAI_OK && (serialize == NULL || deserialize == NULL)) {
        status = tn_hiai_fail(HIAI_ENGINE_FUNCTOR_NULL, "%s of \"%s\" is NULL",
                              serialize == NULL ? "serialize" : "deserialize", name);
    }
    if (status == HIAI_OK) {
        status = add(&kinds, name, &entry);
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAIX_UnregisterSerialize(const char *name) {
    return tn_hiai_leave(drop(&kinds, name, HIAI_GRAPH_SEARFUNC_IS_NULL), __func__);
}

// ---- engines

bool tn_hiai_find_engine_type(const char *name, struct tn_hiai_engine_type *type) {
    struct entry copy;
    bool found = look_up(&makers, name, &copy);
    if (found) {
        *type = copy.what.type;
    }
    return found;
}

HIAI_StatusT HIAIX_RegisterEngine(const char *engineName, uint32_t nIn, uint32_t nOut,
                                  HIAIX_ProcessT process, void *arg) {
    struct entry entry = {.what.type = {process, arg, nIn, nOut}};
    HIAI_StatusT status = check_name(engineName, 1023);
    if (status == HIAI_OK && process == NULL) {
        status = tn_hiai_fail(HIAI_ENGINE_FUNCTOR_NULL, "process of \"%s\" is NULL", engineName);
    }
    if (status == HIAI_OK && (nIn > TN_HIAI_PORTS || nOut > TN_HIAI_PORTS)) {
        status = tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "%u input and %u output ports: at most %u",
                              nIn, nOut, TN_HIAI_PORTS);
    }
    if (status == HIAI_OK) {
        status = add(&makers, engineName, &entry);
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAIX_UnregisterEngine(const char *engineName) {
    return tn_hiai_leave(drop(&makers, engineName, HIAI_GRAPH_ENGINE_NOT_EXIST), __func__);
}
