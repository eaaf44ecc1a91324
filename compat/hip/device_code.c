// SPDX-License-Identifier: Apache-2.0
// The functions by which a program registers the code that hipcc compiled into it, before main(),
// and removes it at its end. See compat/runtime/kernel/kernel.h.
#include <hip/detail/types.h>

#include "compat/runtime/code/device_code.h"
#include "compat/runtime/kernel/kernel.h"

// hipcc's code fixes the parameters; most of these functions ignore them, and no header declares
// them.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// The head of a function.
#define ENTRY(type, name, ...)                                                                     \
    HIP_API type name(__VA_ARGS__);                                                                \
    type name(__VA_ARGS__)

ENTRY(void **, __hipRegisterFatBinary, const void *data) { return (void **)tn_rt_code_new(); }

ENTRY(void, __hipUnregisterFatBinary, void **modules) { tn_rt_code_end(modules); }

ENTRY(void, __hipRegisterFunction, void **modules, const void *hostFunction, char *deviceFunction,
      const char *deviceName, unsigned int threadLimit, void *tid, void *bid, dim3 *blockDim,
      dim3 *gridDim, int *wSize) {
    tn_rt_code_add_kernel(modules, hostFunction, deviceName);
}

// Ignored: no function looks up a variable of device code by address or name.
ENTRY(void, __hipRegisterVar, void **modules, void *var, char *hostVar, char *deviceVar, int ext,
      size_t size, int constant, int global) {}

ENTRY(void, __hipRegisterManagedVar, void *module, void **pointer, void *initial, const char *name,
      size_t size, unsigned align) {
    tn_rt_code_add_variable(module, pointer, initial, size, align);
}

ENTRY(void, __hipRegisterSurface, void **modules, void *var, char *hostVar, char *deviceVar,
      int type, int ext) {}

ENTRY(void, __hipRegisterTexture, void **modules, void *var, char *hostVar, char *deviceVar,
      int type, int norm, int ext) {}

// The precompiled header for compilation at run time does not exist here.
ENTRY(void, __hipGetPCH, const char **pch, unsigned int *size) {
    *pch = NULL;
    *size = 0;
}
