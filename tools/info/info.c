// SPDX-License-Identifier: Apache-2.0
// `tarn info`: describes the back-ends of this build and the devices of this machine. Everything is
// collected in one JSON object. --json prints it, and the text is generated from it, so the two
// cannot differ. One thread.
#include <inttypes.h>
#include <jansson.h>
#include <tarn/face.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

#include "backend/layer/quirks.h"
#include "base/printable.h"
#include "tools/arguments.h"
#include "tools/bytes.h"
#include "tools/command.h"
#include "tools/launch/faces.h"
#include "tools/launch/image.h"
#include "tools/result.h"
#include "tools/terminal.h"

// ---- --as: the devices and functions that `tarn run --as` provides to a program with the same settings

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

// Describes the face's library with the settings of the environment, or with `device` and the level
// of compatibility `level` if they are not NULL. The object has an "error" if the library or its
// devices cannot be used.
static json_t *describe_face(const struct tn_face *face, const char *device, const char *level) {
    char folder[PATH_MAX], path[PATH_MAX];
    json_t *into = json_pack("{ss, ss}", "name", face->name, "summary", face->text);
    bool found = tn_face_folder(face, folder);
    int length = snprintf(path, sizeof path, "%s/%s", folder, face->library);
    tn_member_set(into, "library", json_string(path));
    if (!found || length < 0 || length >= (int)sizeof path)
        set_error(into, "no library", path, "does not exist");
    // Probing calls fail on purpose, and must not appear in a log.
    else if (!tn_face_set(face, "LOG", "off") || !tn_face_set(face, "DEVICE", device) ||
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

static void print_face_device(const char *face, const json_t *device) {
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

static void print_face(const json_t *face) {
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
        print_face_device(TEXT(face, "name"), device);
}

// ---- back-ends

struct options {
    const char *device;
    const char *as;
    const struct tn_face *face; // of that name
    const char *level;
    const char *machine;
    bool json;
    bool quirks;
};

static const char doc[] =
    "Shows the back-ends of this build, their devices, the features of each device, and the "
    "configuration in effect with the source of each value.\v" TN_EXIT_HELP;

static const struct tn_arg_option rows[] = {
    {"device", 'd', "URI", "Show the platform of this device only",
     TN_STRING(struct options, device)},
    {"as", 'a', "FACE", "Show what programs see under tarn run --as FACE instead:" TN_FACE_NAMES,
     TN_NAME(struct options, as)},
    {"compat", 'c', "LEVEL",
     "With --as, as this release of the vendor: hip 6 or 7, cuda 12 or 13, acl 1 or 2",
     TN_STRING(struct options, level)},
    {"machine", 0, "NAME",
     "Show which processes of this machine hold memory of its devices instead",
     TN_STRING(struct options, machine)},
    TN_JSON_OPTION(struct options, "Print one JSON object, to FILE if it is given"),
    {"quirks", 'q', NULL, "List the quirks for tarn run --quirk and for device names",
     TN_FLAG(struct options, quirks)},
    {0},
};

static error_t parse_info(int key, char *text, struct argp_state *state, void *input) {
    struct options *options = (struct options *)input;
    (void)text;
    if (key == ARGP_KEY_END && options->as != NULL)
        options->face = tn_face_find(options->as, strlen(options->as));
    if (key == ARGP_KEY_END && options->level != NULL &&
        (options->face == NULL || !tn_face_has_level(options->face, options->level)))
        argp_error(state, "--compat=%s is not a level of %s", options->level,
                   options->face != NULL ? options->face->name : "a face; --as names one");
    return ARGP_ERR_UNKNOWN;
}

// X(feature, "name", "meaning")
#define FEATURE_LIST(X)                                                                            \
    X(VMM, "vmm", "addresses can be reserved, physical memory created and mapped")                 \
    X(BYTES, "bytes", "memory stores bytes")                                                       \
    X(HOST_ACCESS, "host-access", "the CPU can be granted access to device memory")                \
    X(ALIAS, "alias", "physical memory can be mapped at several addresses")                        \
    X(PEER, "peer", "devices of the platform can access each other's memory")                      \
    X(ASYNC, "async", "streams run asynchronously")                                                \
    X(PINNED, "pinned", "host memory can be pinned")                                               \
    X(HOST_PHYS, "host-phys", "physical memory can be created on the host")                        \
    X(VIRTUAL_TIME, "virtual-time", "a cost model advances a clock")                               \
    X(ARRAYS, "arrays", "dense, deferred and sparse arrays are supported")                         \
    X(GIANT_PAGES, "giant-pages", "pages of 1 GiB can be requested")                               \
    X(CHECKED, "checked", "work fails safely if its memory is unmapped or freed")                  \
    X(PARTIAL, "partial", "a part of a handle can be mapped")                                      \
    X(MIXED, "mixed", "a reservation can map memory of several devices")                           \
    X(RIGHTS, "rights", "rights can be read-only, and can be revoked")                             \
    X(CONDITIONS, "conditions", "streams can wait for a condition, and for other processes")

static json_t *describe_error(void) {
    tarn_status status = tarn_last_error(NULL);
    return json_pack("{ss, ss}", "status", tarn_status_name(status), "message", tn_text_of(status));
}

// Finds the kind of an expandable pool on this device by creating one, which uses no memory.
static json_t *describe_pools(tarn_device *device, uint64_t page_bytes) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.bytes = page_bytes;
    if (tarn_pool_create(&desc, &pool) != TARN_OK)
        return json_pack("{so}", "error", describe_error());
    (void)tarn_pool_query(pool, &info);
    (void)tarn_pool_destroy(pool);
    return json_pack("{ss, ss}", "kind",
                     info.kind == TARN_POOL_EXPANDABLE ? "expandable" : "segments", "reason",
                     info.reason);
}

static json_t *describe_device(tarn_device *device) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    uint64_t left = 0, total = 0;
    if (tarn_device_query(device, &info) != TARN_OK ||
        tarn_device_query_memory(device, &left, &total) != TARN_OK)
        return json_pack("{so}", "error", describe_error());
    json_t *object = json_pack("{si, ss}", "ordinal", info.ordinal, "name", info.name);
    tn_member_number(object, "memory_bytes", total);
    tn_member_number(object, "free_bytes", left);
    tn_member_number(object, "granularity_minimum", info.granularity_minimum);
    tn_member_number(object, "granularity_recommended", info.granularity_recommended);
    json_t *features = tn_member_list(object, "features");
#define FEATURE(BIT, name, text)                                                                   \
    if ((info.features & TARN_FEATURE_##BIT) != 0) tn_list_add(features, json_string(name));
    FEATURE_LIST(FEATURE)
#undef FEATURE
    json_t *ways = tn_member_list(object, "shareable");
    if ((info.shareable & TARN_SHAREABLE_FD) != 0) tn_list_add(ways, json_string("fd"));
    if ((info.shareable & TARN_SHAREABLE_TOKEN) != 0) tn_list_add(ways, json_string("token"));
    tn_member_set(object, "pool", describe_pools(device, info.granularity_recommended));
    return object;
}

static void add_devices(json_t *list, tarn_device *first) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    (void)tarn_device_query(first, &info);
    for (int i = 0; i < info.device_count; i++) {
        tarn_device *device;
        if (tarn_device_sibling(first, i, &device) != TARN_OK) {
            tn_list_add(list, json_pack("{si, so}", "ordinal", i, "error", describe_error()));
            continue;
        }
        tn_list_add(list, describe_device(device));
        (void)tarn_device_close(device);
    }
}

// Opens the platform and describes it, or the reason why it cannot be opened.
static tarn_status describe_platform(json_t *backend, const char *uri) {
    tarn_device *device;
    tarn_setting setting;
    tarn_status status = tarn_device_open(uri, &device);
    tn_member_set(backend, "device", json_string(uri));
    if (status != TARN_OK) {
        tn_member_set(backend, "error", describe_error());
        return status;
    }
    add_devices(tn_member_list(backend, "devices"), device);
    json_t *settings = tn_member_list(backend, "settings");
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++)
        tn_list_add(settings,
                    json_pack("{ss, ss, ss, ss}", "key", setting.key, "value", setting.value,
                              "source", setting.source, "help", setting.help));
    (void)tarn_device_close(device);
    return TARN_OK;
}

// Describes every back-end in its default configuration, or only the requested platform.
static tarn_status describe_backends(const struct options *options, json_t *backends) {
    const char *name, *summary;
    tarn_status result = TARN_OK;
    bool found = options->device == NULL;
    for (unsigned i = 0; (name = tarn_backend_name(i, &summary)) != NULL; i++) {
        char uri[64];
        (void)snprintf(uri, sizeof uri, "%s:0", name);
        if (options->device != NULL && strncmp(options->device, uri, strlen(name) + 1) != 0)
            continue;
        found = true;
        json_t *backend = json_pack("{ss, ss}", "name", name, "summary", summary);
        tarn_status status =
            describe_platform(backend, options->device != NULL ? options->device : uri);
        // A missing device is a failure only if it was requested.
        result = options->device != NULL ? status : result;
        tn_list_add(backends, backend);
    }
    if (!found) {
        json_t *unknown = json_pack("{ss}", "name", "?");
        result = describe_platform(unknown, options->device);
        tn_list_add(backends, unknown);
    }
    return result;
}

// ---- text output

static const char *bytes_of(const json_t *object, const char *key) {
    return tn_bytes(NUMBER(object, key));
}

static void print_list(const char *title, const json_t *list) {
    size_t index;
    json_t *item;
    printf("      %s", title);
    if (json_array_size(list) == 0) printf(" none");
    json_array_foreach(list, index, item) printf(" %s", json_string_value(item));
    printf("\n");
}

static void print_pools(const json_t *pool) {
    const json_t *error = json_object_get(pool, "error");
    if (error != NULL)
        printf("      expandable pools: no: %s\n", TEXT(error, "message"));
    else if (TEXT(pool, "reason")[0] != '\0')
        printf("      expandable pools: no, segments instead: %s\n", TEXT(pool, "reason"));
    else
        printf("      expandable pools: yes\n");
}

static void print_device(const char *backend, const json_t *device) {
    printf("    %s:%d  %s\n", backend, (int)NUMBER(device, "ordinal"), TEXT(device, "name"));
    const json_t *error = json_object_get(device, "error");
    if (error != NULL) {
        tn_style_print(stdout, TN_STYLE_BAD, "      not usable: %s\n", TEXT(error, "message"));
        return;
    }
    printf("      memory %s, %s free\n", bytes_of(device, "memory_bytes"),
           bytes_of(device, "free_bytes"));
    printf("      granularity %s, recommended %s\n", bytes_of(device, "granularity_minimum"),
           bytes_of(device, "granularity_recommended"));
    print_list("features:", json_object_get(device, "features"));
    print_list("shares memory by:", json_object_get(device, "shareable"));
    print_pools(json_object_get(device, "pool"));
}

static void print_settings(const json_t *settings) {
    size_t index;
    json_t *setting;
    if (json_array_size(settings) > 0) printf("    settings: value, source, meaning\n");
    json_array_foreach(settings, index, setting)
        printf("      %-16s %-12s %-12s %s\n", TEXT(setting, "key"), TEXT(setting, "value"),
               TEXT(setting, "source"), TEXT(setting, "help"));
}

static void print_backend(const json_t *backend) {
    size_t index;
    json_t *device;
    const json_t *error = json_object_get(backend, "error");
    tn_style_print(stdout, TN_STYLE_HEAD, "\n  %s", TEXT(backend, "name"));
    printf("  %s\n", TEXT(backend, "summary"));
    if (error != NULL) printf("    not available: %s\n", TEXT(error, "message"));
    json_array_foreach(json_object_get(backend, "devices"), index, device)
        print_device(TEXT(backend, "name"), device);
    print_settings(json_object_get(backend, "settings"));
}

static void print_text(const json_t *info) {
    size_t index;
    json_t *backend;
    printf("tarn %s\nback-ends of this build:\n", TEXT(info, "version"));
    json_array_foreach(json_object_get(info, "backends"), index, backend) print_backend(backend);
    printf("\nfeatures:\n");
#define FEATURE(BIT, name, text) printf("  %-13s %s\n", name, text);
    FEATURE_LIST(FEATURE)
#undef FEATURE
}

static int show_backends(const struct options *options, json_t *info) {
    json_t *backends = tn_member_list(info, "backends");
    tarn_status status = describe_backends(options, backends);
    if (status != TARN_OK) {
        (void)tn_complain("%s", tn_text_of(status));
        tn_member_set(info, "error", describe_error());
    }
    if (options->json) tn_result_print(json_incref(info));
    if (tn_result_shows_text() && status == TARN_OK) print_text(info);
    if (status == TARN_OK) return TN_EXIT_OK;
    bool name_is_wrong =
        status == TARN_BAD_CONFIG || status == TARN_BAD_DEVICE || status == TARN_UNSUPPORTED;
    return (int)(name_is_wrong ? TN_EXIT_BAD_INPUT : tn_exit_of(status, TN_EXIT_FAILED));
}

static int show_face(const struct options *options, json_t *info) {
    if (options->device != NULL && !tn_face_device_known(options->device, NULL))
        return TN_EXIT_BAD_INPUT;
    json_t *face = describe_face(options->face, options->device, options->level);
    tn_member_set(info, "face", face);
    json_t *error = json_object_get(face, "error");
    if (error != NULL) {
        (void)tn_complain("%s: %s: %s", options->face->name, TEXT(error, "status"),
                          TEXT(error, "message"));
        (void)json_object_set(info, "error", error);
    }
    if (options->json) tn_result_print(json_incref(info));
    if (tn_result_shows_text() && error == NULL) {
        printf("tarn %s as ", TEXT(info, "version"));
        print_face(face);
    }
    return error == NULL ? TN_EXIT_OK : TN_EXIT_FAILED;
}

static int show_quirks(const struct options *options, json_t *info) {
    json_t *list = tn_member_list(info, "quirks"), *quirk;
    size_t index;
#define ADD(id, name, kind, fallback, help)                                                        \
    tn_list_add(list, json_pack("{ss, ss, ss, ss}", "name", name, "value", #kind, "default",       \
                                fallback, "help", help));
    TN_QUIRKS(ADD)
    if (options->json) tn_result_print(json_incref(info));
    if (!tn_result_shows_text()) return TN_EXIT_OK;
    json_array_foreach(list, index, quirk) {
        const char *fallback = TEXT(quirk, "default");
        printf("%-14s %s%s%s%s\n", TEXT(quirk, "name"), TEXT(quirk, "help"),
               *fallback != '\0' ? " (" : "", fallback, *fallback != '\0' ? ")" : "");
    }
    return TN_EXIT_OK;
}

// ---- --machine

enum { MACHINE_USES = 16384 }; // more than a machine has

static int show_machine(const struct options *options, json_t *info) {
    size_t count = MACHINE_USES, index;
    json_t *list = tn_member_list(info, "uses"), *item;
    tarn_machine_use *uses = (tarn_machine_use *)calloc(count, sizeof *uses);
    tarn_status status =
        uses == NULL ? TARN_NO_HOST_MEMORY : tarn_machine_query(options->machine, uses, &count);
    for (size_t i = 0; status == TARN_OK && i < count && i < MACHINE_USES; i++) {
        json_t *use = json_pack("{si, si}", "pid", uses[i].pid, "device", uses[i].device);
        char program[4 * sizeof uses[i].program + 1];
        tn_printable_copy(uses[i].program, program, sizeof program);
        tn_member_text(use, "program", program);
        tn_member_number(use, "bytes", uses[i].bytes);
        tn_member_number(use, "capacity", uses[i].capacity);
        tn_list_add(list, use);
    }
    free(uses);
    if (status != TARN_OK) {
        (void)tn_complain("%s", tn_text_of(status));
        tn_member_set(info, "error", describe_error());
    }
    if (options->json) tn_result_print(json_incref(info));
    if (tn_result_shows_text() && status == TARN_OK) {
        printf("%-10s %-24s %-8s %12s %12s\n", "pid", "program", "device", "holds", "of");
        json_array_foreach(list, index, item)
            printf("%-10" PRIu64 " %-24s host:%-3" PRIu64 " %12s %12s\n", NUMBER(item, "pid"),
                   TEXT(item, "program"), NUMBER(item, "device"), bytes_of(item, "bytes"),
                   bytes_of(item, "capacity"));
    }
    if (status == TARN_OK) return TN_EXIT_OK;
    return status == TARN_BAD_CONFIG || status == TARN_BAD_DEVICE
               ? TN_EXIT_BAD_INPUT
               : (int)tn_exit_of(status, TN_EXIT_FAILED);
}

int tn_command_info(int argc, char **argv) {
    static const struct tn_command_line line = {.options = {rows, parse_info}, .doc = doc};
    struct options options = {.device = NULL};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    json_t *info = json_pack("{ss}", "version", tn_arguments_version());
    int exit_code = options.machine != NULL ? show_machine(&options, info)
                    : options.quirks        ? show_quirks(&options, info)
                    : options.face != NULL  ? show_face(&options, info)
                                            : show_backends(&options, info);
    json_decref(info);
    return exit_code;
}
