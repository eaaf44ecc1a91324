// SPDX-License-Identifier: Apache-2.0
// Races of two accesses as reports. The callers own all state. Reports are made without the lock of
// check/order/order.c.
#pragma once

#include "annotate/mem_event.h"
#include "check/order/shadow.h"
#include "check/order/titles.h"
#include "check/report/report.h"

// A race: the new access, and an old one that is not ordered before it.
struct tn_check_unordered {
    bool any;
    enum tn_check_kind kind;
    uint64_t lo;
    uint64_t hi;
    uint64_t was; // the address by which the old access used the first byte
    struct tn_check_touch old;
    struct tn_check_touch now;
};

// Races of instructions of the host that were reported: a loop has many. Zeroed is empty.
struct tn_check_repeats {
    struct {
        uint64_t instruction;      // its return address
        struct tn_check_moment of; // of the other access
    } last[64];
};

// Returns true if the race of the instruction was reported, unless others pushed it out, and keeps it.
bool tn_check_unordered_repeats(struct tn_check_repeats *repeats, uint64_t instruction,
                                const struct tn_check_unordered *finding);

// Reports a race that an event has. The titles are those of the streams of the new access and of the old
// one.
void tn_check_unordered_report(const struct tn_check_unordered *finding,
                               const struct tn_mem_event *event, const struct tn_check_title *here,
                               const struct tn_check_title *there);
