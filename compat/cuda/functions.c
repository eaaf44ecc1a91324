// SPDX-License-Identifier: Apache-2.0
// CUDA's functions that HIP has under the same names.
#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"

#define TN_RT_EXTENTS dim3
#define API(name)     cuda##name
#include "compat/runtime/functions.h"

// The parameters of a copy to a variable, and of one from it.
#define TO                                                                                         \
    const void *, symbol, const void *, src, size_t, count, size_t, offset, enum cudaMemcpyKind,   \
        kind
#define FROM                                                                                       \
    void *, dst, const void *, symbol, size_t, count, size_t, offset, enum cudaMemcpyKind, kind

// ---- arrays

TN_CUDART(cudaMallocArray,
          TN_FACE_EXPRESSION(tn_rt_array_make_box(array, descriptor, width, height, 0, flags)),
          cudaArray_t *, array, const cudaChannelFormatDesc *, descriptor, size_t, width, size_t,
          height, unsigned int, flags)
TN_CUDART(cudaGetChannelDesc, tn_rt_array_channels, cudaChannelFormatDesc *, descriptor,
          cudaArray_const_t, array)
TN_CUDART(cudaGetMipmappedArrayLevel, tn_rt_mipmap_level, cudaArray_t *, level_array,
          cudaMipmappedArray_const_t, mipmap, unsigned int, level)

// ---- copies of arrays

TN_CUDART_PAIR(cudaMemcpy2DToArray, cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArrayAsync,
               cudaMemcpy2DToArrayAsync_ptsz, tn_rt_rows_to, TN_RT_COPY_COMPLETE, cudaArray_t, dst,
               size_t, x, size_t, y, const void *, src, size_t, src_pitch, size_t, width, size_t,
               height, enum cudaMemcpyKind, kind)
TN_CUDART_PAIR(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArrayAsync,
               cudaMemcpy2DFromArrayAsync_ptsz, tn_rt_rows_from, TN_RT_COPY_COMPLETE, void *, dst,
               size_t, dst_pitch, cudaArray_const_t, src, size_t, x, size_t, y, size_t, width,
               size_t, height, enum cudaMemcpyKind, kind)

// ---- captures

TN_CU_BOTH_STREAM(cuStreamIsCapturing, cuStreamIsCapturing_ptsz, cudaStreamIsCapturing,
                  cudaStreamIsCapturing_ptsz,
                  TN_FACE_EXPRESSION(tn_rt_capture_identify(stream, status, NULL)), cudaStream_t,
                  stream, enum cudaStreamCaptureStatus *, status)
TN_CU_BOTH_STREAM(cuStreamBeginCapture_v2, cuStreamBeginCapture_v2_ptsz, cudaStreamBeginCapture,
                  cudaStreamBeginCapture_ptsz, tn_rt_capture_begin, cudaStream_t, stream,
                  enum cudaStreamCaptureMode, mode)
TN_CU_BOTH_STREAM(cuStreamEndCapture, cuStreamEndCapture_ptsz, cudaStreamEndCapture,
                  cudaStreamEndCapture_ptsz, tn_rt_capture_end, cudaStream_t, stream, cudaGraph_t *,
                  graph)

// ---- devices and contexts

TN_CU_BARE(cuDeviceGet, tn_rt_device_get, int *, device, int, ordinal)
TN_CU_BARE(cuDeviceGetName, tn_rt_device_name, char *, name, int, length, int, device)
TN_CU_BARE(cuDeviceTotalMem_v2, tn_rt_device_memory, size_t *, bytes, int, device)
TN_CU_BARE(cuDeviceGetPCIBusId, tn_rt_device_pci, char *, bus_id, int, length, int, device)
TN_CUDART_BARE(cudaDeviceGetPCIBusId, tn_rt_device_pci, char *, bus_id, int, length, int, device)
TN_CU_BARE(cuDeviceGetByPCIBusId, tn_rt_device_by_pci, int *, device, const char *, bus_id)
TN_CUDART_BARE(cudaDeviceGetByPCIBusId, tn_rt_device_by_pci, int *, device, const char *, bus_id)
TN_CU_BARE(cuDeviceCanAccessPeer, tn_rt_peer_query, int *, can_access, int, device, int, peer)
TN_CUDART_BARE(cudaDeviceCanAccessPeer, tn_rt_peer_query, int *, can_access, int, device, int, peer)
TN_CU_BARE(cuCtxGetCurrent, tn_rt_context_current, CUcontext *, context)
TN_CU_BARE(cuCtxSetCurrent, tn_rt_context_set, CUcontext, context)
TN_CU_BARE(cuCtxPopCurrent_v2, tn_rt_context_pop, CUcontext *, context)
TN_CU_BARE(cuDevicePrimaryCtxRetain, tn_rt_primary_retain, CUcontext *, context, int, device)
TN_CU_BARE(cuDevicePrimaryCtxRelease_v2, tn_rt_primary_release, int, device)
TN_CU_BARE(cuDevicePrimaryCtxSetFlags_v2, tn_rt_primary_set_flags, int, device, unsigned int, flags)
TN_CUDART(cudaGetDeviceFlags, tn_rt_context_flags, unsigned int *, flags)

