// SPDX-License-Identifier: Apache-2.0
// The functions of AscendCL that can be made to fail: X("error", "arguments", "names"). "error" is that of a
// failure whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// A name without the ending of its form, such as _spt, stands for all that lack a row.
// The manual of AscendCL lists no errors for a function, but those of each cause: memory, streams, events,
// notifications, other resources and frees. Every other function has the failure of the driver. Constant.
#pragma once

#define TN_FAIL_ACL(X)                                                                             \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "",                                                       \
      "aclDestroyDataBuffer aclFinalize aclFinalizeCallbackRegister "                              \
      "aclFinalizeCallbackUnRegister aclFinalizeReference aclGetCannAttribute "                    \
      "aclGetCannAttributeList aclInit aclInitCallbackRegister aclInitCallbackUnRegister "         \
      "aclUpdateDataBuffer acldumpGetExceptionInfoPath acldumpRegCallback "                        \
      "acldumpSaveExceptionInfo aclmdlFinalizeDump aclmdlInitDump aclmdlRIAbort "                  \
      "aclmdlRIBuildEnd aclmdlRICaptureThreadExchangeMode aclmdlRICondHandleCreate "               \
      "aclmdlRICondHandleGetCondPtr aclmdlRIDebugJsonPrint aclmdlRIDebugPrint "                    \
      "aclmdlRIDestroy aclmdlRIDestroyRegisterCallback aclmdlRIDestroyUnregisterCallback "         \
      "aclmdlRIExecute aclmdlRIGetId aclmdlRIGetName aclmdlRIGetStreams "                          \
      "aclmdlRIKernelTaskGetAttribute aclmdlRISetName aclmdlRITaskDisable "                        \
      "aclmdlRITaskGetParams aclmdlRITaskGetSeqId aclmdlRITaskGetType aclmdlRITaskSetParams "      \
      "aclmdlRIUpdate aclmdlSetDump aclopStartDumpArgs aclopStopDumpArgs "                         \
      "aclplatformGetDeviceInfo aclplatformGetInstructionInfo aclprofDestroyConfig "               \
      "aclprofDestroySubscribeConfig aclprofFinalize aclprofGetOpDescSize aclprofGetOpName "       \
      "aclprofGetOpNameLen aclprofGetOpNum aclprofGetOpType aclprofGetOpTypeLen aclprofInit "      \
      "aclprofMark aclprofModelSubscribe aclprofModelUnSubscribe aclprofPop aclprofPush "          \
      "aclprofRangePop aclprofRangePushEx aclprofRangeStart aclprofRangeStop "                     \
      "aclprofSetCategoryName aclprofSetConfig aclprofSetStampCallStack "                          \
      "aclprofSetStampCategory aclprofSetStampPayload aclprofSetStampTagName "                     \
      "aclprofSetStampTraceMessage aclprofStart aclprofStop aclrtAllocatorDestroyDesc "            \
      "aclrtAllocatorSetAllocAdviseFuncToDesc aclrtAllocatorSetAllocFuncToDesc "                   \
      "aclrtAllocatorSetGetAddrFromBlockFuncToDesc aclrtAllocatorSetObjToDesc "                    \
      "aclrtAppendBufChain aclrtBinaryGetDevAddress aclrtBinaryGetFunction "                       \
      "aclrtBinaryGetFunctionByEntry aclrtBinaryGetGlobal aclrtBinaryLoad "                        \
      "aclrtBinaryLoadFromData aclrtBinaryLoadFromFile aclrtBinarySetExceptionCallback "           \
      "aclrtBinaryUnLoad aclrtCacheLastTaskExtendInfo aclrtCacheLastTaskOpInfo "                   \
      "aclrtCheckArchCompatibility aclrtCheckMemType aclrtCmoGetDescSize aclrtCmoSetDesc "         \
      "aclrtCntNotifyDestroy aclrtCntNotifyGetId aclrtCopyBufRef "                                 \
      "aclrtCtxGetCurrentDefaultStream aclrtCtxGetFloatOverflowAddr aclrtCtxGetSysParamOpt "       \
      "aclrtCtxSetSysParamOpt aclrtDestroyBinary aclrtDestroyContext aclrtDestroyEvent "           \
      "aclrtDestroyGroupInfo aclrtDestroyLabel aclrtDestroyLabelList aclrtDestroyNotify "          \
      "aclrtDestroyStreamConfigHandle aclrtDeviceGetBareTgid aclrtDeviceGetByPCIBusId "            \
      "aclrtDeviceGetLimit aclrtDeviceGetStreamPriorityRange aclrtDeviceL2CacheFlush "             \
      "aclrtDeviceSetLimit aclrtEventElapsedTime aclrtEventGetTimestamp "                          \
      "aclrtExceptionInfoCallbackRegister aclrtExceptionInfoCallbackUnregister "                   \
      "aclrtFunctionGetAvailDynUbufPerBlock aclrtFunctionGetBinary "                               \
      "aclrtFunctionGetParamCount aclrtFunctionGetParamInfo aclrtGetAllGroupInfo "                 \
      "aclrtGetArgsFromExceptionInfo aclrtGetBufChainNum aclrtGetBufData aclrtGetBufDataLen "      \
      "aclrtGetBufFromChain aclrtGetBufUserData aclrtGetCurrentContext aclrtGetDevice "            \
      "aclrtGetDeviceCount aclrtGetDeviceSatMode aclrtGetEventAvailNum aclrtGetEventId "           \
      "aclrtGetFuncBySymbol aclrtGetFuncHandleFromExceptionInfo aclrtGetFunctionAddr "             \
      "aclrtGetFunctionAttribute aclrtGetFunctionName aclrtGetFunctionSize "                       \
      "aclrtGetGroupCount aclrtGetGroupInfoDetail aclrtGetHardwareSyncAddr "                       \
      "aclrtGetLastError aclrtGetLogicDevIdByPhyDevId aclrtGetLogicDevIdByUserDevId "              \
      "aclrtGetMemInfo aclrtGetMemcpyDescSize aclrtGetNotifyId aclrtGetOpExecuteTimeout "          \
      "aclrtGetOpTimeOutInterval aclrtGetPhyDevIdByLogicDevId aclrtGetPhyDevIdByUserDevId "        \
      "aclrtGetResInCurrentThread aclrtGetRunMode aclrtGetStreamAvailableNum "                     \
      "aclrtGetSymbolAddress aclrtGetSymbolSize aclrtGetSysParamOpt "                              \
      "aclrtGetThreadLastTaskId aclrtGetUserDevIdByLogicDevId aclrtGetUserDevIdByPhyDevId "        \
      "aclrtGetVersion aclrtIpcGetEventHandle aclrtIpcMemClose "                                   \
      "aclrtIpcMemImportPidInterServer aclrtIpcMemSetAttr aclrtIpcOpenEventHandle "                \
      "aclrtKernelArgsAppend aclrtKernelArgsAppendPlaceHolder aclrtKernelArgsFinalize "            \
      "aclrtKernelArgsGetHandleMemSize aclrtKernelArgsGetMemSize")                                 \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "",                                                       \
      "aclrtKernelArgsGetPlaceHolderBuffer aclrtKernelArgsInit aclrtKernelArgsInitByUserMem "      \
      "aclrtKernelArgsParaUpdate aclrtMemGetAllocationGranularity "                                \
      "aclrtMemGetAllocationPropertiesFromHandle aclrtMemMapSelectedLink aclrtMemMapSetLink "      \
      "aclrtMemPoolDestroy aclrtMemPoolGetAttr aclrtMemPoolSetAttr aclrtMemPoolTrimTo "            \
      "aclrtMemSetPidToShareableHandle aclrtMemSetPidToShareableHandleV2 aclrtMemcpyBatch "        \
      "aclrtMemcpyBatchV2 aclrtNotifyBatchReset aclrtPeekAtLastError aclrtProcessHostFunc "        \
      "aclrtProcessReport aclrtQueryEvent aclrtQueryEventStatus aclrtQueryEventWaitStatus "        \
      "aclrtRegDeviceStateCallback aclrtRegStreamStateCallback aclrtRegisterCpuFunc "              \
      "aclrtSetBufDataLen aclrtSetBufUserData aclrtSetCurrentContext aclrtSetDeviceSatMode "       \
      "aclrtSetDeviceTaskAbortCallback aclrtSetExceptionInfoCallback aclrtSetGroup "               \
      "aclrtSetMemcpyDesc aclrtSetOpExecuteTimeOut aclrtSetOpExecuteTimeOutV2 "                    \
      "aclrtSetOpExecuteTimeOutWithMs aclrtSetOpWaitTimeout aclrtSetStreamConfigOpt "              \
      "aclrtSetSysParamOpt aclrtSetTsDevice aclrtSnapShotCallbackRegister "                        \
      "aclrtSnapShotCallbackUnregister aclrtSnapShotProcessBackup aclrtSnapShotProcessLock "       \
      "aclrtSnapShotProcessRestore aclrtSnapShotProcessUnlock aclrtSynchronizeDevice "             \
      "aclrtSynchronizeDeviceWithTimeout aclrtSynchronizeEvent "                                   \
      "aclrtSynchronizeEventWithTimeout aclsysGetCANNVersion aclsysGetVersionNum "                 \
      "aclsysGetVersionStr acltdtAddDataItem acltdtAddQueueRoute acltdtAppendBufChain "            \
      "acltdtAttachQueue acltdtBindQueueRoutes acltdtCleanChannel acltdtCopyBufRef "               \
      "acltdtDequeue acltdtDequeueData acltdtDestroyChannel acltdtDestroyDataItem "                \
      "acltdtDestroyDataset acltdtDestroyQueue acltdtDestroyQueueAttr "                            \
      "acltdtDestroyQueueRoute acltdtDestroyQueueRouteList acltdtDestroyQueueRouteQueryInfo "      \
      "acltdtEnqueue acltdtEnqueueData acltdtGetBufChainNum acltdtGetBufData "                     \
      "acltdtGetBufDataLen acltdtGetBufFromChain acltdtGetBufUserData acltdtGetDimsFromItem "      \
      "acltdtGetQueueAttr acltdtGetQueueRoute acltdtGetQueueRouteParam "                           \
      "acltdtGetSliceInfoFromItem acltdtGrantQueue acltdtQueryChannelSize "                        \
      "acltdtQueryQueueRoutes acltdtReceiveTensor acltdtSendTensor acltdtSetBufDataLen "           \
      "acltdtSetBufUserData acltdtSetQueueAttr acltdtSetQueueRouteQueryInfo "                      \
      "acltdtStopChannel acltdtUnbindQueueRoutes hi_mpi_dvpp_get_version hi_mpi_sys_exit")         \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a",                                              \
      "aclrtHostGetDevicePointer aclrtHostUnregister aclrtMemGetAccess "                           \
      "aclrtMemGetAddressRange aclrtMemRetainAllocationHandle aclrtPointerGetAttributes "          \
      "aclrtReleaseMemAddress aclrtUnmapMem hi_mpi_dvpp_free")                                     \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a",                                               \
      "aclGetDeviceCapability aclrtDeviceDisablePeerAccess aclrtDeviceEnablePeerAccess "           \
      "aclrtDeviceGetPCIBusId aclrtDeviceGetUuid aclrtDeviceTaskAbort "                            \
      "aclrtGetDeviceCapability aclrtGetDeviceInfo aclrtGetDeviceResLimit "                        \
      "aclrtGetDeviceUtilizationRate aclrtGetErrorVerbose aclrtGetMemUceInfo "                     \
      "aclrtGetMemUsageInfo aclrtGetPrimaryCtxState aclrtHostMemMapCapabilities "                  \
      "aclrtMemUceRepair aclrtQueryDeviceStatus aclrtRepairError aclrtResetDevice "                \
      "aclrtResetDeviceForce aclrtResetDeviceResLimit aclrtSetDevice aclrtSetDeviceResLimit")      \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a device=b",                                      \
      "aclrtDevicePeerAccessStatus aclrtGetDevicesTopo")                                           \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=b device=c", "aclrtDeviceCanAccessPeer")          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a",                                       \
      "aclrtMemFlush aclrtMemInvalidate aclrtMemManagedAdvise aclrtMemMapNoAccess "                \
      "aclrtMemSetAccess")                                                                         \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a stream=d", "aclrtCmoAsync")             \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=c address=a address=b stream=f",                    \
      "aclrtReduceAsync")                                                                          \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a", "aclrtMemcpyFromSymbol aclrtMemset")  \
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
      "aclmdlRICaptureBegin aclmdlRICaptureGetInfo aclmdlRICaptureTaskGrpBegin "                   \
      "aclmdlRICaptureTaskGrpEnd aclmdlRICaptureTaskUpdateBegin "                                  \
      "aclmdlRICaptureTaskUpdateEnd aclmdlRICaptureToModelRIBegin aclmdlRIGetTasksByStream "       \
      "aclrtAllocatorGetByStream aclrtAllocatorRegister aclrtAllocatorUnregister "                 \
      "aclrtDestroyStream aclrtDestroyStreamForce aclrtGetStreamAttribute "                        \
      "aclrtGetStreamOverflowSwitch aclrtGetStreamResLimit aclrtLaunchHostFunc "                   \
      "aclrtPersistentTaskClean aclrtResetFloatOverflowStatus aclrtResetOverflowStatus "           \
      "aclrtResetStreamResLimit aclrtSetStreamAttribute aclrtSetStreamFailureMode "                \
      "aclrtSetStreamOverflowSwitch aclrtSetStreamResLimit aclrtStreamAbort "                      \
      "aclrtStreamGetFlags aclrtStreamGetId aclrtStreamGetPriority aclrtStreamQuery "              \
      "aclrtStreamStop aclrtStreamWaitEvent aclrtStreamWaitEventWithFlag "                         \
      "aclrtStreamWaitEventWithTimeout aclrtSynchronizeStream "                                    \
      "aclrtSynchronizeStreamWithTimeout aclrtTaskUpdateAsync "                                    \
      "aclrtUnuseStreamResInCurrentThread aclrtUseStreamResInCurrentThread")                       \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b",                                               \
      "aclmdlRIAddCondTask aclmdlRIBindStream aclmdlRIEndTask aclmdlRIExecuteAsync "               \
      "aclmdlRIUnbindStream aclrtActiveStream aclrtCmoWaitBarrier aclrtCntNotifyRecord "           \
      "aclrtCntNotifyReset aclrtCntNotifyWaitWithTimeout aclrtNpuClearFloatOverFlowStatus "        \
      "aclrtRandomNumAsync aclrtRecordEvent aclrtRecordEventWithFlag aclrtRecordNotify "           \
      "aclrtResetEvent aclrtSetLabel aclrtSubscribeHostFunc aclrtSubscribeReport "                 \
      "aclrtUnSubscribeHostFunc aclrtUnSubscribeReport aclrtWaitAndResetNotify")                   \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c",                                               \
      "aclprofGetStepTimestamp aclprofMarkEx aclrtCmoAsyncWithDesc "                               \
      "aclrtGetFloatOverflowStatus aclrtGetOverflowStatus aclrtLaunchKernelWithArgsArray "         \
      "aclrtLaunchKernelWithConfig aclrtLaunchKernelWithHostArgs aclrtMemcpyAsyncWithDesc "        \
      "aclrtProfTrace")                                                                            \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=d",                                               \
      "aclrtLaunchCallback aclrtNpuGetFloatOverFlowStatus aclrtSwitchLabelByIndex "                \
      "aclrtValueWait aclrtValueWrite")                                                            \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=e",                                               \
      "aclrtLaunchKernel aclrtLaunchSIMTKernelWithArgsArray "                                      \
      "aclrtLaunchSIMTKernelWithHostArgs")                                                         \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=f", "aclrtLaunchKernelV2")                        \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=j", "aclrtMemcpyBatchAsync")                      \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a stream=e",                              \
      "aclrtCmoAsyncWithBarrier aclrtMemManagedPrefetchAsync")                                     \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=d", "aclrtDeviceGetHostAtomicCapabilities")       \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=d device=e",                                      \
      "aclrtDeviceGetP2PAtomicCapabilities")                                                       \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=b", "aclrtMemManagedGetAttr")                    \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=c", "aclrtMemManagedGetAttrs")                   \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=h",                                               \
      "aclrtMemManagedPrefetchBatchAsync aclrtMemcpyAsyncWithOffset")                              \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a device=c", "aclrtMemP2PMap")            \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=i", "aclrtMemcpyBatchAsyncV2")                    \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a stream=g",                              \
      "aclrtMemcpyFromSymbolAsync")                                                                \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=c address=b", "aclrtMemcpyToSymbol")                \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=c address=b stream=f", "aclrtMemcpyToSymbolAsync")  \
    X("ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=g", "aclrtSwitchStream")                          \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "", "hi_mpi_sys_init")                                     \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=a", "acltdtAllocBuf")                                \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b",                                                  \
      "acldvppMalloc acldvppMallocWithCfg aclrtAllocBuf aclrtMalloc aclrtMallocAlign32 "           \
      "aclrtMallocCached aclrtMallocForTaskScheduler aclrtMallocHost aclrtMallocHostWithCfg "      \
      "aclrtMallocWithCfg aclrtMemAllocManaged")                                                   \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=a", "aclrtMapMem")                         \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=d",                                        \
      "aclrtReserveMemAddress aclrtReserveMemAddressNoUCMemory")                                   \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b device=c[12.4] handle=c[0.4]",                     \
      "aclrtMallocPhysical")                                                                       \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b stream=d", "aclrtMemPoolMallocAsync")              \
    X("ACL_ERROR_RT_MEMORY_ALLOCATION", "size=c", "hi_mpi_dvpp_malloc")                            \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "",                                                      \
      "aclmdlRIBuildBegin aclrtCntNotifyCreate aclrtCreateLabel aclrtCreateLabelList "             \
      "aclrtIpcMemImportByKey aclrtIpcMemSetImportPid aclrtMemExportToShareableHandleV2 "          \
      "aclrtMemImportFromShareableHandleV2 aclrtNotifyGetExportKey aclrtNotifyImportByKey "        \
      "aclrtNotifySetImportPid aclrtNotifySetImportPidInterServer acltdtCreateQueue")              \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b",                                              \
      "aclrtCreateContext aclrtMemImportFromShareableHandle")                                      \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b[8.4] handle=b[4.4]", "aclrtMemPoolCreate")     \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "handle=b", "aclrtMemExportToShareableHandle")           \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "size=b address=a",                                      \
      "aclrtHostRegister aclrtHostRegisterV2 aclrtIpcMemGetExportKey")                             \
    X("ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "stream=a", "aclmdlRICaptureEnd")                        \
    X("ACL_ERROR_RT_MEMORY_FREE", "",                                                              \
      "aclrtAllocatorSetFreeFuncToDesc aclrtFreeBuf aclrtFreePhysical acltdtFreeBuf")              \
    X("ACL_ERROR_RT_MEMORY_FREE", "address=a",                                                     \
      "acldvppFree aclrtFree aclrtFreeHost aclrtFreeHostWithDevSync aclrtFreeWithDevSync")         \
    X("ACL_ERROR_RT_MEMORY_FREE", "address=a stream=b", "aclrtMemPoolFreeAsync")                   \
    X("ACL_ERROR_RT_NO_EVENT_RESOURCE", "",                                                        \
      "aclrtCreateEvent aclrtCreateEventExWithFlag aclrtCreateEventWithFlag")                      \
    X("ACL_ERROR_RT_NO_STREAM_RESOURCE", "",                                                       \
      "aclrtCreateStream aclrtCreateStreamV2 aclrtCreateStreamWithConfig")                         \
    X("ACL_ERROR_RT_NO_NOTIFY_RESOURCE", "", "aclrtCreateNotify")
