// SPDX-License-Identifier: Apache-2.0
// Functions that HIP and CUDA have under the same names, with the same types and the same work. A source
// file of each face includes this list. It defines API(name), which puts the prefix of the runtime API
// before a type; CONTEXT, the type of contexts; SPOT, the types of the place of a new node; and the
// rows:
//
//   ROW                     a function of the runtime API
//   DIRECT_ROW              with a second form, which has no stream
//   STREAM_ROW, ASYNC_ROW   with a stream; HIP has a second form of the first only
//   UNCAPTURED_ROW          that a capture forbids
//   DRIVER_ROW, BARE_ROW    of CUDA's driver, without a context; of both APIs
//   BOTH_ROW, CONTEXT_ROW   of both APIs, in the driver without a context; with one
//   SETTING_ROW             as BOTH_ROW, but a capture forbids it in HIP
//   BOTH_STREAM_ROW, WAITING_ROW   as STREAM_ROW and ASYNC_ROW, of both APIs
//
// Without the rows, the header declares the work only.
#pragma once

#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/code/variable.h"
#include "compat/runtime/code/variable_rows.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/copy/array_rows.h"
#include "compat/runtime/copy/copy_rows.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/device/peer.h"
#include "compat/runtime/device/preference.h"
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/user_object.h"
#include "compat/runtime/kernel/node_attribute.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/managed.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/node_rows.h"
#include "compat/runtime/stream/capture.h"
#include "compat/runtime/stream/event.h"
#include "compat/runtime/stream/stream.h"

#ifdef API

// ---- the work of functions with types of the vendor

static tn_rt_error fill_box(API(PitchedPtr) to, int value, API(Extent) extent, void *stream,
                            enum tn_rt_copy_call call) {
    const struct tn_rt_fill_box box = {to.ptr,       to.pitch,      to.ysize,
                                       extent.width, extent.height, extent.depth};
    return tn_rt_fill_3d(&box, value, stream, call);
}

static tn_rt_error alloc_box(API(PitchedPtr) * out, API(Extent) extent) {
    void *ptr = NULL;
    size_t pitch = 0;
    TN_RT_TRY(tn_rt_check_pointer(out, "pitchedDevPtr"));
    TN_RT_TRY(tn_rt_memory_alloc_box(&ptr, &pitch, extent.width, extent.height, extent.depth));
    *out = (API(PitchedPtr)){ptr, pitch, extent.width, extent.height};
    return TN_RT_OK;
}

static tn_rt_error get_attributes(API(FuncAttributes) * attributes, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attr"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    *attributes =
        (API(FuncAttributes)){.maxThreadsPerBlock = (int)tn_rt_host_kernel_threads(function),
                              .maxDynamicSharedSizeBytes = TN_RT_SHARED_BYTES};
    return TN_RT_OK;
}

#endif
#ifdef ROW

// The parameters of a copy to a variable, and of one from it.
#define TO   const void *, const void *, size_t, size_t, enum API(MemcpyKind)
#define FROM void *, const void *, size_t, size_t, enum API(MemcpyKind)

