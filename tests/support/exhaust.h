// SPDX-License-Identifier: Apache-2.0
// Lets the host run out of memory. A program that includes this file replaces malloc()'s functions,
// which a sanitizer does not allow: CAN_REPLACE_MALLOC is 0 there.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define CAN_REPLACE_MALLOC 0
#elif defined(__has_feature)
#define CAN_REPLACE_MALLOC (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define CAN_REPLACE_MALLOC 1
#endif

#if CAN_REPLACE_MALLOC

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static _Thread_local bool exhausted;    // every allocation of this thread fails
static _Thread_local unsigned fails_at; // only the allocation that counts it down to 0 fails

static bool allocation_fails(void) { return exhausted || (fails_at > 0 && --fails_at == 0); }

void *malloc(size_t bytes) { return allocation_fails() ? NULL : __libc_malloc(bytes); }

void *calloc(size_t count, size_t bytes) {
    return allocation_fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    return allocation_fails() ? NULL : __libc_realloc(old, bytes);
}

#endif
