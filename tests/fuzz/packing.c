// SPDX-License-Identifier: Apache-2.0
// Placements of blocks beside a naive check of every pair: four bytes make a block, the first byte
// says how long the search takes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "algo/packing.h"

enum { BLOCKS = 200 };

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static bool count_tries(void *arg, const tn_packing *best) {
    return best->tries < *(const uint64_t *)arg;
}

static bool lives_at(const tn_packing_block *block, uint64_t time) {
    return block->begin <= time && time < block->end;
}

static void check_pairs(const tn_packing_block *blocks, const uint64_t *offsets, size_t count,
                        const tn_packing *result) {
    uint64_t height = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = offsets[i] + blocks[i].size, live = 0;
        height = end > height ? end : height;
        for (size_t k = 0; k < count; k++) {
            bool meet =
                lives_at(&blocks[i], blocks[k].begin) || lives_at(&blocks[k], blocks[i].begin);
            MUST(k == i || !meet || offsets[k] >= end || offsets[i] >= offsets[k] + blocks[k].size);
            live += lives_at(&blocks[k], blocks[i].begin) ? blocks[k].size : 0;
        }
        most = live > most ? live : most;
    }
    MUST(result->height == height);
    MUST(result->bound == most);
    MUST(height >= most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_packing_block blocks[BLOCKS];
    uint64_t offsets[BLOCKS];
    uint64_t tries = size > 0 ? data[0] % 64 : 0;
    size_t count = 0;
    tn_packing result;
    for (size_t i = 1; i + 4 <= size && count < BLOCKS; i += 4)
        blocks[count++] = (tn_packing_block){(uint64_t)(data[i] + 1) << (data[i + 1] % 40),
                                             data[i + 2], data[i + 2] + UINT64_C(1) + data[i + 3]};
    if (tn_packing_solve(blocks, count, tries != 0 ? count_tries : NULL, &tries, offsets,
                         &result) == TARN_OK)
        check_pairs(blocks, offsets, count, &result);
    return 0;
}
