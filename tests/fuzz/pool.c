// SPDX-License-Identifier: Apache-2.0
// Sequences of pool operations beside a naive model: a list of live blocks, and a list of freed
// ranges with the streams that may still use them. The first bytes choose the kind of pool, its
// rule, the number of streams, whether it learns a plan or follows one of the same requests, and which
// call of its source fails. After every operation no two
// live blocks overlap, a refused request has left the pool with no more memory than before, each lies where it may and is backed, no block lies where another stream may
// still work, the statistics match the model, and the pool's own check holds.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/rule.h"
#include "unit/core/pool/fake.h"

enum { BLOCKS = 96, STREAMS_MAX = 300, STEPS = 800, HEAD = 6, OP = 4, FREED_MAX = 4096, TAGS = 16 };

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

// A set of streams. Stream 0, the host's own order, is never waited for.
struct streams {
    uint8_t bits[(STREAMS_MAX + 8) / 8];
};

struct block {
    tarn_addr addr; // 0: none
    uint64_t bytes;
    uint64_t occupied;
    struct streams users;
    unsigned stream;
    unsigned tag;
    bool asleep;
};

// A range that was freed while streams may still use it.
struct freed {
    tarn_addr addr;
    uint64_t bytes;
    struct streams users;
};

struct world {
    tarn_plan *plan; // until the pool has it
    bool plans;      // the pool learns or follows a plan
    tarn_pool *pool;
    struct fake *fake; // NULL: a fixed range
    tarn_rule rule;
    tarn_addr base;
    uint64_t bytes;
    uint64_t limit;   // 0: none
    unsigned streams; // streams are 0 to this number
    struct block blocks[BLOCKS];
    uint64_t live; // blocks
    uint64_t live_bytes;
    struct freed freed[FREED_MAX];
    size_t freed_count;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- sets of streams

static void streams_add(struct streams *set, unsigned stream) {
    if (stream != 0) set->bits[stream / 8] |= (uint8_t)(1u << stream % 8);
}

static void streams_remove(struct streams *set, unsigned stream) {
    set->bits[stream / 8] &= (uint8_t) ~(1u << stream % 8);
}

static bool streams_empty(const struct streams *set) {
    static const struct streams none;
    return memcmp(set, &none, sizeof none) == 0;
}

// Returns true if no stream but `stream` is in the set.
static bool streams_only(struct streams set, unsigned stream) {
    streams_remove(&set, stream);
    return streams_empty(&set);
}

// ---- freed ranges

static void freed_add(struct world *w, tarn_addr addr, uint64_t bytes,
                      const struct streams *users) {
    if (bytes != 0 && !streams_empty(users)) {
        MUST(w->freed_count < FREED_MAX);
        w->freed[w->freed_count++] = (struct freed){addr, bytes, *users};
    }
}

static void freed_drop(struct world *w, size_t index) {
    w->freed[index] = w->freed[--w->freed_count];
}

// A block of `stream` was placed at [addr, addr + bytes): the work of all others there is over.
static void freed_reuse(struct world *w, tarn_addr addr, uint64_t bytes, unsigned stream) {
    for (size_t i = w->freed_count; i-- > 0;) {
        struct freed old = w->freed[i];
        if (old.addr >= addr + bytes || addr >= old.addr + old.bytes) continue;
        MUST(streams_only(old.users, stream));
        freed_drop(w, i);
        if (old.addr < addr) freed_add(w, old.addr, addr - old.addr, &old.users);
        if (old.addr + old.bytes > addr + bytes)
            freed_add(w, addr + bytes, old.addr + old.bytes - addr - bytes, &old.users);
    }
}

static void freed_pass(struct world *w, unsigned stream) {
    for (size_t i = w->freed_count; i-- > 0;) {
        streams_remove(&w->freed[i].users, stream);
        if (streams_empty(&w->freed[i].users)) freed_drop(w, i);
    }
}

// ---- the pools

static uint64_t size_from(const uint8_t *op) {
    static const uint64_t scale[] = {1, 16, 300, 5000};
    return 1 + (op[2] | (uint64_t)(op[1] & 1) << 8) * scale[op[3] & 3];
}

static unsigned stream_from(const struct world *w, unsigned byte, unsigned more) {
    return (byte + (more << 8)) % (w->streams + 1);
}

// A plan of the requests that the operations make, with lifetimes of its own.
static void begin_plan(struct world *w, const uint8_t *data, size_t size, tarn_pool_desc *desc) {
    static tarn_plan_block blocks[STEPS];
    tarn_plan_desc how = TARN_INIT(tarn_plan_desc);
    w->plan = NULL;
    w->plans = data[1] >= 0x40;
    if ((data[1] & 0x40) != 0) desc->flags |= TARN_POOL_LEARN;
    if ((data[1] & 0xc0) != 0x80) return;
    for (size_t i = HEAD; i + OP <= size && i < STEPS * OP; i += OP) {
        const uint8_t *op = data + i;
        if (op[0] % 8 == 7) continue;
        blocks[how.count++] =
            (tarn_plan_block){size_from(op), i, i + 1 + op[1] % 64,
                              stream_from(w, op[3] >> 2, op[0] >> 4 & 3), op[3] >> 4};
    }
    how.blocks = blocks;
    how.rule = w->rule;
    how.limit_steps = 1;
    if (tarn_plan_create(&how, &w->plan) == TARN_OK) desc->plan = w->plan;
}

static bool begin_fixed(struct world *w, const uint8_t *head, size_t size) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    begin_plan(w, head, size, &desc);
    w->base = FIXED_BASE + (head[2] & 0x80 ? head[3] : 0);
    w->bytes = (head[0] & 1 ? FIXED_BYTES : TINY_BYTES) - head[4];
    desc.kind = TARN_POOL_FIXED;
    desc.rule = w->rule;
    desc.base = w->base;
    desc.bytes = w->bytes;
    tarn_status status = tarn_pool_create(&desc, &w->pool);
    tarn_plan_destroy(w->plan);
    return status == TARN_OK;
}

