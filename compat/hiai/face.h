// SPDX-License-Identifier: Apache-2.0
// The face as a process sees it: configuration, which side it is, the arena that all blocks are
// taken from, and how every function of Matrix begins and ends. The arena is made once, by
// HIAI_Init() or HIAIX_DeviceMain(), and stays; a child of fork() makes its own.
#ifndef TARN_COMPAT_HIAI_FACE_H
#define TARN_COMPAT_HIAI_FACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>
#include <tarn/channel.h>

#include "compat/face/fork.h"

#define TN_HIAI_MS      UINT64_C(1000000)   // in ns
#define TN_HIAI_DEVICES 64u                 // ids are below
#define TN_HIAI_BLOCK   (UINT32_C(1) << 28) // most bytes of a block, host side
#define TN_HIAI_SPARE   96u                 // less on the device side
#define TN_HIAI_PORTS   16u                 // of an engine, in and out each

// Read from the environment by the first call that needs it, then only read.
struct tn_hiai_face {
    bool rc; // both sides in one
    bool log;
    uint32_t devices;
    uint64_t pool_bytes;
    uint64_t prefault_bytes;
    uint32_t start_ms;
    _Atomic(uint32_t) destroy_ms;
    _Atomic(bool) is_device; // HIAIX_DeviceMain() was called
    _Atomic(tarn_arena *) arena;
};
extern struct tn_hiai_face tn_hiai_face;

// Reads the environment if need be. HIAI_OK, or INIT_FAIL with a text.
HIAI_StatusT tn_hiai_configure(void);

// Makes the arena if need be. HIAI_OK, or INIT_FAIL with a text.
HIAI_StatusT tn_hiai_open(void);

// The arena; NULL: nobody has opened.
static inline tarn_arena *tn_hiai_arena(void) {
    return atomic_load_explicit(&tn_hiai_face.arena, memory_order_acquire);
}

// HIAI_OK, or GRAPH_NOT_EXIST when nobody has opened.
HIAI_StatusT tn_hiai_ready(void);

// Makes this process the device side, once. HIAI_OK, or HIAIX_WRONG_SIDE.
HIAI_StatusT tn_hiai_become_device(void);

static inline bool tn_hiai_is_device(void) {
    return atomic_load_explicit(&tn_hiai_face.is_device, memory_order_relaxed);
}

// HIAI_OK, or HIAIX_WRONG_SIDE when the process is not of that side. In RC mode it is of both.
HIAI_StatusT tn_hiai_need_host(const char *function);
HIAI_StatusT tn_hiai_need_device(const char *function);

// Most bytes of one block on this side.
static inline uint32_t tn_hiai_largest(void) {
    return tn_hiai_is_device() ? TN_HIAI_BLOCK - TN_HIAI_SPARE : TN_HIAI_BLOCK;
}

// ---- times

// A time limit of a call, ms as callers give them.
static inline uint64_t tn_hiai_ns(uint32_t ms) {
    return ms == UINT32_MAX ? TARN_FOREVER : ms * TN_HIAI_MS;
}
// When a limit is over; TARN_FOREVER: never.
uint64_t tn_hiai_deadline(uint64_t limit_ns);
// What is left of it, 0 when it is over.
uint64_t tn_hiai_time_left(uint64_t deadline);

// ---- errors

// Last in every function: remembers the status, logs a failure, returns it. `function` is __func__.
HIAI_StatusT tn_hiai_leave(HIAI_StatusT status, const char *function);

// Decides an error: keeps the text, returns `status`.
HIAI_StatusT tn_hiai_fail(HIAI_StatusT status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Decides an error with the last-error text of Tarn.
HIAI_StatusT tn_hiai_fail_tarn(HIAI_StatusT status);

// Something that goes on all the same: to standard error, when the log is on.
void tn_hiai_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The text of the thread's last failure; "": none.
const char *tn_hiai_text(void);

// ---- fork(), for the list in fork.c

void tn_hiai_fork_watch(void);
void tn_hiai_face_fork(enum tn_face_fork step);
void tn_hiai_registry_fork(enum tn_face_fork step);
void tn_hiai_object_fork(enum tn_face_fork step);
void tn_hiai_graph_fork(enum tn_face_fork step);
void tn_hiai_spawn_fork(enum tn_face_fork step);

#endif
