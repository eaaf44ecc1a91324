// SPDX-License-Identifier: Apache-2.0
// Launches of kernels, and queries about them. The runtime names a kernel by the address of its
// host stub, the driver by a handle; either serves both. A kernel that nvcc compiled is refused by
// its name.
#include <stddef.h>

#define TN_RT_EXTENTS dim3
#include "compat/cuda/face.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/device/identity.h"

_Static_assert((int)CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ==
                       TN_RT_KERNEL_MAX_DYNAMIC_SHARED &&
                   (int)CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ==
                       TN_RT_KERNEL_CARVEOUT &&
                   sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute) &&
                   offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val),
               "both APIs and the runtime have the same attributes");

// ---- launches

#define DIMENSIONS                                                                                 \
    unsigned, grid_x, unsigned, grid_y, unsigned, grid_z, unsigned, block_x, unsigned, block_y,    \
        unsigned, block_z
TN_CU_STREAM(cuLaunchKernel, cuLaunchKernel_ptsz, tn_rt_launch_grid, CUfunction, function,
             DIMENSIONS, unsigned, shared, CUstream, stream, void **, params, void **, extra)
TN_CU_STREAM(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz, tn_rt_launch_grid_waiting,
             CUfunction, function, DIMENSIONS, unsigned, shared, CUstream, stream, void **, params)
TN_CUDART_STREAM(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz,
                 tn_rt_launch_stub_waiting, const void *, function, dim3, grid, dim3, block,
                 void **, args, size_t, shared, cudaStream_t, stream)

// Programs of release 13 launch by what __cudaGetKernel() returned.
TN_CUDART_STREAM(__cudaLaunchKernel, __cudaLaunchKernel_ptsz, tn_rt_launch_stub, cudaKernel_t,
                 kernel, dim3, grid, dim3, block, void **, arguments, size_t, shared, cudaStream_t,
                 stream)

// ---- launches with a configuration: attributes that are hints have no effect

static tn_rt_error read_attributes(const CUlaunchAttribute *attributes, unsigned count,
                                   bool *cooperative) {
    TN_RT_TRY(tn_rt_check_pointer(count > 0 ? (const void *)attributes : "", "the attributes"));
    for (unsigned i = 0; i < count; i++) {
        const CUlaunchAttributeValue *v = &attributes[i].value;
        switch (attributes[i].id) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain: break;
        case cudaLaunchAttributeCooperative: *cooperative = v->cooperative != 0; break;
        case cudaLaunchAttributeClusterDimension:
            if (v->clusterDim.x <= 1 && v->clusterDim.y <= 1 && v->clusterDim.z <= 1) break;
            return tn_rt_fail(TN_RT_NOT_SUPPORTED, "clusters of blocks are not supported");
        default:
            return tn_rt_fail(TN_RT_NOT_SUPPORTED, "attribute %d of a launch is not supported",
                              (int)attributes[i].id);
        }
    }
    return TN_RT_OK;
}

static tn_rt_error launch_configured(const CUlaunchConfig *c, const void *function, void **params,
                                     void **extra) {
    bool waits = false;
    TN_RT_TRY(tn_rt_check_pointer(c, "config"));
    TN_RT_TRY(read_attributes(c->attrs, c->numAttrs, &waits));
    return tn_rt_launch_listed(function, (struct tn_rt_dim){c->gridDimX, c->gridDimY, c->gridDimZ},
                               (struct tn_rt_dim){c->blockDimX, c->blockDimY, c->blockDimZ},
                               c->sharedMemBytes, waits, params, extra, c->hStream);
}

static tn_rt_error launch_stub_configured(const cudaLaunchConfig_t *c, const void *function,
                                          void **arguments) {
    bool waits = false;
    TN_RT_TRY(tn_rt_check_pointer(c, "config"));
    TN_RT_TRY(
        read_attributes((const CUlaunchAttribute *)(const void *)c->attrs, c->numAttrs, &waits));
    return tn_rt_launch_listed(function, TN_RT_DIM(c->gridDim), TN_RT_DIM(c->blockDim),
                               c->dynamicSmemBytes, waits, arguments, NULL, c->stream);
}

