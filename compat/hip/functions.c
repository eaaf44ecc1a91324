// SPDX-License-Identifier: Apache-2.0
// HIP's functions that CUDA has under the same names.
#include <stddef.h>

#include <hip/hip_runtime_api.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/memory/pool.h"

_Static_assert(sizeof(hipMemPoolProps) == sizeof(struct tn_rt_pool_props) &&
                   offsetof(hipMemPoolProps, maxSize) == offsetof(struct tn_rt_pool_props, limit) &&
                   sizeof(hipMemPoolPtrExportData) == sizeof(struct tn_rt_pool_pointer) &&
                   (int)hipMemPoolReuseFollowEventDependencies == TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)hipMemPoolAttrUsedMemHigh == TN_RT_POOL_USED_HIGH,
               "descriptions and attributes have the same layout and numbers");

#define TN_RT_EXTENTS dim3
#define API(name)     hip##name
#include "compat/runtime/functions.h"

// The parameters of a copy to a variable, and of one from it.
#define TO                                                                                         \
    const void *, symbol, const void *, src, size_t, count, size_t, offset, hipMemcpyKind, kind
#define FROM void *, dst, const void *, symbol, size_t, count, size_t, offset, hipMemcpyKind, kind

// ---- arrays

TN_HIP_ROW(hipMallocArray,
           TN_FACE_EXPRESSION(tn_rt_array_make_box(array, desc, width, height, 0, flags)),
           hipArray_t *, array, const hipChannelFormatDesc *, desc, size_t, width, size_t, height,
           unsigned int, flags)
TN_HIP_ROW(hipGetChannelDesc, tn_rt_array_channels, hipChannelFormatDesc *, desc, hipArray_const_t,
           array)
TN_HIP_ROW(hipGetMipmappedArrayLevel, tn_rt_mipmap_level, hipArray_t *, levelArray,
           hipMipmappedArray_const_t, mipmappedArray, unsigned int, level)

// ---- copies of arrays

TN_HIP_SPT_PAIR(hipMemcpy2DToArray, hipMemcpy2DToArray_spt, hipMemcpy2DToArrayAsync,
                hipMemcpy2DToArrayAsync_spt, tn_rt_rows_to, TN_RT_COPY_COMPLETE, hipArray_t, dst,
                size_t, wOffset, size_t, hOffset, const void *, src, size_t, spitch, size_t, width,
                size_t, height, hipMemcpyKind, kind)
TN_HIP_SPT_PAIR(hipMemcpy2DFromArray, hipMemcpy2DFromArray_spt, hipMemcpy2DFromArrayAsync,
                hipMemcpy2DFromArrayAsync_spt, tn_rt_rows_from, TN_RT_COPY_COMPLETE, void *, dst,
                size_t, dpitch, hipArray_const_t, src, size_t, wOffset, size_t, hOffset, size_t,
                width, size_t, height, hipMemcpyKind, kind)

// ---- captures

TN_HIP_SPT_ROW(hipStreamIsCapturing, hipStreamIsCapturing_spt,
               TN_FACE_EXPRESSION(tn_rt_capture_identify(stream, pCaptureStatus, NULL)),
               hipStream_t, stream, hipStreamCaptureStatus *, pCaptureStatus)
TN_HIP_SPT_ROW(hipStreamBeginCapture, hipStreamBeginCapture_spt, tn_rt_capture_begin, hipStream_t,
               stream, hipStreamCaptureMode, mode)
TN_HIP_SPT_ROW(hipStreamEndCapture, hipStreamEndCapture_spt, tn_rt_capture_end, hipStream_t, stream,
               hipGraph_t *, pGraph)

// ---- devices and contexts

