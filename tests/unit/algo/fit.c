// SPDX-License-Identifier: Apache-2.0
// Claims about the offset fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algo/fit_hot.h"

enum { PLAIN = 0, BARE = 3, OTHER = 7, NODES = 4096 };

struct world {
    tn_fit fit;
    tn_fit_node nodes[NODES];
    tn_fit_bins plain;
    tn_fit_bins other;
    tn_fit_bins *lists[OTHER + 1];
};

static int set_up(void **state) {
    struct world *w = (struct world *)calloc(1, sizeof *w);
    assert_non_null(w);
    tn_fit_init(&w->fit, w->nodes, NODES, w->lists, OTHER + 1);
    tn_fit_set_list(&w->fit, PLAIN, &w->plain);
    tn_fit_set_list(&w->fit, OTHER, &w->other);
    *state = w;
    return 0;
}

static int tear_down(void **state) {
    struct world *w = (struct world *)*state;
    tarn_status status = tn_fit_check(&w->fit);
    free(w);
    return status == TARN_OK ? 0 : -1;
}

static uint64_t start_of_taken(tn_fit *fit, uint64_t units, uint64_t align) {
    uint32_t node = tn_fit_take(fit, PLAIN, units, align);
    assert_int_not_equal(node, 0);
    assert_int_equal(tn_fit_units(fit, node), units);
    assert_int_equal(tn_fit_state(fit, node), TN_FIT_TAKEN);
    return tn_fit_start(fit, node);
}

static void an_empty_span_is_filled_from_its_start(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    assert_int_not_equal(tn_fit_add_span(fit, PLAIN, 1000, 100), 0);
    assert_int_equal(start_of_taken(fit, 1, 1), 1000);
    assert_int_equal(start_of_taken(fit, 33, 1), 1001);
    assert_int_equal(start_of_taken(fit, 66, 1), 1034);
    assert_int_equal(tn_fit_take(fit, PLAIN, 1, 1), 0);
}

static void the_smallest_sufficient_hole_is_chosen(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 1000);
    (void)tn_fit_add_span(fit, PLAIN, 2000, 40);
    (void)tn_fit_add_span(fit, PLAIN, 3000, 50);
    assert_int_equal(start_of_taken(fit, 41, 1), 3000);
    assert_int_equal(start_of_taken(fit, 40, 1), 2000);
}

static void the_best_of_one_bin_is_chosen(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    // 1024..1055 share a bin; neither the newest nor the oldest of it fits best.
    (void)tn_fit_add_span(fit, PLAIN, 0, 1040);
    (void)tn_fit_add_span(fit, PLAIN, 10000, 1031);
    (void)tn_fit_add_span(fit, PLAIN, 20000, 1024);
    (void)tn_fit_add_span(fit, PLAIN, 30000, 1055);
    assert_int_equal(start_of_taken(fit, 1025, 1), 10000);
}

static void a_free_merges_with_both_neighbours(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    uint32_t span = tn_fit_add_span(fit, PLAIN, 0, 30);
    uint32_t a = tn_fit_take(fit, PLAIN, 10, 1);
    uint32_t b = tn_fit_take(fit, PLAIN, 10, 1);
    uint32_t c = tn_fit_take(fit, PLAIN, 10, 1);
    (void)tn_fit_free(fit, a, PLAIN);
    (void)tn_fit_free(fit, c, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 10);
    uint32_t whole = tn_fit_free(fit, b, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 30);
    assert_int_equal(tn_fit_after(fit, span), whole);
    assert_int_equal(tn_fit_units(fit, whole), 30);
}

static void lists_do_not_merge_nor_serve_each_other(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 20);
    uint32_t a = tn_fit_take(fit, PLAIN, 10, 1);
    (void)tn_fit_free(fit, a, OTHER);
    assert_int_equal(tn_fit_take(fit, PLAIN, 11, 1), 0);
    assert_int_equal(tn_fit_take(fit, OTHER, 11, 1), 0);
    assert_int_equal(tn_fit_check(fit), TARN_OK);
    uint32_t again = tn_fit_take(fit, OTHER, 10, 1);
    assert_int_not_equal(again, 0);
    assert_int_equal(tn_fit_list(fit, again), OTHER);
    (void)tn_fit_free(fit, again, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 20);
}

