// SPDX-License-Identifier: Apache-2.0
// Checking ranges for copies, under the index's read lock. What the library does not know is
// ordinary host memory.
#include "core/range.h"

#include "base/error.h"
#include "core/map.h"

// No CPU pointer of a user process lies higher on the machines this library runs on; the numbers of
// backends without bytes do.
static const tarn_addr HIGHEST_POINTER = (tarn_addr)1 << 57;

static uint64_t span_of(const struct tn_rows *rows) {
    return rows->pitch * (rows->height - 1) + rows->width;
}

static bool span_fits(const struct tn_rows *rows) {
    uint64_t most = UINT64_MAX - rows->addr;
    if (rows->width > most) {
        return false;
    }
    return rows->height == 1 || rows->pitch == 0 ||
           rows->height - 1 <= (most - rows->width) / rows->pitch;
}

static tarn_status outside(const struct tn_rows *rows, const char *what, const char *why) {
    return tn_fail(TARN_BAD_ADDRESS, "%s [0x%llx, +0x%llx) %s", what,
                   (unsigned long long)rows->addr, (unsigned long long)span_of(rows), why);
}

// ---- mapped memory

static bool allowed(const struct tn_mapping *mapping, tarn_access need,
                    const struct tn_actors *actors) {
    for (int i = 0; i < 3; i++) {
        if (tn_rights_allow(mapping->rights, actors->devices[i], need)) {
            return true;
        }
    }
    tarn_location owner = mapping->phys->info.location;
    return owner.type == TARN_LOCATION_DEVICE
               ? tn_rights_allow(mapping->rights, owner.id, need)
               : (tn_rights_get(mapping->rights, owner) & need) == (unsigned)need;
}

static tarn_status check_mapped(const struct tn_region *region, tarn_addr addr, uint64_t size,
                                tarn_access need, const struct tn_actors *actors,
                                const char *what) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, addr);
    for (tarn_addr from = addr; from < addr + size; from = entry.end) {
        if (!tn_interval_step(&at, &entry) || entry.start > from) {
            return tn_fail(TARN_NOT_MAPPED, "%s: nothing is mapped at 0x%llx", what,
                           (unsigned long long)from);
        }
        if (!allowed(tn_mapping_of(&entry), need, actors)) {
            return tn_fail(TARN_NO_ACCESS, "%s: device %d may not %s 0x%llx", what,
                           actors->devices[0], need == TARN_ACCESS_READ ? "read" : "write",
                           (unsigned long long)from);
        }
    }
    return TARN_OK;
}

static tarn_status check_space(struct tn_region *region, const struct tn_rows *rows,
                               tarn_access need, const struct tn_actors *actors, const char *what) {
    tarn_status status = TARN_OK;
    tn_mutex_lock(&region->lock);
    for (uint64_t row = 0; row < rows->height && status == TARN_OK; row++) {
        status =
            check_mapped(region, rows->addr + row * rows->pitch, rows->width, need, actors, what);
    }
    tn_mutex_unlock(&region->lock);
    return status;
}

// ---- any memory

static tarn_status check_unknown(const struct tn_region *next, const struct tn_rows *rows,
                                 const char *what) {
    tarn_addr end = rows->addr + span_of(rows);
    if (end > HIGHEST_POINTER) {
        return outside(rows, what, "is in no memory that is alive");
    }
    if (next != NULL && next->base < end) {
        return outside(rows, what, "begins before, and runs into, memory of the library");
    }
    return TARN_OK;
}

static bool is_host(const struct tn_region *region) {
    return region->kind == TN_REGION_HOST || region->kind == TN_REGION_REGISTERED;
}

static tarn_status check_region(struct tn_region *region, const struct tn_rows *rows,
                                tarn_access need, const struct tn_actors *actors,
                                const char *what) {
    if (span_of(rows) > region->base + region->size - rows->addr) {
        return outside(rows, what, "runs past the end of its memory");
    }
    if (is_host(region)) {
        return TARN_OK; // CPU memory, whichever platform pinned it
    }
    if (region->platform != actors->platform) {
        return outside(rows, what, "is of another platform than the device");
    }
    // Plain memory is its owner's to read and write.
    return region->kind == TN_REGION_SPACE ? check_space(region, rows, need, actors, what)
                                           : TARN_OK;
}

tarn_status tn_range_check(const struct tn_rows *rows, tarn_access need,
                           const struct tn_actors *actors, const char *what) {
    if (!span_fits(rows)) {
        return tn_fail(TARN_BAD_ADDRESS, "%s at 0x%llx wraps the address space", what,
                       (unsigned long long)rows->addr);
    }
    tn_index_read();
    struct tn_region *region = tn_index_next(rows->addr);
    tarn_status status = region == NULL || region->base > rows->addr
                             ? check_unknown(region, rows, what)
                             : check_region(region, rows, need, actors, what);
    tn_index_read_done();
    return status;
}

bool tn_range_overlap(const struct tn_rows *a, const struct tn_rows *b) {
    uint64_t i = 0;
    uint64_t j = 0;
    while (i < a->height && j < b->height) {
        tarn_addr p = a->addr + i * a->pitch;
        tarn_addr q = b->addr + j * b->pitch;
        if (p < q + b->width && q < p + a->width) {
            return true;
        }
        if (p < q) {
            i++;
        } else {
            j++;
        }
    }
    return false;
}
