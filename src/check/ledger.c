// SPDX-License-Identifier: Apache-2.0
#include "check/ledger.h"

#include <stdlib.h>

// Handles have names of their own in each image; addresses are of a space.
static bool is_named_by_object(uint16_t what) {
    return what == TN_MEM_PHYS || what == TN_MEM_EXPORT || what == TN_MEM_POOL;
}

static uint32_t family_of(uint16_t what, const struct tn_check_resource *like) {
    uint32_t scope = is_named_by_object(what) ? like->image : like->space;
    return scope * 16 + what;
}

static uint64_t name_of(uint16_t what, const struct tn_check_resource *like) {
    return is_named_by_object(what) ? like->object : like->addr;
}

void tn_check_ledger_fini(struct tn_check_ledger *books) {
    free(books->live);
    tn_check_handle_map_fini(&books->names);
    *books = (struct tn_check_ledger){0};
}

// A place for one more. False: no memory.
static bool place_for(struct tn_check_ledger *books, uint32_t *place) {
    if (books->first_free != 0) {
        *place = books->first_free - 1;
        books->first_free = books->live[*place].next;
        return true;
    }
    if (books->count == books->capacity) {
        uint32_t more = books->capacity != 0 ? 2 * books->capacity : 256;
        struct tn_check_resource *grown =
            (struct tn_check_resource *)realloc(books->live, more * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        books->live = grown;
        books->capacity = more;
    }
    *place = books->count++;
    return true;
}

static void give_back(struct tn_check_ledger *books, uint32_t place) {
    books->live[place] = (struct tn_check_resource){.next = books->first_free};
    books->first_free = place + 1;
}

void tn_check_ledger_begin(struct tn_check_ledger *books,
                           const struct tn_check_resource *resource) {
    uint32_t place;
    (void)tn_check_ledger_end(books, resource); // an end that was not told
    if (!place_for(books, &place)) {
        books->incomplete = true;
        return;
    }
    books->live[place] = *resource;
    if (!tn_check_handle_map_set(&books->names, family_of(resource->what, resource),
                                 name_of(resource->what, resource), place)) {
        give_back(books, place);
        books->incomplete = true;
    }
}

bool tn_check_ledger_end(struct tn_check_ledger *books, const struct tn_check_resource *like) {
    uint32_t place;
    if (!tn_check_handle_map_remove(&books->names, family_of(like->what, like),
                                    name_of(like->what, like), &place)) {
        return false;
    }
    struct tn_check_resource *ended = &books->ended[books->ended_count++ % TN_CHECK_LEDGER_ENDED];
    *ended = books->live[place];
    ended->ended = like->ended;
    ended->ended_thread = like->ended_thread;
    give_back(books, place);
    return true;
}

const struct tn_check_resource *tn_check_ledger_find_live(const struct tn_check_ledger *books,
                                                          uint16_t what,
                                                          const struct tn_check_resource *like) {
    uint32_t place;
    return tn_check_handle_map_find(&books->names, family_of(what, like), name_of(what, like),
                                    &place)
               ? &books->live[place]
               : NULL;
}

const struct tn_check_resource *tn_check_ledger_find_ended(const struct tn_check_ledger *books,
                                                           uint16_t what,
                                                           const struct tn_check_resource *like) {
    uint32_t most =
        books->ended_count < TN_CHECK_LEDGER_ENDED ? books->ended_count : TN_CHECK_LEDGER_ENDED;
    for (uint32_t back = 1; back <= most; back++) {
        const struct tn_check_resource *ended =
            &books->ended[(books->ended_count - back) % TN_CHECK_LEDGER_ENDED];
        if ((what == 0 || ended->what == what) &&
            family_of(ended->what, ended) == family_of(ended->what, like) &&
            name_of(ended->what, ended) == name_of(ended->what, like)) {
            return ended;
        }
    }
    return NULL;
}
