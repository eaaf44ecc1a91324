// SPDX-License-Identifier: Apache-2.0
// Notes of programs that carry Tarn, given to the model and to the rules about order and
// resources. Any thread.
#ifndef TARN_CHECK_NOTES_H
#define TARN_CHECK_NOTES_H

#include "annotate/mem_event.h"

void tn_notes_take(const struct tn_mem_event *note);

// Memory that a client declares by hand, and takes back.
void tn_notes_memory(uint64_t address, uint64_t bytes);
void tn_notes_memory_gone(uint64_t address);

#endif
