// SPDX-License-Identifier: Apache-2.0
// See error.h. Also the public functions about errors: names, texts, and the thread's last error.
#include "compat/hip/error.h"

#include <stdarg.h>
#include <stdio.h>

#include <hip/detail/errors.h>

#include "compat/face/text.h"

static _Thread_local hipError_t last_error;
static _Thread_local bool unkept; // the failure of the running call is not kept
// Set while the devices are opened:
static bool log_is_on;
static bool keeps_every_result;

void tn_hip_set_log(bool on) {
    log_is_on = on;
}

void tn_hip_keep_every_result(bool on) {
    keeps_every_result = on;
}

const char *tn_hip_text(void) {
    const char *room = tn_face_text_room();
    return room != NULL ? room : "";
}

hipError_t tn_hip_fail(hipError_t error, const char *format, ...) {
    char *room = tn_face_text_room();
    if (room != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(room, TN_HIP_TEXT, format, arguments);
        va_end(arguments);
    }
    return error;
}

hipError_t tn_hip_check_pointer(const void *pointer, const char *name) {
    return pointer != NULL ? hipSuccess : tn_hip_fail(hipErrorInvalidValue, "%s is NULL", name);
}

static hipError_t code_of(tarn_status status) {
    switch (status) {
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS:
        return hipErrorOutOfMemory;
    case TARN_BAD_HANDLE:
        return hipErrorInvalidHandle;
    case TARN_BAD_DEVICE:
        return hipErrorInvalidDevice;
    case TARN_UNSUPPORTED:
        return hipErrorNotSupported;
    case TARN_DEVICE_FAULT:
        return hipErrorIllegalAddress;
    case TARN_SYSTEM:
        return hipErrorOperatingSystem;
    case TARN_CORRUPT:
    case TARN_NATIVE:
    case TARN_TIMED_OUT:
    case TARN_BAD_CONFIG:
        return hipErrorUnknown;
    default:
        return hipErrorInvalidValue;
    }
}

hipError_t tn_hip_from(tarn_status status) {
    if (status == TARN_OK || status == TARN_NOT_READY) {
        return status == TARN_OK ? hipSuccess : hipErrorNotReady;
    }
    tarn_error last;
    (void)tarn_last_error(&last);
    return tn_hip_fail(code_of(status), "%s", last.message);
}

hipError_t tn_hip_translate(tarn_status status, hipError_t error) {
    hipError_t plain = tn_hip_from(status);
    return plain == hipSuccess || plain == hipErrorOutOfMemory || plain == hipErrorNotSupported
               ? plain
               : error;
}

hipError_t tn_hip_fault(const char *function) {
    static const struct tn_face_code codes[] = {
#define CODE(name, value, text) {#name, value},
        HIP_ERROR_LIST(CODE)
#undef CODE
    };
    int code = 0;
    tarn_status status = tn_face_fault(function, codes, sizeof codes / sizeof codes[0], &code);
    hipError_t error = tn_hip_from(status);
    return code != 0 ? (hipError_t)code : error;
}

hipError_t tn_hip_unkept(hipError_t error) {
    unkept = error != hipSuccess && keeps_every_result;
    return error;
}

hipError_t tn_hip_leave(hipError_t error, const char *function) {
    if (__builtin_expect(error == hipSuccess || error == hipErrorNotReady, 1)) {
        if (keeps_every_result) {
            last_error = error;
        }
        return error;
    }
    if (!unkept) {
        last_error = error;
    }
    unkept = false;
    if (log_is_on) {
        const char *text = tn_hip_text();
        fprintf(stderr, "tarn: %s: %s: %s\n", function, hipGetErrorName(error),
                text[0] != '\0' ? text : hipGetErrorString(error));
    }
    return error;
}

// ---- HIP's functions

// NULL for a number that is not an error code.
static const char *name_of(hipError_t error) {
    switch (error) {
#define NAME(name, value, text)                                                                    \
    case name:                                                                                     \
        return #name;
        HIP_ERROR_LIST(NAME)
#undef NAME
    }
    return NULL;
}

static const char *text_of(hipError_t error) {
    switch (error) {
#define TEXT(name, value, text)                                                                    \
    case name:                                                                                     \
        return text;
        HIP_ERROR_LIST(TEXT)
#undef TEXT
    }
    return NULL;
}

const char *hipGetErrorName(hipError_t error) {
    const char *name = name_of(error);
    return name != NULL ? name : "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error) {
    const char *text = text_of(error);
    return text != NULL ? text : "unknown error";
}

static hipError_t get_text(const char *found, hipError_t error, const char **out) {
    TN_HIP_TRY(tn_hip_check_pointer(out, "the output"));
    *out = found;
    return found != NULL ? hipSuccess
                         : tn_hip_fail(hipErrorInvalidValue, "%d is not an error code", (int)error);
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **text) {
    return tn_hip_leave(get_text(name_of(error), error, text), __func__);
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
    return tn_hip_leave(get_text(text_of(error), error, text), __func__);
}

hipError_t hipPeekAtLastError(void) {
    return last_error;
}

hipError_t hipGetLastError(void) {
    hipError_t last = last_error;
    last_error = hipSuccess;
    return last;
}

hipError_t hipExtGetLastError(void) {
    return hipGetLastError();
}

const char *hipExtGetLastErrorText(void) {
    return tn_hip_text();
}
