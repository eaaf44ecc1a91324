// SPDX-License-Identifier: Apache-2.0
// The face within a process: its configuration, its devices, and the frame of every function of
// AscendCL. The first call opens the devices, and they stay open until the process ends. A child of
// fork() opens its own. Any thread may call these functions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <acl/acl_base.h>
#include <tarn/face.h>
#include <tarn/tarn.h>

#include "compat/face/device.h"
#include "compat/face/row.h"
#include "compat/runtime/base/error.h"
#include "compat/runtime/base/handle.h"

#define TN_ACL_DEVICES   31
#define TN_ACL_KEY_BYTES 65 // of a key with its zero, as AscendCL's programs allocate them

// The first tn_acl_open() that succeeds fills it. After that it is only read.
struct tn_acl_face {
    int pid;
    struct tn_face_devices devices;
    int generation;   // 1 or 2
    bool rc;          // the program runs on the device
    uint32_t padding; // bytes behind each allocation: 32 or 0
    bool strict;
    bool poison;
};
extern struct tn_acl_face tn_acl_face;

// The kinds of handles that are not the runtime's.
enum {
    TN_ACL_CONTEXT = TN_RT_KINDS,
    TN_ACL_STREAM,
    TN_ACL_EVENT,
    TN_ACL_ALLOCATOR,
    TN_ACL_NOTIFY,
    TN_ACL_STAMP,
    TN_ACL_ITEM,
    TN_ACL_DATASET,
    TN_ACL_BUFFER,
    TN_ACL_KINDS
};
_Static_assert(TN_ACL_KINDS <= TN_FACE_KINDS, "handles have room for all kinds");

// Opens the devices unless they are open. Returns 207001 or 207005 if memory or a resource of the
// process is exhausted, and 507033 if the device named by the environment cannot be opened for
// another reason; the next call then tries again. Functions whose acl layer rejects arguments check
// those first.
aclError tn_acl_open(void);

// The same. Also returns 207000 in an older generation than `generation`, the function's first.
aclError tn_acl_enter(int generation);

// Logs a failure if the log is on, keeps its code for aclrtGetLastError(), and returns `error`.
// `function` is __func__.
aclError tn_acl_leave(aclError error, const char *function);

// Returns 0, or the error that a user asks for in TARN_FAIL; see compat/face/inject.h.
aclError tn_acl_inject(const char *function);

// The frame of a function of AscendCL; see compat/face/call.h. The work opens the devices itself,
// because the acl layer checks arguments before that.
#define TN_ACL_CALL(work) TN_FACE_CALL(tn_acl, work)

// The head of a function of AscendCL: its name, and the type and name of each parameter. Its body
// follows.
#define TN_ACL_FUNCTION(name, ...)                                                                 \
    TN_FACE_FUNCTION(aclError, aclError, TN_ACL_CALL, name, __VA_ARGS__)

// A row, see compat/face/row.h.
#define TN_ACL_ROW(name, work, ...) TN_FACE_ROW(aclError, TN_ACL_CALL, name, work, __VA_ARGS__)

static inline bool tn_acl_ready(void) { return true; }
static inline aclError tn_acl_refusal(void) { return ACL_SUCCESS; }

// Returns the code of the calling thread's latest failure, or 0 if it has none that is not
// forgotten. Starting AscendCL again does not count as a failure.
aclError tn_acl_last_error(bool forget);

// Decides an error: keeps the text for aclGetRecentErrMsg() and returns `error`.
#define tn_acl_fail(error, ...)                                                                    \
    tn_acl_set_error((aclError)tn_rt_fail((tn_rt_error)(error), __VA_ARGS__))

// Decides the error of the text that tn_rt_fail() has kept. Returns `error`.
aclError tn_acl_set_error(aclError error);

// Converts an error that the runtime decided: INVALID_VALUE is 107000, OUT_OF_MEMORY, which means
// that of the host here, 200000, and NOT_SUPPORTED 207000. For all failures of Tarn the policy has
// the code of tn_acl_status().
aclError tn_acl_rt(tn_rt_error error);

// Returns the code for a status of Tarn and keeps Tarn's text: 207001 for each kind of memory that
// is exhausted, 207000 for UNSUPPORTED, 107001 for BAD_DEVICE, 207005 for handles and descriptors,
// 507899 for DEVICE_FAILED, and `rejected` for the rest. `rejected` is 107000 where the user's half
// of the driver checks, and 507899 where its kernel half does.
aclError tn_acl_from(tarn_status status, aclError rejected);

// The same with 107000 for a rejected argument, as in most functions.
static inline aclError tn_acl_status(tarn_status status) {
    return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
}

// The same for what the driver's kernel half checks.
static inline aclError tn_acl_driver(tarn_status status) {
    return tn_acl_from(status, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

// The same for the status of creating an object, with the code for objects that are exhausted.
aclError tn_acl_from_new(tarn_status status, aclError exhausted);

// Returns 100000 if the argument `name` is NULL.
aclError tn_acl_check_pointer(const void *pointer, const char *name);

// Returns the device with that number on the platform, or NULL if programs do not see it.
struct tn_face_device *tn_acl_device_of(int number);

// Returns the ordinal of the device with that number, or -1 if programs do not see it.
int tn_acl_ordinal_of(int number);

// Finds a device by its ordinal. `device` may be NULL. Returns 107001 if there is none.
aclError tn_acl_find_device(int64_t ordinal, struct tn_face_device **device);

// The same, but opens the devices first.
aclError tn_acl_open_device(int64_t ordinal, struct tn_face_device **device);

// Returns from an internal function with the error of `step`, unless the step succeeded.
#define TN_ACL_TRY(step) TN_FACE_TRY(aclError, ACL_SUCCESS, step)

// A declaration: a pointer to an object, held until the end of the block. `step` sets it, or returns
// the error with which the enclosing internal function returns.
#define TN_ACL_GET(type, name, step)                                                               \
    TN_FACE_HELD struct type *name = NULL;                                                         \
    TN_ACL_TRY(step)

// The same for a device, which nobody holds.
#define TN_ACL_DEVICE(name, step)                                                                  \
    struct tn_face_device *name = NULL;                                                            \
    TN_ACL_TRY(step)

// Returns from an internal function with tn_acl_fail(error, format, ...) if `condition` holds.
#define TN_ACL_REFUSE(condition, ...) TN_FACE_REFUSE(condition, tn_acl_fail(__VA_ARGS__))

// The same with 100000, as the acl layer refuses an argument; with 107000, as the runtime below it
// does; and with 207000.
#define TN_ACL_ARGUMENT(condition, ...)                                                            \
    TN_ACL_REFUSE(condition, ACL_ERROR_INVALID_PARAM, __VA_ARGS__)
#define TN_ACL_INVALID(condition, ...)                                                             \
    TN_ACL_REFUSE(condition, ACL_ERROR_RT_PARAM_INVALID, __VA_ARGS__)
#define TN_ACL_UNSUPPORTED(condition, ...)                                                         \
    TN_ACL_REFUSE(condition, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, __VA_ARGS__)

// Returns 100000 from an internal function if its argument, named as in the header, is NULL.
#define TN_ACL_POINTER(argument) TN_ACL_TRY(tn_acl_check_pointer(argument, #argument))

// The same for two arguments, in their order.
#define TN_ACL_POINTERS(first, second)                                                             \
    TN_ACL_POINTER(first);                                                                         \
    TN_ACL_POINTER(second)