static void spans_that_touch_stay_apart(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 10);
    (void)tn_fit_add_span(fit, PLAIN, 10, 10);
    assert_int_equal(tn_fit_take(fit, PLAIN, 11, 1), 0);
}

static void alignment_gives_the_front_back(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    uint32_t span = tn_fit_add_span(fit, PLAIN, 5, 200);
    assert_int_equal(start_of_taken(fit, 10, 64), 64);
    assert_int_equal(tn_fit_units(fit, tn_fit_after(fit, span)), 59);
    assert_int_equal(start_of_taken(fit, 59, 1), 5);
}

static void an_aligned_take_finds_a_lucky_exact_hole(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 64, 64);
    assert_int_equal(start_of_taken(fit, 64, 64), 64);
}

static void carving_takes_the_middle(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    uint32_t span = tn_fit_add_span(fit, PLAIN, 100, 50);
    uint32_t first = tn_fit_after(fit, span);
    uint32_t middle = tn_fit_carve(fit, first, 20, 10);
    assert_int_equal(tn_fit_start(fit, middle), 120);
    assert_int_equal(tn_fit_units(fit, first), 20);
    assert_int_equal(tn_fit_units(fit, tn_fit_after(fit, middle)), 20);
    assert_int_equal(tn_fit_free(fit, middle, PLAIN), first);
}

static void joining_makes_one_of_two_taken(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 30);
    uint32_t a = tn_fit_take(fit, PLAIN, 10, 1);
    (void)tn_fit_take(fit, PLAIN, 10, 1);
    tn_fit_join(fit, a);
    assert_int_equal(tn_fit_units(fit, a), 20);
    (void)tn_fit_free(fit, a, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 30);
}

static void splitting_makes_two_of_one_taken(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 30);
    uint32_t a = tn_fit_take(fit, PLAIN, 20, 1);
    tn_fit_assign(fit, a, PLAIN, 7, 99);
    uint32_t rest = tn_fit_split(fit, a, 5);
    assert_int_equal(tn_fit_units(fit, a), 5);
    assert_int_equal(tn_fit_mark(fit, a), 7);
    assert_int_equal(tn_fit_word(fit, a), 99);
    assert_int_equal(tn_fit_start(fit, rest), 5);
    assert_int_equal(tn_fit_units(fit, rest), 15);
    assert_int_equal(tn_fit_mark(fit, rest), 0);
    (void)tn_fit_free(fit, rest, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 25);
    (void)tn_fit_free(fit, a, PLAIN);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), 30);
}

static void running_out_of_nodes_changes_nothing(void **state) {
    struct world *w = (struct world *)*state;
    tn_fit_init(&w->fit, w->nodes, 3, w->lists, OTHER + 1); // node 0 and those of the span
    tn_fit_set_list(&w->fit, PLAIN, &w->plain);
    uint32_t span = tn_fit_add_span(&w->fit, PLAIN, 0, 100);
    assert_int_not_equal(span, 0);
    uint32_t all = tn_fit_after(&w->fit, span);
    assert_int_equal(tn_fit_add_span(&w->fit, PLAIN, 1000, 100), 0);
    assert_int_equal(tn_fit_take(&w->fit, PLAIN, 10, 1), 0);
    assert_int_equal(tn_fit_carve(&w->fit, all, 5, 10), 0);
    assert_int_equal(tn_fit_units(&w->fit, all), 100);
    assert_int_equal(tn_fit_state(&w->fit, all), TN_FIT_FREE);
    assert_int_not_equal(tn_fit_carve(&w->fit, all, 0, 100), 0); // leaves nothing, needs nothing
}

static void a_removed_span_leaves_no_trace(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    uint32_t room = tn_fit_room(fit);
    uint32_t span = tn_fit_add_span(fit, PLAIN, 0, 100);
    tn_fit_remove_span(fit, span);
    assert_int_equal(tn_fit_room(fit), room);
    assert_int_equal(tn_fit_take(fit, PLAIN, 1, 1), 0);
}

