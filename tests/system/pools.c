// SPDX-License-Identifier: Apache-2.0
// Steps about pools as a whole: all kinds of them, sleep and wake, trims and limits, passes of
// pools with a plan, keys, snapshots; and the comparison of a pool with its model. blocks.c has the
// steps about single blocks.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system/blocks.h"

// ---- passes: the same requests each time, which a plan knows or a pool learns

enum { PASS_MAX = 14 };

struct request {
    uint64_t bytes;
    uint32_t tag;
    unsigned end; // it is freed before this request
};

// Returns the number of requests of a pass of this pool.
static unsigned pass_requests(const struct world *w, const struct pool *pool,
                              struct request *requests) {
    struct draw d = draw_of(w->seed, 1000000u + (uint64_t)(pool - w->pools));
    unsigned count = 5 + draw_below(&d, PASS_MAX - 5);
    for (unsigned i = 0; i < count; i++) {
        requests[i].bytes = (17 + draw_below(&d, 400)) * 1024;
        requests[i].tag = draw_below(&d, TAGS);
        requests[i].end = i + 1 + draw_below(&d, count - i);
    }
    return count;
}

static tarn_plan *plan_make(struct step *step, struct pool *pool) {
    tarn_plan *plan = NULL;
    struct request requests[PASS_MAX];
    tarn_plan_block blocks[PASS_MAX];
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    desc.count = pass_requests(step->world, pool, requests);
    for (unsigned i = 0; i < desc.count; i++)
        blocks[i] = (tarn_plan_block){requests[i].bytes, 2 * i + 1, 2 * requests[i].end, 0,
                                      requests[i].tag};
    desc.blocks = blocks;
    desc.rule = pool->desc.rule;
    desc.period = 2 * desc.count + 2;
    desc.limit_steps = 1 << 16;
    INSIST(step, tarn_plan_create(&desc, &plan));
    return plan;
}

// A pass: the pool may give each request the place that the plan has for it. Under the pool's lock.
static void pool_pass(struct step *step, struct pool *pool) {
    struct request requests[PASS_MAX];
    struct block *made[PASS_MAX] = {NULL};
    unsigned count = pass_requests(step->world, pool, requests);
    unsigned odd = draw_below(&step->draw, 3 * count); // a request that this pass lacks
    int stream = (int)(pool - step->world->pools) % STREAMS;
    bool keeps = draw_one_in(&step->draw, 6);
    (void)EXPECT(step, tarn_pool_mark(pool->pool), TARN_OK);
    for (unsigned i = 0; i <= count; i++) {
        for (unsigned k = 0; k < i; k++)
            if (made[k] != NULL && requests[k].end == i && !(keeps && k == 0))
                block_free(step, pool, made[k]);
        if (i == count || i == odd) continue;
        for (unsigned k = 0; k < BLOCKS && made[i] == NULL; k++) {
            struct block *b = &pool->blocks[k];
            tarn_pool_request request = TARN_INIT(tarn_pool_request);
            if (b->addr != 0) continue;
            request.bytes = requests[i].bytes;
            request.tag = requests[i].tag;
            if (!block_alloc(step, pool, b, &request, stream)) break;
            made[i] = b;
            content_write(step, b->content, b->addr, b->bytes, stream, pool->device);
        }
    }
    pool->pass++;
}

// ---- opening

// Returns the plan of the pool, or NULL.
static tarn_plan *draw_desc(struct step *step, struct pool *pool) {
    static const uint64_t pages[] = {0, UNIT, 4 * UNIT, 2 * MIB};
    struct draw *d = &step->draw;
    tarn_pool_desc *desc = &pool->desc;
    tarn_plan *plan = NULL;
    pool->learns = false;
    desc->limit = (6 + draw_below(d, 12)) * MIB;
    desc->kind = TARN_POOL_EXPANDABLE;
    desc->policy = (tarn_pool_policy)draw_below(d, 3);
    desc->page_bytes = pages[draw_below(d, 4)];
    if (draw_one_in(d, 3))
        CHECK(step, tarn_rule_get((tarn_rule_name)draw_below(d, TARN_RULE_COUNT), &desc->rule) ==
                        TARN_OK);
    if (draw_one_in(d, 2)) desc->flags |= TARN_POOL_USER_WORDS;
    switch (draw_below(d, 9)) {
    case 0:
        desc->kind = TARN_POOL_FIXED;
        desc->bytes = (6 + draw_below(d, 8)) * MIB;
        desc->limit = 0;
        INSIST(step, tarn_memory_alloc(desc->device, desc->bytes, &pool->range));
        desc->base = pool->range;
        break;
    case 1:
    case 2:
        desc->kind = TARN_POOL_SEGMENTS;
        desc->segment_bytes = (1 + draw_below(d, 3)) * 2 * MIB;
        break;
    case 3: desc->flags |= draw_one_in(d, 2) ? TARN_POOL_FENCE : TARN_POOL_FENCE_EXACT; break;
    case 4: desc->flags |= TARN_POOL_SELECT_REUSE; break;
    case 5:
        pool->learns = true;
        desc->flags |= TARN_POOL_LEARN;
        break;
    case 6:
        pool->learns = true;
        plan = plan_make(step, pool);
        break;
    default: break;
    }
    if (desc->kind == TARN_POOL_EXPANDABLE) desc->flags |= TARN_POOL_STRICT;
    return plan;
}

