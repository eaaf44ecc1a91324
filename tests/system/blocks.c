// SPDX-License-Identifier: Apache-2.0
// See blocks.h. A block is used by several streams: the pool knows its own stream and those of
// tarn_pool_used_on(), and a free waits for any other.
#include "system/blocks.h"

#include <inttypes.h>

static uint32_t bit(int stream) { return stream == NO_STREAM ? 0 : UINT32_C(1) << stream; }

uint32_t block_strangers(const struct block *b) {
    return content_users(b->content) & ~(bit(b->stream) | b->used);
}

static tarn_stream stream_of(const struct step *step, int stream) {
    return stream == NO_STREAM ? 0 : step->world->streams[stream];
}

// ---- allocation and free

static void check_place(struct step *step, const struct pool *pool, const struct block *b,
                        uint64_t alignment) {
    tarn_block found;
    tarn_address_info info = TARN_INIT(tarn_address_info);
    bool exact = (pool->desc.flags & TARN_POOL_FENCE_EXACT) != 0;
    CHECK(step, exact || b->addr % pool->rule.start == 0 || pool->range != 0);
    CHECK(step, alignment == 0 || b->addr % alignment == 0);
    CHECK(step, tarn_pool_query_block(pool->pool, b->addr + b->bytes / 2, &found) == TARN_OK);
    CHECK(step, found.addr == b->addr && found.bytes == b->bytes && found.tag == b->tag);
    CHECK(step, found.stream == stream_of(step, b->stream) && found.user == b->user);
    CHECK(step, tarn_address_query(b->addr + b->bytes - 1, &info) == TARN_OK);
    if (pool->desc.kind == TARN_POOL_FIXED) return;
    CHECK(step, info.pool == pool->pool && info.pool_user == pool->desc.user);
    CHECK(step, info.block == b->addr && info.block_bytes == b->bytes);
    CHECK(step, info.location.id == pool->device && info.owner == TARN_OWNER_POOL);
}

// A refusal is explained.
static void check_refusal(struct step *step, struct pool *pool, uint64_t bytes) {
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    INSIST(step, tarn_pool_explain(pool->pool, &report));
    CHECK(step, !step->world->turns || report.requested == bytes);
    CHECK(step, report.refusals > 0 && report.cause != 0);
}

bool block_alloc(struct step *step, struct pool *pool, struct block *b, tarn_pool_request *request,
                 int stream) {
    tarn_addr addr = 0;
    request->stream = stream_of(step, stream);
    request->user = draw_next(&step->draw);
    tarn_status status = TRY(step, tarn_pool_alloc_with(pool->pool, request, &addr));
    if (status == TARN_NO_DEVICE_MEMORY && !step->excused)
        check_refusal(step, pool, request->bytes);
    if (status == TARN_NO_DEVICE_MEMORY || !step_expect(step, status, TARN_OK, "alloc"))
        return false;
    range_add(step, addr, request->bytes);
    pool->allocs++;
    block_announced(step, request->bytes);
    b->addr = addr;
    b->bytes = request->bytes;
    b->tag = request->tag;
    b->user = (pool->desc.flags & TARN_POOL_USER_WORDS) != 0 ? request->user : 0;
    b->stream = stream;
    b->used = 0;
    b->asleep = false;
    b->content = content_new(step, stream); // work of an earlier block may be pending there
    check_place(step, pool, b, request->alignment);
    step_log(step, "block 0x%" PRIx64 " +0x%" PRIx64 " of pool %d, tag %u, stream %d", b->addr,
             b->bytes, (int)(pool - step->world->pools), b->tag, stream);
    return true;
}

void block_forget(struct pool *pool, struct block *b) {
    content_drop(b->content);
    b->addr = 0;
    pool->frees++;
}

// Frees a block that at most one stream uses without the pool's knowledge. Returns true if it did.
static bool free_on(struct step *step, struct pool *pool, const struct block *b,
                    uint32_t strangers) {
    int last = strangers == 0 ? stream_draw(step) : NO_STREAM;
    if ((strangers & (strangers - 1)) != 0) return false;
    for (int s = 0; s < STREAMS; s++)
        if ((strangers >> s & 1) != 0) last = s;
    return EXPECT(step, tarn_pool_free_on(pool->pool, b->addr, stream_of(step, last)), TARN_OK);
}

void block_free(struct step *step, struct pool *pool, struct block *b) {
    uint32_t strangers = block_strangers(b);
    tarn_addr addr = b->addr;
    range_remove(step, addr); // as soon as it is free, another thread may get the memory
    if (!draw_one_in(&step->draw, 2) || !free_on(step, pool, b, strangers)) {
        if (b->stream == NO_STREAM || draw_one_in(&step->draw, 2))
            stream_wait_all(step, strangers);
        else if (strangers != 0)
            content_order(step, b->content, b->stream, false);
        tarn_status status = TRY(step, tarn_pool_free(pool->pool, addr));
        if (status != TARN_OK) step_fail(step, "free: %s", tarn_status_name(status));
    }
    block_forget(pool, b);
    if (draw_one_in(&step->draw, 8) && step->world->turns)
        (void)EXPECT(step, tarn_pool_free(pool->pool, addr), TARN_BAD_ADDRESS);
}

// ---- steps

