// SPDX-License-Identifier: Apache-2.0
// See block_log.h. The compiler's runtime library unwinds, if the process has it. Every C++ program and
// every program with ASan does.
#include "annotate/block_log.h"

#include <sched.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unwind.h>

#include "base/list.h"

#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetIP

// ---- stacks

// The image that contains this file. The linker defines both.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

// Returns true for code of Tarn's library. In a program that is linked with libtarn.a, no address is.
static bool is_own(uintptr_t address) {
    uintptr_t start = (uintptr_t)__ehdr_start;
    bool is_program = getauxval(AT_PHDR) - start < 4096;
    return !is_program && address - start < (uintptr_t)_end - start;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg) {
    struct tn_block_call *call = arg;
    uintptr_t address = _Unwind_GetIP(context);
    if (address == 0 || call->count == TN_BLOCK_FRAMES) return _URC_END_OF_STACK;
    if (call->count != 0 || !is_own(address)) call->frames[call->count++] = address;
    return _URC_NO_REASON;
}

static void capture_call(const struct tn_mem_event *event, struct tn_block_call *call) {
    call->function = tn_mem_event_function(event);
    call->count = 0;
    if (_Unwind_Backtrace != NULL) (void)_Unwind_Backtrace(add_frame, call);
}

// ---- live blocks

static int compare_blocks(const void *a, const void *b) {
    const struct tn_logged_block *one = a;
    const struct tn_logged_block *two = b;
    if (one->addr != two->addr) return one->addr < two->addr ? -1 : 1;
    return (one->what > two->what) - (one->what < two->what);
}

// Returns the live block of the event's address and kind, or NULL. Under the lock.
static struct tn_logged_block *find_live(const struct tn_block_log *log,
                                         const struct tn_mem_event *event) {
    const struct tn_logged_block like = {.addr = event->addr, .what = event->what};
    void *const *found = tfind(&like, &log->live, compare_blocks);
    return found != NULL ? *found : NULL;
}

static void retire_block(struct tn_block_log *log, struct tn_logged_block *block) {
    (void)tdelete(block, &log->live, compare_blocks);
    block->live = false;
    free(log->ended[log->next]);
    log->ended[log->next] = block;
    log->next = (log->next + 1) % TN_BLOCKS_ENDED;
}

bool tn_block_log_begin(struct tn_block_log *log, const struct tn_mem_event *event,
                        const char *kind, uint64_t room) {
    struct tn_logged_block *block = calloc(1, sizeof *block);
    if (block == NULL) return false;
    block->addr = event->addr;
    block->bytes = event->bytes;
    block->room = room;
    block->what = event->what;
    block->live = true;
    (void)snprintf(block->kind, sizeof block->kind, "%s", kind);
    capture_call(event, &block->begun);
    TN_LOCKED(&log->lock);
    struct tn_logged_block *former = find_live(log, event);
    if (former != NULL) retire_block(log, former);
    bool added = tsearch(block, &log->live, compare_blocks) != NULL;
    if (!added) free(block);
    return added;
}

bool tn_block_log_resize(struct tn_block_log *log, const struct tn_mem_event *event,
                         struct tn_logged_block *block) {
    TN_LOCKED(&log->lock);
    struct tn_logged_block *own = find_live(log, event);
    if (own == NULL) return false;
    *block = *own;
    uint64_t end = own->bytes + own->room;
    own->room = end > event->bytes ? end - event->bytes : 0;
    own->bytes = event->bytes;
    return true;
}

bool tn_block_log_end(struct tn_block_log *log, const struct tn_mem_event *event,
                      struct tn_logged_block *block) {
    struct tn_block_call ended;
    capture_call(event, &ended);
    TN_LOCKED(&log->lock);
    struct tn_logged_block *own = find_live(log, event);
    if (own == NULL) return false;
    retire_block(log, own);
    own->ended = ended;
    *block = *own;
    return true;
}

