// SPDX-License-Identifier: Apache-2.0
// Describes the CUDA face through the functions of the driver that its libraries export, so that the
// result is the same as for a program. The runtime's libraries also have the version of the runtime.
// One thread.
#include <cuda.h>

#include "tools/launch/faces.h"
#include "tools/result.h"

#define CALL_LIST(X)                                                                               \
    X(cuInit)                                                                                      \
    X(cuDriverGetVersion)                                                                          \
    X(cuDeviceGetCount)                                                                            \
    X(cuDeviceGetName)                                                                             \
    X(cuDeviceGetAttribute)                                                                        \
    X(cuMemGetAllocationGranularity)                                                               \
    X(cuGetErrorName)                                                                              \
    X(cuGetErrorString)

// The names that headers turn into others.
#define TOTAL_MEMORY "cuDeviceTotalMem_v2"

TN_FACE_CALLS(CALL_LIST)

static json_t *error_of(const struct calls *calls, CUresult error) {
    const char *name = NULL, *text = NULL;
    (void)calls->cuGetErrorName(error, &name);
    (void)calls->cuGetErrorString(error, &text);
    return json_pack("{ss, ss}", "status", name != NULL ? name : "", "message",
                     text != NULL ? text : "");
}

static json_t *describe_device(const struct calls *calls, void *library, int ordinal) {
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ordinal}};
    void *found = dlsym(library, TOTAL_MEMORY);
    CUresult (*total)(size_t *, CUdevice);
    char name[256];
    size_t memory = 0, minimum = 0, recommended = 0;
    int vmm = 0, sparse = 0;
    CUresult error = CUDA_ERROR_NOT_FOUND;
    memcpy(&total, &found, sizeof total);
    if (found == NULL || (error = calls->cuDeviceGetName(name, (int)sizeof name, ordinal)) != 0 ||
        (error = total(&memory, ordinal)) != 0 ||
        (error = calls->cuDeviceGetAttribute(
             &vmm, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, ordinal)) != 0 ||
        (error = calls->cuDeviceGetAttribute(
             &sparse, CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, ordinal)) != 0 ||
        (vmm && ((error = calls->cuMemGetAllocationGranularity(
                      &minimum, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM)) != 0 ||
                 (error = calls->cuMemGetAllocationGranularity(
                      &recommended, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)) != 0)))
        return json_pack("{si, so}", "ordinal", ordinal, "error", error_of(calls, error));
    return json_pack("{si, ss, sI, sI, sI, sb, sb}", "ordinal", ordinal, "name", name,
                     "memory_bytes", (json_int_t)memory, "granularity_minimum", (json_int_t)minimum,
                     "granularity_recommended", (json_int_t)recommended,
                     "virtual_memory_management", vmm, "sparse_arrays", sparse);
}

json_t *tn_face_describe_cuda(void *library) {
    struct calls calls;
    int driver = 0, runtime = 0, count = 0;
    const char *missing = find_calls(library, &calls);
    if (missing != NULL) return TN_FACE_LACKS(missing);
    (void)calls.cuDriverGetVersion(&driver);
    json_t *devices = json_array();
    json_t *face = json_pack("{si, so}", "driver_version", driver, "devices", devices);
    void *found = dlsym(library, "cudaRuntimeGetVersion");
    cudaError_t (*get_version)(int *);
    memcpy(&get_version, &found, sizeof get_version);
    if (found != NULL && get_version(&runtime) == cudaSuccess)
        tn_member_set(face, "runtime_version", json_integer(runtime));
    CUresult error = calls.cuInit(0);
    if (error == CUDA_SUCCESS) error = calls.cuDeviceGetCount(&count);
    if (error != CUDA_SUCCESS) tn_member_set(face, "error", error_of(&calls, error));
    for (int i = 0; i < count; i++) tn_list_add(devices, describe_device(&calls, library, i));
    return face;
}

bool tn_face_has_error_cuda(const char *text) {
#define MATCHES(driver, runtime, value, description)                                               \
    if (tn_face_error_matches(text, "CUDA_ERROR_" #driver, value) ||                               \
        tn_face_error_matches(text, "cudaError" #runtime, value))                                  \
        return true;
    CUDA_ERROR_LIST(MATCHES)
    return false;
}
