// SPDX-License-Identifier: Apache-2.0
// Call frame information: what the tables for exceptions say of the frame at one instruction, as
// far as it can be said by the stack pointer and the frame pointer alone. Pure; any thread.
#ifndef TARN_CHECK_CFI_H
#define TARN_CHECK_CFI_H

#include <stdbool.h>
#include <stdint.h>

#define TN_CHECK_CFI_SAME INT64_MAX // the register is unchanged

struct tn_check_cfi_row {
    bool by_frame; // the frame ends at this register plus `end`, else at the stack pointer plus it
    int64_t end;
    int64_t saved_frame;  // where the caller's frame pointer is, relative to the end
    int64_t saved_return; // the same of the return address
    bool outermost;       // nobody called
};

// The row for the call before a return address. False: no table knows it, or it cannot be said so.
bool tn_check_cfi_find(uintptr_t address, struct tn_check_cfi_row *row);

#endif
