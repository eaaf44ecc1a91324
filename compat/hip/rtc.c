// SPDX-License-Identifier: Apache-2.0
// hiprtc. Programs can be created and destroyed; compiling one fails and its log gives the reason.
#include <stdlib.h>
#include <string.h>

#include <hip/hiprtc.h>

#include "compat/hip/handle.h"

// The version that HIP returns for its compiler in all releases.
#define MAJOR 9
#define MINOR 0

static const char no_compile[] =
    "error: Tarn has no device that runs device code, and no compiler for it. Kernels can be "
    "compiled for the host, with <hip/hip_runtime.h> and an ordinary C++ compiler.\n";

struct program {
    struct tn_face_object object;
    _Atomic(bool) tried; // a compilation was tried
};

const char *hiprtcGetErrorString(hiprtcResult result) {
    switch (result) {
#define NAME(name, value)                                                                          \
    case name: return #name;
        HIPRTC_RESULT_LIST(NAME)
#undef NAME
    }
    return "Invalid HIPRTC error code";
}

hiprtcResult hiprtcVersion(int *major, int *minor) {
    if (major == NULL || minor == NULL) return HIPRTC_ERROR_INVALID_INPUT;
    *major = MAJOR;
    *minor = MINOR;
    return HIPRTC_SUCCESS;
}

static void destroy_program(struct tn_face_object *object) { free((struct program *)object); }

static struct program *get_program(hiprtcProgram handle) {
    return (struct program *)tn_face_handle_get((uintptr_t)handle, TN_HIP_PROGRAM);
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram *prog, const char *src, const char *name,
                                 int numHeaders, const char **headers, const char **includeNames) {
    (void)name;
    if (prog == NULL || src == NULL || numHeaders < 0 ||
        (numHeaders > 0 && (headers == NULL || includeNames == NULL)))
        return HIPRTC_ERROR_INVALID_INPUT;
    struct program *program = (struct program *)calloc(1, sizeof *program);
    if (program == NULL || !tn_face_handle_new(&program->object, TN_HIP_PROGRAM, destroy_program)) {
        free(program);
        return HIPRTC_ERROR_OUT_OF_MEMORY;
    }
    *prog = (hiprtcProgram)program->object.handle;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *prog) {
    if (prog == NULL) return HIPRTC_ERROR_INVALID_INPUT;
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)*prog, TN_HIP_PROGRAM);
    if (object == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    tn_face_object_put(object);
    *prog = NULL;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char **options) {
    struct program *program = get_program(prog);
    if (program == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    bool valid = numOptions == 0 || (numOptions > 0 && options != NULL);
    if (valid) program->tried = true;
    tn_face_object_put(&program->object);
    return valid ? HIPRTC_ERROR_COMPILATION : HIPRTC_ERROR_INVALID_INPUT;
}

// ---- queries

// Checks a query: `prog` is live and `output` is not NULL. *tried is set if a compilation was
// tried.
static hiprtcResult check_query(hiprtcProgram prog, const void *output, bool *tried) {
    struct program *program = get_program(prog);
    if (program == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    *tried = program->tried;
    tn_face_object_put(&program->object);
    return output != NULL ? HIPRTC_SUCCESS : HIPRTC_ERROR_INVALID_INPUT;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet) {
    bool tried = false;
    hiprtcResult result = check_query(prog, logSizeRet, &tried);
    if (result == HIPRTC_SUCCESS) *logSizeRet = tried ? sizeof no_compile : 1;
    return result;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log) {
    bool tried = false;
    hiprtcResult result = check_query(prog, log, &tried);
    if (result == HIPRTC_SUCCESS)
        memcpy(log, tried ? no_compile : "", tried ? sizeof no_compile : 1);
    return result;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet) {
    (void)prog;
    (void)codeSizeRet;
    return HIPRTC_ERROR_INVALID_PROGRAM;
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code) {
    (void)prog;
    (void)code;
    return HIPRTC_ERROR_INVALID_PROGRAM;
}

// The expression is not kept, because it matters only after a successful compilation.
hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression) {
    bool tried = false;
    hiprtcResult result = check_query(prog, name_expression, &tried);
    return result == HIPRTC_SUCCESS && tried ? HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
                                             : result;
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression,
                                  const char **lowered_name) {
    bool tried = false;
    hiprtcResult result = check_query(prog, name_expression != NULL ? lowered_name : NULL, &tried);
    return result == HIPRTC_SUCCESS ? HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION : result;
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode) {
    (void)prog;
    return bitcode != NULL ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size) {
    (void)prog;
    return bitcode_size != NULL ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
}