TN_HIP_ROW(hipDeviceGet, tn_rt_device_get, int *, device, int, ordinal)
TN_HIP_ROW(hipDeviceGetName, tn_rt_device_name, char *, name, int, len, int, device)
TN_HIP_ROW(hipDeviceTotalMem, tn_rt_device_memory, size_t *, bytes, int, device)
TN_HIP_ROW(hipDeviceGetPCIBusId, tn_rt_device_pci, char *, pciBusId, int, len, int, deviceId)
TN_HIP_ROW(hipDeviceGetByPCIBusId, tn_rt_device_by_pci, int *, device, const char *, pciBusId)
TN_HIP_ROW(hipDeviceCanAccessPeer, tn_rt_peer_query, int *, canAccessPeer, int, deviceId, int,
           peerDeviceId)
TN_HIP_ROW(hipCtxGetCurrent, tn_rt_context_current, hipCtx_t *, ctx)
TN_HIP_ROW(hipCtxSetCurrent, tn_rt_context_set, hipCtx_t, ctx)
TN_HIP_ROW(hipCtxPopCurrent, tn_rt_context_pop, hipCtx_t *, ctx)
TN_HIP_ROW(hipDevicePrimaryCtxRetain, tn_rt_primary_retain, hipCtx_t *, pctx, int, dev)
TN_HIP_ROW(hipDevicePrimaryCtxRelease, tn_rt_primary_release, int, dev)
TN_HIP_ROW(hipDevicePrimaryCtxSetFlags, tn_rt_primary_set_flags, int, dev, unsigned int, flags)
TN_HIP_ROW(hipGetDeviceFlags, tn_rt_context_flags, unsigned int *, flags)

// ---- copies of one row

TN_HIP_SPT_PAIR(hipMemcpy, hipMemcpy_spt, hipMemcpyAsync, hipMemcpyAsync_spt, tn_rt_copy_linear,
                TN_RT_COPY_SYNC, void *, dst, const void *, src, size_t, sizeBytes, hipMemcpyKind,
                kind)
TN_HIP_PAIR(hipMemcpyPeer, hipMemcpyPeerAsync, tn_rt_copy_peer, TN_RT_COPY_PEER, void *, dst, int,
            dstDeviceId, const void *, src, int, srcDeviceId, size_t, sizeBytes)

// ---- copies of rows and boxes

TN_HIP_SPT_PAIR(hipMemcpy2D, hipMemcpy2D_spt, hipMemcpy2DAsync, hipMemcpy2DAsync_spt, tn_rt_copy_2d,
                TN_RT_COPY_COMPLETE, void *, dst, size_t, dpitch, const void *, src, size_t, spitch,
                size_t, width, size_t, height, hipMemcpyKind, kind)
TN_HIP_SPT_PAIR(hipMemcpy3D, hipMemcpy3D_spt, hipMemcpy3DAsync, hipMemcpy3DAsync_spt, tn_rt_copy_3d,
                TN_RT_COPY_COMPLETE, const hipMemcpy3DParms *, p)

// ---- events

TN_HIP_SPT_ROW(hipEventRecord, hipEventRecord_spt,
               TN_FACE_EXPRESSION(tn_rt_event_record_with(event, stream, 0)), hipEvent_t, event,
               hipStream_t, stream)
TN_HIP_ROW(hipEventRecordWithFlags, tn_rt_event_record_with, hipEvent_t, event, hipStream_t, stream,
           unsigned int, flags)
TN_HIP_SPT_ROW(hipStreamWaitEvent, hipStreamWaitEvent_spt, tn_rt_event_wait, hipStream_t, stream,
               hipEvent_t, event, unsigned int, flags)
TN_HIP_ROW(hipEventQuery, tn_rt_event_query, hipEvent_t, event)
TN_HIP_ROW(hipEventSynchronize, tn_rt_event_synchronize, hipEvent_t, event)
TN_HIP_ROW(hipEventDestroy, tn_rt_event_end, hipEvent_t, event)

// ---- fills

TN_HIP_SPT_PAIR(hipMemset, hipMemset_spt, hipMemsetAsync, hipMemsetAsync_spt, tn_rt_fill_8,
                TN_RT_COPY_SYNC, void *, dst, int, value, size_t, sizeBytes)
