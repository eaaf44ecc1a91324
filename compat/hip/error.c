// SPDX-License-Identifier: Apache-2.0
// See error.h. Also the public functions about errors: names, texts, and the thread's last error.
#include "compat/hip/error.h"
#include "compat/hip/face.h"

#include "compat/runtime/policy.h"

static const struct tn_face_code codes[] = {
#define CODE(name, value, text) {#name, value, text},
    HIP_ERROR_LIST(CODE)
#undef CODE
};
#define CODE_COUNT (sizeof codes / sizeof codes[0])

void tn_hip_set_codes(struct tn_rt_policy *policy) {
    policy->codes = codes;
    policy->code_count = CODE_COUNT;
}

tn_rt_error tn_hip_inject(const char *function) {
    return tn_rt_inject(function, codes, CODE_COUNT);
}

// NULL for a number that is not an error code.
static const struct tn_face_code *find_code(hipError_t error) {
    return tn_rt_find_code(codes, CODE_COUNT, (int)error);
}

const char *hipGetErrorName(hipError_t error) {
    const struct tn_face_code *code = find_code(error);
    return code != NULL ? code->name : "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error) {
    const struct tn_face_code *code = find_code(error);
    return code != NULL ? code->text : "unknown error";
}

// Returns the code, or refuses the error and writes NULL to the output.
static tn_rt_error get_code(hipError_t error, const char **out, const struct tn_face_code **code) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    *out = NULL;
    *code = find_code(error);
    return *code != NULL ? TN_RT_OK
                         : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an error code", (int)error);
}

static tn_rt_error get_name(hipError_t error, const char **name) {
    const struct tn_face_code *code = NULL;
    TN_RT_TRY(get_code(error, name, &code));
    *name = code->name;
    return TN_RT_OK;
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **text) {
    return tn_hip_leave(get_name(error, text), __func__);
}

static tn_rt_error get_text(hipError_t error, const char **text) {
    const struct tn_face_code *code = NULL;
    TN_RT_TRY(get_code(error, text, &code));
    *text = code->text;
    return TN_RT_OK;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
    return tn_hip_leave(get_text(error, text), __func__);
}

hipError_t hipPeekAtLastError(void) { return (hipError_t)tn_rt_last_error(); }

hipError_t hipGetLastError(void) { return (hipError_t)tn_rt_take_last_error(); }

hipError_t hipExtGetLastError(void) { return (hipError_t)tn_rt_take_last_result(); }

const char *hipExtGetLastErrorText(void) { return tn_rt_text(); }
