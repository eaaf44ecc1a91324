// SPDX-License-Identifier: Apache-2.0
// Stacks. A stack is captured quickly, stored once, and symbolised only when it is printed. The
// depot only grows, so an id stays valid forever. Any thread may call; capturing takes no lock and
// never calls the malloc() of the program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- names of addresses

// Names of addresses in code: function, file and line, from the debug information and the symbol
// tables of the loaded libraries. Slow, for printing; takes its own lock. Never uses the network.

struct tn_stack_symbol {
    uintptr_t address;    // as passed
    const char *function; // NULL if unknown
    const char *file;     // NULL if unknown
    int line;
    const char *object; // the loaded file, or NULL
    uintptr_t offset;   // of the address in that file's memory
    bool is_of_tarn;    // by tn_stack_walk(): the function is one of Tarn's
};

// The strings are valid during the call. Returns false to stop.
typedef bool (*tn_stack_symbol_visit)(void *context, const struct tn_stack_symbol *symbol);

// Calls `visit` for the place of a return address, at least once: first for the innermost inlined
// function, then for each function around it. Returns false if `visit` did.
bool tn_stack_symbol_walk(uintptr_t address, tn_stack_symbol_visit visit, void *context);

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