static void draw_alloc(struct step *step, struct pool *pool, struct block *b) {
    struct draw *d = &step->draw;
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    unsigned kind = draw_below(d, 20);
    unsigned low = kind < 9 ? 4 : kind < 17 ? 14 : kind < 19 ? 17 : 20;
    uint64_t power = UINT64_C(1) << (low + draw_below(d, kind < 9 ? 10 : kind < 19 ? 3 : 2));
    request.bytes = power + draw_next(d) % power / 4 * 4;
    request.tag = draw_below(d, TAGS);
    if (draw_one_in(d, 8)) request.alignment = UINT64_C(1) << draw_below(d, 22);
    int stream = stream_draw(step);
    if (block_alloc(step, pool, b, &request, stream) && !draw_one_in(d, 4))
        content_write(step, b->content, b->addr, b->bytes, stream, pool->device);
}

// Selects a stream for work on the block. The pool may not get to know it.
static int draw_user(struct step *step, struct pool *pool, struct block *b) {
    int stream = draw_one_in(&step->draw, 2) ? b->stream : stream_draw(step);
    if (stream != NO_STREAM && stream != b->stream && draw_one_in(&step->draw, 2) &&
        EXPECT(step, tarn_pool_used_on(pool->pool, b->addr, step->world->streams[stream]), TARN_OK))
        b->used |= bit(stream);
    return stream;
}

static void block_extend(struct step *step, struct pool *pool, struct block *b) {
    uint64_t bytes = b->bytes + (1 + draw_below(&step->draw, 4)) * (b->bytes / 16 * 4);
    // The new bytes belong to the block's own stream.
    content_order(step, b->content, b->stream, false);
    tarn_status status = TRY(step, tarn_pool_extend(pool->pool, b->addr, bytes));
    if (has_fence(pool))
        (void)step_expect(step, status, TARN_UNSUPPORTED, "extend");
    else if (status == TARN_OK) {
        range_extend(step, b->addr, bytes);
        block_announced(step, bytes);
        b->bytes = bytes;
        b->content->id = 0;
        b->content->writer = b->stream;
        b->content->readers = 0;
        content_write(step, b->content, b->addr, b->bytes, b->stream, pool->device);
    } else if (status != TARN_NO_ADDRESS_SPACE && status != TARN_NO_DEVICE_MEMORY) {
        (void)step_expect(step, status, TARN_OK, "extend");
    }
}

static void block_copy(struct step *step, struct pool *pool, struct block *b) {
    struct block *from = &pool->blocks[draw_below(&step->draw, BLOCKS)];
    if (atomic_flag_test_and_set(&from->taken)) return;
    if (from->addr != 0 && !from->asleep && from->bytes >= b->bytes && b->bytes >= 4) {
        int stream = draw_user(step, pool, b);
        content_copy(step, b->content, b->addr, from->content, from->addr, b->bytes, stream,
                     pool->device);
    }
    atomic_flag_clear(&from->taken);
}

// The bytes of a block by the key of its segment.
static void block_export(struct step *step, struct pool *pool, struct block *b) {
    bool can = pool->desc.kind == TARN_POOL_SEGMENTS;
    tarn_key key;
    uint64_t offset = 0;
    tarn_addr other = 0;
    content_settle(step, b->content);
    if (!EXPECT(step, tarn_pool_export(pool->pool, b->addr, &key, &offset),
                can ? TARN_OK : TARN_UNSUPPORTED) ||
        !can || !EXPECT(step, tarn_memory_import(pool->desc.device, &key, &other), TARN_OK))
        return;
    content_check(step, b->content, other + offset, b->bytes, NO_STREAM, pool->device);
    INSIST(step, tarn_memory_free(other, 0));
}

// Calls that must be refused and change nothing.
static void block_misuse(struct step *step, struct pool *pool, struct block *b) {
    tarn_addr addr = 0;
    if (b->bytes > 1)
        (void)EXPECT(step, tarn_pool_free(pool->pool, b->addr + b->bytes / 2), TARN_BAD_ADDRESS);
    (void)EXPECT(step, tarn_pool_alloc(pool->pool, 0, 0, &addr), TARN_BAD_ARGUMENT);
    (void)EXPECT(step, tarn_pool_alloc(pool->pool, 64, UINT64_MAX, &addr), TARN_BAD_HANDLE);
    if (pool->desc.kind == TARN_POOL_EXPANDABLE) {
        (void)EXPECT(step, tarn_unmap(b->addr / PAGE * PAGE, PAGE, 0), TARN_BAD_ADDRESS);
        (void)EXPECT(step, tarn_memory_free(b->addr, 0), TARN_BAD_ADDRESS);
    }
    CHECK(step, addr == 0);
}

void block_step(struct step *step, struct pool *pool) {
    struct block *b = &pool->blocks[draw_below(&step->draw, BLOCKS)];
    unsigned action = draw_below(&step->draw, 20);
    if (atomic_flag_test_and_set(&b->taken)) return;
    if (b->addr == 0) {
        draw_alloc(step, pool, b);
    } else if (action < 7) {
        if (!b->asleep && draw_one_in(&step->draw, 3))
            content_check(step, b->content, b->addr, b->bytes, stream_draw(step), pool->device);
        block_free(step, pool, b);
    } else if (b->asleep) {
        // Nothing may use it.
    } else if (action < 10) {
        content_write(step, b->content, b->addr, b->bytes, draw_user(step, pool, b), pool->device);
    } else if (action < 15) {
        content_check(step, b->content, b->addr, b->bytes, draw_user(step, pool, b), pool->device);
    } else if (action < 17) {
        block_copy(step, pool, b);
    } else if (action < 18) {
        block_extend(step, pool, b);
    } else if (action < 19) {
        block_export(step, pool, b);
    } else {
        block_misuse(step, pool, b);
    }
    atomic_flag_clear(&b->taken);
}
