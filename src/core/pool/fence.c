// SPDX-License-Identifier: Apache-2.0
// An electric fence: pools in which each block has pages of its own, for finding errors. The block
// lies at the end of its pages. The next page is never mapped, and after the free nothing is mapped
// there, so that a stray access faults at once. Addresses of freed blocks are used again only when
// the whole reservation has been used. The pool's growth lock guards the records. Any thread.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "algo/interval.h"
#include "algo/rule.h"
#include "base/error.h"
#include "base/variable.h"
#include "core/address/notify.h"
#include "core/pool/notify.h"
#include "core/pool/owner.h"
#include "core/pool/pool.h"

#define RANGE_MAX (UINT64_C(256) << 30) // address space if the description has no size
#define RANGE_MIN (UINT64_C(1) << 30)

enum { CANARY = 0xfb, CHUNK = 4096 };

// Pages [first, first + bytes) with the block at their end, then a page without memory.
struct fenced {
    tarn_addr first;
    uint64_t page_bytes;
    tarn_addr addr; // the block's
    uint64_t bytes;
    tarn_phys phys;
    tarn_stream stream;
    uint32_t tag;
    uint64_t user;
    bool ending;         // freed; waits for its streams
    bool canary;         // the bytes around the block are filled
    tn_pool_waits waits; // the first is for `stream`, if that is not 0
    struct fenced *next; // in the list of ending blocks
};

struct tn_pool_fence {
    tn_pool_owner owner; // first, so that a query leads here
    tarn_device *device;
    tarn_addr base;
    uint64_t bytes;
    uint64_t granule; // bytes of a page
    bool exact;
    tarn_grant *grants; // NULL: the device's own
    size_t grant_count;
    tarn_addr cursor; // the range is used from here on, then from its start
    struct tn_interval blocks;
    struct fenced *ending;
    tarn_pool_stats stats;
};

static uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

// ---- which pools

tarn_status tn_fence_wanted(const tarn_pool_desc *desc, uint32_t *flags) {
    bool can = desc->kind != TARN_POOL_FIXED && desc->device != NULL &&
               tn_device_usable(desc->device) == TARN_OK &&
               (desc->device->caps.features & TARN_FEATURE_VMM) != 0;
    *flags = desc->flags & (TARN_POOL_FENCE | TARN_POOL_FENCE_EXACT);
    if (*flags != 0) {
        return can ? TARN_OK
                   : tn_fail(TARN_UNSUPPORTED, "a fence needs a device that maps pages and a pool "
                                               "that is not FIXED");
    }
    enum { NONE, FENCE, EXACT }; // the words of the variable
    char why[256];
    TN_REFUSE(can && !tn_variables_check("", why, sizeof why), TARN_BAD_CONFIG, "%s", why);
    uint64_t wish = can ? tn_variable_value("TARN_POOL_FENCE", NONE) : NONE;
    if (wish != NONE) *flags = TARN_POOL_FENCE | (wish == EXACT ? TARN_POOL_FENCE_EXACT : 0);
    return TARN_OK;
}

// ---- creation

