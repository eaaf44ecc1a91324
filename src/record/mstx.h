// SPDX-License-Identifier: Apache-2.0
// The recorder's functions for MSTX programs without Tarn: they turn heaps, regions, marks and
// ranges into memory events. Any thread.
#ifndef TARN_RECORD_MSTX_H
#define TARN_RECORD_MSTX_H

// A function that fills slot `id` of a module.
struct tn_record_mstx_slot {
    unsigned module; // MSTX's module number
    unsigned id;
    void (*function)(void); // of the type of the slot
};

enum { TN_RECORD_MSTX_SLOTS = 13 };
extern const struct tn_record_mstx_slot tn_record_mstx_slots[TN_RECORD_MSTX_SLOTS];
#endif
