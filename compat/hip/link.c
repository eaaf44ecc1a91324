// SPDX-License-Identifier: Apache-2.0
// The driver's linker of device code. A link can be created, given inputs and destroyed; completing
// one fails, because no device runs device code. A link has no contents, so any thread may use it.
#include <stdlib.h>
#include <unistd.h>

#include <hip/detail/link.h>

#include "compat/hip/face.h"
#include "compat/hip/handle.h"

static void destroy_link(struct tn_face_object *object) {
    free(object);
}

static hipError_t check_options(unsigned count, const hipJitOption *options, void *const *values) {
    if (count != 0 && (options == NULL || values == NULL)) {
        return tn_hip_fail(hipErrorInvalidValue, "%u options at %p, values at %p", count,
                           (const void *)options, (const void *)values);
    }
    for (unsigned i = 0; i < count; i++) {
        if (options[i] < hipJitOptionIRtoISAOptExt) { // those of PTX
            return tn_hip_fail(hipErrorInvalidValue, "option %d is not for this linker",
                               (int)options[i]);
        }
        if (values[i] == NULL) {
            return tn_hip_fail(hipErrorInvalidConfiguration, "option %d has no value",
                               (int)options[i]);
        }
    }
    return hipSuccess;
}

static hipError_t create_link(unsigned count, const hipJitOption *options, void *const *values,
                              hipLinkState_t *out) {
    TN_HIP_TRY(tn_hip_check_pointer(out, "stateOut"));
    TN_HIP_TRY(check_options(count, options, values));
    struct tn_face_object *link = (struct tn_face_object *)calloc(1, sizeof *link);
    if (link == NULL || !tn_face_handle_new(link, TN_HIP_LINK, destroy_link)) {
        free(link);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a link");
    }
    *out = (hipLinkState_t)link->handle;
    return hipSuccess;
}

hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption *options, void **optionValues,
                         hipLinkState_t *stateOut) {
    return TN_HIP_CALL(create_link(numOptions, options, optionValues, stateOut));
}

static hipError_t check_link(hipLinkState_t state, hipError_t unknown) {
    return tn_face_handle_live((uintptr_t)state, TN_HIP_LINK)
               ? hipSuccess
               : tn_hip_fail(unknown, "%p is not a link", (void *)state);
}

// Inputs for another device or from another compiler are refused.
static hipError_t check_type(hipJitInputType type) {
    return type == hipJitInputSpirv
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "inputs of type %d are not linked", (int)type);
}

static hipError_t add_data(hipLinkState_t state, hipJitInputType type, const void *data,
                           size_t size) {
    if (data == NULL || size == 0) {
        return tn_hip_fail(hipErrorInvalidImage, "%zu bytes at %p", size, data);
    }
    TN_HIP_TRY(check_type(type));
    return check_link(state, hipErrorInvalidHandle);
}

hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size,
                          const char *name, unsigned int numOptions, hipJitOption *options,
                          void **optionValues) {
    (void)name, (void)numOptions, (void)options, (void)optionValues;
    return TN_HIP_CALL(add_data(state, type, data, size));
}

static hipError_t add_file(hipLinkState_t state, hipJitInputType type, const char *path) {
    if (state == NULL) {
        return tn_hip_fail(hipErrorInvalidHandle, "state is NULL");
    }
    TN_HIP_TRY(check_type(type));
    TN_HIP_TRY(check_link(state, hipErrorInvalidValue));
    return path != NULL && access(path, R_OK) == 0
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidConfiguration, "%.200s cannot be read",
                             path != NULL ? path : "path NULL");
}

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path,
                          unsigned int numOptions, hipJitOption *options, void **optionValues) {
    (void)numOptions, (void)options, (void)optionValues;
    return TN_HIP_CALL(add_file(state, type, path));
}

static hipError_t complete_link(hipLinkState_t state, void *const *binary, const size_t *size) {
    TN_HIP_TRY(tn_hip_check_pointer(binary, "hipBinOut"));
    TN_HIP_TRY(tn_hip_check_pointer(size, "sizeOut"));
    TN_HIP_TRY(check_link(state, hipErrorInvalidValue));
    return tn_hip_fail(hipErrorInvalidConfiguration,
                       "device code cannot be linked, because no device can run it");
}

hipError_t hipLinkComplete(hipLinkState_t state, void **hipBinOut, size_t *sizeOut) {
    return TN_HIP_CALL(complete_link(state, hipBinOut, sizeOut));
}

static hipError_t end_link(hipLinkState_t state) {
    return tn_face_handle_end((uintptr_t)state, TN_HIP_LINK)
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "%p is not a link", (void *)state);
}

hipError_t hipLinkDestroy(hipLinkState_t state) {
    return TN_HIP_CALL(end_link(state));
}
