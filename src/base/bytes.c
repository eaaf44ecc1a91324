// SPDX-License-Identifier: Apache-2.0
// Moves that ASan and Valgrind do not check. See bytes.h. ASan intercepts memcpy for the whole
// process, whether this library was compiled with it or not, so the bytes move by instructions that
// it cannot intercept. Valgrind sees these too; its error reports are disabled meanwhile.
#include "base/bytes.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND              0
#define VALGRIND_DISABLE_ERROR_REPORTING ((void)0)
#define VALGRIND_ENABLE_ERROR_REPORTING  ((void)0)
#define VALGRIND_MAKE_MEM_DEFINED(p, n)  ((void)(p), (void)(n))
#endif

// Defined if the process runs under ASan.
extern void __asan_poison_memory_region(void const volatile *addr, size_t size)
    __attribute__((weak));

_Atomic int tn_bytes_watcher;

bool tn_bytes_find_watcher(void) {
    int watcher = tn_load_relaxed(&tn_bytes_watcher);
    if (watcher == TN_WATCHER_UNKNOWN) {
        watcher = __asan_poison_memory_region != NULL ? TN_WATCHER_ASAN
                  : RUNNING_ON_VALGRIND               ? TN_WATCHER_VALGRIND
                                                      : TN_WATCHER_NONE;
        tn_store_relaxed(&tn_bytes_watcher, watcher);
    }
    return watcher != TN_WATCHER_NONE;
}

#define UNSEEN __attribute__((no_sanitize("address"), noinline))

// Volatile, because the compiler would otherwise replace a loop over bytes by a call of memcpy.
static UNSEEN void move_forward(unsigned char *dst, const unsigned char *src, size_t bytes) {
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
#else
    for (size_t i = 0; i < bytes; i++)
        ((volatile unsigned char *)dst)[i] = ((const volatile unsigned char *)src)[i];
#endif
}

static UNSEEN void move_backward(unsigned char *dst, const unsigned char *src, size_t bytes) {
    for (size_t i = bytes; i-- > 0;)
        ((volatile unsigned char *)dst)[i] = ((const volatile unsigned char *)src)[i];
}

static UNSEEN void set_bytes(unsigned char *dst, unsigned char value, size_t bytes) {
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(dst), "+c"(bytes) : "a"(value) : "memory");
#else
    for (size_t i = 0; i < bytes; i++) ((volatile unsigned char *)dst)[i] = value;
#endif
}

void tn_bytes_move_unseen(void *dst, const void *src, size_t bytes) {
    bool overlaps_ahead = (uintptr_t)dst - (uintptr_t)src < bytes;
    VALGRIND_DISABLE_ERROR_REPORTING;
    if (overlaps_ahead)
        move_backward(dst, src, bytes);
    else
        move_forward(dst, src, bytes);
    VALGRIND_ENABLE_ERROR_REPORTING;
}

void tn_bytes_set_unseen(void *dst, int value, size_t bytes) {
    VALGRIND_DISABLE_ERROR_REPORTING;
    set_bytes(dst, (unsigned char)value, bytes);
    VALGRIND_ENABLE_ERROR_REPORTING;
}

void tn_bytes_take_as_written(void *bytes, size_t count) {
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}
