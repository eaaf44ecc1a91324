// SPDX-License-Identifier: Apache-2.0
// Checks of ranges for copies, under the index's read lock. Memory that the library does not know
// is ordinary host memory.
#include "core/address/range.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"
#include "core/address/map.h"

// CPU pointers of user processes lie below; the numbers of backends without bytes lie above.
static const tarn_addr HIGHEST_POINTER = (tarn_addr)1 << 57;

// Computes the bytes from the start of the first row to the end of the last. Returns false if they
// do not fit 64 bits.
static bool span_of_slice(const struct tn_box *box, uint64_t *span) {
    TARN_ASSERT(box->height != 0 && box->depth != 0); // a missing dimension is 1
    return !__builtin_mul_overflow(box->pitch, box->height - 1, span) &&
           !__builtin_add_overflow(*span, box->width, span);
}

static bool span_of(const struct tn_box *box, uint64_t *span) {
    uint64_t last;
    return span_of_slice(box, span) && !__builtin_mul_overflow(box->slice, box->depth - 1, &last) &&
           !__builtin_add_overflow(*span, last, span);
}

bool tn_box_is_sound(const struct tn_box *box) {
    uint64_t rows;
    return (box->height == 1 || box->pitch >= box->width) &&
           (box->depth == 1 || (span_of_slice(box, &rows) && box->slice >= rows));
}

// One check of a box.
struct check {
    const struct tn_box *box;
    uint64_t span;
    tarn_access need;
    const struct tn_accessors *accessors;
    const char *what;
    struct tn_range_refusal *refusal;
};

// `bad` is the first byte that may not be accessed.
static tarn_status fail_range(const struct check *check, enum tn_mem_refusal why, tarn_addr bad,
                              const char *text) {
    const struct tn_box *box = check->box;
    *check->refusal = (struct tn_range_refusal){why, box->addr, check->span, bad, 0};
    return tn_fail(TARN_BAD_ADDRESS, "%s [0x%llx, +0x%llx) %s", check->what,
                   (unsigned long long)box->addr, (unsigned long long)check->span, text);
}

// ---- mapped memory

static bool is_allowed(const struct tn_mapping *mapping, tarn_access need,
                       const struct tn_accessors *accessors) {
    for (int i = 0; i < 3; i++)
        if (tn_rights_allow(mapping->rights, accessors->devices[i], need)) return true;
    tarn_location owner = mapping->phys->info.location;
    return owner.type == TARN_LOCATION_DEVICE
               ? tn_rights_allow(mapping->rights, owner.id, need)
               : (tn_rights_get(mapping->rights, owner) & need) == (unsigned)need;
}

static tarn_status check_row(const struct tn_region *region, tarn_addr addr,
                             const struct check *check) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, addr);
    struct tn_range_refusal refusal = {TN_MEM_REFUSAL_UNMAPPED, addr, check->box->width, addr, 0};
    for (tarn_addr *from = &refusal.bad; *from < addr + refusal.bytes; *from = entry.end) {
        if (!tn_interval_step(&at, &entry) || entry.start > *from) {
            *check->refusal = refusal;
            return tn_fail(TARN_NOT_MAPPED, "%s: nothing is mapped at 0x%llx", check->what,
                           (unsigned long long)*from);
        }
        if (!is_allowed(tn_mapping_of(&entry), check->need, check->accessors)) {
            refusal.why = TN_MEM_REFUSAL_DENIED;
            refusal.rights = tn_mapping_of(&entry)->rights;
            *check->refusal = refusal;
            return tn_fail(TARN_NO_ACCESS, "%s: device %d may not %s 0x%llx", check->what,
                           check->accessors->devices[0],
                           check->need == TARN_ACCESS_READ ? "read" : "write",
                           (unsigned long long)*from);
        }
    }
    return TARN_OK;
}

// Returns the start of a row, counted through all slices.
static tarn_addr row_at(const struct tn_box *box, uint64_t row) {
    TARN_ASSERT(row < box->height * box->depth);
    return box->addr + row / box->height * box->slice + row % box->height * box->pitch;
}

static tarn_status check_space(struct tn_region *region, const struct check *check) {
    const struct tn_box *box = check->box;
    tarn_status status = TARN_OK;
    uint64_t rows = box->height * box->depth;
    TN_LOCKED(&region->lock);
    for (uint64_t row = 0; row < rows && status == TARN_OK; row++)
        status = check_row(region, row_at(box, row), check);
    return status;
}

// ---- any memory

