// SPDX-License-Identifier: Apache-2.0
// A subscriber passes memory events to one tool. asan.c, mstx.c, nvtx.c, tsan.c and
// valgrind.c define one each. annotate.c detects them once and then notifies those that it found; check/forward.c does
// the same for MSTX clients. Handlers run on any thread, possibly with locks of the core held. They
// take only the locks of their own tables, and never call Tarn.
#pragma once

#include "annotate/block_log.h"
#include "annotate/ranges.h"

typedef void (*tn_subscriber_handler)(const struct tn_mem_event *event);

struct tn_subscriber {
    // Returns true if the tool is in this process. Called once, before the first event.
    bool (*detect)(void);
    // Returns false if no handler may see the event. NULL passes every event to the handlers.
    bool (*filter)(const struct tn_mem_event *event);
    // By kind; NULL ignores the event. Without one for a resize, the region ends and begins again.
    tn_subscriber_handler handlers[TN_MEM_KINDS];
    // Called for a heap that has left `heaps`. `open`: the program may use its bytes again.
    void (*forget)(struct tn_annotate_range *heap, bool open);
    // Forbids bytes of `ended` when the calls before their end have passed.
    void (*forbid)(uint64_t addr, uint64_t bytes);
    struct tn_reported_heaps *heaps; // locked around fork(); may be NULL
    struct tn_overlap *overlap;      // locked around fork(); may be NULL
    struct tn_block_log *blocks;     // locked around fork(); may be NULL
    struct tn_ended_bytes *ended;    // locked around fork(); may be NULL
};

static inline void tn_subscriber_end_heap(const struct tn_subscriber *subscriber,
                                          const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (tn_reported_heaps_remove(subscriber->heaps, event->addr, &heap))
        subscriber->forget(&heap, (event->flags & TN_MEM_WHOLE) != 0);
}

// No tool knows a reset, so the heap ends and begins again.
static inline void tn_subscriber_reset_heap(const struct tn_subscriber *subscriber,
                                            const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (tn_reported_heaps_find(subscriber->heaps, event->addr, &heap) && heap.addr == event->addr) {
        struct tn_mem_event again = *event;
        again.bytes = heap.bytes;
        again.kind = TN_MEM_HEAP_END;
        tn_subscriber_end_heap(subscriber, &again);
        again.kind = TN_MEM_HEAP_BEGIN;
        subscriber->handlers[TN_MEM_HEAP_BEGIN](&again);
    }
}

static inline void tn_subscriber_notify(const struct tn_subscriber *subscriber,
                                        const struct tn_mem_event *event) {
    tn_subscriber_handler handler =
        event->kind < TN_MEM_KINDS ? subscriber->handlers[event->kind] : NULL;
    if (subscriber->filter != NULL && !subscriber->filter(event)) return;
    if (event->kind == TN_MEM_HEAP_RESET) {
        tn_subscriber_reset_heap(subscriber, event);
    } else if (event->kind == TN_MEM_HEAP_END) {
        tn_subscriber_end_heap(subscriber, event);
    } else if (event->kind == TN_MEM_CALL_QUEUED && subscriber->ended != NULL) {
        tn_ended_bytes_queue(subscriber->ended, event->object);
    } else if (event->kind == TN_MEM_CALL_PASSED && subscriber->ended != NULL) {
        tn_ended_bytes_pass(subscriber->ended, event->object, subscriber->forbid);
    } else if (handler != NULL) {
        handler(event);
    } else if (event->kind == TN_MEM_REGION_RESIZE &&
               subscriber->handlers[TN_MEM_REGION_END] != NULL) {
        subscriber->handlers[TN_MEM_REGION_END](event);
        subscriber->handlers[TN_MEM_REGION_BEGIN](event);
    }
}

// Takes the locks of the tables before fork().
static inline void tn_subscriber_fork_prepare(const struct tn_subscriber *subscriber) {
    if (subscriber->heaps != NULL) tn_rwlock_write_for_fork(&subscriber->heaps->lock);
    if (subscriber->overlap != NULL) tn_mutex_lock_for_fork(&subscriber->overlap->lock);
    if (subscriber->blocks != NULL) tn_mutex_lock_for_fork(&subscriber->blocks->lock);
    if (subscriber->ended != NULL) tn_mutex_lock_for_fork(&subscriber->ended->lock);
}

// Releases the locks of the tables after fork(), in the parent and in the child.
static inline void tn_subscriber_fork_done(const struct tn_subscriber *subscriber) {
    if (subscriber->ended != NULL) tn_mutex_unlock_after_fork(&subscriber->ended->lock);
    if (subscriber->blocks != NULL) tn_mutex_unlock_after_fork(&subscriber->blocks->lock);
    if (subscriber->overlap != NULL) tn_mutex_unlock_after_fork(&subscriber->overlap->lock);
    if (subscriber->heaps != NULL) tn_rwlock_unlock_after_fork(&subscriber->heaps->lock);
}

// Returns true if ending this resource invalidates its bytes, and with them every heap on them.
// Memory that was only registered stays valid.
static inline bool tn_mem_event_ends_bytes(const struct tn_mem_event *event) {
    return (event->what == TN_MEM_MEMORY || event->what == TN_MEM_PINNED ||
            event->what == TN_MEM_MAPPING) &&
           event->bytes != 0;
}

// Calls visit() for the first byte of each row of an access.
static inline void tn_mem_event_rows(const struct tn_mem_event *event,
                                     void (*visit)(const struct tn_mem_event *event,
                                                   uint64_t addr)) {
    for (uint64_t z = 0; z < event->depth; z++)
        for (uint64_t y = 0; y < event->height; y++)
            visit(event, event->addr + z * event->slice_pitch + y * event->pitch);
}

extern const struct tn_subscriber tn_subscriber_mstx;
extern const struct tn_subscriber tn_subscriber_asan;
extern const struct tn_subscriber tn_subscriber_valgrind;
extern const struct tn_subscriber tn_subscriber_nvtx;
extern const struct tn_subscriber tn_subscriber_tsan;