// ---- copies of one row

TN_CUDART_PAIR(cudaMemcpy, cudaMemcpy_ptds, cudaMemcpyAsync, cudaMemcpyAsync_ptsz,
               tn_rt_copy_linear, TN_RT_COPY_SYNC, void *, dst, const void *, src, size_t, count,
               enum cudaMemcpyKind, kind)
TN_CUDART(cudaMemcpyPeer,
          TN_FACE_EXPRESSION(tn_rt_copy_peer(dst, dst_device, src, src_device, count, NULL,
                                             TN_RT_COPY_PEER)),
          void *, dst, int, dst_device, const void *, src, int, src_device, size_t, count)
TN_CUDART(cudaMemcpyPeerAsync,
          TN_FACE_EXPRESSION(tn_rt_copy_peer(dst, dst_device, src, src_device, count, stream,
                                             TN_RT_COPY_ASYNC)),
          void *, dst, int, dst_device, const void *, src, int, src_device, size_t, count,
          cudaStream_t, stream)

// ---- copies of rows and boxes

TN_CUDART_PAIR(cudaMemcpy2D, cudaMemcpy2D_ptds, cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz,
               tn_rt_copy_2d, TN_RT_COPY_COMPLETE, void *, dst, size_t, dst_pitch, const void *,
               src, size_t, src_pitch, size_t, width, size_t, height, enum cudaMemcpyKind, kind)
TN_CUDART_PAIR(cudaMemcpy3D, cudaMemcpy3D_ptds, cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz,
               tn_rt_copy_3d, TN_RT_COPY_COMPLETE, const cudaMemcpy3DParms *, copy)

// ---- events

TN_CU_BOTH_STREAM(cuEventRecord, cuEventRecord_ptsz, cudaEventRecord, cudaEventRecord_ptsz,
                  TN_FACE_EXPRESSION(tn_rt_event_record_with(event, stream, 0)), cudaEvent_t, event,
                  cudaStream_t, stream)
TN_CU_BOTH_STREAM(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz, cudaEventRecordWithFlags,
                  cudaEventRecordWithFlags_ptsz, tn_rt_event_record_with, cudaEvent_t, event,
                  cudaStream_t, stream, unsigned int, flags)
TN_CU_BOTH_STREAM(cuStreamWaitEvent, cuStreamWaitEvent_ptsz, cudaStreamWaitEvent,
                  cudaStreamWaitEvent_ptsz, tn_rt_event_wait, cudaStream_t, stream, cudaEvent_t,
                  event, unsigned int, flags)
TN_CU_BOTH(cuEventQuery, cudaEventQuery, tn_rt_event_query, cudaEvent_t, event)
TN_CU_BOTH(cuEventSynchronize, cudaEventSynchronize, tn_rt_event_synchronize, cudaEvent_t, event)
TN_CU_BOTH_BARE(cuEventDestroy_v2, cudaEventDestroy, tn_rt_event_end, cudaEvent_t, event)

// ---- fills

TN_CUDART_PAIR(cudaMemset, cudaMemset_ptds, cudaMemsetAsync, cudaMemsetAsync_ptsz, tn_rt_fill_8,
               TN_RT_COPY_SYNC, void *, address, int, value, size_t, count)
TN_CUDART_PAIR(cudaMemset3D, cudaMemset3D_ptds, cudaMemset3DAsync, cudaMemset3DAsync_ptsz, fill_box,
               TN_RT_COPY_SYNC, cudaPitchedPtr, pitched, int, value, cudaExtent, extent)

// ---- graphs

