// SPDX-License-Identifier: Apache-2.0
// How the system runs this program. Any thread.
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>

// Returns true if the program names no dynamic linker. If such a program calls dlopen(), it brings a
// second C library into the process, which never sets up thread-local storage for the program's
// threads and cannot create threads. A library that is opened there may do neither.
static inline bool tn_program_is_static(void) {
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = 0; parts != NULL && i < getauxval(AT_PHNUM); i++)
        if (parts[i].p_type == PT_INTERP) return false;
    return parts != NULL;
}
