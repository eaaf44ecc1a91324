// SPDX-License-Identifier: Apache-2.0
// Pools of each kind: blocks of many sizes, on a stream, trimmed, asleep and awake.
#include "starve/support/tarn.h"

#define BLOCKS 24
#define MIB    (UINT64_C(1) << 20)

struct scene {
    tarn_device *device;
    tarn_stream stream;
    tarn_pool *pool;
    tarn_addr blocks[BLOCKS];
};

static enum starve_kind use_pool(struct scene *s, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    desc.kind = kind;
    desc.device = s->device;
    desc.limit = 48 * MIB;
    TRY(tarn_pool_create(&desc, &s->pool));
    for (uint64_t i = 0; i < BLOCKS; i++) {
        request.bytes = i % 2 == 0 ? UINT64_C(64) << i % 12 : i * 65536;
        request.stream = i % 3 == 0 ? s->stream : TARN_STREAM_NONE;
        request.tag = (uint32_t)(i % 2);
        TRY(tarn_pool_alloc_with(s->pool, &request, &s->blocks[i]));
        TRY(tarn_fill(s->device, s->blocks[i], (uint32_t)i, 4, 16, request.stream));
    }
    for (uint64_t i = 0; i < BLOCKS; i += 2) {
        TRY(tarn_pool_free_on(s->pool, s->blocks[i], s->stream));
        s->blocks[i] = 0;
    }
    TRY(tarn_pool_trim(s->pool, 0, 0, NULL));
    if (kind == TARN_POOL_EXPANDABLE) {
        TRY(tarn_pool_sleep(s->pool, 1, 0, NULL));
        TRY(tarn_pool_wake(s->pool, 1));
    }
    return STARVE_DONE;
}

static void undo_pool(struct scene *s, enum starve_kind *worst) {
    if (s->pool == NULL) return;
    for (uint64_t i = 0; i < BLOCKS; i++) {
        MUST(worst, tarn_pool_free(s->pool, s->blocks[i]));
        s->blocks[i] = 0;
    }
    MUST(worst, tarn_pool_verify(s->pool));
    MUST(worst, tarn_pool_destroy(s->pool));
    s->pool = NULL;
}

static enum starve_kind use_all(struct scene *s) {
    const tarn_pool_kind kinds[] = {TARN_POOL_SEGMENTS, TARN_POOL_EXPANDABLE};
    TRY(tarn_device_open("host:0,memory=64M,workers=1", &s->device));
    TRY(tarn_stream_create(s->device, &s->stream));
    for (size_t i = 0; i < 2; i++) {
        enum starve_kind kind = use_pool(s, kinds[i]);
        undo_pool(s, &kind);
        if (kind != STARVE_DONE) return kind;
    }
    return STARVE_DONE;
}

void starve_provoke(void) {
    tarn_device *device = NULL;
    (void)tarn_device_open("nonsense:0", &device);
}

enum starve_kind starve_round(void) {
    struct scene s = {0};
    enum starve_kind worst = use_all(&s);
    MUST(&worst, tarn_stream_destroy(s.stream));
    if (s.device != NULL) {
        if (starve_device_is_empty(s.device) != STARVE_DONE) worst = STARVE_WRONG;
        MUST(&worst, tarn_device_close(s.device));
    }
    return worst;
}