TN_CU_BOTH_BARE(cuGraphCreate, cudaGraphCreate, tn_rt_graph_create, cudaGraph_t *, graph,
                unsigned int, flags)
TN_CU_BOTH_BARE(cuGraphDestroy, cudaGraphDestroy, tn_rt_graph_destroy, cudaGraph_t, graph)
TN_CU_BOTH_BARE(cuGraphClone, cudaGraphClone, tn_rt_graph_clone, cudaGraph_t *, clone, cudaGraph_t,
                original)
TN_CU_BOTH_BARE(cuGraphRetainUserObject, cudaGraphRetainUserObject, tn_rt_graph_retain_user,
                cudaGraph_t, graph, cudaUserObject_t, object, unsigned int, count, unsigned int,
                flags)
TN_CU_BOTH_BARE(cuGraphReleaseUserObject, cudaGraphReleaseUserObject, tn_rt_graph_release_user,
                cudaGraph_t, graph, cudaUserObject_t, object, unsigned int, count)
TN_CU_BOTH_BARE(cuGraphGetNodes, cudaGraphGetNodes, tn_rt_graph_list_nodes, cudaGraph_t, graph,
                cudaGraphNode_t *, nodes, size_t *, count)
TN_CU_BOTH_BARE(cuGraphGetRootNodes, cudaGraphGetRootNodes, tn_rt_graph_list_roots, cudaGraph_t,
                graph, cudaGraphNode_t *, nodes, size_t *, count)
TN_CU_BOTH_BARE(cuGraphNodeFindInClone, cudaGraphNodeFindInClone, tn_rt_graph_find_copy,
                cudaGraphNode_t *, node, cudaGraphNode_t, original, cudaGraph_t, clone)
TN_CU_BOTH_BARE(cuGraphDebugDotPrint, cudaGraphDebugDotPrint, tn_rt_graph_print, cudaGraph_t, graph,
                const char *, path, unsigned int, flags)

// ---- executable graphs

TN_CUDART(cudaGraphExecGetFlags, tn_rt_graph_exec_flags, cudaGraphExec_t, exec,
          unsigned long long *, flags)
TN_CU_BOTH_BARE(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim, tn_rt_graph_memory_trim_device, int,
                device)
TN_CUDART(cudaGraphInstantiateWithFlags, tn_rt_graph_instantiate, cudaGraphExec_t *, exec,
          cudaGraph_t, graph, unsigned long long, flags)
TN_CU_BOTH_BARE(cuGraphExecDestroy, cudaGraphExecDestroy, tn_rt_graph_exec_end, cudaGraphExec_t,
                exec)
TN_CU_BOTH_STREAM(cuGraphUpload, cuGraphUpload_ptsz, cudaGraphUpload, cudaGraphUpload_ptsz,
                  tn_rt_graph_upload, cudaGraphExec_t, exec, cudaStream_t, stream)
TN_CU_BOTH_STREAM(cuGraphLaunch, cuGraphLaunch_ptsz, cudaGraphLaunch, cudaGraphLaunch_ptsz,
                  tn_rt_graph_launch, cudaGraphExec_t, exec, cudaStream_t, stream)
TN_CU_BOTH_BARE(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled, tn_rt_graph_exec_set_enabled,
                cudaGraphExec_t, exec, cudaGraphNode_t, node, unsigned int, enabled)
TN_CU_BOTH_BARE(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled, tn_rt_graph_exec_enabled,
                cudaGraphExec_t, exec, cudaGraphNode_t, node, unsigned int *, enabled)
TN_CU_BOTH_BARE(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute,
                tn_rt_graph_memory_get, int, device, enum cudaGraphMemAttributeType, attribute,
                void *, value)
TN_CU_BOTH_BARE(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute,
                tn_rt_graph_memory_set, int, device, enum cudaGraphMemAttributeType, attribute,
                void *, value)

// ---- nodes of graphs

TN_CU_BOTH_BARE(cuGraphAddHostNode, cudaGraphAddHostNode, tn_rt_add_function, TN_CU_SPOT,
                const cudaHostNodeParams *, params)
TN_CU_BOTH_BARE(cuGraphHostNodeGetParams, cudaGraphHostNodeGetParams, tn_rt_get_function,
                CUgraphNode, node, cudaHostNodeParams *, params)
TN_CU_BOTH_BARE(cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams, tn_rt_set_function,
                CUgraphNode, node, const cudaHostNodeParams *, params)
