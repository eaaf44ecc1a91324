// SPDX-License-Identifier: Apache-2.0
// Walks a range mapping by mapping. The static functions need the platform's lock. See reach.h.
#include "backend/sim/reach.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "backend/sim/rights.h"

TARN_PRINTF(3, 4)
static bool fail_violation(struct tn_sim_violation *violation, tarn_status status,
                           const char *format, ...) {
    va_list args;
    va_start(args, format);
    violation->status = status;
    (void)vsnprintf(violation->text, sizeof violation->text, format, args);
    va_end(args);
    return false;
}

static bool fail_hole(const struct tn_sim *sim, tarn_addr addr,
                      struct tn_sim_violation *violation) {
    struct tn_interval_entry e;
    if (tn_interval_find(&sim->space, addr, &e))
        return fail_violation(violation, TARN_NOT_MAPPED,
                              "nothing is mapped at 0x%llx, %llu bytes into 0x%llx",
                              (unsigned long long)addr, (unsigned long long)(addr - e.start),
                              (unsigned long long)e.start);
    return fail_violation(violation, TARN_NOT_MAPPED,
                          "0x%" PRIx64 " is in no reservation and in no device memory", addr);
}

static bool may_use(const struct tn_sim_mapping *mapping, tarn_access need, const int devices[3]) {
    if (tn_sim_rights_allow(mapping->rights, mapping->of.phys->memory->info.location, need))
        return true;
    for (int i = 0; i < 3; i++) {
        tarn_location location = {TARN_LOCATION_DEVICE, devices[i]};
        if (devices[i] >= 0 && tn_sim_rights_allow(mapping->rights, location, need)) return true;
    }
    return false;
}

// Returns the number of bytes from `addr` to the end of its mapping or block, or 0 if refused.
static uint64_t piece_at(const struct tn_sim *sim, tarn_addr addr, tarn_access need,
                         const int devices[3], struct tn_sim_violation *violation) {
    struct tn_interval_entry e;
    if (tn_interval_find(&sim->maps, addr, &e)) {
        const struct tn_sim_mapping *mapping = tn_slots_to_pointer(e.value);
        if (may_use(mapping, need, devices)) return e.end - addr;
        (void)fail_violation(violation, TARN_NO_ACCESS,
                             "device %d may not %s 0x%llx in the mapping at 0x%llx", devices[0],
                             need == TARN_ACCESS_READ ? "read" : "write", (unsigned long long)addr,
                             (unsigned long long)e.start);
        return 0;
    }
    if (tn_interval_find(&sim->space, addr, &e)) {
        const struct tn_sim_range *range = tn_slots_to_pointer(e.value);
        // The owner of plain memory always has rights.
        if (range->is_block && addr - e.start < range->bytes)
            return range->bytes - (addr - e.start);
    }
    (void)fail_hole(sim, addr, violation);
    return 0;
}

static bool reach_range(const struct tn_sim *sim, tarn_addr addr, uint64_t size, tarn_access need,
                        const int devices[3], struct tn_sim_violation *violation) {
    if (size > UINT64_MAX - addr)
        return fail_violation(violation, TARN_BAD_ADDRESS,
                              "0x%llx + 0x%llx exceeds the address space", (unsigned long long)addr,
                              (unsigned long long)size);
    if (!tn_sim_is_number(addr)) return true;
    while (size > 0) {
        if (!tn_sim_owns(sim, addr))
            return fail_violation(violation, TARN_BAD_ADDRESS,
                                  "0x%" PRIx64 " is not an address of this platform", addr);
        uint64_t piece = piece_at(sim, addr, need, devices, violation);
        if (piece == 0) return false;
        piece = piece < size ? piece : size;
        addr += piece;
        size -= piece;
    }
    return true;
}

// Computes the bytes from the start of the first row to the end of the last. Returns false if they
// exceed 64 bits.
static bool span_of(const struct tn_sim_box *box, uint64_t *span) {
    uint64_t slices;
    return !__builtin_mul_overflow(box->pitch, box->height - 1, span) &&
           !__builtin_add_overflow(*span, box->width, span) &&
           !__builtin_mul_overflow(box->slice, box->depth - 1, &slices) &&
           !__builtin_add_overflow(*span, slices, span);
}

static bool reach_box(const struct tn_sim *sim, const struct tn_sim_box *box, tarn_access need,
                      const int devices[3], struct tn_sim_violation *violation) {
    uint64_t span;
    if (!span_of(box, &span))
        return fail_violation(violation, TARN_BAD_ADDRESS,
                              "%" PRIu64 " x %" PRIu64 " rows of pitch 0x%" PRIx64
                              " and slice 0x%" PRIx64 " exceed the address space",
                              box->depth, box->height, box->pitch, box->slice);
    // Usually the gaps between the rows are usable too.
    if (reach_range(sim, box->addr, span, need, devices, violation)) return true;
    for (uint64_t i = 0; i < box->depth; i++) {
        for (uint64_t j = 0; j < box->height; j++)
            if (!reach_range(sim, box->addr + i * box->slice + j * box->pitch, box->width, need,
                             devices, violation))
                return false;
    }
    return true;
}

bool tn_sim_reach(struct tn_sim *sim, const struct tn_sim_box *box, tarn_access need,
                  const int devices[3], struct tn_sim_violation *violation) {
    TN_LOCKED(&sim->lock);
    return reach_box(sim, box, need, devices, violation);
}