// Returns true if the process can read the byte at addr, or if the kernel does not answer: the copy
// itself then detects the error.
static bool is_readable(tarn_addr addr) {
    char byte;
    struct iovec local = {&byte, 1};
    struct iovec remote = {(void *)(uintptr_t)addr, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
}

enum tn_range_history tn_range_classify(tarn_addr addr, tarn_addr end) {
    TARN_ASSERT(addr < end);
    if (!tn_index_was_region(addr, end)) return TN_RANGE_NEVER;
    bool reused = addr < HIGHEST_POINTER && is_readable(addr) && is_readable(end - 1);
    return reused ? TN_RANGE_REUSED : TN_RANGE_RETIRED;
}

// Writes whether the library must drop the history of a region that was there.
static tarn_status check_unknown(const struct tn_region *next, const struct check *check,
                                 bool *reused) {
    tarn_addr addr = check->box->addr;
    tarn_addr end = addr + check->span;
    if (end > HIGHEST_POINTER)
        return fail_range(check, TN_MEM_REFUSAL_RELEASED, addr, "is in no memory that is alive");
    if (next != NULL && next->base < end)
        return fail_range(check, TN_MEM_REFUSAL_UNSTATED, addr,
                          "begins before, and runs into, memory of the library");
    enum tn_range_history history = tn_range_classify(addr, end);
    *reused = history == TN_RANGE_REUSED;
    if (history == TN_RANGE_RETIRED)
        return fail_range(check, TN_MEM_REFUSAL_RELEASED, addr,
                          "is in memory of the library that has been released");
    return TARN_OK;
}

static tarn_status check_region(struct tn_region *region, const struct check *check) {
    tarn_addr end = region->base + region->bytes;
    TARN_ASSERT(check->box->addr - region->base < region->bytes); // the box begins in the region
    if (check->span > end - check->box->addr)
        return fail_range(check, TN_MEM_REFUSAL_PAST_END, end, "runs past the end of its memory");
    if (tn_region_is_host(region)) return TARN_OK; // CPU memory, pinned by any platform
    if (region->platform != check->accessors->platform)
        return fail_range(check, TN_MEM_REFUSAL_UNSTATED, check->box->addr,
                          "is of another platform than the device");
    // The owner of plain memory may read and write it.
    return region->kind == TN_REGION_SPACE ? check_space(region, check) : TARN_OK;
}

tarn_status tn_range_check(const struct tn_box *box, tarn_access need,
                           const struct tn_accessors *accessors, const char *what, bool *is_own,
                           struct tn_range_refusal *refusal) {
    struct check check = {box, 0, need, accessors, what, refusal};
    *is_own = false;
    if (!span_of(box, &check.span) || check.span > UINT64_MAX - box->addr) {
        *refusal = (struct tn_range_refusal){.why = TN_MEM_REFUSAL_UNSTATED};
        return tn_fail(TARN_BAD_ADDRESS, "%s at 0x%llx wraps the address space", what,
                       (unsigned long long)box->addr);
    }
    bool reused = false;
    struct tn_reader *reader = tn_index_peek();
    tarn_addr end = box->addr + check.span;
    if (end <= HIGHEST_POINTER && tn_index_peek_nothing(reader, box->addr, end)) {
        tn_index_peek_done(reader);
        return TARN_OK;
    }
    struct tn_region *region = tn_index_peek_next(reader, box->addr);
    bool unknown = region == NULL || region->base > box->addr;
    tarn_status status =
        unknown ? check_unknown(region, &check, &reused) : check_region(region, &check);
    *is_own = !unknown && region->platform == accessors->platform &&
              (region->kind == TN_REGION_SPACE || region->kind == TN_REGION_MEMORY);
    tn_index_peek_done(reader);
    if (reused) // the next copy there need not ask the kernel
        tn_index_forget(box->addr, end);
    return status;
}

bool tn_range_overlap(const struct tn_box *a, const struct tn_box *b) {
    uint64_t i = 0;
    uint64_t j = 0;
    uint64_t a_span = 0;
    uint64_t b_span = 0;
    (void)span_of(a, &a_span);
    (void)span_of(b, &b_span);
    TARN_ASSERT(tn_box_is_sound(a) && a_span <= UINT64_MAX - a->addr);
    TARN_ASSERT(tn_box_is_sound(b) && b_span <= UINT64_MAX - b->addr);
    if (a->addr + a_span <= b->addr || b->addr + b_span <= a->addr) return false;
    while (i < a->height * a->depth && j < b->height * b->depth) {
        tarn_addr p = row_at(a, i);
        tarn_addr q = row_at(b, j);
        if (p < q + b->width && q < p + a->width) return true;
        if (p < q)
            i++;
        else
            j++;
    }
    return false;
}