TN_CU_BOTH_BARE(cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams, tn_rt_change_function,
                CUgraphExec, exec, CUgraphNode, node, const cudaHostNodeParams *, params)
TN_CUDART(cudaGraphAddMemcpyNode, tn_rt_add_box, TN_CU_SPOT, const cudaMemcpy3DParms *, params)
TN_CUDART(cudaGraphMemcpyNodeGetParams, tn_rt_get_box, CUgraphNode, node, cudaMemcpy3DParms *,
          params)
TN_CUDART(cudaGraphMemcpyNodeSetParams, tn_rt_set_box, CUgraphNode, node, const cudaMemcpy3DParms *,
          params)
TN_CUDART(cudaGraphExecMemcpyNodeSetParams, tn_rt_change_box, CUgraphExec, exec, CUgraphNode, node,
          const cudaMemcpy3DParms *, params)
TN_CU_BOTH_BARE(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode, tn_rt_add_record_of,
                TN_CU_SPOT, cudaEvent_t, event)
TN_CU_BOTH_BARE(cuGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent, tn_rt_get_record,
                cudaGraphNode_t, node, cudaEvent_t *, event)
TN_CU_BOTH_BARE(cuGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent,
                tn_rt_set_record_of, cudaGraphNode_t, node, cudaEvent_t, event)
TN_CU_BOTH_BARE(cuGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent,
                tn_rt_change_record_of, cudaGraphExec_t, exec, cudaGraphNode_t, node, cudaEvent_t,
                event)
TN_CU_BOTH_BARE(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode, tn_rt_add_wait_of, TN_CU_SPOT,
                cudaEvent_t, event)
TN_CU_BOTH_BARE(cuGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent, tn_rt_get_wait,
                cudaGraphNode_t, node, cudaEvent_t *, event)
TN_CU_BOTH_BARE(cuGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent, tn_rt_set_wait_of,
                cudaGraphNode_t, node, cudaEvent_t, event)
TN_CU_BOTH_BARE(cuGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent,
                tn_rt_change_wait_of, cudaGraphExec_t, exec, cudaGraphNode_t, node, cudaEvent_t,
                event)
TN_CU_BOTH_BARE(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode, tn_rt_add_child_of,
                TN_CU_SPOT, cudaGraph_t, child)
TN_CU_BOTH_BARE(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph, tn_rt_get_child,
                cudaGraphNode_t, node, cudaGraph_t *, graph)
TN_CU_BOTH_BARE(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams,
                tn_rt_change_child_of, cudaGraphExec_t, exec, cudaGraphNode_t, node, cudaGraph_t,
                child)
TN_CU_BOTH_BARE(cuGraphAddEmptyNode, cudaGraphAddEmptyNode, tn_rt_add_empty, TN_CU_SPOT)
TN_CUDART(cudaGraphAddMemcpyNode1D, tn_rt_add_row, TN_CU_SPOT, void *, dst, const void *, src,
          size_t, bytes, enum cudaMemcpyKind, kind)
TN_CUDART(cudaGraphMemcpyNodeSetParams1D, tn_rt_set_row, cudaGraphNode_t, node, void *, dst,
          const void *, src, size_t, count, enum cudaMemcpyKind, kind)
TN_CUDART(cudaGraphExecMemcpyNodeSetParams1D, tn_rt_change_row, cudaGraphExec_t, exec,
          cudaGraphNode_t, node, void *, dst, const void *, src, size_t, count, enum cudaMemcpyKind,
          kind)
TN_CUDART(cudaGraphAddMemAllocNode, tn_rt_add_alloc, TN_CU_SPOT, cudaMemAllocNodeParams *, params)
TN_CUDART(cudaGraphMemAllocNodeGetParams, tn_rt_get_alloc, cudaGraphNode_t, node,
          cudaMemAllocNodeParams *, params)
TN_CU_BOTH_BARE(cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode, tn_rt_add_free, TN_CU_SPOT, void *,
                address)
TN_CUDART(cudaGraphMemFreeNodeGetParams, tn_rt_get_free, cudaGraphNode_t, node, void *, address)
TN_CU_BOTH_BARE(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute,
                tn_rt_node_set_attribute, cudaGraphNode_t, node, cudaKernelNodeAttrID, attribute,
                const cudaKernelNodeAttrValue *, value)
