// SPDX-License-Identifier: Apache-2.0
// Stacks: taken quickly, kept once each, given names only when somebody reads them. The depot only
// grows; an id stays good for ever. Any thread; taking one never calls malloc of the program under
// test and takes no lock at all.
#ifndef TARN_CHECK_STACK_H
#define TARN_CHECK_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "check/symbol.h"

// 0: none was taken (the option stack_depth is 0, or the depot is full).
typedef uint32_t tn_check_stack_id;

// That of the caller's caller, without frames of the checker itself.
tn_check_stack_id tn_check_stack_capture(void);

// Its addresses, innermost first; valid for ever. Return addresses: the call is just before each.
const uintptr_t *tn_check_stack_frames(tn_check_stack_id id, size_t *count);

// Calls `visit` for each place of the stack, innermost first, those of inlined functions as well,
// without what lies between the entry of Tarn that the program called and the checker. Stops when
// `visit` says false. For printing: slow, and takes a lock of its own.
void tn_check_stack_walk(tn_check_stack_id id, tn_check_symbol_visit visit, void *context);

// One line of text, as "0x401234 main demo.c:17": function, file and line where they are known.
void tn_check_stack_describe(uintptr_t frame, char *text, size_t bytes);

// What the kernel calls the calling thread, without asking it each time.
uint32_t tn_check_stack_thread(void);

#endif