TN_HIP_SPT_PAIR(hipMemset3D, hipMemset3D_spt, hipMemset3DAsync, hipMemset3DAsync_spt, fill_box,
                TN_RT_COPY_SYNC, hipPitchedPtr, pitchedDevPtr, int, value, hipExtent, extent)

// ---- graphs

TN_HIP_ROW(hipGraphCreate, tn_rt_graph_create, hipGraph_t *, pGraph, unsigned int, flags)
TN_HIP_ROW(hipGraphDestroy, tn_rt_graph_destroy, hipGraph_t, graph)
TN_HIP_ROW(hipGraphClone, tn_rt_graph_clone, hipGraph_t *, pGraphClone, hipGraph_t, originalGraph)
TN_HIP_ROW(hipGraphRetainUserObject, tn_rt_graph_retain_user, hipGraph_t, graph, hipUserObject_t,
           object, unsigned int, count, unsigned int, flags)
TN_HIP_ROW(hipGraphReleaseUserObject, tn_rt_graph_release_user, hipGraph_t, graph, hipUserObject_t,
           object, unsigned int, count)
TN_HIP_ROW(hipGraphGetNodes, tn_rt_graph_list_nodes, hipGraph_t, graph, hipGraphNode_t *, nodes,
           size_t *, numNodes)
TN_HIP_ROW(hipGraphGetRootNodes, tn_rt_graph_list_roots, hipGraph_t, graph, hipGraphNode_t *,
           pRootNodes, size_t *, pNumRootNodes)
TN_HIP_ROW(hipGraphNodeFindInClone, tn_rt_graph_find_copy, hipGraphNode_t *, pNode, hipGraphNode_t,
           originalNode, hipGraph_t, clonedGraph)
TN_HIP_ROW(hipGraphDebugDotPrint, tn_rt_graph_print, hipGraph_t, graph, const char *, path,
           unsigned int, flags)

// ---- executable graphs

TN_HIP_ROW(hipGraphExecGetFlags, tn_rt_graph_exec_flags, hipGraphExec_t, graphExec,
           unsigned long long *, flags)
TN_HIP_ROW(hipDeviceGraphMemTrim, tn_rt_graph_memory_trim_device, int, device)
TN_HIP_ROW(hipGraphInstantiateWithFlags, tn_rt_graph_instantiate, hipGraphExec_t *, pGraphExec,
           hipGraph_t, graph, unsigned long long, flags)
TN_HIP_ROW(hipGraphExecDestroy, tn_rt_graph_exec_end, hipGraphExec_t, graphExec)
TN_HIP_ROW(hipGraphUpload, tn_rt_graph_upload, hipGraphExec_t, graphExec, hipStream_t, stream)
TN_HIP_SPT_ROW(hipGraphLaunch, hipGraphLaunch_spt, tn_rt_graph_launch, hipGraphExec_t, graphExec,
               hipStream_t, stream)
TN_HIP_ROW(hipGraphNodeSetEnabled, tn_rt_graph_exec_set_enabled, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, hNode, unsigned int, isEnabled)
TN_HIP_ROW(hipGraphNodeGetEnabled, tn_rt_graph_exec_enabled, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, hNode, unsigned int *, isEnabled)
TN_HIP_ROW(hipDeviceGetGraphMemAttribute, tn_rt_graph_memory_get, int, device,
           hipGraphMemAttributeType, attr, void *, value)
TN_HIP_ROW(hipDeviceSetGraphMemAttribute, tn_rt_graph_memory_set, int, device,
           hipGraphMemAttributeType, attr, void *, value)

// ---- nodes of graphs

TN_HIP_ROW(hipGraphAddHostNode, tn_rt_add_function, TN_HIP_SPOT, const hipHostNodeParams *,
           pNodeParams)
TN_HIP_ROW(hipGraphHostNodeGetParams, tn_rt_get_function, hipGraphNode_t, node, hipHostNodeParams *,
           pNodeParams)
TN_HIP_ROW(hipGraphHostNodeSetParams, tn_rt_set_function, hipGraphNode_t, node,
           const hipHostNodeParams *, pNodeParams)