TN_CU_BOTH_BARE(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute,
                tn_rt_node_get_attribute, cudaGraphNode_t, node, cudaKernelNodeAttrID, attribute,
                cudaKernelNodeAttrValue *, value)
TN_CU_BOTH_BARE(cuGraphDestroyNode, cudaGraphDestroyNode, tn_rt_node_remove, cudaGraphNode_t, node)

// ---- memory

TN_CUDART_UNCAPTURED(cudaMalloc3D, alloc_box, cudaPitchedPtr *, pitched, cudaExtent, extent)
TN_CUDART_UNCAPTURED(cudaMallocPitch, tn_rt_memory_alloc_rows, void **, address, size_t *, pitch,
                     size_t, width, size_t, height)
TN_CUDART_UNCAPTURED(cudaIpcGetMemHandle, tn_rt_ipc_export, cudaIpcMemHandle_t *, handle, void *,
                     address)
TN_CUDART_UNCAPTURED(cudaIpcCloseMemHandle, tn_rt_ipc_close, void *, address)
TN_CUDART(cudaHostGetDevicePointer, tn_rt_host_pointer, void **, address, void *, pointer,
          unsigned int, flags)

// ---- functions of the program

TN_CU_BOTH_STREAM(cuLaunchHostFunc, cuLaunchHostFunc_ptsz, cudaLaunchHostFunc,
                  cudaLaunchHostFunc_ptsz, tn_rt_host_function, cudaStream_t, stream, cudaHostFn_t,
                  fn, void *, data)

// ---- kernels

TN_CUDART(cudaFuncGetAttributes, get_attributes, cudaFuncAttributes *, attributes, const void *,
          function)
TN_CUDART_STREAM(cudaLaunchKernel, cudaLaunchKernel_ptsz, tn_rt_launch_stub, const void *, function,
                 dim3, grid, dim3, block, void **, args, size_t, shared, cudaStream_t, stream)
TN_CUDART(cudaFuncSetAttribute, tn_rt_kernel_set_attribute, const void *, function,
          enum cudaFuncAttribute, attribute, int, value)
TN_CUDART(cudaFuncSetSharedMemConfig, tn_rt_prefer, const void *, function,
          enum cudaSharedMemConfig, config)
TN_CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessor, tn_rt_kernel_occupancy, int *, blocks,
          const void *, function, int, block_size, size_t, shared)
TN_CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, tn_rt_count_blocks, int *, blocks,
          const void *, function, int, block_size, size_t, shared, unsigned int, flags)
TN_CUDART(cudaOccupancyAvailableDynamicSMemPerBlock, tn_rt_kernel_free_shared, size_t *, shared,
          const void *, function, int, blocks, int, block_size)

// ---- managed memory

TN_CU_BOTH_STREAM(cuStreamAttachMemAsync, cuStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync,
                  cudaStreamAttachMemAsync_ptsz, tn_rt_attach, cudaStream_t, stream, void *,
                  address, size_t, length, unsigned int, flags)
TN_CUDART(cudaMemRangeGetAttributes, tn_rt_range_attributes, void **, data, size_t *, data_sizes,
          enum cudaMemRangeAttribute *, attributes, size_t, attribute_count, const void *, address,
          size_t, count)

// ---- peers

TN_CUDART(cudaDeviceDisablePeerAccess, tn_rt_peer_disable, int, peer)

// ---- pools

TN_CU_BOTH_BARE(cuMemPoolDestroy, cudaMemPoolDestroy, tn_rt_pool_close, cudaMemPool_t, pool)
TN_CU_BOTH_BARE(cuDeviceSetMemPool, cudaDeviceSetMemPool, tn_rt_pool_choose, int, device,
                cudaMemPool_t, pool)
TN_CU_BOTH_BARE(cuMemGetDefaultMemPool, cudaMemGetDefaultMemPool, tn_rt_pool_default_at,
                cudaMemPool_t *, pool, cudaMemLocation *, location, enum cudaMemAllocationType,
                type)
TN_CU_BOTH_BARE(cuMemGetMemPool, cudaMemGetMemPool, tn_rt_pool_current_at, cudaMemPool_t *, pool,
                cudaMemLocation *, location, enum cudaMemAllocationType, type)
TN_CU_BOTH_BARE(cuMemSetMemPool, cudaMemSetMemPool, tn_rt_pool_choose_at, cudaMemLocation *,
                location, enum cudaMemAllocationType, type, cudaMemPool_t, pool)
