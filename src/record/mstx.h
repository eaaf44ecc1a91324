// SPDX-License-Identifier: Apache-2.0
// The recorder's functions for MSTX programs without Tarn: they turn heaps, regions, marks and
// ranges into memory events. Any thread.
#pragma once

#include "annotate/slots.h"

enum { TN_RECORD_MSTX_SLOTS = 13 };
extern const struct tn_mstx_slot tn_record_mstx_slots[TN_RECORD_MSTX_SLOTS];
