// SPDX-License-Identifier: Apache-2.0
// The entry and the exit of the checker, and the functions that the entry gives to programs. Any thread
// may call them.
#pragma once

#include "annotate/slots.h"

// Ends the checker, once: reports leaks and prints the summary. Returns the exit code that the program
// must have, or 0.
int tn_check_finish(void);

// ---- complete events

// Applies memory events of programs that contain Tarn to the model and to the rules about order and
// resources.

void tn_check_event_receive(const struct tn_mem_event *event);

// The beginning and the end of memory that a client declares by hand.
void tn_check_event_memory_begin(uint64_t address, uint64_t bytes);
void tn_check_event_memory_end(uint64_t address);

// ---- MSTX's functions

// The functions that the checker stores in the slots of MSTX clients. They check their arguments
// and update the model. Any thread may call them.

enum { TN_CHECK_MSTX_SLOTS = 14 };

extern const struct tn_mstx_slot tn_check_mstx_slots[TN_CHECK_MSTX_SLOTS];
