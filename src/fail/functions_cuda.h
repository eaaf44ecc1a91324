// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA that can be made to fail: X(name, "error", "arguments"). "error" is that of a failure
// whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// The errors are those that the comments of NVIDIA's cuda.h and cuda_runtime_api.h (13.0) list for the
// function. A note there says that most may also return the error of earlier work. Constant.
#pragma once

#define TN_FAIL_CUDA(X)                                                                            \
    X(cuArray3DCreate_v2, "CUDA_ERROR_OUT_OF_MEMORY", "")                                          \
    X(cuArray3DGetDescriptor_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                   \
    X(cuArrayCreate_v2, "CUDA_ERROR_OUT_OF_MEMORY", "")                                            \
    X(cuArrayDestroy, "CUDA_ERROR_LAUNCH_FAILED", "")                                              \
    X(cuArrayGetDescriptor_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                     \
    X(cuArrayGetMemoryRequirements, "CUDA_ERROR_INVALID_VALUE", "device=c")                        \
    X(cuArrayGetPlane, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuArrayGetSparseProperties, "CUDA_ERROR_INVALID_VALUE", "")                                  \
    X(cuCtxAttach, "CUDA_ERROR_INVALID_VALUE", "")                                                 \
    X(cuCtxCreate_v4, "CUDA_ERROR_OUT_OF_MEMORY", "device=d")                                      \
    X(cuCtxDestroy_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuCtxDetach, "CUDA_ERROR_INVALID_VALUE", "")                                                 \
    X(cuCtxDisablePeerAccess, "CUDA_ERROR_LAUNCH_FAILED", "")                                      \
    X(cuCtxEnablePeerAccess, "CUDA_ERROR_LAUNCH_FAILED", "")                                       \
    X(cuCtxGetApiVersion, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuCtxGetCacheConfig, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuCtxGetCurrent, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuCtxGetDevice, "CUDA_ERROR_LAUNCH_FAILED", "")                                              \
    X(cuCtxGetDevice_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                           \
    X(cuCtxGetFlags, "CUDA_ERROR_LAUNCH_FAILED", "")                                               \
    X(cuCtxGetId, "CUDA_ERROR_LAUNCH_FAILED", "")                                                  \
    X(cuCtxGetLimit, "CUDA_ERROR_LAUNCH_FAILED", "")                                               \
    X(cuCtxGetSharedMemConfig, "CUDA_ERROR_INVALID_VALUE", "")                                     \
    X(cuCtxGetStreamPriorityRange, "CUDA_ERROR_LAUNCH_FAILED", "")                                 \
    X(cuCtxPopCurrent_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuCtxPushCurrent_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuCtxRecordEvent, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "")                               \
    X(cuCtxResetPersistingL2Cache, "CUDA_ERROR_LAUNCH_FAILED", "")                                 \
    X(cuCtxSetCacheConfig, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuCtxSetCurrent, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuCtxSetFlags, "CUDA_ERROR_LAUNCH_FAILED", "")                                               \
    X(cuCtxSetLimit, "CUDA_ERROR_OUT_OF_MEMORY", "")                                               \
    X(cuCtxSetSharedMemConfig, "CUDA_ERROR_INVALID_VALUE", "")                                     \
    X(cuCtxSynchronize, "CUDA_ERROR_LAUNCH_FAILED", "")                                            \
    X(cuCtxSynchronize_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuCtxWaitEvent, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "")                                 \
    X(cuDeviceCanAccessPeer, "CUDA_ERROR_LAUNCH_FAILED", "device=b")                               \
    X(cuDeviceComputeCapability, "CUDA_ERROR_INVALID_VALUE", "device=c")                           \
    X(cuDeviceGet, "CUDA_ERROR_LAUNCH_FAILED", "device=b")                                         \
    X(cuDeviceGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "device=c")                                \
    X(cuDeviceGetByPCIBusId, "CUDA_ERROR_LAUNCH_FAILED", "")                                       \
    X(cuDeviceGetCount, "CUDA_ERROR_LAUNCH_FAILED", "")                                            \
    X(cuDeviceGetDefaultMemPool, "CUDA_ERROR_LAUNCH_FAILED", "device=b")                           \
    X(cuDeviceGetGraphMemAttribute, "CUDA_ERROR_INVALID_DEVICE", "device=a")                       \
    X(cuDeviceGetMemPool, "CUDA_ERROR_INVALID_VALUE", "device=b")                                  \
    X(cuDeviceGetName, "CUDA_ERROR_LAUNCH_FAILED", "device=c")                                     \
    X(cuDeviceGetP2PAttribute, "CUDA_ERROR_LAUNCH_FAILED", "")                                     \
    X(cuDeviceGetPCIBusId, "CUDA_ERROR_LAUNCH_FAILED", "device=c")                                 \
    X(cuDeviceGetProperties, "CUDA_ERROR_INVALID_VALUE", "device=b")                               \
    X(cuDeviceGetTexture1DLinearMaxWidth, "CUDA_ERROR_LAUNCH_FAILED", "device=d")                  \
    X(cuDeviceGetUuid_v2, "CUDA_ERROR_LAUNCH_FAILED", "device=b")                                  \
    X(cuDeviceGraphMemTrim, "CUDA_ERROR_INVALID_DEVICE", "device=a")                               \
    X(cuDevicePrimaryCtxGetState, "CUDA_ERROR_LAUNCH_FAILED", "device=a")                          \
    X(cuDevicePrimaryCtxRelease_v2, "CUDA_ERROR_LAUNCH_FAILED", "device=a")                        \
    X(cuDevicePrimaryCtxReset_v2, "CUDA_ERROR_LAUNCH_FAILED", "device=a")                          \
    X(cuDevicePrimaryCtxRetain, "CUDA_ERROR_OUT_OF_MEMORY", "device=b")                            \
    X(cuDevicePrimaryCtxSetFlags_v2, "CUDA_ERROR_LAUNCH_FAILED", "device=a")                       \
    X(cuDeviceSetGraphMemAttribute, "CUDA_ERROR_INVALID_DEVICE", "device=a")                       \
    X(cuDeviceSetMemPool, "CUDA_ERROR_INVALID_VALUE", "device=a")                                  \
    X(cuDeviceTotalMem_v2, "CUDA_ERROR_LAUNCH_FAILED", "device=b")                                 \
    X(cuDriverGetVersion, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuEventCreate, "CUDA_ERROR_OUT_OF_MEMORY", "")                                               \
    X(cuEventDestroy_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                           \
    X(cuEventElapsedTime_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                       \
    X(cuEventQuery, "CUDA_ERROR_LAUNCH_FAILED", "")                                                \
    X(cuEventRecord, "CUDA_ERROR_LAUNCH_FAILED", "stream=b")                                       \
    X(cuEventRecordWithFlags, "CUDA_ERROR_LAUNCH_FAILED", "stream=b")                              \
    X(cuEventSynchronize, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuFuncGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuFuncGetModule, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuFuncGetName, "CUDA_ERROR_LAUNCH_FAILED", "")                                               \
    X(cuFuncGetParamInfo, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuFuncIsLoaded, "CUDA_ERROR_INVALID_HANDLE", "")                                             \
    X(cuFuncLoad, "CUDA_ERROR_INVALID_HANDLE", "")                                                 \
    X(cuFuncSetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuFuncSetCacheConfig, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuFuncSetSharedMemConfig, "CUDA_ERROR_INVALID_VALUE", "")                                    \
    X(cuGetErrorName, "CUDA_ERROR_INVALID_VALUE", "")                                              \
    X(cuGetErrorString, "CUDA_ERROR_INVALID_VALUE", "")                                            \
    X(cuGetExportTable, "CUDA_ERROR_OUT_OF_MEMORY", "")                                            \
    X(cuGetProcAddress_v2, "CUDA_ERROR_INVALID_VALUE", "")                                         \
    X(cuGraphAddBatchMemOpNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuGraphAddChildGraphNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuGraphAddDependencies_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                   \
    X(cuGraphAddEmptyNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuGraphAddEventRecordNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                   \
    X(cuGraphAddEventWaitNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                     \
    X(cuGraphAddHostNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuGraphAddKernelNode_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                     \
    X(cuGraphAddMemAllocNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                      \
    X(cuGraphAddMemFreeNode, "CUDA_ERROR_LAUNCH_FAILED", "address=e")                              \
    X(cuGraphAddMemcpyNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuGraphAddMemsetNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuGraphAddNode_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                           \
    X(cuGraphBatchMemOpNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                              \
    X(cuGraphBatchMemOpNodeSetParams, "CUDA_ERROR_OUT_OF_MEMORY", "")                              \
    X(cuGraphChildGraphNodeGetGraph, "CUDA_ERROR_LAUNCH_FAILED", "")                               \
    X(cuGraphClone, "CUDA_ERROR_OUT_OF_MEMORY", "")                                                \
    X(cuGraphCreate, "CUDA_ERROR_OUT_OF_MEMORY", "")                                               \
    X(cuGraphDebugDotPrint, "CUDA_ERROR_OPERATING_SYSTEM", "")                                     \
    X(cuGraphDestroy, "CUDA_ERROR_LAUNCH_FAILED", "")                                              \
    X(cuGraphDestroyNode, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuGraphEventRecordNodeGetEvent, "CUDA_ERROR_LAUNCH_FAILED", "")                              \
    X(cuGraphEventRecordNodeSetEvent, "CUDA_ERROR_OUT_OF_MEMORY", "")                              \
    X(cuGraphEventWaitNodeGetEvent, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuGraphEventWaitNodeSetEvent, "CUDA_ERROR_OUT_OF_MEMORY", "")                                \
    X(cuGraphExecBatchMemOpNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                          \
    X(cuGraphExecChildGraphNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                          \
    X(cuGraphExecDestroy, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuGraphExecEventRecordNodeSetEvent, "CUDA_ERROR_LAUNCH_FAILED", "")                          \
    X(cuGraphExecEventWaitNodeSetEvent, "CUDA_ERROR_LAUNCH_FAILED", "")                            \
    X(cuGraphExecGetFlags, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuGraphExecHostNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuGraphExecKernelNodeSetParams_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                           \
    X(cuGraphExecMemcpyNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                              \
    X(cuGraphExecMemsetNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                              \
    X(cuGraphExecNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuGraphExecUpdate_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuGraphGetEdges_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuGraphGetNodes, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuGraphGetRootNodes, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuGraphHostNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuGraphHostNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuGraphInstantiateWithFlags, "CUDA_ERROR_OUT_OF_MEMORY", "")                                 \
    X(cuGraphInstantiateWithParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuGraphKernelNodeCopyAttributes, "CUDA_ERROR_LAUNCH_FAILED", "")                             \
    X(cuGraphKernelNodeGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "")                               \
    X(cuGraphKernelNodeGetParams_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                               \
    X(cuGraphKernelNodeSetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "")                               \
    X(cuGraphKernelNodeSetParams_v2, "CUDA_ERROR_OUT_OF_MEMORY", "")                               \
    X(cuGraphLaunch, "CUDA_ERROR_LAUNCH_FAILED", "stream=b")                                       \
    X(cuGraphMemAllocNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuGraphMemFreeNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                 \
    X(cuGraphMemcpyNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                  \
    X(cuGraphMemcpyNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                  \
    X(cuGraphMemsetNodeGetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                  \
    X(cuGraphMemsetNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                  \
    X(cuGraphNodeFindInClone, "CUDA_ERROR_LAUNCH_FAILED", "")                                      \
    X(cuGraphNodeGetDependencies_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                               \
    X(cuGraphNodeGetDependentNodes_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                             \
    X(cuGraphNodeGetEnabled, "CUDA_ERROR_LAUNCH_FAILED", "")                                       \
    X(cuGraphNodeGetType, "CUDA_ERROR_LAUNCH_FAILED", "")                                          \
    X(cuGraphNodeSetEnabled, "CUDA_ERROR_LAUNCH_FAILED", "")                                       \
    X(cuGraphNodeSetParams, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuGraphReleaseUserObject, "CUDA_ERROR_INVALID_VALUE", "")                                    \
    X(cuGraphRemoveDependencies_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuGraphRetainUserObject, "CUDA_ERROR_INVALID_VALUE", "")                                     \
    X(cuGraphUpload, "CUDA_ERROR_LAUNCH_FAILED", "stream=b")                                       \
    X(cuInit, "CUDA_ERROR_LAUNCH_FAILED", "")                                                      \
    X(cuIpcCloseMemHandle, "CUDA_ERROR_MAP_FAILED", "address=a")                                   \
    X(cuIpcGetEventHandle, "CUDA_ERROR_OUT_OF_MEMORY", "")                                         \
    X(cuIpcGetMemHandle, "CUDA_ERROR_OUT_OF_MEMORY", "address=b")                                  \
    X(cuIpcOpenEventHandle, "CUDA_ERROR_MAP_FAILED", "")                                           \
    X(cuIpcOpenMemHandle_v2, "CUDA_ERROR_MAP_FAILED", "")                                          \
    X(cuKernelGetAttribute, "CUDA_ERROR_INVALID_HANDLE", "device=d")                               \
    X(cuKernelGetFunction, "CUDA_ERROR_INVALID_HANDLE", "")                                        \
    X(cuKernelGetLibrary, "CUDA_ERROR_INVALID_HANDLE", "")                                         \
    X(cuKernelGetName, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuKernelGetParamInfo, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuKernelSetAttribute, "CUDA_ERROR_OUT_OF_MEMORY", "device=d")                                \
    X(cuKernelSetCacheConfig, "CUDA_ERROR_OUT_OF_MEMORY", "device=c")                              \
    X(cuLaunchCooperativeKernel, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "stream=i")                 \
    X(cuLaunchHostFunc, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                    \
    X(cuLaunchKernel, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "stream=i")                            \
    X(cuLaunchKernelEx, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "")                                  \
    X(cuLibraryEnumerateKernels, "CUDA_ERROR_INVALID_HANDLE", "")                                  \
    X(cuLibraryGetGlobal, "CUDA_ERROR_INVALID_HANDLE", "")                                         \
    X(cuLibraryGetKernel, "CUDA_ERROR_INVALID_HANDLE", "")                                         \
    X(cuLibraryGetKernelCount, "CUDA_ERROR_INVALID_HANDLE", "")                                    \
    X(cuLibraryGetManaged, "CUDA_ERROR_INVALID_HANDLE", "")                                        \
    X(cuLibraryGetModule, "CUDA_ERROR_INVALID_HANDLE", "")                                         \
    X(cuLibraryGetUnifiedFunction, "CUDA_ERROR_INVALID_HANDLE", "")                                \
    X(cuLibraryLoadData, "CUDA_ERROR_OUT_OF_MEMORY", "")                                           \
    X(cuLibraryLoadFromFile, "CUDA_ERROR_OUT_OF_MEMORY", "")                                       \
    X(cuLibraryUnload, "CUDA_ERROR_INVALID_VALUE", "")                                             \
    X(cuMemAddressFree, "CUDA_ERROR_INVALID_VALUE", "size=b address=a")                            \
    X(cuMemAddressReserve, "CUDA_ERROR_OUT_OF_MEMORY", "size=b address=d")                         \
    X(cuMemAdvise_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=b address=a device=d>")                    \
    X(cuMemAllocAsync, "CUDA_ERROR_OUT_OF_MEMORY", "size=b stream=c")                              \
    X(cuMemAllocFromPoolAsync, "CUDA_ERROR_OUT_OF_MEMORY", "size=b stream=d")                      \
    X(cuMemAllocHost_v2, "CUDA_ERROR_OUT_OF_MEMORY", "size=b")                                     \
    X(cuMemAllocManaged, "CUDA_ERROR_OUT_OF_MEMORY", "size=b")                                     \
    X(cuMemAllocPitch_v2, "CUDA_ERROR_OUT_OF_MEMORY", "size=c*d")                                  \
    X(cuMemAlloc_v2, "CUDA_ERROR_OUT_OF_MEMORY", "size=b")                                         \
    X(cuMemCreate, "CUDA_ERROR_OUT_OF_MEMORY", "size=b device=c[12.4] handle=c[4.4]")              \
    X(cuMemDiscardAndPrefetchBatchAsync, "CUDA_ERROR_OUT_OF_MEMORY", "stream=h")                   \
    X(cuMemDiscardBatchAsync, "CUDA_ERROR_OUT_OF_MEMORY", "stream=e")                              \
    X(cuMemExportToShareableHandle, "CUDA_ERROR_INVALID_VALUE", "handle=c")                        \
    X(cuMemFreeAsync, "CUDA_ERROR_INVALID_CONTEXT", "address=a stream=b")                          \
    X(cuMemFreeHost, "CUDA_ERROR_LAUNCH_FAILED", "address=a")                                      \
    X(cuMemFree_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=a")                                       \
    X(cuMemGetAccess, "CUDA_ERROR_INVALID_DEVICE", "address=c")                                    \
    X(cuMemGetAddressRange_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=c")                            \
    X(cuMemGetAllocationGranularity, "CUDA_ERROR_INVALID_VALUE", "")                               \
    X(cuMemGetAllocationPropertiesFromHandle, "CUDA_ERROR_INVALID_VALUE", "")                      \
    X(cuMemGetDefaultMemPool, "CUDA_ERROR_LAUNCH_FAILED", "")                                      \
    X(cuMemGetHandleForAddressRange, "CUDA_ERROR_INVALID_VALUE", "size=c address=b")               \
    X(cuMemGetInfo_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                             \
    X(cuMemGetMemPool, "CUDA_ERROR_INVALID_VALUE", "")                                             \
    X(cuMemHostAlloc, "CUDA_ERROR_OUT_OF_MEMORY", "size=b")                                        \
    X(cuMemHostGetDevicePointer_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=b")                       \
    X(cuMemHostGetFlags, "CUDA_ERROR_LAUNCH_FAILED", "address=b")                                  \
    X(cuMemHostRegister_v2, "CUDA_ERROR_OUT_OF_MEMORY", "size=b address=a")                        \
    X(cuMemHostUnregister, "CUDA_ERROR_OUT_OF_MEMORY", "address=a")                                \
    X(cuMemImportFromShareableHandle, "CUDA_ERROR_INVALID_VALUE", "handle=c")                      \
    X(cuMemMap, "CUDA_ERROR_OUT_OF_MEMORY", "size=b address=a")                                    \
    X(cuMemMapArrayAsync, "CUDA_ERROR_INVALID_HANDLE", "stream=c")                                 \
    X(cuMemPoolCreate, "CUDA_ERROR_OUT_OF_MEMORY", "device=b[12.4] handle=b[4.4]")                 \
    X(cuMemPoolDestroy, "CUDA_ERROR_INVALID_VALUE", "")                                            \
    X(cuMemPoolExportPointer, "CUDA_ERROR_OUT_OF_MEMORY", "address=b")                             \
    X(cuMemPoolExportToShareableHandle, "CUDA_ERROR_OUT_OF_MEMORY", "handle=c")                    \
    X(cuMemPoolGetAccess, "CUDA_ERROR_INVALID_VALUE", "")                                          \
    X(cuMemPoolGetAttribute, "CUDA_ERROR_INVALID_VALUE", "")                                       \
    X(cuMemPoolImportFromShareableHandle, "CUDA_ERROR_OUT_OF_MEMORY", "handle=c")                  \
    X(cuMemPoolImportPointer, "CUDA_ERROR_OUT_OF_MEMORY", "")                                      \
    X(cuMemPoolSetAccess, "CUDA_ERROR_INVALID_VALUE", "")                                          \
    X(cuMemPoolSetAttribute, "CUDA_ERROR_INVALID_VALUE", "")                                       \
    X(cuMemPoolTrimTo, "CUDA_ERROR_INVALID_VALUE", "")                                             \
    X(cuMemPrefetchAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=b address=a stream=e device=c>")    \
    X(cuMemPrefetchBatchAsync, "CUDA_ERROR_OUT_OF_MEMORY", "stream=h")                             \
    X(cuMemRangeGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "address=d")                             \
    X(cuMemRangeGetAttributes, "CUDA_ERROR_LAUNCH_FAILED", "address=e")                            \
    X(cuMemRelease, "CUDA_ERROR_LAUNCH_FAILED", "")                                                \
    X(cuMemRetainAllocationHandle, "CUDA_ERROR_INVALID_VALUE", "address=b")                        \
    X(cuMemSetAccess, "CUDA_ERROR_LAUNCH_FAILED", "size=b address=a")                              \
    X(cuMemSetMemPool, "CUDA_ERROR_INVALID_VALUE", "")                                             \
    X(cuMemUnmap, "CUDA_ERROR_LAUNCH_FAILED", "size=b address=a")                                  \
    X(cuMemcpy, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b")                          \
    X(cuMemcpy2DAsync_v2, "CUDA_ERROR_LAUNCH_FAILED",                                              \
      "size=a[112]*a[120] address=a[88] address=a[32] stream=b")                                   \
    X(cuMemcpy2DUnaligned_v2, "CUDA_ERROR_LAUNCH_FAILED",                                          \
      "size=a[112]*a[120] address=a[88] address=a[32]")                                            \
    X(cuMemcpy2D_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=a[112]*a[120] address=a[88] address=a[32]") \
    X(cuMemcpy3DAsync_v2, "CUDA_ERROR_LAUNCH_FAILED",                                              \
      "size=a[176]*a[184]*a[192] address=a[136] address=a[48] stream=b")                           \
    X(cuMemcpy3DBatchAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "stream=d")                             \
    X(cuMemcpy3DPeer, "CUDA_ERROR_LAUNCH_FAILED", "")                                              \
    X(cuMemcpy3DPeerAsync, "CUDA_ERROR_LAUNCH_FAILED", "stream=b")                                 \
    X(cuMemcpy3D_v2, "CUDA_ERROR_LAUNCH_FAILED",                                                   \
      "size=a[176]*a[184]*a[192] address=a[136] address=a[48]")                                    \
    X(cuMemcpyAsync, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b stream=d")            \
    X(cuMemcpyAtoA_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=e")                                       \
    X(cuMemcpyAtoD_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=a")                             \
    X(cuMemcpyAtoHAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=a stream=e")               \
    X(cuMemcpyAtoH_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=a")                             \
    X(cuMemcpyBatchAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "stream=h")                               \
    X(cuMemcpyDtoA_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=c")                             \
    X(cuMemcpyDtoDAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b stream=d")     \
    X(cuMemcpyDtoD_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b")                   \
    X(cuMemcpyDtoHAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b stream=d")     \
    X(cuMemcpyDtoH_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b")                   \
    X(cuMemcpyHtoAAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=c stream=e")               \
    X(cuMemcpyHtoA_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d address=c")                             \
    X(cuMemcpyHtoDAsync_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b stream=d")     \
    X(cuMemcpyHtoD_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b")                   \
    X(cuMemcpyPeer, "CUDA_ERROR_LAUNCH_FAILED", "size=e address=a address=c")                      \
    X(cuMemcpyPeerAsync, "CUDA_ERROR_LAUNCH_FAILED", "size=e address=a address=c stream=f")        \
    X(cuMemsetD16Async, "CUDA_ERROR_LAUNCH_FAILED", "size=c*2 address=a stream=d")                 \
    X(cuMemsetD16_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c*2 address=a")                            \
    X(cuMemsetD2D16Async, "CUDA_ERROR_LAUNCH_FAILED", "size=d*2*e address=a stream=f")             \
    X(cuMemsetD2D16_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d*2*e address=a")                        \
    X(cuMemsetD2D32Async, "CUDA_ERROR_LAUNCH_FAILED", "size=d*4*e address=a stream=f")             \
    X(cuMemsetD2D32_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d*4*e address=a")                        \
    X(cuMemsetD2D8Async, "CUDA_ERROR_LAUNCH_FAILED", "size=d*e address=a stream=f")                \
    X(cuMemsetD2D8_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=d*e address=a")                           \
    X(cuMemsetD32Async, "CUDA_ERROR_LAUNCH_FAILED", "size=c*4 address=a stream=d")                 \
    X(cuMemsetD32_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c*4 address=a")                            \
    X(cuMemsetD8Async, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a stream=d")                    \
    X(cuMemsetD8_v2, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=a")                               \
    X(cuMipmappedArrayCreate, "CUDA_ERROR_OUT_OF_MEMORY", "")                                      \
    X(cuMipmappedArrayDestroy, "CUDA_ERROR_LAUNCH_FAILED", "")                                     \
    X(cuMipmappedArrayGetLevel, "CUDA_ERROR_LAUNCH_FAILED", "")                                    \
    X(cuMipmappedArrayGetMemoryRequirements, "CUDA_ERROR_INVALID_VALUE", "device=c")               \
    X(cuMipmappedArrayGetSparseProperties, "CUDA_ERROR_INVALID_VALUE", "")                         \
    X(cuModuleEnumerateFunctions, "CUDA_ERROR_INVALID_HANDLE", "")                                 \
    X(cuModuleGetFunction, "CUDA_ERROR_LAUNCH_FAILED", "")                                         \
    X(cuModuleGetFunctionCount, "CUDA_ERROR_INVALID_HANDLE", "")                                   \
    X(cuModuleGetGlobal_v2, "CUDA_ERROR_LAUNCH_FAILED", "")                                        \
    X(cuModuleGetLoadingMode, "CUDA_ERROR_LAUNCH_FAILED", "")                                      \
    X(cuModuleLoad, "CUDA_ERROR_OUT_OF_MEMORY", "")                                                \
    X(cuModuleLoadData, "CUDA_ERROR_OUT_OF_MEMORY", "")                                            \
    X(cuModuleLoadDataEx, "CUDA_ERROR_OUT_OF_MEMORY", "")                                          \
    X(cuModuleLoadFatBinary, "CUDA_ERROR_OUT_OF_MEMORY", "")                                       \
    X(cuModuleUnload, "CUDA_ERROR_LAUNCH_FAILED", "")                                              \
    X(cuMulticastAddDevice, "CUDA_ERROR_OUT_OF_MEMORY", "device=b")                                \
    X(cuMulticastBindAddr, "CUDA_ERROR_OUT_OF_MEMORY", "size=d address=c")                         \
    X(cuMulticastBindMem, "CUDA_ERROR_OUT_OF_MEMORY", "size=e")                                    \
    X(cuMulticastCreate, "CUDA_ERROR_OUT_OF_MEMORY", "size=b[8] handle=b[16.4]")                   \
    X(cuMulticastGetGranularity, "CUDA_ERROR_INVALID_VALUE", "")                                   \
    X(cuMulticastUnbind, "CUDA_ERROR_INVALID_VALUE", "size=d device=b")                            \
    X(cuOccupancyAvailableDynamicSMemPerBlock, "CUDA_ERROR_LAUNCH_FAILED", "")                     \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "CUDA_ERROR_LAUNCH_FAILED", "")                 \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, "CUDA_ERROR_LAUNCH_FAILED", "")        \
    X(cuOccupancyMaxActiveClusters, "CUDA_ERROR_LAUNCH_FAILED", "")                                \
    X(cuOccupancyMaxPotentialBlockSize, "CUDA_ERROR_LAUNCH_FAILED", "")                            \
    X(cuOccupancyMaxPotentialBlockSizeWithFlags, "CUDA_ERROR_LAUNCH_FAILED", "")                   \
    X(cuOccupancyMaxPotentialClusterSize, "CUDA_ERROR_LAUNCH_FAILED", "")                          \
    X(cuPointerGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "address=c")                              \
    X(cuPointerGetAttributes, "CUDA_ERROR_LAUNCH_FAILED", "address=d")                             \
    X(cuPointerSetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "address=c")                              \
    X(cuProfilerStart, "CUDA_ERROR_INVALID_VALUE", "")                                             \
    X(cuProfilerStop, "CUDA_ERROR_INVALID_VALUE", "")                                              \
    X(cuStreamAddCallback, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                 \
    X(cuStreamAttachMemAsync, "CUDA_ERROR_LAUNCH_FAILED", "size=c address=b stream=a")             \
    X(cuStreamBatchMemOp_v2, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                               \
    X(cuStreamBeginCaptureToGraph, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                         \
    X(cuStreamBeginCapture_v2, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                             \
    X(cuStreamCopyAttributes, "CUDA_ERROR_LAUNCH_FAILED", "stream=a stream=b")                     \
    X(cuStreamCreate, "CUDA_ERROR_OUT_OF_MEMORY", "")                                              \
    X(cuStreamCreateWithPriority, "CUDA_ERROR_OUT_OF_MEMORY", "")                                  \
    X(cuStreamDestroy_v2, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                  \
    X(cuStreamEndCapture, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                  \
    X(cuStreamGetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                \
    X(cuStreamGetCaptureInfo_v3, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                           \
    X(cuStreamGetCtx, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                      \
    X(cuStreamGetDevice, "CUDA_ERROR_OUT_OF_MEMORY", "stream=a")                                   \
    X(cuStreamGetFlags, "CUDA_ERROR_OUT_OF_MEMORY", "stream=a")                                    \
    X(cuStreamGetId, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                       \
    X(cuStreamGetPriority, "CUDA_ERROR_OUT_OF_MEMORY", "stream=a")                                 \
    X(cuStreamIsCapturing, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                 \
    X(cuStreamQuery, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                       \
    X(cuStreamSetAttribute, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                \
    X(cuStreamSynchronize, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                 \
    X(cuStreamUpdateCaptureDependencies_v2, "CUDA_ERROR_INVALID_VALUE", "stream=a")                \
    X(cuStreamWaitEvent, "CUDA_ERROR_LAUNCH_FAILED", "stream=a")                                   \
    X(cuStreamWaitValue32_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=b stream=a")                    \
    X(cuStreamWaitValue64_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=b stream=a")                    \
    X(cuStreamWriteValue32_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=b stream=a")                   \
    X(cuStreamWriteValue64_v2, "CUDA_ERROR_LAUNCH_FAILED", "address=b stream=a")                   \
    X(cuThreadExchangeStreamCaptureMode, "CUDA_ERROR_LAUNCH_FAILED", "")                           \
    X(cuUserObjectCreate, "CUDA_ERROR_INVALID_VALUE", "address=b")                                 \
    X(cuUserObjectRelease, "CUDA_ERROR_INVALID_VALUE", "")                                         \
    X(cuUserObjectRetain, "CUDA_ERROR_INVALID_VALUE", "")                                          \
    X(cudaArrayGetInfo, "cudaErrorLaunchFailure", "")                                              \
    X(cudaArrayGetMemoryRequirements, "cudaErrorInvalidValue", "device=c")                         \
    X(cudaArrayGetPlane, "cudaErrorLaunchFailure", "")                                             \
    X(cudaArrayGetSparseProperties, "cudaErrorInvalidValue", "")                                   \
    X(cudaChooseDevice, "cudaErrorLaunchFailure", "")                                              \
    X(cudaCtxResetPersistingL2Cache, "cudaErrorLaunchFailure", "")                                 \
    X(cudaDeviceCanAccessPeer, "cudaErrorLaunchFailure", "device=b")                               \
    X(cudaDeviceDisablePeerAccess, "cudaErrorLaunchFailure", "")                                   \
    X(cudaDeviceEnablePeerAccess, "cudaErrorLaunchFailure", "")                                    \
    X(cudaDeviceGetAttribute, "cudaErrorLaunchFailure", "device=c")                                \
    X(cudaDeviceGetByPCIBusId, "cudaErrorLaunchFailure", "")                                       \
    X(cudaDeviceGetCacheConfig, "cudaErrorLaunchFailure", "")                                      \
    X(cudaDeviceGetDefaultMemPool, "cudaErrorLaunchFailure", "device=b")                           \
    X(cudaDeviceGetGraphMemAttribute, "cudaErrorLaunchFailure", "device=a")                        \
    X(cudaDeviceGetLimit, "cudaErrorLaunchFailure", "")                                            \
    X(cudaDeviceGetMemPool, "cudaErrorLaunchFailure", "device=b")                                  \
    X(cudaDeviceGetP2PAttribute, "cudaErrorLaunchFailure", "")                                     \
    X(cudaDeviceGetPCIBusId, "cudaErrorLaunchFailure", "device=c")                                 \
    X(cudaDeviceGetSharedMemConfig, "cudaErrorInvalidValue", "")                                   \
    X(cudaDeviceGetStreamPriorityRange, "cudaErrorLaunchFailure", "")                              \
    X(cudaDeviceGetTexture1DLinearMaxWidth, "cudaErrorLaunchFailure", "device=c")                  \
    X(cudaDeviceGraphMemTrim, "cudaErrorLaunchFailure", "device=a")                                \
    X(cudaDeviceReset, "cudaErrorLaunchFailure", "")                                               \
    X(cudaDeviceSetCacheConfig, "cudaErrorLaunchFailure", "")                                      \
    X(cudaDeviceSetGraphMemAttribute, "cudaErrorLaunchFailure", "device=a")                        \
    X(cudaDeviceSetLimit, "cudaErrorMemoryAllocation", "")                                         \
    X(cudaDeviceSetMemPool, "cudaErrorLaunchFailure", "device=a")                                  \
    X(cudaDeviceSetSharedMemConfig, "cudaErrorInvalidValue", "")                                   \
    X(cudaDeviceSynchronize, "cudaErrorLaunchFailure", "")                                         \
    X(cudaDriverGetVersion, "cudaErrorLaunchFailure", "")                                          \
    X(cudaEventCreate, "cudaErrorMemoryAllocation", "")                                            \
    X(cudaEventCreateWithFlags, "cudaErrorMemoryAllocation", "")                                   \
    X(cudaEventDestroy, "cudaErrorLaunchFailure", "")                                              \
    X(cudaEventElapsedTime, "cudaErrorLaunchFailure", "")                                          \
    X(cudaEventQuery, "cudaErrorLaunchFailure", "")                                                \
    X(cudaEventRecord, "cudaErrorLaunchFailure", "stream=b")                                       \
    X(cudaEventRecordWithFlags, "cudaErrorLaunchFailure", "stream=b")                              \
    X(cudaEventSynchronize, "cudaErrorLaunchFailure", "")                                          \
    X(cudaExtRegisterHostVariable, "cudaErrorMemoryAllocation", "size=b")                          \
    X(cudaFree, "cudaErrorLaunchFailure", "address=a")                                             \
    X(cudaFreeArray, "cudaErrorLaunchFailure", "")                                                 \
    X(cudaFreeAsync, "cudaErrorLaunchFailure", "address=a stream=b")                               \
    X(cudaFreeHost, "cudaErrorLaunchFailure", "address=a")                                         \
    X(cudaFreeMipmappedArray, "cudaErrorLaunchFailure", "")                                        \
    X(cudaFuncGetAttributes, "cudaErrorLaunchFailure", "")                                         \
    X(cudaFuncGetName, "cudaErrorLaunchFailure", "")                                               \
    X(cudaFuncGetParamInfo, "cudaErrorLaunchFailure", "")                                          \
    X(cudaFuncSetAttribute, "cudaErrorLaunchFailure", "")                                          \
    X(cudaFuncSetCacheConfig, "cudaErrorLaunchFailure", "")                                        \
    X(cudaFuncSetSharedMemConfig, "cudaErrorInvalidValue", "")                                     \
    X(cudaGetChannelDesc, "cudaErrorLaunchFailure", "")                                            \
    X(cudaGetDevice, "cudaErrorLaunchFailure", "")                                                 \
    X(cudaGetDeviceCount, "cudaErrorLaunchFailure", "")                                            \
    X(cudaGetDeviceFlags, "cudaErrorLaunchFailure", "")                                            \
    X(cudaGetDeviceProperties, "cudaErrorLaunchFailure", "device=b")                               \
    X(cudaGetDriverEntryPoint, "cudaErrorInvalidValue", "")                                        \
    X(cudaGetDriverEntryPointByVersion, "cudaErrorInvalidValue", "")                               \
    X(cudaGetExportTable, "cudaErrorMemoryAllocation", "")                                         \
    X(cudaGetFuncBySymbol, "cudaErrorInvalidValue", "")                                            \
    X(cudaGetKernel, "cudaErrorInvalidValue", "")                                                  \
    X(cudaGetLastError, "-", "")                                                                   \
    X(cudaGetMipmappedArrayLevel, "cudaErrorLaunchFailure", "")                                    \
    X(cudaGetSymbolAddress, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGetSymbolSize, "cudaErrorLaunchFailure", "")                                             \
    X(cudaGraphAddChildGraphNode, "cudaErrorLaunchFailure", "")                                    \
    X(cudaGraphAddDependencies, "cudaErrorLaunchFailure", "")                                      \
    X(cudaGraphAddEmptyNode, "cudaErrorInvalidValue", "")                                          \
    X(cudaGraphAddEventRecordNode, "cudaErrorLaunchFailure", "")                                   \
    X(cudaGraphAddEventWaitNode, "cudaErrorLaunchFailure", "")                                     \
    X(cudaGraphAddHostNode, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGraphAddKernelNode, "cudaErrorLaunchFailure", "")                                        \
    X(cudaGraphAddMemAllocNode, "cudaErrorMemoryAllocation", "")                                   \
    X(cudaGraphAddMemFreeNode, "cudaErrorMemoryAllocation", "address=e")                           \
    X(cudaGraphAddMemcpyNode, "cudaErrorLaunchFailure", "")                                        \
    X(cudaGraphAddMemcpyNode1D, "cudaErrorLaunchFailure", "address=e address=f")                   \
    X(cudaGraphAddMemcpyNodeFromSymbol, "cudaErrorLaunchFailure", "address=e")                     \
    X(cudaGraphAddMemcpyNodeToSymbol, "cudaErrorLaunchFailure", "address=f")                       \
    X(cudaGraphAddMemsetNode, "cudaErrorLaunchFailure", "")                                        \
    X(cudaGraphAddNode, "cudaErrorLaunchFailure", "")                                              \
    X(cudaGraphChildGraphNodeGetGraph, "cudaErrorLaunchFailure", "")                               \
    X(cudaGraphClone, "cudaErrorMemoryAllocation", "")                                             \
    X(cudaGraphCreate, "cudaErrorMemoryAllocation", "")                                            \
    X(cudaGraphDebugDotPrint, "cudaErrorOperatingSystem", "")                                      \
    X(cudaGraphDestroy, "cudaErrorLaunchFailure", "")                                              \
    X(cudaGraphDestroyNode, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGraphEventRecordNodeGetEvent, "cudaErrorLaunchFailure", "")                              \
    X(cudaGraphEventRecordNodeSetEvent, "cudaErrorLaunchFailure", "")                              \
    X(cudaGraphEventWaitNodeGetEvent, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphEventWaitNodeSetEvent, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphExecChildGraphNodeSetParams, "cudaErrorLaunchFailure", "")                          \
    X(cudaGraphExecDestroy, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGraphExecEventRecordNodeSetEvent, "cudaErrorLaunchFailure", "")                          \
    X(cudaGraphExecEventWaitNodeSetEvent, "cudaErrorLaunchFailure", "")                            \
    X(cudaGraphExecGetFlags, "cudaErrorLaunchFailure", "")                                         \
    X(cudaGraphExecHostNodeSetParams, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphExecKernelNodeSetParams, "cudaErrorLaunchFailure", "")                              \
    X(cudaGraphExecMemcpyNodeSetParams, "cudaErrorLaunchFailure", "")                              \
    X(cudaGraphExecMemcpyNodeSetParams1D, "cudaErrorLaunchFailure", "address=c address=d")         \
    X(cudaGraphExecMemcpyNodeSetParamsFromSymbol, "cudaErrorLaunchFailure", "address=c")           \
    X(cudaGraphExecMemcpyNodeSetParamsToSymbol, "cudaErrorLaunchFailure", "address=d")             \
    X(cudaGraphExecMemsetNodeSetParams, "cudaErrorLaunchFailure", "")                              \
    X(cudaGraphExecNodeSetParams, "cudaErrorLaunchFailure", "")                                    \
    X(cudaGraphExecUpdate, "cudaErrorLaunchFailure", "")                                           \
    X(cudaGraphGetEdges, "cudaErrorLaunchFailure", "")                                             \
    X(cudaGraphGetNodes, "cudaErrorLaunchFailure", "")                                             \
    X(cudaGraphGetRootNodes, "cudaErrorLaunchFailure", "")                                         \
    X(cudaGraphHostNodeGetParams, "cudaErrorLaunchFailure", "")                                    \
    X(cudaGraphHostNodeSetParams, "cudaErrorLaunchFailure", "")                                    \
    X(cudaGraphInstantiate, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGraphInstantiateWithFlags, "cudaErrorLaunchFailure", "")                                 \
    X(cudaGraphInstantiateWithParams, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphKernelNodeCopyAttributes, "cudaErrorLaunchFailure", "")                             \
    X(cudaGraphKernelNodeGetAttribute, "cudaErrorLaunchFailure", "")                               \
    X(cudaGraphKernelNodeGetParams, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphKernelNodeSetAttribute, "cudaErrorLaunchFailure", "")                               \
    X(cudaGraphKernelNodeSetParams, "cudaErrorMemoryAllocation", "")                               \
    X(cudaGraphLaunch, "cudaErrorLaunchFailure", "stream=b")                                       \
    X(cudaGraphMemAllocNodeGetParams, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphMemFreeNodeGetParams, "cudaErrorLaunchFailure", "address=b")                        \
    X(cudaGraphMemcpyNodeGetParams, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphMemcpyNodeSetParams, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphMemcpyNodeSetParams1D, "cudaErrorLaunchFailure", "address=b address=c")             \
    X(cudaGraphMemcpyNodeSetParamsFromSymbol, "cudaErrorLaunchFailure", "address=b")               \
    X(cudaGraphMemcpyNodeSetParamsToSymbol, "cudaErrorLaunchFailure", "address=c")                 \
    X(cudaGraphMemsetNodeGetParams, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphMemsetNodeSetParams, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphNodeFindInClone, "cudaErrorLaunchFailure", "")                                      \
    X(cudaGraphNodeGetDependencies, "cudaErrorLaunchFailure", "")                                  \
    X(cudaGraphNodeGetDependentNodes, "cudaErrorLaunchFailure", "")                                \
    X(cudaGraphNodeGetEnabled, "cudaErrorLaunchFailure", "")                                       \
    X(cudaGraphNodeGetType, "cudaErrorLaunchFailure", "")                                          \
    X(cudaGraphNodeSetEnabled, "cudaErrorLaunchFailure", "")                                       \
    X(cudaGraphNodeSetParams, "cudaErrorLaunchFailure", "")                                        \
    X(cudaGraphReleaseUserObject, "cudaErrorInvalidValue", "")                                     \
    X(cudaGraphRemoveDependencies, "cudaErrorLaunchFailure", "")                                   \
    X(cudaGraphRetainUserObject, "cudaErrorInvalidValue", "")                                      \
    X(cudaGraphUpload, "cudaErrorLaunchFailure", "stream=b")                                       \
    X(cudaHostAlloc, "cudaErrorMemoryAllocation", "size=b")                                        \
    X(cudaHostGetDevicePointer, "cudaErrorMemoryAllocation", "address=b")                          \
    X(cudaHostGetFlags, "cudaErrorLaunchFailure", "address=b")                                     \
    X(cudaHostRegister, "cudaErrorMemoryAllocation", "size=b address=a")                           \
    X(cudaHostUnregister, "cudaErrorLaunchFailure", "address=a")                                   \
    X(cudaInitDevice, "cudaErrorLaunchFailure", "device=a")                                        \
    X(cudaIpcCloseMemHandle, "cudaErrorMapBufferObjectFailed", "address=a")                        \
    X(cudaIpcGetEventHandle, "cudaErrorMemoryAllocation", "")                                      \
    X(cudaIpcGetMemHandle, "cudaErrorMemoryAllocation", "address=b")                               \
    X(cudaIpcOpenEventHandle, "cudaErrorMapBufferObjectFailed", "")                                \
    X(cudaIpcOpenMemHandle, "cudaErrorMapBufferObjectFailed", "")                                  \
    X(cudaKernelSetAttributeForDevice, "cudaErrorInvalidValue", "device=d")                        \
    X(cudaLaunchCooperativeKernel, "cudaErrorLaunchOutOfResources", "stream=f")                    \
    X(cudaLaunchHostFunc, "cudaErrorLaunchFailure", "stream=a")                                    \
    X(cudaLaunchKernel, "cudaErrorLaunchOutOfResources", "stream=f")                               \
    X(cudaLaunchKernelExC, "cudaErrorLaunchOutOfResources", "")                                    \
    X(cudaLibraryEnumerateKernels, "cudaErrorInvalidResourceHandle", "")                           \
    X(cudaLibraryGetGlobal, "cudaErrorInvalidResourceHandle", "")                                  \
    X(cudaLibraryGetKernel, "cudaErrorInvalidResourceHandle", "")                                  \
    X(cudaLibraryGetKernelCount, "cudaErrorInvalidResourceHandle", "")                             \
    X(cudaLibraryGetManaged, "cudaErrorInvalidResourceHandle", "")                                 \
    X(cudaLibraryGetUnifiedFunction, "cudaErrorInvalidResourceHandle", "")                         \
    X(cudaLibraryLoadData, "cudaErrorMemoryAllocation", "")                                        \
    X(cudaLibraryLoadFromFile, "cudaErrorMemoryAllocation", "")                                    \
    X(cudaLibraryUnload, "cudaErrorInvalidValue", "")                                              \
    X(cudaMalloc, "cudaErrorMemoryAllocation", "size=b")                                           \
    X(cudaMalloc3D, "cudaErrorMemoryAllocation", "size=b[0]*b[8]+*b[16]+")                         \
    X(cudaMalloc3DArray, "cudaErrorMemoryAllocation", "size=b#*c[0]*c[8]+*c[16]+")                 \
    X(cudaMallocArray, "cudaErrorMemoryAllocation", "size=b#*c*d+")                                \
    X(cudaMallocAsync, "cudaErrorMemoryAllocation", "size=b stream=c")                             \
    X(cudaMallocFromPoolAsync, "cudaErrorMemoryAllocation", "size=b stream=d")                     \
    X(cudaMallocHost, "cudaErrorMemoryAllocation", "size=b")                                       \
    X(cudaMallocManaged, "cudaErrorMemoryAllocation", "size=b")                                    \
    X(cudaMallocMipmappedArray, "cudaErrorMemoryAllocation", "")                                   \
    X(cudaMallocPitch, "cudaErrorMemoryAllocation", "size=c*d")                                    \
    X(cudaMemAdvise, "cudaErrorLaunchFailure", "size=b address=a device=d>")                       \
    X(cudaMemDiscardAndPrefetchBatchAsync, "cudaErrorMemoryAllocation", "stream=h")                \
    X(cudaMemDiscardBatchAsync, "cudaErrorMemoryAllocation", "stream=e")                           \
    X(cudaMemGetDefaultMemPool, "cudaErrorLaunchFailure", "")                                      \
    X(cudaMemGetInfo, "cudaErrorLaunchFailure", "")                                                \
    X(cudaMemGetMemPool, "cudaErrorInvalidValue", "")                                              \
    X(cudaMemPoolCreate, "cudaErrorInvalidValue", "device=b[12.4] handle=b[4.4]")                  \
    X(cudaMemPoolDestroy, "cudaErrorInvalidValue", "")                                             \
    X(cudaMemPoolExportPointer, "cudaErrorMemoryAllocation", "address=b")                          \
    X(cudaMemPoolExportToShareableHandle, "cudaErrorMemoryAllocation", "handle=c")                 \
    X(cudaMemPoolGetAccess, "cudaErrorInvalidValue", "")                                           \
    X(cudaMemPoolGetAttribute, "cudaErrorInvalidValue", "")                                        \
    X(cudaMemPoolImportFromShareableHandle, "cudaErrorMemoryAllocation", "handle=c")               \
    X(cudaMemPoolImportPointer, "cudaErrorMemoryAllocation", "")                                   \
    X(cudaMemPoolSetAccess, "cudaErrorInvalidValue", "")                                           \
    X(cudaMemPoolSetAttribute, "cudaErrorInvalidValue", "")                                        \
    X(cudaMemPoolTrimTo, "cudaErrorInvalidValue", "")                                              \
    X(cudaMemPrefetchAsync, "cudaErrorLaunchFailure", "size=b address=a stream=e device=c>")       \
    X(cudaMemPrefetchBatchAsync, "cudaErrorMemoryAllocation", "stream=h")                          \
    X(cudaMemRangeGetAttribute, "cudaErrorLaunchFailure", "address=d")                             \
    X(cudaMemRangeGetAttributes, "cudaErrorLaunchFailure", "address=e")                            \
    X(cudaMemSetMemPool, "cudaErrorInvalidValue", "")                                              \
    X(cudaMemcpy, "cudaErrorLaunchFailure", "size=c address=a address=b")                          \
    X(cudaMemcpy2D, "cudaErrorLaunchFailure", "size=e*f address=a address=c")                      \
    X(cudaMemcpy2DArrayToArray, "cudaErrorLaunchFailure", "size=g*h")                              \
    X(cudaMemcpy2DAsync, "cudaErrorLaunchFailure", "size=e*f address=a address=c stream=h")        \
    X(cudaMemcpy2DFromArray, "cudaErrorLaunchFailure", "size=f*g address=a")                       \
    X(cudaMemcpy2DFromArrayAsync, "cudaErrorLaunchFailure", "size=f*g address=a stream=i")         \
    X(cudaMemcpy2DToArray, "cudaErrorLaunchFailure", "size=f*g address=d")                         \
    X(cudaMemcpy2DToArrayAsync, "cudaErrorLaunchFailure", "size=f*g address=d stream=i")           \
    X(cudaMemcpy3D, "cudaErrorLaunchFailure",                                                      \
      "size=a[128]*a[136]*a[144] address=a[96] address=a[32]")                                     \
    X(cudaMemcpy3DAsync, "cudaErrorLaunchFailure",                                                 \
      "size=a[128]*a[136]*a[144] address=a[96] address=a[32] stream=b")                            \
    X(cudaMemcpy3DBatchAsync, "cudaErrorLaunchFailure", "stream=d")                                \
    X(cudaMemcpy3DPeer, "cudaErrorLaunchFailure",                                                  \
      "size=a[144]*a[152]*a[160] address=a[104] address=a[32]")                                    \
    X(cudaMemcpy3DPeerAsync, "cudaErrorLaunchFailure",                                             \
      "size=a[144]*a[152]*a[160] address=a[104] address=a[32] stream=b")                           \
    X(cudaMemcpyAsync, "cudaErrorLaunchFailure", "size=c address=a address=b stream=e")            \
    X(cudaMemcpyBatchAsync, "cudaErrorLaunchFailure", "stream=h")                                  \
    X(cudaMemcpyFromSymbol, "cudaErrorLaunchFailure", "size=c address=a")                          \
    X(cudaMemcpyFromSymbolAsync, "cudaErrorLaunchFailure", "size=c address=a stream=f")            \
    X(cudaMemcpyPeer, "cudaErrorLaunchFailure", "size=e address=a address=c")                      \
    X(cudaMemcpyPeerAsync, "cudaErrorLaunchFailure", "size=e address=a address=c stream=f")        \
    X(cudaMemcpyToSymbol, "cudaErrorLaunchFailure", "size=c address=b")                            \
    X(cudaMemcpyToSymbolAsync, "cudaErrorLaunchFailure", "size=c address=b stream=f")              \
    X(cudaMemset, "cudaErrorLaunchFailure", "size=c address=a")                                    \
    X(cudaMemset2D, "cudaErrorLaunchFailure", "size=d*e address=a")                                \
    X(cudaMemset2DAsync, "cudaErrorLaunchFailure", "size=d*e address=a stream=f")                  \
    X(cudaMemset3D, "cudaErrorLaunchFailure", "size=c[0]*c[8]*c[16] address=a[0]")                 \
    X(cudaMemset3DAsync, "cudaErrorLaunchFailure", "size=c[0]*c[8]*c[16] address=a[0] stream=d")   \
    X(cudaMemsetAsync, "cudaErrorLaunchFailure", "size=c address=a stream=d")                      \
    X(cudaMipmappedArrayGetMemoryRequirements, "cudaErrorInvalidValue", "device=c")                \
    X(cudaMipmappedArrayGetSparseProperties, "cudaErrorInvalidValue", "")                          \
    X(cudaOccupancyAvailableDynamicSMemPerBlock, "cudaErrorLaunchFailure", "")                     \
    X(cudaOccupancyMaxActiveBlocksPerMultiprocessor, "cudaErrorLaunchFailure", "")                 \
    X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, "cudaErrorLaunchFailure", "")        \
    X(cudaOccupancyMaxActiveClusters, "cudaErrorLaunchFailure", "")                                \
    X(cudaOccupancyMaxPotentialClusterSize, "cudaErrorLaunchFailure", "")                          \
    X(cudaPeekAtLastError, "-", "")                                                                \
    X(cudaPointerGetAttributes, "cudaErrorInvalidDevice", "address=b")                             \
    X(cudaProfilerStart, "cudaErrorInvalidValue", "")                                              \
    X(cudaProfilerStop, "cudaErrorInvalidValue", "")                                               \
    X(cudaRuntimeGetVersion, "cudaErrorInvalidValue", "")                                          \
    X(cudaSetDevice, "cudaErrorLaunchFailure", "device=a")                                         \
    X(cudaSetDeviceFlags, "cudaErrorLaunchFailure", "")                                            \
    X(cudaSetValidDevices, "cudaErrorLaunchFailure", "")                                           \
    X(cudaStreamAddCallback, "cudaErrorLaunchFailure", "stream=a")                                 \
    X(cudaStreamAttachMemAsync, "cudaErrorLaunchFailure", "size=c address=b stream=a")             \
    X(cudaStreamBeginCapture, "cudaErrorLaunchFailure", "stream=a")                                \
    X(cudaStreamBeginCaptureToGraph, "cudaErrorLaunchFailure", "stream=a")                         \
    X(cudaStreamCopyAttributes, "cudaErrorLaunchFailure", "stream=a stream=b")                     \
    X(cudaStreamCreate, "cudaErrorLaunchFailure", "")                                              \
    X(cudaStreamCreateWithFlags, "cudaErrorLaunchFailure", "")                                     \
    X(cudaStreamCreateWithPriority, "cudaErrorLaunchFailure", "")                                  \
    X(cudaStreamDestroy, "cudaErrorLaunchFailure", "stream=a")                                     \
    X(cudaStreamEndCapture, "cudaErrorLaunchFailure", "stream=a")                                  \
    X(cudaStreamGetAttribute, "cudaErrorLaunchFailure", "stream=a")                                \
    X(cudaStreamGetCaptureInfo, "cudaErrorLaunchFailure", "stream=a")                              \
    X(cudaStreamGetDevice, "cudaErrorLaunchFailure", "stream=a")                                   \
    X(cudaStreamGetFlags, "cudaErrorLaunchFailure", "stream=a")                                    \
    X(cudaStreamGetId, "cudaErrorLaunchFailure", "stream=a")                                       \
    X(cudaStreamGetPriority, "cudaErrorLaunchFailure", "stream=a")                                 \
    X(cudaStreamIsCapturing, "cudaErrorLaunchFailure", "stream=a")                                 \
    X(cudaStreamQuery, "cudaErrorLaunchFailure", "stream=a")                                       \
    X(cudaStreamSetAttribute, "cudaErrorLaunchFailure", "stream=a")                                \
    X(cudaStreamSynchronize, "cudaErrorLaunchFailure", "stream=a")                                 \
    X(cudaStreamUpdateCaptureDependencies, "cudaErrorLaunchFailure", "stream=a")                   \
    X(cudaStreamWaitEvent, "cudaErrorLaunchFailure", "stream=a")                                   \
    X(cudaThreadExchangeStreamCaptureMode, "cudaErrorLaunchFailure", "")                           \
    X(cudaUserObjectCreate, "cudaErrorInvalidValue", "address=b")                                  \
    X(cudaUserObjectRelease, "cudaErrorInvalidValue", "")                                          \
    X(cudaUserObjectRetain, "cudaErrorInvalidValue", "")
