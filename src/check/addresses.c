// SPDX-License-Identifier: Apache-2.0
// The table of starts: entries lie in pages that never move, so that a region may point to its own;
// the hash table beside them holds their numbers.
#include "check/addresses.h"

#include <stdlib.h>

enum { PAGE_ENTRIES = 1024, FIRST_PLACES = 4096 };

static uint64_t hash_address(uint32_t space, uint64_t address) {
    uint64_t x = (address ^ (uint64_t)space << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

static struct tn_check_address *entry_at(const struct tn_check_addresses *starts, uint32_t place) {
    uint32_t index = place - 1;
    return &starts->page[index / PAGE_ENTRIES][index % PAGE_ENTRIES];
}

void tn_check_addresses_fini(struct tn_check_addresses *starts) {
    for (uint64_t i = 0; i < starts->pages; i++) {
        free(starts->page[i]);
    }
    free(starts->page);
    free(starts->place);
    *starts = (struct tn_check_addresses){0};
}

// The place of the address, or the empty one where it belongs.
static uint32_t *seek_place(const struct tn_check_addresses *starts, uint32_t space,
                            uint64_t address) {
    uint64_t mask = starts->places - 1;
    for (uint64_t i = hash_address(space, address) & mask;; i = (i + 1) & mask) {
        uint32_t *place = &starts->place[i];
        if (*place == 0) {
            return place;
        }
        const struct tn_check_address *entry = entry_at(starts, *place);
        if (entry->address == address && entry->space == space) {
            return place;
        }
    }
}

struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses *starts,
                                                 uint32_t space, uint64_t address) {
    if (starts->places == 0) {
        return NULL;
    }
    uint32_t place = *seek_place(starts, space, address);
    return place == 0 ? NULL : entry_at(starts, place);
}

static int grow_places(struct tn_check_addresses *starts) {
    uint64_t places = starts->places == 0 ? FIRST_PLACES : starts->places * 2;
    uint32_t *place = (uint32_t *)calloc(places, sizeof *place);
    if (place == NULL) {
        return 0;
    }
    free(starts->place);
    starts->place = place;
    starts->places = places;
    for (uint32_t i = 1; i <= starts->count; i++) {
        const struct tn_check_address *entry = entry_at(starts, i);
        *seek_place(starts, entry->space, entry->address) = i;
    }
    return 1;
}

static int grow_pages(struct tn_check_addresses *starts) {
    struct tn_check_address **page = (struct tn_check_address **)realloc(
        starts->page, (starts->pages + 1) * sizeof(struct tn_check_address *));
    if (page == NULL) {
        return 0;
    }
    starts->page = page;
    page[starts->pages] =
        (struct tn_check_address *)calloc(PAGE_ENTRIES, sizeof(struct tn_check_address));
    if (page[starts->pages] == NULL) {
        return 0;
    }
    starts->pages++;
    return 1;
}

struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses *starts, uint32_t space,
                                                 uint64_t address) {
    if ((starts->count + 1) * 2 > starts->places && !grow_places(starts)) {
        return NULL;
    }
    uint32_t *place = seek_place(starts, space, address);
    if (*place != 0) {
        return entry_at(starts, *place);
    }
    if (starts->count == UINT32_MAX - 1 ||
        (starts->count == starts->pages * PAGE_ENTRIES && !grow_pages(starts))) {
        return NULL;
    }
    starts->count++;
    *place = (uint32_t)starts->count;
    struct tn_check_address *entry = entry_at(starts, *place);
    *entry = (struct tn_check_address){.address = address, .space = space};
    return entry;
}