TN_HIP_ROW(hipGraphExecHostNodeSetParams, tn_rt_change_function, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, const hipHostNodeParams *, pNodeParams)
TN_HIP_ROW(hipGraphAddMemcpyNode, tn_rt_add_box, TN_HIP_SPOT, const hipMemcpy3DParms *, pCopyParams)
TN_HIP_ROW(hipGraphMemcpyNodeGetParams, tn_rt_get_box, hipGraphNode_t, node, hipMemcpy3DParms *,
           pNodeParams)
TN_HIP_ROW(hipGraphMemcpyNodeSetParams, tn_rt_set_box, hipGraphNode_t, node,
           const hipMemcpy3DParms *, pNodeParams)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParams, tn_rt_change_box, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, const hipMemcpy3DParms *, pNodeParams)
TN_HIP_ROW(hipGraphAddEventRecordNode, tn_rt_add_record_of, TN_HIP_SPOT, hipEvent_t, event)
TN_HIP_ROW(hipGraphEventRecordNodeGetEvent, tn_rt_get_record, hipGraphNode_t, node, hipEvent_t *,
           event_out)
TN_HIP_ROW(hipGraphEventRecordNodeSetEvent, tn_rt_set_record_of, hipGraphNode_t, node, hipEvent_t,
           event)
TN_HIP_ROW(hipGraphExecEventRecordNodeSetEvent, tn_rt_change_record_of, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, hNode, hipEvent_t, event)
TN_HIP_ROW(hipGraphAddEventWaitNode, tn_rt_add_wait_of, TN_HIP_SPOT, hipEvent_t, event)
TN_HIP_ROW(hipGraphEventWaitNodeGetEvent, tn_rt_get_wait, hipGraphNode_t, node, hipEvent_t *,
           event_out)
TN_HIP_ROW(hipGraphEventWaitNodeSetEvent, tn_rt_set_wait_of, hipGraphNode_t, node, hipEvent_t,
           event)
TN_HIP_ROW(hipGraphExecEventWaitNodeSetEvent, tn_rt_change_wait_of, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, hNode, hipEvent_t, event)
TN_HIP_ROW(hipGraphAddChildGraphNode, tn_rt_add_child_of, TN_HIP_SPOT, hipGraph_t, childGraph)
TN_HIP_ROW(hipGraphChildGraphNodeGetGraph, tn_rt_get_child, hipGraphNode_t, node, hipGraph_t *,
           pGraph)
TN_HIP_ROW(hipGraphExecChildGraphNodeSetParams, tn_rt_change_child_of, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, hipGraph_t, childGraph)
TN_HIP_ROW(hipGraphAddEmptyNode, tn_rt_add_empty, TN_HIP_SPOT)
TN_HIP_ROW(hipGraphAddMemcpyNode1D, tn_rt_add_row, TN_HIP_SPOT, void *, dst, const void *, src,
           size_t, count, hipMemcpyKind, kind)
TN_HIP_ROW(hipGraphMemcpyNodeSetParams1D, tn_rt_set_row, hipGraphNode_t, node, void *, dst,
           const void *, src, size_t, count, hipMemcpyKind, kind)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParams1D, tn_rt_change_row, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, void *, dst, const void *, src, size_t, count, hipMemcpyKind, kind)
TN_HIP_ROW(hipGraphAddMemAllocNode, tn_rt_add_alloc, TN_HIP_SPOT, hipMemAllocNodeParams *,
           pNodeParams)
TN_HIP_ROW(hipGraphMemAllocNodeGetParams, tn_rt_get_alloc, hipGraphNode_t, node,
           hipMemAllocNodeParams *, pNodeParams)
TN_HIP_ROW(hipGraphAddMemFreeNode, tn_rt_add_free, TN_HIP_SPOT, void *, dev_ptr)
TN_HIP_ROW(hipGraphMemFreeNodeGetParams, tn_rt_get_free, hipGraphNode_t, node, void *, dev_ptr)
TN_HIP_ROW(hipGraphKernelNodeSetAttribute, tn_rt_node_set_attribute, hipGraphNode_t, hNode,
           hipKernelNodeAttrID, attr, const hipKernelNodeAttrValue *, value)
