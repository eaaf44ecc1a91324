// SPDX-License-Identifier: Apache-2.0
// HIP's handles of memory for other processes, which are keys of Tarn. See compat/runtime/memory.h.
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"

_Static_assert(sizeof(hipIpcMemHandle_t) == sizeof(tarn_memory_key) &&
                   hipIpcMemLazyEnablePeerAccess == TN_RT_IPC_LAZY,
               "a handle holds a key");

TN_HIP_UNCAPTURED_ROW(hipIpcGetMemHandle, tn_rt_ipc_export, hipIpcMemHandle_t *, void *)

hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(tn_rt_ipc_open(devPtr, &handle, flags));
}

TN_HIP_UNCAPTURED_ROW(hipIpcCloseMemHandle, tn_rt_ipc_close, void *)
