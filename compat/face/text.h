// SPDX-License-Identifier: Apache-2.0
// The buffer for the error text of the calling thread. It is not a thread-local array, because a
// library that needs much thread-local memory cannot be opened by dlopen(). It is allocated at the
// thread's first failure and freed when the thread ends.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#define TN_FACE_TEXT 1024

// Returns TN_FACE_TEXT bytes, zero at first, or NULL without host memory.
char *tn_face_text_room(void);

// Formats a text of at most `size` bytes. It may name a kernel, a file or an object of the program, so
// each byte that is not printable is replaced by \xNN.
void tn_face_text_format(char *text, size_t size, const char *format, va_list arguments);