TN_CU_STREAM(cuLaunchKernelEx, cuLaunchKernelEx_ptsz, launch_configured, const CUlaunchConfig *,
             config, CUfunction, function, void **, params, void **, extra)
TN_CUDART_STREAM(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz, launch_stub_configured,
                 const cudaLaunchConfig_t *, config, const void *, function, void **, args)

// ---- the other names of a kernel

static tn_rt_error get_kernel(void *out, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    tn_rt_error error = tn_rt_kernel_check(function);
    if (error != TN_RT_OK)
        return error == TN_RT_INVALID_HANDLE ? TN_RT_INVALID_DEVICE_FUNCTION : error;
    tn_rt_give(out, (uintptr_t)function);
    return TN_RT_OK;
}

static tn_rt_error get_name(const char **name, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(name, "the output"));
    const char *own = function != NULL ? tn_rt_kernel_name(function) : NULL;
    TN_RT_REFUSE(own == NULL, TN_RT_INVALID_DEVICE_FUNCTION, "%p is not a kernel", function);
    *name = own;
    return TN_RT_OK;
}

// The runtime's handle of a kernel exists without code for this CPU, too.
static tn_rt_error get_known(cudaKernel_t *kernel, const void *function) {
    const char *unused = NULL;
    TN_RT_TRY(tn_rt_check_pointer(kernel, "the output"));
    TN_RT_TRY(get_name(&unused, function));
    *kernel = (cudaKernel_t)(uintptr_t)function;
    return TN_RT_OK;
}

TN_CUDART(cudaGetFuncBySymbol, get_kernel, cudaFunction_t *, function, const void *, symbol)
TN_CUDART(cudaGetKernel, get_known, cudaKernel_t *, kernel, const void *, function)
TN_CU(cuKernelGetFunction, get_kernel, CUfunction *, function, CUkernel, kernel)
TN_CU(cuFuncGetName, get_name, const char **, name, CUfunction, function)
TN_CU(cuKernelGetName, get_name, const char **, name, CUkernel, kernel)
TN_CUDART(cudaFuncGetName, get_name, const char **, name, const void *, function)
TN_CU(cuFuncGetParamInfo, tn_rt_kernel_parameter, CUfunction, function, size_t, index, size_t *,
      offset, size_t *, size)
TN_CU(cuKernelGetParamInfo, tn_rt_kernel_parameter, CUkernel, kernel, size_t, index, size_t *,
      offset, size_t *, size)
TN_CUDART(cudaFuncGetParamInfo, tn_rt_kernel_parameter, const void *, function, size_t, index,
          size_t *, offset, size_t *, size)

// ---- attributes

static tn_rt_error get_of_kernel(int *value, int attribute, const void *kernel, int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_kernel_get_attribute(value, attribute, kernel);
}

static tn_rt_error set_of_kernel(int attribute, int value, const void *kernel, int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_kernel_set_attribute(kernel, attribute, value);
}

static tn_rt_error prefer_for_device(const void *kernel, int unused, int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_prefer(kernel, unused);
}