static bool begin_growing(struct world *w, const uint8_t *head, size_t size) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    begin_plan(w, head, size, &desc);
    w->fake = fake_new(head[0] & 1 ? PAGE : 0, (16 + head[4]) * PAGE);
    MUST(w->fake != NULL);
    w->fake->fail_at = head[3];
    w->fake->exact = (head[5] & 0x40) != 0;
    desc.kind = head[0] & 1 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.rule = w->rule;
    desc.policy = (tarn_pool_policy)(head[2] % 3);
    desc.segment_bytes = UINT64_C(1) << 20;
    tarn_status status = tn_pool_create_over(&desc, &w->fake->source, NULL, &w->pool);
    tarn_plan_destroy(w->plan);
    return status == TARN_OK;
}

static bool has_pages(const struct world *w) {
    return w->fake != NULL && w->fake->source.ops->map != NULL;
}

static tarn_pool_stats stats_of_world(const struct world *w) {
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    MUST(tarn_pool_query_stats(w->pool, &stats) == TARN_OK);
    return stats;
}

static uint64_t held_bytes(const struct world *w) {
    return tn_load_relaxed(&w->fake->source.held_bytes);
}

struct held {
    uint64_t bytes;
    uint64_t peak;
};

static struct held held_of(const struct world *w) {
    const tarn_pool_stats stats = stats_of_world(w);
    return (struct held){stats.held_bytes, stats.peak_held_bytes};
}

// ---- blocks

static bool is_apart(const struct world *w, tarn_addr addr, uint64_t occupied) {
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &w->blocks[i];
        if (b->addr != 0 && addr < b->addr + b->occupied && b->addr < addr + occupied) return false;
    }
    return true;
}

static void check_place(struct world *w, const struct block *b, uint64_t alignment) {
    uint64_t offset = b->addr - w->base;
    MUST(is_apart(w, b->addr, b->occupied));
    MUST(b->addr % w->rule.start == 0 && (alignment == 0 || b->addr % alignment == 0));
    if (w->fake == NULL)
        MUST(offset < w->bytes && b->occupied <= w->bytes - offset);
    else if (has_pages(w))
        MUST(fake_is_backed(w->fake, b->addr, b->occupied));
}

// A refusal may have released free memory, and has added none.
static void check_refusal(const struct world *w, struct held before) {
    const struct held now = held_of(w);
    MUST(now.bytes <= before.bytes && now.peak == before.peak);
}

static void allocate(struct world *w, struct block *b, const uint8_t *op) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    struct block made = {.bytes = size_from(op)};
    unsigned stream = stream_from(w, op[3] >> 2, op[0] >> 4 & 3);
    request.bytes = made.bytes;
    request.stream = stream;
    request.tag = op[3] >> 4;
    request.alignment = op[0] & 0x40 ? UINT64_C(1) << op[1] % 18 : 0;
    const struct held before = held_of(w);
    tarn_status status = tarn_pool_alloc_with(w->pool, &request, &made.addr);
    if (status != TARN_OK) {
        MUST(status == TARN_NO_DEVICE_MEMORY && made.addr == 0);
        check_refusal(w, before);
        return;
    }
    made.occupied = tn_rule_occupied(&w->rule, made.bytes);
    check_place(w, &made, request.alignment);
    freed_reuse(w, made.addr, made.bytes, stream);
    streams_add(&made.users, stream);
    made.stream = stream;
    made.tag = request.tag;
    *b = made;
    w->live++;
    w->live_bytes += b->bytes;
}