// Half of the plans come from a file. Returns the plan, or the same from there.
static tarn_plan *pass_through_file(struct step *step, tarn_plan *plan) {
    tarn_plan_info info = TARN_INIT(tarn_plan_info);
    tarn_plan *loaded = NULL;
    char path[64];
    if (plan == NULL || draw_one_in(&step->draw, 2)) return plan;
    INSIST(step, tarn_plan_query(plan, &info));
    int file = memfd_create("plan", MFD_CLOEXEC);
    CHECK(step, file >= 0 && write(file, info.bytes, info.byte_count) == (ssize_t)info.byte_count);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    INSIST(step, tarn_plan_load(path, &loaded));
    (void)close(file);
    tarn_plan_destroy(plan);
    return loaded;
}

void pool_open(struct step *step, struct pool *pool) {
    pool->device = (int)draw_below(&step->draw, DEVICES);
    pool->range = 0;
    pool->allocs = pool->frees = 0;
    memset(pool->naps, 0, sizeof pool->naps);
    pool->desc = (tarn_pool_desc)TARN_INIT(tarn_pool_desc);
    pool->desc.device = step->world->devices[pool->device];
    pool->desc.user = 7 + (uint64_t)(pool - step->world->pools);
    tarn_plan *plan = pass_through_file(step, draw_desc(step, pool));
    pool->desc.plan = plan;
    INSIST(step, tarn_pool_create(&pool->desc, &pool->pool));
    tarn_plan_destroy(plan);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    CHECK(step, tarn_pool_query(pool->pool, &info) == TARN_OK);
    CHECK(step, info.user == pool->desc.user && info.kind == pool->desc.kind);
    pool->rule = info.rule;
    pool->desc.plan = NULL;
    step_log(step, "pool %d: kind %d, policy %d, flags 0x%x, limit %" PRIu64 ", learns %d",
             (int)(pool - step->world->pools), (int)info.kind, (int)pool->desc.policy,
             pool->desc.flags, info.limit, pool->learns);
}

void pool_close(struct step *step, struct pool *pool) {
    uint64_t live = 0;
    for (int i = 0; i < BLOCKS; i++) live += pool->blocks[i].addr != 0;
    if (live > 0) {
        (void)EXPECT(step, tarn_pool_destroy(pool->pool), TARN_BUSY);
        for (int i = 0; i < BLOCKS; i++)
            if (pool->blocks[i].addr != 0) block_free(step, pool, &pool->blocks[i]);
    }
    pool_compare(step, pool);
    INSIST(step, tarn_pool_destroy(pool->pool));
    // Work may still use the range of a FIXED pool, also that of the other device.
    if (pool->range != 0) {
        stream_wait_all(step, (UINT32_C(1) << STREAMS) - 1);
        INSIST(step, tarn_memory_free(pool->range, 0));
    }
}

// ---- the comparison with the model. Under the pool's lock.

struct walk {
    struct step *step;
    struct pool *pool;
    uint64_t live, bytes;
    tarn_addr end;
    bool reported; // nothing of the model is called under the locks of the pool
};

static bool walk_block(const tarn_block *block, void *arg) {
    struct walk *walk = (struct walk *)arg;
    CHECK(walk->step, block->addr >= walk->end || walk->live + walk->bytes == 0);
    walk->end = block->addr + block->occupied;
    if (block->state != TARN_BLOCK_LIVE) return true;
    walk->live++;
    walk->bytes += block->bytes;
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &walk->pool->blocks[i];
        if (b->addr != block->addr) continue;
        CHECK(walk->step, b->bytes == block->bytes && b->tag == block->tag);
        CHECK(walk->step, block->usable >= b->bytes && (!block->asleep || b->asleep));
        CHECK(walk->step, block->user == b->user);
        return true;
    }
    step_fail(walk->step, "the pool has a live block at 0x%" PRIx64 ", the model has none",
              block->addr);
}

