// SPDX-License-Identifier: Apache-2.0
// See advice.h. The stretches of a block lie one behind the other and cover it; neighbours differ.
#include "compat/hip/advice.h"

#include <hip/detail/device.h>

#include <stdlib.h>

#define PAGE ((size_t)4096)

struct piece {
    size_t end;
    struct tn_hip_said said;
};

struct tn_hip_advice {
    size_t count;
    struct piece pieces[];
};

static const struct tn_hip_said nothing = {.preferred = hipInvalidDeviceId,
                                           .prefetched = hipInvalidDeviceId};

static bool same(const struct tn_hip_said *a, const struct tn_hip_said *b) {
    return a->read_mostly == b->read_mostly && a->coarse == b->coarse &&
           a->preferred == b->preferred && a->prefetched == b->prefetched &&
           a->accessed == b->accessed;
}

static void append(struct tn_hip_advice *advice, size_t end, const struct tn_hip_said *said) {
    struct piece *last = advice->count > 0 ? &advice->pieces[advice->count - 1] : NULL;
    if (end <= (last != NULL ? last->end : 0)) {
        return;
    }
    if (last != NULL && same(&last->said, said)) {
        last->end = end;
    } else {
        advice->pieces[advice->count++] = (struct piece){end, *said};
    }
}

static struct tn_hip_stretch whole_pages(const struct tn_hip_block *block,
                                         struct tn_hip_stretch stretch) {
    stretch.first -= stretch.first % PAGE;
    size_t missing = (PAGE - stretch.end % PAGE) % PAGE;
    stretch.end = block->bytes - stretch.end > missing ? stretch.end + missing : block->bytes;
    return stretch;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

hipError_t tn_hip_advice_apply(struct tn_hip_block *block, struct tn_hip_stretch stretch,
                               void (*edit)(struct tn_hip_said *said, int device), int device) {
    const struct piece all = {block->bytes, nothing};
    const struct tn_hip_advice *old = block->advice;
    const struct piece *from = old != NULL ? old->pieces : &all;
    size_t count = old != NULL ? old->count : 1;
    struct tn_hip_advice *advice =
        (struct tn_hip_advice *)malloc(sizeof *advice + (count + 2) * sizeof(struct piece));
    if (advice == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for advice");
    }
    stretch = whole_pages(block, stretch);
    advice->count = 0;
    for (size_t i = 0, begin = 0; i < count; begin = from[i++].end) {
        struct tn_hip_said edited = from[i].said;
        edit(&edited, device);
        append(advice, least(from[i].end, stretch.first), &from[i].said);
        if (begin < stretch.end && from[i].end > stretch.first) {
            append(advice, least(from[i].end, stretch.end), &edited);
        }
        append(advice, from[i].end, &from[i].said);
    }
    free(block->advice);
    block->advice = advice;
    return hipSuccess;
}

static void narrow(struct tn_hip_said *to, const struct tn_hip_said *said) {
    to->read_mostly = to->read_mostly && said->read_mostly;
    to->accessed &= said->accessed;
    to->preferred = to->preferred == said->preferred ? to->preferred : hipInvalidDeviceId;
    to->prefetched = to->prefetched == said->prefetched ? to->prefetched : hipInvalidDeviceId;
}

static hipMemRangeCoherencyMode mode_of(const struct tn_hip_said *said) {
    return said->coarse ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
}

struct tn_hip_said tn_hip_advice_query(const struct tn_hip_block *block,
                                       struct tn_hip_stretch stretch,
                                       hipMemRangeCoherencyMode *coherency) {
    const struct tn_hip_advice *advice = block->advice;
    struct tn_hip_said all = nothing;
    *coherency = hipMemRangeCoherencyModeFineGrain;
    for (size_t i = 0, begin = 0, seen = 0; advice != NULL && i < advice->count;
         begin = advice->pieces[i++].end) {
        const struct piece *piece = &advice->pieces[i];
        if (begin >= stretch.end || piece->end <= stretch.first) {
            continue;
        }
        if (seen++ == 0) {
            all = piece->said;
            *coherency = mode_of(&piece->said);
        } else {
            narrow(&all, &piece->said);
            *coherency = *coherency == mode_of(&piece->said)
                             ? *coherency
                             : hipMemRangeCoherencyModeIndeterminate;
        }
    }
    return all;
}