TN_HIP_ROW(hipGraphKernelNodeGetAttribute, tn_rt_node_get_attribute, hipGraphNode_t, hNode,
           hipKernelNodeAttrID, attr, hipKernelNodeAttrValue *, value)
TN_HIP_ROW(hipGraphDestroyNode, tn_rt_node_remove, hipGraphNode_t, node)

// ---- memory

TN_HIP_UNCAPTURED_ROW(hipMalloc3D, alloc_box, hipPitchedPtr *, pitchedDevPtr, hipExtent, extent)
TN_HIP_UNCAPTURED_ROW(hipMallocPitch, tn_rt_memory_alloc_rows, void **, ptr, size_t *, pitch,
                      size_t, width, size_t, height)
TN_HIP_UNCAPTURED_ROW(hipIpcGetMemHandle, tn_rt_ipc_export, hipIpcMemHandle_t *, handle, void *,
                      devPtr)
TN_HIP_UNCAPTURED_ROW(hipIpcCloseMemHandle, tn_rt_ipc_close, void *, devPtr)
TN_HIP_ROW(hipHostGetDevicePointer, tn_rt_host_pointer, void **, devPtr, void *, hstPtr,
           unsigned int, flags)

// ---- functions of the program

TN_HIP_SPT_ROW(hipLaunchHostFunc, hipLaunchHostFunc_spt, tn_rt_host_function, hipStream_t, stream,
               hipHostFn_t, fn, void *, userData)

// ---- kernels

TN_HIP_ROW(hipFuncGetAttributes, get_attributes, hipFuncAttributes *, attr, const void *, func)
TN_HIP_ROW(hipLaunchKernel, tn_rt_launch_stub, const void *, function_address, dim3, numBlocks,
           dim3, dimBlocks, void **, args, size_t, sharedMemBytes, hipStream_t, stream)
TN_HIP_ROW(hipFuncSetAttribute, tn_rt_kernel_set_attribute, const void *, func, hipFuncAttribute,
           attr, int, value)
TN_HIP_ROW(hipFuncSetSharedMemConfig, tn_rt_prefer, const void *, func, hipSharedMemConfig, config)
TN_HIP_ROW(hipOccupancyMaxActiveBlocksPerMultiprocessor, tn_rt_kernel_occupancy, int *, numBlocks,
           const void *, f, int, blockSize, size_t, dynSharedMemPerBlk)
TN_HIP_ROW(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, tn_rt_count_blocks, int *,
           numBlocks, const void *, f, int, blockSize, size_t, dynSharedMemPerBlk, unsigned int,
           flags)
TN_HIP_ROW(hipOccupancyAvailableDynamicSMemPerBlock, tn_rt_kernel_free_shared, size_t *,
           dynamicSmemSize, const void *, f, int, numBlocks, int, blockSize)

// ---- managed memory

TN_HIP_ROW(hipStreamAttachMemAsync, tn_rt_attach, hipStream_t, stream, void *, dev_ptr, size_t,
           length, unsigned int, flags)
TN_HIP_ROW(hipMemRangeGetAttributes, tn_rt_range_attributes, void **, data, size_t *, data_sizes,
           hipMemRangeAttribute *, attributes, size_t, num_attributes, const void *, dev_ptr,
           size_t, count)

// ---- peers

TN_HIP_ROW(hipDeviceDisablePeerAccess, tn_rt_peer_disable, int, peerDeviceId)

// ---- pools

TN_HIP_UNCAPTURED_SETTING_ROW(hipMemPoolDestroy, tn_rt_pool_close, hipMemPool_t, mem_pool)
TN_HIP_UNCAPTURED_SETTING_ROW(hipDeviceSetMemPool, tn_rt_pool_choose, int, device, hipMemPool_t,
                              mem_pool)
