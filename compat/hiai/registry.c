// SPDX-License-Identifier: Apache-2.0
// The registry: a list of names for the message types of each path, and one for engine types. `lock`
// guards both.
#include "compat/hiai/message.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"

// An entry is one allocation, with its name at the end.
struct entry {
    struct entry *next;
    union {
        struct tn_hiai_message_type message;
        struct tn_hiai_engine_type engine;
    } type;
    char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *message_types[2]; // by path
static struct entry *engine_types;

TN_FACE_ON_FORK(TN_HIAI_LOCK_REGISTRY, &lock, NULL);

// ---- lists

// With the lock.
static struct entry **find_entry(struct entry **list, const char *name) {
    while (*list != NULL && strcmp((*list)->name, name) != 0) list = &(*list)->next;
    return list;
}

// Copies the type of that name. Returns false if there is none.
static bool copy_type(struct entry **list, const char *name, void *type, size_t bytes) {
    TN_FACE_LOCKED(&lock);
    const struct entry *found = *find_entry(list, name);
    if (found != NULL) memcpy(type, &found->type, bytes);
    return found != NULL;
}

static HIAI_StatusT register_entry(struct entry **list, const char *name,
                                   const struct entry *values) {
    size_t bytes = strlen(name) + 1;
    struct entry *entry = (struct entry *)malloc(sizeof *entry + bytes);
    TN_HIAI_REFUSE(entry == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for registering \"%s\"",
                   name);
    entry->next = NULL;
    entry->type = values->type;
    memcpy(entry->name, name, bytes);
    TN_FACE_LOCKED(&lock);
    struct entry **link = find_entry(list, name);
    if (*link != NULL) {
        free(entry);
        return tn_hiai_fail(HIAI_ENGINE_FUNCTOR_EXIST, "\"%s\" is registered already", name);
    }
    *link = entry;
    return HIAI_OK;
}

static HIAI_StatusT unregister_entry(struct entry **list, const char *name,
                                     HIAI_StatusT otherwise) {
    TN_FACE_LOCKED(&lock);
    struct entry **link = name != NULL ? find_entry(list, name) : NULL;
    TN_HIAI_REFUSE(link == NULL || *link == NULL, otherwise, "\"%s\" is not registered",
                   name != NULL ? name : "(NULL)");
    struct entry *found = *link;
    *link = found->next;
    free(found);
    return HIAI_OK;
}

static HIAI_StatusT check_name(const char *name, size_t max) {
    TN_HIAI_REFUSE(name == NULL || name[0] == '\0' || strnlen(name, max + 1) > max,
                   HIAI_GRAPH_INVALID_VALUE, "name is \"%.80s\", allowed are 1 to %zu bytes",
                   name != NULL ? name : "(NULL)", max);
    return HIAI_OK;
}

// ---- message types

bool tn_hiai_find_message_type(const char *name, enum HIAIX_Path path,
                               struct tn_hiai_message_type *type) {
    return copy_type(&message_types[path], name, type, sizeof *type);
}

TN_HIAI_FUNCTION(HIAIX_RegisterSerialize, const char *, name, HIAIX_SerializeT, serialize,
                 HIAIX_DeserializeT, deserialize, HIAIX_DestroyT, destroy, void *, arg) {
    TN_HIAI_TRY(check_name(name, TARN_MESSAGE_NAME_MAX));
    TN_HIAI_REFUSE(serialize == NULL || deserialize == NULL, HIAI_ENGINE_FUNCTOR_NULL,
                   "%s of \"%s\" is NULL", serialize == NULL ? "serialize" : "deserialize", name);
    struct entry values = {
        .type.message = {
            .serialize = serialize, .deserialize = deserialize, .destroy = destroy, .arg = arg}};
    return register_entry(&message_types[HIAIX_PATH_FAST], name, &values);
}

HIAI_StatusT HIAIX_UnregisterSerialize(const char *name) {
    return TN_HIAI_CALL(
        unregister_entry(&message_types[HIAIX_PATH_FAST], name, HIAI_GRAPH_SEARFUNC_IS_NULL));
}

static HIAI_StatusT check_path(enum HIAIX_Path path) {
    return path == HIAIX_PATH_FAST || path == HIAIX_PATH_COMMON
               ? HIAI_OK
               : tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "path is %d, allowed are 0 and 1",
                              (int)path);
}

