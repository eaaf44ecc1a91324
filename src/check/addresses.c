// SPDX-License-Identifier: Apache-2.0
// The history of addresses. Entries lie in pages that never move, so that a region can point to its
// entry. A handle map finds them.
#include "check/addresses.h"

#include <stdlib.h>

enum { PAGE_ENTRIES = 1024 };

static struct tn_check_address *entry_at(const struct tn_check_addresses *addresses,
                                         uint32_t index) {
    return &addresses->page[index / PAGE_ENTRIES][index % PAGE_ENTRIES];
}

void tn_check_addresses_fini(struct tn_check_addresses *addresses) {
    for (uint32_t i = 0; i < addresses->count; i += PAGE_ENTRIES) {
        free(addresses->page[i / PAGE_ENTRIES]);
    }
    free((void *)addresses->page);
    tn_check_handle_map_fini(&addresses->index);
    *addresses = (struct tn_check_addresses){0};
}

struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses *addresses,
                                                 uint32_t space, uint64_t address) {
    uint32_t index;
    return tn_check_handle_map_find(&addresses->index, space, address, &index)
               ? entry_at(addresses, index)
               : NULL;
}

static bool add_page(struct tn_check_addresses *addresses) {
    uint32_t pages = addresses->count / PAGE_ENTRIES;
    struct tn_check_address **page =
        realloc((void *)addresses->page, (pages + 1) * sizeof(struct tn_check_address *));
    if (page == NULL) {
        return false;
    }
    addresses->page = page;
    page[pages] = calloc(PAGE_ENTRIES, sizeof(struct tn_check_address));
    return page[pages] != NULL;
}

struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses *addresses,
                                                 uint32_t space, uint64_t address) {
    struct tn_check_address *entry = tn_check_addresses_find(addresses, space, address);
    if (entry != NULL) {
        return entry;
    }
    bool new_page = addresses->count % PAGE_ENTRIES == 0;
    if (addresses->count == UINT32_MAX || (new_page && !add_page(addresses))) {
        return NULL;
    }
    if (!tn_check_handle_map_set(&addresses->index, space, address, addresses->count)) {
        if (new_page) {
            free(addresses->page[addresses->count / PAGE_ENTRIES]);
        }
        return NULL;
    }
    return entry_at(addresses, addresses->count++);
}
