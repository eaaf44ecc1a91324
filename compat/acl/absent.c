// SPDX-License-Identifier: Apache-2.0
// Functions of AscendCL that programs link and that Tarn does not implement. A program that links
// them but never calls them runs. A call does nothing but fail with 207000 and a text that names
// the function. These functions do not read their arguments, so that they are defined without.
#include "compat/acl/face.h"

static aclError refuse_absent(const char *function) {
    return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s() is not in this library", function);
}

#define ABSENT(name)                                                                               \
    ACL_FUNC_VISIBILITY aclError name(void);                                                       \
    aclError name(void) { return TN_ACL_CALL(refuse_absent(#name)); }

// A function that returns an object or a size. It returns NULL or 0, and aclrtGetLastError() has
// the code.
#define ABSENT_OBJECT(name)                                                                        \
    ACL_FUNC_VISIBILITY void *name(void);                                                          \
    void *name(void) { return (void)TN_ACL_CALL(refuse_absent(#name)), NULL; }

// ---- counters between streams

ABSENT(aclrtCntNotifyCreate)
ABSENT(aclrtCntNotifyDestroy)
ABSENT(aclrtCntNotifyGetId)
ABSENT(aclrtCntNotifyRecord)
ABSENT(aclrtCntNotifyReset)
ABSENT(aclrtCntNotifyWaitWithTimeout)

// ---- device code

ABSENT(aclrtBinaryGetDevAddress)
ABSENT(aclrtBinaryGetFunction)
ABSENT(aclrtBinaryGetFunctionByEntry)
ABSENT(aclrtBinaryLoad)
ABSENT(aclrtBinaryLoadFromData)
ABSENT(aclrtBinaryLoadFromFile)
ABSENT(aclrtBinaryUnLoad)
ABSENT(aclrtDestroyBinary)
ABSENT(aclrtGetFunctionAddr)
ABSENT(aclrtGetFunctionAttribute)
ABSENT(aclrtGetFunctionName)
ABSENT(aclrtKernelArgsAppend)
ABSENT(aclrtKernelArgsAppendPlaceHolder)
ABSENT(aclrtKernelArgsFinalize)
ABSENT(aclrtKernelArgsGetHandleMemSize)
ABSENT(aclrtKernelArgsGetMemSize)
ABSENT(aclrtKernelArgsGetPlaceHolderBuffer)
ABSENT(aclrtKernelArgsInit)
ABSENT(aclrtKernelArgsInitByUserMem)
ABSENT(aclrtKernelArgsParaUpdate)
ABSENT(aclrtLaunchKernel)
ABSENT(aclrtLaunchKernelV2)
ABSENT(aclrtLaunchKernelWithArgsArray)
ABSENT(aclrtLaunchKernelWithConfig)
ABSENT(aclrtLaunchKernelWithHostArgs)
ABSENT(aclrtRegisterCpuFunc)
ABSENT_OBJECT(aclrtCreateBinary)

// ---- notifies between machines

ABSENT(aclrtNotifySetImportPidInterServer)

// ---- profilers

ABSENT(aclprofDestroyConfig)
ABSENT(aclprofDestroySubscribeConfig)
ABSENT(aclprofFinalize)
ABSENT(aclprofGetOpDescSize)
ABSENT(aclprofGetOpName)
ABSENT(aclprofGetOpNameLen)
ABSENT(aclprofGetOpNum)
ABSENT(aclprofGetOpType)
ABSENT(aclprofGetOpTypeLen)
ABSENT(aclprofGetStepTimestamp)
ABSENT(aclprofInit)
ABSENT(aclprofModelSubscribe)
ABSENT(aclprofModelUnSubscribe)
ABSENT(aclprofSetConfig)
ABSENT(aclprofStart)
ABSENT(aclprofStop)
ABSENT_OBJECT(aclprofCreateConfig)
ABSENT_OBJECT(aclprofCreateStepInfo)
ABSENT_OBJECT(aclprofCreateSubscribeConfig)
ABSENT_OBJECT(aclprofDestroyStepInfo)
ABSENT_OBJECT(aclprofGetOpAttriValue)
ABSENT_OBJECT(aclprofGetOpFlag)
ABSENT_OBJECT(aclprofGetModelId)
ABSENT_OBJECT(aclprofGetOpDuration)
ABSENT_OBJECT(aclprofGetOpEnd)
ABSENT_OBJECT(aclprofGetOpStart)
ABSENT_OBJECT(aclprofStr2Id)

// ---- tensors between processes

ABSENT(acltdtAddQueueRoute)
ABSENT(acltdtAllocBuf)
ABSENT(acltdtAppendBufChain)
ABSENT(acltdtAttachQueue)
ABSENT(acltdtBindQueueRoutes)
ABSENT(acltdtCleanChannel)
ABSENT(acltdtCopyBufRef)
ABSENT(acltdtCreateQueue)
ABSENT(acltdtDequeue)
ABSENT(acltdtDequeueData)
ABSENT(acltdtDestroyChannel)
ABSENT(acltdtDestroyQueue)
ABSENT(acltdtDestroyQueueAttr)
ABSENT(acltdtDestroyQueueRoute)
ABSENT(acltdtDestroyQueueRouteList)
ABSENT(acltdtDestroyQueueRouteQueryInfo)
ABSENT(acltdtEnqueue)
ABSENT(acltdtEnqueueData)
ABSENT(acltdtFreeBuf)
ABSENT(acltdtGetBufChainNum)
ABSENT(acltdtGetBufData)
ABSENT(acltdtGetBufDataLen)
ABSENT(acltdtGetBufFromChain)
ABSENT(acltdtGetBufUserData)
ABSENT(acltdtGetQueueAttr)
ABSENT(acltdtGetQueueRoute)
ABSENT(acltdtGetQueueRouteParam)
ABSENT(acltdtGetSliceInfoFromItem)
ABSENT(acltdtGrantQueue)
ABSENT(acltdtQueryChannelSize)
ABSENT(acltdtQueryQueueRoutes)
ABSENT(acltdtReceiveTensor)
ABSENT(acltdtSendTensor)
ABSENT(acltdtSetBufDataLen)
ABSENT(acltdtSetBufUserData)
ABSENT(acltdtSetQueueAttr)
ABSENT(acltdtSetQueueRouteQueryInfo)
ABSENT(acltdtStopChannel)
ABSENT(acltdtUnbindQueueRoutes)
ABSENT_OBJECT(acltdtCreateChannel)
ABSENT_OBJECT(acltdtCreateChannelWithCapacity)
ABSENT_OBJECT(acltdtCreateQueueAttr)
ABSENT_OBJECT(acltdtCreateQueueRoute)
ABSENT_OBJECT(acltdtCreateQueueRouteList)
ABSENT_OBJECT(acltdtCreateQueueRouteQueryInfo)
ABSENT_OBJECT(acltdtGetQueueRouteNum)

// ---- work that runs

ABSENT(aclrtSetDeviceTaskAbortCallback)