static void walks_visit_every_free_node_once(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    static const uint64_t sizes[] = {1, 31, 32, 33, 1000, 1000, UINT64_C(1) << 30};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        (void)tn_fit_add_span(fit, PLAIN, i << 32, sizes[i]);
        sum += sizes[i];
    }
    uint64_t seen = 0;
    uint64_t previous = UINT64_MAX;
    for (uint32_t k = tn_fit_largest(fit, PLAIN); k != 0; k = tn_fit_next_smaller(fit, k)) {
        assert_true(tn_fit_units(fit, k) <= previous);
        previous = tn_fit_units(fit, k);
        seen += previous;
    }
    assert_int_equal(seen, sum);
    for (uint32_t k = tn_fit_at_least(fit, PLAIN, 1); k != 0; k = tn_fit_next_larger(fit, k)) {
        assert_true(tn_fit_units(fit, k) >= (seen == sum ? 0 : previous));
        previous = tn_fit_units(fit, k);
        seen -= previous;
    }
    assert_int_equal(seen, 0);
    assert_int_equal(tn_fit_units(fit, tn_fit_at_least(fit, PLAIN, 34)), 1000);
    assert_int_equal(tn_fit_at_least(fit, PLAIN, UINT64_C(1) << 31), 0);
    assert_int_equal(tn_fit_units(fit, tn_fit_at_most(fit, PLAIN, 999)), 1000); // same bin
    assert_int_equal(tn_fit_units(fit, tn_fit_at_most(fit, PLAIN, 900)), 33);
    assert_int_equal(tn_fit_at_most(fit, OTHER, 900), 0);
}

static void the_largest_span_of_all_works(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    uint64_t start = TN_FIT_MAX_START - TN_FIT_MAX_UNITS;
    (void)tn_fit_add_span(fit, PLAIN, start, TN_FIT_MAX_UNITS);
    assert_int_equal(start_of_taken(fit, TN_FIT_MAX_UNITS - 1, 1), start);
    assert_int_equal(start_of_taken(fit, 1, 1), TN_FIT_MAX_START - 1);
}

static void what_the_owner_notes_stays_with_a_taken_node(void **state) {
    tn_fit *fit = &((struct world *)*state)->fit;
    (void)tn_fit_add_span(fit, PLAIN, 0, 100);
    uint32_t a = tn_fit_take(fit, PLAIN, 10, 1);
    tn_fit_assign(fit, a, OTHER, 0xabcdef, UINT64_C(0x123456789abcdef0));
    assert_int_equal(tn_fit_word(fit, a), UINT64_C(0x123456789abcdef0));
    assert_int_equal(tn_fit_list(fit, a), OTHER);
    assert_int_equal(tn_fit_mark(fit, a), 0xabcdef);
    assert_int_equal(tn_fit_units(fit, a), 10);
    assert_int_equal(tn_fit_start(fit, a), 0);
}

// Each breaks one record; the check must tell.
// ---- parts

enum { PARTS = 3, SPAN = 4096, CHUNK_MAX = 512, PIECES = 300, STEPS = 20000 };

// A model of a fit whose pieces some parts divide: the piece over each unit.
struct divided {
    struct world *w;
    struct part {
        tn_fit fit;
        tn_fit_bins bins;
        tn_fit_bins *list;
        uint32_t node, head; // of its chunk; 0: none
    } parts[PARTS];
    struct piece {
        uint32_t node; // 0: none
        int part;      // -1: the fit itself
        uint64_t start, units;
    } pieces[PIECES];
    uint16_t owner[SPAN]; // piece + 1, or 0
    uint32_t seed;
};

static uint32_t pick(struct divided *d, uint32_t below) {
    d->seed = d->seed * 1664525u + 1013904223u;
    return (d->seed >> 8) % below;
}

static void paint(struct divided *d, const struct piece *p, uint16_t from, uint16_t to) {
    for (uint64_t unit = p->start; unit < p->start + p->units; unit++) {
        assert_int_equal(d->owner[unit], from);
        d->owner[unit] = to;
    }
}

static bool is_chunk(const struct divided *d, uint32_t node) {
    for (int n = 0; n < PARTS; n++)
        if (d->parts[n].node == node) return true;
    return false;
}

