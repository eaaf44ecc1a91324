// SPDX-License-Identifier: Apache-2.0
// Signals that a kernel causes: a division by zero, an access of memory that it must not access, a
// failing assertion. They end what the thread runs on fibres. Signals of other code go to the
// handlers that were there before. If a sanitizer is in the process, it handles faults instead.
#pragma once

#include "compat/runtime/base/error.h"
#include "compat/runtime/kernel/fibre.h"

// The thread leaves *current for `base` at a signal.
struct tn_rt_fault {
    struct tn_rt_fibre *base;
    struct tn_rt_fibre *current;
    int signal; // that came, or 0; the user resets it
    int code;
    uintptr_t address;
    uintptr_t instruction;
};

// From now on signals of the calling thread are those of `fault`, while its `current` is not its
// `base`. Ends with the second function. A thread without a stack for handlers keeps the one that it
// gets here.
void tn_rt_fault_guard(struct tn_rt_fault *fault);
void tn_rt_fault_unguard(void);

// Returns the fault that guards the calling thread while that runs on fibres, or NULL.
struct tn_rt_fault *tn_rt_fault_of_thread(void);

// Returns the error for the signal that came, and describes it.
tn_rt_error tn_rt_fault_cause(const struct tn_rt_fault *fault, char *text, size_t size);
