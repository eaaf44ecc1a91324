// SPDX-License-Identifier: Apache-2.0
// The driver's linker of device code. A link can be created, given inputs and destroyed; completing
// one fails, because no device runs device code. A link has no contents, so any thread may use it.
#include <stdlib.h>
#include <unistd.h>

#include <hip/detail/link.h>

#include "compat/hip/face.h"
#include "compat/hip/handle.h"

static void destroy_empty(struct tn_face_object *object) { free(object); }

struct tn_face_object *tn_hip_empty_new(enum tn_hip_kind kind) {
    struct tn_face_object *object = (struct tn_face_object *)calloc(1, sizeof *object);
    if (object != NULL && tn_face_handle_new(object, (int)kind, destroy_empty)) return object;
    free(object);
    return NULL;
}

static tn_rt_error check_options(unsigned count, const hipJitOption *options, void *const *values) {
    TN_RT_REFUSE(count != 0 && (options == NULL || values == NULL), TN_RT_INVALID_VALUE,
                 "%u options at %p, values at %p", count, (const void *)options,
                 (const void *)values);
    for (unsigned i = 0; i < count; i++) {
        if (options[i] < hipJitOptionIRtoISAOptExt) { // those of PTX
            return tn_rt_fail(TN_RT_INVALID_VALUE, "option %d is not for this linker",
                              (int)options[i]);
        }
        TN_RT_REFUSE(values[i] == NULL, TN_RT_INVALID_CONFIGURATION, "option %d has no value",
                     (int)options[i]);
    }
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLinkCreate, unsigned int, numOptions, hipJitOption *, options, void **,
                optionValues, hipLinkState_t *, stateOut) {
    TN_RT_TRY(tn_rt_check_pointer(stateOut, "stateOut"));
    TN_RT_TRY(check_options(numOptions, options, optionValues));
    struct tn_face_object *link = tn_hip_empty_new(TN_HIP_LINK);
    TN_RT_REFUSE(link == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a link");
    *stateOut = (hipLinkState_t)link->handle;
    return TN_RT_OK;
}

static tn_rt_error check_link(hipLinkState_t state, tn_rt_error unknown) {
    return tn_face_handle_live((uintptr_t)state, TN_HIP_LINK)
               ? TN_RT_OK
               : tn_rt_fail(unknown, "%p is not a link", (void *)state);
}

// Inputs for another device or from another compiler are refused.
static tn_rt_error check_type(hipJitInputType type) {
    return type == hipJitInputSpirv
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "inputs of type %d are not linked", (int)type);
}

static tn_rt_error add_data(hipLinkState_t state, hipJitInputType type, const void *data,
                            size_t size) {
    TN_RT_REFUSE(data == NULL || size == 0, TN_RT_INVALID_IMAGE, "%zu bytes at %p", size, data);
    TN_RT_TRY(check_type(type));
    return check_link(state, TN_RT_INVALID_HANDLE);
}

TN_HIP_ROW(hipLinkAddData, TN_FACE_EXPRESSION(add_data(state, type, data, size)), hipLinkState_t,
           state, hipJitInputType, type, void *, data, size_t, size, const char *, name,
           unsigned int, numOptions, hipJitOption *, options, void **, optionValues)

static tn_rt_error add_file(hipLinkState_t state, hipJitInputType type, const char *path) {
    TN_RT_REFUSE(state == NULL, TN_RT_INVALID_HANDLE, "state is NULL");
    TN_RT_TRY(check_type(type));
    TN_RT_TRY(check_link(state, TN_RT_INVALID_VALUE));
    return path != NULL && access(path, R_OK) == 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_CONFIGURATION, "%.200s cannot be read",
                            path != NULL ? path : "path NULL");
}

TN_HIP_ROW(hipLinkAddFile, TN_FACE_EXPRESSION(add_file(state, type, path)), hipLinkState_t, state,
           hipJitInputType, type, const char *, path, unsigned int, numOptions, hipJitOption *,
           options, void **, optionValues)

TN_HIP_FUNCTION(hipLinkComplete, hipLinkState_t, state, void **, hipBinOut, size_t *, sizeOut) {
    TN_RT_TRY(tn_rt_check_pointer(hipBinOut, "hipBinOut"));
    TN_RT_TRY(tn_rt_check_pointer(sizeOut, "sizeOut"));
    TN_RT_TRY(check_link(state, TN_RT_INVALID_VALUE));
    return tn_rt_fail(TN_RT_INVALID_CONFIGURATION,
                      "device code cannot be linked, because no device can run it");
}

TN_HIP_FUNCTION(hipLinkDestroy, hipLinkState_t, state) {
    return tn_face_handle_end((uintptr_t)state, TN_HIP_LINK)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not a link", (void *)state);
}
