// SPDX-License-Identifier: Apache-2.0
// HIP's functions for kernels that were compiled for the host. See compat/runtime/kernel.h.
#include <stddef.h>
#include <string.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel.h"

_Static_assert(sizeof(hipExtHostBlock) == sizeof(struct tn_rt_host_block) &&
                   offsetof(hipExtHostBlock, shared) == offsetof(struct tn_rt_host_block, shared),
               "a block has one layout");

static tn_rt_error run_block(void (*kernel)(void), const void *closure,
                             const struct tn_rt_host_block *block, const char **why) {
    hipExtHostBlock own;
    memcpy(&own, block, sizeof own);
    return (tn_rt_error)((hipExtHostKernel_t)kernel)(closure, &own, why);
}

hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                  size_t sharedBytes, hipStream_t stream, const void *closure,
                                  size_t closureBytes) {
    const struct tn_rt_launch launch = {run_block,
                                        (void (*)(void))kernel,
                                        {gridDim.x, gridDim.y, gridDim.z},
                                        {blockDim.x, blockDim.y, blockDim.z},
                                        sharedBytes,
                                        closureBytes,
                                        closure};
    return TN_HIP_CALL(tn_rt_kernel_launch(&launch, stream));
}

hipError_t hipExtOccupancyHostKernel(int *numBlocks, int kernel, int blockSize,
                                     size_t sharedBytes) {
    return TN_HIP_CALL(tn_rt_kernel_blocks(numBlocks, kernel != 0, blockSize, sharedBytes));
}

hipError_t hipExtOccupancyHostGrid(int *gridSize, int *blockSize, int kernel, size_t sharedBytes,
                                   int limit) {
    return TN_HIP_CALL(tn_rt_kernel_grid(gridSize, blockSize, kernel != 0, sharedBytes, limit));
}
