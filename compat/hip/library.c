// SPDX-License-Identifier: Apache-2.0 Libraries of device code. A library can be made and ended.
// Its code is looked at when a program asks for a kernel, which fails, because no device can run
// it. Any thread may call these functions.
#include <unistd.h>

#include <hip/detail/link.h>

#include "compat/hip/face.h"
#include "compat/hip/handle.h"

static tn_rt_error make_library(hipLibrary_t *out, const void *code, unsigned jit_options) {
    TN_RT_TRY(tn_rt_check_pointer(out, "library"));
    TN_RT_TRY(tn_rt_check_pointer(code, "the code"));
    TN_RT_REFUSE(jit_options != 0, TN_RT_INVALID_VALUE,
                 "%u options for a compiler that does not exist", jit_options);
    struct tn_face_object *library = tn_hip_empty_new(TN_HIP_LIBRARY);
    TN_RT_REFUSE(library == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a library");
    *out = (hipLibrary_t)library->handle;
    return TN_RT_OK;
}

hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *jitOptions,
                              void **jitOptionsValues, unsigned int numJitOptions,
                              hipLibraryOption *libraryOptions, void **libraryOptionValues,
                              unsigned int numLibraryOptions) {
    (void)jitOptions, (void)jitOptionsValues;
    (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
    return TN_HIP_CALL(make_library(library, code, numJitOptions));
}

static tn_rt_error open_library(hipLibrary_t *out, const char *path, unsigned jit_options) {
    TN_RT_REFUSE(path != NULL && access(path, R_OK) != 0, TN_RT_INVALID_VALUE,
                 "%.200s cannot be read", path);
    return make_library(out, path, jit_options);
}

hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName,
                                  hipJitOption *jitOptions, void **jitOptionsValues,
                                  unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                                  void **libraryOptionValues, unsigned int numLibraryOptions) {
    (void)jitOptions, (void)jitOptionsValues;
    (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
    return TN_HIP_CALL(open_library(library, fileName, numJitOptions));
}

static tn_rt_error no_library(hipLibrary_t library) {
    return tn_rt_fail(TN_RT_INVALID_HANDLE, "%p is not a library", (void *)library);
}

TN_HIP_FUNCTION(hipLibraryUnload, hipLibrary_t, library) {
    return tn_face_handle_end((uintptr_t)library, TN_HIP_LIBRARY) ? TN_RT_OK : no_library(library);
}

static tn_rt_error load_code(const void *out, hipLibrary_t library) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    TN_RT_TRY(tn_rt_check_pointer(library, "library"));
    TN_RT_TRY(tn_face_handle_live((uintptr_t)library, TN_HIP_LIBRARY) ? TN_RT_OK
                                                                      : no_library(library));
    return tn_rt_fail(TN_RT_NO_BINARY, "no device can run device code");
}

TN_HIP_FUNCTION(hipLibraryGetKernel, hipKernel_t *, pKernel, hipLibrary_t, library, const char *,
                name) {
    TN_RT_TRY(tn_rt_check_pointer(name, "name"));
    return load_code(pKernel, library);
}

hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library) {
    return TN_HIP_CALL(load_code(count, library));
}
