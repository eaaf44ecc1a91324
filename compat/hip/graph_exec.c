// SPDX-License-Identifier: Apache-2.0
// HIP's functions about executable graphs. See compat/runtime/exec/graph_exec.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/memory/graph_memory.h"

_Static_assert((int)hipGraphInstantiateFlagAutoFreeOnLaunch == (int)TN_RT_INSTANTIATE_AUTO_FREE &&
                   (int)hipGraphInstantiateFlagUpload == (int)TN_RT_INSTANTIATE_UPLOAD &&
                   (int)hipGraphInstantiateFlagDeviceLaunch ==
                       (int)TN_RT_INSTANTIATE_DEVICE_LAUNCH &&
                   (int)hipGraphInstantiateFlagUseNodePriority == (int)TN_RT_INSTANTIATE_PRIORITY,
               "flags have the same numbers");
_Static_assert((int)hipGraphExecUpdateErrorUnsupportedFunctionChange ==
                   (int)TN_RT_UPDATE_UNSUPPORTED_FUNCTION,
               "results have the same numbers");

TN_HIP_ROW(hipGraphInstantiate, tn_rt_graph_instantiate_log, hipGraphExec_t *, pGraphExec,
           hipGraph_t, graph, hipGraphNode_t *, pErrorNode, char *, pLogBuffer, size_t, bufferSize)

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

// ---- changes

TN_HIP_ROW(hipGraphExecUpdate, tn_rt_graph_exec_update, hipGraphExec_t, hGraphExec, hipGraph_t,
           hGraph, hipGraphNode_t *, hErrorNode_out, hipGraphExecUpdateResult *, updateResult_out)

// ---- memory of graphs

_Static_assert((int)hipGraphMemAttrUsedMemHigh == (int)TN_RT_GRAPH_USED_HIGH &&
                   (int)hipGraphMemAttrReservedMemCurrent == (int)TN_RT_GRAPH_RESERVED &&
                   (int)hipGraphMemAttrReservedMemHigh == (int)TN_RT_GRAPH_RESERVED_HIGH,
               "attributes have the same numbers");
