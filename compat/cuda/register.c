// SPDX-License-Identifier: Apache-2.0
// The functions by which a program registers the code that nvcc compiled into it, before main(), and
// removes it at its end. They open no device. See compat/runtime/kernel.h, and variable.h for
// variables. No header declares them; nvcc's code fixes the parameters, and most are ignored.
#include "compat/cuda/face.h"
#include "compat/cuda/variable.h"
#include "compat/runtime/kernel.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REGISTERS(type, name, ...)                                                                 \
    TN_CUDA_API type tn_cudart___cuda##name(__VA_ARGS__);                                          \
    type tn_cudart___cuda##name(__VA_ARGS__)

REGISTERS(void **, RegisterFatBinary, void *binary) { return (void **)tn_rt_code_new(); }

REGISTERS(void, RegisterFatBinaryEnd, void **code) {}

REGISTERS(void, UnregisterFatBinary, void **code) {
    tn_cu_variables_end(code);
    tn_rt_code_end(code);
}

REGISTERS(void, RegisterFunction, void **code, const char *stub, char *device, const char *name,
          int threads, void *tid, void *bid, dim3 *block, dim3 *grid, int *warp) {
    tn_rt_code_add_kernel(code, stub, name);
}

REGISTERS(void, RegisterVar, void **code, char *symbol, char *device, const char *name, int ext,
          size_t size, int constant, int global) {
    tn_cu_variable_add(code, symbol, size);
}

// The memory of a managed variable exists at once, because the program follows the pointer.
REGISTERS(void, RegisterManagedVar, void **code, void **pointer, char *device, const char *name,
          int ext, size_t size, int constant, int global) {
    tn_rt_code_add_variable(code, pointer, NULL, size, 256);
}

// Functions of the host that kernels call, and variables of the host that they use.
REGISTERS(void, RegisterHostVar, void **code, const char *name, char *variable, size_t size) {}
REGISTERS(void, RegisterUnifiedTable, void **code, void *table) {}

REGISTERS(char, InitModule, void **code) { return 1; }
