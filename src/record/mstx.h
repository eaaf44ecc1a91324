// SPDX-License-Identifier: Apache-2.0
// The recorder's functions for MSTX programs without Tarn: they turn heaps, regions, marks and
// ranges into memory events. Any thread.
#ifndef TARN_RECORD_MSTX_H
#define TARN_RECORD_MSTX_H

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>

// A function that fills slot `id` of a module.
struct tn_record_mstx_slot {
    unsigned module;
    unsigned id;
    mstxFuncPointer function;
};

enum { TN_RECORD_MSTX_SLOTS = 13 };
extern const struct tn_record_mstx_slot tn_record_mstx_slots[TN_RECORD_MSTX_SLOTS];
#endif
