// SPDX-License-Identifier: Apache-2.0
// The machine context that a signal handler gets as its third argument (ucontext_t), on x86-64 and
// AArch64. Any thread, also inside of signal handlers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Returns true if the access that faulted was a write; false if it was a read, or if the kernel did
// not state it.
bool tn_context_is_write(const void *context);

// Returns the address of the interrupted instruction; 0 on other machines.
uintptr_t tn_context_instruction(const void *context);
