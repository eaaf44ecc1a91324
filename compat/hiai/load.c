// SPDX-License-Identifier: Apache-2.0
// Loads shared objects of engines. They register their engines when they are opened. They are never
// closed, because their code may run in threads until the process ends. A relative name is first
// searched for beside the graph file, or, for a text without a file, in the working directory.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compat/hiai/graph.h"

// Writes the path of a file beside the graph file, or "" if it does not exist.
static void find_beside_graph(const char *path, const char *name, char *found, size_t bytes) {
    bool is_text = strncmp(path, TN_HIAI_INHERITED, strlen(TN_HIAI_INHERITED)) == 0;
    const char *slash = is_text ? NULL : strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    int length = snprintf(found, bytes, "%.*s%s%s", folder, path, slash != NULL ? "" : "./", name);
    if (name[0] == '/' || length < 0 || (size_t)length >= bytes || access(found, R_OK) != 0)
        found[0] = '\0';
}

static void *open_object(const char *path) {
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (opened != NULL) return opened;
    tn_hiai_is_loading = true;
    opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    tn_hiai_is_loading = false;
    tn_hiai_watch_end(); // before the end of its static objects, which run in reverse order
    return opened;
}

void tn_hiai_load(const struct tn_hiai_engine_config *engine, const char *path, char *why,
                  size_t bytes) {
    char beside[PATH_MAX];
    for (size_t i = 0; i < engine->so_names.count; i++) {
        const char *name = (const char *)engine->so_names.at[i];
        find_beside_graph(path, name, beside, sizeof beside);
        const void *opened = open_object(beside[0] != '\0' ? beside : name);
        if (opened == NULL) {
            (void)snprintf(why, bytes, "%s", dlerror());
            tn_hiai_warn("engine %u: so_name: %s", engine->id, why);
        }
    }
}