void pool_compare(struct step *step, struct pool *pool) {
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    struct walk walk = {.step = step, .pool = pool};
    uint64_t live = 0, bytes = 0, tags[TAGS][2] = {{0}};
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &pool->blocks[i];
        if (b->addr == 0) continue;
        live++;
        bytes += b->bytes;
        tags[b->tag][0]++;
        tags[b->tag][1] += b->bytes;
    }
    INSIST(step, tarn_pool_verify(pool->pool));
    INSIST(step, tarn_pool_query_stats(pool->pool, &stats));
    if (stats.live_blocks != live || stats.live_bytes != bytes)
        step_fail(step,
                  "the pool counts %" PRIu64 " blocks of %" PRIu64 " bytes, the model %" PRIu64
                  " of %" PRIu64,
                  stats.live_blocks, stats.live_bytes, live, bytes);
    if (stats.allocs != pool->allocs || stats.frees != pool->frees)
        step_fail(step,
                  "the pool counts %" PRIu64 " allocations and %" PRIu64
                  " frees, the model %" PRIu64 " and %" PRIu64,
                  stats.allocs, stats.frees, pool->allocs, pool->frees);
    CHECK(step, stats.peak_held_bytes >= stats.held_bytes);
    for (uint32_t tag = 0; tag < TAGS && !has_fence(pool); tag++) {
        tarn_pool_tag_stats of_tag = TARN_INIT(tarn_pool_tag_stats);
        INSIST(step, tarn_pool_query_tag_stats(pool->pool, tag, &of_tag));
        CHECK(step, of_tag.live_blocks == tags[tag][0] && of_tag.live_bytes == tags[tag][1]);
    }
    INSIST(step, tarn_pool_walk(pool->pool, walk_block, &walk));
    CHECK(step, walk.live == live && walk.bytes == bytes);
}

// ---- sleep and wake. Under the pool's lock.

static bool sleeps(const struct pool *pool) {
    return pool->desc.kind == TARN_POOL_EXPANDABLE && !has_fence(pool);
}

static void pool_sleep(struct step *step, struct pool *pool) {
    uint32_t tag = draw_below(&step->draw, TAGS);
    uint32_t flags = draw_one_in(&step->draw, 4) ? TARN_POOL_DISCARD : 0;
    uint64_t released = 0;
    for (int i = 0; i < BLOCKS; i++) { // the pool does not know these streams
        const struct block *b = &pool->blocks[i];
        if (b->addr != 0 && b->tag == tag) stream_wait_all(step, block_strangers(b));
    }
    tarn_status status = TRY(step, tarn_pool_sleep(pool->pool, tag, flags, &released));
    if (!sleeps(pool)) {
        (void)step_expect(step, status, TARN_UNSUPPORTED, "sleep");
    } else if (status == TARN_BUSY) {
        CHECK(step, pool->naps[tag]);
    } else if (step_expect(step, status, TARN_OK, "sleep")) {
        for (int i = 0; i < BLOCKS; i++) {
            struct block *b = &pool->blocks[i];
            if (b->addr == 0 || b->tag != tag) continue;
            b->asleep = true;
            if (flags != 0) b->content->id = 0;
        }
        pool->naps[tag] = true;
    }
}

static bool has_no_memory(const struct pool *pool, const struct block *b, uint32_t tag) {
    tarn_block found;
    return b->addr != 0 && b->tag == tag && b->asleep &&
           tarn_pool_query_block(pool->pool, b->addr, &found) == TARN_OK && found.asleep;
}

static void pool_wake(struct step *step, struct pool *pool, uint32_t tag) {
    bool slept[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) slept[i] = has_no_memory(pool, &pool->blocks[i], tag);
    tarn_status status = TRY(step, tarn_pool_wake(pool->pool, tag));
    // Other blocks may have got the memory.
    if (pool->naps[tag] && status == TARN_NO_DEVICE_MEMORY) return;
    if (!step_expect(step, status, sleeps(pool) ? TARN_OK : TARN_UNSUPPORTED, "wake") ||
        !sleeps(pool))
        return;
    for (int i = 0; i < BLOCKS; i++) {
        struct block *b = &pool->blocks[i];
        if (b->addr == 0 || !b->asleep || b->tag != tag) continue;
        b->asleep = false;
        if (slept[i]) block_announced(step, b->bytes);
        step_log(step, "block 0x%" PRIx64 " +0x%" PRIx64 " of tag %u is awake", b->addr, b->bytes,
                 tag);
        if (draw_one_in(&step->draw, 2))
            content_check(step, b->content, b->addr, b->bytes, stream_draw(step), pool->device);
    }
    pool->naps[tag] = false;
}

