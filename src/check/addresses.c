// SPDX-License-Identifier: Apache-2.0
// The history of addresses. Entries lie in pages that never move, so that a region can point to its
// entry. A handle map finds them.
#include "check/addresses.h"

#include <stdlib.h>

enum { PAGE_ENTRIES = 1024 };

static struct tn_check_address *entry_at(const struct tn_check_addresses_part *part,
                                         uint32_t index) {
    return &part->page[index / PAGE_ENTRIES][index % PAGE_ENTRIES];
}

void tn_check_addresses_init(struct tn_check_addresses *addresses) {
    for (unsigned i = 0; i < TN_CHECK_ADDRESSES_PARTS; i++)
        tn_spin_init(&addresses->part[i].lock, TN_RANK_CHECK_ADDRESSES,
                     "addresses of the checker's model");
}

void tn_check_addresses_fini(struct tn_check_addresses *addresses) {
    for (unsigned k = 0; k < TN_CHECK_ADDRESSES_PARTS; k++) {
        struct tn_check_addresses_part *part = &addresses->part[k];
        for (uint32_t i = 0; i < part->count; i += PAGE_ENTRIES) free(part->page[i / PAGE_ENTRIES]);
        free((void *)part->page);
        tn_check_handle_map_fini(&part->index);
    }
    *addresses = (struct tn_check_addresses){0};
}

// Addresses of one pool are close together, and those of different pools are not.
struct tn_check_addresses_part *tn_check_addresses_take(struct tn_check_addresses *addresses,
                                                        uint32_t space, uint64_t address,
                                                        bool shared) {
    uint64_t mixed = (address >> 24 ^ space) * UINT64_C(0x9e3779b97f4a7c15);
    struct tn_check_addresses_part *part = &addresses->part[mixed >> 60];
    if (shared) tn_spin_lock(&part->lock);
    return part;
}

struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses_part *part,
                                                 uint32_t space, uint64_t address) {
    uint32_t index;
    return tn_check_handle_map_find(&part->index, space, address, &index) ? entry_at(part, index)
                                                                          : NULL;
}

static bool add_page(struct tn_check_addresses_part *part) {
    uint32_t pages = part->count / PAGE_ENTRIES;
    struct tn_check_address **page =
        realloc((void *)part->page, (pages + 1) * sizeof(struct tn_check_address *));
    if (page == NULL) return false;
    part->page = page;
    page[pages] = calloc(PAGE_ENTRIES, sizeof(struct tn_check_address));
    return page[pages] != NULL;
}

struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses_part *part,
                                                 uint32_t space, uint64_t address) {
    struct tn_check_address *entry = tn_check_addresses_find(part, space, address);
    if (entry != NULL) return entry;
    bool new_page = part->count % PAGE_ENTRIES == 0;
    if (part->count == UINT32_MAX || (new_page && !add_page(part))) return NULL;
    if (!tn_check_handle_map_set(&part->index, space, address, part->count)) {
        if (new_page) free(part->page[part->count / PAGE_ENTRIES]);
        return NULL;
    }
    return entry_at(part, part->count++);
}
