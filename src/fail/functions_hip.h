// SPDX-License-Identifier: Apache-2.0
// The functions of HIP that can be made to fail: X(name, "error", "arguments"). "error" is that of a failure
// whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// The errors are those that the comments of AMD's hip_runtime_api.h (5.2) list for the function, or those of
// the function of CUDA that it corresponds to. Constant.
#pragma once

#define TN_FAIL_HIP(X)                                                                             \
    X(__hipPopCallConfiguration, "hipErrorInvalidValue", "")                                       \
    X(__hipPushCallConfiguration, "hipErrorInvalidValue", "stream=d")                              \
    X(hipArray3DCreate, "hipErrorOutOfMemory", "")                                                 \
    X(hipArray3DGetDescriptor, "hipErrorLaunchFailure", "")                                        \
    X(hipArrayCreate, "hipErrorOutOfMemory", "")                                                   \
    X(hipArrayDestroy, "hipErrorLaunchFailure", "")                                                \
    X(hipArrayGetDescriptor, "hipErrorLaunchFailure", "")                                          \
    X(hipArrayGetInfo, "hipErrorLaunchFailure", "")                                                \
    X(hipChooseDeviceR0000, "hipErrorInvalidValue", "")                                            \
    X(hipChooseDeviceR0600, "hipErrorInvalidValue", "")                                            \
    X(hipConfigureCall, "hipErrorInvalidValue", "stream=d")                                        \
    X(hipCtxCreate, "hipErrorOutOfMemory", "device=c")                                             \
    X(hipCtxDestroy, "hipErrorInvalidValue", "")                                                   \
    X(hipCtxDisablePeerAccess, "hipErrorPeerAccessNotEnabled", "")                                 \
    X(hipCtxEnablePeerAccess, "hipErrorInvalidDevice", "")                                         \
    X(hipCtxGetApiVersion, "hipErrorLaunchFailure", "")                                            \
    X(hipCtxGetCacheConfig, "hipErrorLaunchFailure", "")                                           \
    X(hipCtxGetCurrent, "hipErrorInvalidContext", "")                                              \
    X(hipCtxGetDevice, "hipErrorInvalidContext", "")                                               \
    X(hipCtxGetFlags, "hipErrorLaunchFailure", "")                                                 \
    X(hipCtxGetSharedMemConfig, "hipErrorInvalidValue", "")                                        \
    X(hipCtxPopCurrent, "hipErrorInvalidContext", "")                                              \
    X(hipCtxPushCurrent, "hipErrorInvalidContext", "")                                             \
    X(hipCtxSetCacheConfig, "hipErrorLaunchFailure", "")                                           \
    X(hipCtxSetCurrent, "hipErrorInvalidContext", "")                                              \
    X(hipCtxSetSharedMemConfig, "hipErrorInvalidValue", "")                                        \
    X(hipCtxSynchronize, "hipErrorLaunchFailure", "")                                              \
    X(hipDeviceCanAccessPeer, "hipErrorInvalidDevice", "device=b device=c")                        \
    X(hipDeviceComputeCapability, "hipErrorInvalidValue", "device=c")                              \
    X(hipDeviceDisablePeerAccess, "hipErrorPeerAccessNotEnabled", "device=a")                      \
    X(hipDeviceEnablePeerAccess, "hipErrorPeerAccessAlreadyEnabled", "device=a")                   \
    X(hipDeviceGet, "hipErrorLaunchFailure", "device=b")                                           \
    X(hipDeviceGetAttribute, "hipErrorInvalidDevice", "device=c")                                  \
    X(hipDeviceGetByPCIBusId, "hipErrorInvalidValue", "")                                          \
    X(hipDeviceGetCacheConfig, "hipErrorNotInitialized", "")                                       \
    X(hipDeviceGetDefaultMemPool, "hipErrorInvalidDevice", "device=b")                             \
    X(hipDeviceGetGraphMemAttribute, "hipErrorLaunchFailure", "device=a")                          \
    X(hipDeviceGetLimit, "hipErrorInvalidValue", "")                                               \
    X(hipDeviceGetMemPool, "hipErrorInvalidValue", "device=b")                                     \
    X(hipDeviceGetName, "hipErrorLaunchFailure", "device=c")                                       \
    X(hipDeviceGetP2PAttribute, "hipErrorLaunchFailure", "device=d")                               \
    X(hipDeviceGetPCIBusId, "hipErrorLaunchFailure", "device=c")                                   \
    X(hipDeviceGetSharedMemConfig, "hipErrorInvalidValue", "")                                     \
    X(hipDeviceGetStreamPriorityRange, "hipErrorLaunchFailure", "")                                \
    X(hipDeviceGetTexture1DLinearMaxWidth, "hipErrorLaunchFailure", "device=c")                    \
    X(hipDeviceGetUuid, "hipErrorInvalidDevice", "device=b")                                       \
    X(hipDeviceGraphMemTrim, "hipErrorLaunchFailure", "device=a")                                  \
    X(hipDevicePrimaryCtxGetState, "hipErrorLaunchFailure", "device=a")                            \
    X(hipDevicePrimaryCtxRelease, "hipErrorLaunchFailure", "device=a")                             \
    X(hipDevicePrimaryCtxReset, "hipErrorLaunchFailure", "device=a")                               \
    X(hipDevicePrimaryCtxRetain, "hipErrorOutOfMemory", "device=b")                                \
    X(hipDevicePrimaryCtxSetFlags, "hipErrorContextAlreadyInUse", "device=a")                      \
    X(hipDeviceReset, "hipErrorLaunchFailure", "")                                                 \
    X(hipDeviceSetCacheConfig, "hipErrorNotInitialized", "")                                       \
    X(hipDeviceSetGraphMemAttribute, "hipErrorLaunchFailure", "device=a")                          \
    X(hipDeviceSetLimit, "hipErrorOutOfMemory", "")                                                \
    X(hipDeviceSetMemPool, "hipErrorInvalidDevice", "device=a")                                    \
    X(hipDeviceSetSharedMemConfig, "hipErrorInvalidValue", "")                                     \
    X(hipDeviceSynchronize, "hipErrorLaunchFailure", "")                                           \
    X(hipDeviceTotalMem, "hipErrorLaunchFailure", "device=b")                                      \
    X(hipDriverGetVersion, "hipErrorLaunchFailure", "")                                            \
    X(hipDrvGetErrorName, "hipErrorInvalidValue", "")                                              \
    X(hipDrvGetErrorString, "hipErrorInvalidValue", "")                                            \
    X(hipDrvGraphAddMemFreeNode, "hipErrorLaunchFailure", "address=e")                             \
    X(hipDrvGraphAddMemcpyNode, "hipErrorLaunchFailure", "")                                       \
    X(hipDrvGraphAddMemsetNode, "hipErrorLaunchFailure", "")                                       \
    X(hipDrvGraphExecMemcpyNodeSetParams, "hipErrorLaunchFailure", "")                             \
    X(hipDrvGraphExecMemsetNodeSetParams, "hipErrorLaunchFailure", "")                             \
    X(hipDrvGraphMemcpyNodeGetParams, "hipErrorLaunchFailure", "")                                 \
    X(hipDrvGraphMemcpyNodeSetParams, "hipErrorLaunchFailure", "")                                 \
    X(hipDrvLaunchKernelEx, "hipErrorOutOfMemory", "")                                             \
    X(hipDrvMemDiscardAndPrefetchBatchAsync, "hipErrorInvalidValue", "stream=h")                   \
    X(hipDrvMemDiscardBatchAsync, "hipErrorInvalidValue", "stream=e")                              \
    X(hipDrvMemcpy2DUnaligned, "hipErrorInvalidValue",                                             \
      "size=a[112]*a[120] address=a[88] address=a[32]")                                            \
    X(hipDrvMemcpy3D, "hipErrorInvalidDevicePointer",                                              \
      "size=a[160]*a[168]*a[176] address=a[128] address=a[48]")                                    \
    X(hipDrvMemcpy3DAsync, "hipErrorInvalidDevicePointer",                                         \
      "size=a[160]*a[168]*a[176] address=a[128] address=a[48] stream=b")                           \
    X(hipDrvPointerGetAttributes, "hipErrorInvalidDevice", "address=d")                            \
    X(hipEventCreate, "hipErrorOutOfMemory", "")                                                   \
    X(hipEventCreateWithFlags, "hipErrorOutOfMemory", "")                                          \
    X(hipEventDestroy, "hipErrorLaunchFailure", "")                                                \
    X(hipEventElapsedTime, "hipErrorLaunchFailure", "")                                            \
    X(hipEventQuery, "hipErrorLaunchFailure", "")                                                  \
    X(hipEventRecord, "hipErrorLaunchFailure", "stream=b")                                         \
    X(hipEventRecordWithFlags, "hipErrorLaunchFailure", "stream=b")                                \
    X(hipEventRecord_spt, "hipErrorLaunchFailure", "stream=b")                                     \
    X(hipEventSynchronize, "hipErrorLaunchFailure", "")                                            \
    X(hipExtArrayGetMemoryRequirements, "hipErrorInvalidValue", "device=c")                        \
    X(hipExtArrayGetSparseProperties, "hipErrorInvalidValue", "")                                  \
    X(hipExtGetLastError, "-", "")                                                                 \
    X(hipExtHostAlloc, "hipErrorOutOfMemory", "size=b")                                            \
    X(hipExtLaunchHost, "hipErrorOutOfMemory", "")                                                 \
    X(hipExtLaunchHostKernel, "hipErrorOutOfMemory", "stream=e")                                   \
    X(hipExtLaunchKernel, "hipErrorInvalidValue", "stream=f")                                      \
    X(hipExtMallocWithFlags, "hipErrorOutOfMemory", "size=b")                                      \
    X(hipExtMipmappedArrayGetMemoryRequirements, "hipErrorInvalidValue", "device=c")               \
    X(hipExtMipmappedArrayGetSparseProperties, "hipErrorInvalidValue", "")                         \
    X(hipExtModuleLaunchKernel, "hipErrorOutOfMemory", "stream=i")                                 \
    X(hipExtOccupancyHostGrid, "hipErrorInvalidValue", "")                                         \
    X(hipExtOccupancyHostKernel, "hipErrorInvalidValue", "")                                       \
    X(hipExtRegisterHostVariable, "hipErrorOutOfMemory", "size=b")                                 \
    X(hipExtSetWarpSize, "hipErrorInvalidValue", "")                                               \
    X(hipExtStreamCreateWithCUMask, "hipErrorInvalidHandle", "")                                   \
    X(hipExtStreamGetCUMask, "hipErrorInvalidHandle", "stream=a")                                  \
    X(hipFree, "hipErrorInvalidDevicePointer", "address=a")                                        \
    X(hipFreeArray, "hipErrorInvalidValue", "")                                                    \
    X(hipFreeAsync, "hipErrorInvalidValue", "address=a stream=b")                                  \
    X(hipFreeHost, "hipErrorInvalidValue", "address=a")                                            \
    X(hipFreeMipmappedArray, "hipErrorInvalidValue", "")                                           \
    X(hipFuncGetAttribute, "hipErrorInvalidValue", "")                                             \
    X(hipFuncGetAttributes, "hipErrorInvalidValue", "")                                            \
    X(hipFuncSetAttribute, "hipErrorInvalidValue", "")                                             \
    X(hipFuncSetCacheConfig, "hipErrorNotInitialized", "")                                         \
    X(hipFuncSetSharedMemConfig, "hipErrorInvalidValue", "")                                       \
    X(hipGetChannelDesc, "hipErrorInvalidValue", "")                                               \
    X(hipGetDevice, "hipErrorInvalidDevice", "")                                                   \
    X(hipGetDeviceCount, "hipErrorNoDevice", "")                                                   \
    X(hipGetDeviceFlags, "hipErrorInvalidDevice", "")                                              \
    X(hipGetDevicePropertiesR0000, "hipErrorInvalidDevice", "device=b")                            \
    X(hipGetDevicePropertiesR0600, "hipErrorInvalidDevice", "device=b")                            \
    X(hipGetDriverEntryPoint, "hipErrorInvalidValue", "")                                          \
    X(hipGetDriverEntryPoint_spt, "hipErrorInvalidValue", "")                                      \
    X(hipGetFuncBySymbol, "hipErrorInvalidValue", "")                                              \
    X(hipGetLastError, "-", "")                                                                    \
    X(hipGetMipmappedArrayLevel, "hipErrorInvalidValue", "")                                       \
    X(hipGetProcAddress, "hipErrorInvalidValue", "")                                               \
    X(hipGetSymbolAddress, "hipErrorInvalidValue", "")                                             \
    X(hipGetSymbolSize, "hipErrorInvalidValue", "")                                                \
    X(hipGraphAddBatchMemOpNode, "hipErrorLaunchFailure", "")                                      \
    X(hipGraphAddChildGraphNode, "hipErrorInvalidValue", "")                                       \
    X(hipGraphAddDependencies, "hipErrorInvalidValue", "")                                         \
    X(hipGraphAddEmptyNode, "hipErrorInvalidValue", "")                                            \
    X(hipGraphAddEventRecordNode, "hipErrorInvalidValue", "")                                      \
    X(hipGraphAddEventWaitNode, "hipErrorInvalidValue", "")                                        \
    X(hipGraphAddHostNode, "hipErrorInvalidValue", "")                                             \
    X(hipGraphAddKernelNode, "hipErrorInvalidValue", "")                                           \
    X(hipGraphAddMemAllocNode, "hipErrorOutOfMemory", "")                                          \
    X(hipGraphAddMemFreeNode, "hipErrorOutOfMemory", "address=e")                                  \
    X(hipGraphAddMemcpyNode, "hipErrorInvalidValue", "")                                           \
    X(hipGraphAddMemcpyNode1D, "hipErrorInvalidValue", "address=e address=f")                      \
    X(hipGraphAddMemcpyNodeFromSymbol, "hipErrorInvalidValue", "address=e")                        \
    X(hipGraphAddMemcpyNodeToSymbol, "hipErrorInvalidValue", "address=f")                          \
    X(hipGraphAddMemsetNode, "hipErrorInvalidValue", "")                                           \
    X(hipGraphAddNode, "hipErrorLaunchFailure", "")                                                \
    X(hipGraphBatchMemOpNodeGetParams, "hipErrorLaunchFailure", "")                                \
    X(hipGraphBatchMemOpNodeSetParams, "hipErrorOutOfMemory", "")                                  \
    X(hipGraphChildGraphNodeGetGraph, "hipErrorInvalidValue", "")                                  \
    X(hipGraphClone, "hipErrorOutOfMemory", "")                                                    \
    X(hipGraphCreate, "hipErrorOutOfMemory", "")                                                   \
    X(hipGraphDebugDotPrint, "hipErrorOperatingSystem", "")                                        \
    X(hipGraphDestroy, "hipErrorInvalidValue", "")                                                 \
    X(hipGraphDestroyNode, "hipErrorInvalidValue", "")                                             \
    X(hipGraphEventRecordNodeGetEvent, "hipErrorInvalidValue", "")                                 \
    X(hipGraphEventRecordNodeSetEvent, "hipErrorInvalidValue", "")                                 \
    X(hipGraphEventWaitNodeGetEvent, "hipErrorInvalidValue", "")                                   \
    X(hipGraphEventWaitNodeSetEvent, "hipErrorInvalidValue", "")                                   \
    X(hipGraphExecBatchMemOpNodeSetParams, "hipErrorLaunchFailure", "")                            \
    X(hipGraphExecChildGraphNodeSetParams, "hipErrorInvalidValue", "")                             \
    X(hipGraphExecDestroy, "hipErrorLaunchFailure", "")                                            \
    X(hipGraphExecEventRecordNodeSetEvent, "hipErrorInvalidValue", "")                             \
    X(hipGraphExecEventWaitNodeSetEvent, "hipErrorInvalidValue", "")                               \
    X(hipGraphExecGetFlags, "hipErrorLaunchFailure", "")                                           \
    X(hipGraphExecHostNodeSetParams, "hipErrorInvalidValue", "")                                   \
    X(hipGraphExecKernelNodeSetParams, "hipErrorInvalidValue", "")                                 \
    X(hipGraphExecMemcpyNodeSetParams, "hipErrorInvalidValue", "")                                 \
    X(hipGraphExecMemcpyNodeSetParams1D, "hipErrorInvalidValue", "address=c address=d")            \
    X(hipGraphExecMemcpyNodeSetParamsFromSymbol, "hipErrorInvalidValue", "address=c")              \
    X(hipGraphExecMemcpyNodeSetParamsToSymbol, "hipErrorInvalidValue", "address=d")                \
    X(hipGraphExecMemsetNodeSetParams, "hipErrorInvalidValue", "")                                 \
    X(hipGraphExecNodeSetParams, "hipErrorLaunchFailure", "")                                      \
    X(hipGraphExecUpdate, "hipErrorGraphExecUpdateFailure", "")                                    \
    X(hipGraphGetEdges, "hipErrorInvalidValue", "")                                                \
    X(hipGraphGetNodes, "hipErrorInvalidValue", "")                                                \
    X(hipGraphGetRootNodes, "hipErrorInvalidValue", "")                                            \
    X(hipGraphHostNodeGetParams, "hipErrorInvalidValue", "")                                       \
    X(hipGraphHostNodeSetParams, "hipErrorInvalidValue", "")                                       \
    X(hipGraphInstantiate, "hipErrorOutOfMemory", "")                                              \
    X(hipGraphInstantiateWithFlags, "hipErrorInvalidValue", "")                                    \
    X(hipGraphInstantiateWithParams, "hipErrorLaunchFailure", "")                                  \
    X(hipGraphKernelNodeCopyAttributes, "hipErrorLaunchFailure", "")                               \
    X(hipGraphKernelNodeGetAttribute, "hipErrorInvalidValue", "")                                  \
    X(hipGraphKernelNodeGetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphKernelNodeSetAttribute, "hipErrorInvalidValue", "")                                  \
    X(hipGraphKernelNodeSetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphLaunch, "hipErrorInvalidValue", "stream=b")                                          \
    X(hipGraphLaunch_spt, "hipErrorInvalidValue", "stream=b")                                      \
    X(hipGraphMemAllocNodeGetParams, "hipErrorLaunchFailure", "")                                  \
    X(hipGraphMemFreeNodeGetParams, "hipErrorLaunchFailure", "address=b")                          \
    X(hipGraphMemcpyNodeGetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphMemcpyNodeSetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphMemcpyNodeSetParams1D, "hipErrorInvalidValue", "address=b address=c")                \
    X(hipGraphMemcpyNodeSetParamsFromSymbol, "hipErrorInvalidValue", "address=b")                  \
    X(hipGraphMemcpyNodeSetParamsToSymbol, "hipErrorInvalidValue", "address=c")                    \
    X(hipGraphMemsetNodeGetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphMemsetNodeSetParams, "hipErrorInvalidValue", "")                                     \
    X(hipGraphNodeFindInClone, "hipErrorInvalidValue", "")                                         \
    X(hipGraphNodeGetDependencies, "hipErrorInvalidValue", "")                                     \
    X(hipGraphNodeGetDependentNodes, "hipErrorInvalidValue", "")                                   \
    X(hipGraphNodeGetEnabled, "hipErrorLaunchFailure", "")                                         \
    X(hipGraphNodeGetType, "hipErrorInvalidValue", "")                                             \
    X(hipGraphNodeSetEnabled, "hipErrorLaunchFailure", "")                                         \
    X(hipGraphNodeSetParams, "hipErrorLaunchFailure", "")                                          \
    X(hipGraphReleaseUserObject, "hipErrorInvalidValue", "")                                       \
    X(hipGraphRemoveDependencies, "hipErrorInvalidValue", "")                                      \
    X(hipGraphRetainUserObject, "hipErrorInvalidValue", "")                                        \
    X(hipGraphUpload, "hipErrorLaunchFailure", "stream=b")                                         \
    X(hipHostAlloc, "hipErrorOutOfMemory", "size=b")                                               \
    X(hipHostFree, "hipErrorInvalidValue", "address=a")                                            \
    X(hipHostGetDevicePointer, "hipErrorOutOfMemory", "")                                          \
    X(hipHostGetFlags, "hipErrorInvalidValue", "address=b")                                        \
    X(hipHostMalloc, "hipErrorOutOfMemory", "size=b")                                              \
    X(hipHostRegister, "hipErrorOutOfMemory", "size=b address=a")                                  \
    X(hipHostUnregister, "hipErrorLaunchFailure", "address=a")                                     \
    X(hipInit, "hipErrorLaunchFailure", "")                                                        \
    X(hipIpcCloseMemHandle, "hipErrorMapFailed", "address=a")                                      \
    X(hipIpcGetEventHandle, "hipErrorOutOfMemory", "")                                             \
    X(hipIpcGetMemHandle, "hipErrorOutOfMemory", "address=b")                                      \
    X(hipIpcOpenEventHandle, "hipErrorInvalidContext", "")                                         \
    X(hipIpcOpenMemHandle, "hipErrorMapFailed", "")                                                \
    X(hipLaunchByPtr, "hipErrorInvalidValue", "")                                                  \
    X(hipLaunchCooperativeKernel, "hipErrorInvalidValue", "stream=f")                              \
    X(hipLaunchCooperativeKernel_spt, "hipErrorInvalidValue", "stream=f")                          \
    X(hipLaunchHostFunc, "hipErrorInvalidResourceHandle", "stream=a")                              \
    X(hipLaunchHostFunc_spt, "hipErrorInvalidResourceHandle", "stream=a")                          \
    X(hipLaunchKernel, "hipErrorInvalidValue", "stream=f")                                         \
    X(hipLaunchKernelExC, "hipErrorLaunchOutOfResources", "")                                      \
    X(hipLaunchKernel_spt, "hipErrorInvalidValue", "stream=f")                                     \
    X(hipLibraryGetKernel, "hipErrorInvalidHandle", "")                                            \
    X(hipLibraryGetKernelCount, "hipErrorInvalidHandle", "")                                       \
    X(hipLibraryLoadData, "hipErrorOutOfMemory", "")                                               \
    X(hipLibraryLoadFromFile, "hipErrorOutOfMemory", "")                                           \
    X(hipLibraryUnload, "hipErrorInvalidValue", "")                                                \
    X(hipLinkAddData, "hipErrorOutOfMemory", "")                                                   \
    X(hipLinkAddFile, "hipErrorOutOfMemory", "")                                                   \
    X(hipLinkComplete, "hipErrorOutOfMemory", "")                                                  \
    X(hipLinkCreate, "hipErrorOutOfMemory", "")                                                    \
    X(hipLinkDestroy, "hipErrorInvalidHandle", "")                                                 \
    X(hipMalloc, "hipErrorOutOfMemory", "size=b")                                                  \
    X(hipMalloc3D, "hipErrorOutOfMemory", "size=b[0]*b[8]+*b[16]+")                                \
    X(hipMalloc3DArray, "hipErrorOutOfMemory", "size=b#*c[0]*c[8]+*c[16]+")                        \
    X(hipMallocArray, "hipErrorOutOfMemory", "size=b#*c*d+")                                       \
    X(hipMallocAsync, "hipErrorOutOfMemory", "size=b stream=c")                                    \
    X(hipMallocFromPoolAsync, "hipErrorOutOfMemory", "size=b stream=d")                            \
    X(hipMallocHost, "hipErrorOutOfMemory", "size=b")                                              \
    X(hipMallocManaged, "hipErrorOutOfMemory", "size=b")                                           \
    X(hipMallocMipmappedArray, "hipErrorOutOfMemory", "")                                          \
    X(hipMallocPitch, "hipErrorOutOfMemory", "size=c*d")                                           \
    X(hipMemAddressFree, "hipErrorInvalidValue", "size=b address=a")                               \
    X(hipMemAddressReserve, "hipErrorOutOfMemory", "size=b address=d")                             \
    X(hipMemAdvise, "hipErrorInvalidValue", "size=b address=a device=d")                           \
    X(hipMemAdvise_v2, "hipErrorLaunchFailure", "size=b address=a device=d>")                      \
    X(hipMemAllocHost, "hipErrorOutOfMemory", "size=b")                                            \
    X(hipMemAllocPitch, "hipErrorOutOfMemory", "size=c*d")                                         \
    X(hipMemCreate, "hipErrorOutOfMemory", "size=b device=c[12.4] handle=c[4.4]")                  \
    X(hipMemDiscardAndPrefetchBatchAsync, "hipErrorInvalidValue", "stream=h")                      \
    X(hipMemDiscardBatchAsync, "hipErrorInvalidValue", "stream=e")                                 \
    X(hipMemExportToShareableHandle, "hipErrorInvalidValue", "handle=c")                           \
    X(hipMemGetAccess, "hipErrorInvalidValue", "address=c")                                        \
    X(hipMemGetAddressRange, "hipErrorInvalidDevicePointer", "address=c")                          \
    X(hipMemGetAllocationGranularity, "hipErrorInvalidValue", "")                                  \
    X(hipMemGetAllocationPropertiesFromHandle, "hipErrorInvalidValue", "")                         \
    X(hipMemGetDefaultMemPool, "hipErrorInvalidValue", "")                                         \
    X(hipMemGetHandleForAddressRange, "hipErrorInvalidValue", "size=c address=b handle=d")         \
    X(hipMemGetInfo, "hipErrorInvalidDevice", "")                                                  \
    X(hipMemGetMemPool, "hipErrorInvalidValue", "")                                                \
    X(hipMemImportFromShareableHandle, "hipErrorInvalidValue", "handle=c")                         \
    X(hipMemMap, "hipErrorOutOfMemory", "size=b address=a")                                        \
    X(hipMemMapArrayAsync, "hipErrorInvalidValue", "stream=c")                                     \
    X(hipMemPoolCreate, "hipErrorInvalidValue", "device=b[12.4] handle=b[4.4]")                    \
    X(hipMemPoolDestroy, "hipErrorInvalidValue", "")                                               \
    X(hipMemPoolExportPointer, "hipErrorOutOfMemory", "address=b")                                 \
    X(hipMemPoolExportToShareableHandle, "hipErrorOutOfMemory", "handle=c")                        \
    X(hipMemPoolGetAccess, "hipErrorInvalidValue", "")                                             \
    X(hipMemPoolGetAttribute, "hipErrorInvalidValue", "")                                          \
    X(hipMemPoolImportFromShareableHandle, "hipErrorOutOfMemory", "handle=c")                      \
    X(hipMemPoolImportPointer, "hipErrorOutOfMemory", "")                                          \
    X(hipMemPoolSetAccess, "hipErrorInvalidValue", "")                                             \
    X(hipMemPoolSetAttribute, "hipErrorInvalidValue", "")                                          \
    X(hipMemPoolTrimTo, "hipErrorInvalidValue", "")                                                \
    X(hipMemPrefetchAsync, "hipErrorInvalidValue", "size=b address=a stream=d device=c")           \
    X(hipMemPrefetchAsync_v2, "hipErrorLaunchFailure", "size=b address=a stream=e device=c>")      \
    X(hipMemPrefetchBatchAsync, "hipErrorInvalidValue", "stream=h")                                \
    X(hipMemPtrGetInfo, "hipErrorInvalidValue", "address=a")                                       \
    X(hipMemRangeGetAttribute, "hipErrorInvalidValue", "address=d")                                \
    X(hipMemRangeGetAttributes, "hipErrorInvalidValue", "address=e")                               \
    X(hipMemRelease, "hipErrorInvalidValue", "")                                                   \
    X(hipMemRetainAllocationHandle, "hipErrorInvalidValue", "address=b")                           \
    X(hipMemSetAccess, "hipErrorInvalidValue", "size=b address=a")                                 \
    X(hipMemSetMemPool, "hipErrorInvalidValue", "")                                                \
    X(hipMemUnmap, "hipErrorInvalidValue", "size=b address=a")                                     \
    X(hipMemcpy, "hipErrorInvalidValue", "size=c address=a address=b")                             \
    X(hipMemcpy2D, "hipErrorInvalidDevicePointer", "size=e*f address=a address=c")                 \
    X(hipMemcpy2DArrayToArray, "hipErrorLaunchFailure", "size=g*h")                                \
    X(hipMemcpy2DAsync, "hipErrorInvalidDevicePointer", "size=e*f address=a address=c stream=h")   \
    X(hipMemcpy2DAsync_spt, "hipErrorInvalidDevicePointer",                                        \
      "size=e*f address=a address=c stream=h")                                                     \
    X(hipMemcpy2DFromArray, "hipErrorInvalidDevicePointer", "size=f*g address=a")                  \
    X(hipMemcpy2DFromArrayAsync, "hipErrorInvalidDevicePointer", "size=f*g address=a stream=i")    \
    X(hipMemcpy2DFromArrayAsync_spt, "hipErrorInvalidDevicePointer",                               \
      "size=f*g address=a stream=i")                                                               \
    X(hipMemcpy2DFromArray_spt, "hipErrorInvalidDevicePointer", "size=f*g address=a")              \
    X(hipMemcpy2DToArray, "hipErrorInvalidDevicePointer", "size=f*g address=d")                    \
    X(hipMemcpy2DToArrayAsync, "hipErrorInvalidDevicePointer", "size=f*g address=d stream=i")      \
    X(hipMemcpy2DToArrayAsync_spt, "hipErrorInvalidDevicePointer", "size=f*g address=d stream=i")  \
    X(hipMemcpy2DToArray_spt, "hipErrorInvalidDevicePointer", "size=f*g address=d")                \
    X(hipMemcpy2D_spt, "hipErrorInvalidDevicePointer", "size=e*f address=a address=c")             \
    X(hipMemcpy3D, "hipErrorInvalidDevicePointer",                                                 \
      "size=a[128]*a[136]*a[144] address=a[96] address=a[32]")                                     \
    X(hipMemcpy3DAsync, "hipErrorInvalidDevicePointer",                                            \
      "size=a[128]*a[136]*a[144] address=a[96] address=a[32] stream=b")                            \
    X(hipMemcpy3DAsync_spt, "hipErrorInvalidDevicePointer", "stream=b")                            \
    X(hipMemcpy3DBatchAsync, "hipErrorLaunchFailure", "stream=e")                                  \
    X(hipMemcpy3DPeer, "hipErrorLaunchFailure",                                                    \
      "size=a[144]*a[152]*a[160] address=a[104] address=a[32]")                                    \
    X(hipMemcpy3DPeerAsync, "hipErrorLaunchFailure",                                               \
      "size=a[144]*a[152]*a[160] address=a[104] address=a[32] stream=b")                           \
    X(hipMemcpy3D_spt, "hipErrorInvalidDevicePointer", "")                                         \
    X(hipMemcpyAsync, "hipErrorUnknown", "size=c address=a address=b stream=e")                    \
    X(hipMemcpyAsync_spt, "hipErrorUnknown", "size=c address=a address=b stream=e")                \
    X(hipMemcpyAtoA, "hipErrorLaunchFailure", "size=e")                                            \
    X(hipMemcpyAtoD, "hipErrorLaunchFailure", "size=d address=a")                                  \
    X(hipMemcpyAtoH, "hipErrorInvalidDevicePointer", "size=d address=a")                           \
    X(hipMemcpyAtoHAsync, "hipErrorLaunchFailure", "size=d stream=e")                              \
    X(hipMemcpyBatchAsync, "hipErrorLaunchFailure", "stream=i")                                    \
    X(hipMemcpyDtoA, "hipErrorLaunchFailure", "size=d address=c")                                  \
    X(hipMemcpyDtoD, "hipErrorInvalidContext", "size=c address=a address=b")                       \
    X(hipMemcpyDtoDAsync, "hipErrorInvalidContext", "size=c address=a address=b stream=d")         \
    X(hipMemcpyDtoH, "hipErrorInvalidContext", "size=c address=a address=b")                       \
    X(hipMemcpyDtoHAsync, "hipErrorInvalidContext", "size=c address=a address=b stream=d")         \
    X(hipMemcpyFromArray, "hipErrorInvalidDevicePointer", "size=e address=a")                      \
    X(hipMemcpyFromArray_spt, "hipErrorInvalidDevicePointer", "size=e address=a")                  \
    X(hipMemcpyFromSymbol, "hipErrorInvalidValue", "size=c address=a")                             \
    X(hipMemcpyFromSymbolAsync, "hipErrorInvalidValue", "size=c address=a stream=f")               \
    X(hipMemcpyFromSymbolAsync_spt, "hipErrorInvalidValue", "size=c address=a stream=f")           \
    X(hipMemcpyFromSymbol_spt, "hipErrorInvalidValue", "size=c address=a")                         \
    X(hipMemcpyHtoA, "hipErrorInvalidDevicePointer", "size=d")                                     \
    X(hipMemcpyHtoAAsync, "hipErrorLaunchFailure", "size=d stream=e")                              \
    X(hipMemcpyHtoD, "hipErrorInvalidContext", "size=c address=a address=b")                       \
    X(hipMemcpyHtoDAsync, "hipErrorInvalidContext", "size=c address=a address=b stream=d")         \
    X(hipMemcpyParam2D, "hipErrorInvalidDevicePointer",                                            \
      "size=a[112]*a[120] address=a[88] address=a[32]")                                            \
    X(hipMemcpyParam2DAsync, "hipErrorInvalidDevicePointer",                                       \
      "size=a[112]*a[120] address=a[88] address=a[32] stream=b")                                   \
    X(hipMemcpyPeer, "hipErrorInvalidDevice", "size=e address=a address=c device=b")               \
    X(hipMemcpyPeerAsync, "hipErrorInvalidDevice", "size=e address=a address=c stream=f device=b") \
    X(hipMemcpyToArray, "hipErrorInvalidDevicePointer", "size=e address=d")                        \
    X(hipMemcpyToSymbol, "hipErrorInvalidValue", "size=c address=b")                               \
    X(hipMemcpyToSymbolAsync, "hipErrorInvalidValue", "size=c address=b stream=f")                 \
    X(hipMemcpyToSymbolAsync_spt, "hipErrorInvalidValue", "size=c address=b stream=f")             \
    X(hipMemcpyToSymbol_spt, "hipErrorInvalidValue", "size=c address=b")                           \
    X(hipMemcpyWithStream, "hipErrorOutOfMemory", "size=c address=a address=b stream=e")           \
    X(hipMemcpy_spt, "hipErrorInvalidValue", "size=c address=a address=b")                         \
    X(hipMemset, "hipErrorInvalidValue", "size=c address=a")                                       \
    X(hipMemset2D, "hipErrorInvalidValue", "size=d*e address=a")                                   \
    X(hipMemset2DAsync, "hipErrorInvalidValue", "size=d*e address=a stream=f")                     \
    X(hipMemset2DAsync_spt, "hipErrorInvalidValue", "size=d*e address=a stream=f")                 \
    X(hipMemset2D_spt, "hipErrorInvalidValue", "size=d*e address=a")                               \
    X(hipMemset3D, "hipErrorInvalidValue", "size=c[0]*c[8]*c[16] address=a[0]")                    \
    X(hipMemset3DAsync, "hipErrorInvalidValue", "size=c[0]*c[8]*c[16] address=a[0] stream=d")      \
    X(hipMemset3DAsync_spt, "hipErrorInvalidValue", "address=a[0] stream=d")                       \
    X(hipMemset3D_spt, "hipErrorInvalidValue", "address=a[0]")                                     \
    X(hipMemsetAsync, "hipErrorInvalidValue", "size=c address=a stream=d")                         \
    X(hipMemsetAsync_spt, "hipErrorInvalidValue", "size=c address=a stream=d")                     \
    X(hipMemsetD16, "hipErrorInvalidValue", "size=c*2 address=a")                                  \
    X(hipMemsetD16Async, "hipErrorInvalidValue", "size=c*2 address=a stream=d")                    \
    X(hipMemsetD2D16, "hipErrorLaunchFailure", "size=d*2*e address=a")                             \
    X(hipMemsetD2D16Async, "hipErrorLaunchFailure", "size=d*2*e address=a stream=f")               \
    X(hipMemsetD2D32, "hipErrorLaunchFailure", "size=d*4*e address=a")                             \
    X(hipMemsetD2D32Async, "hipErrorLaunchFailure", "size=d*4*e address=a stream=f")               \
    X(hipMemsetD2D8, "hipErrorLaunchFailure", "size=d*e address=a")                                \
    X(hipMemsetD2D8Async, "hipErrorLaunchFailure", "size=d*e address=a stream=f")                  \
    X(hipMemsetD32, "hipErrorInvalidValue", "size=c*4 address=a")                                  \
    X(hipMemsetD32Async, "hipErrorInvalidValue", "size=c*4 address=a stream=d")                    \
    X(hipMemsetD8, "hipErrorInvalidValue", "size=c address=a")                                     \
    X(hipMemsetD8Async, "hipErrorInvalidValue", "size=c address=a stream=d")                       \
    X(hipMemset_spt, "hipErrorInvalidValue", "size=c address=a")                                   \
    X(hipMipmappedArrayCreate, "hipErrorOutOfMemory", "")                                          \
    X(hipMipmappedArrayDestroy, "hipErrorLaunchFailure", "")                                       \
    X(hipMipmappedArrayGetLevel, "hipErrorLaunchFailure", "")                                      \
    X(hipModuleGetFunction, "hipErrorNotFound", "")                                                \
    X(hipModuleGetFunctionCount, "hipErrorInvalidHandle", "")                                      \
    X(hipModuleGetGlobal, "hipErrorNotFound", "")                                                  \
    X(hipModuleLaunchCooperativeKernel, "hipErrorOutOfMemory", "stream=i")                         \
    X(hipModuleLaunchKernel, "hipErrorInvalidValue", "stream=i")                                   \
    X(hipModuleLoad, "hipErrorOutOfMemory", "")                                                    \
    X(hipModuleLoadData, "hipErrorOutOfMemory", "")                                                \
    X(hipModuleLoadDataEx, "hipErrorOutOfMemory", "")                                              \
    X(hipModuleLoadFatBinary, "hipErrorOutOfMemory", "")                                           \
    X(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, "hipErrorInvalidValue", "")              \
    X(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, "hipErrorInvalidValue", "")     \
    X(hipModuleOccupancyMaxPotentialBlockSize, "hipErrorInvalidValue", "")                         \
    X(hipModuleOccupancyMaxPotentialBlockSizeWithFlags, "hipErrorInvalidValue", "")                \
    X(hipModuleUnload, "hipErrorLaunchFailure", "")                                                \
    X(hipOccupancyAvailableDynamicSMemPerBlock, "hipErrorLaunchFailure", "")                       \
    X(hipOccupancyMaxActiveBlocksPerMultiprocessor, "hipErrorLaunchFailure", "")                   \
    X(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, "hipErrorLaunchFailure", "")          \
    X(hipOccupancyMaxPotentialBlockSize, "hipErrorInvalidValue", "")                               \
    X(hipPeekAtLastError, "-", "")                                                                 \
    X(hipPointerGetAttribute, "hipErrorInvalidDevice", "address=c")                                \
    X(hipPointerGetAttributes, "hipErrorInvalidDevice", "address=b")                               \
    X(hipPointerSetAttribute, "hipErrorLaunchFailure", "address=c")                                \
    X(hipProfilerStart, "hipErrorInvalidValue", "")                                                \
    X(hipProfilerStop, "hipErrorInvalidValue", "")                                                 \
    X(hipRuntimeGetVersion, "hipErrorInvalidValue", "")                                            \
    X(hipSetDevice, "hipErrorInvalidDevice", "device=a")                                           \
    X(hipSetDeviceFlags, "hipErrorInvalidDevice", "")                                              \
    X(hipStreamAddCallback, "hipErrorInvalidHandle", "stream=a")                                   \
    X(hipStreamAddCallback_spt, "hipErrorInvalidHandle", "stream=a")                               \
    X(hipStreamAttachMemAsync, "hipErrorInvalidValue", "size=c address=b stream=a")                \
    X(hipStreamBatchMemOp, "hipErrorLaunchFailure", "stream=a")                                    \
    X(hipStreamBeginCapture, "hipErrorInvalidValue", "stream=a")                                   \
    X(hipStreamBeginCaptureToGraph, "hipErrorLaunchFailure", "stream=a")                           \
    X(hipStreamBeginCapture_spt, "hipErrorInvalidValue", "stream=a")                               \
    X(hipStreamCopyAttributes, "hipErrorLaunchFailure", "stream=a stream=b")                       \
    X(hipStreamCreate, "hipErrorInvalidValue", "")                                                 \
    X(hipStreamCreateWithFlags, "hipErrorInvalidValue", "")                                        \
    X(hipStreamCreateWithPriority, "hipErrorInvalidValue", "")                                     \
    X(hipStreamDestroy, "hipErrorInvalidHandle", "stream=a")                                       \
    X(hipStreamEndCapture, "hipErrorInvalidValue", "stream=a")                                     \
    X(hipStreamEndCapture_spt, "hipErrorInvalidValue", "stream=a")                                 \
    X(hipStreamGetAttribute, "hipErrorLaunchFailure", "stream=a")                                  \
    X(hipStreamGetCaptureInfo, "hipErrorStreamCaptureImplicit", "stream=a")                        \
    X(hipStreamGetCaptureInfo_spt, "hipErrorStreamCaptureImplicit", "stream=a")                    \
    X(hipStreamGetCaptureInfo_v2, "hipErrorInvalidValue", "stream=a")                              \
    X(hipStreamGetCaptureInfo_v2_spt, "hipErrorInvalidValue", "stream=a")                          \
    X(hipStreamGetDevice, "hipErrorLaunchFailure", "stream=a")                                     \
    X(hipStreamGetFlags, "hipErrorInvalidHandle", "stream=a")                                      \
    X(hipStreamGetFlags_spt, "hipErrorInvalidHandle", "stream=a")                                  \
    X(hipStreamGetId, "hipErrorLaunchFailure", "stream=a")                                         \
    X(hipStreamGetPriority, "hipErrorInvalidHandle", "stream=a")                                   \
    X(hipStreamGetPriority_spt, "hipErrorInvalidHandle", "stream=a")                               \
    X(hipStreamIsCapturing, "hipErrorInvalidValue", "stream=a")                                    \
    X(hipStreamIsCapturing_spt, "hipErrorInvalidValue", "stream=a")                                \
    X(hipStreamQuery, "hipErrorInvalidHandle", "stream=a")                                         \
    X(hipStreamQuery_spt, "hipErrorInvalidHandle", "stream=a")                                     \
    X(hipStreamSetAttribute, "hipErrorLaunchFailure", "stream=a")                                  \
    X(hipStreamSynchronize, "hipErrorInvalidHandle", "stream=a")                                   \
    X(hipStreamSynchronize_spt, "hipErrorInvalidHandle", "stream=a")                               \
    X(hipStreamUpdateCaptureDependencies, "hipErrorInvalidValue", "stream=a")                      \
    X(hipStreamWaitEvent, "hipErrorInvalidHandle", "stream=a")                                     \
    X(hipStreamWaitEvent_spt, "hipErrorInvalidHandle", "stream=a")                                 \
    X(hipStreamWaitValue32, "hipErrorInvalidValue", "address=b stream=a")                          \
    X(hipStreamWaitValue64, "hipErrorInvalidValue", "address=b stream=a")                          \
    X(hipStreamWriteValue32, "hipErrorInvalidValue", "address=b stream=a")                         \
    X(hipStreamWriteValue64, "hipErrorInvalidValue", "address=b stream=a")                         \
    X(hipThreadExchangeStreamCaptureMode, "hipErrorInvalidValue", "")                              \
    X(hipUserObjectCreate, "hipErrorInvalidValue", "address=b")                                    \
    X(hipUserObjectRelease, "hipErrorInvalidValue", "")                                            \
    X(hipUserObjectRetain, "hipErrorInvalidValue", "")