// ---- walks over all live blocks, in the order of their addresses

struct range_walk {
    uint64_t addr;
    uint64_t bytes;
    struct tn_logged_block *regions;
};

static void collect_region(const void *node, VISIT visit, void *arg) {
    struct range_walk *walk = arg;
    struct tn_logged_block *block = *(struct tn_logged_block *const *)node;
    if ((visit != postorder && visit != leaf) || block->what != 0 ||
        block->addr - walk->addr >= walk->bytes)
        return;
    block->next = walk->regions;
    walk->regions = block;
}

void tn_block_log_forget(struct tn_block_log *log, uint64_t addr, uint64_t bytes) {
    struct range_walk walk = {addr, bytes, NULL};
    TN_LOCKED(&log->lock);
    twalk_r(log->live, collect_region, &walk);
    TN_CHAIN_DRAIN(struct tn_logged_block, block, walk.regions, next) retire_block(log, block);
}

// ---- the block of an address

static bool contains(const struct tn_logged_block *block, uint64_t addr) {
    return addr - block->addr < block->bytes;
}

// Returns how far addr lies outside of the block.
static uint64_t distance_to(const struct tn_logged_block *block, uint64_t addr) {
    if (contains(block, addr)) return 0;
    return addr < block->addr ? block->addr - addr : addr - block->addr - block->bytes + 1;
}

// Returns the block that ended last of those that contain addr, or NULL. With `region`, only of regions.
static const struct tn_logged_block *find_ended(const struct tn_block_log *log, uint64_t addr,
                                                bool region) {
    for (unsigned i = 1; i <= TN_BLOCKS_ENDED; i++) {
        const struct tn_logged_block *block =
            log->ended[(log->next + TN_BLOCKS_ENDED - i) % TN_BLOCKS_ENDED];
        if (block != NULL && contains(block, addr) && (!region || block->what == 0)) return block;
    }
    return NULL;
}

struct nearest_walk {
    uint64_t addr;
    const struct tn_logged_block *below; // the last one that starts at or below addr
    const struct tn_logged_block *above;
};

static void compare_nearest(const void *node, VISIT visit, void *arg) {
    struct nearest_walk *walk = arg;
    const struct tn_logged_block *block = *(struct tn_logged_block *const *)node;
    if (visit != postorder && visit != leaf) return;
    bool region_there =
        walk->below != NULL && walk->below->addr == block->addr && walk->below->what == 0;
    if (block->addr > walk->addr)
        walk->above = walk->above != NULL ? walk->above : block;
    else if (!region_there)
        walk->below = block;
}

static const struct tn_logged_block *find_block(const struct tn_block_log *log, uint64_t addr) {
    struct nearest_walk walk = {addr, NULL, NULL};
    twalk_r(log->live, compare_nearest, &walk);
    const struct tn_logged_block *below = walk.below;
    const struct tn_logged_block *above = walk.above;
    bool inside = below != NULL && contains(below, addr);
    if (inside && below->what == 0) return below;
    const struct tn_logged_block *ended = find_ended(log, addr, inside);
    if (ended != NULL || inside) return ended != NULL ? ended : below;
    if (below == NULL || above == NULL) return below != NULL ? below : above;
    return distance_to(above, addr) < distance_to(below, addr) ? above : below;
}

bool tn_block_log_find(struct tn_block_log *log, uint64_t addr, uint64_t distance,
                       struct tn_logged_block *block) {
    // A thread that stopped in the log, with a damaged heap, would hold the lock forever.
    for (int tries = 0; !tn_mutex_trylock(&log->lock); tries++) {
        if (tries == 1000) return false;
        (void)sched_yield();
    }
    const struct tn_logged_block *found = find_block(log, addr);
    bool near = found != NULL && distance_to(found, addr) <= distance;
    if (near) *block = *found;
    tn_mutex_unlock(&log->lock);
    return near;
}
