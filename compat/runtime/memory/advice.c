// SPDX-License-Identifier: Apache-2.0
// See advice.h. The pieces of a block follow one another and cover it; adjacent pieces differ.
#include "compat/runtime/memory/advice.h"

#include <stdlib.h>

#define PAGE ((size_t)4096)

struct piece {
    size_t end;
    struct tn_rt_usage usage;
};

struct tn_rt_advice {
    size_t count;
    struct piece pieces[];
};

static const struct tn_rt_usage no_usage = {.preferred = TN_RT_LOCATION_NONE,
                                            .prefetched = TN_RT_LOCATION_NONE};

static bool usage_equals(const struct tn_rt_usage *a, const struct tn_rt_usage *b) {
    return a->read_mostly == b->read_mostly && a->coarse == b->coarse &&
           a->preferred == b->preferred && a->prefetched == b->prefetched &&
           a->accessed == b->accessed;
}

static void append_piece(struct tn_rt_advice *advice, size_t end, const struct tn_rt_usage *usage) {
    struct piece *last = advice->count > 0 ? &advice->pieces[advice->count - 1] : NULL;
    if (end <= (last != NULL ? last->end : 0)) return;
    if (last != NULL && usage_equals(&last->usage, usage))
        last->end = end;
    else
        advice->pieces[advice->count++] = (struct piece){end, *usage};
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

tn_rt_error tn_rt_advice_apply(struct tn_rt_advice **advice_of_block, size_t bytes,
                               struct tn_rt_range range,
                               void (*edit)(struct tn_rt_usage *usage, const void *arg),
                               const void *arg) {
    const struct piece all = {bytes, no_usage};
    const struct tn_rt_advice *old = *advice_of_block;
    const struct piece *from = old != NULL ? old->pieces : &all;
    size_t count = old != NULL ? old->count : 1;
    struct tn_rt_advice *advice =
        (struct tn_rt_advice *)malloc(sizeof *advice + (count + 2) * sizeof(struct piece));
    TN_RT_REFUSE(advice == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for advice");
    range.first -= range.first % PAGE;
    range.end = min_size((range.end + PAGE - 1) / PAGE * PAGE, bytes);
    advice->count = 0;
    for (size_t i = 0, begin = 0; i < count; begin = from[i++].end) {
        struct tn_rt_usage edited = from[i].usage;
        edit(&edited, arg);
        append_piece(advice, min_size(from[i].end, range.first), &from[i].usage);
        if (begin < range.end && from[i].end > range.first)
            append_piece(advice, min_size(from[i].end, range.end), &edited);
        append_piece(advice, from[i].end, &from[i].usage);
    }
    free(*advice_of_block);
    *advice_of_block = advice;
    return TN_RT_OK;
}

static void narrow_usage(struct tn_rt_usage *to, const struct tn_rt_usage *usage) {
    to->read_mostly = to->read_mostly && usage->read_mostly;
    to->accessed &= usage->accessed;
    to->preferred = to->preferred == usage->preferred ? to->preferred : TN_RT_LOCATION_NONE;
    to->prefetched = to->prefetched == usage->prefetched ? to->prefetched : TN_RT_LOCATION_NONE;
}

static enum tn_rt_coherency coherency_of(const struct tn_rt_usage *usage) {
    return usage->coarse ? TN_RT_COHERENCY_COARSE : TN_RT_COHERENCY_FINE;
}

struct tn_rt_usage tn_rt_advice_query(const struct tn_rt_advice *advice, struct tn_rt_range range,
                                      enum tn_rt_coherency *coherency) {
    struct tn_rt_usage all = no_usage;
    *coherency = TN_RT_COHERENCY_FINE;
    for (size_t i = 0, begin = 0, seen = 0; advice != NULL && i < advice->count;
         begin = advice->pieces[i++].end) {
        const struct piece *piece = &advice->pieces[i];
        if (begin >= range.end || piece->end <= range.first) continue;
        if (seen++ == 0) {
            all = piece->usage;
            *coherency = coherency_of(&piece->usage);
        } else {
            narrow_usage(&all, &piece->usage);
            *coherency =
                *coherency == coherency_of(&piece->usage) ? *coherency : TN_RT_COHERENCY_MIXED;
        }
    }
    return all;
}
