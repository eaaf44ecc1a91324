// SPDX-License-Identifier: Apache-2.0
// See arguments.h.
#include "check/order/arguments.h"

static uint32_t used_places(const struct tn_check_arguments *arguments) {
    return arguments->count < TN_CHECK_ARGUMENTS ? arguments->count : TN_CHECK_ARGUMENTS;
}

void tn_check_arguments_add(struct tn_check_arguments *arguments, uint32_t space, uint64_t lo,
                            uint64_t hi, const struct tn_check_touch *touch) {
    uint32_t place = arguments->count++ % TN_CHECK_ARGUMENTS;
    arguments->ring[place].space = space;
    arguments->ring[place].lo = lo;
    arguments->ring[place].hi = hi;
    arguments->ring[place].touch = *touch;
}

void tn_check_arguments_visit(const struct tn_check_arguments *arguments, uint32_t space,
                              uint64_t lo, uint64_t hi, tn_check_shadow_visitor *visit, void *arg) {
    bool more = true;
    for (uint32_t i = 0; i < used_places(arguments) && more; i++) {
        uint64_t from = arguments->ring[i].lo;
        uint64_t to = arguments->ring[i].hi;
        bool inside = arguments->ring[i].space == space && from < to && lo <= from && to <= hi;
        more = !inside || visit(arg, &arguments->ring[i].touch, from, to, from);
    }
}

void tn_check_arguments_forget(struct tn_check_arguments *arguments, uint32_t space, uint64_t lo,
                               uint64_t hi) {
    for (uint32_t i = 0; i < used_places(arguments); i++)
        if (arguments->ring[i].space == space && arguments->ring[i].lo < hi &&
            lo < arguments->ring[i].hi)
            arguments->ring[i].lo = arguments->ring[i].hi;
}

static bool is_watched(const struct tn_check_touch *touch, uint32_t actor, uint64_t time) {
    return touch->kind == TN_CHECK_TOUCH_WATCHED && touch->moment.actor == actor &&
           touch->moment.time < time;
}

void tn_check_arguments_forget_watched(struct tn_check_arguments *arguments, uint32_t actor,
                                       uint64_t time) {
    for (uint32_t i = 0; i < used_places(arguments); i++)
        if (is_watched(&arguments->ring[i].touch, actor, time))
            arguments->ring[i].lo = arguments->ring[i].hi;
}

void tn_check_arguments_unwatch(struct tn_check_arguments *arguments, uint32_t actor, uint64_t time,
                                void (*visit)(void *arg, const struct tn_check_touch *touch,
                                              uint32_t space, uint64_t lo, uint64_t hi),
                                void *arg) {
    for (uint32_t i = 0; i < used_places(arguments); i++) {
        struct tn_check_touch *touch = &arguments->ring[i].touch;
        if (!is_watched(touch, actor, time)) continue;
        touch->kind = TN_CHECK_TOUCH_NONE;
        if (arguments->ring[i].lo < arguments->ring[i].hi)
            visit(arg, touch, arguments->ring[i].space, arguments->ring[i].lo,
                  arguments->ring[i].hi);
    }
}
