// SPDX-License-Identifier: Apache-2.0
// The state of the face in one process: configuration, the side that the process is, the arena of
// all blocks, and errors. HIAI_Init() or HIAIX_DeviceMain() creates the arena once, and it lives as
// long as the process. A child of fork() creates its own.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>
#include <tarn/channel.h>

#include "compat/face/call.h"
#include "compat/face/fork.h"

#define TN_HIAI_MS      UINT64_C(1000000)   // in ns
#define TN_HIAI_DEVICES 64u                 // device ids are smaller
#define TN_HIAI_BLOCK   (UINT32_C(1) << 28) // largest block of the host side, in bytes
#define TN_HIAI_SPARE   96u                 // a block of the device side is smaller by this
#define TN_HIAI_PORTS   16u                 // largest number of inputs, and of outputs
#define TN_HIAI_TEXT    384                 // room for an error text

// The places of the face's locks in the lock order, for fork().
enum {
    TN_HIAI_LOCK_FACE = 1,
    TN_HIAI_LOCK_GRAPHS,
    TN_HIAI_LOCK_PROGRAM,
    TN_HIAI_LOCK_REGISTRY,
    TN_HIAI_LOCK_OBJECTS,
    TN_HIAI_LOCK_TEXTS,
};

// Returns from the enclosing function with the status of `step`, unless it is HIAI_OK.
#define TN_HIAI_TRY(step) TN_FACE_TRY(HIAI_StatusT, HIAI_OK, step)

// Returns from an internal function with tn_hiai_fail(status, format, ...) if `condition` holds.
#define TN_HIAI_REFUSE(condition, ...) TN_FACE_REFUSE(condition, tn_hiai_fail(__VA_ARGS__))

// The first call that needs the configuration reads it from the environment. Then it is constant,
// except atomic members.
struct tn_hiai_face {
    bool rc; // TARN_HIAI_MODE=RC: both sides are this process
    uint32_t devices;
    uint64_t pool_bytes;
    uint64_t prefault_bytes;
    uint32_t start_ms;
    _Atomic(uint32_t) destroy_ms;
    _Atomic(bool) is_device; // HIAIX_DeviceMain() was called
    _Atomic(tarn_arena *) arena;
};
extern struct tn_hiai_face tn_hiai_face;

// Reads the environment once. Returns INIT_FAIL on failure.
HIAI_StatusT tn_hiai_configure(void);

// Creates the arena once. Returns MEMORY_EXHAUSTED without memory or descriptors, or INIT_FAIL on
// another failure; the next call tries again.
HIAI_StatusT tn_hiai_open(void);

// Returns the arena, or NULL before tn_hiai_open().
static inline tarn_arena *tn_hiai_arena(void) {
    return atomic_load_explicit(&tn_hiai_face.arena, memory_order_acquire);
}

// Returns GRAPH_NOT_EXIST before tn_hiai_open().
HIAI_StatusT tn_hiai_ready(void);

// Makes this process the device side, once. Returns HIAIX_WRONG_SIDE if it is already open.
HIAI_StatusT tn_hiai_become_device(void);

static inline bool tn_hiai_is_device(void) {
    return atomic_load_explicit(&tn_hiai_face.is_device, memory_order_relaxed);
}

// Return HIAIX_WRONG_SIDE if the process is the other side. In RC mode it is both.
HIAI_StatusT tn_hiai_need_host(const char *function);
HIAI_StatusT tn_hiai_need_device(const char *function);

// Returns the size of the largest block of this side.
static inline uint32_t tn_hiai_largest(void) {
    return tn_hiai_is_device() ? TN_HIAI_BLOCK - TN_HIAI_SPARE : TN_HIAI_BLOCK;
}

// ---- times

// Converts a time limit in ms, as callers pass it, to ns.
static inline uint64_t tn_hiai_ns(uint32_t ms) {
    return ms == UINT32_MAX ? TARN_FOREVER : ms * TN_HIAI_MS;
}
// Returns the deadline of a time limit, or TARN_FOREVER.
uint64_t tn_hiai_deadline(uint64_t limit_ns);
// Returns the time left until a deadline, or 0 if it has passed.
uint64_t tn_hiai_time_left(uint64_t deadline);

// ---- errors

// Called at the end of every public function: stores the status, logs a failure, and returns the
// status. `function` is __func__.
HIAI_StatusT tn_hiai_leave(HIAI_StatusT status, const char *function);

// Notes the end of the program before the destructors of the static objects that exist so far.
void tn_hiai_watch_end(void);
// Set while the calling thread opens a shared object of an engine.
extern _Thread_local bool tn_hiai_is_loading;

// Returns HIAI_OK, or the error that a user asks for in TARN_FAIL; see compat/face/inject.h.
HIAI_StatusT tn_hiai_inject(const char *function);

// The first statement of every function of HiAI that can fail. `failure` is its value then; it may
// name `injected`, the error.
#define TN_HIAI_POINT(failure) TN_FACE_POINT(HIAI_StatusT, HIAI_OK, tn_hiai, failure)

// The value that a public function returns: that of `work`, an expression, or the injected error.
#define TN_HIAI_CALL(work)                                                                         \
    tn_hiai_leave(__extension__({                                                                  \
                      HIAI_StatusT injected =                                                      \
                          TN_FACE_MAY_FAIL ? (TN_FACE_NOTE, tn_hiai_inject(__func__)) : HIAI_OK;   \
                      injected != HIAI_OK ? injected : TN_FACE_WORK(__func__, work);               \
                  }),                                                                              \
                  __func__)

// The head of a public function: its name, and the type and name of each parameter. Its body
// follows.
#define TN_HIAI_FUNCTION(name, ...)                                                                \
    TN_FACE_FUNCTION(HIAI_StatusT, HIAI_StatusT, TN_HIAI_CALL, name, __VA_ARGS__)

// Gives a status a text, unless it has one. Returns false if out of memory.
bool tn_hiai_status_add(HIAI_StatusT status, const char *what);

// Records the text of a failure and returns `status`.
HIAI_StatusT tn_hiai_fail(HIAI_StatusT status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Like tn_hiai_fail(), with the text of Tarn's last error.
HIAI_StatusT tn_hiai_fail_tarn(HIAI_StatusT status);

// Writes a problem that fails no call to the log.
void tn_hiai_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns the text of the thread's last failure, or "" if there was none.
const char *tn_hiai_text(void);
