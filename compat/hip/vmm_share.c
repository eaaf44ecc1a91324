// SPDX-License-Identifier: Apache-2.0
// Physical memory shared between processes by file descriptor. The file has no state, so any thread
// may call its functions.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "compat/face/uncancelled.h"
#include "compat/hip/vmm.h"

// ---- hipMemExportToShareableHandle

// Writes exactly an int: the caller's variable may be wider, or not aligned for an int.
static tn_rt_error export_fd(void *where, hipMemGenericAllocationHandle_t handle,
                             hipMemAllocationHandleType type, unsigned long long flags) {
    if (where == NULL || flags != 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "shareableHandle %p, flags 0x%llx", where, flags);
    if (type != hipMemHandleTypePosixFileDescriptor) {
        return tn_rt_fail(TN_RT_INVALID_VALUE,
                          "handle type 0x%x: memory can be created for 0x1 only", (unsigned)type);
    }
    tarn_shareable out = {0, -1, 0};
    tarn_status status = tarn_phys_export(tn_hip_phys_of(handle), TARN_SHAREABLE_FD, &out);
    if (status == TARN_OK) {
        memcpy(where, &out.fd, sizeof out.fd);
        return TN_RT_OK;
    }
    (void)tn_rt_from(status);
    return TN_RT_INVALID_VALUE; // as in HIP, also if descriptors are exhausted
}

hipError_t hipMemExportToShareableHandle(void *shareableHandle,
                                         hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType,
                                         unsigned long long flags) {
    return TN_HIP_VMM_CALL(export_fd(shareableHandle, handle, handleType, flags));
}

// ---- hipMemImportFromShareableHandle

// Values below this limit are descriptors, others are addresses. The limit is above the default of
// fs.nr_open and below every mapped address.
#define FD_LIMIT 0x100000

// Reads through a pipe, for systems that forbid process_vm_readv().
static bool read_by_pipe(const void *from, int *value) {
    TN_FACE_UNCANCELLED;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool done = write(ends[1], from, sizeof *value) == (ssize_t)sizeof *value &&
                read(ends[0], value, sizeof *value) == (ssize_t)sizeof *value;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return done;
}

// Reads an int at an address that may be invalid.
static bool read_int(void *from, int *value) {
    struct iovec mine = {value, sizeof *value};
    struct iovec there = {from, sizeof *value};
    if (process_vm_readv(getpid(), &mine, 1, &there, 1, 0) == (ssize_t)sizeof *value) return true;
    return errno != EFAULT && read_by_pipe(from, value);
}

static tn_rt_error get_fd(void *given, int *fd) {
    if ((uintptr_t)given < FD_LIMIT) {
        *fd = (int)(uintptr_t)given;
        return TN_RT_OK;
    }
    return read_int(given, fd)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE,
                            "osHandle %p is not a descriptor, and no int can be read there", given);
}

static tn_rt_error import_fd(hipMemGenericAllocationHandle_t *handle, void *given,
                             hipMemAllocationHandleType type) {
    tarn_shareable in = {TARN_SHAREABLE_FD, -1, 0};
    tarn_phys phys = 0;
    if (handle == NULL || given == NULL)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle %p, osHandle %p", (void *)handle, given);
    if (type != hipMemHandleTypePosixFileDescriptor) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "handle type 0x%x: only 0x1 is supported",
                          (unsigned)type);
    }
    TN_RT_TRY(get_fd(given, &in.fd));
    TN_RT_TRY(
        tn_rt_translate(tarn_phys_import(tn_rt_current()->tarn, &in, &phys), TN_RT_INVALID_VALUE));
    *handle = tn_hip_phys_handle(phys);
    return TN_RT_OK;
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                           hipMemAllocationHandleType shHandleType) {
    return TN_HIP_VMM_CALL(import_fd(handle, osHandle, shHandleType));
}