// Gives a part a run of pieces around a free one, taken ones included.
static void draw_run(struct divided *d, int number) {
    struct part *part = &d->parts[number];
    tn_fit *fit = &d->w->fit;
    uint32_t first = tn_fit_search(fit, PLAIN, 1 + pick(d, 64));
    uint32_t last = first;
    if (first == 0) return;
    for (uint32_t left = pick(d, 12), k; left > 0; left--) {
        if ((k = tn_fit_before(fit, first)) != 0 && tn_fit_units(fit, k) != 0 && !is_chunk(d, k))
            first = k;
        if ((k = tn_fit_after(fit, last)) != 0 && !is_chunk(d, k)) last = k;
    }
    uint64_t start = tn_fit_start(fit, first);
    tn_fit_move_room(fit, &part->fit, 2 + pick(d, 64));
    part->node = tn_fit_divide(fit, first, last, &part->fit, 0);
    part->head = tn_fit_before(&part->fit, first);
    assert_int_equal(tn_fit_start(fit, part->node), start);
    for (int i = 0; i < PIECES; i++)
        if (d->pieces[i].node != 0 && d->pieces[i].part < 0 &&
            d->pieces[i].start - start < tn_fit_units(fit, part->node))
            d->pieces[i].part = number;
}

// Draws a chunk for a part, or unites its chunk with the fit.
static void draw_or_unite(struct divided *d, int number) {
    struct part *part = &d->parts[number];
    tn_fit *fit = &d->w->fit;
    if (part->node != 0) {
        tn_fit_unite(fit, part->node, &part->fit, part->head, PLAIN);
        tn_fit_move_room(&part->fit, fit, UINT32_MAX);
        part->node = 0;
        for (int i = 0; i < PIECES; i++)
            d->pieces[i].part = d->pieces[i].part == number ? -1 : d->pieces[i].part;
        return;
    }
    if (pick(d, 2) == 0) {
        draw_run(d, number);
        return;
    }
    part->node = tn_fit_take(fit, PLAIN, 1 + pick(d, CHUNK_MAX), 1);
    if (part->node != 0) {
        tn_fit_move_room(fit, &part->fit, 2 + pick(d, 64));
        part->head = tn_fit_add_span(&part->fit, 0, tn_fit_start(fit, part->node),
                                     tn_fit_units(fit, part->node));
        assert_int_not_equal(part->head, 0);
    }
}

static void take_or_free(struct divided *d, int i) {
    struct piece *p = &d->pieces[i];
    int number = (int)pick(d, PARTS + 1) - 1;
    if (p->node != 0) {
        tn_fit *fit = p->part >= 0 ? &d->parts[p->part].fit : &d->w->fit;
        paint(d, p, (uint16_t)(i + 1), 0);
        (void)tn_fit_free(fit, p->node, p->part >= 0 ? 0 : PLAIN);
        p->node = 0;
    } else if (number < 0 || d->parts[number].node != 0) {
        tn_fit *fit = number >= 0 ? &d->parts[number].fit : &d->w->fit;
        p->units = 1 + pick(d, 40);
        p->node = tn_fit_take(fit, number >= 0 ? 0 : PLAIN, p->units, 1);
        p->part = number;
        p->start = tn_fit_start(fit, p->node);
        if (p->node != 0) {
            assert_int_equal(tn_fit_units(fit, p->node), p->units);
            paint(d, p, 0, (uint16_t)(i + 1));
        }
    }
}

static void unite_all(struct divided *d) {
    for (int n = 0; n < PARTS; n++)
        if (d->parts[n].node != 0) draw_or_unite(d, n);
    assert_int_equal(tn_fit_check(&d->w->fit), TARN_OK);
}

