// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA that can be made to fail: X("error", "arguments", "names"). "error" is that of a
// failure whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// A name without the ending of its form, such as _spt, stands for all that lack a row.
// The errors are those that the comments of NVIDIA's cuda.h and cuda_runtime_api.h (13.0) list for the
// function. A note there says that most may also return the error of earlier work. Constant.
#pragma once

#define TN_FAIL_CUDA(X)                                                                            \
    X("CUDA_ERROR_LAUNCH_FAILED", "",                                                              \
      "cuArray3DGetDescriptor_v2 cuArrayDestroy cuArrayGetDescriptor_v2 cuArrayGetPlane "          \
      "cuCtxDestroy_v2 cuCtxDisablePeerAccess cuCtxEnablePeerAccess cuCtxGetApiVersion "           \
      "cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetId cuCtxGetLimit " \
      "cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2 "                        \
      "cuCtxResetPersistingL2Cache cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetFlags "             \
      "cuCtxSynchronize cuDeviceGetByPCIBusId cuDeviceGetCount cuDeviceGetP2PAttribute "           \
      "cuDriverGetVersion cuEventDestroy_v2 cuEventElapsedTime_v2 cuEventQuery "                   \
      "cuEventSynchronize cuFuncGetAttribute cuFuncGetModule cuFuncGetName cuFuncGetParamInfo "    \
      "cuFuncSetAttribute cuFuncSetCacheConfig cuGraphAddBatchMemOpNode cuGraphAddChildGraphNode " \
      "cuGraphAddDependencies_v2 cuGraphAddEmptyNode cuGraphAddEventRecordNode "                   \
      "cuGraphAddEventWaitNode cuGraphAddHostNode cuGraphAddKernelNode_v2 cuGraphAddMemAllocNode " \
      "cuGraphAddMemcpyNode cuGraphAddMemsetNode cuGraphAddNode_v2 "                               \
      "cuGraphBatchMemOpNodeGetParams cuGraphChildGraphNodeGetGraph cuGraphDestroy "               \
      "cuGraphDestroyNode cuGraphEventRecordNodeGetEvent cuGraphEventWaitNodeGetEvent "            \
      "cuGraphExecBatchMemOpNodeSetParams cuGraphExecChildGraphNodeSetParams cuGraphExecDestroy "  \
      "cuGraphExecEventRecordNodeSetEvent cuGraphExecEventWaitNodeSetEvent cuGraphExecGetFlags "   \
      "cuGraphExecHostNodeSetParams cuGraphExecKernelNodeSetParams_v2 "                            \
      "cuGraphExecMemcpyNodeSetParams cuGraphExecMemsetNodeSetParams cuGraphExecNodeSetParams "    \
      "cuGraphExecUpdate_v2 cuGraphGetEdges_v2 cuGraphGetNodes cuGraphGetRootNodes "               \
      "cuGraphHostNodeGetParams cuGraphHostNodeSetParams cuGraphInstantiateWithParams "            \
      "cuGraphKernelNodeCopyAttributes cuGraphKernelNodeGetAttribute "                             \
      "cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeSetAttribute cuGraphMemAllocNodeGetParams "  \
      "cuGraphMemFreeNodeGetParams cuGraphMemcpyNodeGetParams cuGraphMemcpyNodeSetParams "         \
      "cuGraphMemsetNodeGetParams cuGraphMemsetNodeSetParams cuGraphNodeFindInClone "              \
      "cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetEnabled "       \
      "cuGraphNodeGetType cuGraphNodeSetEnabled cuGraphNodeSetParams "                             \
      "cuGraphRemoveDependencies_v2 cuInit cuKernelGetName cuKernelGetParamInfo "                  \
      "cuMemGetDefaultMemPool cuMemGetInfo_v2 cuMemRelease cuMemcpy3DPeer "                        \
      "cuMipmappedArrayDestroy cuMipmappedArrayGetLevel cuModuleGetFunction cuModuleGetGlobal_v2 " \
      "cuModuleGetLoadingMode cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock "             \
      "cuOccupancyMaxActiveBlocksPerMultiprocessor "                                               \
      "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cuOccupancyMaxActiveClusters "         \
      "cuOccupancyMaxPotentialBlockSize cuOccupancyMaxPotentialBlockSizeWithFlags "                \
      "cuOccupancyMaxPotentialClusterSize cuThreadExchangeStreamCaptureMode")                      \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=a", "cuMemFreeHost cuMemFree_v2")                       \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=b", "cuMemHostGetDevicePointer_v2 cuMemHostGetFlags")   \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=b stream=a",                                            \
      "cuStreamWaitValue32_v2 cuStreamWaitValue64_v2 cuStreamWriteValue32_v2 "                     \
      "cuStreamWriteValue64_v2")                                                                   \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=c",                                                     \
      "cuMemGetAddressRange_v2 cuPointerGetAttribute cuPointerSetAttribute")                       \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=d", "cuMemRangeGetAttribute cuPointerGetAttributes")    \
    X("CUDA_ERROR_LAUNCH_FAILED", "address=e", "cuGraphAddMemFreeNode cuMemRangeGetAttributes")    \
    X("CUDA_ERROR_LAUNCH_FAILED", "device=a",                                                      \
      "cuDevicePrimaryCtxGetState cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2 "        \
      "cuDevicePrimaryCtxSetFlags_v2")                                                             \
    X("CUDA_ERROR_LAUNCH_FAILED", "device=b",                                                      \
      "cuDeviceCanAccessPeer cuDeviceGet cuDeviceGetDefaultMemPool cuDeviceGetUuid_v2 "            \
      "cuDeviceTotalMem_v2")                                                                       \
    X("CUDA_ERROR_LAUNCH_FAILED", "device=c",                                                      \
      "cuDeviceGetAttribute cuDeviceGetName cuDeviceGetPCIBusId")                                  \
    X("CUDA_ERROR_LAUNCH_FAILED", "device=d", "cuDeviceGetTexture1DLinearMaxWidth")                \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=a[112]*a[120] address=a[88] address=a[32]",                \
      "cuMemcpy2DUnaligned_v2 cuMemcpy2D_v2")                                                      \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=a[112]*a[120] address=a[88] address=a[32] stream=b",       \
      "cuMemcpy2DAsync_v2")                                                                        \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=a[176]*a[184]*a[192] address=a[136] address=a[48]",        \
      "cuMemcpy3D_v2")                                                                             \
    X("CUDA_ERROR_LAUNCH_FAILED",                                                                  \
      "size=a[176]*a[184]*a[192] address=a[136] address=a[48] stream=b", "cuMemcpy3DAsync_v2")     \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=b address=a", "cuMemSetAccess cuMemUnmap")                 \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=b address=a device=d>", "cuMemAdvise_v2")                  \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=b address=a stream=e device=c>", "cuMemPrefetchAsync_v2")  \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c address=a", "cuMemsetD8_v2")                             \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b",                                    \
      "cuMemcpy cuMemcpyDtoD_v2 cuMemcpyDtoH_v2 cuMemcpyHtoD_v2")                                  \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c address=a address=b stream=d",                           \
      "cuMemcpyAsync cuMemcpyDtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyHtoDAsync_v2")              \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c address=a stream=d", "cuMemsetD8Async")                  \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c address=b stream=a", "cuStreamAttachMemAsync")           \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c*2 address=a", "cuMemsetD16_v2")                          \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c*2 address=a stream=d", "cuMemsetD16Async")               \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c*4 address=a", "cuMemsetD32_v2")                          \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=c*4 address=a stream=d", "cuMemsetD32Async")               \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d address=a", "cuMemcpyAtoD_v2 cuMemcpyAtoH_v2")           \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d address=a stream=e", "cuMemcpyAtoHAsync_v2")             \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d address=c", "cuMemcpyDtoA_v2 cuMemcpyHtoA_v2")           \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d address=c stream=e", "cuMemcpyHtoAAsync_v2")             \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*2*e address=a", "cuMemsetD2D16_v2")                      \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*2*e address=a stream=f", "cuMemsetD2D16Async")           \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*4*e address=a", "cuMemsetD2D32_v2")                      \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*4*e address=a stream=f", "cuMemsetD2D32Async")           \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*e address=a", "cuMemsetD2D8_v2")                         \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=d*e address=a stream=f", "cuMemsetD2D8Async")              \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=e", "cuMemcpyAtoA_v2")                                     \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=e address=a address=c", "cuMemcpyPeer")                    \
    X("CUDA_ERROR_LAUNCH_FAILED", "size=e address=a address=c stream=f", "cuMemcpyPeerAsync")      \
    X("CUDA_ERROR_LAUNCH_FAILED", "stream=a",                                                      \
      "cuLaunchHostFunc cuStreamAddCallback cuStreamBatchMemOp_v2 cuStreamBeginCaptureToGraph "    \
      "cuStreamBeginCapture_v2 cuStreamDestroy_v2 cuStreamEndCapture cuStreamGetAttribute "        \
      "cuStreamGetCaptureInfo_v3 cuStreamGetCtx cuStreamGetId cuStreamIsCapturing cuStreamQuery "  \
      "cuStreamSetAttribute cuStreamSynchronize cuStreamWaitEvent")                                \
    X("CUDA_ERROR_LAUNCH_FAILED", "stream=a stream=b", "cuStreamCopyAttributes")                   \
    X("CUDA_ERROR_LAUNCH_FAILED", "stream=b",                                                      \
      "cuEventRecord cuEventRecordWithFlags cuGraphLaunch cuGraphUpload cuMemcpy3DPeerAsync")      \
    X("CUDA_ERROR_LAUNCH_FAILED", "stream=d", "cuMemcpy3DBatchAsync_v2")                           \
    X("CUDA_ERROR_LAUNCH_FAILED", "stream=h", "cuMemcpyBatchAsync_v2")                             \
    X("cudaErrorLaunchFailure", "",                                                                \
      "cudaArrayGetInfo cudaArrayGetPlane cudaChooseDevice cudaCtxResetPersistingL2Cache "         \
      "cudaDeviceDisablePeerAccess cudaDeviceEnablePeerAccess cudaDeviceGetByPCIBusId "            \
      "cudaDeviceGetCacheConfig cudaDeviceGetLimit cudaDeviceGetP2PAttribute "                     \
      "cudaDeviceGetStreamPriorityRange cudaDeviceReset cudaDeviceSetCacheConfig "                 \
      "cudaDeviceSynchronize cudaDriverGetVersion cudaEventDestroy cudaEventElapsedTime "          \
      "cudaEventQuery cudaEventSynchronize cudaFreeArray cudaFreeMipmappedArray "                  \
      "cudaFuncGetAttributes cudaFuncGetName cudaFuncGetParamInfo cudaFuncSetAttribute "           \
      "cudaFuncSetCacheConfig cudaGetChannelDesc cudaGetDevice cudaGetDeviceCount "                \
      "cudaGetDeviceFlags cudaGetMipmappedArrayLevel cudaGetSymbolAddress cudaGetSymbolSize "      \
      "cudaGraphAddChildGraphNode cudaGraphAddDependencies cudaGraphAddEventRecordNode "           \
      "cudaGraphAddEventWaitNode cudaGraphAddHostNode cudaGraphAddKernelNode "                     \
      "cudaGraphAddMemcpyNode cudaGraphAddMemsetNode cudaGraphAddNode "                            \
      "cudaGraphChildGraphNodeGetGraph cudaGraphDestroy cudaGraphDestroyNode "                     \
      "cudaGraphEventRecordNodeGetEvent cudaGraphEventRecordNodeSetEvent "                         \
      "cudaGraphEventWaitNodeGetEvent cudaGraphEventWaitNodeSetEvent "                             \
      "cudaGraphExecChildGraphNodeSetParams cudaGraphExecDestroy "                                 \
      "cudaGraphExecEventRecordNodeSetEvent cudaGraphExecEventWaitNodeSetEvent "                   \
      "cudaGraphExecGetFlags cudaGraphExecHostNodeSetParams cudaGraphExecKernelNodeSetParams "     \
      "cudaGraphExecMemcpyNodeSetParams cudaGraphExecMemsetNodeSetParams "                         \
      "cudaGraphExecNodeSetParams cudaGraphExecUpdate cudaGraphGetEdges cudaGraphGetNodes "        \
      "cudaGraphGetRootNodes cudaGraphHostNodeGetParams cudaGraphHostNodeSetParams "               \
      "cudaGraphInstantiate cudaGraphInstantiateWithFlags cudaGraphInstantiateWithParams "         \
      "cudaGraphKernelNodeCopyAttributes cudaGraphKernelNodeGetAttribute "                         \
      "cudaGraphKernelNodeGetParams cudaGraphKernelNodeSetAttribute "                              \
      "cudaGraphMemAllocNodeGetParams cudaGraphMemcpyNodeGetParams cudaGraphMemcpyNodeSetParams "  \
      "cudaGraphMemsetNodeGetParams cudaGraphMemsetNodeSetParams cudaGraphNodeFindInClone "        \
      "cudaGraphNodeGetDependencies cudaGraphNodeGetDependentNodes cudaGraphNodeGetEnabled "       \
      "cudaGraphNodeGetType cudaGraphNodeSetEnabled cudaGraphNodeSetParams "                       \
      "cudaGraphRemoveDependencies cudaMemGetDefaultMemPool cudaMemGetInfo "                       \
      "cudaOccupancyAvailableDynamicSMemPerBlock cudaOccupancyMaxActiveBlocksPerMultiprocessor "   \
      "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxActiveClusters "     \
      "cudaOccupancyMaxPotentialClusterSize cudaSetDeviceFlags cudaSetValidDevices "               \
      "cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority "                   \
      "cudaThreadExchangeStreamCaptureMode")                                                       \
    X("cudaErrorLaunchFailure", "address=a", "cudaFree cudaFreeHost cudaHostUnregister")           \
    X("cudaErrorLaunchFailure", "address=a stream=b", "cudaFreeAsync")                             \
    X("cudaErrorLaunchFailure", "address=b",                                                       \
      "cudaGraphMemFreeNodeGetParams cudaGraphMemcpyNodeSetParamsFromSymbol cudaHostGetFlags")     \
    X("cudaErrorLaunchFailure", "address=b address=c", "cudaGraphMemcpyNodeSetParams1D")           \
    X("cudaErrorLaunchFailure", "address=c",                                                       \
      "cudaGraphExecMemcpyNodeSetParamsFromSymbol cudaGraphMemcpyNodeSetParamsToSymbol")           \
    X("cudaErrorLaunchFailure", "address=c address=d", "cudaGraphExecMemcpyNodeSetParams1D")       \
    X("cudaErrorLaunchFailure", "address=d",                                                       \
      "cudaGraphExecMemcpyNodeSetParamsToSymbol cudaMemRangeGetAttribute")                         \
    X("cudaErrorLaunchFailure", "address=e",                                                       \
      "cudaGraphAddMemcpyNodeFromSymbol cudaMemRangeGetAttributes")                                \
    X("cudaErrorLaunchFailure", "address=e address=f", "cudaGraphAddMemcpyNode1D")                 \
    X("cudaErrorLaunchFailure", "address=f", "cudaGraphAddMemcpyNodeToSymbol")                     \
    X("cudaErrorLaunchFailure", "device=a",                                                        \
      "cudaDeviceGetGraphMemAttribute cudaDeviceGraphMemTrim cudaDeviceSetGraphMemAttribute "      \
      "cudaDeviceSetMemPool cudaInitDevice cudaSetDevice")                                         \
    X("cudaErrorLaunchFailure", "device=b",                                                        \
      "cudaDeviceCanAccessPeer cudaDeviceGetDefaultMemPool cudaDeviceGetMemPool "                  \
      "cudaGetDeviceProperties")                                                                   \
    X("cudaErrorLaunchFailure", "device=c",                                                        \
      "cudaDeviceGetAttribute cudaDeviceGetPCIBusId cudaDeviceGetTexture1DLinearMaxWidth")         \
    X("cudaErrorLaunchFailure", "size=a[128]*a[136]*a[144] address=a[96] address=a[32]",           \
      "cudaMemcpy3D")                                                                              \
    X("cudaErrorLaunchFailure", "size=a[128]*a[136]*a[144] address=a[96] address=a[32] stream=b",  \
      "cudaMemcpy3DAsync")                                                                         \
    X("cudaErrorLaunchFailure", "size=a[144]*a[152]*a[160] address=a[104] address=a[32]",          \
      "cudaMemcpy3DPeer")                                                                          \
    X("cudaErrorLaunchFailure", "size=a[144]*a[152]*a[160] address=a[104] address=a[32] stream=b", \
      "cudaMemcpy3DPeerAsync")                                                                     \
    X("cudaErrorLaunchFailure", "size=b address=a device=d>", "cudaMemAdvise")                     \
    X("cudaErrorLaunchFailure", "size=b address=a stream=e device=c>", "cudaMemPrefetchAsync")     \
    X("cudaErrorLaunchFailure", "size=c address=a", "cudaMemcpyFromSymbol cudaMemset")             \
    X("cudaErrorLaunchFailure", "size=c address=a address=b", "cudaMemcpy")                        \
    X("cudaErrorLaunchFailure", "size=c address=a address=b stream=e", "cudaMemcpyAsync")          \
    X("cudaErrorLaunchFailure", "size=c address=a stream=d", "cudaMemsetAsync")                    \
    X("cudaErrorLaunchFailure", "size=c address=a stream=f", "cudaMemcpyFromSymbolAsync")          \
    X("cudaErrorLaunchFailure", "size=c address=b", "cudaMemcpyToSymbol")                          \
    X("cudaErrorLaunchFailure", "size=c address=b stream=a", "cudaStreamAttachMemAsync")           \
    X("cudaErrorLaunchFailure", "size=c address=b stream=f", "cudaMemcpyToSymbolAsync")            \
    X("cudaErrorLaunchFailure", "size=c[0]*c[8]*c[16] address=a[0]", "cudaMemset3D")               \
    X("cudaErrorLaunchFailure", "size=c[0]*c[8]*c[16] address=a[0] stream=d", "cudaMemset3DAsync") \
    X("cudaErrorLaunchFailure", "size=d*e address=a", "cudaMemset2D")                              \
    X("cudaErrorLaunchFailure", "size=d*e address=a stream=f", "cudaMemset2DAsync")                \
    X("cudaErrorLaunchFailure", "size=e address=a address=c", "cudaMemcpyPeer")                    \
    X("cudaErrorLaunchFailure", "size=e address=a address=c stream=f", "cudaMemcpyPeerAsync")      \
    X("cudaErrorLaunchFailure", "size=e*f address=a address=c", "cudaMemcpy2D")                    \
    X("cudaErrorLaunchFailure", "size=e*f address=a address=c stream=h", "cudaMemcpy2DAsync")      \
    X("cudaErrorLaunchFailure", "size=f*g address=a", "cudaMemcpy2DFromArray")                     \
    X("cudaErrorLaunchFailure", "size=f*g address=a stream=i", "cudaMemcpy2DFromArrayAsync")       \
    X("cudaErrorLaunchFailure", "size=f*g address=d", "cudaMemcpy2DToArray")                       \
    X("cudaErrorLaunchFailure", "size=f*g address=d stream=i", "cudaMemcpy2DToArrayAsync")         \
    X("cudaErrorLaunchFailure", "size=g*h", "cudaMemcpy2DArrayToArray")                            \
    X("cudaErrorLaunchFailure", "stream=a",                                                        \
      "cudaLaunchHostFunc cudaStreamAddCallback cudaStreamBeginCapture "                           \
      "cudaStreamBeginCaptureToGraph cudaStreamDestroy cudaStreamEndCapture "                      \
      "cudaStreamGetAttribute cudaStreamGetCaptureInfo cudaStreamGetDevice cudaStreamGetFlags "    \
      "cudaStreamGetId cudaStreamGetPriority cudaStreamIsCapturing cudaStreamQuery "               \
      "cudaStreamSetAttribute cudaStreamSynchronize cudaStreamUpdateCaptureDependencies "          \
      "cudaStreamWaitEvent")                                                                       \
    X("cudaErrorLaunchFailure", "stream=a stream=b", "cudaStreamCopyAttributes")                   \
    X("cudaErrorLaunchFailure", "stream=b",                                                        \
      "cudaEventRecord cudaEventRecordWithFlags cudaGraphLaunch cudaGraphUpload")                  \
    X("cudaErrorLaunchFailure", "stream=d", "cudaMemcpy3DBatchAsync")                              \
    X("cudaErrorLaunchFailure", "stream=h", "cudaMemcpyBatchAsync")                                \
    X("CUDA_ERROR_OUT_OF_MEMORY", "",                                                              \
      "cuArray3DCreate_v2 cuArrayCreate_v2 cuCtxSetLimit cuEventCreate cuGetExportTable "          \
      "cuGraphBatchMemOpNodeSetParams cuGraphClone cuGraphCreate cuGraphEventRecordNodeSetEvent "  \
      "cuGraphEventWaitNodeSetEvent cuGraphInstantiateWithFlags cuGraphKernelNodeSetParams_v2 "    \
      "cuIpcGetEventHandle cuLibraryLoadData cuLibraryLoadFromFile cuMemPoolImportPointer "        \
      "cuMipmappedArrayCreate cuModuleLoad cuModuleLoadData cuModuleLoadDataEx "                   \
      "cuModuleLoadFatBinary cuStreamCreate cuStreamCreateWithPriority")                           \
    X("CUDA_ERROR_OUT_OF_MEMORY", "address=a", "cuMemHostUnregister")                              \
    X("CUDA_ERROR_OUT_OF_MEMORY", "address=b", "cuIpcGetMemHandle cuMemPoolExportPointer")         \
    X("CUDA_ERROR_OUT_OF_MEMORY", "device=b", "cuDevicePrimaryCtxRetain cuMulticastAddDevice")     \
    X("CUDA_ERROR_OUT_OF_MEMORY", "device=b[12.4] handle=b[4.4]", "cuMemPoolCreate")               \
    X("CUDA_ERROR_OUT_OF_MEMORY", "device=c", "cuKernelSetCacheConfig")                            \
    X("CUDA_ERROR_OUT_OF_MEMORY", "device=d", "cuCtxCreate_v4 cuKernelSetAttribute")               \
    X("CUDA_ERROR_OUT_OF_MEMORY", "handle=c",                                                      \
      "cuMemPoolExportToShareableHandle cuMemPoolImportFromShareableHandle")                       \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b",                                                        \
      "cuMemAllocHost_v2 cuMemAllocManaged cuMemAlloc_v2 cuMemHostAlloc")                          \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b address=a", "cuMemHostRegister_v2 cuMemMap")             \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b address=d", "cuMemAddressReserve")                       \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b device=c[12.4] handle=c[4.4]", "cuMemCreate")            \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b stream=c", "cuMemAllocAsync")                            \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b stream=d", "cuMemAllocFromPoolAsync")                    \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=b[8] handle=b[16.4]", "cuMulticastCreate")                 \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=c*d", "cuMemAllocPitch_v2")                                \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=d address=c", "cuMulticastBindAddr")                       \
    X("CUDA_ERROR_OUT_OF_MEMORY", "size=e", "cuMulticastBindMem")                                  \
    X("CUDA_ERROR_OUT_OF_MEMORY", "stream=a",                                                      \
      "cuStreamGetDevice cuStreamGetFlags cuStreamGetPriority")                                    \
    X("CUDA_ERROR_OUT_OF_MEMORY", "stream=e", "cuMemDiscardBatchAsync")                            \
    X("CUDA_ERROR_OUT_OF_MEMORY", "stream=h",                                                      \
      "cuMemDiscardAndPrefetchBatchAsync cuMemPrefetchBatchAsync")                                 \
    X("CUDA_ERROR_INVALID_VALUE", "",                                                              \
      "cuArrayGetSparseProperties cuCtxAttach cuCtxDetach cuCtxGetSharedMemConfig "                \
      "cuCtxSetSharedMemConfig cuFuncSetSharedMemConfig cuGetErrorName cuGetErrorString "          \
      "cuGetProcAddress_v2 cuGraphReleaseUserObject cuGraphRetainUserObject cuLibraryUnload "      \
      "cuMemGetAllocationGranularity cuMemGetAllocationPropertiesFromHandle cuMemGetMemPool "      \
      "cuMemPoolDestroy cuMemPoolGetAccess cuMemPoolGetAttribute cuMemPoolSetAccess "              \
      "cuMemPoolSetAttribute cuMemPoolTrimTo cuMemSetMemPool cuMipmappedArrayGetSparseProperties " \
      "cuMulticastGetGranularity cuProfilerStart cuProfilerStop cuUserObjectRelease "              \
      "cuUserObjectRetain")                                                                        \
    X("CUDA_ERROR_INVALID_VALUE", "address=b", "cuMemRetainAllocationHandle cuUserObjectCreate")   \
    X("CUDA_ERROR_INVALID_VALUE", "device=a", "cuDeviceSetMemPool")                                \
    X("CUDA_ERROR_INVALID_VALUE", "device=b", "cuDeviceGetMemPool cuDeviceGetProperties")          \
    X("CUDA_ERROR_INVALID_VALUE", "device=c",                                                      \
      "cuArrayGetMemoryRequirements cuDeviceComputeCapability "                                    \
      "cuMipmappedArrayGetMemoryRequirements")                                                     \
    X("CUDA_ERROR_INVALID_VALUE", "handle=c",                                                      \
      "cuMemExportToShareableHandle cuMemImportFromShareableHandle")                               \
    X("CUDA_ERROR_INVALID_VALUE", "size=b address=a", "cuMemAddressFree")                          \
    X("CUDA_ERROR_INVALID_VALUE", "size=c address=b", "cuMemGetHandleForAddressRange")             \
    X("CUDA_ERROR_INVALID_VALUE", "size=d device=b", "cuMulticastUnbind")                          \
    X("CUDA_ERROR_INVALID_VALUE", "stream=a", "cuStreamUpdateCaptureDependencies_v2")              \
    X("cudaErrorMemoryAllocation", "",                                                             \
      "cudaDeviceSetLimit cudaEventCreate cudaEventCreateWithFlags cudaGetExportTable "            \
      "cudaGraphAddMemAllocNode cudaGraphClone cudaGraphCreate cudaGraphKernelNodeSetParams "      \
      "cudaIpcGetEventHandle cudaLibraryLoadData cudaLibraryLoadFromFile "                         \
      "cudaMallocMipmappedArray cudaMemPoolImportPointer")                                         \
    X("cudaErrorMemoryAllocation", "address=b",                                                    \
      "cudaHostGetDevicePointer cudaIpcGetMemHandle cudaMemPoolExportPointer")                     \
    X("cudaErrorMemoryAllocation", "address=e", "cudaGraphAddMemFreeNode")                         \
    X("cudaErrorMemoryAllocation", "handle=c",                                                     \
      "cudaMemPoolExportToShareableHandle cudaMemPoolImportFromShareableHandle")                   \
    X("cudaErrorMemoryAllocation", "size=b",                                                       \
      "cudaExtRegisterHostVariable cudaHostAlloc cudaMalloc cudaMallocHost cudaMallocManaged")     \
    X("cudaErrorMemoryAllocation", "size=b address=a", "cudaHostRegister")                         \
    X("cudaErrorMemoryAllocation", "size=b stream=c", "cudaMallocAsync")                           \
    X("cudaErrorMemoryAllocation", "size=b stream=d", "cudaMallocFromPoolAsync")                   \
    X("cudaErrorMemoryAllocation", "size=b#*c*d+", "cudaMallocArray")                              \
    X("cudaErrorMemoryAllocation", "size=b#*c[0]*c[8]+*c[16]+", "cudaMalloc3DArray")               \
    X("cudaErrorMemoryAllocation", "size=b[0]*b[8]+*b[16]+", "cudaMalloc3D")                       \
    X("cudaErrorMemoryAllocation", "size=c*d", "cudaMallocPitch")                                  \
    X("cudaErrorMemoryAllocation", "stream=e", "cudaMemDiscardBatchAsync")                         \
    X("cudaErrorMemoryAllocation", "stream=h",                                                     \
      "cudaMemDiscardAndPrefetchBatchAsync cudaMemPrefetchBatchAsync")                             \
    X("cudaErrorInvalidValue", "",                                                                 \
      "cudaArrayGetSparseProperties cudaDeviceGetSharedMemConfig cudaDeviceSetSharedMemConfig "    \
      "cudaFuncSetSharedMemConfig cudaGetDriverEntryPoint cudaGetDriverEntryPointByVersion "       \
      "cudaGetFuncBySymbol cudaGetKernel cudaGraphAddEmptyNode cudaGraphReleaseUserObject "        \
      "cudaGraphRetainUserObject cudaLibraryUnload cudaMemGetMemPool cudaMemPoolDestroy "          \
      "cudaMemPoolGetAccess cudaMemPoolGetAttribute cudaMemPoolSetAccess cudaMemPoolSetAttribute " \
      "cudaMemPoolTrimTo cudaMemSetMemPool cudaMipmappedArrayGetSparseProperties "                 \
      "cudaProfilerStart cudaProfilerStop cudaRuntimeGetVersion cudaUserObjectRelease "            \
      "cudaUserObjectRetain")                                                                      \
    X("cudaErrorInvalidValue", "address=b", "cudaUserObjectCreate")                                \
    X("cudaErrorInvalidValue", "device=b[12.4] handle=b[4.4]", "cudaMemPoolCreate")                \
    X("cudaErrorInvalidValue", "device=c",                                                         \
      "cudaArrayGetMemoryRequirements cudaMipmappedArrayGetMemoryRequirements")                    \
    X("cudaErrorInvalidValue", "device=d", "cudaKernelSetAttributeForDevice")                      \
    X("CUDA_ERROR_INVALID_HANDLE", "",                                                             \
      "cuFuncIsLoaded cuFuncLoad cuKernelGetFunction cuKernelGetLibrary "                          \
      "cuLibraryEnumerateKernels cuLibraryGetGlobal cuLibraryGetKernel cuLibraryGetKernelCount "   \
      "cuLibraryGetManaged cuLibraryGetModule cuLibraryGetUnifiedFunction "                        \
      "cuModuleEnumerateFunctions cuModuleGetFunctionCount")                                       \
    X("CUDA_ERROR_INVALID_HANDLE", "device=d", "cuKernelGetAttribute")                             \
    X("CUDA_ERROR_INVALID_HANDLE", "stream=c", "cuMemMapArrayAsync")                               \
    X("cudaErrorInvalidResourceHandle", "",                                                        \
      "cudaLibraryEnumerateKernels cudaLibraryGetGlobal cudaLibraryGetKernel "                     \
      "cudaLibraryGetKernelCount cudaLibraryGetManaged cudaLibraryGetUnifiedFunction")             \
    X("CUDA_ERROR_INVALID_DEVICE", "address=c", "cuMemGetAccess")                                  \
    X("CUDA_ERROR_INVALID_DEVICE", "device=a",                                                     \
      "cuDeviceGetGraphMemAttribute cuDeviceGraphMemTrim cuDeviceSetGraphMemAttribute")            \
    X("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "", "cuLaunchKernelEx")                                \
    X("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "stream=i",                                            \
      "cuLaunchCooperativeKernel cuLaunchKernel")                                                  \
    X("CUDA_ERROR_MAP_FAILED", "", "cuIpcOpenEventHandle cuIpcOpenMemHandle_v2")                   \
    X("CUDA_ERROR_MAP_FAILED", "address=a", "cuIpcCloseMemHandle")                                 \
    X("cudaErrorLaunchOutOfResources", "", "cudaLaunchKernelExC")                                  \
    X("cudaErrorLaunchOutOfResources", "stream=f", "cudaLaunchCooperativeKernel cudaLaunchKernel") \
    X("cudaErrorMapBufferObjectFailed", "", "cudaIpcOpenEventHandle cudaIpcOpenMemHandle")         \
    X("cudaErrorMapBufferObjectFailed", "address=a", "cudaIpcCloseMemHandle")                      \
    X("-", "", "cudaGetLastError cudaPeekAtLastError")                                             \
    X("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "", "cuCtxRecordEvent cuCtxWaitEvent")              \
    X("CUDA_ERROR_INVALID_CONTEXT", "address=a stream=b", "cuMemFreeAsync")                        \
    X("CUDA_ERROR_OPERATING_SYSTEM", "", "cuGraphDebugDotPrint")                                   \
    X("cudaErrorInvalidDevice", "address=b", "cudaPointerGetAttributes")                           \
    X("cudaErrorOperatingSystem", "", "cudaGraphDebugDotPrint")
