// SPDX-License-Identifier: Apache-2.0
// Libraries: modules of all devices. Code that cannot be loaded makes a library too; its kernels are missing, which
// the program learns when it asks for one, as from AMD's library. Any thread may call these functions.
#include <stdlib.h>
#include <unistd.h>

#include <hip/detail/link.h>

#include "compat/face/scope.h"
#include "compat/hip/code.h"
#include "compat/hip/face.h"
#include "compat/hip/handle.h"
#include "compat/runtime/host_kernel.h"

struct library {
    struct tn_face_object object;
    struct tn_hip_code code;
    bool is_loaded;
};

static void destroy_library(struct tn_face_object *object) {
    struct library *library = (struct library *)object;
    if (library->is_loaded) tn_hip_code_close(&library->code);
    free(library);
}

// Loads the file, or the image in memory if `path` is NULL.
static tn_rt_error make_library(hipLibrary_t *out, const char *path, const void *image,
                                unsigned jit_options) {
    TN_RT_TRY(tn_rt_check_pointer(out, "library"));
    TN_RT_TRY(tn_rt_check_pointer(path != NULL ? path : image, "the code"));
    TN_RT_REFUSE(jit_options != 0, TN_RT_INVALID_VALUE,
                 "%u options for a compiler that does not exist", jit_options);
    struct library *library = (struct library *)calloc(1, sizeof *library);
    TN_RT_REFUSE(library == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a library");
    library->is_loaded = (path != NULL ? tn_hip_code_load(path, &library->code)
                                       : tn_hip_code_open(image, &library->code)) == TN_RT_OK;
    if (!tn_face_handle_new(&library->object, TN_HIP_LIBRARY, destroy_library)) {
        destroy_library(&library->object);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a library");
    }
    *out = (hipLibrary_t)library->object.handle;
    return TN_RT_OK;
}

hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *jitOptions,
                              void **jitOptionsValues, unsigned int numJitOptions,
                              hipLibraryOption *libraryOptions, void **libraryOptionValues,
                              unsigned int numLibraryOptions) {
    (void)jitOptions, (void)jitOptionsValues;
    (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
    return TN_HIP_CALL(make_library(library, NULL, code, numJitOptions));
}

static tn_rt_error open_library(hipLibrary_t *out, const char *path, unsigned jit_options) {
    TN_RT_REFUSE(path != NULL && access(path, R_OK) != 0, TN_RT_INVALID_VALUE,
                 "%.200s cannot be read", path);
    return make_library(out, path, NULL, jit_options);
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

// Returns the library of a handle, with a reference, in *own.
static tn_rt_error get_library(const void *out, hipLibrary_t library, struct library **own) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    TN_RT_TRY(tn_rt_check_pointer(library, "library"));
    *own = (struct library *)tn_face_handle_get((uintptr_t)library, TN_HIP_LIBRARY);
    if (*own == NULL) return no_library(library);
    return (*own)->is_loaded
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NO_BINARY, "the code of the library is not for this CPU");
}

TN_HIP_FUNCTION(hipLibraryGetKernel, hipKernel_t *, pKernel, hipLibrary_t, library, const char *,
                name) {
    struct library TN_FACE_HELD *own = NULL;
    TN_RT_TRY(tn_rt_check_pointer(name, "name"));
    TN_RT_TRY(get_library(pKernel, library, &own));
    hipFunction_t function;
    TN_RT_TRY(tn_hip_code_function(&own->code, name, &function));
    *pKernel = (hipKernel_t)function; // one stands for the other
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLibraryGetKernelCount, unsigned int *, count, hipLibrary_t, library) {
    struct library TN_FACE_HELD *own = NULL;
    TN_RT_TRY(get_library(count, library, &own));
    *count = tn_rt_host_kernel_count(own->code.base);
    return TN_RT_OK;
}
