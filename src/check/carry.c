// SPDX-License-Identifier: Apache-2.0
// Carried bytes. The source is judged when the copy is submitted. Work before it in its stream may still
// write there, so that nothing but a seal proves that bytes of sealed memory are unwritten: the seal
// that came with them is looked at when the bytes are read.
#include "check/carry.h"

#include <stdlib.h>

#include "check/options.h"
#include "check/unwritten.h"

enum { ROWS_MAX = 1024 }; // rows of larger boxes count as written

static bool is_inside(const struct tn_check_carried_bytes *bytes, uint64_t lo, uint64_t hi) {
    return lo <= bytes->lo && bytes->hi <= hi;
}

// Forgets what earlier copies brought to bytes that are overwritten now.
static void forget_inside(struct tn_check_carried *carried, uint64_t lo, uint64_t hi) {
    unsigned kept = 0;
    for (unsigned i = 0; carried != NULL && i < carried->count; i++)
        if (!is_inside(&carried->bytes[i], lo, hi)) carried->bytes[kept++] = carried->bytes[i];
    if (carried != NULL) carried->count = kept;
}

static void remember(struct tn_check_region *region, const struct tn_check_carried_bytes *bytes) {
    struct tn_check_carried *carried = region->written.carried;
    if (carried == NULL)
        carried = region->written.carried = tn_check_allocate(sizeof *region->written.carried);
    if (carried->count == TN_CHECK_CARRIED) {
        for (unsigned i = 1; i < TN_CHECK_CARRIED; i++) carried->bytes[i - 1] = carried->bytes[i];
        carried->count--;
    }
    carried->bytes[carried->count++] = *bytes;
}

// A row of the copy: `bytes` bytes, from one region to another.
struct row {
    struct tn_check_region *to;
    struct tn_check_region *from;
    uint64_t dst;
    uint64_t src;
    uint64_t bytes;
};

// Marks the unwritten bytes of the source in [lo, hi) as unwritten in the destination, and remembers
// where they come from.
static void carry_part(const struct tn_check_call *call, const struct row *row, uint64_t lo,
                       uint64_t hi, const struct tn_check_seal *seal) {
    const struct tn_check_carried_bytes *origin = tn_check_carried_at(row->from, lo);
    uint64_t first = lo;
    struct tn_check_carried_bytes bytes = {
        .lo = lo - row->src + row->dst,
        .hi = hi - row->src + row->dst,
        .serial = origin != NULL ? origin->serial : row->from->serial,
        .allocated = origin != NULL ? origin->allocated : row->from->begun,
        .copied = call->by,
    };
    if (seal != NULL) {
        bytes.seal = (struct tn_check_run){seal->place.lo - row->src + row->dst,
                                           seal->place.hi - row->src + row->dst};
        bytes.seal_from = (uint8_t)seal->from;
    }
    while (!tn_check_written_covers(&row->from->written, lo, hi, &first, NULL)) {
        lo = tn_check_written_gap_end(&row->from->written, first, hi);
        tn_check_written_remove(&row->to->written, first - row->src + row->dst,
                                lo - row->src + row->dst);
    }
    remember(row->to, &bytes);
}

static void carry_row(const struct tn_check_call *call, const struct row *row) {
    struct tn_check_seal seal[TN_CHECK_SEALS];
    bool changed = false;
    uint64_t hi = row->src + row->bytes;
    forget_inside(row->to->written.carried, row->dst, row->dst + row->bytes);
    if (tn_check_written_covers(&row->from->written, row->src, hi, NULL, NULL)) return;
    if (row->from->seen && row->to->seen) {
        carry_part(call, row, row->src, hi, NULL);
        return;
    }
    if (row->from->seen || row->to->seen) return;
    unsigned count = tn_check_seals_intact(row->from, row->src, hi, seal, &changed);
    for (unsigned i = 0; i < count; i++) // if one seal has changed, only the others are certain
        carry_part(call, row, changed ? seal[i].place.lo : row->src,
                   changed ? seal[i].place.hi : hi, &seal[i]);
}

static bool is_within(const struct tn_check_region *region, uint64_t lo, uint64_t bytes) {
    return region->lo <= lo && lo <= region->hi && bytes <= region->hi - lo;
}

void tn_check_carry(const struct tn_check_call *call, const struct tn_check_access *to,
                    const struct tn_check_access *from) {
    if (!tn_check_model.options->uninitialised || to->bytes == 0 ||
        to->height * to->depth > ROWS_MAX)
        return;
    struct tn_check_region *source = tn_check_region_around(from->space, from->device, from->lo);
    struct tn_check_region *target = tn_check_region_around(to->space, to->device, to->lo);
    for (uint64_t z = 0; source != NULL && target != NULL && z < to->depth; z++) {
        for (uint64_t y = 0; y < to->height; y++) {
            const struct row row = {target, source, to->lo + z * to->slice_pitch + y * to->pitch,
                                    from->lo + z * from->slice_pitch + y * from->pitch, to->bytes};
            if (is_within(target, row.dst, row.bytes) && is_within(source, row.src, row.bytes))
                carry_row(call, &row);
        }
    }
}
