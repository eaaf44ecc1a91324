// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 for tests: CUDA's driver API over a software device of Tarn's own, so that the
// back-end for CUDA runs without a GPU. It has a hidden Tarn inside, like the faces in
// compat/, and is never installed. It is as strict as the driver's documentation: contexts, streams
// and events are counted handles, work is for the current context, pageable memory is copied while
// the caller waits, a fault kills the context, and nothing may be called from a host function.
//
// Settings, read at the first call:
//   TARN_STANDIN_CUDA_DEVICE   the software device; "none": cuInit() finds no device
//   TARN_STANDIN_CUDA_VERSION  the driver's version; default 13000
//   TARN_STANDIN_CUDA_STUB     set: the toolkit's stub library, all calls return 34
//   TARN_STANDIN_CUDA_WITHOUT  missing parts, of: vmm fd pools procaddress peer
//   TARN_STANDIN_CUDA_HOST     set: the host may be given rights to devices' memory
//
// The thread that makes the first call opens the device; after that all state is under the locks of
// its file. A process made by fork() has no CUDA, as with the driver.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <tarn/tarn.h>

#include "compat/face/handle.h"
#include "standin/cuda/exports.h"

#define STANDIN_DEVICES 32

enum standin_kind { STANDIN_CONTEXT = 1, STANDIN_STREAM, STANDIN_EVENT, STANDIN_POOL };

enum standin_without {
    STANDIN_NO_VMM = 1u << 0,
    STANDIN_NO_FD = 1u << 1,
    STANDIN_NO_POOLS = 1u << 2,
    STANDIN_NO_PROC_ADDRESS = 1u << 3,
    STANDIN_NO_PEER = 1u << 4
};

// A device and its only context, the primary one.
struct standin_device {
    tarn_device *tarn;
    int ordinal;
    tarn_device_info info;
    struct standin_context *primary; // NULL: nobody retains it; under the lock of context.c
};

// Set by the first call, then constant.
struct standin {
    bool stub;
    bool host_access;
    uint32_t without; // enum standin_without
    int version;
    int count;
    struct standin_device devices[STANDIN_DEVICES];
};
extern struct standin standin;

struct standin_context {
    struct tn_face_object object;
    struct standin_device *device;
    unsigned retained;              // under the lock of context.c
    _Atomic(int) dead;              // the sticky error; 0 while it lives
    struct standin_stream *streams; // under the lock of stream.c
};

// ---- the start of every function

// Fails for the stub, before cuInit(), in a child of fork(), and inside a host function.
tn_cu_result standin_enter(void);

// The same, and returns the live current context of the calling thread.
tn_cu_result standin_enter_context(struct standin_context **context);

// The same for functions of a part that may be missing: 801.
tn_cu_result standin_enter_with(uint32_t part);

// Follows one of these in calls that allocate: fails the call that a test has chosen.
tn_cu_result standin_take(tn_cu_result entered);

// Marks the calling thread as one of the driver's while fn(arg) runs.
void standin_run_host_function(void (*fn)(void *), void *arg);

// ---- contexts

// Returns the current context of the calling thread, or NULL.
struct standin_context *standin_current(void);

// Returns the device of that number, or NULL.
struct standin_device *standin_device_of(tn_cu_device device);

// ---- results

// Converts a status of Tarn. A fault makes `context` unusable; it may be NULL.
tn_cu_result standin_from(tarn_status status, struct standin_context *context);

// The same for calls about addresses, where the driver returns INVALID_VALUE for everything except
// missing memory or a missing part.
tn_cu_result standin_from_address(tarn_status status, struct standin_context *context);

// Converts a location of the driver into one of Tarn. INVALID_DEVICE, INVALID_VALUE.
tn_cu_result standin_location(tn_cu_location given, tarn_location *location);
