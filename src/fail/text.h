// SPDX-License-Identifier: Apache-2.0
// Text for the log of failures: lines, and the stack of the calling thread. A text belongs to one
// thread. Formatting allocates nothing, except the first stack of a process.
#pragma once

#include <tarn/base.h>

struct tn_fail_text {
    char text[8192]; // text that does not fit is cut off
    size_t used;
};

void tn_fail_text_add(struct tn_fail_text *text, const char *format, ...) TARN_PRINTF(2, 3);

// Adds one line for each frame of the thread: the function, if it has a public name, and the file
// with the offset that addr2line takes. Begins at the frame with the address `first`, such as the
// instruction that a signal interrupted, or at the caller if no frame has it.
void tn_fail_text_add_stack(struct tn_fail_text *text, uintptr_t first);