TN_HIAI_FUNCTION(HIAIX_RegisterMessageType, const char *, name, enum HIAIX_Path, path,
                 const struct HIAIX_MessageType *, type) {
    TN_HIAI_TRY(check_path(path));
    TN_HIAI_TRY(check_name(name, TARN_MESSAGE_NAME_MAX));
    TN_HIAI_REFUSE(type == NULL, HIAI_GRAPH_INVALID_VALUE, "type of \"%s\" is NULL", name);
    TN_HIAI_REFUSE(type->write == NULL || type->release == NULL || type->read == NULL,
                   HIAI_ENGINE_FUNCTOR_NULL, "a function of \"%s\" is NULL", name);
    struct entry values = {.type.message = {.hooks = *type}};
    return register_entry(&message_types[path], name, &values);
}

TN_HIAI_FUNCTION(HIAIX_UnregisterMessageType, const char *, name, enum HIAIX_Path, path) {
    TN_HIAI_TRY(check_path(path));
    return unregister_entry(&message_types[path], name, HIAI_GRAPH_SEARFUNC_IS_NULL);
}

// ---- engine types

bool tn_hiai_find_engine_type(const char *name, struct tn_hiai_engine_type *type) {
    return copy_type(&engine_types, name, type, sizeof *type);
}

TN_HIAI_FUNCTION(HIAIX_RegisterEngine, const char *, engineName, uint32_t, nIn, uint32_t, nOut,
                 HIAIX_ProcessT, process, void *, arg) {
    struct entry values = {.type.engine = {process, arg, nIn, nOut, {0}}};
    TN_HIAI_TRY(check_name(engineName, 1023));
    TN_HIAI_REFUSE(process == NULL, HIAI_ENGINE_FUNCTOR_NULL, "process of \"%s\" is NULL",
                   engineName);
    TN_HIAI_REFUSE(nIn > TN_HIAI_PORTS || nOut > TN_HIAI_PORTS, HIAI_GRAPH_INVALID_VALUE,
                   "%u input and %u output ports, at most %u each", nIn, nOut, TN_HIAI_PORTS);
    return register_entry(&engine_types, engineName, &values);
}

TN_HIAI_FUNCTION(HIAIX_RegisterEngineClass, const char *, engineName,
                 const struct HIAIX_EngineClass *, engineClass) {
    TN_HIAI_TRY(check_name(engineName, 1023));
    TN_HIAI_REFUSE(engineClass == NULL, HIAI_GRAPH_INVALID_VALUE, "engineClass of \"%s\" is NULL",
                   engineName);
    TN_HIAI_REFUSE(engineClass->create == NULL || engineClass->process == NULL ||
                       engineClass->destroy == NULL,
                   HIAI_ENGINE_FUNCTOR_NULL, "a function of engine \"%s\" is NULL", engineName);
    struct entry values = {.type.engine = {NULL, NULL, 0, 0, *engineClass}};
    return register_entry(&engine_types, engineName, &values);
}

HIAI_StatusT HIAIX_UnregisterEngine(const char *engineName) {
    return TN_HIAI_CALL(unregister_entry(&engine_types, engineName, HIAI_GRAPH_ENGINE_NOT_EXIST));
}

// ---- statuses

TN_HIAI_FUNCTION(HIAIX_RegisterStatusText, HIAI_StatusT, status, const char *, text) {
    TN_HIAI_REFUSE(text == NULL, HIAI_GRAPH_INVALID_VALUE, "text of status 0x%08x is NULL", status);
    TN_HIAI_REFUSE(!tn_hiai_status_add(status, text), HIAI_MEMORY_EXHAUSTED,
                   "out of memory for a text");
    return HIAI_OK;
}
