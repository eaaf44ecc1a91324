// SPDX-License-Identifier: Apache-2.0
// Call frame information: the layout of the frame at one instruction, from the exception tables, if
// the stack pointer and the frame pointer suffice to describe it. No state; any thread may call.
#ifndef TARN_CHECK_CFI_H
#define TARN_CHECK_CFI_H

#include <stdbool.h>
#include <stdint.h>

#define TN_CHECK_CFI_SAME INT64_MAX // the register is unchanged

struct tn_check_cfi_row {
    bool by_frame; // the frame ends at this register plus `end`, else at the stack pointer plus it
    int64_t end;
    int64_t saved_frame;  // the place of the caller's frame pointer, relative to the end
    int64_t saved_return; // the place of the return address, relative to the end
    bool outermost;       // the function has no caller
};

// Finds the row for the call before a return address. Returns false if no table contains the
// address, or if a row cannot describe the frame.
bool tn_check_cfi_find(uintptr_t address, struct tn_check_cfi_row *row);

#endif
