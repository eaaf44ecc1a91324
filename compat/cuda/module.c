// SPDX-License-Identifier: Apache-2.0
// Modules and libraries: code that `tarn nvcc` made for this CPU. A library is a module too, and a
// CUkernel the same handle as a CUfunction. Options are for a compiler of other code. See
// compat/runtime/code/module.h.
#include "compat/runtime/code/module.h"

#include "compat/cuda/face.h"

static tn_rt_error load_file(void *out, const char *path) {
    TN_RT_TRY(tn_rt_check_pointer(path, "the path"));
    return tn_rt_module_load(out, TN_RT_MODULE, path, NULL);
}

static tn_rt_error check_options(unsigned count, const void *options, const void *values) {
    TN_RT_REFUSE(count > 0 && (options == NULL || values == NULL), TN_RT_INVALID_VALUE,
                 "%u options and no list of them", count);
    return TN_RT_OK;
}

static tn_rt_error load_image_with(void *out, const void *image, unsigned count,
                                   const CUjit_option *options, void **values) {
    TN_RT_TRY(check_options(count, options, values));
    return tn_rt_module_load_image(out, image);
}

static tn_rt_error load_library(void *out, const void *image, const CUjit_option *options,
                                void **values, unsigned count, const void *library_options,
                                void **library_values, unsigned library_count) {
    TN_RT_TRY(check_options(count, options, values));
    TN_RT_TRY(check_options(library_count, library_options, library_values));
    return tn_rt_module_load_image(out, image);
}

static tn_rt_error load_library_file(void *out, const char *path, const CUjit_option *options,
                                     void **values, unsigned count, const void *library_options,
                                     void **library_values, unsigned library_count) {
    TN_RT_TRY(check_options(count, options, values));
    TN_RT_TRY(check_options(library_count, library_options, library_values));
    return load_file(out, path);
}

static tn_rt_error unload(void *module) { return tn_rt_module_unload(module, TN_RT_MODULE); }

static tn_rt_error count_functions(unsigned *count, void *module) {
    return tn_rt_module_count(count, module, TN_RT_MODULE);
}

static tn_rt_error list_functions(void *out, unsigned count, void *module) {
    return tn_rt_module_list(out, count, module, TN_RT_MODULE);
}

static tn_rt_error get_variable(void **address, size_t *bytes, void *module, const char *name) {
    TN_RT_REFUSE(address == NULL && bytes == NULL, TN_RT_INVALID_VALUE, "both outputs are NULL");
    return tn_rt_module_variable(address, bytes, module, TN_RT_MODULE, name);
}

static tn_rt_error get_module(CUmodule *module, void *library) {
    unsigned unused;
    TN_RT_TRY(tn_rt_check_pointer(module, "the output"));
    TN_RT_TRY(count_functions(&unused, library));
    *module = (CUmodule)library;
    return TN_RT_OK;
}

static tn_rt_error get_mode(CUmoduleLoadingMode *mode) {
    TN_RT_TRY(tn_rt_check_pointer(mode, "mode"));
    *mode = CU_MODULE_EAGER_LOADING;
    return TN_RT_OK;
}

TN_CU(cuModuleLoad, load_file, CUmodule *, module, const char *, path)
TN_CU(cuModuleLoadData, tn_rt_module_load_image, CUmodule *, module, const void *, image)
TN_CU(cuModuleLoadFatBinary, tn_rt_module_load_image, CUmodule *, module, const void *, image)
TN_CU(cuModuleLoadDataEx, load_image_with, CUmodule *, module, const void *, image, unsigned, count,
      CUjit_option *, options, void **, values)
TN_CU(cuModuleUnload, unload, CUmodule, module)
TN_CU(cuModuleGetFunction, tn_rt_module_function, CUfunction *, function, CUmodule, module,
      const char *, name)
TN_CU(cuModuleGetFunctionCount, count_functions, unsigned *, count, CUmodule, module)
TN_CU(cuModuleEnumerateFunctions, list_functions, CUfunction *, functions, unsigned, count,
      CUmodule, module)
TN_CU(cuModuleGetGlobal_v2, get_variable, CUdeviceptr *, address, size_t *, bytes, CUmodule, module,
      const char *, name)
TN_CU_BARE(cuModuleGetLoadingMode, get_mode, CUmoduleLoadingMode *, mode)

TN_CU_BOTH(cuLibraryLoadData, cudaLibraryLoadData, load_library, CUlibrary *, library, const void *,
           code, CUjit_option *, jit, void **, jit_values, unsigned, jit_count, CUlibraryOption *,
           options, void **, values, unsigned, count)
TN_CU_BOTH(cuLibraryLoadFromFile, cudaLibraryLoadFromFile, load_library_file, CUlibrary *, library,
           const char *, path, CUjit_option *, jit, void **, jit_values, unsigned, jit_count,
           CUlibraryOption *, options, void **, values, unsigned, count)
TN_CU_BOTH(cuLibraryUnload, cudaLibraryUnload, unload, CUlibrary, library)
TN_CU_BOTH(cuLibraryGetKernel, cudaLibraryGetKernel, tn_rt_module_function, CUkernel *, kernel,
           CUlibrary, library, const char *, name)
TN_CU_BOTH(cuLibraryGetKernelCount, cudaLibraryGetKernelCount, count_functions, unsigned *, count,
           CUlibrary, library)
TN_CU_BOTH(cuLibraryEnumerateKernels, cudaLibraryEnumerateKernels, list_functions, CUkernel *,
           kernels, unsigned, count, CUlibrary, library)
TN_CU_BOTH(cuLibraryGetGlobal, cudaLibraryGetGlobal, get_variable, CUdeviceptr *, address, size_t *,
           bytes, CUlibrary, library, const char *, name)
TN_CU_BOTH(cuLibraryGetManaged, cudaLibraryGetManaged, get_variable, CUdeviceptr *, address,
           size_t *, bytes, CUlibrary, library, const char *, name)
TN_CU(cuLibraryGetModule, get_module, CUmodule *, module, CUlibrary, library)
TN_CU(cuFuncGetModule, tn_rt_module_of, CUmodule *, module, CUfunction, function)
TN_CU(cuKernelGetLibrary, tn_rt_module_of, CUlibrary *, library, CUkernel, kernel)
