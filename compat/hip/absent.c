// SPDX-License-Identifier: Apache-2.0
// Functions of HIP that programs link and that Tarn does not implement. A program that links them
// but never calls them runs. A call fails with hipErrorNotSupported, names the function and does
// nothing else. These functions do not read their arguments, except those in the second table,
// for which AMD's library first refuses NULL.
#include "compat/hip/face.h"

static tn_rt_error refuse_absent(const char *function) {
    return tn_rt_fail(TN_RT_NOT_SUPPORTED, "%s() is not in this library", function);
}

static tn_rt_error refuse_null_first(const char *function, const void *first, const void *second) {
    TN_RT_TRY(tn_rt_check_pointer(first, "the first argument"));
    TN_RT_TRY(tn_rt_check_pointer(second, "the second argument"));
    return refuse_absent(function);
}

// Two of the names are those of C++ functions. No header declares any of them, so that a program
// built with Tarn's headers cannot use them.
#define ABSENT(name)                                                                               \
    HIP_API hipError_t name(void);                                                                 \
    hipError_t name(void) { return TN_HIP_CALL(refuse_absent(#name)); }
#define ABSENT_2(name)                                                                             \
    HIP_API hipError_t name(const void *first, const void *second);                                \
    hipError_t name(const void *first, const void *second) {                                       \
        return TN_HIP_CALL(refuse_null_first(#name, first, second));                               \
    }
#define ABSENT_1(name)                                                                             \
    HIP_API hipError_t name(const void *only);                                                     \
    hipError_t name(const void *only) { return TN_HIP_CALL(refuse_null_first(#name, only, only)); }

// ---- device code

ABSENT(_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv)
ABSENT(hipExtLaunchMultiKernelMultiDevice)
ABSENT(hipLaunchCooperativeKernelMultiDevice)
ABSENT(hipModuleLaunchCooperativeKernelMultiDevice)
ABSENT(hipSetupArgument)

// ---- devices

ABSENT(hipExtGetLinkTypeAndHopCount)
ABSENT(hipSetValidDevices)

// ---- external memory and semaphores

ABSENT(hipDestroyExternalMemory)
ABSENT(hipDestroyExternalSemaphore)
ABSENT(hipExternalMemoryGetMappedBuffer)
ABSENT(hipImportExternalMemory)
ABSENT(hipImportExternalSemaphore)
ABSENT(hipSignalExternalSemaphoresAsync)
ABSENT(hipWaitExternalSemaphoresAsync)

// ---- graphics

ABSENT(hipGLGetDevices)
ABSENT(hipGraphicsGLRegisterBuffer)
ABSENT(hipGraphicsGLRegisterImage)
ABSENT(hipGraphicsMapResources)
ABSENT(hipGraphicsResourceGetMappedPointer)
ABSENT(hipGraphicsSubResourceGetMappedArray)
ABSENT(hipGraphicsUnmapResources)
ABSENT(hipGraphicsUnregisterResource)

// ---- graphs built or changed by hand

ABSENT(hipDrvGraphAddMemcpyNode)
ABSENT(hipDrvGraphAddMemsetNode)
ABSENT(hipDrvGraphExecMemcpyNodeSetParams)
ABSENT(hipDrvGraphExecMemsetNodeSetParams)
ABSENT(hipGraphAddBatchMemOpNode)
ABSENT(hipGraphAddChildGraphNode)
ABSENT(hipGraphAddDependencies)
ABSENT(hipGraphAddEmptyNode)
ABSENT(hipGraphAddEventRecordNode)
ABSENT(hipGraphAddEventWaitNode)
ABSENT(hipGraphAddExternalSemaphoresSignalNode)
ABSENT(hipGraphAddExternalSemaphoresWaitNode)
ABSENT(hipGraphAddHostNode)
ABSENT(hipGraphAddKernelNode)
ABSENT(hipGraphAddMemcpyNode)
ABSENT(hipGraphAddMemcpyNode1D)
ABSENT(hipGraphAddMemcpyNodeFromSymbol)
ABSENT(hipGraphAddMemcpyNodeToSymbol)
ABSENT(hipGraphAddMemsetNode)
ABSENT(hipGraphAddNode)
ABSENT(hipGraphBatchMemOpNodeGetParams)
ABSENT(hipGraphBatchMemOpNodeSetParams)
ABSENT(hipGraphChildGraphNodeGetGraph)
ABSENT(hipGraphDebugDotPrint)
ABSENT(hipGraphDestroyNode)
ABSENT(hipGraphEventRecordNodeGetEvent)
ABSENT(hipGraphEventRecordNodeSetEvent)
ABSENT(hipGraphEventWaitNodeGetEvent)
ABSENT(hipGraphEventWaitNodeSetEvent)
ABSENT(hipGraphExecBatchMemOpNodeSetParams)
ABSENT(hipGraphExecChildGraphNodeSetParams)
ABSENT(hipGraphExecEventRecordNodeSetEvent)
ABSENT(hipGraphExecEventWaitNodeSetEvent)
ABSENT(hipGraphExecExternalSemaphoresSignalNodeSetParams)
ABSENT(hipGraphExecExternalSemaphoresWaitNodeSetParams)
ABSENT(hipGraphExecGetFlags)
ABSENT(hipGraphExecHostNodeSetParams)
ABSENT(hipGraphExecKernelNodeSetParams)
ABSENT(hipGraphExecMemcpyNodeSetParams)
ABSENT(hipGraphExecMemcpyNodeSetParams1D)
ABSENT(hipGraphExecMemcpyNodeSetParamsFromSymbol)
ABSENT(hipGraphExecMemcpyNodeSetParamsToSymbol)
ABSENT(hipGraphExecMemsetNodeSetParams)
ABSENT(hipGraphExecNodeSetParams)
ABSENT(hipGraphExecUpdate)
ABSENT(hipGraphExternalSemaphoresSignalNodeGetParams)
ABSENT(hipGraphExternalSemaphoresSignalNodeSetParams)
ABSENT(hipGraphExternalSemaphoresWaitNodeGetParams)
ABSENT(hipGraphExternalSemaphoresWaitNodeSetParams)
ABSENT(hipGraphGetEdges)
ABSENT(hipGraphHostNodeGetParams)
ABSENT(hipGraphHostNodeSetParams)
ABSENT(hipGraphInstantiateWithParams)
ABSENT(hipGraphKernelNodeCopyAttributes)
ABSENT(hipGraphKernelNodeGetAttribute)
ABSENT(hipGraphKernelNodeGetParams)
ABSENT(hipGraphKernelNodeSetAttribute)
ABSENT(hipGraphKernelNodeSetParams)
ABSENT(hipGraphMemcpyNodeGetParams)
ABSENT(hipGraphMemcpyNodeSetParams)
ABSENT(hipGraphMemcpyNodeSetParams1D)
ABSENT(hipGraphMemcpyNodeSetParamsFromSymbol)
ABSENT(hipGraphMemcpyNodeSetParamsToSymbol)
ABSENT(hipGraphMemsetNodeGetParams)
ABSENT(hipGraphMemsetNodeSetParams)
ABSENT(hipGraphNodeFindInClone)
ABSENT(hipGraphNodeGetDependentNodes)
ABSENT(hipGraphNodeGetEnabled)
ABSENT(hipGraphNodeSetEnabled)
ABSENT(hipGraphNodeSetParams)
ABSENT(hipGraphRemoveDependencies)
ABSENT(hipGraphUpload)
ABSENT(hipStreamBeginCaptureToGraph)

// ---- memory of graphs

ABSENT(hipDeviceGetGraphMemAttribute)
ABSENT(hipDeviceGraphMemTrim)
ABSENT(hipDeviceSetGraphMemAttribute)
ABSENT(hipDrvGraphAddMemFreeNode)
ABSENT(hipDrvGraphMemcpyNodeGetParams)
ABSENT(hipDrvGraphMemcpyNodeSetParams)
ABSENT(hipGraphAddMemAllocNode)
ABSENT(hipGraphAddMemFreeNode)
ABSENT(hipGraphMemAllocNodeGetParams)
ABSENT(hipGraphMemFreeNodeGetParams)

// ---- profilers

ABSENT(hipEnableActivityCallback)
ABSENT(hipInitActivityCallback)
ABSENT(hipRegisterActivityCallback)
ABSENT(hipRegisterApiCallback)
ABSENT(hipRemoveActivityCallback)
ABSENT(hipRemoveApiCallback)

// ---- textures

ABSENT(hipBindTexture)
ABSENT(hipBindTexture2D)
ABSENT(hipBindTextureToArray)
ABSENT(hipBindTextureToMipmappedArray)
ABSENT(hipCreateTextureObject)
ABSENT(hipDestroyTextureObject)
ABSENT(hipGetTextureAlignmentOffset)
ABSENT(hipGetTextureObjectResourceDesc)
ABSENT(hipGetTextureObjectResourceViewDesc)
ABSENT(hipGetTextureObjectTextureDesc)
ABSENT(hipGetTextureReference)
ABSENT(hipModuleGetTexRef)
ABSENT(hipTexObjectCreate)
ABSENT(hipTexObjectDestroy)
ABSENT(hipTexObjectGetResourceDesc)
ABSENT(hipTexObjectGetResourceViewDesc)
ABSENT(hipTexObjectGetTextureDesc)
ABSENT(hipTexRefGetAddress)
ABSENT(hipTexRefGetAddressMode)
ABSENT(hipTexRefGetFilterMode)
ABSENT(hipTexRefGetFlags)
ABSENT(hipTexRefGetFormat)
ABSENT(hipTexRefGetMaxAnisotropy)
ABSENT(hipTexRefGetMipmapFilterMode)
ABSENT(hipTexRefGetMipmapLevelBias)
ABSENT(hipTexRefGetMipmapLevelClamp)
ABSENT(hipTexRefSetAddress)
ABSENT(hipTexRefSetAddress2D)
ABSENT(hipTexRefSetAddressMode)
ABSENT(hipTexRefSetArray)
ABSENT(hipTexRefSetBorderColor)
ABSENT(hipTexRefSetFilterMode)
ABSENT(hipTexRefSetFlags)
ABSENT(hipTexRefSetFormat)
ABSENT(hipTexRefSetMaxAnisotropy)
ABSENT(hipTexRefSetMipmapFilterMode)
ABSENT(hipTexRefSetMipmapLevelBias)
ABSENT(hipTexRefSetMipmapLevelClamp)
ABSENT(hipTexRefSetMipmappedArray)
ABSENT(hipUnbindTexture)

ABSENT_2(_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc)
ABSENT_1(_Z23hipDestroySurfaceObjectP13__hip_surface)
ABSENT_2(hipTexRefGetArray)
ABSENT_2(hipTexRefGetBorderColor)
ABSENT_2(hipTexRefGetMipMappedArray)
