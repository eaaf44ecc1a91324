// SPDX-License-Identifier: Apache-2.0
// What the AscendCL face says of itself, asked by the names that its library exports: this is what
// a program will see. One
// thread.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <acl/acl.h>

#include "faces.h"

#define CALL_LIST(X)                                                                               \
    X(aclrtGetDeviceCount)                                                                         \
    X(aclrtGetRunMode)                                                                             \
    X(aclrtSetDevice)                                                                              \
    X(aclrtResetDevice)                                                                            \
    X(aclGetRecentErrMsg)

struct calls {
#define FIELD(name) __typeof__(name) *name;
    CALL_LIST(FIELD)
#undef FIELD
};

// NULL, or the name that the library has not.
static const char *find_calls(void *library, struct calls *calls) {
    void *found;
#define FIND(name)                                                                                 \
    found = dlsym(library, #name);                                                                 \
    if (found == NULL)                                                                             \
        return #name;                                                                              \
    memcpy(&calls->name, &found, sizeof found);
    CALL_LIST(FIND)
#undef FIND
    return NULL;
}

static json_t *error_of(const struct calls *calls, aclError error) {
    char status[16];
    const char *text = calls->aclGetRecentErrMsg();
    (void)snprintf(status, sizeof status, "%d", error);
    return json_pack("{ss, ss}", "status", status, "message", text != NULL ? text : "");
}

static json_t *describe_device(const struct calls *calls, int ordinal) {
    aclError error = calls->aclrtSetDevice(ordinal);
    if (error != ACL_SUCCESS)
        return json_pack("{si, so}", "ordinal", ordinal, "error", error_of(calls, error));
    (void)calls->aclrtResetDevice(ordinal);
    return json_pack("{si}", "ordinal", ordinal);
}

static aclError describe_runtime(const struct calls *calls, json_t *face) {
    aclrtRunMode mode = ACL_HOST;
    aclError error = calls->aclrtGetRunMode(&mode);
    if (error == ACL_SUCCESS)
        (void)json_object_set_new(face, "mode", json_string(mode == ACL_HOST ? "EP" : "RC"));
    return error;
}

json_t *tn_face_describe_acl(void *library) {
    struct calls calls;
    uint32_t count = 0;
    const char *missing = find_calls(library, &calls);
    if (missing != NULL)
        return json_pack("{s{ss, ss+}}", "error", "status", "wrong library", "message",
                         "it has no ", missing);
    json_t *devices = json_array();
    json_t *face = json_pack("{so}", "devices", devices);
    aclError error = calls.aclrtGetDeviceCount(&count);
    if (error == ACL_SUCCESS)
        error = describe_runtime(&calls, face);
    if (error != ACL_SUCCESS)
        (void)json_object_set_new(face, "error", error_of(&calls, error));
    for (uint32_t i = 0; i < count; i++)
        (void)json_array_append_new(devices, describe_device(&calls, (int)i));
    return face;
}
