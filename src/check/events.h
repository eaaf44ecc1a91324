// SPDX-License-Identifier: Apache-2.0
// Applies memory events of programs that contain Tarn to the model and to the rules about order and
// resources. Any thread may call.
#ifndef TARN_CHECK_EVENTS_H
#define TARN_CHECK_EVENTS_H

#include "annotate/mem_event.h"

void tn_check_event_receive(const struct tn_mem_event *event);

// The beginning and the end of memory that a client declares by hand.
void tn_check_event_memory_begin(uint64_t address, uint64_t bytes);
void tn_check_event_memory_end(uint64_t address);

#endif
