/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/kernel.h - modules, libraries, kernels and occupancy.
 *
 * Tarn loads code that `tarn nvcc` made. NoKernelImageForDevice: code for a GPU;
 * InvalidKernelImage: other bytes; SymbolNotFound: an unknown name. `tarn nvcc` compiles kernels
 * for the CPU, where they run in stream order.
 */
#ifdef CUDA_PICK_

/* cuLibraryLoadData, cuLibraryLoadFromFile, cuLibraryUnload, cuLibraryGetKernel,
 * cuLibraryGetGlobal, cuLibraryGetManaged and cuda... Options are checked for their count only. */
CUDA_API_(LibraryLoadData, CUlibrary *library, const void *code, CUjit_option *jit,
          void **jit_values, unsigned jit_count, CUlibraryOption *options, void **values,
          unsigned count);
CUDA_API_(LibraryLoadFromFile, CUlibrary *library, const char *path, CUjit_option *jit,
          void **jit_values, unsigned jit_count, CUlibraryOption *options, void **values,
          unsigned count);
CUDA_API_(LibraryUnload, CUlibrary library);
CUDA_API_(LibraryGetKernel, CUkernel *kernel, CUlibrary library, const char *name);
CUDA_API_(LibraryGetKernelCount, unsigned *count, CUlibrary library);
CUDA_API_(LibraryEnumerateKernels, CUkernel *kernels, unsigned count, CUlibrary library);
CUDA_API_(LibraryGetGlobal, CUDA_ADDRESS_ *address, size_t *bytes, CUlibrary library,
          const char *name);
CUDA_API_(LibraryGetManaged, CUDA_ADDRESS_ *address, size_t *bytes, CUlibrary library,
          const char *name);
CUDA_API_(LibraryGetUnifiedFunction, void **function, CUlibrary library, const char *symbol);

/* The driver names a function by its handle, the runtime by the address of its host stub:
 * cuFuncSetAttribute, cuFuncSetCacheConfig, cuFuncGetName, cuFuncGetParamInfo and cuda... */
CUDA_API_(FuncSetAttribute, CUDA_FUNCTION_ function, CUfunction_attribute attribute, int value);
CUDA_API_(FuncSetCacheConfig, CUDA_FUNCTION_ function, CUfunc_cache config);
CUDA_API_(FuncSetSharedMemConfig, CUDA_FUNCTION_ function, CUsharedconfig config);
CUDA_API_(FuncGetName, const char **name, CUDA_FUNCTION_ function);
CUDA_API_(FuncGetParamInfo, CUDA_FUNCTION_ function, size_t index, size_t *offset, size_t *size);

/* Occupancy, the blocks of a kernel that one multiprocessor holds at once:
 * cuOccupancyMaxActiveBlocksPerMultiprocessor and cuda... */
CUDA_API_(OccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, CUDA_FUNCTION_ function,
          int block_size, size_t shared);
CUDA_API_(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, CUDA_FUNCTION_ function,
          int block_size, size_t shared, unsigned flags);
CUDA_API_(OccupancyAvailableDynamicSMemPerBlock, size_t *shared, CUDA_FUNCTION_ function,
          int blocks, int block_size);
CUDA_API_(OccupancyMaxPotentialClusterSize, int *size, CUDA_FUNCTION_ function,
          const CUDA_LAUNCH_CONFIG_ *config);
CUDA_API_(OccupancyMaxActiveClusters, int *clusters, CUDA_FUNCTION_ function,
          const CUDA_LAUNCH_CONFIG_ *config);

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* Modules and libraries. Options are checked for their count only. */
CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module);
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device);
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device);
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size);

/* Attributes of functions. A function is loaded with its module. */
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncGetModule(CUmodule *module, CUfunction function);
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);

/* Parameters are addresses of values, or one buffer in `extra`. InvalidValue: an empty grid or
 * block, or one above the device's limits; LaunchOutOfResources: a buffer with more bytes. */
CUDA_PTSZ_(cuLaunchKernel, CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
           void **params, void **extra);
CUDA_PTSZ_(cuLaunchKernelEx, const CUlaunchConfig *config, CUfunction function, void **params,
           void **extra);
CUDA_PTSZ_(cuLaunchCooperativeKernel, CUfunction function, unsigned grid_x, unsigned grid_y,
           unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
           CUstream stream, void **params);

/* The block size with the most threads per multiprocessor, and the blocks that fill the device. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of_block, size_t shared,
                                          int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared_of_block,
                                                   size_t shared, int limit, unsigned flags);

#else
/* ---- functions of the runtime alone */

/* Kernels and functions of registered stubs. */
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function);

/* All attributes of a kernel. */
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function);

/* InvalidValue: an empty grid or block, or one above the device's limits;
 * InvalidResourceHandle: an unknown stub. */
CUDA_PTSZ_(cudaLaunchKernel, const void *function, dim3 grid, dim3 block, void **args,
           size_t shared, cudaStream_t stream);
CUDA_PTSZ_(cudaLaunchKernelExC, const cudaLaunchConfig_t *config, const void *function,
           void **args);
CUDA_PTSZ_(cudaLaunchCooperativeKernel, const void *function, dim3 grid, dim3 block, void **args,
           size_t shared, cudaStream_t stream);

#endif
#endif
