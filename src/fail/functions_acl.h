// SPDX-License-Identifier: Apache-2.0
// The functions of AscendCL that can be made to fail: X(name, "error", "arguments"). "error" is that of a failure
// whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// The manual of AscendCL lists no errors for a function, but those of each cause: memory, streams, events,
// notifications, other resources and frees. Every other function has the failure of the driver. Constant.
#pragma once

#define TN_FAIL_ACL(X)                                                                             \
    X(aclFinalize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                          \
    X(aclFinalizeReference, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclInit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                              \
    X(acldvppFree, "ACL_ERROR_RT_MEMORY_FREE", "address=a")                                        \
    X(acldvppMalloc, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                                   \
    X(acldvppMallocWithCfg, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                            \
    X(aclprofDestroyConfig, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclprofDestroySubscribeConfig, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                        \
    X(aclprofFinalize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclprofGetOpDescSize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclprofGetOpName, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclprofGetOpNameLen, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclprofGetOpNum, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclprofGetOpType, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclprofGetOpTypeLen, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclprofGetStepTimestamp, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c")                      \
    X(aclprofInit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                          \
    X(aclprofMark, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                          \
    X(aclprofMarkEx, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c")                                \
    X(aclprofModelSubscribe, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclprofModelUnSubscribe, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclprofPop, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                           \
    X(aclprofPush, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                          \
    X(aclprofRangePop, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclprofRangePushEx, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(aclprofRangeStart, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(aclprofRangeStop, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclprofSetCategoryName, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclprofSetConfig, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclprofSetStampCallStack, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                             \
    X(aclprofSetStampCategory, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclprofSetStampPayload, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclprofSetStampTagName, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclprofSetStampTraceMessage, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                          \
    X(aclprofStart, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                         \
    X(aclprofStop, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                          \
    X(aclrtAllocatorDestroyDesc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                            \
    X(aclrtAllocatorGetByStream, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                    \
    X(aclrtAllocatorRegister, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                       \
    X(aclrtAllocatorSetAllocAdviseFuncToDesc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")               \
    X(aclrtAllocatorSetAllocFuncToDesc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                     \
    X(aclrtAllocatorSetFreeFuncToDesc, "ACL_ERROR_RT_MEMORY_FREE", "")                             \
    X(aclrtAllocatorSetGetAddrFromBlockFuncToDesc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")          \
    X(aclrtAllocatorSetObjToDesc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                           \
    X(aclrtAllocatorUnregister, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                     \
    X(aclrtBinaryGetDevAddress, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                             \
    X(aclrtBinaryGetFunction, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtBinaryGetFunctionByEntry, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                        \
    X(aclrtBinaryLoad, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclrtBinaryLoadFromData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclrtBinaryLoadFromFile, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclrtBinaryUnLoad, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(aclrtCheckMemType, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(aclrtCmoAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a stream=d")               \
    X(aclrtCntNotifyCreate, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                                \
    X(aclrtCntNotifyDestroy, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtCntNotifyGetId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtCntNotifyRecord, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                         \
    X(aclrtCntNotifyReset, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                          \
    X(aclrtCntNotifyWaitWithTimeout, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                \
    X(aclrtCreateContext, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b")                          \
    X(aclrtCreateEvent, "ACL_ERROR_RT_NO_EVENT_RESOURCE", "")                                      \
    X(aclrtCreateEventExWithFlag, "ACL_ERROR_RT_NO_EVENT_RESOURCE", "")                            \
    X(aclrtCreateEventWithFlag, "ACL_ERROR_RT_NO_EVENT_RESOURCE", "")                              \
    X(aclrtCreateNotify, "ACL_ERROR_RT_NO_NOTIFY_RESOURCE", "")                                    \
    X(aclrtCreateStream, "ACL_ERROR_RT_NO_STREAM_RESOURCE", "")                                    \
    X(aclrtCreateStreamWithConfig, "ACL_ERROR_RT_NO_STREAM_RESOURCE", "")                          \
    X(aclrtDestroyBinary, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(aclrtDestroyContext, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtDestroyEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(aclrtDestroyNotify, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(aclrtDestroyStream, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                           \
    X(aclrtDestroyStreamForce, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                      \
    X(aclrtDeviceCanAccessPeer, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=b device=c")            \
    X(aclrtDeviceDisablePeerAccess, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                 \
    X(aclrtDeviceEnablePeerAccess, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                  \
    X(aclrtDeviceGetBareTgid, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtDevicePeerAccessStatus, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a device=b")         \
    X(aclrtDeviceTaskAbort, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                         \
    X(aclrtEventElapsedTime, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtEventGetTimestamp, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtFree, "ACL_ERROR_RT_MEMORY_FREE", "address=a")                                          \
    X(aclrtFreeHost, "ACL_ERROR_RT_MEMORY_FREE", "address=a")                                      \
    X(aclrtFreeHostWithDevSync, "ACL_ERROR_RT_MEMORY_FREE", "address=a")                           \
    X(aclrtFreePhysical, "ACL_ERROR_RT_MEMORY_FREE", "")                                           \
    X(aclrtFreeWithDevSync, "ACL_ERROR_RT_MEMORY_FREE", "address=a")                               \
    X(aclrtGetCurrentContext, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtGetDevice, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                       \
    X(aclrtGetDeviceCount, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtGetDeviceResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                       \
    X(aclrtGetErrorVerbose, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                         \
    X(aclrtGetFunctionAddr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclrtGetFunctionAttribute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                            \
    X(aclrtGetFunctionName, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclrtGetLastError, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(aclrtGetLogicDevIdByPhyDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                         \
    X(aclrtGetLogicDevIdByUserDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                        \
    X(aclrtGetMemInfo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclrtGetMemUceInfo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                           \
    X(aclrtGetMemUsageInfo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                         \
    X(aclrtGetNotifyId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclrtGetPhyDevIdByLogicDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                         \
    X(aclrtGetPhyDevIdByUserDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                          \
    X(aclrtGetResInCurrentThread, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                           \
    X(aclrtGetRunMode, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclrtGetStreamAttribute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                      \
    X(aclrtGetStreamResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                       \
    X(aclrtGetUserDevIdByLogicDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                        \
    X(aclrtGetUserDevIdByPhyDevId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                          \
    X(aclrtGetVersion, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclrtHostGetDevicePointer, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                   \
    X(aclrtHostRegister, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "size=b address=a")                   \
    X(aclrtHostRegisterV2, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "size=b address=a")                 \
    X(aclrtHostUnregister, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                         \
    X(aclrtIpcGetEventHandle, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtIpcMemClose, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclrtIpcMemGetExportKey, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "size=b address=a")             \
    X(aclrtIpcMemImportByKey, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                              \
    X(aclrtIpcMemSetImportPid, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                             \
    X(aclrtIpcOpenEventHandle, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclrtKernelArgsAppend, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtKernelArgsAppendPlaceHolder, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                     \
    X(aclrtKernelArgsFinalize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(aclrtKernelArgsGetHandleMemSize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                      \
    X(aclrtKernelArgsGetMemSize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                            \
    X(aclrtKernelArgsGetPlaceHolderBuffer, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                  \
    X(aclrtKernelArgsInit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtKernelArgsInitByUserMem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                         \
    X(aclrtKernelArgsParaUpdate, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                            \
    X(aclrtLaunchCallback, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=d")                          \
    X(aclrtLaunchHostFunc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                          \
    X(aclrtLaunchKernel, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=e")                            \
    X(aclrtLaunchKernelV2, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=f")                          \
    X(aclrtLaunchKernelWithArgsArray, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c")               \
    X(aclrtLaunchKernelWithConfig, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c")                  \
    X(aclrtLaunchKernelWithHostArgs, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=c")                \
    X(aclrtMalloc, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                                     \
    X(aclrtMallocAlign32, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                              \
    X(aclrtMallocCached, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                               \
    X(aclrtMallocForTaskScheduler, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                     \
    X(aclrtMallocHost, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                                 \
    X(aclrtMallocHostWithCfg, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                          \
    X(aclrtMallocPhysical, "ACL_ERROR_RT_MEMORY_ALLOCATION",                                       \
      "size=b device=c[12.4] handle=c[0.4]")                                                       \
    X(aclrtMallocWithCfg, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                              \
    X(aclrtMapMem, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=a")                           \
    X(aclrtMemAllocManaged, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b")                            \
    X(aclrtMemExportToShareableHandle, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "handle=b")             \
    X(aclrtMemExportToShareableHandleV2, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                   \
    X(aclrtMemFlush, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a")                        \
    X(aclrtMemGetAccess, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                           \
    X(aclrtMemGetAddressRange, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                     \
    X(aclrtMemGetAllocationGranularity, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                     \
    X(aclrtMemGetAllocationPropertiesFromHandle, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")            \
    X(aclrtMemImportFromShareableHandle, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b")           \
    X(aclrtMemImportFromShareableHandleV2, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                 \
    X(aclrtMemInvalidate, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a")                   \
    X(aclrtMemMapNoAccess, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a")                  \
    X(aclrtMemPoolCreate, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "device=b[8.4] handle=b[4.4]")       \
    X(aclrtMemPoolDestroy, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtMemPoolFreeAsync, "ACL_ERROR_RT_MEMORY_FREE", "address=a stream=b")                     \
    X(aclrtMemPoolGetAttr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtMemPoolMallocAsync, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b stream=d")                \
    X(aclrtMemPoolSetAttr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclrtMemPoolTrimTo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(aclrtMemRetainAllocationHandle, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")              \
    X(aclrtMemSetAccess, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=b address=a")                    \
    X(aclrtMemSetPidToShareableHandle, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                      \
    X(aclrtMemSetPidToShareableHandleV2, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                    \
    X(aclrtMemcpy, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a address=c")                \
    X(aclrtMemcpy2d, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=e*f address=a address=c")            \
    X(aclrtMemcpy2dAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR",                                       \
      "size=e*f address=a address=c stream=h")                                                     \
    X(aclrtMemcpyAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a address=c stream=f")  \
    X(aclrtMemcpyAsyncWithCondition, "ACL_ERROR_RT_DRV_INTERNAL_ERROR",                            \
      "size=d address=a address=c stream=f")                                                       \
    X(aclrtMemcpyBatch, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(aclrtMemcpyBatchAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=j")                        \
    X(aclrtMemset, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a")                          \
    X(aclrtMemsetAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d address=a stream=e")            \
    X(aclrtMemsetD32, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d*4 address=a")                     \
    X(aclrtMemsetD32Async, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=d*4 address=a stream=e")       \
    X(aclrtNotifyBatchReset, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtNotifyGetExportKey, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                             \
    X(aclrtNotifyImportByKey, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                              \
    X(aclrtNotifySetImportPid, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                             \
    X(aclrtNotifySetImportPidInterServer, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                  \
    X(aclrtPeekAtLastError, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclrtPointerGetAttributes, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                   \
    X(aclrtProcessReport, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(aclrtQueryEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(aclrtQueryEventStatus, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtQueryEventWaitStatus, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                            \
    X(aclrtRecordEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                             \
    X(aclrtRecordNotify, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                            \
    X(aclrtReduceAsync, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "size=c address=a address=b stream=f")  \
    X(aclrtRegisterCpuFunc, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclrtReleaseMemAddress, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                      \
    X(aclrtRepairError, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                             \
    X(aclrtReserveMemAddress, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=d")                \
    X(aclrtReserveMemAddressNoUCMemory, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=b address=d")      \
    X(aclrtResetDevice, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                             \
    X(aclrtResetDeviceForce, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                        \
    X(aclrtResetDeviceResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                     \
    X(aclrtResetEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                              \
    X(aclrtResetStreamResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                     \
    X(aclrtSetCurrentContext, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtSetDevice, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                               \
    X(aclrtSetDeviceResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "device=a")                       \
    X(aclrtSetDeviceTaskAbortCallback, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                      \
    X(aclrtSetStreamAttribute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                      \
    X(aclrtSetStreamFailureMode, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                    \
    X(aclrtSetStreamResLimit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                       \
    X(aclrtStreamAbort, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                             \
    X(aclrtStreamGetFlags, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                          \
    X(aclrtStreamGetId, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                             \
    X(aclrtStreamGetPriority, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                       \
    X(aclrtStreamQuery, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                             \
    X(aclrtStreamStop, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                              \
    X(aclrtStreamWaitEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                         \
    X(aclrtSubscribeReport, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                         \
    X(aclrtSynchronizeDevice, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(aclrtSynchronizeDeviceWithTimeout, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                    \
    X(aclrtSynchronizeEvent, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(aclrtSynchronizeEventWithTimeout, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                     \
    X(aclrtSynchronizeStream, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")                       \
    X(aclrtSynchronizeStreamWithTimeout, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")            \
    X(aclrtUnSubscribeReport, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                       \
    X(aclrtUnmapMem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                               \
    X(aclrtUnuseStreamResInCurrentThread, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")           \
    X(aclrtUseStreamResInCurrentThread, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=a")             \
    X(aclrtValueWait, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=d")                               \
    X(aclrtValueWrite, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=d")                              \
    X(aclrtWaitAndResetNotify, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "stream=b")                      \
    X(aclsysGetCANNVersion, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(aclsysGetVersionNum, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(aclsysGetVersionStr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtAddDataItem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(acltdtAddQueueRoute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtAllocBuf, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=a")                                  \
    X(acltdtAppendBufChain, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtAttachQueue, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(acltdtBindQueueRoutes, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(acltdtCleanChannel, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(acltdtCopyBufRef, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(acltdtCreateQueue, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL", "")                                   \
    X(acltdtDequeue, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                        \
    X(acltdtDequeueData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(acltdtDestroyChannel, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtDestroyDataItem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(acltdtDestroyDataset, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtDestroyQueue, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(acltdtDestroyQueueAttr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(acltdtDestroyQueueRoute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(acltdtDestroyQueueRouteList, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                          \
    X(acltdtDestroyQueueRouteQueryInfo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                     \
    X(acltdtEnqueue, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                        \
    X(acltdtEnqueueData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(acltdtFreeBuf, "ACL_ERROR_RT_MEMORY_FREE", "")                                               \
    X(acltdtGetBufChainNum, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtGetBufData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(acltdtGetBufDataLen, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtGetBufFromChain, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(acltdtGetBufUserData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtGetDimsFromItem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                \
    X(acltdtGetQueueAttr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(acltdtGetQueueRoute, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtGetQueueRouteParam, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                             \
    X(acltdtGetSliceInfoFromItem, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                           \
    X(acltdtGrantQueue, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(acltdtQueryChannelSize, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(acltdtQueryQueueRoutes, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                               \
    X(acltdtReceiveTensor, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtSendTensor, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                     \
    X(acltdtSetBufDataLen, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                  \
    X(acltdtSetBufUserData, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                 \
    X(acltdtSetQueueAttr, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                   \
    X(acltdtSetQueueRouteQueryInfo, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                         \
    X(acltdtStopChannel, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                    \
    X(acltdtUnbindQueueRoutes, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(hi_mpi_dvpp_free, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "address=a")                            \
    X(hi_mpi_dvpp_get_version, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                              \
    X(hi_mpi_dvpp_malloc, "ACL_ERROR_RT_MEMORY_ALLOCATION", "size=c")                              \
    X(hi_mpi_sys_exit, "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "")                                      \
    X(hi_mpi_sys_init, "ACL_ERROR_RT_MEMORY_ALLOCATION", "")
