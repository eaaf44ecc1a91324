// SPDX-License-Identifier: Apache-2.0
// `tarn info --as`: describes the devices and functions that `tarn run --as` provides to a program
// with the same settings. One thread.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bytes.h"
#include "tools/info/info.h"
#include "tools/launch/faces.h"
#include "tools/launch/image.h"

static void set_error(json_t *face, const char *status, const char *text, const char *more) {
    (void)json_object_set_new(face, "error",
                              json_pack("{ss, ss++}", "status", status, "message", text,
                                        more != NULL ? ": " : "", more != NULL ? more : ""));
}

static void add_exports(json_t *face, const char *path) {
    struct tn_image image;
    if (!tn_image_open(&image, path)) return;
    (void)json_object_set_new(face, "exports", json_integer((json_int_t)tn_image_exports(&image)));
    tn_image_close(&image);
}

// The library stays open, because it may have threads.
static void describe_library(const struct tn_face *face, const char *path, json_t *into) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        set_error(into, "dlopen", dlerror(), NULL);
        return;
    }
    json_t *described = face->describe(library);
    (void)json_object_update(into, described);
    json_decref(described);
}

// The face's library for another release has the same devices, so they are not described again.
static void describe_other(const struct tn_face *face, const char *folder, json_t *into) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, face->other_library);
    if (*face->other_library == '\0' || length < 0 || length >= (int)sizeof path) return;
    json_t *other = json_pack("{ss}", "library", path);
    add_exports(other, path);
    describe_library(face, path, other);
    (void)json_object_del(other, "devices");
    (void)json_object_set_new(into, "other", other);
}

// Returns false if there is no memory. NULL keeps what the environment says.
static bool set_face_variable(const struct tn_face *face, const char *setting, const char *value) {
    return value == NULL || setenv(tn_face_variable(face, setting), value, 1) == 0;
}

json_t *tn_info_face(const struct tn_face *face, const char *device, const char *level) {
    char folder[PATH_MAX], path[PATH_MAX];
    json_t *into = json_pack("{ss, ss}", "name", face->name, "summary", face->text);
    bool found = tn_face_folder(face, folder);
    int length = snprintf(path, sizeof path, "%s/%s", folder, face->library);
    (void)json_object_set_new(into, "library", json_string(path));
    if (!found || length < 0 || length >= (int)sizeof path)
        set_error(into, "no library", path, "does not exist");
    // Probing calls fail on purpose, and must not appear in a log.
    else if (unsetenv(tn_face_variable(face, "LOG")) != 0 ||
             !set_face_variable(face, "DEVICE", device) ||
             !set_face_variable(face, face->level_setting, level))
        set_error(into, "no memory", "the environment cannot be changed", NULL);
    else {
        add_exports(into, path);
        describe_library(face, path, into);
        describe_other(face, folder, into);
    }
    return into;
}

// ---- text output

static long long number_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *yes_or_no(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key)) ? "yes" : "no";
}

static void print_device(const char *face, const json_t *device) {
    char a[TN_TEXT], b[TN_TEXT];
    printf("\n  %s device %lld  %s\n", face, number_of(device, "ordinal"),
           tn_info_text(device, "name"));
    const json_t *error = json_object_get(device, "error");
    if (error != NULL) {
        printf("    not usable: %s: %s\n", tn_info_text(error, "status"),
               tn_info_text(error, "message"));
        return;
    }
    if (json_object_get(device, "memory_bytes") == NULL) return;
    printf("    memory %s", tn_bytes_format((uint64_t)number_of(device, "memory_bytes"), a));
    if (json_object_get(device, "memory_free_bytes") != NULL)
        printf(", free %s", tn_bytes_format((uint64_t)number_of(device, "memory_free_bytes"), a));
    printf("\n");
    if (json_object_get(device, "granularity_minimum") == NULL) return;
    if (number_of(device, "granularity_minimum") != 0)
        printf("    granularity %s, recommended %s\n",
               tn_bytes_format((uint64_t)number_of(device, "granularity_minimum"), a),
               tn_bytes_format((uint64_t)number_of(device, "granularity_recommended"), b));
    printf("    virtual memory management: %s\n", yes_or_no(device, "virtual_memory_management"));
    printf("    sparse arrays: %s\n", yes_or_no(device, "sparse_arrays"));
}

// A library, its size, and the release that it reports and follows.
static void print_release(const json_t *library) {
    printf("  library %s\n", tn_info_text(library, "library"));
    printf("  %lld functions", number_of(library, "exports"));
    if (json_object_get(library, "runtime_version") != NULL)
        printf(", runtime version %lld, driver version %lld", number_of(library, "runtime_version"),
               number_of(library, "driver_version"));
    if (json_object_get(library, "api_version") != NULL)
        printf(", version %s", tn_info_text(library, "api_version"));
    if (json_object_get(library, "soc") != NULL) printf(", chip %s", tn_info_text(library, "soc"));
    printf("\n");
    if (json_object_get(library, "compat") != NULL)
        printf("  it behaves as release %lld of the vendor\n", number_of(library, "compat"));
}

void tn_info_print_face(const json_t *face) {
    size_t index;
    json_t *device;
    printf("%s: %s\n", tn_info_text(face, "name"), tn_info_text(face, "summary"));
    print_release(face);
    if (json_object_get(face, "other") != NULL) print_release(json_object_get(face, "other"));
    if (json_object_get(face, "generation") != NULL)
        printf("  generation %lld, mode %s, %lld bytes of padding behind each allocation\n",
               number_of(face, "generation"), tn_info_text(face, "mode"),
               number_of(face, "padding"));
    json_array_foreach(json_object_get(face, "devices"), index, device)
        print_device(tn_info_text(face, "name"), device);
}
