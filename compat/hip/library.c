// SPDX-License-Identifier: Apache-2.0
// Libraries: modules of all devices. Code that cannot be loaded makes a library too; its kernels
// are missing, which the program learns when it asks for one, as from AMD's library. Any thread may
// call these functions.
#include <unistd.h>

#include <hip/detail/link.h>

#include "compat/hip/face.h"
#include "compat/runtime/code/module.h"

// Loads the file, or the image in memory if `path` is NULL.
static tn_rt_error load_library(hipLibrary_t *out, const char *path, const void *image,
                                unsigned jit_options) {
    TN_RT_TRY(tn_rt_check_pointer(out, "library"));
    TN_RT_TRY(tn_rt_check_pointer(path != NULL ? path : image, "the code"));
    TN_RT_REFUSE(path != NULL && access(path, R_OK) != 0, TN_RT_INVALID_VALUE,
                 "%.200s cannot be read", path);
    TN_RT_REFUSE(jit_options != 0, TN_RT_INVALID_VALUE,
                 "%u options for a compiler that does not exist", jit_options);
    return tn_rt_module_load(out, TN_RT_LIBRARY, path, image);
}

#define OPTIONS                                                                                    \
    hipJitOption *, jitOptions, void **, jitOptionsValues, unsigned int, numJitOptions,            \
        hipLibraryOption *, libraryOptions, void **, libraryOptionValues, unsigned int,            \
        numLibraryOptions
TN_HIP_ROW(hipLibraryLoadData, TN_FACE_EXPRESSION(load_library(library, NULL, code, numJitOptions)),
           hipLibrary_t *, library, const void *, code, OPTIONS)
TN_HIP_ROW(hipLibraryLoadFromFile,
           TN_FACE_EXPRESSION(load_library(library, fileName, NULL, numJitOptions)), hipLibrary_t *,
           library, const char *, fileName, OPTIONS)
TN_HIP_ROW(hipLibraryUnload, TN_FACE_EXPRESSION(tn_rt_module_unload(library, TN_RT_LIBRARY)),
           hipLibrary_t, library)

// A hipKernel_t and a hipFunction_t are the same handle.
TN_HIP_FUNCTION(hipLibraryGetKernel, hipKernel_t *, pKernel, hipLibrary_t, library, const char *,
                name) {
    TN_RT_TRY(tn_rt_check_pointer(library, "library"));
    return tn_rt_module_kernel(pKernel, library, TN_RT_LIBRARY, name);
}

TN_HIP_FUNCTION(hipLibraryGetKernelCount, unsigned int *, count, hipLibrary_t, library) {
    TN_RT_TRY(tn_rt_check_pointer(count, "count"));
    TN_RT_TRY(tn_rt_check_pointer(library, "library"));
    return tn_rt_module_count(count, library, TN_RT_LIBRARY);
}