// Functions NAME and NAMEAsync of one work; see copy_rows.h.
#define PAIR(name, work, sync, ...)                                                                \
    TN_RT_TWO_CALLS(call_##name, work, sync, __VA_ARGS__)                                          \
    DIRECT_ROW(name, call_##name, __VA_ARGS__)                                                     \
    STREAM_ROW(name##Async, call_##name##_async, __VA_ARGS__, API(Stream_t))

// ---- arrays

ROW(MallocArray, TN_FACE_AS(tn_rt_array_make_box(a, b, c, d, 0, e)), API(Array_t) *,
    const API(ChannelFormatDesc) *, size_t, size_t, unsigned int)
ROW(GetChannelDesc, tn_rt_array_channels, API(ChannelFormatDesc) *, API(Array_const_t))
ROW(GetMipmappedArrayLevel, tn_rt_mipmap_level, API(Array_t) *, API(MipmappedArray_const_t),
    unsigned int)

// ---- copies of arrays

PAIR(Memcpy2DToArray, tn_rt_rows_to, TN_RT_COPY_COMPLETE, API(Array_t), size_t, size_t,
     const void *, size_t, size_t, size_t, enum API(MemcpyKind))
PAIR(Memcpy2DFromArray, tn_rt_rows_from, TN_RT_COPY_COMPLETE, void *, size_t, API(Array_const_t),
     size_t, size_t, size_t, size_t, enum API(MemcpyKind))

// ---- captures

BOTH_STREAM_ROW(StreamIsCapturing, TN_FACE_AS(tn_rt_capture_identify(a, b, NULL)), API(Stream_t),
                enum API(StreamCaptureStatus) *)
BOTH_STREAM_ROW(StreamBeginCapture, tn_rt_capture_begin, API(Stream_t), enum API(StreamCaptureMode))
BOTH_STREAM_ROW(StreamEndCapture, tn_rt_capture_end, API(Stream_t), API(Graph_t) *)

// ---- devices and contexts

DRIVER_ROW(DeviceGet, tn_rt_device_get, int *, int)
DRIVER_ROW(DeviceGetName, tn_rt_device_name, char *, int, int)
DRIVER_ROW(DeviceTotalMem, tn_rt_device_memory, size_t *, int)
BARE_ROW(DeviceGetPCIBusId, tn_rt_device_pci, char *, int, int)
BARE_ROW(DeviceGetByPCIBusId, tn_rt_device_by_pci, int *, const char *)
BARE_ROW(DeviceCanAccessPeer, tn_rt_peer_query, int *, int, int)
DRIVER_ROW(CtxGetCurrent, tn_rt_context_current, CONTEXT *)
DRIVER_ROW(CtxSetCurrent, tn_rt_context_set, CONTEXT)
DRIVER_ROW(CtxPopCurrent, tn_rt_context_pop, CONTEXT *)
DRIVER_ROW(DevicePrimaryCtxRetain, tn_rt_primary_retain, CONTEXT *, int)
DRIVER_ROW(DevicePrimaryCtxRelease, tn_rt_primary_release, int)
DRIVER_ROW(DevicePrimaryCtxSetFlags, tn_rt_primary_set_flags, int, unsigned int)
ROW(GetDeviceFlags, tn_rt_context_flags, unsigned int *)

// ---- copies of one row

PAIR(Memcpy, tn_rt_copy_linear, TN_RT_COPY_SYNC, void *, const void *, size_t, enum API(MemcpyKind))
ROW(MemcpyPeer, tn_rt_copy_devices, void *, int, const void *, int, size_t)
ROW(MemcpyPeerAsync, tn_rt_copy_devices_async, void *, int, const void *, int, size_t,
    API(Stream_t))

// ---- copies of rows and boxes

PAIR(Memcpy2D, tn_rt_copy_2d, TN_RT_COPY_COMPLETE, void *, size_t, const void *, size_t, size_t,
     size_t, enum API(MemcpyKind))
PAIR(Memcpy3D, tn_rt_copy_3d, TN_RT_COPY_COMPLETE, const API(Memcpy3DParms) *)

// ---- events

BOTH_STREAM_ROW(EventRecord, TN_FACE_AS(tn_rt_event_record_with(a, b, 0)), API(Event_t),
                API(Stream_t))
WAITING_ROW(EventRecordWithFlags, tn_rt_event_record_with, API(Event_t), API(Stream_t),
            unsigned int)
BOTH_STREAM_ROW(StreamWaitEvent, tn_rt_event_wait, API(Stream_t), API(Event_t), unsigned int)
CONTEXT_ROW(EventQuery, tn_rt_event_query, API(Event_t))
CONTEXT_ROW(EventSynchronize, tn_rt_event_synchronize, API(Event_t))
BOTH_ROW(EventDestroy, tn_rt_event_end, API(Event_t))

// ---- fills

PAIR(Memset, tn_rt_fill_8, TN_RT_COPY_SYNC, void *, int, size_t)
PAIR(Memset3D, fill_box, TN_RT_COPY_SYNC, API(PitchedPtr), int, API(Extent))

// ---- graphs

BOTH_ROW(GraphCreate, tn_rt_graph_create, API(Graph_t) *, unsigned int)
BOTH_ROW(GraphDestroy, tn_rt_graph_destroy, API(Graph_t))
BOTH_ROW(GraphClone, tn_rt_graph_clone, API(Graph_t) *, API(Graph_t))
BOTH_ROW(GraphRetainUserObject, tn_rt_graph_retain_user, API(Graph_t), API(UserObject_t),
         unsigned int, unsigned int)
BOTH_ROW(GraphReleaseUserObject, tn_rt_graph_release_user, API(Graph_t), API(UserObject_t),
         unsigned int)
BOTH_ROW(GraphGetNodes, tn_rt_graph_list_nodes, API(Graph_t), API(GraphNode_t) *, size_t *)
BOTH_ROW(GraphGetRootNodes, tn_rt_graph_list_roots, API(Graph_t), API(GraphNode_t) *, size_t *)
BOTH_ROW(GraphNodeFindInClone, tn_rt_graph_find_copy, API(GraphNode_t) *, API(GraphNode_t),
         API(Graph_t))
BOTH_ROW(GraphDebugDotPrint, tn_rt_graph_print, API(Graph_t), const char *, unsigned int)

// ---- executable graphs

ROW(GraphExecGetFlags, tn_rt_graph_exec_flags, API(GraphExec_t), unsigned long long *)
BOTH_ROW(DeviceGraphMemTrim, tn_rt_graph_memory_trim_device, int)
ROW(GraphInstantiateWithFlags, tn_rt_graph_instantiate, API(GraphExec_t) *, API(Graph_t),
    unsigned long long)
BOTH_ROW(GraphExecDestroy, tn_rt_graph_exec_end, API(GraphExec_t))
WAITING_ROW(GraphUpload, tn_rt_graph_upload, API(GraphExec_t), API(Stream_t))
BOTH_STREAM_ROW(GraphLaunch, tn_rt_graph_launch, API(GraphExec_t), API(Stream_t))
BOTH_ROW(GraphNodeSetEnabled, tn_rt_graph_exec_set_enabled, API(GraphExec_t), API(GraphNode_t),
         unsigned int)
BOTH_ROW(GraphNodeGetEnabled, tn_rt_graph_exec_enabled, API(GraphExec_t), API(GraphNode_t),
         unsigned int *)
BOTH_ROW(DeviceGetGraphMemAttribute, tn_rt_graph_memory_get, int, enum API(GraphMemAttributeType),
         void *)
BOTH_ROW(DeviceSetGraphMemAttribute, tn_rt_graph_memory_set, int, enum API(GraphMemAttributeType),
         void *)

// ---- nodes of graphs

TN_RT_NODE_ROWS(BOTH_ROW, Graph, API, Host, tn_rt_, function, API(HostNodeParams))
TN_RT_NODE_ROWS(ROW, Graph, API, Memcpy, tn_rt_, box, API(Memcpy3DParms))
BOTH_ROW(GraphAddEventRecordNode, tn_rt_add_record_of, SPOT, API(Event_t))
BOTH_ROW(GraphEventRecordNodeGetEvent, tn_rt_get_record, API(GraphNode_t), API(Event_t) *)
BOTH_ROW(GraphEventRecordNodeSetEvent, tn_rt_set_record_of, API(GraphNode_t), API(Event_t))
BOTH_ROW(GraphExecEventRecordNodeSetEvent, tn_rt_change_record_of, API(GraphExec_t),
         API(GraphNode_t), API(Event_t))
BOTH_ROW(GraphAddEventWaitNode, tn_rt_add_wait_of, SPOT, API(Event_t))
BOTH_ROW(GraphEventWaitNodeGetEvent, tn_rt_get_wait, API(GraphNode_t), API(Event_t) *)
BOTH_ROW(GraphEventWaitNodeSetEvent, tn_rt_set_wait_of, API(GraphNode_t), API(Event_t))
BOTH_ROW(GraphExecEventWaitNodeSetEvent, tn_rt_change_wait_of, API(GraphExec_t), API(GraphNode_t),
         API(Event_t))
BOTH_ROW(GraphAddChildGraphNode, tn_rt_add_child_of, SPOT, API(Graph_t))
BOTH_ROW(GraphChildGraphNodeGetGraph, tn_rt_get_child, API(GraphNode_t), API(Graph_t) *)
BOTH_ROW(GraphExecChildGraphNodeSetParams, tn_rt_change_child_of, API(GraphExec_t),
         API(GraphNode_t), API(Graph_t))
BOTH_ROW(GraphAddEmptyNode, tn_rt_add_empty, SPOT)
ROW(GraphAddMemcpyNode1D, tn_rt_add_row, SPOT, void *, const void *, size_t, enum API(MemcpyKind))
ROW(GraphMemcpyNodeSetParams1D, tn_rt_set_row, API(GraphNode_t), void *, const void *, size_t,
    enum API(MemcpyKind))
ROW(GraphExecMemcpyNodeSetParams1D, tn_rt_change_row, API(GraphExec_t), API(GraphNode_t), void *,
    const void *, size_t, enum API(MemcpyKind))
ROW(GraphAddMemAllocNode, tn_rt_add_alloc, SPOT, API(MemAllocNodeParams) *)
ROW(GraphMemAllocNodeGetParams, tn_rt_get_alloc, API(GraphNode_t), API(MemAllocNodeParams) *)
BOTH_ROW(GraphAddMemFreeNode, tn_rt_add_free, SPOT, void *)
ROW(GraphMemFreeNodeGetParams, tn_rt_get_free, API(GraphNode_t), void *)
BOTH_ROW(GraphKernelNodeSetAttribute, tn_rt_node_set_attribute, API(GraphNode_t),
         API(KernelNodeAttrID), const API(KernelNodeAttrValue) *)
BOTH_ROW(GraphKernelNodeGetAttribute, tn_rt_node_get_attribute, API(GraphNode_t),
         API(KernelNodeAttrID), API(KernelNodeAttrValue) *)
BOTH_ROW(GraphDestroyNode, tn_rt_node_remove, API(GraphNode_t))

// ---- memory

UNCAPTURED_ROW(Malloc3D, alloc_box, API(PitchedPtr) *, API(Extent))
UNCAPTURED_ROW(MallocPitch, tn_rt_memory_alloc_rows, void **, size_t *, size_t, size_t)
UNCAPTURED_ROW(IpcGetMemHandle, tn_rt_ipc_export, API(IpcMemHandle_t) *, void *)
UNCAPTURED_ROW(IpcCloseMemHandle, tn_rt_ipc_close, void *)
ROW(HostGetDevicePointer, tn_rt_host_pointer, void **, void *, unsigned int)

// ---- functions of the program

BOTH_STREAM_ROW(LaunchHostFunc, tn_rt_host_function, API(Stream_t), API(HostFn_t), void *)

// ---- kernels

ROW(FuncGetAttributes, get_attributes, API(FuncAttributes) *, const void *)
ASYNC_ROW(LaunchKernel, tn_rt_launch_stub, const void *, dim3, dim3, void **, size_t, API(Stream_t))
ROW(FuncSetAttribute, tn_rt_kernel_set_attribute, const void *, enum API(FuncAttribute), int)
ROW(FuncSetSharedMemConfig, tn_rt_prefer, const void *, enum API(SharedMemConfig))
ROW(OccupancyMaxActiveBlocksPerMultiprocessor, tn_rt_kernel_occupancy, int *, const void *, int,
    size_t)
ROW(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, tn_rt_count_blocks, int *, const void *,
    int, size_t, unsigned int)
ROW(OccupancyAvailableDynamicSMemPerBlock, tn_rt_kernel_free_shared, size_t *, const void *, int,
    int)

// ---- managed memory

WAITING_ROW(StreamAttachMemAsync, tn_rt_attach, API(Stream_t), void *, size_t, unsigned int)
ROW(MemRangeGetAttributes, tn_rt_range_attributes, void **, size_t *, enum API(MemRangeAttribute) *,
    size_t, const void *, size_t)

// ---- peers

ROW(DeviceDisablePeerAccess, tn_rt_peer_disable, int)

// ---- pools

SETTING_ROW(MemPoolDestroy, tn_rt_pool_close, API(MemPool_t))
SETTING_ROW(DeviceSetMemPool, tn_rt_pool_choose, int, API(MemPool_t))
BOTH_ROW(MemGetDefaultMemPool, tn_rt_pool_default_at, API(MemPool_t) *, API(MemLocation) *,
         enum API(MemAllocationType))
BOTH_ROW(MemGetMemPool, tn_rt_pool_current_at, API(MemPool_t) *, API(MemLocation) *,
         enum API(MemAllocationType))
SETTING_ROW(MemSetMemPool, tn_rt_pool_choose_at, API(MemLocation) *, enum API(MemAllocationType),
            API(MemPool_t))
ASYNC_ROW(MallocAsync, tn_rt_alloc_async, void **, size_t, API(Stream_t))
ASYNC_ROW(MallocFromPoolAsync, tn_rt_alloc_from_pool, void **, size_t, API(MemPool_t),
          API(Stream_t))
ASYNC_ROW(FreeAsync, tn_rt_free_async, void *, API(Stream_t))
BOTH_ROW(MemPoolTrimTo, tn_rt_pool_trim, API(MemPool_t), size_t)
BOTH_ROW(MemPoolSetAttribute, tn_rt_pool_set_attribute, API(MemPool_t), enum API(MemPoolAttr),
         void *)
BOTH_ROW(MemPoolGetAttribute, tn_rt_pool_get_attribute, API(MemPool_t), enum API(MemPoolAttr),
         void *)
BOTH_ROW(MemPoolSetAccess, tn_rt_pool_set_access, API(MemPool_t), const API(MemAccessDesc) *,
         size_t)
BOTH_ROW(MemPoolGetAccess, tn_rt_pool_get_access, enum API(MemAccessFlags) *, API(MemPool_t),
         API(MemLocation) *)
BOTH_ROW(DeviceGetDefaultMemPool, tn_rt_pool_default_of, API(MemPool_t) *, int)
BOTH_ROW(DeviceGetMemPool, tn_rt_pool_current_of, API(MemPool_t) *, int)
ROW(MemPoolExportToShareableHandle, tn_rt_pool_export, void *, API(MemPool_t),
    enum API(MemAllocationHandleType), unsigned int)
ROW(MemPoolImportFromShareableHandle, tn_rt_pool_import, API(MemPool_t) *, void *,
    enum API(MemAllocationHandleType), unsigned int)
BOTH_ROW(MemPoolExportPointer, tn_rt_pool_export_pointer, API(MemPoolPtrExportData) *, void *)
BOTH_ROW(MemPoolImportPointer, tn_rt_pool_import_pointer, void **, API(MemPool_t),
         API(MemPoolPtrExportData) *)

// ---- preferences and limits

ROW(DeviceGetSharedMemConfig, tn_rt_banks_get, enum API(SharedMemConfig) *)

// ---- streams

ROW(StreamCreate, TN_FACE_AS(tn_rt_stream_make(a, TN_RT_STREAM_BLOCKING, 0)), API(Stream_t) *)
ROW(StreamCreateWithFlags, TN_FACE_AS(tn_rt_stream_make(a, b, 0)), API(Stream_t) *, unsigned int)
CONTEXT_ROW(StreamCreateWithPriority, tn_rt_stream_make, API(Stream_t) *, unsigned int, int)
ROW(DeviceGetStreamPriorityRange, tn_rt_stream_priorities, int *, int *)
BOTH_STREAM_ROW(StreamGetPriority, tn_rt_stream_priority, API(Stream_t), int *)
WAITING_ROW(StreamGetDevice, tn_rt_stream_device, API(Stream_t), int *)
BOTH_ROW(StreamDestroy, tn_rt_stream_close, API(Stream_t))
BOTH_STREAM_ROW(StreamQuery, tn_rt_query, API(Stream_t))
BOTH_STREAM_ROW(StreamSynchronize, tn_rt_synchronize, API(Stream_t))

// ---- attributes of streams

WAITING_ROW(StreamSetAttribute, tn_rt_stream_set_attribute, API(Stream_t), API(StreamAttrID),
            const API(StreamAttrValue) *)
WAITING_ROW(StreamGetAttribute, tn_rt_stream_get_attribute, API(Stream_t), API(StreamAttrID),
            API(StreamAttrValue) *)
WAITING_ROW(StreamCopyAttributes, tn_rt_stream_copy_attributes, API(Stream_t), API(Stream_t))
WAITING_ROW(StreamGetId, tn_rt_stream_id, API(Stream_t), unsigned long long *)

// ---- user objects

BOTH_ROW(UserObjectCreate, tn_rt_user_new, API(UserObject_t) *, void *, API(HostFn_t), unsigned int,
         unsigned int)
BOTH_ROW(UserObjectRetain, tn_rt_user_retain, API(UserObject_t), unsigned int)
BOTH_ROW(UserObjectRelease, tn_rt_user_release, API(UserObject_t), unsigned int)

// ---- variables of kernels

ROW(GetSymbolAddress, tn_rt_variable_address, void **, const void *)
ROW(GetSymbolSize, tn_rt_variable_size, size_t *, const void *)
PAIR(MemcpyToSymbol, tn_rt_symbol_to, TN_RT_COPY_SYNC, TO)
PAIR(MemcpyFromSymbol, tn_rt_symbol_from, TN_RT_COPY_SYNC, FROM)
ROW(GraphAddMemcpyNodeToSymbol, tn_rt_symbol_add_to, SPOT, TO)
ROW(GraphAddMemcpyNodeFromSymbol, tn_rt_symbol_add_from, SPOT, FROM)
ROW(GraphMemcpyNodeSetParamsToSymbol, tn_rt_symbol_set_to, API(GraphNode_t), TO)
ROW(GraphMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_set_from, API(GraphNode_t), FROM)
ROW(GraphExecMemcpyNodeSetParamsToSymbol, tn_rt_symbol_change_to, API(GraphExec_t),
    API(GraphNode_t), TO)
ROW(GraphExecMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_change_from, API(GraphExec_t),
    API(GraphNode_t), FROM)

#endif
