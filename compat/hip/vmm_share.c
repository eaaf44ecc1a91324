// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes, by file descriptor.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "compat/hip/vmm.h"

// ---- hipMemExportToShareableHandle

// An int and nothing more: the caller's variable may be wider, or not aligned for one.
static hipError_t export_fd(void *where, hipMemGenericAllocationHandle_t handle,
                            hipMemAllocationHandleType type, unsigned long long flags) {
    if (where == NULL || flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "shareableHandle %p, flags 0x%llx", where, flags);
    }
    if (type != hipMemHandleTypePosixFileDescriptor) {
        return tn_hip_fail(hipErrorInvalidValue,
                           "handle type 0x%x: memory can be created for 0x1 alone", (unsigned)type);
    }
    tarn_shareable out = {0, -1, 0};
    tarn_status status = tarn_phys_export(tn_hip_phys_of(handle), TARN_SHAREABLE_FD, &out);
    if (status == TARN_OK) {
        memcpy(where, &out.fd, sizeof out.fd);
        return hipSuccess;
    }
    (void)tn_hip_from(status);
    return hipErrorInvalidValue; // the want of a descriptor too, says HIP
}

hipError_t hipMemExportToShareableHandle(void *shareableHandle,
                                         hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType,
                                         unsigned long long flags) {
    return TN_HIP_CALL(export_fd(shareableHandle, handle, handleType, flags));
}

// ---- hipMemImportFromShareableHandle

// Below are descriptors: above what fs.nr_open allows by default, and below any address that is
// ever mapped.
#define FD_LIMIT 0x100000

// Where the system forbids to read like a debugger, the kernel is asked to read on the way into a
// pipe.
static bool read_by_pipe(const void *from, int *value) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    bool good = write(ends[1], from, sizeof *value) == (ssize_t)sizeof *value &&
                read(ends[0], value, sizeof *value) == (ssize_t)sizeof *value;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return good;
}

// The int at an address that may be none.
static bool read_int(void *from, int *value) {
    struct iovec mine = {value, sizeof *value};
    struct iovec there = {from, sizeof *value};
    if (process_vm_readv(getpid(), &mine, 1, &there, 1, 0) == (ssize_t)sizeof *value) {
        return true;
    }
    return errno != EFAULT && read_by_pipe(from, value);
}

static hipError_t find_fd(void *given, int *fd) {
    if ((uintptr_t)given < FD_LIMIT) {
        *fd = (int)(uintptr_t)given;
        return hipSuccess;
    }
    return read_int(given, fd)
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue,
                             "osHandle %p is no descriptor, and no int can be read there", given);
}

static hipError_t import_fd(hipMemGenericAllocationHandle_t *handle, void *given,
                            hipMemAllocationHandleType type) {
    tarn_shareable in = {TARN_SHAREABLE_FD, -1, 0};
    tarn_phys phys = 0;
    if (handle == NULL || given == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "handle %p, osHandle %p", (void *)handle, given);
    }
    if (type != hipMemHandleTypePosixFileDescriptor) {
        return tn_hip_fail(hipErrorNotSupported, "handle type 0x%x, only 0x1 is provided",
                           (unsigned)type);
    }
    TN_HIP_TRY(find_fd(given, &in.fd));
    TN_HIP_TRY(tn_hip_translate(tarn_phys_import(tn_hip_current()->tarn, &in, &phys),
                                hipErrorInvalidValue));
    *handle = tn_hip_phys_handle(phys);
    return hipSuccess;
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                           hipMemAllocationHandleType shHandleType) {
    return TN_HIP_CALL(import_fd(handle, osHandle, shHandleType));
}
