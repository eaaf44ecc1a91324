// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime_api.h>

// One name of each part.
int main(void) {
    hipMemAllocationProp prop = {hipMemAllocationTypePinned,
                                 {hipMemHandleTypeNone},
                                 {hipMemLocationTypeDevice, 0},
                                 NULL,
                                 {0, 0, 0}};
    hipMemGenericAllocationHandle_t handle = NULL;
    hipStreamBatchMemOpParams ops[1];
    hipMemcpyAttributes attributes;
    hipLaunchConfig_t config;
    hipLinkState_t link = NULL;
    hipMemPool_t pool = NULL;
    hipGraph_t graph = NULL;
    hipEvent_t event = NULL;
    size_t size = HIP_VERSION >= 60300000 ? sizeof ops + sizeof attributes + sizeof config : 0;
    return hipMemCreate(&handle, size, &prop, 0) == hipSuccess &&
           hipDeviceGetDefaultMemPool(&pool, 0) == hipSuccess &&
           hipGraphCreate(&graph, 0) == hipSuccess && hipEventCreate(&event) == hipSuccess &&
           hipLinkDestroy(link) == hipSuccess;
}
