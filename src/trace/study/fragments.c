// SPDX-License-Identifier: Apache-2.0
// Divides the reserved bytes of a moment; see fragments.h. One walk over blocks and segments.
#include "trace/study/fragments.h"

#include <stdlib.h>

#include "base/error.h"

static void add_hole(struct tn_segment_use *use, uint64_t bytes) {
    use->free += bytes;
    use->holes += bytes > 0;
    use->largest = bytes > use->largest ? bytes : use->largest;
}

// Measures a segment and returns the first block behind it. Blocks before it are in no segment.
static size_t measure_segment(const struct tn_moment *moment, size_t next,
                              struct tn_segment_use *use) {
    const struct tn_trace_segment *segment = &moment->segments[use->segment];
    uint64_t at = segment->address, end = segment->address + segment->bytes;
    for (; next < moment->block_count; next++) {
        const struct tn_block *block = &moment->trace->blocks[moment->blocks[next]];
        uint64_t bytes = tn_block_occupied(moment->trace, block);
        if (block->id >= end) break;
        if (block->id < at) continue;
        bytes = bytes < end - block->id ? bytes : end - block->id;
        if (use->blocks++ == 0) use->first = (uint32_t)next;
        add_hole(use, block->id - at);
        at = block->id + bytes;
    }
    add_hole(use, end - at);
    return next;
}

// Adds the free bytes of a segment. Those of a private segment are apart, because requests of the
// ordinary pools cannot use them.
static void add_segment(struct tn_fragments *sums, const struct tn_segment_use *use,
                        bool is_private) {
    if (is_private) {
        sums->private_free += use->free;
        return;
    }
    if (use->blocks > 0) {
        sums->holes += use->free;
        sums->hole_count += use->holes;
    } else {
        sums->empty += use->free;
    }
    sums->largest = use->largest > sums->largest ? use->largest : sums->largest;
}

tarn_status tn_fragments_make(const struct tn_moment *moment, struct tn_fragments *fragments) {
    struct tn_fragments made = {.rounding = moment->occupied - moment->live};
    size_t next = 0;
    made.uses = (struct tn_segment_use *)calloc(moment->segment_count + 1, sizeof *made.uses);
    TN_REFUSE(made.uses == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the use of %zu segments", moment->segment_count);
    for (size_t i = 0; i < moment->segment_count; i++) {
        struct tn_segment_use *use = &made.uses[made.count++];
        use->segment = (uint32_t)i;
        next = measure_segment(moment, next, use);
        add_segment(&made, use, moment->segments[i].is_private);
    }
    *fragments = made;
    return TARN_OK;
}

void tn_fragments_release(struct tn_fragments *fragments) {
    free(fragments->uses);
    *fragments = (struct tn_fragments){0};
}

size_t tn_fragments_pinned(const struct tn_fragments *fragments, uint32_t *pinned, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < fragments->count; i++) {
        const struct tn_segment_use *use = &fragments->uses[i];
        size_t at = count;
        if (use->blocks == 0 || use->free == 0) continue;
        while (at > 0 && fragments->uses[pinned[at - 1]].free < use->free) at--;
        if (at == room) continue;
        count += count < room;
        for (size_t k = count - 1; k > at; k--) pinned[k] = pinned[k - 1];
        pinned[at] = (uint32_t)i;
    }
    return count;
}
