// SPDX-License-Identifier: Apache-2.0
// See error.h. Also the public functions about errors: names, texts, and the thread's last error.
#include "compat/cuda/error.h"

#include <string.h>

#include "compat/cuda/face.h"
#include "compat/runtime/policy.h"

#define DRIVER_CODE(driver, runtime, value, text)  DRIVER_ONLY(driver, value, text)
#define DRIVER_ONLY(driver, value, text)           {"CUDA_ERROR_" #driver, value, text},
#define RUNTIME_CODE(driver, runtime, value, text) RUNTIME_ONLY(runtime, value, text)
#define RUNTIME_ONLY(runtime, value, text)         {"cudaError" #runtime, value, text},

static const struct tn_face_code driver_codes[] = {{"CUDA_SUCCESS", 0, "no error"},
                                                   CUDA_ERROR_LIST(DRIVER_CODE)
                                                       CUDA_DRIVER_ERROR_LIST(DRIVER_ONLY)};
static const struct tn_face_code runtime_codes[] = {{"cudaSuccess", 0, "no error"},
                                                    CUDA_ERROR_LIST(RUNTIME_CODE)
                                                        CUDA_RUNTIME_ERROR_LIST(RUNTIME_ONLY)};
#define COUNT(codes) (sizeof(codes) / sizeof(codes)[0])

static const struct tn_face_code *codes_of(const char *function, size_t *count) {
    bool is_driver = strncmp(function, "cu", 2) == 0 && strncmp(function, "cuda", 4) != 0;
    *count = is_driver ? COUNT(driver_codes) : COUNT(runtime_codes);
    return is_driver ? driver_codes : runtime_codes;
}

void tn_cu_set_codes(struct tn_rt_policy *policy) {
    policy->base.codes = runtime_codes;
    policy->base.code_count = COUNT(runtime_codes);
    policy->base.codes_of = codes_of;
}

tn_rt_error tn_cu_inject(const char *function) {
    return tn_rt_inject(function, driver_codes, COUNT(driver_codes));
}

tn_rt_error tn_cudart_inject(const char *function) {
    return tn_rt_inject(function, runtime_codes, COUNT(runtime_codes));
}

// ---- names and texts

static CUresult get_text(CUresult error, const char **text, bool name) {
    const struct tn_face_code *code =
        tn_rt_find_code(driver_codes, COUNT(driver_codes), (int)error);
    if (text == NULL) return CUDA_ERROR_INVALID_VALUE;
    *text = code == NULL ? NULL : name ? code->name : code->text;
    return code != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **text) { return get_text(error, text, true); }

CUresult cuGetErrorString(CUresult error, const char **text) {
    return get_text(error, text, false);
}

static const struct tn_face_code *code_of(cudaError_t error) {
    static const struct tn_face_code unknown = {"unrecognized error code", 0,
                                                "unrecognized error code"};
    const struct tn_face_code *code =
        tn_rt_find_code(runtime_codes, COUNT(runtime_codes), (int)error);
    return code != NULL ? code : &unknown;
}

TN_CUDART_PLAIN(const char *, cudaGetErrorName, cudaError_t, error) { return code_of(error)->name; }

TN_CUDART_PLAIN(const char *, cudaGetErrorString, cudaError_t, error) {
    return code_of(error)->text;
}

// ---- the last error

TN_CUDART_PLAIN(cudaError_t, cudaPeekAtLastError, void, ) {
    return (cudaError_t)tn_rt_last_error();
}

TN_CUDART_PLAIN(cudaError_t, cudaGetLastError, void, ) {
    return (cudaError_t)tn_rt_take_last_error();
}
