// SPDX-License-Identifier: Apache-2.0
// Empties the checker's model between tests. No other thread may use it meanwhile.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "check/canary.h"
#include "check/model.h"
#include "check/unwritten.h"

extern void __lsan_unregister_root_region(const void *start, size_t bytes) __attribute__((weak));

static inline void forget_slabs(struct tn_check_slab *slab) {
    while (slab != NULL) {
        struct tn_check_slab *next = slab->next;
        for (uint64_t i = 0; i < slab->used; i++) tn_check_written_fini(&slab->record[i].written);
        if (__lsan_unregister_root_region != NULL)
            __lsan_unregister_root_region(slab, TN_HUGE_PAGE);
        tn_pages_unmap(slab, TN_HUGE_PAGE);
        slab = next;
    }
}

static inline void forget_heaps(struct tn_check_heap *heap) {
    while (heap != NULL) {
        struct tn_check_heap *older = heap->older;
        tn_check_cover_fini(&heap->live);
        free(heap);
        heap = older;
    }
}

static inline void reset_model(void) {
    tn_check_canary_reset();
    tn_check_unwritten_reset();
    tn_check_model_ready();
    struct tn_check_model *m = &tn_check_model;
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++) {
        forget_slabs(m->shard[i].slabs);
        free(m->shard[i].ring);
    }
    forget_heaps(m->heaps);
    forget_heaps(m->ended_heaps);
    while (m->planes != NULL) {
        struct tn_check_plane *next = m->planes->next;
        tn_check_cover_fini(&m->planes->heaps);
        tn_check_cover_fini(&m->planes->loose);
        free(m->planes);
        m->planes = next;
    }
    while (m->plain != NULL) {
        struct tn_check_plain *next = m->plain->next;
        tn_interval_fini(&m->plain->map);
        free(m->plain);
        m->plain = next;
    }
    while (m->domains != NULL) {
        struct tn_check_domain *next = m->domains->next;
        free(m->domains);
        m->domains = next;
    }
    tn_slots_fini(&m->heap_handles);
    tn_slots_fini(&m->region_handles);
    tn_slots_fini(&m->domain_handles);
    tn_check_addresses_fini(&m->addresses);
    tn_interval_fini(&m->backing);
    tn_check_written_fini(&m->last_written.written);
    memset(m, 0, sizeof *m);
    tn_check_model_make();
}
