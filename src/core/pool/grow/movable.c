// SPDX-License-Identifier: Apache-2.0
// The handles that can be moved. See grow.h. They are taken in rounds: a round looks at the
// largest free pieces only, where the longest handles are, and lists some of their handles.
#include "core/pool/grow/grow.h"

#include <stdlib.h>

enum {
    PIECES = 256, // free pieces that are searched in a round
    LISTED = 512  // handles that are listed in a round
};

#define BEFORE_PAGES UINT64_MAX

// A handle under a free piece.
struct movable {
    uint32_t page; // its first
    uint32_t pages;
    uint32_t node; // the piece
    bool chosen;
};

struct round {
    unsigned count;
    uint64_t chosen; // pages
    struct movable list[LISTED];
};

// Steps to the next complete handle under a free piece; *page is its first page. The walk begins
// with BEFORE_PAGES. Returns its pages; 0: there is no other.
static uint64_t movable_step(const tarn_pool *pool, uint32_t node, uint64_t *page) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && !tn_piece_is_taken(pool, node));
    const tn_pool_source *source = pool->growth.source;
    uint64_t page_bytes = source->page_bytes;
    uint64_t start = tn_piece_addr(pool, node) - source->base;
    uint64_t end = (tn_piece_end(pool, node) - source->base) / page_bytes;
    uint64_t at = *page;
    if (at == BEFORE_PAGES) {
        at = (start + page_bytes - 1) / page_bytes;
        at = at < end ? tn_pool_handle_border(&source->handles, at) : end;
    } else {
        at += source->handles.table[at].pages;
    }
    *page = at;
    uint64_t pages = at < end ? source->handles.table[at].pages : 0;
    return at + pages <= end ? pages : 0;
}

uint64_t tn_movable_bytes(const tarn_pool *pool, uint32_t node) {
    uint64_t bytes = 0;
    uint64_t page = BEFORE_PAGES;
    uint64_t pages;
    while (pool->kind == TARN_POOL_EXPANDABLE && (pages = movable_step(pool, node, &page)) != 0)
        bytes += pages * pool->growth.source->page_bytes;
    return bytes;
}

// ---- a round

static void list_handles(const tarn_pool *pool, struct round *round) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    int left = tn_piece_may_be_used(pool) ? 0 : PIECES;
    uint64_t least = tn_pool_page_units(pool);
    round->count = 0;
    round->chosen = 0;
    for (uint32_t k = tn_piece_largest(pool, tn_piece_list(pool, 0, 0));
         k != 0 && left > 0 && round->count < LISTED && tn_piece_units(pool, k) >= least;
         k = tn_piece_next_smaller(pool, k)) {
        uint64_t page = BEFORE_PAGES;
        uint64_t pages;
        while (round->count < LISTED && (pages = movable_step(pool, k, &page)) != 0) {
            round->list[round->count++] =
                (struct movable){(uint32_t)page, (uint32_t)pages, k, false};
        }
        left--;
    }
}

static void choose_handles(const tarn_pool *pool, struct round *round, uint64_t want,
                           uint64_t room) {
    struct movable *best;
    do {
        best = NULL;
        for (unsigned i = 0; i < round->count && round->chosen < want; i++) {
            struct movable *m = &round->list[i];
            if (m->chosen || m->pages > room - round->chosen) continue;
            uint64_t rest = want - round->chosen;
            if (best == NULL || (m->pages == best->pages ? tn_piece_units(pool, m->node) <=
                                                               tn_piece_units(pool, best->node)
                                 : m->pages < best->pages ? m->pages >= rest
                                                          : best->pages < rest))
                best = m;
        }
        if (best != NULL) {
            best->chosen = true;
            round->chosen += best->pages;
        }
    } while (best != NULL);
}

// Orders by address, the highest first: a carve leaves the node to the part before it.
static int compare_movables(const void *a, const void *b) {
    uint32_t first = ((const struct movable *)a)->page;
    uint32_t second = ((const struct movable *)b)->page;
    return first > second ? -1 : first < second;
}

// Takes the chosen handles out of the fit, as many as there are nodes for.
static void detach_chosen(tarn_pool *pool, struct round *round, tn_movables *movables) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && round->chosen != 0);
    struct movable *list = round->list;
    qsort(list, round->count, sizeof *list, compare_movables);
    for (unsigned i = 0; i < round->count; i++) {
        uint32_t end = list[i].page + list[i].pages;
        if (!list[i].chosen || !tn_piece_has_records(pool)) continue;
        while (i + 1 < round->count && list[i + 1].chosen && list[i + 1].node == list[i].node &&
               list[i + 1].page + list[i + 1].pages == list[i].page)
            i++;
        const tn_pool_source *source = pool->growth.source;
        tarn_addr addr = source->base + list[i].page * source->page_bytes;
        uint64_t skip = (addr - tn_piece_addr(pool, list[i].node)) >> pool->unit_shift;
        uint32_t run = tn_piece_carve(pool, list[i].node, skip,
                                      (end - list[i].page) * tn_pool_page_units(pool));
        tn_piece_assign(pool, run, 0, TN_MARK_GROWING, movables->first);
        movables->first = run;
        movables->pages += end - list[i].page;
    }
}

// ---- all rounds

tn_movables tn_movables_take(tarn_pool *pool, uint64_t want, uint64_t room) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && tn_pool_fit_is_held(pool));
    tn_movables movables = {0, 0};
    bool more = true;
    while (more && movables.pages < want) {
        struct round round;
        uint64_t before = movables.pages;
        list_handles(pool, &round);
        choose_handles(pool, &round, want - before, room - before);
        if (round.chosen != 0) detach_chosen(pool, &round, &movables);
        more = movables.pages != before;
    }
    return movables;
}

void tn_movables_return(tarn_pool *pool, const tn_movables *movables) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint32_t next;
    for (uint32_t node = movables->first; node != 0; node = next) {
        next = (uint32_t)tn_piece_word(pool, node);
        (void)tn_piece_release(pool, node, false);
    }
}

uint64_t tn_movables_unmap(tarn_pool *pool, const tn_movables *movables) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_source *source = pool->growth.source;
    uint64_t pages = 0;
    uint32_t next;
    for (uint32_t node = movables->first; node != 0; node = next) {
        next = (uint32_t)tn_piece_word(pool, node);
        uint64_t count = tn_piece_units(pool, node) / tn_pool_page_units(pool);
        tarn_status status =
            source->ops->unmap(source, tn_pool_page_at(pool, tn_piece_addr(pool, node)), count);
        tn_pool_fit_lock_growing(pool);
        (void)tn_piece_release(pool, node, status == TARN_OK);
        tn_pool_fit_unlock(pool);
        pages += status == TARN_OK ? count : 0;
    }
    return pages;
}
