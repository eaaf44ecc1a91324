// SPDX-License-Identifier: Apache-2.0
// The blocks that kernels have as arguments, of the last launches. Part of check/order/order.c, which
// serialises every call.
#pragma once

#include "check/order/shadow.h"

enum { TN_CHECK_ARGUMENTS = 128 }; // an older argument is forgotten

// Zeroed is empty.
struct tn_check_arguments {
    struct {
        uint32_t space;
        uint64_t lo; // equal to hi if this place is unused
        uint64_t hi;
        struct tn_check_touch touch;
    } ring[TN_CHECK_ARGUMENTS];
    uint32_t count; // so far
};

void tn_check_arguments_add(struct tn_check_arguments *arguments, uint32_t space, uint64_t lo,
                            uint64_t hi, const struct tn_check_touch *touch);

// Calls visit() for every block that lies completely in [lo, hi), until it returns false.
void tn_check_arguments_visit(const struct tn_check_arguments *arguments, uint32_t space,
                              uint64_t lo, uint64_t hi, tn_check_shadow_visitor *visit, void *arg);

// Ends the watched arguments (TN_CHECK_TOUCH_WATCHED) that `actor` had before the time, because their work
// has run. If its accesses are known, they are forgotten. Otherwise they become arguments as those of
// other work are: visit() is called for each.
void tn_check_arguments_forget_watched(struct tn_check_arguments *arguments, uint32_t actor,
                                       uint64_t time);
void tn_check_arguments_unwatch(struct tn_check_arguments *arguments, uint32_t actor, uint64_t time,
                                void (*visit)(void *arg, const struct tn_check_touch *touch,
                                              uint32_t space, uint64_t lo, uint64_t hi),
                                void *arg);

// Forgets the blocks that overlap [lo, hi).
void tn_check_arguments_forget(struct tn_check_arguments *arguments, uint32_t space, uint64_t lo,
                               uint64_t hi);