TN_CUDART_STREAM(cudaMallocAsync, cudaMallocAsync_ptsz, tn_rt_alloc_async, void **, address, size_t,
                 size, cudaStream_t, stream)
TN_CUDART_STREAM(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz, tn_rt_alloc_from_pool,
                 void **, pointer, size_t, size, cudaMemPool_t, pool, cudaStream_t, stream)
TN_CUDART_STREAM(cudaFreeAsync, cudaFreeAsync_ptsz, tn_rt_free_async, void *, address, cudaStream_t,
                 stream)
TN_CU_BOTH_BARE(cuMemPoolTrimTo, cudaMemPoolTrimTo, tn_rt_pool_trim, cudaMemPool_t, pool, size_t,
                bytes)
TN_CU_BOTH_BARE(cuMemPoolSetAttribute, cudaMemPoolSetAttribute, tn_rt_pool_set_attribute,
                cudaMemPool_t, pool, enum cudaMemPoolAttr, attribute, void *, value)
TN_CU_BOTH_BARE(cuMemPoolGetAttribute, cudaMemPoolGetAttribute, tn_rt_pool_get_attribute,
                cudaMemPool_t, pool, enum cudaMemPoolAttr, attribute, void *, value)
TN_CU_BOTH_BARE(cuMemPoolSetAccess, cudaMemPoolSetAccess, tn_rt_pool_set_access, cudaMemPool_t,
                pool, const cudaMemAccessDesc *, list, size_t, count)
TN_CU_BOTH_BARE(cuMemPoolGetAccess, cudaMemPoolGetAccess, tn_rt_pool_get_access,
                enum cudaMemAccessFlags *, flags, cudaMemPool_t, pool, cudaMemLocation *, location)
TN_CU_BOTH_BARE(cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool, tn_rt_pool_default_of,
                cudaMemPool_t *, pool, int, device)
TN_CU_BOTH_BARE(cuDeviceGetMemPool, cudaDeviceGetMemPool, tn_rt_pool_current_of, cudaMemPool_t *,
                pool, int, device)
TN_CUDART(cudaMemPoolExportToShareableHandle, tn_rt_pool_export, void *, handle, cudaMemPool_t,
          pool, enum cudaMemAllocationHandleType, type, unsigned int, flags)
TN_CUDART(cudaMemPoolImportFromShareableHandle, tn_rt_pool_import, cudaMemPool_t *, pool, void *,
          handle, enum cudaMemAllocationHandleType, type, unsigned int, flags)
TN_CU_BOTH_BARE(cuMemPoolExportPointer, cudaMemPoolExportPointer, tn_rt_pool_export_pointer,
                cudaMemPoolPtrExportData *, data, void *, pointer)
TN_CU_BOTH_BARE(cuMemPoolImportPointer, cudaMemPoolImportPointer, tn_rt_pool_import_pointer,
                void **, address, cudaMemPool_t, pool, cudaMemPoolPtrExportData *, data)

// ---- preferences and limits

TN_CUDART(cudaDeviceGetSharedMemConfig, tn_rt_banks_get, enum cudaSharedMemConfig *, config)

// ---- streams

TN_CUDART(cudaStreamCreate, TN_FACE_EXPRESSION(tn_rt_stream_make(stream, TN_RT_STREAM_BLOCKING, 0)),
          cudaStream_t *, stream)
TN_CUDART(cudaStreamCreateWithFlags, TN_FACE_EXPRESSION(tn_rt_stream_make(stream, flags, 0)),
          cudaStream_t *, stream, unsigned int, flags)
TN_CU_BOTH(cuStreamCreateWithPriority, cudaStreamCreateWithPriority, tn_rt_stream_make,
           cudaStream_t *, stream, unsigned int, flags, int, priority)
TN_CUDART(cudaDeviceGetStreamPriorityRange, tn_rt_stream_priorities, int *, least, int *, greatest)
TN_CU_BOTH_STREAM(cuStreamGetPriority, cuStreamGetPriority_ptsz, cudaStreamGetPriority,
                  cudaStreamGetPriority_ptsz, tn_rt_stream_priority, cudaStream_t, stream, int *,
                  priority)