static void parts_divide_a_fit_and_leave_no_trace(void **state) {
    static struct divided d;
    memset(&d, 0, sizeof d);
    d.w = (struct world *)*state;
    tn_fit *fit = &d.w->fit;
    uint32_t span = tn_fit_add_span(fit, PLAIN, 0, SPAN);
    uint32_t room = tn_fit_room(fit);
    for (int n = 0; n < PARTS; n++) {
        d.parts[n].list = &d.parts[n].bins;
        tn_fit_init_part(&d.parts[n].fit, fit, &d.parts[n].list, 1);
    }
    for (int step = 0; step < STEPS; step++) {
        if (pick(&d, 50) == 0)
            draw_or_unite(&d, (int)pick(&d, PARTS));
        else
            take_or_free(&d, (int)pick(&d, PIECES));
        if (step % 500 == 0) unite_all(&d);
    }
    unite_all(&d);
    for (int i = 0; i < PIECES; i++)
        if (d.pieces[i].node != 0) take_or_free(&d, i);
    assert_int_equal(tn_fit_largest_units(fit, PLAIN), SPAN);
    assert_int_equal(tn_fit_room(fit), room);
    assert_int_equal(tn_fit_after(fit, tn_fit_after(fit, span)), 0);
}

// Compares the pieces of a span with an array of one byte for each unit. Returns the node of a unit.
static uint32_t compare_units(const tn_fit *fit, uint32_t span, const uint8_t *taken, uint64_t at) {
    uint32_t found = 0;
    for (uint32_t k = tn_fit_after(fit, span); k != 0; k = tn_fit_after(fit, k)) {
        uint64_t from = tn_fit_start(fit, k), to = from + tn_fit_units(fit, k);
        if (from <= at && at < to) found = k;
        for (; from < to; from++)
            assert_int_equal(taken[from], tn_fit_is_free(fit, k, BARE) ? 0 : tn_fit_mark(fit, k));
    }
    return found;
}

static void pieces_of_a_list_without_bins_merge_and_no_search_finds_them(void **state) {
    enum { UNITS = 200, ROUNDS = 20000 };
    static struct divided d; // its random numbers
    uint8_t taken[UNITS] = {0};
    tn_fit *fit = &((struct world *)*state)->fit;
    uint32_t span = tn_fit_add_span(fit, PLAIN, 0, UNITS), room = tn_fit_room(fit);
    tn_fit_free_bare(fit, tn_fit_take(fit, PLAIN, UNITS, 1), BARE);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t at = pick(&d, UNITS), units = 1 + pick(&d, 12);
        uint32_t node = compare_units(fit, span, taken, at);
        uint64_t start = tn_fit_start(fit, node), end = start + tn_fit_units(fit, node);
        tn_fit_data data = {OTHER, 1 + pick(&d, 255), UINT64_C(0x123456789a)};
        assert_int_equal(tn_fit_take(fit, PLAIN, 1, 1), 0);
        if (taken[at] != 0) {
            tn_fit_free_bare(fit, node, BARE);
            memset(taken + start, 0, end - start);
        } else if (at + units <= end) {
            node = tn_fit_carve_bare(fit, node, at - start, units, data);
            assert_int_equal(tn_fit_start(fit, node), at);
            assert_int_equal(tn_fit_list(fit, node), OTHER);
            assert_true(tn_fit_word(fit, node) == data.word);
            memset(taken + at, (int)data.mark, units);
        }
        assert_int_equal(tn_fit_check(fit), TARN_OK);
    }
    for (uint64_t at = 0; at < UNITS; at++) {
        uint32_t node = tn_fit_after(fit, span);
        while (tn_fit_start(fit, node) + tn_fit_units(fit, node) <= at)
            node = tn_fit_after(fit, node);
        if (tn_fit_state(fit, node) == TN_FIT_TAKEN) tn_fit_free_bare(fit, node, BARE);
    }
    assert_int_equal(tn_fit_units(fit, tn_fit_after(fit, span)), UNITS);
    assert_int_equal(tn_fit_room(fit), room);
}

