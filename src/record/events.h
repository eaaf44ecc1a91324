// SPDX-License-Identifier: Apache-2.0
// Records the events of programs that contain Tarn, and those of others that mstx.c turns into such
// events. Any thread.
#pragma once

#include "annotate/mem_event.h"

// A device that is not known: that of the memory around the address, or else the first.
enum { TN_RECORD_ANY_DEVICE = -2 };

// Events that a recording does not have, such as accesses, are ignored.
void tn_record_receive(const struct tn_mem_event *event);

// Records the beginning of a phase. The text is a number (record/texts.h); others are ignored.
void tn_record_phase_begin(uint32_t text);

// Records the beginning of a phase that ends by its number. Returns that number, which has the text in
// the upper half, and records the end of the phase of a number.
uint64_t tn_record_range_begin(uint32_t text);
void tn_record_range_end(uint64_t range);
