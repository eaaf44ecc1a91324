// SPDX-License-Identifier: Apache-2.0
// Stacks. A stack is captured quickly, stored once, and symbolised only when it is printed. The
// depot only grows, so an id stays valid forever. Any thread may call; capturing takes no lock and
// never calls the malloc() of the program.
#ifndef TARN_STACK_STACK_H
#define TARN_STACK_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "stack/symbol.h"

// Zero means no stack, because the limit is 0 or the depot is full.
typedef uint32_t tn_stack_id;

// Sets the number of frames to capture, before the first stack. Zero captures none.
void tn_stack_limit(unsigned depth);

// Captures the stack above the caller, without frames of the checker.
tn_stack_id tn_stack_capture(void);

// Stores a stack that the caller unwound.
tn_stack_id tn_stack_keep(const uintptr_t *frames, size_t count);

// Returns the stack with a mark, a number of the caller's that distinguishes equal stacks. 0 is none.
tn_stack_id tn_stack_mark(tn_stack_id id, uint32_t mark);
uint32_t tn_stack_mark_of(tn_stack_id id);

// Returns the return addresses, innermost first. They are never freed.
const uintptr_t *tn_stack_frames(tn_stack_id id, size_t *count);

// Calls `visit` for each place of the stack, innermost first, inlined functions included, until it
// returns false. Leaves out the frames between the function of Tarn that the program called and the
// checker, and all other functions that are internal to Tarn. Slow, for printing; takes its own lock.
void tn_stack_walk(tn_stack_id id, tn_stack_symbol_visit visit, void *context);

// Returns the kernel's id of the calling thread. Only a thread's first call makes a system call.
uint32_t tn_stack_thread(void);

#endif
