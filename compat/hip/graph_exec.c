// SPDX-License-Identifier: Apache-2.0
// HIP's functions about executable graphs. See compat/runtime/graph_exec.h.
#include <hip/detail/graph_exec.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/box.h"
#include "compat/runtime/event.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/graph_exec.h"
#include "compat/runtime/graph_memory.h"
#include "compat/runtime/host_function.h"
#include "compat/runtime/value.h"

_Static_assert((int)hipGraphInstantiateFlagAutoFreeOnLaunch == (int)TN_RT_INSTANTIATE_AUTO_FREE &&
                   (int)hipGraphInstantiateFlagUpload == (int)TN_RT_INSTANTIATE_UPLOAD &&
                   (int)hipGraphInstantiateFlagDeviceLaunch ==
                       (int)TN_RT_INSTANTIATE_DEVICE_LAUNCH &&
                   (int)hipGraphInstantiateFlagUseNodePriority == (int)TN_RT_INSTANTIATE_PRIORITY,
               "flags have the same numbers");
_Static_assert((int)hipGraphExecUpdateErrorUnsupportedFunctionChange ==
                   (int)TN_RT_UPDATE_UNSUPPORTED_FUNCTION,
               "results have the same numbers");

hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                               hipGraphNode_t *pErrorNode, char *pLogBuffer, size_t bufferSize) {
    (void)pErrorNode;
    return TN_HIP_CALL(tn_rt_graph_instantiate_log(pGraphExec, graph, pLogBuffer, bufferSize));
}

TN_HIP_ROW(hipGraphInstantiateWithFlags, tn_rt_graph_instantiate, hipGraphExec_t *, hipGraph_t,
           unsigned long long)

TN_HIP_FUNCTION(hipGraphInstantiateWithParams, hipGraphExec_t *, pGraphExec, hipGraph_t, graph,
                hipGraphInstantiateParams *, params) {
    TN_RT_TRY(tn_rt_check_pointer(params, "instantiateParams"));
    int result = (int)params->result_out;
    const struct tn_rt_instantiation parameters = {params->flags, params->uploadStream,
                                                   &params->errNode_out, &result};
    tn_rt_error error = tn_rt_graph_instantiate_with(pGraphExec, graph, &parameters);
    params->result_out = (hipGraphInstantiateResult)result;
    return error;
}

TN_HIP_ROW(hipGraphExecGetFlags, tn_rt_graph_exec_flags, hipGraphExec_t, unsigned long long *)
TN_HIP_ROW(hipGraphExecDestroy, tn_rt_graph_exec_end, hipGraphExec_t)
TN_HIP_ROW(hipGraphUpload, tn_rt_graph_upload, hipGraphExec_t, hipStream_t)
TN_HIP_SPT_ROW(hipGraphLaunch, tn_rt_graph_launch, hipGraphExec_t, hipStream_t)

// ---- changes

TN_HIP_ROW(hipGraphNodeSetEnabled, tn_rt_graph_exec_set_enabled, hipGraphExec_t, hipGraphNode_t,
           unsigned int)
TN_HIP_ROW(hipGraphNodeGetEnabled, tn_rt_graph_exec_enabled, hipGraphExec_t, hipGraphNode_t,
           unsigned int *)

// The setters for a kind of node whose parameters are one struct, and one handle.
#define SET(name, type, kind, reader)                                                              \
    hipError_t name(hipGraphExec_t hGraphExec, hipGraphNode_t node, const type *pNodeParams) {     \
        return TN_HIP_CALL(                                                                        \
            tn_rt_graph_exec_set(hGraphExec, node, TN_RT_WORK_##kind, reader, pNodeParams));       \
    }

SET(hipGraphExecHostNodeSetParams, hipHostNodeParams, HOST, tn_rt_read_function)
SET(hipGraphExecMemsetNodeSetParams, hipMemsetParams, FILL, tn_rt_read_fill)
SET(hipGraphExecMemcpyNodeSetParams, hipMemcpy3DParms, COPY, tn_rt_read_3d)

SET(hipGraphExecBatchMemOpNodeSetParams, hipBatchMemOpNodeParams, VALUE, tn_rt_read_values)

#define SET_HANDLE(name, type, kind, reader)                                                       \
    hipError_t name(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, type handle) {                \
        return TN_HIP_CALL(                                                                        \
            tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_##kind, reader, &handle));          \
    }

SET_HANDLE(hipGraphExecEventRecordNodeSetEvent, hipEvent_t, EVENT_RECORD, tn_rt_read_record)
SET_HANDLE(hipGraphExecEventWaitNodeSetEvent, hipEvent_t, EVENT_WAIT, tn_rt_read_wait)
SET_HANDLE(hipGraphExecChildGraphNodeSetParams, hipGraph_t, GRAPH, tn_rt_read_child)

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                             void *dst, const void *src, size_t count,
                                             hipMemcpyKind kind) {
    const struct tn_rt_copy_row row = {dst, src, count, (int)kind};
    return TN_HIP_CALL(
        tn_rt_graph_exec_set(hGraphExec, node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row));
}

TN_HIP_ROW(hipGraphExecUpdate, tn_rt_graph_exec_update, hipGraphExec_t, hipGraph_t,
           hipGraphNode_t *, hipGraphExecUpdateResult *)

// ---- memory of graphs

_Static_assert((int)hipGraphMemAttrUsedMemHigh == (int)TN_RT_GRAPH_USED_HIGH &&
                   (int)hipGraphMemAttrReservedMemCurrent == (int)TN_RT_GRAPH_RESERVED &&
                   (int)hipGraphMemAttrReservedMemHigh == (int)TN_RT_GRAPH_RESERVED_HIGH,
               "attributes have the same numbers");

TN_HIP_ROW(hipDeviceGetGraphMemAttribute, tn_rt_graph_memory_get, int, hipGraphMemAttributeType,
           void *)
TN_HIP_ROW(hipDeviceSetGraphMemAttribute, tn_rt_graph_memory_set, int, hipGraphMemAttributeType,
           void *)

TN_HIP_FUNCTION(hipDeviceGraphMemTrim, int, device) {
    TN_RT_TRY(tn_rt_check_device(device));
    (void)tn_rt_graph_memory_trim(tn_rt_device(device));
    return TN_RT_OK;
}