TN_CU_BOTH_STREAM(cuStreamGetDevice, cuStreamGetDevice_ptsz, cudaStreamGetDevice,
                  cudaStreamGetDevice_ptsz, tn_rt_stream_device, cudaStream_t, stream, int *,
                  device)
TN_CU_BOTH_BARE(cuStreamDestroy_v2, cudaStreamDestroy, tn_rt_stream_close, cudaStream_t, stream)
TN_CU_BOTH_STREAM(cuStreamQuery, cuStreamQuery_ptsz, cudaStreamQuery, cudaStreamQuery_ptsz,
                  tn_rt_query, cudaStream_t, stream)
TN_CU_BOTH_STREAM(cuStreamSynchronize, cuStreamSynchronize_ptsz, cudaStreamSynchronize,
                  cudaStreamSynchronize_ptsz, tn_rt_synchronize, cudaStream_t, stream)

// ---- attributes of streams

TN_CU_BOTH_STREAM(cuStreamSetAttribute, cuStreamSetAttribute_ptsz, cudaStreamSetAttribute,
                  cudaStreamSetAttribute_ptsz, tn_rt_stream_set_attribute, cudaStream_t, stream,
                  cudaStreamAttrID, attribute, const cudaStreamAttrValue *, value)
TN_CU_BOTH_STREAM(cuStreamGetAttribute, cuStreamGetAttribute_ptsz, cudaStreamGetAttribute,
                  cudaStreamGetAttribute_ptsz, tn_rt_stream_get_attribute, cudaStream_t, stream,
                  cudaStreamAttrID, attribute, cudaStreamAttrValue *, value)
TN_CU_BOTH_STREAM(cuStreamCopyAttributes, cuStreamCopyAttributes_ptsz, cudaStreamCopyAttributes,
                  cudaStreamCopyAttributes_ptsz, tn_rt_stream_copy_attributes, cudaStream_t, dst,
                  cudaStream_t, src)
TN_CU_BOTH_STREAM(cuStreamGetId, cuStreamGetId_ptsz, cudaStreamGetId, cudaStreamGetId_ptsz,
                  tn_rt_stream_id, cudaStream_t, stream, unsigned long long *, id)

// ---- user objects

TN_CU_BOTH_BARE(cuUserObjectCreate, cudaUserObjectCreate, tn_rt_user_new, cudaUserObject_t *,
                object, void *, pointer, cudaHostFn_t, destroy, unsigned int, count, unsigned int,
                flags)
TN_CU_BOTH_BARE(cuUserObjectRetain, cudaUserObjectRetain, tn_rt_user_retain, cudaUserObject_t,
                object, unsigned int, count)
TN_CU_BOTH_BARE(cuUserObjectRelease, cudaUserObjectRelease, tn_rt_user_release, cudaUserObject_t,
                object, unsigned int, count)

// ---- variables of kernels

TN_CUDART(cudaGetSymbolAddress, tn_rt_variable_address, void **, address, const void *, symbol)
TN_CUDART(cudaGetSymbolSize, tn_rt_variable_size, size_t *, size, const void *, symbol)
TN_CUDART_PAIR(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbolAsync,
               cudaMemcpyToSymbolAsync_ptsz, tn_rt_symbol_to, TN_RT_COPY_SYNC, TO)
TN_CUDART_PAIR(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbolAsync,
               cudaMemcpyFromSymbolAsync_ptsz, tn_rt_symbol_from, TN_RT_COPY_SYNC, FROM)
TN_CUDART(cudaGraphAddMemcpyNodeToSymbol, tn_rt_symbol_add_to, TN_CU_SPOT, const void *, symbol,
          const void *, src, size_t, bytes, size_t, offset, enum cudaMemcpyKind, kind)
TN_CUDART(cudaGraphAddMemcpyNodeFromSymbol, tn_rt_symbol_add_from, TN_CU_SPOT, void *, dst,
          const void *, symbol, size_t, bytes, size_t, offset, enum cudaMemcpyKind, kind)
TN_CUDART(cudaGraphMemcpyNodeSetParamsToSymbol, tn_rt_symbol_set_to, cudaGraphNode_t, node, TO)
TN_CUDART(cudaGraphMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_set_from, cudaGraphNode_t, node,
          FROM)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsToSymbol, tn_rt_symbol_change_to, cudaGraphExec_t, exec,
          cudaGraphNode_t, node, TO)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_change_from, cudaGraphExec_t,
          exec, cudaGraphNode_t, node, FROM)