tarn_status tn_fence_create(tarn_pool_desc *desc, uint32_t flags, struct tn_pool_fence **fence) {
    struct tn_pool_fence *f = (struct tn_pool_fence *)calloc(1, sizeof *f);
    TN_REFUSE(f == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a fence");
    f->device = desc->device;
    f->granule = desc->device->platform->granularity;
    f->exact = (flags & TARN_POOL_FENCE_EXACT) != 0;
    tn_interval_init(&f->blocks);
    tn_pool_owner_init(&f->owner);
    tarn_status status = TARN_OK;
    if (desc->grant_count != 0) {
        size_t bytes = desc->grant_count * sizeof *f->grants;
        f->grants = (tarn_grant *)malloc(bytes);
        if (f->grants == NULL)
            status = tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for grants");
        else
            memcpy(f->grants, desc->grants, bytes);
        f->grant_count = desc->grant_count;
    }
    if (status == TARN_OK) {
        tn_emit_for_pool(true);
        uint64_t wished = desc->kind == TARN_POOL_EXPANDABLE ? desc->bytes : 0;
        uint64_t bytes = round_up(wished != 0 ? wished : RANGE_MAX, f->granule);
        do {
            status = tn_owner_reserve(&f->owner.base, f->device, bytes, f->granule, 0, &f->base);
            f->bytes = bytes;
            bytes /= 2;
        } while (status == TARN_NO_ADDRESS_SPACE && wished == 0 && bytes >= RANGE_MIN);
        tn_emit_for_pool(false);
    }
    if (status != TARN_OK) {
        free(f->grants);
        free(f);
        return status;
    }
    f->cursor = f->base + f->granule;
    desc->kind = TARN_POOL_FIXED;
    desc->base = f->base;
    desc->bytes = f->bytes;
    *fence = f;
    return TARN_OK;
}

// ---- the bytes around a block

// Copies by a system call, which fails where this process may not access the bytes.
static bool move_bytes(tarn_addr at, void *bytes, size_t size, bool out) {
    struct iovec ours = {bytes, size};
    struct iovec there = {(void *)(uintptr_t)at, size};
    ssize_t moved = out ? process_vm_writev(getpid(), &ours, 1, &there, 1, 0)
                        : process_vm_readv(getpid(), &ours, 1, &there, 1, 0);
    return moved == (ssize_t)size;
}

static bool fill_canary(tarn_addr from, tarn_addr to) {
    unsigned char canary[CHUNK];
    memset(canary, CANARY, sizeof canary);
    for (; from < to; from += CHUNK)
        if (!move_bytes(from, canary, to - from < CHUNK ? to - from : CHUNK, true)) return false;
    return true;
}

__attribute__((noreturn, cold)) static void stop_process(const struct fenced *block, tarn_addr at,
                                                         unsigned found) {
    bool before = at < block->addr;
    (void)fprintf(
        stderr,
        "tarn: fence: the byte %llu %s block 0x%llx of %llu bytes was changed (expected "
        "%02x, found %02x), as seen when it was freed\n",
        (unsigned long long)(before ? block->addr - at : at - block->addr - block->bytes + 1),
        before ? "before" : "behind", (unsigned long long)block->addr,
        (unsigned long long)block->bytes, CANARY, found);
    abort();
}

static void check_bytes(const struct fenced *block, tarn_addr from, tarn_addr to) {
    unsigned char bytes[CHUNK];
    for (; from < to; from += CHUNK) {
        size_t size = to - from < CHUNK ? to - from : CHUNK;
        if (!move_bytes(from, bytes, size, false)) return;
        for (size_t i = 0; i < size; i++)
            if (bytes[i] != CANARY) stop_process(block, from + i, bytes[i]);
    }
}

// ---- allocation

static tarn_status find_range(struct tn_pool_fence *fence, uint64_t bytes, uint64_t alignment,
                              tarn_addr *first) {
    tarn_addr end = fence->base + fence->bytes;
    TN_REFUSE(bytes > fence->bytes ||
                  (!tn_interval_gap(&fence->blocks, fence->cursor, end, bytes, alignment, first) &&
                   !tn_interval_gap(&fence->blocks, fence->base + fence->granule, end, bytes,
                                    alignment, first)),
              TARN_NO_ADDRESS_SPACE, "no %llu bytes of addresses are left in the fence's %llu",
              (unsigned long long)bytes, (unsigned long long)fence->bytes);
    return TARN_OK;
}

static tarn_status map_block(struct tn_pool_fence *fence, struct fenced *block) {
    struct tn_owner *owner = &fence->owner.base;
    const tarn_grant own = {{TARN_LOCATION_DEVICE, fence->device->ordinal}, TARN_ACCESS_READ_WRITE};
    TN_TRY(tarn_phys_create(fence->device, block->page_bytes, NULL, &block->phys));
    const tarn_map_item item = {block->phys, block->page_bytes};
    tarn_status status = tn_owner_map(owner, block->first, &item, 1);
    if (status == TARN_OK) {
        status = tn_owner_set_access(owner, block->first, block->page_bytes,
                                     fence->grants != NULL ? fence->grants : &own,
                                     fence->grants != NULL ? fence->grant_count : 1);
        if (status != TARN_OK)
            (void)tn_owner_unmap(owner, block->first, block->page_bytes, TARN_NO_WAIT);
    }
    (void)tarn_phys_release(block->phys); // the mapping keeps the memory
    return status;
}

static tarn_status block_make(tarn_pool *pool, struct fenced *block, uint64_t alignment) {
    struct tn_pool_fence *fence = pool->fence;
    uint64_t unit = alignment > fence->granule ? alignment : fence->granule;
    uint64_t body = round_up(block->bytes, alignment);
    TN_REFUSE(body < block->bytes || round_up(body, unit) + fence->granule < body,
              TARN_NO_DEVICE_MEMORY, "%llu bytes are more than any pool can hold",
              (unsigned long long)block->bytes);
    block->page_bytes = round_up(body, unit);
    TN_REFUSE(pool->desc.limit != 0 &&
                  fence->stats.held_bytes + block->page_bytes > pool->desc.limit,
              TARN_NO_DEVICE_MEMORY, "%llu bytes beside %llu held exceed the limit of %llu",
              (unsigned long long)block->page_bytes, (unsigned long long)fence->stats.held_bytes,
              (unsigned long long)pool->desc.limit);
    uint64_t room = tn_device_room(fence->device, fence->stats.held_bytes, false);
    TN_REFUSE(block->page_bytes > room, TARN_NO_DEVICE_MEMORY,
              "%llu bytes are needed; the device has %llu", (unsigned long long)block->page_bytes,
              (unsigned long long)room);
    TN_TRY(find_range(fence, block->page_bytes + fence->granule, unit, &block->first));
    uint64_t end = block->first + block->page_bytes;
    block->addr = end - body;
    tarn_status status = tn_interval_insert(&fence->blocks, block->first, end + fence->granule,
                                            (uint64_t)(uintptr_t)block);
    TN_REFUSE(status != TARN_OK, status, "out of host memory for a block");
    status = map_block(fence, block);
    if (status != TARN_OK) {
        (void)tn_interval_remove(&fence->blocks, block->first, NULL);
        return status;
    }
    fence->cursor = end + fence->granule;
    return TARN_OK;
}

static tarn_status block_new(tarn_pool *pool, const tarn_pool_request *request,
                             struct fenced **made) {
    unsigned slot = 0;
    struct fenced *block = (struct fenced *)calloc(1, sizeof *block);
    TN_REFUSE(block == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a block");
    *block =
        (struct fenced){.bytes = request->bytes, .stream = request->stream, .tag = request->tag};
    if ((pool->desc.flags & TARN_POOL_USER_WORDS) != 0) block->user = request->user;
    tarn_status status = TARN_OK;
    if (request->stream != 0) {
        tn_pool_order_lock(pool);
        status = tn_pool_slot_get(pool, request->stream, &slot);
        if (status == TARN_OK) status = tn_pool_waits_add(pool, &block->waits, slot);
        tn_pool_order_unlock(pool);
    }
    if (status != TARN_OK) {
        free(block);
        return status;
    }
    *made = block;
    return TARN_OK;
}

// Under order.
static void block_drop(tarn_pool *pool, struct fenced *block) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    tn_pool_waits_drop(pool, &block->waits);
    free(block);
}

static bool end_passed(tarn_pool *pool, bool wait);

static tarn_status fence_alloc(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr) {
    struct fenced *block = NULL;
    TN_TRY(block_new(pool, request, &block));
    // An exact fence follows the last byte directly, so the size of a block limits its alignment.
    uint64_t natural = request->bytes & (~request->bytes + 1);
    uint64_t rule = pool->rule.start;
    uint64_t alignment = !pool->fence->exact ? rule : natural < rule ? natural : rule;
    alignment = request->alignment > alignment ? request->alignment : alignment;
    tn_pool_grow_lock(pool);
    (void)end_passed(pool, false);
    tn_emit_for_pool(true);
    tarn_status status = block_make(pool, block, alignment);
    if (status != TARN_OK && end_passed(pool, true)) status = block_make(pool, block, alignment);
    tn_emit_for_pool(false);
    if (status == TARN_OK) {
        tarn_pool_stats *s = &pool->fence->stats;
        s->live_blocks++;
        s->allocs++;
        s->driver_calls += 3;
        s->map_calls++;
        s->live_bytes += block->bytes;
        s->used_bytes += block->page_bytes;
        s->held_bytes += block->page_bytes;
        if (s->live_bytes > s->peak_live_bytes) s->peak_live_bytes = s->live_bytes;
        if (s->used_bytes > s->peak_used_bytes) s->peak_used_bytes = s->used_bytes;
        if (s->held_bytes > s->peak_held_bytes) s->peak_held_bytes = s->held_bytes;
        block->canary = block->addr < TN_NUMBERS_FROM && fill_canary(block->first, block->addr) &&
                        fill_canary(block->addr + block->bytes, block->first + block->page_bytes);
        *addr = block->addr;
    } else {
        const tn_pool_refusal refusal = {.bytes = request->bytes,
                                         .occupied = request->bytes,
                                         .piece = round_up(request->bytes, pool->fence->granule),
                                         .align = alignment,
                                         .stream = request->stream,
                                         .tag = request->tag,
                                         .status = status};
        status = tn_pool_refuse(pool, &refusal);
        tn_pool_order_lock(pool);
        block_drop(pool, block);
        tn_pool_order_unlock(pool);
    }
    tn_pool_grow_unlock(pool);
    if (status == TARN_OK && tn_subscribed())
        tn_pool_emit_alloc(pool, *addr, request->bytes, request->stream);
    if (status != TARN_OK && tn_subscribed()) tn_pool_emit_shortage(pool, request, status);
    return status;
}

// ---- the end of a block

// The live block that holds the address, or NULL. Under the growth lock, as for all that follow.
static struct fenced *find_fenced(struct tn_pool_fence *fence, tarn_addr addr) {
    struct tn_interval_entry entry;
    if (!tn_interval_find(&fence->blocks, addr, &entry)) return NULL;
    struct fenced *block = (struct fenced *)(uintptr_t)entry.value;
    return block->ending || addr < block->addr || addr >= block->addr + block->bytes ? NULL : block;
}

// Unmaps a block that no work uses, and removes its record. Returns false if the pages cannot be
// unmapped now.
static bool block_end(tarn_pool *pool, struct fenced *block) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct tn_pool_fence *fence = pool->fence;
    if (block->canary) {
        check_bytes(block, block->first, block->addr);
        check_bytes(block, block->addr + block->bytes, block->first + block->page_bytes);
    }
    tn_emit_for_pool(true);
    tarn_status status =
        tn_owner_unmap(&fence->owner.base, block->first, block->page_bytes, TARN_NO_WAIT);
    tn_emit_for_pool(false);
    if (status != TARN_OK) return false;
    (void)tn_interval_remove(&fence->blocks, block->first, NULL);
    fence->stats.held_bytes -= block->page_bytes;
    fence->stats.pending_bytes -= block->page_bytes;
    fence->stats.unmap_calls++;
    fence->stats.driver_calls++;
    block_drop(pool, block);
    return true;
}

