// SPDX-License-Identifier: Apache-2.0
// Memory and events of other processes: a handle is a key of Tarn. See compat/runtime/memory/memory.h and
// event.h.
#include "compat/cuda/face.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/stream/event.h"

_Static_assert(sizeof(CUipcMemHandle) == sizeof(tarn_key) &&
                   sizeof(CUipcEventHandle) == sizeof(tarn_key) &&
                   (int)CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS == TN_RT_IPC_LAZY,
               "a handle holds a key");

TN_CU_UNCAPTURED(cuIpcGetMemHandle, tn_rt_ipc_export, CUipcMemHandle *, handle, CUdeviceptr,
                 address)

static tn_rt_error open_memory(void **ptr, const void *handle, unsigned flags) {
    TN_RT_REFUSE(flags != TN_RT_IPC_LAZY, TN_RT_INVALID_VALUE, "flags 0x%x, only %d is defined",
                 flags, TN_RT_IPC_LAZY);
    return tn_rt_ipc_open(ptr, handle, flags);
}

TN_CU_UNCAPTURED(cuIpcOpenMemHandle_v2, TN_FACE_EXPRESSION(open_memory(address, &handle, flags)),
                 CUdeviceptr *, address, CUipcMemHandle, handle, unsigned int, flags)
TN_CUDART_UNCAPTURED(cudaIpcOpenMemHandle, TN_FACE_EXPRESSION(open_memory(address, &handle, flags)),
                     void **, address, cudaIpcMemHandle_t, handle, unsigned int, flags)
TN_CU_UNCAPTURED(cuIpcCloseMemHandle, tn_rt_ipc_close, CUdeviceptr, address)

// ---- events

static tn_rt_error export_event(void *handle, CUevent event) {
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    tn_rt_error error = tn_rt_event_export(event, handle);
    return error == TN_RT_INVALID_CONFIGURATION ? TN_RT_INVALID_HANDLE : error;
}

TN_CU(cuIpcGetEventHandle, export_event, CUipcEventHandle *, handle, CUevent, event)
TN_CUDART(cudaIpcGetEventHandle, export_event, cudaIpcEventHandle_t *, handle, cudaEvent_t, event)

static tn_rt_error open_event(void *event, const void *handle) {
    tn_rt_error error = tn_rt_event_import(event, handle);
    return error == TN_RT_INVALID_VALUE && event != NULL ? TN_RT_MAP_FAILED : error;
}

TN_CU(cuIpcOpenEventHandle, TN_FACE_EXPRESSION(open_event(event, &handle)), CUevent *, event,
      CUipcEventHandle, handle)
TN_CUDART(cudaIpcOpenEventHandle, TN_FACE_EXPRESSION(open_event(event, &handle)), cudaEvent_t *,
          event, cudaIpcEventHandle_t, handle)
