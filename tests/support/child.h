// SPDX-License-Identifier: Apache-2.0
// A part of a test in a process of its own, with an environment of its own. Knows nothing of Tarn.
#pragma once

#include <stdarg.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Runs body(arg) in a child after setting the environment variables in `pairs`: name and value,
// both const char *, up to a name NULL; a value NULL takes the variable away. The calling test
// fails if the child does, or is killed.
void child_run(void (*body)(void *arg), void *arg, va_list pairs);

// The same in two halves, for a child that lives beside its parent, in the same environment.
pid_t child_begin(void (*body)(void *arg), void *arg);
void child_end(pid_t pid);

#ifdef __cplusplus
}
#endif
