// SPDX-License-Identifier: Apache-2.0
// A pool that one stream uses beside a pool without streams, on simulated devices of their own. Both
// get the same operations, and must refuse the same requests, hold the same memory, and in one range
// place each block at the same offset. The stream has no work, so nothing has to wait.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

enum { BLOCKS = 64, STEPS = 800, HEAD = 3, OP = 4, TWINS = 2 };

#define FIXED_BASE  (UINT64_C(5) << 40)
#define FIXED_BYTES (UINT64_C(12) << 20)
#define PAGE        (UINT64_C(1) << 16)

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct twin {
    tarn_device *device;
    tarn_stream stream; // 0: none
    tarn_pool *pool;
    tarn_addr blocks[BLOCKS]; // 0: none
};

struct twins {
    struct twin twin[TWINS]; // with a stream, and without
    tarn_pool_kind kind;
    int64_t apart; // the distance of the two ranges, once a block is known
    bool apart_known;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The devices stay open for all inputs.
static void open_twins(struct twins *w) {
    static const char *const uris[TWINS] = {"sim:0,granularity=64K", "sim:1,granularity=64K"};
    static struct twin open[TWINS];
    for (int i = 0; i < TWINS && open[i].device == NULL; i++) {
        MUST(tarn_device_open(uris[i], &open[i].device) == TARN_OK);
        MUST(i != 0 || tarn_stream_create(open[i].device, &open[i].stream) == TARN_OK);
    }
    memcpy(w->twin, open, sizeof open);
}

static void begin_twin(struct twin *t, tarn_pool_kind kind, const uint8_t *head) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = kind;
    desc.device = t->device;
    desc.segment_bytes = UINT64_C(1) << 20;
    if (desc.kind == TARN_POOL_FIXED) {
        desc.base = FIXED_BASE;
        desc.bytes = FIXED_BYTES - head[1] * PAGE / 2;
    } else {
        desc.limit = (16 + head[1]) * PAGE;
    }
    MUST(tarn_pool_create(&desc, &t->pool) == TARN_OK);
}

static void allocate(struct twins *w, unsigned block, const uint8_t *op) {
    static const uint64_t scale[] = {1, 16, 300, 5000};
    tarn_status status[TWINS];
    for (int i = 0; i < TWINS; i++) {
        tarn_pool_request request = TARN_INIT(tarn_pool_request);
        request.bytes = 1 + (op[2] | (uint64_t)(op[1] & 1) << 8) * scale[op[3] & 3];
        request.alignment = op[0] & 0x40 ? UINT64_C(1) << op[1] % 17 : 0;
        request.stream = w->twin[i].stream;
        status[i] = tarn_pool_alloc_with(w->twin[i].pool, &request, &w->twin[i].blocks[block]);
    }
    MUST(status[0] == status[1]);
    int64_t apart = (int64_t)(w->twin[1].blocks[block] - w->twin[0].blocks[block]);
    if (status[0] == TARN_OK && w->kind != TARN_POOL_SEGMENTS) {
        MUST(!w->apart_known || apart == w->apart);
        w->apart_known = true;
        w->apart = apart;
    }
}

static void release(struct twins *w, unsigned block) {
    for (int i = 0; i < TWINS; i++) {
        MUST(tarn_pool_free(w->twin[i].pool, w->twin[i].blocks[block]) == TARN_OK);
        w->twin[i].blocks[block] = 0;
    }
}

static void operate(struct twins *w, const uint8_t *op) {
    for (int i = 0; i < TWINS; i++) {
        struct twin *t = &w->twin[i];
        switch (op[1] % 5) {
        case 0: MUST(tarn_pool_trim(t->pool, op[3] * PAGE, 0, NULL) == TARN_OK); break;
        case 1:
            MUST(tarn_pool_reset(t->pool) == TARN_OK);
            memset(t->blocks, 0, sizeof t->blocks);
            break;
        case 2: (void)tarn_pool_set_limit(t->pool, op[3] * PAGE * 2); break;
        default: break;
        }
    }
}

static void step(struct twins *w, const uint8_t *op) {
    unsigned block = op[1] % BLOCKS;
    if (op[0] % 32 == 31)
        operate(w, op);
    else if (w->twin[0].blocks[block] == 0)
        allocate(w, block, op);
    else
        release(w, block);
}

static void check_twins(const struct twins *w) {
    tarn_pool_stats stats[TWINS];
    memset(stats, 0, sizeof stats);
    for (int i = 0; i < TWINS; i++) {
        stats[i].struct_size = sizeof stats[i];
        MUST(tarn_pool_query_stats(w->twin[i].pool, &stats[i]) == TARN_OK);
    }
    MUST(stats[0].held_bytes == stats[1].held_bytes);
    MUST(stats[0].peak_held_bytes == stats[1].peak_held_bytes);
    MUST(stats[0].moved_bytes == stats[1].moved_bytes);
    MUST(stats[0].driver_calls == stats[1].driver_calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const tarn_pool_kind kinds[] = {TARN_POOL_FIXED, TARN_POOL_SEGMENTS,
                                           TARN_POOL_EXPANDABLE};
    struct twins w = {0};
    if (size < HEAD) return 0;
    open_twins(&w);
    w.kind = kinds[data[0] % 3];
    for (int i = 0; i < TWINS; i++) begin_twin(&w.twin[i], w.kind, data);
    for (size_t i = HEAD; i + OP <= size && i < STEPS * OP; i += OP) {
        step(&w, data + i);
        check_twins(&w);
    }
    for (int i = 0; i < TWINS; i++) {
        MUST(tarn_pool_verify(w.twin[i].pool) == TARN_OK);
        MUST(tarn_pool_reset(w.twin[i].pool) == TARN_OK);
        MUST(tarn_pool_destroy(w.twin[i].pool) == TARN_OK);
    }
    return 0;
}
