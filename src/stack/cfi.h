// SPDX-License-Identifier: Apache-2.0
// Reads call frame information from the exception tables: the layout of the frame at one
// instruction, if the stack pointer and the frame pointer suffice to describe it. It has no state;
// any thread may call.
#ifndef TARN_STACK_CFI_H
#define TARN_STACK_CFI_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
