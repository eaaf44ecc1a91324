// SPDX-License-Identifier: Apache-2.0
// See starve.h. A wrapper fails with the error that the call would have for want of its resource.
#include "system/starve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local unsigned countdown;
static _Thread_local bool with_system, failed;

void starve_arm(unsigned nth, bool system) {
    countdown = nth;
    with_system = system;
    failed = false;
}

bool starve_disarm(void) {
    bool any = failed;
    countdown = 0;
    failed = false;
    return any;
}

static bool fails(bool system, int error) {
    if (countdown == 0 || (system && !with_system) || --countdown > 0) return false;
    failed = true;
    errno = error;
    return true;
}

// WRAP(type, name, parameters, arguments, system, error, value)
#define WRAP(type, name, parameters, arguments, system, error, value)                              \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fails(system, error) ? (value) : __real_##name arguments;                           \
    }

WRAP(void *, malloc, (size_t bytes), (bytes), false, ENOMEM, NULL)
WRAP(void *, calloc, (size_t count, size_t bytes), (count, bytes), false, ENOMEM, NULL)
WRAP(void *, realloc, (void *old, size_t bytes), (old, bytes), false, ENOMEM, NULL)
WRAP(void *, reallocarray, (void *old, size_t count, size_t bytes), (old, count, bytes), false,
     ENOMEM, NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), false, ENOMEM,
     NULL)
WRAP(char *, strdup, (const char *text), (text), false, ENOMEM, NULL)
WRAP(void *, mmap, (void *at, size_t bytes, int rights, int flags, int file, off_t offset),
     (at, bytes, rights, flags, file, offset), true, ENOMEM, MAP_FAILED)
WRAP(int, mprotect, (void *at, size_t bytes, int rights), (at, bytes, rights), true, ENOMEM, -1)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), true, EMFILE, -1)
WRAP(int, ftruncate, (int file, off_t bytes), (file, bytes), true, ENOSPC, -1)
WRAP(int, fallocate, (int file, int mode, off_t offset, off_t bytes), (file, mode, offset, bytes),
     true, ENOSPC, -1)
WRAP(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), true, ENOSPC,
     -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), true, EIO, -1)
WRAP(int, fsync, (int file), (file), true, EIO, -1)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    unsigned mode = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
    va_end(list);
    return fails(true, EMFILE) ? -1 : __real_open(path, flags, mode);
}
