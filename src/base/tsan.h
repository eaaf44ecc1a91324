// SPDX-License-Identifier: Apache-2.0
// The thread sanitizer of a program that was compiled with it, while this library was not. TSan then
// sees the program's loads and stores and the locks of the C library, but not the order of the work
// that this library runs. This file declares TSan's functions, which are NULL without it, and the
// steps that several rooms need. Its state is of the calling thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_TSAN __attribute__((weak, visibility("default")))
TN_TSAN void __tsan_acquire(void *address);
TN_TSAN void __tsan_release(void *address);
TN_TSAN void __tsan_read_range(void *address, unsigned long bytes);
TN_TSAN void __tsan_write_range(void *address, unsigned long bytes);
TN_TSAN void __tsan_func_entry(void *call);
TN_TSAN void __tsan_func_exit(void);
TN_TSAN void *__tsan_get_current_fiber(void);
TN_TSAN void *__tsan_create_fiber(unsigned flags);
TN_TSAN void __tsan_destroy_fiber(void *fiber);
TN_TSAN void __tsan_switch_to_fiber(void *fiber, unsigned flags);
TN_TSAN void __tsan_set_fiber_name(void *fiber, const char *name);
// Forgets what the address released before, unlike __tsan_release().
TN_TSAN void __tsan_java_release_store(void *address);
TN_TSAN void __tsan_java_alloc(uintptr_t address, uintptr_t bytes);
TN_TSAN void __tsan_java_free(uintptr_t address, uintptr_t bytes);
TN_TSAN void AnnotateIgnoreReadsBegin(const char *file, int line);
TN_TSAN void AnnotateIgnoreReadsEnd(const char *file, int line);
TN_TSAN void AnnotateIgnoreWritesBegin(const char *file, int line);
TN_TSAN void AnnotateIgnoreWritesEnd(const char *file, int line);
TN_TSAN void AnnotateIgnoreSyncBegin(const char *file, int line);
TN_TSAN void AnnotateIgnoreSyncEnd(const char *file, int line);
#undef TN_TSAN

#define TN_TSAN_NO_SYNC 1u // a flag of __tsan_switch_to_fiber(): the switch makes no order

#if defined(__has_feature)
#define TN_TSAN_IS_OURS __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define TN_TSAN_IS_OURS 1
#else
#define TN_TSAN_IS_OURS 0
#endif

// Returns true if the program brings TSan and depends on reports of this library. A library that was
// compiled with TSan needs none.
static inline bool tn_tsan_watches(void) {
    return !TN_TSAN_IS_OURS && __builtin_expect(__tsan_switch_to_fiber != NULL, 0);
}

// Lets TSan ignore the calling thread's accesses, or no longer; with `sync` also its locks and all that it
// acquires and releases. Calls may be nested.
__attribute__((cold, visibility("hidden"))) void tn_tsan_ignore_now(bool begin, bool sync);

// The C library's functions, such as free() and memcpy(), report accesses for this library, too.
static inline void tn_tsan_ignore_accesses(bool begin) {
    if (tn_tsan_watches()) tn_tsan_ignore_now(begin, false);
}

static inline void tn_tsan_ignore(bool begin) {
    if (tn_tsan_watches()) tn_tsan_ignore_now(begin, true);
}

static inline bool tn_tsan_ignored_begin(void) {
    tn_tsan_ignore(true);
    return true;
}

static inline void tn_tsan_ignored_end(const bool *ignored) {
    (void)ignored;
    tn_tsan_ignore(false);
}

// A declaration: TSan ignores the calling thread until the end of the block.
#define TN_TSAN_IGNORED                                                                            \
    __attribute__((cleanup(tn_tsan_ignored_end), unused)) const bool tsan_ignored_here =           \
        tn_tsan_ignored_begin()

// A release or an acquire of the address, for the thread or fibre that calls.
static inline void tn_tsan_release(const void *address) {
    if (tn_tsan_watches()) __tsan_release((void *)(uintptr_t)address);
}

static inline void tn_tsan_acquire(const void *address) {
    if (tn_tsan_watches()) __tsan_acquire((void *)(uintptr_t)address);
}

// ---- calls of a face, in which TSan sees nothing but what they show. Only with TSan.

void tn_tsan_enter(void) __attribute__((cold, visibility("hidden")));
void tn_tsan_leave(void) __attribute__((cold, visibility("hidden"))); // outside of calls: nothing
// TSan sees what the calling thread does within a call, or no longer.
void tn_tsan_show(bool begin) __attribute__((cold, visibility("hidden")));

// Lets TSan forget all accesses of bytes that get a new owner. Its calls for heaps of a virtual
// machine are the only ones that do this.
static inline void tn_tsan_forget(uintptr_t address, uint64_t bytes) {
    if (!tn_tsan_watches()) return;
    uintptr_t from = address & ~(uintptr_t)7;
    uintptr_t to = (address + bytes + 7) & ~(uintptr_t)7;
    __tsan_java_free(from, to - from);
    __tsan_java_alloc(from, to - from);
}
