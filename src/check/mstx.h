// SPDX-License-Identifier: Apache-2.0
// What MSTX's clients call when the checker has taken their slots: 14 functions that check their
// arguments (section 3 of the specification) and tell the model. Any thread.
#ifndef TARN_CHECK_MSTX_H
#define TARN_CHECK_MSTX_H

struct tn_check_mstx_slot {
    unsigned module; // as MSTX counts them
    unsigned id;
    void (*function)(void); // of the type that the slot has
};

enum { TN_CHECK_MSTX_SLOTS = 14 };

extern const struct tn_check_mstx_slot tn_check_mstx_slots[TN_CHECK_MSTX_SLOTS];

#endif
