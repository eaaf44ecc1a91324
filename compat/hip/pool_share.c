// SPDX-License-Identifier: Apache-2.0
// HIP's functions about pools that processes share. See compat/runtime/pool.h.
#include <string.h>

#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/runtime/pool.h"

static tn_rt_error check_share(const void *where, hipMemAllocationHandleType type, unsigned flags) {
    TN_RT_REFUSE(where == NULL || flags != 0 || type != hipMemHandleTypePosixFileDescriptor,
                 TN_RT_INVALID_VALUE, "shared_handle %p, handle type 0x%x (only 0x1), flags 0x%x",
                 where, (unsigned)type, flags);
    return TN_RT_OK;
}

static tn_rt_error export_pool(void *where, hipMemPool_t handle, hipMemAllocationHandleType type,
                               unsigned flags) {
    int fd = -1;
    TN_RT_TRY(check_share(where, type, flags));
    TN_RT_TRY(tn_rt_pool_export(handle, &fd));
    memcpy(where, &fd, sizeof fd); // the caller's variable need not be aligned
    return TN_RT_OK;
}

hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type,
                                             unsigned int flags) {
    return TN_HIP_CALL(export_pool(shared_handle, mem_pool, handle_type, flags));
}

static tn_rt_error import_pool(hipMemPool_t *pool, void *given, hipMemAllocationHandleType type,
                               unsigned flags) {
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_check_pointer(pool, "mem_pool"));
    TN_RT_TRY(check_share(given, type, flags));
    TN_RT_TRY(tn_rt_pool_import((int)(uintptr_t)given, &handle));
    *pool = (hipMemPool_t)handle;
    return TN_RT_OK;
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                               hipMemAllocationHandleType handle_type,
                                               unsigned int flags) {
    return TN_HIP_CALL(import_pool(mem_pool, shared_handle, handle_type, flags));
}

// ---- pointers

_Static_assert(sizeof(struct tn_rt_pool_pointer) == sizeof(hipMemPoolPtrExportData),
               "it is HIP's size");

static tn_rt_error export_pointer(hipMemPoolPtrExportData *out, const void *ptr) {
    struct tn_rt_pool_pointer data;
    TN_RT_TRY(tn_rt_check_pointer(out, "export_data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(tn_rt_pool_export_pointer(ptr, &data));
    memcpy(out, &data, sizeof data);
    return TN_RT_OK;
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr) {
    return TN_HIP_CALL(export_pointer(export_data, dev_ptr));
}

static tn_rt_error import_pointer(void **ptr, hipMemPool_t pool,
                                  const hipMemPoolPtrExportData *given) {
    struct tn_rt_pool_pointer data;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(tn_rt_check_pointer(given, "export_data"));
    memcpy(&data, given, sizeof data);
    return tn_rt_pool_import_pointer(pool, &data, ptr);
}

hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool,
                                   hipMemPoolPtrExportData *export_data) {
    return TN_HIP_CALL(import_pointer(dev_ptr, mem_pool, export_data));
}