static void forget(struct world *w, struct block *b) {
    w->live--;
    w->live_bytes -= b->bytes;
    memset(b, 0, sizeof *b);
}

static void release(struct world *w, struct block *b) {
    tarn_block found;
    MUST(tarn_pool_query_block(w->pool, b->addr + b->bytes - 1, &found) == TARN_OK);
    MUST(found.addr == b->addr && found.bytes == b->bytes && found.occupied >= b->occupied);
    MUST(tarn_pool_free(w->pool, b->addr + 1) == TARN_BAD_ADDRESS);
    MUST(tarn_pool_free(w->pool, b->addr) == TARN_OK);
    MUST(tarn_pool_free(w->pool, b->addr) == TARN_BAD_ADDRESS);
    // Nothing may access a block between sleep and wake, so streams added meanwhile did not use it.
    if (!b->asleep) freed_add(w, b->addr, b->bytes, &b->users);
    forget(w, b);
}

static void use_on(struct world *w, struct block *b, unsigned stream) {
    tarn_status status = tarn_pool_used_on(w->pool, b->addr, stream);
    if (b->addr == 0) {
        MUST(status == TARN_BAD_ADDRESS);
    } else {
        MUST(status == TARN_OK);
        streams_add(&b->users, stream);
    }
}

// A block may also take what its rule left behind it.
static void extend(struct world *w, struct block *b, uint64_t more) {
    struct block grown = *b;
    grown.bytes += more;
    grown.occupied = tn_rule_occupied(&w->rule, grown.bytes);
    const struct held before = held_of(w);
    tarn_status status = tarn_pool_extend(w->pool, b->addr, grown.bytes);
    if (status != TARN_OK) check_refusal(w, before);
    MUST((b->addr == 0) == (status == TARN_BAD_ADDRESS));
    if (status == TARN_OK) {
        b->addr = 0; // so that it is not its own neighbour
        check_place(w, &grown, 0);
        freed_reuse(w, grown.addr + b->bytes, more, grown.stream);
        w->live_bytes += more;
        *b = grown;
    }
}

// ---- operations on the pool

static void pass(struct world *w, unsigned stream) {
    MUST(tarn_pool_passed(w->pool, stream) == TARN_OK);
    freed_pass(w, stream);
}

static void trim(struct world *w, uint64_t keep, uint32_t flags) {
    uint64_t before = w->fake != NULL ? held_bytes(w) : 0, released = 0;
    MUST(tarn_pool_trim(w->pool, keep, flags, &released) == TARN_OK);
    MUST(w->fake == NULL || held_bytes(w) == before - released);
}

static void reset(struct world *w) {
    MUST(tarn_pool_reset(w->pool) == TARN_OK);
    for (int i = 0; i < BLOCKS; i++)
        if (w->blocks[i].addr != 0) forget(w, &w->blocks[i]);
    w->freed_count = 0;
}

// Memory above the new limit stays until a trim.
static void limit(struct world *w, uint64_t bytes) {
    tarn_status status = tarn_pool_set_limit(w->pool, bytes);
    MUST(status == (w->fake != NULL ? TARN_OK : TARN_UNSUPPORTED));
    w->limit = w->fake == NULL || bytes == 0 || bytes > held_bytes(w) ? bytes : held_bytes(w);
}

// The work on blocks that fall asleep has passed; that is what sleep waits for on a device. So has
// earlier work of their streams on the bytes that the rule adds to them, or their place in a plan.
static void sleep_tag(struct world *w, unsigned tag, uint32_t flags) {
    tarn_status status = tarn_pool_sleep(w->pool, tag, flags, NULL);
    MUST(has_pages(w) || status == TARN_UNSUPPORTED);
    for (int i = 0; i < BLOCKS && status == TARN_OK; i++) {
        struct block *b = &w->blocks[i];
        tarn_block found = {0};
        if (b->addr != 0 && b->tag == tag) {
            MUST(tarn_pool_query_block(w->pool, b->addr, &found) == TARN_OK);
            b->asleep = found.asleep;
            if (!b->asleep) continue;
            memset(&b->users, 0, sizeof b->users);
            freed_reuse(w, b->addr, found.occupied, b->stream);
        }
    }
}

static void wake_tag(struct world *w, unsigned tag) {
    const struct held before = held_of(w);
    tarn_status status = tarn_pool_wake(w->pool, tag);
    MUST(has_pages(w) || status == TARN_UNSUPPORTED);
    if (status != TARN_OK) check_refusal(w, before);
    for (int i = 0; i < BLOCKS && status == TARN_OK; i++)
        w->blocks[i].asleep = w->blocks[i].asleep && w->blocks[i].tag != tag;
}

