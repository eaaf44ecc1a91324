// SPDX-License-Identifier: Apache-2.0
// Unwinding: the return addresses on the stack of the calling thread. Any thread may call; no lock,
// no malloc().
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TN_TRAIL_WORDS = 48 };

// The words of a stack that an unwinding depended on, innermost first: return addresses and saved
// frame pointers. While the caller's frame lies at the same place and the words are unchanged, the
// stack is the same.
struct tn_trail {
    uintptr_t frame; // the frame address of the caller
    unsigned count;  // 0 if the stack did not depend on such words alone
    struct {
        const uintptr_t *at;
        uintptr_t value;
    } words[TN_TRAIL_WORDS];
};

// Writes at most `room` addresses, that of the caller first. Returns the number of addresses.
// Stores the trail for the caller, whose frame address is trail->frame.
size_t tn_unwind(uintptr_t *frames, size_t room, struct tn_trail *trail);

// Writes the addresses of a thread that faulted, from its machine context (ucontext_t), which the
// caller's signal handler got. The first one is one byte behind the start of the faulting
// instruction, so that it belongs to that instruction as a return address belongs to its call.
size_t tn_unwind_fault(uintptr_t *frames, size_t room, const void *machine);

// Returns true if the stack of the caller, whose frame address is `frame`, is that of the trail.
// Reads no word beyond the stack: as long as the inner words are equal, the next one is on it.
bool tn_trail_holds(const struct tn_trail *trail, uintptr_t frame);

// ---- call frame information

// Reads call frame information from the exception tables: the layout of the frame at one
// instruction, if the stack pointer and the frame pointer suffice to describe it. It has no state;
// any thread may call.

#define TN_CFI_SAME INT64_MAX // the register is unchanged

struct tn_cfi_row {
    bool by_frame; // `end` is relative to the frame pointer, else to the stack pointer
    int64_t end;
    int64_t saved_frame;  // where the caller's frame pointer is saved, relative to the end
    int64_t saved_return; // where the return address is saved, relative to the end
    bool outermost;       // the function has no caller
};

// Finds the row for the call before a return address. Returns false if no table contains the
// address, or if a row cannot describe the frame.
bool tn_cfi_find(uintptr_t address, struct tn_cfi_row *row);
