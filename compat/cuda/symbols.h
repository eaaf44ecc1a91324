// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's driver, as a list. absent.c has a weak definition of each, which a file that
// implements the function replaces, and the table for lookups by name and version.
#pragma once

// The formatter would put one name of such a list on a line.
// clang-format off

// X(base name, suffix, version of CUDA that introduced it) for each function. Z is a function with a
// second form for the stream of the thread, whose name ends with _ptsz; D the same with _ptds. The
// second forms exist since version 7.0.
#define TN_CUDA_LIST(X, Z, D)                                                                      \
    X(cuArray3DCreate,, 2000) X(cuArray3DCreate, _v2, 3020) X(cuArray3DGetDescriptor,, 2000)       \
    X(cuArray3DGetDescriptor, _v2, 3020) X(cuArrayCreate,, 2000) X(cuArrayCreate, _v2, 3020)       \
    X(cuArrayDestroy,, 2000) X(cuArrayGetDescriptor,, 2000) X(cuArrayGetDescriptor, _v2, 3020)     \
    X(cuArrayGetMemoryRequirements,, 11060) X(cuArrayGetPlane,, 11020)                             \
    X(cuArrayGetSparseProperties,, 11010) X(cuCheckpointProcessCheckpoint,, 12080)                 \
    X(cuCheckpointProcessGetRestoreThreadId,, 12080) X(cuCheckpointProcessGetState,, 12080)        \
    X(cuCheckpointProcessLock,, 12080) X(cuCheckpointProcessRestore,, 12080)                       \
    X(cuCheckpointProcessUnlock,, 12080) X(cuCoredumpGetAttribute,, 12010)                         \
    X(cuCoredumpGetAttributeGlobal,, 12010) X(cuCoredumpSetAttribute,, 12010)                      \
    X(cuCoredumpSetAttributeGlobal,, 12010) X(cuCtxAttach,, 2000) X(cuCtxCreate,, 2000)            \
    X(cuCtxCreate, _v2, 3020) X(cuCtxCreate, _v3, 11040) X(cuCtxCreate, _v4, 12050)                \
    X(cuCtxDestroy,, 2000) X(cuCtxDestroy, _v2, 4000) X(cuCtxDetach,, 2000)                        \
    X(cuCtxDisablePeerAccess,, 4000) X(cuCtxEnablePeerAccess,, 4000) X(cuCtxFromGreenCtx,, 12040)  \
    X(cuCtxGetApiVersion,, 3020) X(cuCtxGetCacheConfig,, 3020) X(cuCtxGetCurrent,, 4000)           \
    X(cuCtxGetDevResource,, 12040) X(cuCtxGetDevice,, 2000) X(cuCtxGetDevice, _v2, 13000)          \
    X(cuCtxGetExecAffinity,, 11040) X(cuCtxGetFlags,, 7000) X(cuCtxGetId,, 12000)                  \
    X(cuCtxGetLimit,, 3010) X(cuCtxGetSharedMemConfig,, 4020)                                      \
    X(cuCtxGetStreamPriorityRange,, 5050) X(cuCtxPopCurrent,, 2000) X(cuCtxPopCurrent, _v2, 4000)  \
    X(cuCtxPushCurrent,, 2000) X(cuCtxPushCurrent, _v2, 4000) X(cuCtxRecordEvent,, 12050)          \
    X(cuCtxResetPersistingL2Cache,, 11000) X(cuCtxSetCacheConfig,, 3020) X(cuCtxSetCurrent,, 4000) \
    X(cuCtxSetFlags,, 12010) X(cuCtxSetLimit,, 3010) X(cuCtxSetSharedMemConfig,, 4020)             \
    X(cuCtxSynchronize,, 2000) X(cuCtxSynchronize, _v2, 13000) X(cuCtxWaitEvent,, 12050)           \
    X(cuDestroyExternalMemory,, 10000) X(cuDestroyExternalSemaphore,, 10000)                       \
    X(cuDevResourceGenerateDesc,, 12040) X(cuDevSmResourceSplitByCount,, 12040)                    \
    X(cuDeviceCanAccessPeer,, 4000) X(cuDeviceComputeCapability,, 2000) X(cuDeviceGet,, 2000)      \
    X(cuDeviceGetAttribute,, 2000) X(cuDeviceGetByPCIBusId,, 4010) X(cuDeviceGetCount,, 2000)      \
    X(cuDeviceGetDefaultMemPool,, 11020) X(cuDeviceGetDevResource,, 12040)                         \
    X(cuDeviceGetExecAffinitySupport,, 11040) X(cuDeviceGetGraphMemAttribute,, 11040)              \
    X(cuDeviceGetHostAtomicCapabilities,, 13000) X(cuDeviceGetLuid,, 10000)                        \
    X(cuDeviceGetMemPool,, 11020) X(cuDeviceGetName,, 2000)                                        \
    X(cuDeviceGetNvSciSyncAttributes,, 10020) X(cuDeviceGetP2PAtomicCapabilities,, 13000)          \
    X(cuDeviceGetP2PAttribute,, 8000) X(cuDeviceGetPCIBusId,, 4010)                                \
    X(cuDeviceGetProperties,, 2000) X(cuDeviceGetTexture1DLinearMaxWidth,, 11010)                  \
    X(cuDeviceGetUuid,, 9020) X(cuDeviceGetUuid, _v2, 11040) X(cuDeviceGraphMemTrim,, 11040)       \
    X(cuDevicePrimaryCtxGetState,, 7000) X(cuDevicePrimaryCtxRelease,, 7000)                       \
    X(cuDevicePrimaryCtxRelease, _v2, 11000) X(cuDevicePrimaryCtxReset,, 7000)                     \
    X(cuDevicePrimaryCtxReset, _v2, 11000) X(cuDevicePrimaryCtxRetain,, 7000)                      \
    X(cuDevicePrimaryCtxSetFlags,, 7000) X(cuDevicePrimaryCtxSetFlags, _v2, 11000)                 \
    X(cuDeviceRegisterAsyncNotification,, 12040) X(cuDeviceSetGraphMemAttribute,, 11040)           \
    X(cuDeviceSetMemPool,, 11020) X(cuDeviceTotalMem,, 2000) X(cuDeviceTotalMem, _v2, 3020)        \
    X(cuDeviceUnregisterAsyncNotification,, 12040) X(cuDriverGetVersion,, 2020)                    \
    X(cuEventCreate,, 2000) X(cuEventDestroy,, 2000) X(cuEventDestroy, _v2, 4000)                  \
    X(cuEventElapsedTime,, 2000) X(cuEventElapsedTime, _v2, 12080) X(cuEventQuery,, 2000)          \
    Z(cuEventRecord,, 2000) Z(cuEventRecordWithFlags,, 11010) X(cuEventSynchronize,, 2000)         \
    X(cuExternalMemoryGetMappedBuffer,, 10000) X(cuExternalMemoryGetMappedMipmappedArray,, 10000)  \
    X(cuFlushGPUDirectRDMAWrites,, 11030) X(cuFuncGetAttribute,, 2020) X(cuFuncGetModule,, 11000)  \
    X(cuFuncGetName,, 12030) X(cuFuncGetParamInfo,, 12040) X(cuFuncIsLoaded,, 12040)               \
    X(cuFuncLoad,, 12040) X(cuFuncSetAttribute,, 9000) X(cuFuncSetBlockShape,, 2000)               \
    X(cuFuncSetCacheConfig,, 3000) X(cuFuncSetSharedMemConfig,, 4020)                              \
    X(cuFuncSetSharedSize,, 2000) X(cuGetErrorName,, 6000) X(cuGetErrorString,, 6000)              \
    X(cuGetExportTable,, 3000) X(cuGetProcAddress,, 11030) X(cuGetProcAddress, _v2, 12000)         \
    X(cuGraphAddBatchMemOpNode,, 11070) X(cuGraphAddChildGraphNode,, 10000)                        \
    X(cuGraphAddDependencies,, 10000) X(cuGraphAddDependencies, _v2, 12030)                        \
    X(cuGraphAddEmptyNode,, 10000) X(cuGraphAddEventRecordNode,, 11010)                            \
    X(cuGraphAddEventWaitNode,, 11010) X(cuGraphAddExternalSemaphoresSignalNode,, 11020)           \
    X(cuGraphAddExternalSemaphoresWaitNode,, 11020) X(cuGraphAddHostNode,, 10000)                  \
    X(cuGraphAddKernelNode,, 10000) X(cuGraphAddKernelNode, _v2, 12000)                            \
    X(cuGraphAddMemAllocNode,, 11040) X(cuGraphAddMemFreeNode,, 11040)                             \
    X(cuGraphAddMemcpyNode,, 10000) X(cuGraphAddMemsetNode,, 10000) X(cuGraphAddNode,, 12020)      \
    X(cuGraphAddNode, _v2, 12030) X(cuGraphBatchMemOpNodeGetParams,, 11070)                        \
    X(cuGraphBatchMemOpNodeSetParams,, 11070) X(cuGraphChildGraphNodeGetGraph,, 10000)             \
    X(cuGraphClone,, 10000) X(cuGraphConditionalHandleCreate,, 12030) X(cuGraphCreate,, 10000)     \
    X(cuGraphDebugDotPrint,, 11030) X(cuGraphDestroy,, 10000) X(cuGraphDestroyNode,, 10000)        \
    X(cuGraphEventRecordNodeGetEvent,, 11010) X(cuGraphEventRecordNodeSetEvent,, 11010)            \
    X(cuGraphEventWaitNodeGetEvent,, 11010) X(cuGraphEventWaitNodeSetEvent,, 11010)                \
    X(cuGraphExecBatchMemOpNodeSetParams,, 11070) X(cuGraphExecChildGraphNodeSetParams,, 11010)    \
    X(cuGraphExecDestroy,, 10000) X(cuGraphExecEventRecordNodeSetEvent,, 11010)                    \
    X(cuGraphExecEventWaitNodeSetEvent,, 11010)                                                    \
    X(cuGraphExecExternalSemaphoresSignalNodeSetParams,, 11020)                                    \
    X(cuGraphExecExternalSemaphoresWaitNodeSetParams,, 11020) X(cuGraphExecGetFlags,, 12000)       \
    X(cuGraphExecHostNodeSetParams,, 10020) X(cuGraphExecKernelNodeSetParams,, 10010)              \
    X(cuGraphExecKernelNodeSetParams, _v2, 12000) X(cuGraphExecMemcpyNodeSetParams,, 10020)        \
    X(cuGraphExecMemsetNodeSetParams,, 10020) X(cuGraphExecNodeSetParams,, 12020)                  \
    X(cuGraphExecUpdate,, 10020) X(cuGraphExecUpdate, _v2, 12000)                                  \
    X(cuGraphExternalSemaphoresSignalNodeGetParams,, 11020)                                        \
    X(cuGraphExternalSemaphoresSignalNodeSetParams,, 11020)                                        \
    X(cuGraphExternalSemaphoresWaitNodeGetParams,, 11020)                                          \
    X(cuGraphExternalSemaphoresWaitNodeSetParams,, 11020) X(cuGraphGetEdges,, 10000)               \
    X(cuGraphGetEdges, _v2, 12030) X(cuGraphGetNodes,, 10000) X(cuGraphGetRootNodes,, 10000)       \
    X(cuGraphHostNodeGetParams,, 10000) X(cuGraphHostNodeSetParams,, 10000)                        \
    X(cuGraphInstantiate,, 10000) X(cuGraphInstantiate, _v2, 11000)                                \
    X(cuGraphInstantiateWithFlags,, 11040) Z(cuGraphInstantiateWithParams,, 12000)                 \
    X(cuGraphKernelNodeCopyAttributes,, 11000) X(cuGraphKernelNodeGetAttribute,, 11000)            \
    X(cuGraphKernelNodeGetParams,, 10000) X(cuGraphKernelNodeGetParams, _v2, 12000)                \
    X(cuGraphKernelNodeSetAttribute,, 11000) X(cuGraphKernelNodeSetParams,, 10000)                 \
    X(cuGraphKernelNodeSetParams, _v2, 12000) Z(cuGraphLaunch,, 10000)                             \
    X(cuGraphMemAllocNodeGetParams,, 11040) X(cuGraphMemFreeNodeGetParams,, 11040)                 \
    X(cuGraphMemcpyNodeGetParams,, 10000) X(cuGraphMemcpyNodeSetParams,, 10000)                    \
    X(cuGraphMemsetNodeGetParams,, 10000) X(cuGraphMemsetNodeSetParams,, 10000)                    \
    X(cuGraphNodeFindInClone,, 10000) X(cuGraphNodeGetDependencies,, 10000)                        \
    X(cuGraphNodeGetDependencies, _v2, 12030) X(cuGraphNodeGetDependentNodes,, 10000)              \
    X(cuGraphNodeGetDependentNodes, _v2, 12030) X(cuGraphNodeGetEnabled,, 11060)                   \
    X(cuGraphNodeGetType,, 10000) X(cuGraphNodeSetEnabled,, 11060) X(cuGraphNodeSetParams,, 12020) \
    X(cuGraphReleaseUserObject,, 11030) X(cuGraphRemoveDependencies,, 10000)                       \
    X(cuGraphRemoveDependencies, _v2, 12030) X(cuGraphRetainUserObject,, 11030)                    \
    Z(cuGraphUpload,, 11010) Z(cuGraphicsMapResources,, 3000)                                      \
    X(cuGraphicsResourceGetMappedMipmappedArray,, 5000)                                            \
    X(cuGraphicsResourceGetMappedPointer,, 3000) X(cuGraphicsResourceGetMappedPointer, _v2, 3020)  \
    X(cuGraphicsResourceSetMapFlags,, 3000) X(cuGraphicsResourceSetMapFlags, _v2, 6050)            \
    X(cuGraphicsSubResourceGetMappedArray,, 3000) Z(cuGraphicsUnmapResources,, 3000)               \
    X(cuGraphicsUnregisterResource,, 3000) X(cuGreenCtxCreate,, 12040)                             \
    X(cuGreenCtxDestroy,, 12040) X(cuGreenCtxGetDevResource,, 12040) X(cuGreenCtxGetId,, 12090)    \
    X(cuGreenCtxRecordEvent,, 12040) X(cuGreenCtxStreamCreate,, 12050)                             \
    X(cuGreenCtxWaitEvent,, 12040) X(cuImportExternalMemory,, 10000)                               \
    X(cuImportExternalSemaphore,, 10000) X(cuInit,, 2000) X(cuIpcCloseMemHandle,, 4010)            \
    X(cuIpcGetEventHandle,, 4010) X(cuIpcGetMemHandle,, 4010) X(cuIpcOpenEventHandle,, 4010)       \
    X(cuIpcOpenMemHandle,, 4010) X(cuIpcOpenMemHandle, _v2, 11000) X(cuKernelGetAttribute,, 12000) \
    X(cuKernelGetFunction,, 12000) X(cuKernelGetLibrary,, 12050) X(cuKernelGetName,, 12030)        \
    X(cuKernelGetParamInfo,, 12040) X(cuKernelSetAttribute,, 12000)                                \
    X(cuKernelSetCacheConfig,, 12000) X(cuLaunch,, 2000) Z(cuLaunchCooperativeKernel,, 9000)       \
    X(cuLaunchCooperativeKernelMultiDevice,, 9000) X(cuLaunchGrid,, 2000)                          \
    X(cuLaunchGridAsync,, 2000) Z(cuLaunchHostFunc,, 10000) Z(cuLaunchKernel,, 4000)               \
    Z(cuLaunchKernelEx,, 11060) X(cuLibraryEnumerateKernels,, 12040) X(cuLibraryGetGlobal,, 12000) \
    X(cuLibraryGetKernel,, 12000) X(cuLibraryGetKernelCount,, 12040)                               \
    X(cuLibraryGetManaged,, 12000) X(cuLibraryGetModule,, 12000)                                   \
    X(cuLibraryGetUnifiedFunction,, 12000) X(cuLibraryLoadData,, 12000)                            \
    X(cuLibraryLoadFromFile,, 12000) X(cuLibraryUnload,, 12000) X(cuLinkAddData,, 5050)            \
    X(cuLinkAddData, _v2, 6050) X(cuLinkAddFile,, 5050) X(cuLinkAddFile, _v2, 6050)                \
    X(cuLinkComplete,, 5050) X(cuLinkCreate,, 5050) X(cuLinkCreate, _v2, 6050)                     \
    X(cuLinkDestroy,, 5050) X(cuLogsCurrent,, 12090) X(cuLogsDumpToFile,, 12090)                   \
    X(cuLogsDumpToMemory,, 12090) X(cuLogsRegisterCallback,, 12090)                                \
    X(cuLogsUnregisterCallback,, 12090) X(cuMemAddressFree,, 10020) X(cuMemAddressReserve,, 10020) \
    X(cuMemAdvise,, 8000) X(cuMemAdvise, _v2, 12020) X(cuMemAlloc,, 2000) X(cuMemAlloc, _v2, 3020) \
    Z(cuMemAllocAsync,, 11020) Z(cuMemAllocFromPoolAsync,, 11020) X(cuMemAllocHost,, 2000)         \
    X(cuMemAllocHost, _v2, 3020) X(cuMemAllocManaged,, 6000) X(cuMemAllocPitch,, 2000)             \
    X(cuMemAllocPitch, _v2, 3020) Z(cuMemBatchDecompressAsync,, 12060) X(cuMemCreate,, 10020)      \
    Z(cuMemDiscardAndPrefetchBatchAsync,, 13000) Z(cuMemDiscardBatchAsync,, 13000)                 \
    X(cuMemExportToShareableHandle,, 10020) X(cuMemFree,, 2000) X(cuMemFree, _v2, 3020)            \
    Z(cuMemFreeAsync,, 11020) X(cuMemFreeHost,, 2000) X(cuMemGetAccess,, 10020)                    \
    X(cuMemGetAddressRange,, 2000) X(cuMemGetAddressRange, _v2, 3020)                              \
    X(cuMemGetAllocationGranularity,, 10020) X(cuMemGetAllocationPropertiesFromHandle,, 10020)     \
    X(cuMemGetDefaultMemPool,, 13000) X(cuMemGetHandleForAddressRange,, 11070)                     \
    X(cuMemGetInfo,, 2000) X(cuMemGetInfo, _v2, 3020) X(cuMemGetMemPool,, 13000)                   \
    X(cuMemHostAlloc,, 2020) X(cuMemHostGetDevicePointer,, 2020)                                   \
    X(cuMemHostGetDevicePointer, _v2, 3020) X(cuMemHostGetFlags,, 2030)                            \
    X(cuMemHostRegister,, 4000) X(cuMemHostRegister, _v2, 6050) X(cuMemHostUnregister,, 4000)      \
    X(cuMemImportFromShareableHandle,, 10020) X(cuMemMap,, 10020) Z(cuMemMapArrayAsync,, 11010)    \
    X(cuMemPoolCreate,, 11020) X(cuMemPoolDestroy,, 11020) X(cuMemPoolExportPointer,, 11020)       \
    X(cuMemPoolExportToShareableHandle,, 11020) X(cuMemPoolGetAccess,, 11020)                      \
    X(cuMemPoolGetAttribute,, 11020) X(cuMemPoolImportFromShareableHandle,, 11020)                 \
    X(cuMemPoolImportPointer,, 11020) X(cuMemPoolSetAccess,, 11020)                                \
    X(cuMemPoolSetAttribute,, 11020) X(cuMemPoolTrimTo,, 11020) Z(cuMemPrefetchAsync,, 8000)       \
    Z(cuMemPrefetchAsync, _v2, 12020) Z(cuMemPrefetchBatchAsync,, 13000)                           \
    X(cuMemRangeGetAttribute,, 8000) X(cuMemRangeGetAttributes,, 8000) X(cuMemRelease,, 10020)     \
    X(cuMemRetainAllocationHandle,, 11000) X(cuMemSetAccess,, 10020) X(cuMemSetMemPool,, 13000)    \
    X(cuMemUnmap,, 10020) D(cuMemcpy,, 4000) X(cuMemcpy2D,, 2000) D(cuMemcpy2D, _v2, 3020)         \
    X(cuMemcpy2DAsync,, 2000) Z(cuMemcpy2DAsync, _v2, 3020) X(cuMemcpy2DUnaligned,, 2000)          \
    D(cuMemcpy2DUnaligned, _v2, 3020) X(cuMemcpy3D,, 2000) D(cuMemcpy3D, _v2, 3020)                \
    X(cuMemcpy3DAsync,, 2000) Z(cuMemcpy3DAsync, _v2, 3020) Z(cuMemcpy3DBatchAsync,, 12080)        \
    Z(cuMemcpy3DBatchAsync, _v2, 13000) D(cuMemcpy3DPeer,, 4000) Z(cuMemcpy3DPeerAsync,, 4000)     \
    Z(cuMemcpyAsync,, 4000) X(cuMemcpyAtoA,, 2000) D(cuMemcpyAtoA, _v2, 3020)                      \
    X(cuMemcpyAtoD,, 2000) D(cuMemcpyAtoD, _v2, 3020) X(cuMemcpyAtoH,, 2000)                       \
    D(cuMemcpyAtoH, _v2, 3020) X(cuMemcpyAtoHAsync,, 2000) Z(cuMemcpyAtoHAsync, _v2, 3020)         \
    Z(cuMemcpyBatchAsync,, 12080) Z(cuMemcpyBatchAsync, _v2, 13000) X(cuMemcpyDtoA,, 2000)         \
    D(cuMemcpyDtoA, _v2, 3020) X(cuMemcpyDtoD,, 2000) D(cuMemcpyDtoD, _v2, 3020)                   \
    X(cuMemcpyDtoDAsync,, 3000) Z(cuMemcpyDtoDAsync, _v2, 3020) X(cuMemcpyDtoH,, 2000)             \
    D(cuMemcpyDtoH, _v2, 3020) X(cuMemcpyDtoHAsync,, 2000) Z(cuMemcpyDtoHAsync, _v2, 3020)         \
    X(cuMemcpyHtoA,, 2000) D(cuMemcpyHtoA, _v2, 3020) X(cuMemcpyHtoAAsync,, 2000)                  \
    Z(cuMemcpyHtoAAsync, _v2, 3020) X(cuMemcpyHtoD,, 2000) D(cuMemcpyHtoD, _v2, 3020)              \
    X(cuMemcpyHtoDAsync,, 2000) Z(cuMemcpyHtoDAsync, _v2, 3020) D(cuMemcpyPeer,, 4000)             \
    Z(cuMemcpyPeerAsync,, 4000) X(cuMemsetD16,, 2000) D(cuMemsetD16, _v2, 3020)                    \
    Z(cuMemsetD16Async,, 3020) X(cuMemsetD2D16,, 2000) D(cuMemsetD2D16, _v2, 3020)                 \
    Z(cuMemsetD2D16Async,, 3020) X(cuMemsetD2D32,, 2000) D(cuMemsetD2D32, _v2, 3020)               \
    Z(cuMemsetD2D32Async,, 3020) X(cuMemsetD2D8,, 2000) D(cuMemsetD2D8, _v2, 3020)                 \
    Z(cuMemsetD2D8Async,, 3020) X(cuMemsetD32,, 2000) D(cuMemsetD32, _v2, 3020)                    \
    Z(cuMemsetD32Async,, 3020) X(cuMemsetD8,, 2000) D(cuMemsetD8, _v2, 3020)                       \
    Z(cuMemsetD8Async,, 3020) X(cuMipmappedArrayCreate,, 5000) X(cuMipmappedArrayDestroy,, 5000)   \
    X(cuMipmappedArrayGetLevel,, 5000) X(cuMipmappedArrayGetMemoryRequirements,, 11060)            \
    X(cuMipmappedArrayGetSparseProperties,, 11010) X(cuModuleEnumerateFunctions,, 12040)           \
    X(cuModuleGetFunction,, 2000) X(cuModuleGetFunctionCount,, 12040) X(cuModuleGetGlobal,, 2000)  \
    X(cuModuleGetGlobal, _v2, 3020) X(cuModuleGetLoadingMode,, 11070) X(cuModuleGetSurfRef,, 3000) \
    X(cuModuleGetTexRef,, 2000) X(cuModuleLoad,, 2000) X(cuModuleLoadData,, 2000)                  \
    X(cuModuleLoadDataEx,, 2010) X(cuModuleLoadFatBinary,, 2000) X(cuModuleUnload,, 2000)          \
    X(cuMulticastAddDevice,, 12010) X(cuMulticastBindAddr,, 12010) X(cuMulticastBindMem,, 12010)   \
    X(cuMulticastCreate,, 12010) X(cuMulticastGetGranularity,, 12010) X(cuMulticastUnbind,, 12010) \
    X(cuOccupancyAvailableDynamicSMemPerBlock,, 10020)                                             \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor,, 6050)                                          \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,, 7000)                                 \
    X(cuOccupancyMaxActiveClusters,, 11070) X(cuOccupancyMaxPotentialBlockSize,, 6050)             \
    X(cuOccupancyMaxPotentialBlockSizeWithFlags,, 7000)                                            \
    X(cuOccupancyMaxPotentialClusterSize,, 11070) X(cuParamSetSize,, 2000)                         \
    X(cuParamSetTexRef,, 2000) X(cuParamSetf,, 2000) X(cuParamSeti,, 2000) X(cuParamSetv,, 2000)   \
    X(cuPointerGetAttribute,, 4000) X(cuPointerGetAttributes,, 7000)                               \
    X(cuPointerSetAttribute,, 6000) X(cuProfilerInitialize,, 4000) X(cuProfilerStart,, 4000)       \
    X(cuProfilerStop,, 4000) Z(cuSignalExternalSemaphoresAsync,, 10000)                            \
    Z(cuStreamAddCallback,, 5000) Z(cuStreamAttachMemAsync,, 6000) Z(cuStreamBatchMemOp,, 8000)    \
    Z(cuStreamBatchMemOp, _v2, 11070) Z(cuStreamBeginCapture,, 10000)                              \
    Z(cuStreamBeginCapture, _v2, 10010) Z(cuStreamBeginCaptureToGraph,, 12030)                     \
    Z(cuStreamCopyAttributes,, 11000) X(cuStreamCreate,, 2000)                                     \
    X(cuStreamCreateWithPriority,, 5050) X(cuStreamDestroy,, 2000) X(cuStreamDestroy, _v2, 4000)   \
    Z(cuStreamEndCapture,, 10000) Z(cuStreamGetAttribute,, 11000)                                  \
    Z(cuStreamGetCaptureInfo,, 10010) Z(cuStreamGetCaptureInfo, _v2, 11030)                        \
    Z(cuStreamGetCaptureInfo, _v3, 12030) Z(cuStreamGetCtx,, 9020) Z(cuStreamGetCtx, _v2, 12050)   \
    Z(cuStreamGetDevice,, 12080) Z(cuStreamGetFlags,, 5050) X(cuStreamGetGreenCtx,, 12040)         \
    Z(cuStreamGetId,, 12000) Z(cuStreamGetPriority,, 5050) Z(cuStreamIsCapturing,, 10000)          \
    Z(cuStreamQuery,, 2000) Z(cuStreamSetAttribute,, 11000) Z(cuStreamSynchronize,, 2000)          \
    Z(cuStreamUpdateCaptureDependencies,, 11030) Z(cuStreamUpdateCaptureDependencies, _v2, 12030)  \
    Z(cuStreamWaitEvent,, 3020) Z(cuStreamWaitValue32,, 8000) Z(cuStreamWaitValue32, _v2, 11070)   \
    Z(cuStreamWaitValue64,, 9000) Z(cuStreamWaitValue64, _v2, 11070)                               \
    Z(cuStreamWriteValue32,, 8000) Z(cuStreamWriteValue32, _v2, 11070)                             \
    Z(cuStreamWriteValue64,, 9000) Z(cuStreamWriteValue64, _v2, 11070)                             \
    X(cuSurfObjectCreate,, 5000) X(cuSurfObjectDestroy,, 5000)                                     \
    X(cuSurfObjectGetResourceDesc,, 5000) X(cuSurfRefGetArray,, 3000) X(cuSurfRefSetArray,, 3000)  \
    X(cuTensorMapEncodeIm2col,, 12000) X(cuTensorMapEncodeIm2colWide,, 12080)                      \
    X(cuTensorMapEncodeTiled,, 12000) X(cuTensorMapReplaceAddress,, 12000)                         \
    X(cuTexObjectCreate,, 5000) X(cuTexObjectDestroy,, 5000) X(cuTexObjectGetResourceDesc,, 5000)  \
    X(cuTexObjectGetResourceViewDesc,, 5000) X(cuTexObjectGetTextureDesc,, 5000)                   \
    X(cuTexRefCreate,, 2000) X(cuTexRefDestroy,, 2000) X(cuTexRefGetAddress,, 2000)                \
    X(cuTexRefGetAddress, _v2, 3020) X(cuTexRefGetAddressMode,, 2000) X(cuTexRefGetArray,, 2000)   \
    X(cuTexRefGetBorderColor,, 8000) X(cuTexRefGetFilterMode,, 2000) X(cuTexRefGetFlags,, 2000)    \
    X(cuTexRefGetFormat,, 2000) X(cuTexRefGetMaxAnisotropy,, 5000)                                 \
    X(cuTexRefGetMipmapFilterMode,, 5000) X(cuTexRefGetMipmapLevelBias,, 5000)                     \
    X(cuTexRefGetMipmapLevelClamp,, 5000) X(cuTexRefGetMipmappedArray,, 5000)                      \
    X(cuTexRefSetAddress,, 2000) X(cuTexRefSetAddress, _v2, 3020) X(cuTexRefSetAddress2D,, 2020)   \
    X(cuTexRefSetAddress2D, _v2, 3020) X(cuTexRefSetAddress2D, _v3, 4010)                          \
    X(cuTexRefSetAddressMode,, 2000) X(cuTexRefSetArray,, 2000) X(cuTexRefSetBorderColor,, 8000)   \
    X(cuTexRefSetFilterMode,, 2000) X(cuTexRefSetFlags,, 2000) X(cuTexRefSetFormat,, 2000)         \
    X(cuTexRefSetMaxAnisotropy,, 5000) X(cuTexRefSetMipmapFilterMode,, 5000)                       \
    X(cuTexRefSetMipmapLevelBias,, 5000) X(cuTexRefSetMipmapLevelClamp,, 5000)                     \
    X(cuTexRefSetMipmappedArray,, 5000) X(cuThreadExchangeStreamCaptureMode,, 10010)               \
    X(cuUserObjectCreate,, 11030) X(cuUserObjectRelease,, 11030) X(cuUserObjectRetain,, 11030)     \
    Z(cuWaitExternalSemaphoresAsync,, 10000)
