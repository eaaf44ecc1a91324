// SPDX-License-Identifier: Apache-2.0
// Opens libraries, and keeps them in a list by name. See library.h.
#include "base/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"

// A list of names of which none could be opened, and the loader's reason.
struct missing {
    struct missing *next;
    const char *const *names;
    char why[TN_LIBRARY_PATH];
};

static struct tn_mutex lock = TN_MUTEX(BACKEND, "libraries"); // guards both lists
static struct tn_library *opened;
static struct missing *absent;

// ---- one library

static bool library_matches(const struct tn_library *library, const char *path,
                            const char *const *names) {
    return path == NULL ? library->names == names
                        : library->names == NULL && strcmp(library->path, path) == 0;
}

static const struct tn_library *library_find(const char *path, const char *const *names) {
    const struct tn_library *it = opened;
    while (it != NULL && !library_matches(it, path, names)) it = it->next;
    return it;
}

// Returns true if the function belongs to the object that this code was linked into.
static bool is_ourselves(const void *function) {
    static const char here = 0;
    Dl_info theirs;
    Dl_info ours;
    return dladdr(function, &theirs) != 0 && dladdr(&here, &ours) != 0 &&
           theirs.dli_fbase == ours.dli_fbase;
}

static void *open_one(const char *name, const char *symbol, char *why, size_t size) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *text = dlerror(); // may be long or missing
        (void)snprintf(why, size, "%s", text != NULL ? text : "the loader gave no reason");
        return NULL;
    }
    const void *function = dlsym(handle, symbol);
    if (function == NULL)
        (void)snprintf(why, size, "%.100s does not export %s", name, symbol);
    else if (is_ourselves(function))
        (void)snprintf(why, size, "%.100s is the library that opens it", name);
    else
        return handle;
    (void)dlclose(handle);
    return NULL;
}

// ---- lists of opened and missing libraries

static tarn_status library_add(const char *name, const char *const *names, void *handle,
                               const struct tn_library **library) {
    struct tn_library *made = calloc(1, sizeof *made);
    if (made == NULL) {
        (void)dlclose(handle);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the record of %s", name);
    }
    made->handle = handle;
    made->names = names;
    (void)snprintf(made->path, sizeof made->path, "%s", name);
    made->next = opened;
    opened = made;
    *library = made;
    return TARN_OK;
}

static void add_name(char *list, size_t size, const char *name) {
    size_t used = strlen(list);
    (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

static tarn_status fail_names(const char *owner, const char *const *names, const char *why) {
    char list[200] = "";
    for (; *names != NULL; names++) add_name(list, sizeof list, *names);
    return tn_fail(TARN_UNSUPPORTED, "%s: no library found (tried %s): %s", owner, list, why);
}

static tarn_status open_names(const char *owner, const char *const *names, const char *symbol,
                              const struct tn_library **library) {
    for (const struct missing *it = absent; it != NULL; it = it->next)
        if (it->names == names) return fail_names(owner, names, it->why);
    char why[TN_LIBRARY_PATH] = "";
    for (const char *const *name = names; *name != NULL; name++) {
        void *handle = open_one(*name, symbol, why, sizeof why);
        if (handle != NULL) return library_add(*name, names, handle, library);
    }
    struct missing *made = calloc(1, sizeof *made);
    if (made != NULL) { // else the next call tries the names again
        made->names = names;
        memcpy(made->why, why, sizeof why);
        made->next = absent;
        absent = made;
    }
    return fail_names(owner, names, why);
}

static tarn_status open_path(const char *owner, const char *path, const char *symbol,
                             const struct tn_library **library) {
    char why[TN_LIBRARY_PATH] = "";
    TN_REFUSE(strlen(path) >= TN_LIBRARY_PATH, TARN_UNSUPPORTED,
              "%s: the path of library \"%.80s...\" is longer than %d bytes", owner, path,
              TN_LIBRARY_PATH - 1);
    void *handle = open_one(path, symbol, why, sizeof why);
    return handle != NULL ? library_add(path, NULL, handle, library)
                          : tn_fail(TARN_UNSUPPORTED, "%s: library \"%s\": %s", owner, path, why);
}

tarn_status tn_library_open(const char *owner, const char *path, const char *const *names,
                            const char *symbol, const struct tn_library **library) {
    tarn_status status = TARN_OK;
    path = path != NULL && path[0] != '\0' ? path : NULL;
    tn_mutex_lock(&lock);
    const struct tn_library *found = library_find(path, names);
    if (found == NULL)
        status = path != NULL ? open_path(owner, path, symbol, &found)
                              : open_names(owner, names, symbol, &found);
    tn_mutex_unlock(&lock);
    if (status == TARN_OK) *library = found;
    return status;
}

// ---- symbols

tarn_status tn_library_resolve(const char *owner, const struct tn_library *library,
                               const struct tn_symbol *table, size_t count, void *target) {
    char lacking[200] = "";
    for (size_t i = 0; i < count; i++)
        if (!table[i].optional && dlsym(library->handle, table[i].name) == NULL)
            add_name(lacking, sizeof lacking, table[i].name);
    TN_REFUSE(lacking[0] != '\0', TARN_UNSUPPORTED, "%s: %s lacks %s", owner, library->path,
              lacking);
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library->handle, table[i].name);
        memcpy((char *)target + table[i].offset, &function, sizeof function);
    }
    return TARN_OK;
}
