// SPDX-License-Identifier: Apache-2.0
// Describes the HiAI face through the functions that its library exports, so that the result is the
// same as for a program. Its devices have no memory of their own. One thread.
#include <hiaiengine/hiaix.h>

#include "tools/launch/faces.h"
#include "tools/result.h"

#define CALL_LIST(X)                                                                               \
    X(HIAI_GetAPIVersion)                                                                          \
    X(HIAI_GetDeviceNum)                                                                           \
    X(HIAIX_StatusStr)                                                                             \
    X(HIAIX_GetLastErrorText)

TN_FACE_CALLS(CALL_LIST)

json_t *tn_face_describe_hiai(void *library) {
    struct calls calls;
    uint32_t count = 0;
    char version[16];
    const char *missing = find_calls(library, &calls);
    if (missing != NULL) return TN_FACE_LACKS(missing);
    json_t *devices = json_array();
    (void)snprintf(version, sizeof version, "%d", (int)calls.HIAI_GetAPIVersion());
    json_t *face = json_pack("{ss, so}", "api_version", version, "devices", devices);
    HIAI_StatusT status = calls.HIAI_GetDeviceNum(&count);
    if (status != HIAI_OK)
        tn_member_set(face, "error",
                      json_pack("{ss, ss}", "status", calls.HIAIX_StatusStr(status), "message",
                                calls.HIAIX_GetLastErrorText()));
    for (uint32_t i = 0; i < count; i++)
        tn_list_add(devices,
                    json_pack("{si, ss}", "ordinal", (int)i, "name", "a process of this machine"));
    return face;
}

bool tn_face_has_error_hiai(const char *text) {
#define MATCHES(name, number)                                                                      \
    if (name != HIAI_OK && tn_face_error_matches(text, #name, (long)(name))) return true;
    HIAIX_STATUS_LIST(MATCHES)
    return false;
}
