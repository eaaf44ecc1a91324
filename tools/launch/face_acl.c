// SPDX-License-Identifier: Apache-2.0
// Describes the AscendCL face through the functions that its library exports, so that the result is
// the same as for a program. No function reports the generation and the padding of allocations.
// Both are derived, as programs do, from the version of the API and the name of the chip. One
// thread.
#include <acl/acl.h>

#include "tools/launch/faces.h"
#include "tools/result.h"

#define CALL_LIST(X)                                                                               \
    X(aclrtGetDeviceCount)                                                                         \
    X(aclrtGetRunMode)                                                                             \
    X(aclrtGetVersion)                                                                             \
    X(aclrtGetSocName)                                                                             \
    X(aclrtSetDevice)                                                                              \
    X(aclrtResetDevice)                                                                            \
    X(aclrtGetMemInfo)                                                                             \
    X(aclGetRecentErrMsg)

TN_FACE_CALLS(CALL_LIST)

static json_t *error_of(const struct calls *calls, aclError error) {
    char status[16];
    const char *text = calls->aclGetRecentErrMsg();
    (void)snprintf(status, sizeof status, "%d", error);
    return json_pack("{ss, ss}", "status", status, "message", text != NULL ? text : "");
}

static json_t *describe_device(const struct calls *calls, int ordinal) {
    size_t left = 0, all = 0;
    aclError error = calls->aclrtSetDevice(ordinal);
    if (error != ACL_SUCCESS)
        return json_pack("{si, so}", "ordinal", ordinal, "error", error_of(calls, error));
    error = calls->aclrtGetMemInfo(ACL_HBM_MEM, &left, &all);
    json_t *device =
        error == ACL_SUCCESS
            ? json_pack("{si, ss, sI, sI}", "ordinal", ordinal, "name", calls->aclrtGetSocName(),
                        "memory_bytes", (json_int_t)all, "memory_free_bytes", (json_int_t)left)
            : json_pack("{si, so}", "ordinal", ordinal, "error", error_of(calls, error));
    (void)calls->aclrtResetDevice(ordinal);
    return device;
}

static aclError describe_runtime(const struct calls *calls, json_t *face) {
    int32_t major = 0, minor = 0, patch = 0;
    aclrtRunMode mode = ACL_HOST;
    aclError error = calls->aclrtGetVersion(&major, &minor, &patch);
    if (error == ACL_SUCCESS) error = calls->aclrtGetRunMode(&mode);
    const char *soc = error == ACL_SUCCESS ? calls->aclrtGetSocName() : NULL;
    if (soc == NULL) return error;
    char version[48];
    (void)snprintf(version, sizeof version, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    json_t *more =
        json_pack("{ss, ss, ss, si, si}", "api_version", version, "soc", soc, "mode",
                  mode == ACL_HOST ? "EP" : "RC", "generation", major > 1 || minor > 13 ? 2 : 1,
                  "padding", strncmp(soc, "Ascend950", 9) == 0 ? 0 : 32);
    (void)json_object_update(face, more);
    json_decref(more);
    return ACL_SUCCESS;
}

json_t *tn_face_describe_acl(void *library) {
    struct calls calls;
    uint32_t count = 0;
    const char *missing = find_calls(library, &calls);
    if (missing != NULL) return TN_FACE_LACKS(missing);
    json_t *devices = json_array();
    json_t *face = json_pack("{so}", "devices", devices);
    aclError error = calls.aclrtGetDeviceCount(&count);
    if (error == ACL_SUCCESS) error = describe_runtime(&calls, face);
    if (error != ACL_SUCCESS) tn_member_set(face, "error", error_of(&calls, error));
    for (uint32_t i = 0; i < count; i++) tn_list_add(devices, describe_device(&calls, (int)i));
    return face;
}

bool tn_face_has_error_acl(const char *text) {
#define MATCHES(name, value, description)                                                          \
    if (value != 0 && tn_face_error_matches(text, "ACL_ERROR_" #name, value)) return true;
    ACL_ERROR_LIST(MATCHES)
    return false;
}
