// SPDX-License-Identifier: Apache-2.0
// The functions by which a program registers the code that nvcc compiled into it, before main(),
// and removes it at its end, and those that launch it. They open no device, and no header declares
// them. The kernels cannot run here; variables have memory. See compat/runtime/kernel/kernel.h.
#define TN_RT_EXTENTS dim3
#include "compat/cuda/face.h"
#include "compat/runtime/code/device_code.h"
#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/kernel/kernel.h"

// nvcc's code fixes the parameters; most of these functions ignore some.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// The head of a function.
#define ENTRY(type, name, ...)                                                                     \
    TN_CUDA_API type name(__VA_ARGS__);                                                            \
    TN_CUDA_EXPORTED(name, tn_cudart_##name)                                                       \
    type name(__VA_ARGS__)

ENTRY(void **, __cudaRegisterFatBinary, void *binary) { return (void **)tn_rt_code_new(); }

ENTRY(void, __cudaRegisterFatBinaryEnd, void **code) {}

ENTRY(void, __cudaUnregisterFatBinary, void **code) { tn_rt_code_end(code); }

ENTRY(void, __cudaRegisterFunction, void **code, const char *stub, char *function, const char *name,
      int thread_limit, void *thread, void *block, dim3 *block_dim, dim3 *grid_dim,
      int *warp_size) {
    tn_rt_code_add_kernel(code, stub, name);
}

ENTRY(void, __cudaRegisterVar, void **code, char *symbol, char *address, const char *name,
      int external, size_t size, int constant, int global) {
    tn_rt_code_add_shadow(code, symbol, size);
}

ENTRY(void, __cudaRegisterManagedVar, void **code, void **pointer, char *address, const char *name,
      int external, size_t size, int constant, int global) {
    tn_rt_code_add_managed(code, pointer, size);
}

// Variables of the host need no memory of a device.
ENTRY(void, __cudaRegisterHostVar, void **code, const char *name, char *symbol, size_t size) {}
ENTRY(void, __cudaRegisterUnifiedTable, void **code, void *table) {}

// Called before the program uses managed variables. It returns no error.
ENTRY(char, __cudaInitModule, void **code) {
    return TN_CUDART_CALL(tn_rt_code_begin(code)) == cudaSuccess;
}

// ---- launches in several calls. What fails in the first is known by the launch.

ENTRY(unsigned, __cudaPushCallConfiguration, dim3 grid, dim3 block, size_t shared,
      cudaStream_t stream) {
    return (unsigned)tn_cudart_leave(tn_rt_push_call(grid, block, shared, stream), __func__);
}

ENTRY(cudaError_t, __cudaPopCallConfiguration, dim3 *grid, dim3 *block, size_t *shared,
      void *stream) {
    return tn_cudart_leave(tn_rt_pop_call(grid, block, shared, stream), __func__);
}

// The address of the stub serves as the handle, so that the launch refuses it by its name.
static tn_rt_error find_stub(cudaKernel_t *kernel, const void *stub) {
    TN_RT_TRY(tn_rt_check_pointer(kernel, "the output"));
    TN_RT_REFUSE(stub == NULL || tn_rt_kernel_name(stub) == NULL, TN_RT_INVALID_DEVICE_FUNCTION,
                 "%p is not a kernel", stub);
    *kernel = (cudaKernel_t)(uintptr_t)stub;
    return TN_RT_OK;
}

ENTRY(cudaError_t, __cudaGetKernel, cudaKernel_t *kernel, const void *stub) {
    return tn_cudart_leave(find_stub(kernel, stub), __func__);
}
