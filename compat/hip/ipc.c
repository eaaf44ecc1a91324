// SPDX-License-Identifier: Apache-2.0
// HIP's handles of memory for other processes, which are keys of Tarn. See compat/runtime/memory.h.
#include <string.h>

#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"

_Static_assert(sizeof(hipIpcMemHandle_t) == sizeof(tarn_memory_key), "a handle holds a key");

static tn_rt_error get_handle(hipIpcMemHandle_t *handle, const void *ptr) {
    tarn_memory_key key;
    TN_RT_TRY(tn_rt_check_pointer(handle, "handle"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "devPtr"));
    TN_RT_TRY(tn_rt_ipc_export(ptr, &key));
    memcpy(handle, &key, sizeof key);
    return TN_RT_OK;
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr) {
    return TN_HIP_UNCAPTURED_CALL(get_handle(handle, devPtr));
}

static tn_rt_error open_handle(void **ptr, const hipIpcMemHandle_t *handle, unsigned flags) {
    tarn_memory_key key;
    TN_RT_REFUSE(ptr == NULL || (flags & ~(unsigned)hipIpcMemLazyEnablePeerAccess) != 0,
                 TN_RT_INVALID_VALUE, "devPtr %p, flags 0x%x", (void *)ptr, flags);
    memcpy(&key, handle, sizeof key);
    return tn_rt_ipc_open(&key, ptr);
}

hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(open_handle(devPtr, &handle, flags));
}

hipError_t hipIpcCloseMemHandle(void *devPtr) {
    return TN_HIP_UNCAPTURED_CALL(tn_rt_ipc_close(devPtr));
}