static tn_rt_error get_state(CUfunctionLoadingState *state, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(state, "state"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return TN_RT_OK;
}

TN_CU(cuFuncGetAttribute, tn_rt_kernel_get_attribute, int *, value, CUfunction_attribute, attribute,
      CUfunction, function)
TN_CU(cuKernelGetAttribute, get_of_kernel, int *, value, CUfunction_attribute, attribute, CUkernel,
      kernel, CUdevice, device)
TN_CU(cuFuncSetAttribute, tn_rt_kernel_set_attribute, CUfunction, function, CUfunction_attribute,
      attribute, int, value)
TN_CU(cuKernelSetAttribute, set_of_kernel, CUfunction_attribute, attribute, int, value, CUkernel,
      kernel, CUdevice, device)
TN_CUDART(cudaKernelSetAttributeForDevice,
          TN_FACE_EXPRESSION(set_of_kernel(attribute, value, kernel, device)), cudaKernel_t, kernel,
          enum cudaFuncAttribute, attribute, int, value, int, device)
TN_CU(cuFuncSetCacheConfig, tn_rt_prefer, CUfunction, function, CUfunc_cache, config)
TN_CU(cuFuncSetSharedMemConfig, tn_rt_prefer, CUfunction, function, CUsharedconfig, config)
TN_CUDART(cudaFuncSetCacheConfig, tn_rt_prefer, const void *, function, enum cudaFuncCache, config)
TN_CU(cuKernelSetCacheConfig, prefer_for_device, CUkernel, kernel, CUfunc_cache, config, CUdevice,
      device)
TN_CU(cuFuncIsLoaded, get_state, CUfunctionLoadingState *, state, CUfunction, function)
TN_CU(cuFuncLoad, tn_rt_kernel_check, CUfunction, function)

// ---- occupancy: the flags have no effect

// Blocks of the largest size that has enough shared memory, in whole warps.
static tn_rt_error fit(int *grid, int *block, const void *function, CUoccupancyB2DSize of_block,
                       size_t shared, int limit) {
    TN_RT_TRY(tn_rt_kernel_fit(grid, block, function, of_block == NULL ? shared : 0, limit));
    while (of_block != NULL && *block > 32 && of_block(*block) > TN_RT_SHARED_BYTES)
        *block = (*block - 1) / 32 * 32;
    return TN_RT_OK;
}

TN_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor, tn_rt_kernel_occupancy, int *, blocks,
      CUfunction, function, int, block_size, size_t, shared)
TN_CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, tn_rt_count_blocks, int *, blocks,
      CUfunction, function, int, block_size, size_t, shared, unsigned, flags)
TN_CU(cuOccupancyMaxPotentialBlockSize, fit, int *, grid_size, int *, block_size, CUfunction,
      function, CUoccupancyB2DSize, shared_of_block, size_t, shared, int, limit)
TN_CU(cuOccupancyMaxPotentialBlockSizeWithFlags,
      TN_FACE_EXPRESSION(fit(grid_size, block_size, function, shared_of_block, shared, limit)),
      int *, grid_size, int *, block_size, CUfunction, function, CUoccupancyB2DSize,
      shared_of_block, size_t, shared, int, limit, unsigned, flags)
TN_CU(cuOccupancyAvailableDynamicSMemPerBlock, tn_rt_kernel_free_shared, size_t *, shared,
      CUfunction, function, int, blocks, int, block_size)
// A cluster has one block.
static tn_rt_error measure_cluster(int *size, const void *function, const void *config) {
    TN_RT_TRY(tn_rt_check_pointer(size, "clusterSize"));
    TN_RT_TRY(tn_rt_check_pointer(config, "config"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    *size = 1;
    return TN_RT_OK;
}

static tn_rt_error count_clusters(int *clusters, const void *function, const void *config) {
    TN_RT_TRY(measure_cluster(clusters, function, config));
    *clusters = tn_rt_processors();
    return TN_RT_OK;
}

TN_CU(cuOccupancyMaxPotentialClusterSize, measure_cluster, int *, size, CUfunction, function,
      const CUlaunchConfig *, config)
TN_CU(cuOccupancyMaxActiveClusters, count_clusters, int *, clusters, CUfunction, function,
      const CUlaunchConfig *, config)
TN_CUDART(cudaOccupancyMaxPotentialClusterSize, measure_cluster, int *, size, const void *,
          function, const cudaLaunchConfig_t *, config)
TN_CUDART(cudaOccupancyMaxActiveClusters, count_clusters, int *, clusters, const void *, function,
          const cudaLaunchConfig_t *, config)
