/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hiprtc.h - compilation of kernels at run time, by `tarn hipcc`. It is found beside the library, in
 * PATH, or by the environment variable TARN_HIPCC, and needs a C++ compiler.
 *
 * Handles are opaque numbers; a stale handle is HIPRTC_ERROR_INVALID_PROGRAM. Every function may be
 * called from any thread, and works without a device.
 */
#ifndef HIP_HIPRTC_H
#define HIP_HIPRTC_H

#include <stddef.h>

/* The results: X(name, value). The enum and hiprtcGetErrorString() come from this list. */
#define HIPRTC_RESULT_LIST(X)                                                                      \
    X(HIPRTC_SUCCESS, 0)                                                                           \
    X(HIPRTC_ERROR_OUT_OF_MEMORY, 1)                                                               \
    X(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE, 2)                                                    \
    X(HIPRTC_ERROR_INVALID_INPUT, 3)                                                               \
    X(HIPRTC_ERROR_INVALID_PROGRAM, 4)                                                             \
    X(HIPRTC_ERROR_INVALID_OPTION, 5)                                                              \
    X(HIPRTC_ERROR_COMPILATION, 6)                                                                 \
    X(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7)                                                   \
    X(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8)                                       \
    X(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9)                                         \
    X(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10)                                                  \
    X(HIPRTC_ERROR_INTERNAL_ERROR, 11)                                                             \
    X(HIPRTC_ERROR_LINKING, 100)

typedef enum hiprtcResult {
#define HIPRTC_RESULT_ENUM(name, value) name = value,
    HIPRTC_RESULT_LIST(HIPRTC_RESULT_ENUM)
#undef HIPRTC_RESULT_ENUM
} hiprtcResult;

typedef struct _hiprtcProgram *hiprtcProgram;
typedef struct ihiprtcLinkState *hiprtcLinkState;

typedef enum hiprtcJIT_option {
    HIPRTC_JIT_MAX_REGISTERS = 0,
    HIPRTC_JIT_THREADS_PER_BLOCK = 1,
    HIPRTC_JIT_WALL_TIME = 2,
    HIPRTC_JIT_INFO_LOG_BUFFER = 3,
    HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    HIPRTC_JIT_ERROR_LOG_BUFFER = 5,
    HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    HIPRTC_JIT_OPTIMIZATION_LEVEL = 7
} hiprtcJIT_option;

typedef enum hiprtcJITInputType {
    HIPRTC_JIT_INPUT_CUBIN = 0,
    HIPRTC_JIT_INPUT_PTX = 1,
    HIPRTC_JIT_INPUT_FATBINARY = 2,
    HIPRTC_JIT_INPUT_OBJECT = 3,
    HIPRTC_JIT_INPUT_LIBRARY = 4,
    HIPRTC_JIT_INPUT_NVVM = 5,
    HIPRTC_JIT_INPUT_LLVM_BITCODE = 100,
    HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE = 101,
    HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE = 102
} hiprtcJITInputType;

#ifdef __cplusplus
extern "C" {
#endif

#define HIPRTC_API __attribute__((visibility("default")))

/* The name of a result, a static string. For an unknown number, a text that states so. */
HIPRTC_API const char *hiprtcGetErrorString(hiprtcResult result);

/* The version, 9.0 as in HIP. HIPRTC_ERROR_INVALID_INPUT: NULL. */
HIPRTC_API hiprtcResult hiprtcVersion(int *major, int *minor);

/*
 * Makes a program. The texts are copied. `name` stands for the source in messages; NULL means
 * "CompileSource". HIPRTC_ERROR_INVALID_INPUT: prog or src NULL, a negative count, or headers
 * without arrays or texts; HIPRTC_ERROR_OUT_OF_MEMORY.
 */
HIPRTC_API hiprtcResult hiprtcCreateProgram(hiprtcProgram *prog, const char *src, const char *name,
                                            int numHeaders, const char **headers,
                                            const char **includeNames);

/* Destroys a program and sets *prog to NULL. HIPRTC_ERROR_INVALID_INPUT: prog NULL. */
HIPRTC_API hiprtcResult hiprtcDestroyProgram(hiprtcProgram *prog);

/* Compiles, with options as for `tarn hipcc`; <hip/hip_runtime.h> is included before the source.
 * HIPRTC_ERROR_COMPILATION: the log gives the reason. HIPRTC_ERROR_INVALID_INPUT: a negative count,
 * or options without an array or a text. HIPRTC_ERROR_OUT_OF_MEMORY. */
HIPRTC_API hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions,
                                             const char **options);

/* The size of the log with its final 0, and the log: "" before a compilation.
 * HIPRTC_ERROR_INVALID_INPUT: NULL. */
HIPRTC_API hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet);
HIPRTC_API hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log);

/* The module, for hipModuleLoadData(). HIPRTC_ERROR_INVALID_INPUT: the output NULL;
 * HIPRTC_ERROR_INVALID_PROGRAM: no compilation has succeeded. */
HIPRTC_API hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet);
HIPRTC_API hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code);

/* Adds a name to look up after the compilation. HIPRTC_ERROR_INVALID_INPUT: NULL;
 * HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: a compilation was tried. */
HIPRTC_API hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression);

/* The name by which hipModuleGetFunction() and hipModuleGetGlobal() find what the expression names.
 * It lives as long as the program. HIPRTC_ERROR_INVALID_INPUT: NULL;
 * HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: no compilation has succeeded;
 * HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID: it was not added. */
HIPRTC_API hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression,
                                             const char **lowered_name);

/* Always HIPRTC_ERROR_INVALID_PROGRAM, because no program has bit code.
 * HIPRTC_ERROR_INVALID_INPUT: the output NULL. */
HIPRTC_API hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode);
HIPRTC_API hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size);

/*
 * Makes the state of a link. The options are not used. HIPRTC_ERROR_INVALID_INPUT: the output NULL,
 * or options without arrays; HIPRTC_ERROR_OUT_OF_MEMORY. Destroying it: HIPRTC_ERROR_INVALID_INPUT:
 * not a live state, NULL included.
 */
HIPRTC_API hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option *option_ptr,
                                         void **option_vals_pptr,
                                         hiprtcLinkState *hip_link_state_ptr);
HIPRTC_API hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state);

/*
 * Add bit code from a file or from memory. It is not stored, because it is never linked.
 * HIPRTC_ERROR_INVALID_INPUT: not a live state; a kind other than the three for LLVM; options
 * without arrays; a file that cannot be read; an image that is NULL or of size 0.
 */
HIPRTC_API hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state,
                                          hiprtcJITInputType input_type, const char *file_path,
                                          unsigned int num_options, hiprtcJIT_option *options_ptr,
                                          void **option_values);
HIPRTC_API hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state,
                                          hiprtcJITInputType input_type, void *image,
                                          size_t image_size, const char *name,
                                          unsigned int num_options, hiprtcJIT_option *options_ptr,
                                          void **option_values);

/* Always HIPRTC_ERROR_LINKING. HIPRTC_ERROR_INVALID_INPUT: not a live state, or an output NULL. */
HIPRTC_API hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void **bin_out,
                                           size_t *size_out);

#ifdef __cplusplus
}
#endif
#endif
