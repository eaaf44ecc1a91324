// SPDX-License-Identifier: Apache-2.0
// The frame of HIP's public functions, and the policy by which the runtime works for HIP.
#pragma once

#include "compat/face/row.h"
#include "compat/hip/error.h"
#include "compat/runtime/device/device.h"
#include "compat/runtime/stream/order.h"

// The frame of every public function that needs a device; see compat/face/call.h.
#define TN_HIP_CALL(work) TN_FACE_CALL(tn_hip, work)

// The frame of functions that allocate or free, and of settings.
#define TN_HIP_UNCAPTURED_CALL(work)                                                               \
    TN_HIP_CALL(tn_rt_capture_allows() != TN_RT_OK ? TN_RT_CAPTURE_UNSUPPORTED : (work))
#define TN_HIP_UNCAPTURED_SETTING_CALL(work)                                                       \
    TN_HIP_CALL(tn_rt_capture_allows_settings() != TN_RT_OK ? TN_RT_CAPTURE_UNSUPPORTED : (work))

// The head of a function whose work is not the runtime's: its name, and the type and name of each
// parameter. Its body follows, which returns an error of the runtime.
#define TN_HIP_FUNCTION(name, ...)                                                                 \
    TN_FACE_FUNCTION(hipError_t, tn_rt_error, TN_HIP_CALL, name, __VA_ARGS__)
#define TN_HIP_UNCAPTURED_FUNCTION(name, ...)                                                      \
    TN_FACE_FUNCTION(hipError_t, tn_rt_error, TN_HIP_UNCAPTURED_CALL, name, __VA_ARGS__)

// Rows, see compat/face/row.h.
#define TN_HIP_ROW(name, work, ...) TN_FACE_ROW(hipError_t, TN_HIP_CALL, name, work, __VA_ARGS__)
#define TN_HIP_UNCAPTURED_ROW(name, work, ...)                                                     \
    TN_FACE_ROW(hipError_t, TN_HIP_UNCAPTURED_CALL, name, work, __VA_ARGS__)
#define TN_HIP_UNCAPTURED_SETTING_ROW(name, work, ...)                                             \
    TN_FACE_ROW(hipError_t, TN_HIP_UNCAPTURED_SETTING_CALL, name, work, __VA_ARGS__)

// Of a function with a second form, for which NULL and hipStreamLegacy mean the stream of the calling
// thread.
#define TN_HIP_SPT_ROW(name, name_spt, work, ...)                                                  \
    TN_HIP_ROW(name, work, __VA_ARGS__)                                                            \
    TN_FACE_ROW(hipError_t, TN_HIP_OF_THREAD_CALL, name_spt, work, __VA_ARGS__)
#define TN_HIP_OF_THREAD_CALL(work)                                                                \
    __extension__({                                                                                \
        TN_RT_OF_THREAD;                                                                           \
        TN_HIP_CALL(work);                                                                         \
    })

// Rows of two functions of one work: the first returns by the rule `sync`, the second has a stream,
// see compat/runtime/copy/copy_rows.h. The second macro gives both a second form.
#define TN_HIP_PAIR(name, name_async, work, sync, ...)                                             \
    TN_HIP_ROW(name, TN_RT_SYNC(work, sync, __VA_ARGS__), __VA_ARGS__)                             \
    TN_HIP_ROW(name_async, TN_RT_ASYNC(work, __VA_ARGS__), __VA_ARGS__, hipStream_t, stream)
#define TN_HIP_SPT_PAIR(name, name_spt, name_async, name_async_spt, work, sync, ...)               \
    TN_HIP_SPT_ROW(name, name_spt, TN_RT_SYNC(work, sync, __VA_ARGS__), __VA_ARGS__)               \
    TN_HIP_SPT_ROW(name_async, name_async_spt, TN_RT_ASYNC(work, __VA_ARGS__), __VA_ARGS__,        \
                   hipStream_t, stream)

// Opens the devices unless they are open; see tn_rt_open().
bool tn_hip_open(void);
#define tn_hip_ready() (TN_RT_IS_OPEN || tn_hip_open())
static inline tn_rt_error tn_hip_refusal(void) { return tn_rt_refusal(); }

// The stream of the functions named _spt: for them the NULL stream means that of the calling
// thread.
static inline hipStream_t tn_hip_spt(hipStream_t stream) {
    return stream == NULL || stream == hipStreamLegacy ? hipStreamPerThread : stream;
}

// Sets the policy, and returns the version of the runtime and the driver. It may be called while no
// device is open.
int tn_hip_version(void);
