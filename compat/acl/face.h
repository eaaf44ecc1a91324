// SPDX-License-Identifier: Apache-2.0
// The face as a process sees it: configuration and devices, taken in at the first call, and how
// every function of AscendCL begins and ends. Devices are opened once and stay open; a child of
// fork() opens its own.
#ifndef TARN_COMPAT_ACL_FACE_H
#define TARN_COMPAT_ACL_FACE_H

#include <stdbool.h>
#include <stdint.h>

#include <acl/acl_base.h>
#include <tarn/tarn.h>

#define TN_ACL_DEVICES 31

struct tn_acl_device {
    tarn_device *tarn;
    int ordinal;
    tarn_device_info info;
};

// Filled once by the first tn_acl_open(), then only read.
struct tn_acl_face {
    int count;
    struct tn_acl_device devices[TN_ACL_DEVICES];
    int generation;   // 1 or 2
    bool rc;          // the program runs on the device
    uint32_t padding; // behind each allocation: 32 or 0
    bool strict;
    bool poison;
    bool log;
};
extern struct tn_acl_face tn_acl_face;

// Kinds of handles.
enum { TN_ACL_CONTEXT = 1, TN_ACL_STREAM, TN_ACL_EVENT, TN_ACL_POOL };

// Opens the devices if need be. ACL_SUCCESS, or 507033 with a text when the device named by the
// environment cannot be opened. Functions whose acl layer rejects arguments do so before.
aclError tn_acl_open(void);

// Last in every function of AscendCL: logs a failure, returns `error`. `function` is __func__.
aclError tn_acl_leave(aclError error, const char *function);

// The code of the calling thread's latest failure that has not been forgotten; 0: none. To start
// AscendCL again is no failure.
aclError tn_acl_last_error(bool forget);

// Decides an error: keeps the text for aclGetRecentErrMsg(), returns `error`.
aclError tn_acl_fail(aclError error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The code for a status of Tarn, whose last-error text it takes over: out of memory of any kind
// 207001, UNSUPPORTED 207000, BAD_DEVICE 107001, handles and descriptors 207005, DEVICE_FAULT
// 507899; anything else `rejected`, which is 107000 where the user's half of the driver checks and
// 507899 where its kernel half does.
aclError tn_acl_from(tarn_status status, aclError rejected);

// A device by its ordinal; NULL when there is none.
struct tn_acl_device *tn_acl_device(int32_t ordinal);

// A rule that generation 2 only recommends: says so on standard error when the log is on.
void tn_acl_warn(const char *function, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
