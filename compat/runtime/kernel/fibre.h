// SPDX-License-Identifier: Apache-2.0
// Fibres: stacks of their own on one thread, which hand the processor to each other in user space.
// A fibre runs on the thread that made it current and never moves to another one while a function
// is on its stack. Sanitizers and Valgrind are told about the stacks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_RT_FIBRE_BYTES ((size_t)256 << 10) // of a stack, without the page that guards it

struct tn_rt_fibre {
    void *sp;                     // where it goes on
    unsigned char *stack;         // NULL for a fibre that represents a thread
    struct tn_rt_fibre *next;     // in the user's list
    struct tn_rt_fibre *sibling;  // in the user's list of all
    uint32_t user;                // the user's
    struct tn_rt_fibre *previous; // the one that switched to it
    void *fake_stack;             // ASan's
    const void *bottom;           // of the stack, as ASan needs it
    size_t bytes;
    void *tsan; // TSan's fibre
};

// Initialises `fibre` as the one that represents the calling thread.
void tn_rt_fibre_of_thread(struct tn_rt_fibre *fibre);

// Adds fibres to the list *idle, which call entry(arg) when they are first switched to. It must not
// return, and begins with tn_rt_fibre_begin(). Returns false without memory.
bool tn_rt_fibres_create(struct tn_rt_fibre **idle, void (*entry)(struct tn_rt_fibre *, void *),
                         void *arg);

// The same for a fibre whose function was left: what is on its stack is forgotten.
void tn_rt_fibre_restart(struct tn_rt_fibre *fibre, void (*entry)(struct tn_rt_fibre *, void *),
                         void *arg);

void tn_rt_fibre_begin(struct tn_rt_fibre *fibre);

// Saves the stack pointer in *save and goes on at `to`.
void tn_rt_fibre_swap(void **save, void *to);

// The same, and tells sanitizers, of which the process has one.
void tn_rt_fibre_watched_swap(struct tn_rt_fibre *from, struct tn_rt_fibre *to, bool leaves);
extern bool tn_rt_fibre_watched;

// Goes on in `to`, until another fibre switches to `from`. With `leaves` that never happens: the
// function on the stack of `from` is left, and `from` has to be restarted.
static inline void tn_rt_fibre_switch(struct tn_rt_fibre *from, struct tn_rt_fibre *to,
                                      bool leaves) {
    if (__builtin_expect(tn_rt_fibre_watched, 0))
        tn_rt_fibre_watched_swap(from, to, leaves);
    else
        tn_rt_fibre_swap(&from->sp, to->sp);
}

// For a signal handler: makes the interrupted thread go on in `to` when the handler returns. The
// function that it ran is left. `context` is the handler's third argument. Not with a sanitizer.
void tn_rt_fibre_divert(const struct tn_rt_fibre *to, void *context);

// For a signal handler: returns the address of the interrupted instruction.
uintptr_t tn_rt_fibre_interrupted(const void *context);

// Lets ASan report accesses of the last `size` - `used` bytes of a memory.
void tn_rt_fibre_bound(void *memory, size_t used, size_t size);

// Returns true if the address is in the page that guards the stack.
bool tn_rt_fibre_guards(const struct tn_rt_fibre *fibre, uintptr_t address);