// A fit with nodes in use and with unused ones gives some to each part in turn.
static void parts_share_no_cache_line_of_nodes(void **state) {
    static unsigned char owner[NODES];
    struct world *w = (struct world *)*state;
    struct part parts[PARTS];
    uint32_t taken[64];
    memset(owner, 0, sizeof owner);
    (void)tn_fit_add_span(&w->fit, PLAIN, 0, SPAN);
    for (int i = 0; i < 64; i++) taken[i] = tn_fit_take(&w->fit, PLAIN, 3, 1);
    for (int i = 0; i < 64; i += 2) (void)tn_fit_free(&w->fit, taken[i], PLAIN);
    for (int i = 1; i < 16; i += 2) (void)tn_fit_free(&w->fit, taken[i], PLAIN);
    uint32_t room = tn_fit_room(&w->fit);
    for (int n = 0; n < PARTS; n++) tn_fit_init_part(&parts[n].fit, &w->fit, &parts[n].list, 1);
    for (int i = 0; i < 2 * PARTS; i++) tn_fit_move_room(&w->fit, &parts[i % PARTS].fit, 15);
    for (int n = 0; n < PARTS; n++) {
        uint32_t count = 0;
        for (uint32_t k = parts[n].fit.recycled; k != 0; k = w->nodes[k].next, count++) {
            unsigned char *line = &owner[k * sizeof(tn_fit_node) / 64];
            assert_true(*line == 0 || *line == n + 1);
            *line = (unsigned char)(n + 1);
        }
        assert_int_equal(count, 30);
        assert_int_equal(tn_fit_room(&parts[n].fit), 30);
    }
    for (int n = 0; n < PARTS; n++) tn_fit_move_room(&parts[n].fit, &w->fit, UINT32_MAX);
    assert_int_equal(tn_fit_room(&w->fit), room);
    assert_int_equal(tn_fit_check(&w->fit), TARN_OK);
}

static void the_check_finds_damage(void **state) {
    struct world *w = (struct world *)*state;
    (void)tn_fit_add_span(&w->fit, PLAIN, 0, 100);
    uint32_t a = tn_fit_take(&w->fit, PLAIN, 10, 1);
    uint32_t b = tn_fit_take(&w->fit, PLAIN, 10, 1);
    struct world *copy = (struct world *)malloc(sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, w, sizeof *copy);
    w->nodes[b].before = 0;
    assert_int_equal(tn_fit_check(&w->fit), TARN_CORRUPT);
    memcpy(w, copy, sizeof *w);
    w->nodes[a].extent += UINT64_C(1) << 24;
    assert_int_equal(tn_fit_check(&w->fit), TARN_CORRUPT);
    memcpy(w, copy, sizeof *w);
    w->plain.units++;
    assert_int_equal(tn_fit_check(&w->fit), TARN_CORRUPT);
    memcpy(w, copy, sizeof *w);
    w->plain.columns[0] |= 1u << 3;
    assert_int_equal(tn_fit_check(&w->fit), TARN_CORRUPT);
    memcpy(w, copy, sizeof *w);
    w->nodes[a].place = (w->nodes[a].place & ~UINT64_C(0xff)) | TN_FIT_FREE;
    assert_int_equal(tn_fit_check(&w->fit), TARN_CORRUPT);
    memcpy(w, copy, sizeof *w);
    free(copy);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CLAIM(an_empty_span_is_filled_from_its_start),
        CLAIM(the_smallest_sufficient_hole_is_chosen),
        CLAIM(the_best_of_one_bin_is_chosen),
        CLAIM(a_free_merges_with_both_neighbours),
        CLAIM(lists_do_not_merge_nor_serve_each_other),
        CLAIM(spans_that_touch_stay_apart),
        CLAIM(alignment_gives_the_front_back),
        CLAIM(an_aligned_take_finds_a_lucky_exact_hole),
        CLAIM(carving_takes_the_middle),
        CLAIM(joining_makes_one_of_two_taken),
        CLAIM(splitting_makes_two_of_one_taken),
        CLAIM(running_out_of_nodes_changes_nothing),
        CLAIM(a_removed_span_leaves_no_trace),
        CLAIM(walks_visit_every_free_node_once),
        CLAIM(the_largest_span_of_all_works),
        CLAIM(what_the_owner_notes_stays_with_a_taken_node),
        CLAIM(parts_divide_a_fit_and_leave_no_trace),
        CLAIM(pieces_of_a_list_without_bins_merge_and_no_search_finds_them),
        CLAIM(parts_share_no_cache_line_of_nodes),
        CLAIM(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