TN_HIP_ROW(hipMemGetDefaultMemPool, tn_rt_pool_default_at, hipMemPool_t *, mem_pool,
           hipMemLocation *, location, hipMemAllocationType, type)
TN_HIP_ROW(hipMemGetMemPool, tn_rt_pool_current_at, hipMemPool_t *, mem_pool, hipMemLocation *,
           location, hipMemAllocationType, type)
TN_HIP_UNCAPTURED_SETTING_ROW(hipMemSetMemPool, tn_rt_pool_choose_at, hipMemLocation *, location,
                              hipMemAllocationType, type, hipMemPool_t, mem_pool)
TN_HIP_ROW(hipMallocAsync, tn_rt_alloc_async, void **, dev_ptr, size_t, size, hipStream_t, stream)
TN_HIP_ROW(hipMallocFromPoolAsync, tn_rt_alloc_from_pool, void **, dev_ptr, size_t, size,
           hipMemPool_t, mem_pool, hipStream_t, stream)
TN_HIP_ROW(hipFreeAsync, tn_rt_free_async, void *, dev_ptr, hipStream_t, stream)
TN_HIP_ROW(hipMemPoolTrimTo, tn_rt_pool_trim, hipMemPool_t, mem_pool, size_t, min_bytes_to_hold)
TN_HIP_ROW(hipMemPoolSetAttribute, tn_rt_pool_set_attribute, hipMemPool_t, mem_pool, hipMemPoolAttr,
           attr, void *, value)
TN_HIP_ROW(hipMemPoolGetAttribute, tn_rt_pool_get_attribute, hipMemPool_t, mem_pool, hipMemPoolAttr,
           attr, void *, value)
TN_HIP_ROW(hipMemPoolSetAccess, tn_rt_pool_set_access, hipMemPool_t, mem_pool,
           const hipMemAccessDesc *, desc_list, size_t, count)
TN_HIP_ROW(hipMemPoolGetAccess, tn_rt_pool_get_access, hipMemAccessFlags *, flags, hipMemPool_t,
           mem_pool, hipMemLocation *, location)
TN_HIP_ROW(hipDeviceGetDefaultMemPool, tn_rt_pool_default_of, hipMemPool_t *, mem_pool, int, device)
TN_HIP_ROW(hipDeviceGetMemPool, tn_rt_pool_current_of, hipMemPool_t *, mem_pool, int, device)
TN_HIP_ROW(hipMemPoolExportToShareableHandle, tn_rt_pool_export, void *, shared_handle,
           hipMemPool_t, mem_pool, hipMemAllocationHandleType, handle_type, unsigned int, flags)
TN_HIP_ROW(hipMemPoolImportFromShareableHandle, tn_rt_pool_import, hipMemPool_t *, mem_pool, void *,
           shared_handle, hipMemAllocationHandleType, handle_type, unsigned int, flags)
TN_HIP_ROW(hipMemPoolExportPointer, tn_rt_pool_export_pointer, hipMemPoolPtrExportData *,
           export_data, void *, dev_ptr)
TN_HIP_ROW(hipMemPoolImportPointer, tn_rt_pool_import_pointer, void **, dev_ptr, hipMemPool_t,
           mem_pool, hipMemPoolPtrExportData *, export_data)

// ---- preferences and limits

TN_HIP_ROW(hipDeviceGetSharedMemConfig, tn_rt_banks_get, hipSharedMemConfig *, pConfig)

// ---- streams

TN_HIP_ROW(hipStreamCreate, TN_FACE_EXPRESSION(tn_rt_stream_make(stream, TN_RT_STREAM_BLOCKING, 0)),
           hipStream_t *, stream)
TN_HIP_ROW(hipStreamCreateWithFlags, TN_FACE_EXPRESSION(tn_rt_stream_make(stream, flags, 0)),
           hipStream_t *, stream, unsigned int, flags)
TN_HIP_ROW(hipStreamCreateWithPriority, tn_rt_stream_make, hipStream_t *, stream, unsigned int,
           flags, int, priority)
