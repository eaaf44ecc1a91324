// SPDX-License-Identifier: Apache-2.0
// Modules and libraries: images with kernels that a program loads. Any thread may call these
// functions. `kind` is TN_RT_MODULE or TN_RT_LIBRARY.
#pragma once

#include "compat/runtime/base/error.h"
#include "compat/runtime/base/handle.h"

// Loads a file, or the image in memory if `path` is NULL. Fails with INVALID_VALUE if an output or
// both are NULL. Then come the errors of image.h. By the policy `libraries_load_late`, a library
// whose code cannot be loaded is made too; its other functions return NO_BINARY.
tn_rt_error tn_rt_module_load(void *out, enum tn_rt_kind kind, const char *path, const void *image);

// Unloads a module. Fails with INVALID_HANDLE if it is not a module of that kind.
tn_rt_error tn_rt_module_unload(void *module, enum tn_rt_kind kind);

// Return a kernel, the number of kernels, a list of them, and a variable. A list receives the first
// kernels of the module, at most `count`. All fail with INVALID_VALUE if an output or the name is
// NULL, with INVALID_HANDLE if it is not a module of that kind, and with NO_BINARY or NOT_FOUND as
// image.h says.
tn_rt_error tn_rt_module_kernel(void *out, void *module, enum tn_rt_kind kind, const char *name);
tn_rt_error tn_rt_module_count(unsigned *count, void *module, enum tn_rt_kind kind);
tn_rt_error tn_rt_module_list(void *out, unsigned count, void *module, enum tn_rt_kind kind);
tn_rt_error tn_rt_module_variable(void **address, size_t *bytes, void *module, enum tn_rt_kind kind,
                                  const char *name);

// Returns the module whose code has a kernel. Fails as tn_rt_host_kernel_get() does, and with
// NOT_SUPPORTED for a kernel of the program itself.
tn_rt_error tn_rt_module_of(void *out, const void *function);

// ---- modules, for rows

static inline tn_rt_error tn_rt_module_load_image(void *out, const void *image) {
    return tn_rt_module_load(out, TN_RT_MODULE, NULL, image);
}

static inline tn_rt_error tn_rt_module_function(void *out, void *module, const char *name) {
    return tn_rt_module_kernel(out, module, TN_RT_MODULE, name);
}
