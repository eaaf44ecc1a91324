// SPDX-License-Identifier: Apache-2.0
// The faces for `tarn run` and `tarn info --as`: their names, libraries and settings. A new face is
// a line in the list and a file face_NAME.c. Constant; any thread may read.
#pragma once

#include <dlfcn.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// X(name, libraries, prefix of its environment variables, levels of compatibility, setting for a
// level, sparse, platform, preloaded, description). A zero byte ends each library; all are in one
// folder. The levels are numbers with spaces between them, or "". `sparse` is true if it has an option
// for sparse arrays. `platform` is true if its devices are those of a platform. `preloaded` is true
// if programs look for libraries of these names in other folders too; see preload.h.
#define TN_FACE_LIST(X)                                                                            \
    X(hip, "libamdhip64.so.6\0libamdhip64.so.7\0", "TARN_HIP", "6 7", "COMPAT", true, true, false, \
      "HIP's runtime API")                                                                         \
    X(cuda, "libcuda.so.1\0libcudart.so.13\0libcudart.so.12\0libnvidia-ml.so.1\0", "TARN_CUDA",    \
      "12 13", "COMPAT", false, true, true, "CUDA's driver and runtime API and NVML")              \
    X(acl, "libascendcl.so\0", "TARN_ACL", "1 2", "GENERATION", false, true, false,                \
      "AscendCL's runtime")                                                                        \
    X(hiai, "libhiai_matrix.so\0", "TARN_HIAI", "", "", false, false, false, "HiAI's Matrix")

struct tn_face {
    const char *name;
    const char *library; // the first; see tn_face_next_library()
    const char *prefix;
    const char *levels;
    const char *level_setting;
    bool sparse;
    bool platform;
    bool preloaded;
    const char *text;
    // Describes the opened library: an object that contains "devices", or NULL if out of memory.
    json_t *(*describe)(void *library);
    // Returns true if this is the name or the number of an error of the vendor's API.
    bool (*has_error)(const char *text);
};

// The names of all faces as one string literal, for texts.
#define TN_FACE_NAME(name, ...) " " #name
#define TN_FACE_NAMES           TN_FACE_LIST(TN_FACE_NAME)

// Returns the face whose name is `length` bytes of `name`, or NULL.
const struct tn_face *tn_face_find(const char *name, size_t length);

// Returns the face's library that follows `library`, or "" after the last.
static inline const char *tn_face_next_library(const char *library) {
    return library + strlen(library) + 1;
}

// Returns true if the name is that of a library of the face.
bool tn_face_has_library(const struct tn_face *face, const char *name);

// Returns the bytes of a library's name that its number follows, as in "libcudart.so.13".
size_t tn_face_library_stem(const char *library);

// Returns true if this is one of the face's levels. NULL is not.
bool tn_face_has_level(const struct tn_face *face, const char *level);

// Finds the folder of the face's library, relative to this command. Returns false if it does not
// exist; `folder` is then where it should be.
bool tn_face_folder(const struct tn_face *face, char folder[PATH_MAX]);

// The same for any library in lib/tarn/PART.
bool tn_library_folder(const char *part, const char *library, char folder[PATH_MAX]);

// The same for the folder of the face's headers, which contains this one.
bool tn_face_headers(const struct tn_face *face, const char *header, char folder[PATH_MAX]);

// The release whose interface the headers of the face hip declare, such as "7.2.0".
extern const char tn_face_hip_release[];

// Joins "TARN_HIP" and "DEVICE" to "TARN_HIP_DEVICE", in a buffer that the next call overwrites.
const char *tn_face_variable(const struct tn_face *face, const char *setting);

// Sets that variable in the environment unless the value is NULL. Returns false if out of memory.
bool tn_face_set(const struct tn_face *face, const char *setting, const char *value);

// Puts `bytes` of a word before a list with colons in the environment. Returns false if out of memory.
bool tn_library_prepend(const char *variable, const char *word, size_t bytes);

// Returns false, with a message on standard error, if no back-end has this device name, so that a
// typing error is found before the program starts. The name "none" selects no device. `variable` is that of
// the environment that has the name, or NULL for an option.
bool tn_face_device_known(const char *uri, const char *variable);

// Returns the face that replaces libraries of this name, whatever number it ends with, or NULL.
const struct tn_face *tn_face_of_library(const char *name);

// Returns the face whose library exports the function, or NULL.
const struct tn_face *tn_face_of_function(const char *name);

// Returns true if `text` is the name, or the number in decimal or hexadecimal digits.
static inline bool tn_face_error_matches(const char *text, const char *name, long number) {
    char *end = NULL;
    return strcmp(text, name) == 0 ||
           (*text >= '0' && *text <= '9' && strtol(text, &end, 0) == number && *end == '\0');
}

// Declares `struct calls`, with a pointer to each function of a list, and find_calls(), which fills
// it from a library. It returns NULL, or the name of the function that the library lacks.
#define TN_FACE_CALL_FIELD(name) __typeof__(name) *name;
#define TN_FACE_CALL_FIND(name)                                                                    \
    found = dlsym(library, #name);                                                                 \
    if (found == NULL) return #name;                                                               \
    memcpy(&calls->name, &found, sizeof found);
#define TN_FACE_CALLS(LIST)                                                                        \
    struct calls {                                                                                 \
        LIST(TN_FACE_CALL_FIELD)                                                                   \
    };                                                                                             \
    static const char *find_calls(void *library, struct calls *calls) {                            \
        void *found;                                                                               \
        LIST(TN_FACE_CALL_FIND)                                                                    \
        return NULL;                                                                               \
    }

// Describes a library that lacks the function.
#define TN_FACE_LACKS(missing)                                                                     \
    json_pack("{s{ss, ss+}}", "error", "status", "wrong library", "message", "it lacks ", missing)

#define TN_FACE_DESCRIBE(name, ...)                                                                \
    json_t *tn_face_describe_##name(void *library);                                                \
    bool tn_face_has_error_##name(const char *text);
TN_FACE_LIST(TN_FACE_DESCRIBE)
#undef TN_FACE_DESCRIBE
