// SPDX-License-Identifier: Apache-2.0
// HIP's functions about variables of kernels, and about nodes that copy them. See
// compat/runtime/variable.h and copy_rows.h.
#include "compat/runtime/copy_rows.h"

#include <hip/detail/graph_exec.h>
#include <hip/detail/variable.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"

TN_HIP_ROW(hipExtRegisterHostVariable, tn_rt_variable_register, const void *, size_t)
TN_HIP_ROW(hipGetSymbolAddress, tn_rt_variable_address, void **, const void *)
TN_HIP_ROW(hipGetSymbolSize, tn_rt_variable_size, size_t *, const void *)

// ---- copies: the types of the parameters of each direction

#define TO   const void *, const void *, size_t, size_t, hipMemcpyKind
#define FROM void *, const void *, size_t, size_t, hipMemcpyKind

TN_HIP_SPT_ROW(hipMemcpyToSymbol, tn_rt_symbol_to, TO)
TN_HIP_SPT_ROW(hipMemcpyFromSymbol, tn_rt_symbol_from, FROM)
TN_HIP_SPT_ROW(hipMemcpyToSymbolAsync, tn_rt_symbol_to_async, TO, hipStream_t)
TN_HIP_SPT_ROW(hipMemcpyFromSymbolAsync, tn_rt_symbol_from_async, FROM, hipStream_t)

TN_HIP_ROW(hipGraphAddMemcpyNodeToSymbol, tn_rt_symbol_add_to, TN_HIP_SPOT, TO)
TN_HIP_ROW(hipGraphAddMemcpyNodeFromSymbol, tn_rt_symbol_add_from, TN_HIP_SPOT, FROM)
TN_HIP_ROW(hipGraphMemcpyNodeSetParamsToSymbol, tn_rt_symbol_set_to, hipGraphNode_t, TO)
TN_HIP_ROW(hipGraphMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_set_from, hipGraphNode_t, FROM)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParamsToSymbol, tn_rt_symbol_change_to, hipGraphExec_t,
           hipGraphNode_t, TO)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_change_from, hipGraphExec_t,
           hipGraphNode_t, FROM)