// Ends the freed blocks that no work still uses. Returns true if one ended.
static bool end_passed(tarn_pool *pool, bool wait) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct fenced **link = &pool->fence->ending;
    bool any = false;
    if (tn_pool_in_hostfn(pool)) return false; // some devices cannot unmap there; a later call does
    tn_pool_order_lock(pool);
    while (*link != NULL) {
        struct fenced *block = *link;
        struct fenced *next = block->next;
        if (tn_pool_waits_passed(pool, 0, &block->waits, true, wait) && block_end(pool, block)) {
            *link = next;
            any = true;
        } else {
            link = &block->next;
        }
    }
    tn_pool_order_unlock(pool);
    return any;
}

// Marks a live block as freed, and puts it into the list of ending blocks.
static void block_retire(tarn_pool *pool, struct fenced *block) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct tn_pool_fence *fence = pool->fence;
    block->ending = true;
    fence->stats.live_blocks--;
    fence->stats.frees++;
    fence->stats.live_bytes -= block->bytes;
    fence->stats.used_bytes -= block->page_bytes;
    fence->stats.pending_bytes += block->page_bytes;
    block->next = fence->ending;
    fence->ending = block;
    tn_pool_order_lock(pool);
    tn_pool_waits_mark(pool, &block->waits);
    tn_pool_order_unlock(pool);
}

