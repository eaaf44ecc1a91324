// SPDX-License-Identifier: Apache-2.0
// `tarn info --as`: describes the devices and functions that `tarn run --as` provides to a program
// with the same settings. One thread.
#include <inttypes.h>

#include "tools/bytes.h"
#include "tools/info/face.h"
#include "tools/launch/faces.h"
#include "tools/launch/image.h"
#include "tools/result.h"

#define NUMBER tn_member_get_number
#define TEXT   tn_member_get_text

static void set_error(json_t *face, const char *status, const char *text, const char *more) {
    tn_member_set(face, "error",
                  json_pack("{ss, ss++}", "status", status, "message", text,
                            more != NULL ? ": " : "", more != NULL ? more : ""));
}

static void add_exports(json_t *face, const char *path) {
    struct tn_image image;
    if (!tn_image_open(&image, path)) return;
    tn_member_set(face, "exports", json_integer((json_int_t)tn_image_exports(&image)));
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

// The face's other libraries have the same devices, so they are not described again. Each is a member
// of the one before it.
static void describe_others(const struct tn_face *face, const char *folder, json_t *into) {
    char path[PATH_MAX];
    for (const char *library = tn_face_next_library(face->library); *library != '\0';
         library = tn_face_next_library(library)) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, library);
        if (length < 0 || length >= (int)sizeof path) return;
        json_t *other = json_pack("{ss}", "library", path);
        add_exports(other, path);
        describe_library(face, path, other);
        (void)json_object_del(other, "devices");
        tn_member_set(into, "other", other);
        into = other;
    }
}

json_t *tn_info_face(const struct tn_face *face, const char *device, const char *level) {
    char folder[PATH_MAX], path[PATH_MAX];
    json_t *into = json_pack("{ss, ss}", "name", face->name, "summary", face->text);
    bool found = tn_face_folder(face, folder);
    int length = snprintf(path, sizeof path, "%s/%s", folder, face->library);
    tn_member_set(into, "library", json_string(path));
    if (!found || length < 0 || length >= (int)sizeof path)
        set_error(into, "no library", path, "does not exist");
    // Probing calls fail on purpose, and must not appear in a log.
    else if (unsetenv(tn_face_variable(face, "LOG")) != 0 || !tn_face_set(face, "DEVICE", device) ||
             !tn_face_set(face, face->level_setting, level))
        set_error(into, "no memory", "the environment cannot be changed", NULL);
    else {
        add_exports(into, path);
        describe_library(face, path, into);
        describe_others(face, folder, into);
    }
    return into;
}

// ---- text output

static const char *yes_or_no(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key)) ? "yes" : "no";
}

static void print_device(const char *face, const json_t *device) {
    printf("\n  %s device %" PRIu64 "  %s\n", face, NUMBER(device, "ordinal"),
           TEXT(device, "name"));
    const json_t *error = json_object_get(device, "error");
    if (error != NULL) {
        printf("    not usable: %s: %s\n", TEXT(error, "status"), TEXT(error, "message"));
        return;
    }
    if (json_object_get(device, "memory_bytes") == NULL) return;
    printf("    memory %s", tn_bytes(NUMBER(device, "memory_bytes")));
    if (json_object_get(device, "memory_free_bytes") != NULL)
        printf(", free %s", tn_bytes(NUMBER(device, "memory_free_bytes")));
    printf("\n");
    if (json_object_get(device, "granularity_minimum") == NULL) return;
    if (NUMBER(device, "granularity_minimum") != 0)
        printf("    granularity %s, recommended %s\n",
               tn_bytes(NUMBER(device, "granularity_minimum")),
               tn_bytes(NUMBER(device, "granularity_recommended")));
    printf("    virtual memory management: %s\n", yes_or_no(device, "virtual_memory_management"));
    printf("    sparse arrays: %s\n", yes_or_no(device, "sparse_arrays"));
}

// A library, its size, and the release that it reports and follows.
static void print_release(const json_t *library) {
    printf("  library %s\n", TEXT(library, "library"));
    printf("  %" PRIu64 " functions", NUMBER(library, "exports"));
    if (json_object_get(library, "runtime_version") != NULL)
        printf(", runtime version %" PRIu64, NUMBER(library, "runtime_version"));
    if (json_object_get(library, "driver_version") != NULL)
        printf(", driver version %" PRIu64, NUMBER(library, "driver_version"));
    if (json_object_get(library, "api_version") != NULL)
        printf(", version %s", TEXT(library, "api_version"));
    if (json_object_get(library, "soc") != NULL) printf(", chip %s", TEXT(library, "soc"));
    printf("\n");
    if (json_object_get(library, "compat") != NULL)
        printf("  it behaves as release %" PRIu64 " of the vendor\n", NUMBER(library, "compat"));
}

void tn_info_print_face(const json_t *face) {
    size_t index;
    json_t *device;
    printf("%s: %s\n", TEXT(face, "name"), TEXT(face, "summary"));
    for (const json_t *library = face; library != NULL; library = json_object_get(library, "other"))
        print_release(library);
    if (json_object_get(face, "generation") != NULL)
        printf("  generation %" PRIu64 ", mode %s, %" PRIu64
               " bytes of padding behind each allocation\n",
               NUMBER(face, "generation"), TEXT(face, "mode"), NUMBER(face, "padding"));
    json_array_foreach(json_object_get(face, "devices"), index, device)
        print_device(TEXT(face, "name"), device);
}
