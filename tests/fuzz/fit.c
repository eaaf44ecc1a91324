// SPDX-License-Identifier: Apache-2.0
// Sequences of fit operations beside a naive model: one cell per unit that says who has it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/fit.h"

enum { CELLS = 2048, NODES = 600, COLOURS = 3, BLOCKS = 256, FREE_CELL = 1, SPAN_END = 1500 };

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static tn_fit fit;
static tn_fit_node nodes[NODES];
static tn_fit_bins bins[COLOURS];
static tn_fit_bins *lists[COLOURS];
static unsigned cells[CELLS]; // taken: 0; free: FREE_CELL + list
static uint32_t blocks[BLOCKS];

// The longest run of cells of one list that does not cross the border of the two spans.
static uint64_t longest(unsigned list) {
    uint64_t most = 0;
    uint64_t run = 0;
    for (unsigned i = 0; i < CELLS; i++) {
        run = i == SPAN_END ? 0 : run;
        run = cells[i] == FREE_CELL + list ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

// A take may fail only when nothing of the next larger bin is there, or nodes have run out.
static void refused(unsigned list, uint64_t units, uint64_t align) {
    uint64_t surely = units + align - 1;
    surely += surely / 16 + (surely >= 32);
    MUST(tn_fit_room(&fit) < 2 || longest(list) < surely);
}

static void took(uint32_t node, unsigned list, uint64_t units, uint64_t align) {
    uint64_t start = tn_fit_start(&fit, node);
    MUST(tn_fit_units(&fit, node) == units);
    MUST(start % align == 0);
    MUST(start + units <= CELLS && !(start < SPAN_END && start + units > SPAN_END));
    for (uint64_t i = start; i < start + units; i++) {
        MUST(cells[i] == FREE_CELL + list);
        cells[i] = 0;
    }
}

static void take(unsigned slot, unsigned list, uint64_t units, uint64_t align) {
    uint32_t node = tn_fit_take(&fit, list, units, align);
    if (node == 0) {
        refused(list, units, align);
        return;
    }
    took(node, list, units, align);
    blocks[slot] = node;
}

static void give(unsigned slot, unsigned list) {
    uint32_t node = blocks[slot];
    uint64_t start = tn_fit_start(&fit, node);
    for (uint64_t i = start; i < start + tn_fit_units(&fit, node); i++) cells[i] = FREE_CELL + list;
    blocks[slot] = 0;
    (void)tn_fit_free(&fit, node, list);
}

static void carve(unsigned slot, unsigned list, unsigned seed) {
    uint32_t node = tn_fit_largest(&fit, list);
    if (node == 0 || tn_fit_room(&fit) < 2) return;
    uint64_t have = tn_fit_units(&fit, node);
    uint64_t skip = seed % have;
    uint64_t start = tn_fit_start(&fit, node) + skip;
    uint64_t units = 1 + seed / 7 % (have - skip);
    blocks[slot] = tn_fit_carve(&fit, node, skip, units);
    MUST(tn_fit_start(&fit, blocks[slot]) == start);
    took(blocks[slot], list, units, 1);
}

static void step(const uint8_t op[4]) {
    unsigned slot = op[1] % BLOCKS;
    unsigned list = op[0] % COLOURS;
    if (blocks[slot] != 0) {
        give(slot, list);
    } else if (op[0] & 0x80) {
        carve(slot, list, op[2] * 256u + op[3]);
    } else {
        uint64_t units = 1 + op[2] % 97 + (op[3] & 0x80 ? op[2] * 3u : 0);
        take(slot, list, units, UINT64_C(1) << (op[3] & 7) % 6);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    memset(nodes, 0, sizeof nodes);
    memset(bins, 0, sizeof bins);
    memset(blocks, 0, sizeof blocks);
    tn_fit_init(&fit, nodes, NODES, lists, COLOURS);
    for (unsigned c = 0; c < COLOURS; c++) tn_fit_set_list(&fit, c, &bins[c]);
    (void)tn_fit_add_span(&fit, 0, 0, SPAN_END);
    (void)tn_fit_add_span(&fit, 0, SPAN_END, CELLS - SPAN_END);
    for (unsigned i = 0; i < CELLS; i++) cells[i] = FREE_CELL;
    for (size_t i = 0; i + 4 <= size && i < 4000; i += 4) {
        step(data + i);
        MUST(tn_fit_check(&fit) == TARN_OK);
        for (unsigned c = 0; c < COLOURS; c++) MUST(tn_fit_largest_units(&fit, c) == longest(c));
    }
    return 0;
}
