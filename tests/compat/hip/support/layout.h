// SPDX-License-Identifier: Apache-2.0
// Sizes, offsets and numbers that programs compiled elsewhere rely on: those of HIP 6.x, and the
// names that 7.x added. layout.c compiles this file as C and layout_cpp.cpp as C++: all that there
// is to prove is proved when they compile.
#pragma once

#include <assert.h>
#include <stddef.h>

#include <hip/hip_runtime_api.h>

#define SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#define AT(type, member, offset)                                                                   \
    static_assert(offsetof(type, member) == (offset), #type "." #member)
#define VALUE(name, value) static_assert((long long)(name) == (value), #name)
#ifdef __cplusplus
#include <type_traits>
#define IS(function, ...)                                                                          \
    static_assert(std::is_same<decltype(&function), hipError_t (*)(__VA_ARGS__)>::value, #function)
#else
#define IS(function, ...)                                                                          \
    static_assert(_Generic(&(function), hipError_t(*)(__VA_ARGS__) : 1, default : 0), #function)
#endif
#define WIDTH(type, member, size) static_assert(sizeof(((type *)0)->member) == (size), #member)

// ---- handles and errors

SIZE(hipMemGenericAllocationHandle_t, 8);
SIZE(hipDeviceptr_t, 8);
SIZE(hipDevice_t, 4);
SIZE(hipStream_t, 8);
SIZE(hipError_t, 4);
VALUE(hipErrorInvalidValue, 1);
VALUE(hipErrorOutOfMemory, 2);
VALUE(hipErrorMemoryAllocation, 2);
VALUE(hipErrorNoDevice, 100);
VALUE(hipErrorInvalidDevice, 101);
VALUE(hipErrorInvalidHandle, 400);
VALUE(hipErrorNotReady, 600);
VALUE(hipErrorNotSupported, 801);
VALUE(hipErrorUnknown, 999);

// ---- enums of virtual memory management

SIZE(hipMemLocationType, 4);
VALUE(hipMemLocationTypeInvalid, 0);
VALUE(hipMemLocationTypeNone, 0);
VALUE(hipMemLocationTypeDevice, 1);
VALUE(hipMemLocationTypeHost, 2);
VALUE(hipMemLocationTypeHostNuma, 3);
VALUE(hipMemLocationTypeHostNumaCurrent, 4);

SIZE(hipMemAccessFlags, 4);
VALUE(hipMemAccessFlagsProtNone, 0);
VALUE(hipMemAccessFlagsProtRead, 1);
VALUE(hipMemAccessFlagsProtReadWrite, 3);

SIZE(hipMemAllocationType, 4);
VALUE(hipMemAllocationTypeInvalid, 0);
VALUE(hipMemAllocationTypePinned, 1);
VALUE(hipMemAllocationTypeManaged, 2);
VALUE(hipMemAllocationTypeUncached, 0x40000000);
VALUE(hipMemAllocationTypeMax, 0x7FFFFFFF);

SIZE(hipMemAllocationHandleType, 4);
VALUE(hipMemHandleTypeNone, 0);
VALUE(hipMemHandleTypePosixFileDescriptor, 1);
VALUE(hipMemHandleTypeWin32, 2);
VALUE(hipMemHandleTypeWin32Kmt, 4);
VALUE(hipMemHandleTypeFabric, 8);

SIZE(hipMemAllocationGranularity_flags, 4);
VALUE(hipMemAllocationGranularityMinimum, 0);
VALUE(hipMemAllocationGranularityRecommended, 1);

SIZE(hipMemHandleType, 4);
VALUE(hipMemHandleTypeGeneric, 0);

SIZE(hipMemOperationType, 4);
VALUE(hipMemOperationTypeMap, 1);
VALUE(hipMemOperationTypeUnmap, 2);

SIZE(hipArraySparseSubresourceType, 4);
VALUE(hipArraySparseSubresourceTypeSparseLevel, 0);
VALUE(hipArraySparseSubresourceTypeMiptail, 1);

SIZE(hipResourceType, 4);
VALUE(hipResourceTypeArray, 0);
VALUE(hipResourceTypeMipmappedArray, 1);
VALUE(hipResourceTypeLinear, 2);
VALUE(hipResourceTypePitch2D, 3);
VALUE(HIP_RESOURCE_TYPE_ARRAY, 0);
VALUE(HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY, 1);
VALUE(HIP_RESOURCE_TYPE_LINEAR, 2);
VALUE(HIP_RESOURCE_TYPE_PITCH2D, 3);

// ---- structs of virtual memory management

SIZE(hipMemLocation, 8);
AT(hipMemLocation, type, 0);
AT(hipMemLocation, id, 4);

SIZE(hipMemAccessDesc, 12);
AT(hipMemAccessDesc, location, 0);
AT(hipMemAccessDesc, flags, 8);

SIZE(hipMemAllocationProp, 32);
AT(hipMemAllocationProp, type, 0);
AT(hipMemAllocationProp, requestedHandleType, 4);
AT(hipMemAllocationProp, requestedHandleTypes, 4);
AT(hipMemAllocationProp, location, 8);
AT(hipMemAllocationProp, win32HandleMetaData, 16);
AT(hipMemAllocationProp, allocFlags, 24);
AT(hipMemAllocationProp, allocFlags.compressionType, 24);
AT(hipMemAllocationProp, allocFlags.gpuDirectRDMACapable, 25);
AT(hipMemAllocationProp, allocFlags.usage, 26);
WIDTH(hipMemAllocationProp, allocFlags.compressionType, 1);
WIDTH(hipMemAllocationProp, allocFlags.gpuDirectRDMACapable, 1);
WIDTH(hipMemAllocationProp, allocFlags.usage, 2);
WIDTH(hipMemAllocationProp, allocFlags, 4);

SIZE(hipArrayMapInfo, 152);
AT(hipArrayMapInfo, resourceType, 0);
AT(hipArrayMapInfo, resource, 8);
AT(hipArrayMapInfo, resource.mipmap, 8);
AT(hipArrayMapInfo, resource.array, 8);
WIDTH(hipArrayMapInfo, resource.mipmap, 64);
WIDTH(hipArrayMapInfo, resource.array, 8);
AT(hipArrayMapInfo, subresourceType, 72);
AT(hipArrayMapInfo, subresource, 80);
WIDTH(hipArrayMapInfo, subresource, 32);
AT(hipArrayMapInfo, subresource.sparseLevel.level, 80);
AT(hipArrayMapInfo, subresource.sparseLevel.layer, 84);
AT(hipArrayMapInfo, subresource.sparseLevel.offsetX, 88);
AT(hipArrayMapInfo, subresource.sparseLevel.offsetY, 92);
AT(hipArrayMapInfo, subresource.sparseLevel.offsetZ, 96);
AT(hipArrayMapInfo, subresource.sparseLevel.extentWidth, 100);
AT(hipArrayMapInfo, subresource.sparseLevel.extentHeight, 104);
AT(hipArrayMapInfo, subresource.sparseLevel.extentDepth, 108);
AT(hipArrayMapInfo, subresource.miptail.layer, 80);
AT(hipArrayMapInfo, subresource.miptail.offset, 88);
AT(hipArrayMapInfo, subresource.miptail.size, 96);
AT(hipArrayMapInfo, memOperationType, 112);
AT(hipArrayMapInfo, memHandleType, 116);
AT(hipArrayMapInfo, memHandle.memHandle, 120);
AT(hipArrayMapInfo, offset, 128);
AT(hipArrayMapInfo, deviceBitMask, 136);
AT(hipArrayMapInfo, flags, 140);
AT(hipArrayMapInfo, reserved, 144);
WIDTH(hipArrayMapInfo, reserved, 8);

// ---- functions of virtual memory management

IS(hipMemAddressFree, void *, size_t);
IS(hipMemAddressReserve, void **, size_t, size_t, void *, unsigned long long);
IS(hipMemCreate, hipMemGenericAllocationHandle_t *, size_t, const hipMemAllocationProp *,
   unsigned long long);
IS(hipMemExportToShareableHandle, void *, hipMemGenericAllocationHandle_t,
   hipMemAllocationHandleType, unsigned long long);
IS(hipMemGetAccess, unsigned long long *, const hipMemLocation *, void *);
IS(hipMemGetAllocationGranularity, size_t *, const hipMemAllocationProp *,
   hipMemAllocationGranularity_flags);
IS(hipMemGetAllocationPropertiesFromHandle, hipMemAllocationProp *,
   hipMemGenericAllocationHandle_t);
IS(hipMemImportFromShareableHandle, hipMemGenericAllocationHandle_t *, void *,
   hipMemAllocationHandleType);
IS(hipMemMap, void *, size_t, size_t, hipMemGenericAllocationHandle_t, unsigned long long);
IS(hipMemMapArrayAsync, hipArrayMapInfo *, unsigned int, hipStream_t);
IS(hipMemRelease, hipMemGenericAllocationHandle_t);
IS(hipMemRetainAllocationHandle, hipMemGenericAllocationHandle_t *, void *);
IS(hipMemSetAccess, void *, size_t, const hipMemAccessDesc *, size_t);
IS(hipMemUnmap, void *, size_t);

// ---- pointers, managed memory, pools

SIZE(hipPointerAttribute_t, 32);
AT(hipPointerAttribute_t, type, 0);
AT(hipPointerAttribute_t, device, 4);
AT(hipPointerAttribute_t, devicePointer, 8);
AT(hipPointerAttribute_t, hostPointer, 16);
AT(hipPointerAttribute_t, isManaged, 24);
AT(hipPointerAttribute_t, allocationFlags, 28);
SIZE(hipIpcMemHandle_t, 64);
SIZE(hipGraphInstantiateParams, 32);
AT(hipGraphInstantiateParams, flags, 8);
AT(hipGraphInstantiateParams, result_out, 16);
AT(hipGraphInstantiateParams, uploadStream, 24);

SIZE(hipMemPoolProps, 88);
AT(hipMemPoolProps, allocType, 0);
AT(hipMemPoolProps, handleTypes, 4);
AT(hipMemPoolProps, location, 8);
AT(hipMemPoolProps, win32SecurityAttributes, 16);
AT(hipMemPoolProps, maxSize, 24);
AT(hipMemPoolProps, reserved, 32);
SIZE(hipMemPoolAttr, 4);
VALUE(hipMemPoolAttrUsedMemHigh, 8);
VALUE(hipMemoryTypeManaged, 3);
VALUE(HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 17);
VALUE(hipMemAdviseUnsetAccessedBy, 6);
VALUE(hipMemRangeAttributeLastPrefetchLocation, 4);

// ---- arrays

SIZE(hipMipmappedArray, 64);
AT(hipMipmappedArray, data, 0);
AT(hipMipmappedArray, desc, 8);
WIDTH(hipMipmappedArray, desc, 20);
AT(hipMipmappedArray, desc.x, 8);
AT(hipMipmappedArray, desc.y, 12);
AT(hipMipmappedArray, desc.z, 16);
AT(hipMipmappedArray, desc.w, 20);
AT(hipMipmappedArray, desc.f, 24);
AT(hipMipmappedArray, type, 28);
AT(hipMipmappedArray, width, 32);
AT(hipMipmappedArray, height, 36);
AT(hipMipmappedArray, depth, 40);
AT(hipMipmappedArray, min_mipmap_level, 44);
AT(hipMipmappedArray, max_mipmap_level, 48);
AT(hipMipmappedArray, flags, 52);
AT(hipMipmappedArray, format, 56);
AT(hipMipmappedArray, num_channels, 60);

SIZE(HIP_ARRAY3D_DESCRIPTOR, 40);
AT(HIP_ARRAY3D_DESCRIPTOR, Width, 0);
AT(HIP_ARRAY3D_DESCRIPTOR, Height, 8);
AT(HIP_ARRAY3D_DESCRIPTOR, Depth, 16);
AT(HIP_ARRAY3D_DESCRIPTOR, Format, 24);
AT(HIP_ARRAY3D_DESCRIPTOR, NumChannels, 28);
AT(HIP_ARRAY3D_DESCRIPTOR, Flags, 32);

SIZE(hipExtArraySparseProperties, 48);
AT(hipExtArraySparseProperties, tileExtent.height, 4);
AT(hipExtArraySparseProperties, miptailFirstLevel, 12);
AT(hipExtArraySparseProperties, miptailSize, 16);
AT(hipExtArraySparseProperties, flags, 24);
AT(hipExtArraySparseProperties, reserved, 28);
SIZE(hipExtArrayMemoryRequirements, 32);
AT(hipExtArrayMemoryRequirements, alignment, 8);
VALUE(hipExtArraySparse, 0x40);
VALUE(hipExtArrayDeferredMapping, 0x80);

// ---- copies

SIZE(hipMemcpyKind, 4);
VALUE(hipMemcpyHostToHost, 0);
VALUE(hipMemcpyHostToDevice, 1);
VALUE(hipMemcpyDeviceToHost, 2);
VALUE(hipMemcpyDeviceToDevice, 3);
VALUE(hipMemcpyDefault, 4);
VALUE(hipMemcpyDeviceToDeviceNoCU, 1024);

SIZE(hip_Memcpy2D, 128);
AT(hip_Memcpy2D, srcMemoryType, 16);
AT(hip_Memcpy2D, srcHost, 24);
AT(hip_Memcpy2D, srcDevice, 32);
AT(hip_Memcpy2D, srcArray, 40);
AT(hip_Memcpy2D, srcPitch, 48);
AT(hip_Memcpy2D, dstXInBytes, 56);
AT(hip_Memcpy2D, dstPitch, 104);
AT(hip_Memcpy2D, WidthInBytes, 112);
AT(hip_Memcpy2D, Height, 120);

SIZE(HIP_MEMCPY3D, 184);
AT(HIP_MEMCPY3D, srcLOD, 24);
AT(HIP_MEMCPY3D, srcMemoryType, 32);
AT(HIP_MEMCPY3D, srcHost, 40);
AT(HIP_MEMCPY3D, srcPitch, 64);
AT(HIP_MEMCPY3D, srcHeight, 72);
AT(HIP_MEMCPY3D, dstXInBytes, 80);
AT(HIP_MEMCPY3D, dstHeight, 152);
AT(HIP_MEMCPY3D, WidthInBytes, 160);
AT(HIP_MEMCPY3D, Depth, 176);

SIZE(hipMemcpy3DParms, 160);
AT(hipMemcpy3DParms, srcPos, 8);
AT(hipMemcpy3DParms, srcPtr, 32);
AT(hipMemcpy3DParms, dstArray, 64);
AT(hipMemcpy3DParms, dstPtr, 96);
AT(hipMemcpy3DParms, extent, 128);
AT(hipMemcpy3DParms, kind, 152);

SIZE(hipMemcpy3DPeerParms, 168);
AT(hipMemcpy3DPeerParms, srcDevice, 64);
AT(hipMemcpy3DPeerParms, dstArray, 72);
AT(hipMemcpy3DPeerParms, dstDevice, 136);
AT(hipMemcpy3DPeerParms, extent, 144);

IS(hipMemcpy, void *, const void *, size_t, hipMemcpyKind);
IS(hipMemcpyAsync, void *, const void *, size_t, hipMemcpyKind, hipStream_t);
IS(hipMemcpyDtoH, void *, hipDeviceptr_t, size_t);
IS(hipMemcpyDtoD, hipDeviceptr_t, hipDeviceptr_t, size_t);
IS(hipMemcpyPeer, void *, int, const void *, int, size_t);
IS(hipMemcpy2D, void *, size_t, const void *, size_t, size_t, size_t, hipMemcpyKind);
IS(hipMemcpy3D, const hipMemcpy3DParms *);
IS(hipDrvMemcpy3DAsync, const HIP_MEMCPY3D *, hipStream_t);
IS(hipMemset, void *, int, size_t);
IS(hipMemsetD32Async, hipDeviceptr_t, int, size_t, hipStream_t);
IS(hipMemset2D, void *, size_t, int, size_t, size_t);
IS(hipMemset3D, hipPitchedPtr, int, hipExtent);
IS(hipMalloc3DArray, hipArray_t *, const hipChannelFormatDesc *, hipExtent, unsigned int);
IS(hipGetMipmappedArrayLevel, hipArray_t *, hipMipmappedArray_const_t, unsigned int);
IS(hipMemcpy2DToArray, hipArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
   hipMemcpyKind);

// ---- of HIP 7

SIZE(hipStreamBatchMemOpParams, 48);
AT(hipStreamMemOpWaitValueParams, address, 8);
AT(hipStreamMemOpWaitValueParams, value64, 16);
AT(hipStreamMemOpWaitValueParams, flags, 24);
AT(hipStreamMemOpWaitValueParams, alias, 32);
AT(hipStreamMemOpWriteValueParams, value, 16);
AT(hipStreamMemOpMemoryBarrierParams, flags, 4);
VALUE(hipStreamMemOpWaitValue32, 1);
VALUE(hipStreamMemOpWriteValue32, 2);
VALUE(hipStreamMemOpWaitValue64, 4);
VALUE(hipStreamMemOpWriteValue64, 5);
SIZE(hipLaunchAttributeValue, 64);
SIZE(hipAccessPolicyWindow, 32);
SIZE(hipLaunchAttribute, 72);
AT(hipLaunchAttribute, val, 8);
VALUE(hipLaunchAttributeCooperative, 2);
VALUE(hipStreamAttributeSynchronizationPolicy, 3);
VALUE(hipStreamAttributePriority, 8);
SIZE(hipLaunchConfig_t, 56);
AT(hipLaunchConfig_t, blockDim, 12);
AT(hipLaunchConfig_t, dynamicSmemBytes, 24);
AT(hipLaunchConfig_t, stream, 32);
AT(hipLaunchConfig_t, attrs, 40);
AT(hipLaunchConfig_t, numAttrs, 48);
SIZE(HIP_LAUNCH_CONFIG, 56);
AT(HIP_LAUNCH_CONFIG, sharedMemBytes, 24);
AT(HIP_LAUNCH_CONFIG, hStream, 32);
AT(HIP_LAUNCH_CONFIG, attrs, 40);
AT(HIP_LAUNCH_CONFIG, numAttrs, 48);
SIZE(hipMemcpyAttributes, 24);
AT(hipMemcpyAttributes, srcLocHint, 4);
AT(hipMemcpyAttributes, dstLocHint, 12);
AT(hipMemcpyAttributes, flags, 20);
SIZE(hipMemcpy3DOperand, 40);
AT(hipMemcpy3DOperand, op.ptr.ptr, 8);
AT(hipMemcpy3DOperand, op.ptr.rowLength, 16);
AT(hipMemcpy3DOperand, op.ptr.layerHeight, 24);
AT(hipMemcpy3DOperand, op.ptr.locHint, 32);
AT(hipMemcpy3DOperand, op.array.array, 8);
AT(hipMemcpy3DOperand, op.array.offset, 16);
SIZE(hipMemcpy3DBatchOp, 112);
AT(hipMemcpy3DBatchOp, dst, 40);
AT(hipMemcpy3DBatchOp, extent, 80);
AT(hipMemcpy3DBatchOp, srcAccessOrder, 104);
AT(hipMemcpy3DBatchOp, flags, 108);
VALUE(hipJitInputSpirv, 103);
VALUE(hipJitOptionIRtoISAOptExt, 10000);

IS(hipStreamBatchMemOp, hipStream_t, unsigned int, hipStreamBatchMemOpParams *, unsigned int);
IS(hipStreamSetAttribute, hipStream_t, hipLaunchAttributeID, const hipLaunchAttributeValue *);
IS(hipStreamGetAttribute, hipStream_t, hipLaunchAttributeID, hipLaunchAttributeValue *);
IS(hipStreamCopyAttributes, hipStream_t, hipStream_t);
IS(hipStreamGetId, hipStream_t, unsigned long long *);
IS(hipMemcpyBatchAsync, void **, void **, size_t *, size_t, hipMemcpyAttributes *, size_t *, size_t,
   size_t *, hipStream_t);
IS(hipMemcpy3DBatchAsync, size_t, hipMemcpy3DBatchOp *, size_t *, unsigned long long, hipStream_t);
IS(hipMemAdvise_v2, const void *, size_t, hipMemoryAdvise, hipMemLocation);
IS(hipMemPrefetchAsync_v2, const void *, size_t, hipMemLocation, unsigned int, hipStream_t);
IS(hipGetDriverEntryPoint, const char *, void **, unsigned long long,
   hipDriverEntryPointQueryResult *);
IS(hipLaunchKernelExC, const hipLaunchConfig_t *, const void *, void **);
IS(hipDrvLaunchKernelEx, const HIP_LAUNCH_CONFIG *, hipFunction_t, void **, void **);
IS(hipModuleGetFunctionCount, unsigned int *, hipModule_t);
IS(hipOccupancyAvailableDynamicSMemPerBlock, size_t *, const void *, int, int);

// ---- graphs by hand

SIZE(hipKernelNodeParams, 64);
AT(hipKernelNodeParams, extra, 16);
AT(hipKernelNodeParams, func, 24);
AT(hipKernelNodeParams, gridDim, 32);
AT(hipKernelNodeParams, kernelParams, 48);
AT(hipKernelNodeParams, sharedMemBytes, 56);
SIZE(hipMemsetParams, 48);
AT(hipMemsetParams, elementSize, 8);
AT(hipMemsetParams, height, 16);
AT(hipMemsetParams, pitch, 24);
AT(hipMemsetParams, value, 32);
AT(hipMemsetParams, width, 40);
SIZE(HIP_MEMSET_NODE_PARAMS, 40);
AT(HIP_MEMSET_NODE_PARAMS, pitch, 8);
AT(HIP_MEMSET_NODE_PARAMS, value, 16);
AT(HIP_MEMSET_NODE_PARAMS, elementSize, 20);
AT(HIP_MEMSET_NODE_PARAMS, width, 24);
AT(HIP_MEMSET_NODE_PARAMS, height, 32);
SIZE(hipHostNodeParams, 16);
AT(hipHostNodeParams, userData, 8);
SIZE(hipMemAllocNodeParams, 120);
AT(hipMemAllocNodeParams, accessDescs, 88);
AT(hipMemAllocNodeParams, accessDescCount, 96);
AT(hipMemAllocNodeParams, bytesize, 104);
AT(hipMemAllocNodeParams, dptr, 112);
SIZE(hipMemcpyNodeParams, 176);
AT(hipMemcpyNodeParams, copyParams, 16);
SIZE(hipGraphNodeParams, 256);
AT(hipGraphNodeParams, memcpy, 16);
AT(hipGraphNodeParams, reserved2, 248);
SIZE(hipGraphEdgeData, 8);
AT(hipGraphEdgeData, to_port, 6);
AT(hipGraphEdgeData, type, 7);

IS(hipGraphAddNode, hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
   hipGraphNodeParams *);
IS(hipGraphNodeSetParams, hipGraphNode_t, hipGraphNodeParams *);
IS(hipGraphAddKernelNode, hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
   const hipKernelNodeParams *);
IS(hipGraphAddMemAllocNode, hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
   hipMemAllocNodeParams *);
IS(hipGraphAddMemFreeNode, hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, void *);
IS(hipDrvGraphAddMemcpyNode, hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
   const HIP_MEMCPY3D *, hipCtx_t);
IS(hipStreamBeginCaptureToGraph, hipStream_t, hipGraph_t, const hipGraphNode_t *,
   const hipGraphEdgeData *, size_t, hipStreamCaptureMode);
IS(hipGraphBatchMemOpNodeSetParams, hipGraphNode_t, hipBatchMemOpNodeParams *);