static void operate(struct world *w, const uint8_t *op) {
    struct block *b = &w->blocks[op[2] % BLOCKS];
    unsigned stream = stream_from(w, op[3], op[1] >> 4 & 1);
    switch (op[1] % 16) {
    case 0: trim(w, op[3] * PAGE, op[2] & 1 ? TARN_NO_WAIT : 0); break;
    case 1: reset(w); break;
    case 2: limit(w, op[3] * PAGE * 2); break;
    case 3: // a call of the source that comes soon fails, or a pass begins
        if (op[2] % 4 == 0)
            (void)tarn_pool_mark(w->pool);
        else if (w->fake != NULL)
            w->fake->fail_at = w->fake->calls + 1 + op[3] % 8;
        break;
    case 4:
    case 5:
    case 6:
    case 7: pass(w, stream); break;
    case 8: sleep_tag(w, op[2] % TAGS, op[3] & 1 ? TARN_POOL_DISCARD : 0); break;
    case 9: wake_tag(w, op[2] % TAGS); break;
    case 10:
    case 11: extend(w, b, size_from(op)); break;
    default: use_on(w, b, stream);
    }
}

static void step(struct world *w, const uint8_t *op) {
    struct block *b = &w->blocks[(op[1] | (unsigned)(op[0] & 0x80) << 1) % BLOCKS];
    if (op[0] % 8 == 7)
        operate(w, op);
    else if (b->addr == 0)
        allocate(w, b, op);
    else
        release(w, b);
}

static void check_world(struct world *w) {
    MUST(tarn_pool_verify(w->pool) == TARN_OK);
    const tarn_pool_stats stats = stats_of_world(w);
    MUST(stats.live_blocks == w->live && stats.live_bytes == w->live_bytes);
    MUST(stats.used_bytes >= w->live_bytes);
    MUST(w->fake == NULL || stats.held_bytes == held_bytes(w));
    MUST(w->fake == NULL || w->limit == 0 || stats.held_bytes <= w->limit);
    for (int i = 0; i < BLOCKS && has_pages(w); i++) {
        const struct block *b = &w->blocks[i];
        MUST(b->addr == 0 || b->asleep || fake_is_backed(w->fake, b->addr, b->occupied));
    }
    // Work may still access these ranges, so their pages must not have moved.
    for (size_t i = 0; i < w->freed_count && has_pages(w); i++)
        MUST(fake_is_backed(w->fake, w->freed[i].addr, w->freed[i].bytes));
}

// Once everything is freed and passed, a fixed pool can fill its whole range again, and another one
// holds nothing.
static void end_world(struct world *w) {
    for (int i = 0; i < BLOCKS; i++)
        if (w->blocks[i].addr != 0) release(w, &w->blocks[i]);
    // Twice: a block used elsewhere then still waits for its own stream. The memory of a plan counts as
    // freed when it returns to the pool.
    for (unsigned s = 0; s < 2 * w->streams; s++) pass(w, 1 + s % w->streams);
    if (w->fake != NULL) w->fake->fail_at = 0;
    trim(w, 0, 0);
    if (w->plans) {
        for (unsigned s = 0; s < 2 * w->streams; s++) pass(w, 1 + s % w->streams);
        trim(w, 0, 0);
    }
    check_world(w);
    MUST(w->freed_count == 0);
    if (w->fake != NULL) {
        MUST(held_bytes(w) == 0);
    } else {
        uint64_t start = (w->base + w->rule.start - 1) / w->rule.start * w->rule.start, bytes;
        tarn_addr addr = 0;
        for (bytes = w->base + w->bytes - start;
             tn_rule_occupied(&w->rule, bytes) > w->base + w->bytes - start;)
            bytes--;
        MUST(tarn_pool_alloc(w->pool, bytes, 0, &addr) == TARN_OK);
        MUST(tarn_pool_free(w->pool, addr) == TARN_OK);
    }
    MUST(tarn_pool_destroy(w->pool) == TARN_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned streams[] = {1, 3, 20, STREAMS_MAX};
    static struct world w; // too large for the stack
    memset(&w, 0, sizeof w);
    if (size < HEAD) return 0;
    w.streams = streams[data[5] % 4];
    MUST(tarn_rule_get((tarn_rule_name)(data[1] % TARN_RULE_COUNT), &w.rule) == TARN_OK);
    if (!(data[0] & 2 ? begin_growing(&w, data, size) : begin_fixed(&w, data, size))) {
        free(w.fake);
        return 0;
    }
    for (size_t i = HEAD; i + OP <= size && i < STEPS * OP; i += OP) {
        step(&w, data + i);
        check_world(&w);
    }
    end_world(&w);
    return 0;
}
