// SPDX-License-Identifier: Apache-2.0
// The devices. They are opened at the first call that needs one and stay open; a child of fork()
// opens its own.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/face/device.h"
#include "compat/runtime/base/error.h"

#define TN_RT_DEVICES TN_FACE_DEVICES
extern struct tn_face_devices tn_rt_devices;

// UNOPENED until a call has opened the devices, or has seen that none is visible. A call that fails
// to open them leaves it UNOPENED, so that the next call tries again.
enum { TN_RT_DEVICES_UNOPENED, TN_RT_DEVICES_READY, TN_RT_DEVICES_ABSENT };
extern _Atomic(int) tn_rt_devices_state;

// True if the devices are open. A macro, see TN_FACE_MAY_FAIL.
#define TN_RT_IS_OPEN                                                                              \
    __builtin_expect(atomic_load_explicit(&tn_rt_devices_state, memory_order_acquire) ==           \
                         TN_RT_DEVICES_READY,                                                      \
                     1)

// Opens the devices unless they are open. The policy is set. Returns false if the face cannot
// work; tn_rt_refusal() then returns the error: NO_DEVICE, which stays, or OUT_OF_MEMORY or
// NOT_INITIALIZED, after which the next call tries again.
bool tn_rt_open(void);
tn_rt_error tn_rt_refusal(void);

// Opens all devices of the platform for a caller of its own, also those that are not visible. The
// policy is set. Fails with OUT_OF_MEMORY, or with NOT_INITIALIZED if the platform does not open.
tn_rt_error tn_rt_open_all(struct tn_face_devices *devices);

// The device with an ordinal that programs use, or NULL.
static inline struct tn_face_device *tn_rt_device(int ordinal) {
    return ordinal >= 0 && ordinal < tn_rt_devices.count ? &tn_rt_devices.of[ordinal] : NULL;
}

// TN_RT_OK, or INVALID_DEVICE if no device has that ordinal.
tn_rt_error tn_rt_check_device(int ordinal);

// By a policy, work that failed on a device is the error of its contexts from then on, until the device
// is reset. The second function ends that. The third decides the error.
void tn_rt_device_fail(int ordinal, tn_rt_error error);
void tn_rt_device_heal(int ordinal);
tn_rt_error tn_rt_device_failure(int ordinal);

// The number of contexts that ended, lost their last user or failed with their device. While it is 0,
// every context that a thread's stack names is usable.
extern _Atomic(unsigned) tn_rt_contexts_ended;

// The ordinal that programs use for a device of the platform, or -1 if it is not visible.
int tn_rt_ordinal_of(int number);

// A location in the layout that CUDA and HIP share, and such a location with rights to it.
struct tn_rt_location {
    int type;
    int id;
};
struct tn_rt_access {
    struct tn_rt_location location;
    int flags;
};

// Converts a location, whose types have Tarn's numbers. Fails with INVALID_VALUE if the type is
// unknown, and with INVALID_DEVICE if no device has the ordinal `id`.
tn_rt_error tn_rt_location(int type, int id, tarn_location *location);

// Returns true if the option `fabric` of the devices is on, and the face has a name for that.
bool tn_rt_has_fabric(void);

// The owner of what a program makes: a device and a context of it, of which 0 is the primary one.
// The objects of no owner belong to other objects.
enum { TN_RT_CONTEXTS = 64, TN_RT_NO_OWNER = TN_RT_CONTEXTS * TN_RT_DEVICES };
static inline unsigned tn_rt_owner(int ordinal, unsigned context) {
    return context * TN_RT_DEVICES + (unsigned)ordinal;
}

// The handles of primary contexts by device, and of the others by number; 0: it does not live.
// context.c changes them under its lock. The function returns that of an owner, or NULL.
extern _Atomic(uintptr_t) tn_rt_primary_contexts[TN_RT_DEVICES];
extern _Atomic(uintptr_t) tn_rt_numbered_contexts[TN_RT_CONTEXTS];
static inline void *tn_rt_context_of(unsigned owner) {
    unsigned number = owner / TN_RT_DEVICES;
    return (void *)(number == 0 ? tn_rt_primary_contexts[owner] : tn_rt_numbered_contexts[number]);
}

// The calling thread's current device; never NULL once the devices are open. The owner of what the
// thread makes now is of this device. The setter takes an owner with a valid ordinal.
struct tn_face_device *tn_rt_current(void);
unsigned tn_rt_current_owner(void);
void tn_rt_set_current(unsigned owner);

// ---- functions of the program in stream order

// Tells that the calling thread begins, or ends, such a function.
void tn_rt_function_mark(bool runs);

// Decides NOT_PERMITTED if the calling thread runs one, and the policy forbids it to make the call,
// which allocates, frees or waits.
tn_rt_error tn_rt_function_check(void);
