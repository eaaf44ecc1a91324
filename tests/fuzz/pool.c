// SPDX-License-Identifier: Apache-2.0
// Sequences of pool operations beside a naive model: a list of live blocks. The first bytes choose
// the kind of pool, its rule, and which call of its source fails. After every operation no two live
// blocks overlap, each lies where it may and is backed, and the pool's own check holds.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pool/rule.h"
#include "unit/core/pool/fake.h"

enum { BLOCKS = 64, STREAMS = 3, STEPS = 400 };

#define FIXED_BASE  (UINT64_C(5) << 40)
#define FIXED_BYTES (UINT64_C(12) << 20)
#define TINY_BYTES  (UINT64_C(1) << 16)
#define PAGE        (UINT64_C(1) << 16)

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct block {
    tarn_addr addr; // 0: none
    uint64_t bytes;
    uint64_t occupied;
};

struct world {
    tarn_pool *pool;
    struct fake *fake; // NULL: a fixed range
    tarn_rule rule;
    tarn_addr base;
    uint64_t bytes;
    struct block blocks[BLOCKS];
    uint64_t live; // blocks
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool begin_fixed(struct world *w, const uint8_t *head) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    w->base = FIXED_BASE + (head[2] & 0x80 ? head[3] : 0);
    w->bytes = (head[0] & 1 ? FIXED_BYTES : TINY_BYTES) - head[4];
    desc.kind = TARN_POOL_FIXED;
    desc.rule = w->rule;
    desc.base = w->base;
    desc.bytes = w->bytes;
    return tarn_pool_create(&desc, &w->pool) == TARN_OK;
}

static bool begin_growing(struct world *w, const uint8_t *head) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    w->fake = fake_new(head[0] & 1 ? PAGE : 0, (16 + head[4]) * PAGE);
    MUST(w->fake != NULL);
    w->fake->fail_at = head[3];
    desc.kind = head[0] & 1 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.rule = w->rule;
    desc.slack_permille = head[2] % 4 * 333;
    desc.segment_bytes = UINT64_C(1) << 20;
    return tn_pool_create_over(&desc, &w->fake->source, NULL, &w->pool) == TARN_OK;
}

static bool is_apart(const struct world *w, tarn_addr addr, uint64_t occupied) {
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &w->blocks[i];
        if (b->addr != 0 && addr < b->addr + b->occupied && b->addr < addr + occupied) {
            return false;
        }
    }
    return true;
}

static void took(struct world *w, struct block *b, uint64_t alignment) {
    uint64_t offset = b->addr - w->base;
    MUST(b->addr % w->rule.start == 0 && (alignment == 0 || b->addr % alignment == 0));
    if (w->fake == NULL) {
        MUST(offset < w->bytes && b->occupied <= w->bytes - offset);
    } else if (w->fake->source.ops->map != NULL) {
        MUST(fake_is_backed(w->fake, b->addr, b->occupied));
    }
}

static uint64_t size_from(const uint8_t *op) {
    static const uint64_t scale[] = {1, 16, 300, 5000};
    return 1 + (op[2] | (uint64_t)(op[1] & 1) << 8) * scale[op[3] & 3];
}

static void allocate(struct world *w, struct block *b, const uint8_t *op) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    struct block made = {0, size_from(op), 0};
    request.bytes = made.bytes;
    request.stream = op[3] >> 2 & 3;
    request.tag = op[3] >> 4;
    request.alignment = op[0] & 0x40 ? UINT64_C(1) << op[1] % 18 : 0;
    if (tarn_pool_alloc_with(w->pool, &request, &made.addr) != TARN_OK) {
        MUST(made.addr == 0);
        return;
    }
    made.occupied = tn_rule_occupied(&w->rule, made.bytes);
    MUST(is_apart(w, made.addr, made.occupied));
    took(w, &made, request.alignment);
    *b = made;
    w->live++;
}

static void release(struct world *w, struct block *b) {
    tarn_block found;
    MUST(tarn_pool_query_block(w->pool, b->addr + b->bytes - 1, &found) == TARN_OK);
    MUST(found.addr == b->addr && found.bytes >= b->bytes && found.occupied >= b->occupied);
    MUST(tarn_pool_free(w->pool, b->addr + 1) == TARN_BAD_ADDRESS);
    MUST(tarn_pool_free(w->pool, b->addr) == TARN_OK);
    MUST(tarn_pool_free(w->pool, b->addr) == TARN_BAD_ADDRESS);
    b->addr = 0;
    w->live--;
}

static void other(struct world *w, const uint8_t *op) {
    struct block *b = &w->blocks[op[2] % BLOCKS];
    switch (op[1] % 8) {
    case 0:
        MUST(tarn_pool_trim(w->pool, op[3] * PAGE, 0, NULL) == TARN_OK);
        break;
    case 1:
        MUST(tarn_pool_reset(w->pool) == TARN_OK);
        memset(w->blocks, 0, sizeof w->blocks);
        w->live = 0;
        break;
    case 2:
    case 3:
        MUST(tarn_pool_passed(w->pool, 1 + op[2] % STREAMS) == TARN_OK);
        break;
    default:
        MUST(tarn_pool_used_on(w->pool, b->addr, 1 + op[3] % STREAMS) ==
             (b->addr != 0 ? TARN_OK : TARN_BAD_ADDRESS));
    }
}

static void step(struct world *w, const uint8_t *op) {
    struct block *b = &w->blocks[op[1] / 2 % BLOCKS];
    if (op[0] % 8 == 7) {
        other(w, op);
    } else if (b->addr == 0) {
        allocate(w, b, op);
    } else {
        release(w, b);
    }
}

static void holds(struct world *w) {
    tarn_pool_stats stats;
    memset(&stats, 0, sizeof stats);
    stats.struct_size = sizeof stats;
    MUST(tarn_pool_verify(w->pool) == TARN_OK);
    MUST(tarn_pool_query_stats(w->pool, &stats) == TARN_OK);
    MUST(stats.live_blocks == w->live);
}

// Everything freed and passed, the whole range can be had again.
static void ends(struct world *w) {
    for (int i = 0; i < BLOCKS; i++) {
        if (w->blocks[i].addr != 0) {
            release(w, &w->blocks[i]);
        }
    }
    // Twice: a block used elsewhere then still waits for its own stream.
    for (tarn_stream s = 0; s < 2 * STREAMS; s++) {
        MUST(tarn_pool_passed(w->pool, 1 + s % STREAMS) == TARN_OK);
    }
    if (w->fake != NULL) {
        w->fake->fail_at = 0;
    }
    MUST(tarn_pool_trim(w->pool, 0, 0, NULL) == TARN_OK);
    holds(w);
    if (w->fake != NULL) {
        MUST(tn_load_relaxed(&w->fake->source.held_bytes) == 0);
    }
    MUST(tarn_pool_destroy(w->pool) == TARN_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct world w;
    memset(&w, 0, sizeof w);
    if (size < 5) {
        return 0;
    }
    MUST(tarn_rule_get((tarn_rule_name)(data[1] % TARN_RULE_COUNT), &w.rule) == TARN_OK);
    if (!(data[0] & 2 ? begin_growing(&w, data) : begin_fixed(&w, data))) {
        free(w.fake);
        return 0;
    }
    for (size_t i = 5; i + 4 <= size && i < STEPS * 4; i += 4) {
        step(&w, data + i);
        holds(&w);
    }
    ends(&w);
    return 0;
}
