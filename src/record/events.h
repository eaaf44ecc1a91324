// SPDX-License-Identifier: Apache-2.0
// Records the events of programs that contain Tarn, and those of others that mstx.c turns into such
// events. Any thread.
#ifndef TARN_RECORD_EVENTS_H
#define TARN_RECORD_EVENTS_H

#include "annotate/mem_event.h"

// A device that is not known: that of the memory around the address, or else the first.
enum { TN_RECORD_ANY_DEVICE = -2 };

// Events that a recording does not have, such as accesses, are ignored.
void tn_record_receive(const struct tn_mem_event *event);

// Records the end of the phase whose name has this number (record/texts.h).
void tn_record_phase_end(uint32_t text);

#endif
