// SPDX-License-Identifier: Apache-2.0
// The functions of AscendCL that can be made to fail: X("error", "arguments", "names"). "error" is that of a
// failure whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// A name without the ending of its form, such as _spt, stands for all that lack a row.
// The manual of AscendCL lists no errors for a function, but those of each cause: memory, streams, events,
// notifications, other resources and frees. Every other function has the failure of the driver. Constant.
#pragma once

#define TN_FAIL_ACL(X)                                                                             \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "",                                                       \
      "aclFinalize aclFinalizeReference aclInit aclprofDestroyConfig "                             \
      "aclprofDestroySubscribeConfig aclprofFinalize aclprofGetOpDescSize aclprofGetOpName "       \
      "aclprofGetOpNameLen aclprofGetOpNum aclprofGetOpType aclprofGetOpTypeLen aclprofInit "      \
      "aclprofMark aclprofModelSubscribe aclprofModelUnSubscribe aclprofPop aclprofPush "          \
      "aclprofRangePop aclprofRangePushEx aclprofRangeStart aclprofRangeStop "                     \
      "aclprofSetCategoryName aclprofSetConfig aclprofSetStampCallStack aclprofSetStampCategory "  \
      "aclprofSetStampPayload aclprofSetStampTagName aclprofSetStampTraceMessage aclprofStart "    \
      "aclprofStop aclrtAllocatorDestroyDesc aclrtAllocatorSetAllocAdviseFuncToDesc "              \
      "aclrtAllocatorSetAllocFuncToDesc aclrtAllocatorSetGetAddrFromBlockFuncToDesc "              \
      "aclrtAllocatorSetObjToDesc aclrtBinaryGetDevAddress aclrtBinaryGetFunction "                \
      "aclrtBinaryGetFunctionByEntry aclrtBinaryLoad aclrtBinaryLoadFromData "                     \
      "aclrtBinaryLoadFromFile aclrtBinaryUnLoad aclrtCheckMemType aclrtCntNotifyDestroy "         \
      "aclrtCntNotifyGetId aclrtDestroyBinary aclrtDestroyContext aclrtDestroyEvent "              \
      "aclrtDestroyNotify aclrtDeviceGetBareTgid aclrtEventElapsedTime aclrtEventGetTimestamp "    \
      "aclrtGetCurrentContext aclrtGetDevice aclrtGetDeviceCount aclrtGetFunctionAddr "            \
      "aclrtGetFunctionAttribute aclrtGetFunctionName aclrtGetLastError "                          \
      "aclrtGetLogicDevIdByPhyDevId aclrtGetLogicDevIdByUserDevId aclrtGetMemInfo "                \
      "aclrtGetNotifyId aclrtGetPhyDevIdByLogicDevId aclrtGetPhyDevIdByUserDevId "                 \
      "aclrtGetResInCurrentThread aclrtGetRunMode aclrtGetUserDevIdByLogicDevId "                  \
      "aclrtGetUserDevIdByPhyDevId aclrtGetVersion aclrtIpcGetEventHandle aclrtIpcMemClose "       \
      "aclrtIpcOpenEventHandle aclrtKernelArgsAppend aclrtKernelArgsAppendPlaceHolder "            \
      "aclrtKernelArgsFinalize aclrtKernelArgsGetHandleMemSize aclrtKernelArgsGetMemSize "         \
      "aclrtKernelArgsGetPlaceHolderBuffer aclrtKernelArgsInit aclrtKernelArgsInitByUserMem "      \
      "aclrtKernelArgsParaUpdate aclrtMemGetAllocationGranularity "                                \
      "aclrtMemGetAllocationPropertiesFromHandle aclrtMemPoolDestroy aclrtMemPoolGetAttr "         \
      "aclrtMemPoolSetAttr aclrtMemPoolTrimTo aclrtMemSetPidToShareableHandle "                    \
      "aclrtMemSetPidToShareableHandleV2 aclrtMemcpyBatch aclrtNotifyBatchReset "                  \
      "aclrtPeekAtLastError aclrtProcessReport aclrtQueryEvent aclrtQueryEventStatus "             \
      "aclrtQueryEventWaitStatus aclrtRegisterCpuFunc aclrtSetCurrentContext "                     \
      "aclrtSetDeviceTaskAbortCallback aclrtSynchronizeDevice aclrtSynchronizeDeviceWithTimeout "  \
      "aclrtSynchronizeEvent aclrtSynchronizeEventWithTimeout aclsysGetCANNVersion "               \
      "aclsysGetVersionNum aclsysGetVersionStr acltdtAddDataItem acltdtAddQueueRoute "             \
      "acltdtAppendBufChain acltdtAttachQueue acltdtBindQueueRoutes acltdtCleanChannel "           \
      "acltdtCopyBufRef acltdtDequeue acltdtDequeueData acltdtDestroyChannel "                     \
      "acltdtDestroyDataItem acltdtDestroyDataset acltdtDestroyQueue acltdtDestroyQueueAttr "      \
      "acltdtDestroyQueueRoute acltdtDestroyQueueRouteList acltdtDestroyQueueRouteQueryInfo "      \
      "acltdtEnqueue acltdtEnqueueData acltdtGetBufChainNum acltdtGetBufData acltdtGetBufDataLen " \
      "acltdtGetBufFromChain acltdtGetBufUserData acltdtGetDimsFromItem acltdtGetQueueAttr "       \
      "acltdtGetQueueRoute acltdtGetQueueRouteParam acltdtGetSliceInfoFromItem acltdtGrantQueue "  \
      "acltdtQueryChannelSize acltdtQueryQueueRoutes acltdtReceiveTensor acltdtSendTensor "        \
      "acltdtSetBufDataLen acltdtSetBufUserData acltdtSetQueueAttr acltdtSetQueueRouteQueryInfo "  \
      "acltdtStopChannel acltdtUnbindQueueRoutes hi_mpi_dvpp_get_version hi_mpi_sys_exit")         \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a",                                              \
      "aclrtHostGetDevicePointer aclrtHostUnregister aclrtMemGetAccess aclrtMemGetAddressRange "   \
      "aclrtMemRetainAllocationHandle aclrtPointerGetAttributes aclrtReleaseMemAddress "           \
      "aclrtUnmapMem hi_mpi_dvpp_free")                                                            \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a",                                               \
      "aclrtDeviceDisablePeerAccess aclrtDeviceEnablePeerAccess aclrtDeviceTaskAbort "             \
      "aclrtGetDeviceResLimit aclrtGetErrorVerbose aclrtGetMemUceInfo aclrtGetMemUsageInfo "       \
      "aclrtRepairError aclrtResetDevice aclrtResetDeviceForce aclrtResetDeviceResLimit "          \
      "aclrtSetDevice aclrtSetDeviceResLimit")                                                     \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a device=b", "aclrtDevicePeerAccessStatus")       \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=b device=c", "aclrtDeviceCanAccessPeer")          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a",                                       \
      "aclrtMemFlush aclrtMemInvalidate aclrtMemMapNoAccess aclrtMemSetAccess")                    \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a stream=d", "aclrtCmoAsync")             \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=c address=a address=b stream=f",                    \
      "aclrtReduceAsync")                                                                          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a", "aclrtMemset")                        \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a address=c", "aclrtMemcpy")              \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a address=c stream=f",                    \
      "aclrtMemcpyAsync aclrtMemcpyAsyncWithCondition")                                            \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a stream=e", "aclrtMemsetAsync")          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d*4 address=a", "aclrtMemsetD32")                   \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d*4 address=a stream=e", "aclrtMemsetD32Async")     \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=e*f address=a address=c", "aclrtMemcpy2d")          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=e*f address=a address=c stream=h",                  \
      "aclrtMemcpy2dAsync")                                                                        \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a",                                               \
      "aclrtAllocatorGetByStream aclrtAllocatorRegister aclrtAllocatorUnregister "                 \
      "aclrtDestroyStream aclrtDestroyStreamForce aclrtGetStreamAttribute aclrtGetStreamResLimit " \
      "aclrtLaunchHostFunc aclrtResetStreamResLimit aclrtSetStreamAttribute "                      \
      "aclrtSetStreamFailureMode aclrtSetStreamResLimit aclrtStreamAbort aclrtStreamGetFlags "     \
      "aclrtStreamGetId aclrtStreamGetPriority aclrtStreamQuery aclrtStreamStop "                  \
      "aclrtStreamWaitEvent aclrtSynchronizeStream aclrtSynchronizeStreamWithTimeout "             \
      "aclrtUnuseStreamResInCurrentThread aclrtUseStreamResInCurrentThread")                       \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b",                                               \
      "aclrtCntNotifyRecord aclrtCntNotifyReset aclrtCntNotifyWaitWithTimeout aclrtRecordEvent "   \
      "aclrtRecordNotify aclrtResetEvent aclrtSubscribeReport aclrtUnSubscribeReport "             \
      "aclrtWaitAndResetNotify")                                                                   \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c",                                               \
      "aclprofGetStepTimestamp aclprofMarkEx aclrtLaunchKernelWithArgsArray "                      \
      "aclrtLaunchKernelWithConfig aclrtLaunchKernelWithHostArgs")                                 \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=d",                                               \
      "aclrtLaunchCallback aclrtValueWait aclrtValueWrite")                                        \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=e", "aclrtLaunchKernel")                          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=f", "aclrtLaunchKernelV2")                        \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=j", "aclrtMemcpyBatchAsync")                      \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "", "hi_mpi_sys_init")                                     \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=a", "acltdtAllocBuf")                                \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b",                                                  \
      "acldvppMalloc acldvppMallocWithCfg aclrtMalloc aclrtMallocAlign32 aclrtMallocCached "       \
      "aclrtMallocForTaskScheduler aclrtMallocHost aclrtMallocHostWithCfg aclrtMallocWithCfg "     \
      "aclrtMemAllocManaged")                                                                      \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=a", "aclrtMapMem")                         \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=d",                                        \
      "aclrtReserveMemAddress aclrtReserveMemAddressNoUCMemory")                                   \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b device=c[12.4] handle=c[0.4]",                     \
      "aclrtMallocPhysical")                                                                       \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b stream=d", "aclrtMemPoolMallocAsync")              \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=c", "hi_mpi_dvpp_malloc")                            \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "",                                                      \
      "aclrtCntNotifyCreate aclrtIpcMemImportByKey aclrtIpcMemSetImportPid "                       \
      "aclrtMemExportToShareableHandleV2 aclrtMemImportFromShareableHandleV2 "                     \
      "aclrtNotifyGetExportKey aclrtNotifyImportByKey aclrtNotifySetImportPid "                    \
      "aclrtNotifySetImportPidInterServer acltdtCreateQueue")                                      \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b",                                              \
      "aclrtCreateContext aclrtMemImportFromShareableHandle")                                      \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b[8.4] handle=b[4.4]", "aclrtMemPoolCreate")     \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "handle=b", "aclrtMemExportToShareableHandle")           \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "size=b address=a",                                      \
      "aclrtHostRegister aclrtHostRegisterV2 aclrtIpcMemGetExportKey")                             \
    X("ACL_ERROR_RT_MEMORY_FREE", "",                                                              \
      "aclrtAllocatorSetFreeFuncToDesc aclrtFreePhysical acltdtFreeBuf")                           \
    X("ACL_ERROR_RT_MEMORY_FREE", "address=a",                                                     \
      "acldvppFree aclrtFree aclrtFreeHost aclrtFreeHostWithDevSync aclrtFreeWithDevSync")         \
    X("ACL_ERROR_RT_MEMORY_FREE", "address=a stream=b", "aclrtMemPoolFreeAsync")                   \
    X("ACL_ERROR_RT_NO_EVENT_RESOURCE", "",                                                        \
      "aclrtCreateEvent aclrtCreateEventExWithFlag aclrtCreateEventWithFlag")                      \
    X("ACL_ERROR_RT_NO_STREAM_RESOURCE", "", "aclrtCreateStream aclrtCreateStreamWithConfig")      \
    X("ACL_ERROR_RT_NO_NOTIFY_RESOURCE", "", "aclrtCreateNotify")
