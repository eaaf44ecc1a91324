// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors, and what a thread's last error was.
#include <hip/detail/errors.h>

#include "compat/hip/face.h"

const char *hipGetErrorName(hipError_t error) {
    switch (error) {
#define NAME(name, value, text)                                                                    \
    case name:                                                                                     \
        return #name;
        HIP_ERROR_LIST(NAME)
#undef NAME
    }
    return "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error) {
    switch (error) {
#define TEXT(name, value, text)                                                                    \
    case name:                                                                                     \
        return text;
        HIP_ERROR_LIST(TEXT)
#undef TEXT
    }
    return "unknown error";
}

static bool is_error(hipError_t error) {
    switch (error) {
#define KNOWN(name, value, text) case name:
        HIP_ERROR_LIST(KNOWN)
#undef KNOWN
        return true;
    }
    return false;
}

static hipError_t tell(const char *(*say)(hipError_t), hipError_t error, const char **text) {
    if (text == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the text shall go is NULL");
    }
    bool known = is_error(error);
    *text = known ? say(error) : NULL;
    return known ? hipSuccess : tn_hip_fail(hipErrorInvalidValue, "%d is no error", (int)error);
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **text) {
    return tn_hip_leave(tell(hipGetErrorName, error, text), __func__);
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
    return tn_hip_leave(tell(hipGetErrorString, error, text), __func__);
}

hipError_t hipPeekAtLastError(void) {
    return tn_hip_self()->last;
}

hipError_t hipGetLastError(void) {
    struct tn_hip_thread *self = tn_hip_self();
    hipError_t last = self->last;
    self->last = hipSuccess;
    return last;
}

hipError_t hipExtGetLastError(void) {
    return hipGetLastError();
}