static tarn_status fence_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    unsigned slot;
    tarn_status status = TARN_OK;
    tn_pool_grow_lock(pool);
    struct fenced *block = find_fenced(pool->fence, addr);
    if (block == NULL || block->addr != addr) {
        status = tn_pool_no_block(addr);
    } else if (stream != 0) {
        tn_pool_order_lock(pool);
        status = tn_pool_slot_get(pool, stream, &slot);
        if (status == TARN_OK) status = tn_pool_waits_add(pool, &block->waits, slot);
        tn_pool_order_unlock(pool);
    }
    tn_pool_grow_unlock(pool);
    if (status == TARN_OK && stream != 0 && tn_subscribed())
        tn_pool_emit_used_on(pool, addr, stream);
    return status;
}

static tarn_status fence_free(tarn_pool *pool, tarn_addr addr, tarn_stream stream,
                              const char *call) {
    if (addr == 0) return TARN_OK;
    tarn_status status = stream != 0 ? fence_used_on(pool, addr, stream) : TARN_OK;
    if (status != TARN_OK) return tn_refused(status, call, addr, 0, pool->id);
    tn_pool_grow_lock(pool);
    struct fenced *block = find_fenced(pool->fence, addr);
    bool found = block != NULL && block->addr == addr;
    if (found) {
        if (tn_subscribed()) {
            unsigned slot = block->stream != 0 ? block->waits.list[0].slot : 0;
            tn_pool_emit_free(pool, addr, block->bytes, slot);
        }
        block_retire(pool, block);
        (void)end_passed(pool, false);
    }
    tn_pool_grow_unlock(pool);
    return found ? TARN_OK : tn_refused(tn_pool_no_block(addr), call, addr, 0, pool->id);
}