// ---- other calls

static void pool_reset(struct step *step, struct pool *pool) {
    stream_wait_all(step, (UINT32_C(1) << STREAMS) - 1);
    for (int i = 0; i < BLOCKS; i++)
        if (pool->blocks[i].addr != 0) {
            range_remove(step, pool->blocks[i].addr);
            block_forget(pool, &pool->blocks[i]);
            pool->frees -= !has_fence(pool); // only a fence counts them as frees
        }
    INSIST(step, tarn_pool_reset(pool->pool));
    memset(pool->naps, 0, sizeof pool->naps);
}

static void pool_trim(struct step *step, struct pool *pool) {
    uint32_t flags = draw_one_in(&step->draw, 2) ? TARN_NO_WAIT : 0;
    uint64_t keep = draw_below(&step->draw, 8) * MIB, released = 0;
    (void)EXPECT(step, tarn_pool_trim(pool->pool, keep, flags, &released), TARN_OK);
}

static void pool_set(struct step *step, struct pool *pool) {
    bool fixed = pool->desc.kind == TARN_POOL_FIXED;
    uint64_t limit = (4 + draw_below(&step->draw, 16)) * MIB;
    uint64_t threshold =
        draw_one_in(&step->draw, 2) ? UINT64_MAX : draw_below(&step->draw, 8) * MIB;
    bool selects = (pool->desc.flags & TARN_POOL_SELECT_REUSE) != 0;
    tarn_grant grants[DEVICES] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                                  {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ_WRITE}};
    switch (draw_below(&step->draw, 4)) {
    case 0:
        (void)EXPECT(step, tarn_pool_set_limit(pool->pool, limit),
                     fixed ? TARN_UNSUPPORTED : TARN_OK);
        break;
    case 1:
        (void)EXPECT(step, tarn_pool_set_release_threshold(pool->pool, threshold), TARN_OK);
        break;
    case 2:
        (void)EXPECT(step, tarn_pool_set_reuse(pool->pool, draw_below(&step->draw, 4)),
                     selects ? TARN_OK : TARN_UNSUPPORTED);
        break;
    default:
        if (sleeps(pool))
            (void)EXPECT(step, tarn_pool_set_access(pool->pool, grants, DEVICES), TARN_OK);
    }
}

// A snapshot replaces its file completely or not at all.
static void pool_snapshot(struct step *step, struct pool *pool) {
    char path[64], first = 0;
    tarn_snapshot_pool shown = {.pool = pool->pool};
    (void)snprintf(path, sizeof path, "/tmp/tarn-system-%d-%u", (int)getpid(), step->number);
    FILE *file = fopen(path, "w");
    CHECK(step, file != NULL && fputc('-', file) == '-' && fclose(file) == 0);
    tarn_status status = TRY(step, tarn_snapshot_save(&shown, 1, path));
    file = fopen(path, "r");
    CHECK(step, file != NULL && fread(&first, 1, 1, file) == 1 && fclose(file) == 0);
    CHECK(step, unlink(path) == 0);
    if (step_expect(step, status, TARN_OK, "snapshot"))
        CHECK(step, first != '-'); // a pickle
    else
        CHECK(step, first == '-');
}

static void pool_as_a_whole(struct step *step, struct pool *pool, unsigned action) {
    (void)pthread_rwlock_wrlock(&pool->lock);
    if (action < 6) {
        pool_sleep(step, pool);
    } else if (action < 12) {
        uint32_t tag = draw_below(&step->draw, TAGS);
        for (uint32_t i = 0; i < TAGS && !pool->naps[tag]; i++) tag = (tag + 1) % TAGS;
        pool_wake(step, pool, tag);
    } else if (action < 15) {
        pool_compare(step, pool);
    } else if (action < 16) {
        pool_reset(step, pool);
    } else if (action < 17) {
        pool_close(step, pool);
        pool_open(step, pool);
    } else if (pool->learns) {
        pool_pass(step, pool);
    } else {
        block_step(step, pool);
    }
    (void)pthread_rwlock_unlock(&pool->lock);
}

void pool_step(struct step *step) {
    struct pool *pool = &step->world->pools[draw_below(&step->draw, POOLS)];
    unsigned action = draw_below(&step->draw, 128);
    if (action < 24) {
        pool_as_a_whole(step, pool, action);
        return;
    }
    (void)pthread_rwlock_rdlock(&pool->lock);
    if (action < 28)
        pool_trim(step, pool);
    else if (action < 32)
        pool_set(step, pool);
    else if (action < 33)
        pool_snapshot(step, pool);
    else
        block_step(step, pool);
    (void)pthread_rwlock_unlock(&pool->lock);
}
