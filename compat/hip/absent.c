// SPDX-License-Identifier: Apache-2.0
// Functions of HIP that programs link and that Tarn does not implement. A program that links them
// but never calls them runs. A call fails with hipErrorNotSupported, names the function and does
// nothing else. These functions do not read their arguments.
#include "compat/hip/face.h"

static hipError_t refuse_absent(const char *function) {
    return tn_hip_fail(hipErrorNotSupported, "%s() is not in this library", function);
}

// No header declares them, so that a program built with Tarn's headers cannot use them.
#define ABSENT(name)                                                                               \
    HIP_API hipError_t name(void);                                                                 \
    hipError_t name(void) {                                                                        \
        return TN_HIP_CALL(refuse_absent(#name));                                                  \
    }

// ---- device code

ABSENT(hipExtLaunchMultiKernelMultiDevice)
ABSENT(hipLaunchCooperativeKernelMultiDevice)
ABSENT(hipLaunchCooperativeKernel_spt)
ABSENT(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)
ABSENT(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
ABSENT(hipModuleOccupancyMaxPotentialBlockSize)
ABSENT(hipModuleOccupancyMaxPotentialBlockSizeWithFlags)
ABSENT(hipOccupancyMaxActiveBlocksPerMultiprocessor)
ABSENT(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
ABSENT(hipOccupancyMaxPotentialBlockSize)
ABSENT(hipSetupArgument)

// ---- devices

ABSENT(hipExtGetLinkTypeAndHopCount)

// ---- events shared between processes

ABSENT(hipIpcGetEventHandle)
ABSENT(hipIpcOpenEventHandle)

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

ABSENT(hipGraphAddChildGraphNode)
ABSENT(hipGraphAddDependencies)
ABSENT(hipGraphAddEmptyNode)
ABSENT(hipGraphAddEventRecordNode)
ABSENT(hipGraphAddEventWaitNode)
ABSENT(hipGraphAddHostNode)
ABSENT(hipGraphAddKernelNode)
ABSENT(hipGraphAddMemcpyNode)
ABSENT(hipGraphAddMemcpyNode1D)
ABSENT(hipGraphAddMemcpyNodeFromSymbol)
ABSENT(hipGraphAddMemcpyNodeToSymbol)
ABSENT(hipGraphAddMemsetNode)
ABSENT(hipGraphChildGraphNodeGetGraph)
ABSENT(hipGraphDestroyNode)
ABSENT(hipGraphEventRecordNodeGetEvent)
ABSENT(hipGraphEventRecordNodeSetEvent)
ABSENT(hipGraphEventWaitNodeGetEvent)
ABSENT(hipGraphEventWaitNodeSetEvent)
ABSENT(hipGraphExecChildGraphNodeSetParams)
ABSENT(hipGraphExecEventRecordNodeSetEvent)
ABSENT(hipGraphExecEventWaitNodeSetEvent)
ABSENT(hipGraphExecHostNodeSetParams)
ABSENT(hipGraphExecKernelNodeSetParams)
ABSENT(hipGraphExecMemcpyNodeSetParams)
ABSENT(hipGraphExecMemcpyNodeSetParams1D)
ABSENT(hipGraphExecMemcpyNodeSetParamsFromSymbol)
ABSENT(hipGraphExecMemcpyNodeSetParamsToSymbol)
ABSENT(hipGraphExecMemsetNodeSetParams)
ABSENT(hipGraphExecUpdate)
ABSENT(hipGraphGetEdges)
ABSENT(hipGraphHostNodeGetParams)
ABSENT(hipGraphHostNodeSetParams)
ABSENT(hipGraphKernelNodeGetParams)
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
ABSENT(hipGraphRemoveDependencies)

// ---- pools shared between processes

ABSENT(hipMemPoolExportPointer)
ABSENT(hipMemPoolExportToShareableHandle)
ABSENT(hipMemPoolImportFromShareableHandle)
ABSENT(hipMemPoolImportPointer)

// ---- profilers

ABSENT(hipEnableActivityCallback)
ABSENT(hipInitActivityCallback)
ABSENT(hipProfilerStart)
ABSENT(hipProfilerStop)
ABSENT(hipRegisterActivityCallback)
ABSENT(hipRegisterApiCallback)
ABSENT(hipRemoveActivityCallback)
ABSENT(hipRemoveApiCallback)

// ---- streams

ABSENT(hipExtStreamCreateWithCUMask)
ABSENT(hipExtStreamGetCUMask)
ABSENT(hipStreamUpdateCaptureDependencies)
ABSENT(hipStreamWaitValue32)
ABSENT(hipStreamWaitValue64)
ABSENT(hipStreamWriteValue32)
ABSENT(hipStreamWriteValue64)

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

// ---- variables of device code

ABSENT(hipGetSymbolAddress)
ABSENT(hipGetSymbolSize)
ABSENT(hipMemcpyFromSymbol)
ABSENT(hipMemcpyFromSymbolAsync)
ABSENT(hipMemcpyFromSymbol_spt)
ABSENT(hipMemcpyToSymbol)
ABSENT(hipMemcpyToSymbolAsync)
ABSENT(hipMemcpyToSymbol_spt)
