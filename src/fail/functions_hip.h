// SPDX-License-Identifier: Apache-2.0
// The functions of HIP that can be made to fail: X("error", "arguments", "names"). "error" is that of a
// failure whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// A name without the ending of its form, such as _spt, stands for all that lack a row.
// The errors are those that the comments of AMD's hip_runtime_api.h (5.2) list for the function, or those of
// the function of CUDA that it corresponds to. Constant.
#pragma once

#define TN_FAIL_HIP(X)                                                                             \
    X("hipErrorInvalidValue", "",                                                                  \
      "__hipPopCallConfiguration hipChooseDeviceR0000 hipChooseDeviceR0600 hipCtxDestroy "         \
      "hipCtxGetSharedMemConfig hipCtxSetSharedMemConfig hipDeviceGetByPCIBusId "                  \
      "hipDeviceGetLimit hipDeviceGetSharedMemConfig hipDeviceSetSharedMemConfig "                 \
      "hipDrvGetErrorName hipDrvGetErrorString hipExtArrayGetSparseProperties "                    \
      "hipExtMipmappedArrayGetSparseProperties hipExtOccupancyHostGrid hipExtOccupancyHostKernel " \
      "hipExtSetWarpSize hipFreeArray hipFreeMipmappedArray hipFuncGetAttribute "                  \
      "hipFuncGetAttributes hipFuncSetAttribute hipFuncSetSharedMemConfig hipGetChannelDesc "      \
      "hipGetDriverEntryPoint hipGetFuncBySymbol hipGetMipmappedArrayLevel hipGetProcAddress "     \
      "hipGetSymbolAddress hipGetSymbolSize hipGraphAddChildGraphNode hipGraphAddDependencies "    \
      "hipGraphAddEmptyNode hipGraphAddEventRecordNode hipGraphAddEventWaitNode "                  \
      "hipGraphAddHostNode hipGraphAddKernelNode hipGraphAddMemcpyNode hipGraphAddMemsetNode "     \
      "hipGraphChildGraphNodeGetGraph hipGraphDestroy hipGraphDestroyNode "                        \
      "hipGraphEventRecordNodeGetEvent hipGraphEventRecordNodeSetEvent "                           \
      "hipGraphEventWaitNodeGetEvent hipGraphEventWaitNodeSetEvent "                               \
      "hipGraphExecChildGraphNodeSetParams hipGraphExecEventRecordNodeSetEvent "                   \
      "hipGraphExecEventWaitNodeSetEvent hipGraphExecHostNodeSetParams "                           \
      "hipGraphExecKernelNodeSetParams hipGraphExecMemcpyNodeSetParams "                           \
      "hipGraphExecMemsetNodeSetParams hipGraphGetEdges hipGraphGetNodes hipGraphGetRootNodes "    \
      "hipGraphHostNodeGetParams hipGraphHostNodeSetParams hipGraphInstantiateWithFlags "          \
      "hipGraphKernelNodeGetAttribute hipGraphKernelNodeGetParams hipGraphKernelNodeSetAttribute " \
      "hipGraphKernelNodeSetParams hipGraphMemcpyNodeGetParams hipGraphMemcpyNodeSetParams "       \
      "hipGraphMemsetNodeGetParams hipGraphMemsetNodeSetParams hipGraphNodeFindInClone "           \
      "hipGraphNodeGetDependencies hipGraphNodeGetDependentNodes hipGraphNodeGetType "             \
      "hipGraphReleaseUserObject hipGraphRemoveDependencies hipGraphRetainUserObject "             \
      "hipLaunchByPtr hipLibraryUnload hipMemGetAllocationGranularity "                            \
      "hipMemGetAllocationPropertiesFromHandle hipMemGetDefaultMemPool hipMemGetMemPool "          \
      "hipMemPoolDestroy hipMemPoolGetAccess hipMemPoolGetAttribute hipMemPoolSetAccess "          \
      "hipMemPoolSetAttribute hipMemPoolTrimTo hipMemRelease hipMemSetMemPool "                    \
      "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor "                                        \
      "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags "                               \
      "hipModuleOccupancyMaxPotentialBlockSize hipModuleOccupancyMaxPotentialBlockSizeWithFlags "  \
      "hipOccupancyMaxPotentialBlockSize hipProfilerStart hipProfilerStop hipRuntimeGetVersion "   \
      "hipStreamCreate hipStreamCreateWithFlags hipStreamCreateWithPriority "                      \
      "hipThreadExchangeStreamCaptureMode hipUserObjectRelease hipUserObjectRetain")               \
    X("hipErrorInvalidValue", "address=a", "hipFreeHost hipHostFree hipMemPtrGetInfo")             \
    X("hipErrorInvalidValue", "address=a stream=b", "hipFreeAsync")                                \
    X("hipErrorInvalidValue", "address=a[0]", "hipMemset3D_spt")                                   \
    X("hipErrorInvalidValue", "address=a[0] stream=d", "hipMemset3DAsync_spt")                     \
    X("hipErrorInvalidValue", "address=b",                                                         \
      "hipGraphMemcpyNodeSetParamsFromSymbol hipHostGetFlags hipMemRetainAllocationHandle "        \
      "hipUserObjectCreate")                                                                       \
    X("hipErrorInvalidValue", "address=b address=c", "hipGraphMemcpyNodeSetParams1D")              \
    X("hipErrorInvalidValue", "address=b stream=a",                                                \
      "hipStreamWaitValue32 hipStreamWaitValue64 hipStreamWriteValue32 hipStreamWriteValue64")     \
    X("hipErrorInvalidValue", "address=c",                                                         \
      "hipGraphExecMemcpyNodeSetParamsFromSymbol hipGraphMemcpyNodeSetParamsToSymbol "             \
      "hipMemGetAccess")                                                                           \
    X("hipErrorInvalidValue", "address=c address=d", "hipGraphExecMemcpyNodeSetParams1D")          \
    X("hipErrorInvalidValue", "address=d",                                                         \
      "hipGraphExecMemcpyNodeSetParamsToSymbol hipMemRangeGetAttribute")                           \
    X("hipErrorInvalidValue", "address=e",                                                         \
      "hipGraphAddMemcpyNodeFromSymbol hipMemRangeGetAttributes")                                  \
    X("hipErrorInvalidValue", "address=e address=f", "hipGraphAddMemcpyNode1D")                    \
    X("hipErrorInvalidValue", "address=f", "hipGraphAddMemcpyNodeToSymbol")                        \
    X("hipErrorInvalidValue", "device=b", "hipDeviceGetMemPool")                                   \
    X("hipErrorInvalidValue", "device=b[12.4] handle=b[4.4]", "hipMemPoolCreate")                  \
    X("hipErrorInvalidValue", "device=c",                                                          \
      "hipDeviceComputeCapability hipExtArrayGetMemoryRequirements "                               \
      "hipExtMipmappedArrayGetMemoryRequirements")                                                 \
    X("hipErrorInvalidValue", "handle=c",                                                          \
      "hipMemExportToShareableHandle hipMemImportFromShareableHandle")                             \
    X("hipErrorInvalidValue", "size=a[112]*a[120] address=a[88] address=a[32]",                    \
      "hipDrvMemcpy2DUnaligned")                                                                   \
    X("hipErrorInvalidValue", "size=b address=a", "hipMemAddressFree hipMemSetAccess hipMemUnmap") \
    X("hipErrorInvalidValue", "size=b address=a device=d", "hipMemAdvise")                         \
    X("hipErrorInvalidValue", "size=b address=a stream=d device=c", "hipMemPrefetchAsync")         \
    X("hipErrorInvalidValue", "size=c address=a", "hipMemcpyFromSymbol hipMemset hipMemsetD8")     \
    X("hipErrorInvalidValue", "size=c address=a address=b", "hipMemcpy")                           \
    X("hipErrorInvalidValue", "size=c address=a stream=d", "hipMemsetAsync hipMemsetD8Async")      \
    X("hipErrorInvalidValue", "size=c address=a stream=f", "hipMemcpyFromSymbolAsync")             \
    X("hipErrorInvalidValue", "size=c address=b", "hipMemcpyToSymbol")                             \
    X("hipErrorInvalidValue", "size=c address=b handle=d", "hipMemGetHandleForAddressRange")       \
    X("hipErrorInvalidValue", "size=c address=b stream=a", "hipStreamAttachMemAsync")              \
    X("hipErrorInvalidValue", "size=c address=b stream=f", "hipMemcpyToSymbolAsync")               \
    X("hipErrorInvalidValue", "size=c*2 address=a", "hipMemsetD16")                                \
    X("hipErrorInvalidValue", "size=c*2 address=a stream=d", "hipMemsetD16Async")                  \
    X("hipErrorInvalidValue", "size=c*4 address=a", "hipMemsetD32")                                \
    X("hipErrorInvalidValue", "size=c*4 address=a stream=d", "hipMemsetD32Async")                  \
    X("hipErrorInvalidValue", "size=c[0]*c[8]*c[16] address=a[0]", "hipMemset3D")                  \
    X("hipErrorInvalidValue", "size=c[0]*c[8]*c[16] address=a[0] stream=d", "hipMemset3DAsync")    \
    X("hipErrorInvalidValue", "size=d*e address=a", "hipMemset2D")                                 \
    X("hipErrorInvalidValue", "size=d*e address=a stream=f", "hipMemset2DAsync")                   \
    X("hipErrorInvalidValue", "stream=a",                                                          \
      "hipStreamBeginCapture hipStreamEndCapture hipStreamGetCaptureInfo_v2 "                      \
      "hipStreamGetCaptureInfo_v2_spt hipStreamIsCapturing hipStreamUpdateCaptureDependencies")    \
    X("hipErrorInvalidValue", "stream=b", "hipGraphLaunch")                                        \
    X("hipErrorInvalidValue", "stream=c", "hipMemMapArrayAsync")                                   \
    X("hipErrorInvalidValue", "stream=d", "__hipPushCallConfiguration hipConfigureCall")           \
    X("hipErrorInvalidValue", "stream=e", "hipDrvMemDiscardBatchAsync hipMemDiscardBatchAsync")    \
    X("hipErrorInvalidValue", "stream=f",                                                          \
      "hipExtLaunchKernel hipLaunchCooperativeKernel hipLaunchKernel")                             \
    X("hipErrorInvalidValue", "stream=h",                                                          \
      "hipDrvMemDiscardAndPrefetchBatchAsync hipMemDiscardAndPrefetchBatchAsync "                  \
      "hipMemPrefetchBatchAsync")                                                                  \
    X("hipErrorInvalidValue", "stream=i", "hipModuleLaunchKernel")                                 \
    X("hipErrorLaunchFailure", "",                                                                 \
      "hipArray3DGetDescriptor hipArrayDestroy hipArrayGetDescriptor hipArrayGetInfo "             \
      "hipCtxGetApiVersion hipCtxGetCacheConfig hipCtxGetFlags hipCtxSetCacheConfig "              \
      "hipCtxSynchronize hipDeviceGetStreamPriorityRange hipDeviceReset hipDeviceSynchronize "     \
      "hipDriverGetVersion hipDrvGraphAddMemcpyNode hipDrvGraphAddMemsetNode "                     \
      "hipDrvGraphExecMemcpyNodeSetParams hipDrvGraphExecMemsetNodeSetParams "                     \
      "hipDrvGraphMemcpyNodeGetParams hipDrvGraphMemcpyNodeSetParams hipEventDestroy "             \
      "hipEventElapsedTime hipEventQuery hipEventSynchronize hipGraphAddBatchMemOpNode "           \
      "hipGraphAddNode hipGraphBatchMemOpNodeGetParams hipGraphExecBatchMemOpNodeSetParams "       \
      "hipGraphExecDestroy hipGraphExecGetFlags hipGraphExecNodeSetParams "                        \
      "hipGraphInstantiateWithParams hipGraphKernelNodeCopyAttributes "                            \
      "hipGraphMemAllocNodeGetParams hipGraphNodeGetEnabled hipGraphNodeSetEnabled "               \
      "hipGraphNodeSetParams hipInit hipMipmappedArrayDestroy hipMipmappedArrayGetLevel "          \
      "hipModuleUnload hipOccupancyAvailableDynamicSMemPerBlock "                                  \
      "hipOccupancyMaxActiveBlocksPerMultiprocessor "                                              \
      "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags")                                     \
    X("hipErrorLaunchFailure", "address=a", "hipHostUnregister")                                   \
    X("hipErrorLaunchFailure", "address=b", "hipGraphMemFreeNodeGetParams")                        \
    X("hipErrorLaunchFailure", "address=c", "hipPointerSetAttribute")                              \
    X("hipErrorLaunchFailure", "address=e", "hipDrvGraphAddMemFreeNode")                           \
    X("hipErrorLaunchFailure", "device=a",                                                         \
      "hipDeviceGetGraphMemAttribute hipDeviceGraphMemTrim hipDevicePrimaryCtxGetState "           \
      "hipDevicePrimaryCtxRelease hipDevicePrimaryCtxReset hipDeviceSetGraphMemAttribute")         \
    X("hipErrorLaunchFailure", "device=b", "hipDeviceGet hipDeviceTotalMem")                       \
    X("hipErrorLaunchFailure", "device=c",                                                         \
      "hipDeviceGetName hipDeviceGetPCIBusId hipDeviceGetTexture1DLinearMaxWidth")                 \
    X("hipErrorLaunchFailure", "device=d", "hipDeviceGetP2PAttribute")                             \
    X("hipErrorLaunchFailure", "size=a[144]*a[152]*a[160] address=a[104] address=a[32]",           \
      "hipMemcpy3DPeer")                                                                           \
    X("hipErrorLaunchFailure", "size=a[144]*a[152]*a[160] address=a[104] address=a[32] stream=b",  \
      "hipMemcpy3DPeerAsync")                                                                      \
    X("hipErrorLaunchFailure", "size=b address=a device=d>", "hipMemAdvise_v2")                    \
    X("hipErrorLaunchFailure", "size=b address=a stream=e device=c>", "hipMemPrefetchAsync_v2")    \
    X("hipErrorLaunchFailure", "size=d address=a", "hipMemcpyAtoD")                                \
    X("hipErrorLaunchFailure", "size=d address=c", "hipMemcpyDtoA")                                \
    X("hipErrorLaunchFailure", "size=d stream=e", "hipMemcpyAtoHAsync hipMemcpyHtoAAsync")         \
    X("hipErrorLaunchFailure", "size=d*2*e address=a", "hipMemsetD2D16")                           \
    X("hipErrorLaunchFailure", "size=d*2*e address=a stream=f", "hipMemsetD2D16Async")             \
    X("hipErrorLaunchFailure", "size=d*4*e address=a", "hipMemsetD2D32")                           \
    X("hipErrorLaunchFailure", "size=d*4*e address=a stream=f", "hipMemsetD2D32Async")             \
    X("hipErrorLaunchFailure", "size=d*e address=a", "hipMemsetD2D8")                              \
    X("hipErrorLaunchFailure", "size=d*e address=a stream=f", "hipMemsetD2D8Async")                \
    X("hipErrorLaunchFailure", "size=e", "hipMemcpyAtoA")                                          \
    X("hipErrorLaunchFailure", "size=g*h", "hipMemcpy2DArrayToArray")                              \
    X("hipErrorLaunchFailure", "stream=a",                                                         \
      "hipStreamBatchMemOp hipStreamBeginCaptureToGraph hipStreamGetAttribute hipStreamGetDevice " \
      "hipStreamGetId hipStreamSetAttribute")                                                      \
    X("hipErrorLaunchFailure", "stream=a stream=b", "hipStreamCopyAttributes")                     \
    X("hipErrorLaunchFailure", "stream=b",                                                         \
      "hipEventRecord hipEventRecordWithFlags hipGraphUpload")                                     \
    X("hipErrorLaunchFailure", "stream=e", "hipMemcpy3DBatchAsync")                                \
    X("hipErrorLaunchFailure", "stream=i", "hipMemcpyBatchAsync")                                  \
    X("hipErrorOutOfMemory", "",                                                                   \
      "hipArray3DCreate hipArrayCreate hipDeviceSetLimit hipDrvLaunchKernelEx hipEventCreate "     \
      "hipEventCreateWithFlags hipExtLaunchHost hipGraphAddMemAllocNode "                          \
      "hipGraphBatchMemOpNodeSetParams hipGraphClone hipGraphCreate hipGraphInstantiate "          \
      "hipHostGetDevicePointer hipIpcGetEventHandle hipLibraryLoadData hipLibraryLoadFromFile "    \
      "hipLinkAddData hipLinkAddFile hipLinkComplete hipLinkCreate hipMallocMipmappedArray "       \
      "hipMemPoolImportPointer hipMipmappedArrayCreate hipModuleLoad hipModuleLoadData "           \
      "hipModuleLoadDataEx hipModuleLoadFatBinary")                                                \
    X("hipErrorOutOfMemory", "address=b", "hipIpcGetMemHandle hipMemPoolExportPointer")            \
    X("hipErrorOutOfMemory", "address=e", "hipGraphAddMemFreeNode")                                \
    X("hipErrorOutOfMemory", "device=b", "hipDevicePrimaryCtxRetain")                              \
    X("hipErrorOutOfMemory", "device=c", "hipCtxCreate")                                           \
    X("hipErrorOutOfMemory", "handle=c",                                                           \
      "hipMemPoolExportToShareableHandle hipMemPoolImportFromShareableHandle")                     \
    X("hipErrorOutOfMemory", "size=b",                                                             \
      "hipExtHostAlloc hipExtMallocWithFlags hipExtRegisterHostVariable hipHostAlloc "             \
      "hipHostMalloc hipMalloc hipMallocHost hipMallocManaged hipMemAllocHost")                    \
    X("hipErrorOutOfMemory", "size=b address=a", "hipHostRegister hipMemMap")                      \
    X("hipErrorOutOfMemory", "size=b address=d", "hipMemAddressReserve")                           \
    X("hipErrorOutOfMemory", "size=b device=c[12.4] handle=c[4.4]", "hipMemCreate")                \
    X("hipErrorOutOfMemory", "size=b stream=c", "hipMallocAsync")                                  \
    X("hipErrorOutOfMemory", "size=b stream=d", "hipMallocFromPoolAsync")                          \
    X("hipErrorOutOfMemory", "size=b#*c*d+", "hipMallocArray")                                     \
    X("hipErrorOutOfMemory", "size=b#*c[0]*c[8]+*c[16]+", "hipMalloc3DArray")                      \
    X("hipErrorOutOfMemory", "size=b[0]*b[8]+*b[16]+", "hipMalloc3D")                              \
    X("hipErrorOutOfMemory", "size=c address=a address=b stream=e", "hipMemcpyWithStream")         \
    X("hipErrorOutOfMemory", "size=c*d", "hipMallocPitch hipMemAllocPitch")                        \
    X("hipErrorOutOfMemory", "stream=e", "hipExtLaunchHostKernel")                                 \
    X("hipErrorOutOfMemory", "stream=i",                                                           \
      "hipExtModuleLaunchKernel hipModuleLaunchCooperativeKernel")                                 \
    X("hipErrorInvalidDevicePointer", "", "hipMemcpy3D_spt")                                       \
    X("hipErrorInvalidDevicePointer", "address=a", "hipFree")                                      \
    X("hipErrorInvalidDevicePointer", "address=c", "hipMemGetAddressRange")                        \
    X("hipErrorInvalidDevicePointer", "size=a[112]*a[120] address=a[88] address=a[32]",            \
      "hipMemcpyParam2D")                                                                          \
    X("hipErrorInvalidDevicePointer", "size=a[112]*a[120] address=a[88] address=a[32] stream=b",   \
      "hipMemcpyParam2DAsync")                                                                     \
    X("hipErrorInvalidDevicePointer", "size=a[128]*a[136]*a[144] address=a[96] address=a[32]",     \
      "hipMemcpy3D")                                                                               \
    X("hipErrorInvalidDevicePointer",                                                              \
      "size=a[128]*a[136]*a[144] address=a[96] address=a[32] stream=b", "hipMemcpy3DAsync")        \
    X("hipErrorInvalidDevicePointer", "size=a[160]*a[168]*a[176] address=a[128] address=a[48]",    \
      "hipDrvMemcpy3D")                                                                            \
    X("hipErrorInvalidDevicePointer",                                                              \
      "size=a[160]*a[168]*a[176] address=a[128] address=a[48] stream=b", "hipDrvMemcpy3DAsync")    \
    X("hipErrorInvalidDevicePointer", "size=d", "hipMemcpyHtoA")                                   \
    X("hipErrorInvalidDevicePointer", "size=d address=a", "hipMemcpyAtoH")                         \
    X("hipErrorInvalidDevicePointer", "size=e address=a", "hipMemcpyFromArray")                    \
    X("hipErrorInvalidDevicePointer", "size=e address=d", "hipMemcpyToArray")                      \
    X("hipErrorInvalidDevicePointer", "size=e*f address=a address=c", "hipMemcpy2D")               \
    X("hipErrorInvalidDevicePointer", "size=e*f address=a address=c stream=h", "hipMemcpy2DAsync") \
    X("hipErrorInvalidDevicePointer", "size=f*g address=a", "hipMemcpy2DFromArray")                \
    X("hipErrorInvalidDevicePointer", "size=f*g address=a stream=i", "hipMemcpy2DFromArrayAsync")  \
    X("hipErrorInvalidDevicePointer", "size=f*g address=d", "hipMemcpy2DToArray")                  \
    X("hipErrorInvalidDevicePointer", "size=f*g address=d stream=i", "hipMemcpy2DToArrayAsync")    \
    X("hipErrorInvalidDevicePointer", "stream=b", "hipMemcpy3DAsync_spt")                          \
    X("hipErrorInvalidDevice", "",                                                                 \
      "hipCtxEnablePeerAccess hipGetDevice hipGetDeviceFlags hipMemGetInfo hipSetDeviceFlags")     \
    X("hipErrorInvalidDevice", "address=b", "hipPointerGetAttributes")                             \
    X("hipErrorInvalidDevice", "address=c", "hipPointerGetAttribute")                              \
    X("hipErrorInvalidDevice", "address=d", "hipDrvPointerGetAttributes")                          \
    X("hipErrorInvalidDevice", "device=a", "hipDeviceSetMemPool hipSetDevice")                     \
    X("hipErrorInvalidDevice", "device=b",                                                         \
      "hipDeviceGetDefaultMemPool hipDeviceGetUuid hipGetDevicePropertiesR0000 "                   \
      "hipGetDevicePropertiesR0600")                                                               \
    X("hipErrorInvalidDevice", "device=b device=c", "hipDeviceCanAccessPeer")                      \
    X("hipErrorInvalidDevice", "device=c", "hipDeviceGetAttribute")                                \
    X("hipErrorInvalidDevice", "size=e address=a address=c device=b", "hipMemcpyPeer")             \
    X("hipErrorInvalidDevice", "size=e address=a address=c stream=f device=b",                     \
      "hipMemcpyPeerAsync")                                                                        \
    X("hipErrorInvalidHandle", "",                                                                 \
      "hipExtStreamCreateWithCUMask hipLibraryGetKernel hipLibraryGetKernelCount hipLinkDestroy "  \
      "hipModuleGetFunctionCount")                                                                 \
    X("hipErrorInvalidHandle", "stream=a",                                                         \
      "hipExtStreamGetCUMask hipStreamAddCallback hipStreamDestroy hipStreamGetFlags "             \
      "hipStreamGetPriority hipStreamQuery hipStreamSynchronize hipStreamWaitEvent")               \
    X("hipErrorInvalidContext", "",                                                                \
      "hipCtxGetCurrent hipCtxGetDevice hipCtxPopCurrent hipCtxPushCurrent hipCtxSetCurrent "      \
      "hipIpcOpenEventHandle")                                                                     \
    X("hipErrorInvalidContext", "size=c address=a address=b",                                      \
      "hipMemcpyDtoD hipMemcpyDtoH hipMemcpyHtoD")                                                 \
    X("hipErrorInvalidContext", "size=c address=a address=b stream=d",                             \
      "hipMemcpyDtoDAsync hipMemcpyDtoHAsync hipMemcpyHtoDAsync")                                  \
    X("-", "", "hipExtGetLastError hipGetLastError hipPeekAtLastError")                            \
    X("hipErrorNotInitialized", "",                                                                \
      "hipDeviceGetCacheConfig hipDeviceSetCacheConfig hipFuncSetCacheConfig")                     \
    X("hipErrorMapFailed", "", "hipIpcOpenMemHandle")                                              \
    X("hipErrorMapFailed", "address=a", "hipIpcCloseMemHandle")                                    \
    X("hipErrorNotFound", "", "hipModuleGetFunction hipModuleGetGlobal")                           \
    X("hipErrorPeerAccessNotEnabled", "", "hipCtxDisablePeerAccess")                               \
    X("hipErrorPeerAccessNotEnabled", "device=a", "hipDeviceDisablePeerAccess")                    \
    X("hipErrorContextAlreadyInUse", "device=a", "hipDevicePrimaryCtxSetFlags")                    \
    X("hipErrorGraphExecUpdateFailure", "", "hipGraphExecUpdate")                                  \
    X("hipErrorInvalidResourceHandle", "stream=a", "hipLaunchHostFunc")                            \
    X("hipErrorLaunchOutOfResources", "", "hipLaunchKernelExC")                                    \
    X("hipErrorNoDevice", "", "hipGetDeviceCount")                                                 \
    X("hipErrorOperatingSystem", "", "hipGraphDebugDotPrint")                                      \
    X("hipErrorPeerAccessAlreadyEnabled", "device=a", "hipDeviceEnablePeerAccess")                 \
    X("hipErrorStreamCaptureImplicit", "stream=a", "hipStreamGetCaptureInfo")                      \
    X("hipErrorUnknown", "size=c address=a address=b stream=e", "hipMemcpyAsync")
