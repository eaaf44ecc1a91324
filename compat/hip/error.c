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

// Debuggers stop here.
__attribute__((noinline)) void __hipOnError(void *info) { __asm__ volatile("" : : "r"(info)); }

static void report_error(tn_rt_error error) {
    struct {
        hipError_t error;
        const char *name;
        const char *text;
    } info = {(hipError_t)error, hipGetErrorName((hipError_t)error),
              hipGetErrorString((hipError_t)error)};
    __hipOnError(&info);
}

void tn_hip_set_codes(struct tn_rt_policy *policy) {
    policy->base.on_error = report_error;
    policy->base.codes = codes;
    policy->base.code_count = CODE_COUNT;
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

// Writes NULL if it fails.
static tn_rt_error get_text(hipError_t error, const char **text, bool name) {
    const struct tn_face_code *code = find_code(error);
    TN_RT_TRY(tn_rt_check_pointer(text, "the output"));
    *text = code == NULL ? NULL : name ? code->name : code->text;
    TN_RT_REFUSE(code == NULL, TN_RT_INVALID_VALUE, "%d is not an error code", (int)error);
    return TN_RT_OK;
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **text) {
    return tn_hip_leave(get_text(error, text, true), __func__);
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
    return tn_hip_leave(get_text(error, text, false), __func__);
}

hipError_t hipPeekAtLastError(void) { return (hipError_t)tn_rt_last_error(); }

hipError_t hipGetLastError(void) { return (hipError_t)tn_rt_take_last_error(); }

hipError_t hipExtGetLastError(void) { return (hipError_t)tn_rt_take_last_result(); }

const char *hipExtGetLastErrorText(void) { return tn_rt_text(); }
