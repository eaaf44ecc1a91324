// SPDX-License-Identifier: Apache-2.0
// Describes the HIP face through the functions that its library exports, so that the result is the
// same as for a program. One thread.

#include <hip/hip_runtime_api.h>

#include "tools/launch/faces.h"
#include "tools/result.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const char tn_face_hip_release[] =
    TEXT(HIP_VERSION_MAJOR) "." TEXT(HIP_VERSION_MINOR) "." TEXT(HIP_VERSION_PATCH);

#define CALL_LIST(X)                                                                               \
    X(hipDriverGetVersion)                                                                         \
    X(hipRuntimeGetVersion)                                                                        \
    X(hipGetDeviceCount)                                                                           \
    X(hipDeviceGetName)                                                                            \
    X(hipDeviceTotalMem)                                                                           \
    X(hipDeviceGetAttribute)                                                                       \
    X(hipGetDevicePropertiesR0600)                                                                 \
    X(hipMemGetAllocationGranularity)                                                              \
    X(hipCtxGetApiVersion)                                                                         \
    X(hipGetErrorName)                                                                             \
    X(hipExtGetLastErrorText)

TN_FACE_CALLS(CALL_LIST)

static json_t *error_of(const struct calls *calls, hipError_t error) {
    return json_pack("{ss, ss}", "status", calls->hipGetErrorName(error), "message",
                     calls->hipExtGetLastErrorText());
}

static json_t *describe_device(const struct calls *calls, int ordinal) {
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, ordinal}};
    hipDeviceProp_tR0600 all;
    char name[256];
    size_t memory, minimum = 0, recommended = 0;
    int vmm;
    hipError_t error;
    if ((error = calls->hipDeviceGetName(name, (int)sizeof name, ordinal)) != hipSuccess ||
        (error = calls->hipDeviceTotalMem(&memory, ordinal)) != hipSuccess ||
        (error = calls->hipDeviceGetAttribute(
             &vmm, hipDeviceAttributeVirtualMemoryManagementSupported, ordinal)) != hipSuccess ||
        (error = calls->hipGetDevicePropertiesR0600(&all, ordinal)) != hipSuccess ||
        (vmm && ((error = calls->hipMemGetAllocationGranularity(
                      &minimum, &prop, hipMemAllocationGranularityMinimum)) != hipSuccess ||
                 (error = calls->hipMemGetAllocationGranularity(
                      &recommended, &prop, hipMemAllocationGranularityRecommended)) != hipSuccess)))
        return json_pack("{si, so}", "ordinal", ordinal, "error", error_of(calls, error));
    return json_pack("{si, ss, sI, sI, sI, sb, sb}", "ordinal", ordinal, "name", name,
                     "memory_bytes", (json_int_t)memory, "granularity_minimum", (json_int_t)minimum,
                     "granularity_recommended", (json_int_t)recommended,
                     "virtual_memory_management", vmm, "sparse_arrays",
                     all.sparseHipArraySupported);
}

json_t *tn_face_describe_hip(void *library) {
    struct calls calls;
    int driver = 0, runtime = 0, count = 0, version = 0;
    const char *missing = find_calls(library, &calls);
    if (missing != NULL) return TN_FACE_LACKS(missing);
    (void)calls.hipDriverGetVersion(&driver);
    (void)calls.hipRuntimeGetVersion(&runtime);
    json_t *devices = json_array();
    json_t *face = json_pack("{si, si, so}", "runtime_version", runtime, "driver_version", driver,
                             "devices", devices);
    hipError_t error = calls.hipGetDeviceCount(&count);
    if (error != hipSuccess)
        tn_member_set(face, "error", error_of(&calls, error));
    else // release 6 has no version of a context
        tn_member_set(face, "compat",
                      json_integer(calls.hipCtxGetApiVersion(NULL, &version) == hipErrorNotSupported
                                       ? 6
                                       : 7));
    for (int i = 0; i < count; i++) tn_list_add(devices, describe_device(&calls, i));
    return face;
}

bool tn_face_has_error_hip(const char *text) {
#define MATCHES(name, value, description)                                                          \
    if (value != 0 && tn_face_error_matches(text, #name, value)) return true;
    HIP_ERROR_LIST(MATCHES)
    return false;
}