TN_HIP_ROW(hipDeviceGetStreamPriorityRange, tn_rt_stream_priorities, int *, leastPriority, int *,
           greatestPriority)
TN_HIP_SPT_ROW(hipStreamGetPriority, hipStreamGetPriority_spt, tn_rt_stream_priority, hipStream_t,
               stream, int *, priority)
TN_HIP_ROW(hipStreamGetDevice, tn_rt_stream_device, hipStream_t, stream, int *, device)
TN_HIP_ROW(hipStreamDestroy, tn_rt_stream_close, hipStream_t, stream)
TN_HIP_SPT_ROW(hipStreamQuery, hipStreamQuery_spt, tn_rt_query, hipStream_t, stream)
TN_HIP_SPT_ROW(hipStreamSynchronize, hipStreamSynchronize_spt, tn_rt_synchronize, hipStream_t,
               stream)

// ---- attributes of streams

TN_HIP_ROW(hipStreamSetAttribute, tn_rt_stream_set_attribute, hipStream_t, stream, hipStreamAttrID,
           attr, const hipStreamAttrValue *, value)
TN_HIP_ROW(hipStreamGetAttribute, tn_rt_stream_get_attribute, hipStream_t, stream, hipStreamAttrID,
           attr, hipStreamAttrValue *, value)
TN_HIP_ROW(hipStreamCopyAttributes, tn_rt_stream_copy_attributes, hipStream_t, dst, hipStream_t,
           src)
TN_HIP_ROW(hipStreamGetId, tn_rt_stream_id, hipStream_t, stream, unsigned long long *, streamId)

// ---- user objects

TN_HIP_ROW(hipUserObjectCreate, tn_rt_user_new, hipUserObject_t *, object_out, void *, ptr,
           hipHostFn_t, destroy, unsigned int, initialRefcount, unsigned int, flags)
TN_HIP_ROW(hipUserObjectRetain, tn_rt_user_retain, hipUserObject_t, object, unsigned int, count)
TN_HIP_ROW(hipUserObjectRelease, tn_rt_user_release, hipUserObject_t, object, unsigned int, count)

// ---- variables of kernels

TN_HIP_ROW(hipGetSymbolAddress, tn_rt_variable_address, void **, devPtr, const void *, symbol)
TN_HIP_ROW(hipGetSymbolSize, tn_rt_variable_size, size_t *, size, const void *, symbol)
TN_HIP_SPT_PAIR(hipMemcpyToSymbol, hipMemcpyToSymbol_spt, hipMemcpyToSymbolAsync,
                hipMemcpyToSymbolAsync_spt, tn_rt_symbol_to, TN_RT_COPY_SYNC, const void *, symbol,
                const void *, src, size_t, sizeBytes, size_t, offset, hipMemcpyKind, kind)
TN_HIP_SPT_PAIR(hipMemcpyFromSymbol, hipMemcpyFromSymbol_spt, hipMemcpyFromSymbolAsync,
                hipMemcpyFromSymbolAsync_spt, tn_rt_symbol_from, TN_RT_COPY_SYNC, void *, dst,
                const void *, symbol, size_t, sizeBytes, size_t, offset, hipMemcpyKind, kind)
TN_HIP_ROW(hipGraphAddMemcpyNodeToSymbol, tn_rt_symbol_add_to, TN_HIP_SPOT, TO)
TN_HIP_ROW(hipGraphAddMemcpyNodeFromSymbol, tn_rt_symbol_add_from, TN_HIP_SPOT, FROM)
TN_HIP_ROW(hipGraphMemcpyNodeSetParamsToSymbol, tn_rt_symbol_set_to, hipGraphNode_t, node, TO)
TN_HIP_ROW(hipGraphMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_set_from, hipGraphNode_t, node, FROM)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParamsToSymbol, tn_rt_symbol_change_to, hipGraphExec_t,
           hGraphExec, hipGraphNode_t, node, TO)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_change_from, hipGraphExec_t,
           hGraphExec, hipGraphNode_t, node, FROM)
