// SPDX-License-Identifier: Apache-2.0
// The table of faces, and the search for their libraries; see faces.h.
#include <stdio.h>
#include <unistd.h>

#include <tarn/device.h>
#include <tarn/face.h>

#include "base/words.h"
#include "tools/command.h"
#include "tools/launch/faces.h"

static const struct tn_face faces[] = {
#define FACE(name, ...) {#name, __VA_ARGS__, tn_face_describe_##name, tn_face_has_error_##name},
    TN_FACE_LIST(FACE)};

const struct tn_face *tn_face_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
        if (strlen(faces[i].name) == length && memcmp(faces[i].name, name, length) == 0)
            return &faces[i];
    return NULL;
}

size_t tn_face_library_stem(const char *library) {
    return (size_t)(strstr(library, ".so") - library) + strlen(".so");
}

bool tn_face_has_library(const struct tn_face *face, const char *name) {
    const char *library = face->library;
    while (*library != '\0' && strcmp(library, name) != 0) library = tn_face_next_library(library);
    return *library != '\0';
}

const struct tn_face *tn_face_of_library(const char *name) {
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
        for (const char *library = faces[i].library; *library != '\0';
             library = tn_face_next_library(library)) {
            size_t stem = tn_face_library_stem(library);
            if (strncmp(name, library, stem) == 0 && (name[stem] == '\0' || name[stem] == '.'))
                return &faces[i];
        }
    return NULL;
}

bool tn_face_has_level(const struct tn_face *face, const char *level) {
    return level != NULL && tn_words_find(face->levels, ' ', level, strlen(level)) >= 0;
}

// Returns true if this folder contains the library, and resolves the folder's path.
static bool find_library(const char *library, char folder[PATH_MAX]) {
    char path[PATH_MAX], plain[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, library);
    if (length < 0 || length >= (int)sizeof path || access(path, R_OK) != 0 ||
        realpath(folder, plain) == NULL)
        return false;
    memcpy(folder, plain, strlen(plain) + 1);
    return true;
}

// An installed tree may have been moved, with its libraries in lib/x86_64-linux-gnu or lib64. The
// build has them in lib.
static bool find_folder(const char *const ways[2], const char *part, const char *file,
                        char folder[PATH_MAX]) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL) *slash = '\0';
    for (size_t i = 0; i < 2; i++) {
        int written = snprintf(folder, PATH_MAX, "%s/%s/%s", self, ways[i], part);
        if (written > 0 && written < PATH_MAX && find_library(file, folder)) return true;
    }
    return false;
}

bool tn_library_folder(const char *part, const char *library, char folder[PATH_MAX]) {
    static const char *const ways[] = {"../lib/tarn", TARN_FACES_FROM_COMMAND};
    return find_folder(ways, part, library, folder);
}

bool tn_face_headers(const struct tn_face *face, const char *header, char folder[PATH_MAX]) {
    static const char *const ways[] = {"../include/tarn/compat", TARN_HEADERS_FROM_COMMAND};
    return find_folder(ways, face->name, header, folder);
}

bool tn_face_folder(const struct tn_face *face, char folder[PATH_MAX]) {
    return tn_library_folder(face->name, face->library, folder);
}

// The library stays open, because it may have threads.
static bool has_function(const char *folder, const char *library, const char *name) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, library);
    void *opened = length < (int)sizeof path ? dlopen(path, RTLD_LAZY) : NULL;
    return opened != NULL && dlsym(opened, name) != NULL;
}

const struct tn_face *tn_face_of_function(const char *name) {
    char folder[PATH_MAX];
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        if (!tn_face_folder(&faces[i], folder)) continue;
        for (const char *library = faces[i].library; *library != '\0';
             library = tn_face_next_library(library))
            if (has_function(folder, library, name)) return &faces[i];
    }
    return NULL;
}

const char *tn_face_variable(const struct tn_face *face, const char *setting) {
    static char name[64];
    (void)snprintf(name, sizeof name, "%s_%s", face->prefix, setting);
    return name;
}

bool tn_face_set(const struct tn_face *face, const char *setting, const char *value) {
    return value == NULL || setenv(tn_face_variable(face, setting), value, 1) == 0;
}

// An empty element means the current folder, so none is created.
bool tn_library_prepend(const char *variable, const char *word, size_t bytes) {
    char *list = NULL;
    const char *old = getenv(variable);
    bool alone = old == NULL || *old == '\0';
    if (asprintf(&list, "%.*s%s%s", (int)bytes, word, alone ? "" : ":", alone ? "" : old) < 0)
        return false;
    bool is_set = setenv(variable, list, 1) == 0;
    free(list);
    return is_set;
}

bool tn_face_device_known(const char *uri, const char *variable) {
    size_t length = strcspn(uri, ":");
    if (strcmp(uri, "none") == 0) return true;
    const char *name, *summary;
    for (unsigned i = 0; (name = tarn_backend_name(i, &summary)) != NULL; i++)
        if (uri[length] == ':' && strlen(name) == length && memcmp(name, uri, length) == 0)
            return true;
    if (variable == NULL)
        return tn_complain("no back-end has the device \"%s\"; `tarn info` lists them", uri);
    return tn_complain("environment variable %s: no back-end has the device \"%s\"; `tarn info` "
                       "lists them",
                       variable, uri);
}