static void fence_reset(tarn_pool *pool) {
    struct tn_interval_entry entry;
    tn_pool_grow_lock(pool);
    struct tn_interval_cursor at = tn_interval_seek(&pool->fence->blocks, 0);
    while (tn_interval_step(&at, &entry)) {
        struct fenced *block = (struct fenced *)(uintptr_t)entry.value;
        if (!block->ending) block_retire(pool, block);
    }
    (void)end_passed(pool, true);
    tn_pool_grow_unlock(pool);
}

void tn_fence_destroy(struct tn_pool_fence *fence) {
    tn_emit_for_pool(true);
    (void)tn_owner_release(&fence->owner.base, fence->base, fence->bytes);
    tn_emit_for_pool(false);
    tn_owner_drain(&fence->owner.base);
    tn_interval_fini(&fence->blocks);
    free(fence->grants);
    free(fence);
}

// ---- queries

static tarn_block describe_fenced(const struct fenced *block) {
    return (tarn_block){.addr = block->addr,
                        .occupied = block->page_bytes,
                        .bytes = block->bytes,
                        .state = block->ending ? TARN_BLOCK_PENDING : TARN_BLOCK_LIVE,
                        .stream = block->stream,
                        .tag = block->tag,
                        .usable = block->ending ? 0 : block->bytes,
                        .user = block->ending ? 0 : block->user};
}

static bool fence_find(tarn_pool *pool, tarn_addr addr, tarn_block *block) {
    tn_pool_grow_lock(pool);
    const struct fenced *found = find_fenced(pool->fence, addr);
    if (found != NULL) *block = describe_fenced(found);
    tn_pool_grow_unlock(pool);
    return found != NULL;
}

static bool fence_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user) {
    tn_pool_grow_lock(pool);
    struct fenced *block = find_fenced(pool->fence, addr);
    bool found = block != NULL && block->addr == addr;
    if (found) block->user = user;
    tn_pool_grow_unlock(pool);
    return found;
}

static void fence_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    struct tn_interval_entry entry;
    bool more = true;
    tn_pool_grow_lock(pool);
    struct tn_interval_cursor at = tn_interval_seek(&pool->fence->blocks, 0);
    while (more && tn_interval_step(&at, &entry)) {
        tarn_block block = describe_fenced((const struct fenced *)(uintptr_t)entry.value);
        more = visit(&block, arg);
    }
    tn_pool_grow_unlock(pool);
}

static void fence_fill_stats(tarn_pool *pool, tarn_pool_stats *stats) {
    tn_pool_grow_lock(pool);
    *stats = pool->fence->stats;
    stats->refusals = tn_pool_refusals(pool);
    tn_pool_grow_unlock(pool);
    stats->struct_size = sizeof *stats;
}

static void fence_fill_report(tarn_pool *pool, unsigned slot, tarn_pool_report *report) {
    const tarn_pool_stats *stats = &pool->fence->stats;
    (void)slot;
    report->live_bytes = stats->live_bytes;
    report->used_bytes = stats->used_bytes;
    report->held_bytes = stats->held_bytes;
    report->waiting_bytes = stats->pending_bytes;
}

static void fence_reset_peaks(tarn_pool *pool, uint32_t which) {
    tarn_pool_stats *s = &pool->fence->stats;
    tn_pool_grow_lock(pool);
    if ((which & TARN_PEAK_LIVE) != 0) s->peak_live_bytes = s->live_bytes;
    if ((which & TARN_PEAK_USED) != 0) s->peak_used_bytes = s->used_bytes;
    if ((which & TARN_PEAK_HELD) != 0) s->peak_held_bytes = s->held_bytes;
    tn_pool_grow_unlock(pool);
}

void tn_fence_finish(tarn_pool *pool) {
    fence_reset(pool); // waits for the streams of freed blocks
    tn_fence_destroy(pool->fence);
}

static const tn_pool_ops fence_ops = {
    .alloc = fence_alloc,
    .free = fence_free,
    .used_on = fence_used_on,
    .find = fence_find,
    .set_user = fence_set_user,
    .walk = fence_walk,
    .fill_stats = fence_fill_stats,
    .fill_report = fence_fill_report,
    .reset_peaks = fence_reset_peaks,
    .reset = fence_reset,
};

void tn_fence_attach(struct tn_pool_fence *fence, tarn_pool *pool) {
    pool->fence = fence;
    pool->ops = &fence_ops;
    pool->plain = false;
    pool->plain_id = UINT64_MAX;
    tn_pool_owner_attach(&fence->owner, pool);
}

void tn_fence_detach(struct tn_pool_fence *fence) { tn_pool_owner_detach(&fence->owner); }
