// SPDX-License-Identifier: Apache-2.0
// The ledger of resources. See ledger.h.
#include "check/ledger.h"

// A resource is identified by its object in an image, or by its address in a space.
static bool is_identified_by_object(uint16_t what) {
    return what == TN_MEM_PHYS || what == TN_MEM_EXPORT || what == TN_MEM_POOL ||
           what == TN_MEM_STREAM || what == TN_MEM_HANDLE || what == TN_MEM_ARRAY;
}

static uint32_t scope_of(uint16_t what, const struct tn_check_resource *like) {
    uint32_t scope = is_identified_by_object(what) ? like->image : like->space;
    return scope * 16 + what;
}

static uint64_t identity_of(uint16_t what, const struct tn_check_resource *like) {
    return is_identified_by_object(what) ? like->object : like->addr;
}

static struct tn_check_resource *live_at(const struct tn_check_ledger *ledger, uint32_t place) {
    return (struct tn_check_resource *)ledger->live.records + place;
}

void tn_check_ledger_fini(struct tn_check_ledger *ledger) {
    tn_check_table_fini(&ledger->live);
    tn_check_handle_map_fini(&ledger->index);
    *ledger = (struct tn_check_ledger){0};
}

static void remove_live(struct tn_check_ledger *ledger, uint32_t place) {
    live_at(ledger, place)->what = 0;
    tn_check_table_remove(&ledger->live, place);
}

void tn_check_ledger_begin(struct tn_check_ledger *ledger,
                           const struct tn_check_resource *resource) {
    uint32_t place;
    // The end of an older resource with this identity may have had no event.
    (void)tn_check_ledger_end(ledger, resource);
    if (tn_check_table_add(&ledger->live, sizeof *resource, &place)) {
        *live_at(ledger, place) = *resource;
        live_at(ledger, place)->serial = ++ledger->serial;
        if (!tn_check_handle_map_set(&ledger->index, scope_of(resource->what, resource),
                                     identity_of(resource->what, resource), place))
            remove_live(ledger, place);
    }
}

bool tn_check_ledger_end(struct tn_check_ledger *ledger, const struct tn_check_resource *like) {
    uint32_t place;
    if (!tn_check_handle_map_remove(&ledger->index, scope_of(like->what, like),
                                    identity_of(like->what, like), &place))
        return false;
    struct tn_check_resource *ended = &ledger->ended[ledger->ended_count++ % TN_CHECK_LEDGER_ENDED];
    *ended = *live_at(ledger, place);
    ended->ended = like->ended;
    ended->ended_thread = like->ended_thread;
    remove_live(ledger, place);
    return true;
}

void tn_check_ledger_request(struct tn_check_ledger *ledger, uint16_t what,
                             const struct tn_check_resource *like, uint64_t bytes) {
    uint32_t place;
    if (tn_check_handle_map_find(&ledger->index, scope_of(what, like), identity_of(what, like),
                                 &place) &&
        bytes < live_at(ledger, place)->bytes)
        live_at(ledger, place)->requested = bytes;
}

void tn_check_ledger_rule(struct tn_check_ledger *ledger, uint16_t what,
                          const struct tn_check_resource *like, const tarn_rule *rule) {
    uint32_t place;
    if (tn_check_handle_map_find(&ledger->index, scope_of(what, like), identity_of(what, like),
                                 &place))
        live_at(ledger, place)->rule = *rule;
}

const struct tn_check_resource *tn_check_ledger_find_live(const struct tn_check_ledger *ledger,
                                                          uint16_t what,
                                                          const struct tn_check_resource *like) {
    uint32_t place;
    return tn_check_handle_map_find(&ledger->index, scope_of(what, like), identity_of(what, like),
                                    &place)
               ? live_at(ledger, place)
               : NULL;
}

const struct tn_check_resource *tn_check_ledger_find_around(const struct tn_check_ledger *ledger,
                                                            uint16_t what,
                                                            const struct tn_check_resource *like) {
    for (uint32_t i = 0; i < ledger->live.count; i++) {
        const struct tn_check_resource *live = live_at(ledger, i);
        if (live->what == what && live->space == like->space && live->addr <= like->addr &&
            like->addr - live->addr < live->bytes)
            return live;
    }
    return NULL;
}

static uint32_t count_kept(const struct tn_check_ledger *ledger) {
    return ledger->ended_count < TN_CHECK_LEDGER_ENDED ? ledger->ended_count
                                                       : TN_CHECK_LEDGER_ENDED;
}

const struct tn_check_resource *tn_check_ledger_find_past(const struct tn_check_ledger *ledger,
                                                          const struct tn_check_resource *like) {
    const struct tn_check_resource *best = NULL;
    for (uint32_t i = 0; i < count_kept(ledger); i++) {
        const struct tn_check_resource *ended = &ledger->ended[i];
        bool reservation = ended->what == TN_MEM_RESERVATION;
        bool better =
            best == NULL || (best->what == TN_MEM_RESERVATION && !reservation) ||
            (ended->serial > best->serial && (!reservation || best->what == TN_MEM_RESERVATION));
        bool contains = !is_identified_by_object(ended->what) && ended->space == like->space &&
                        ended->addr <= like->addr && like->addr - ended->addr < ended->bytes;
        best = better && contains ? ended : best;
    }
    return best;
}

uint32_t tn_check_ledger_space(const struct tn_check_ledger *ledger, uint64_t addr) {
    const struct tn_check_resource *best = NULL;
    uint32_t live = ledger->live.count;
    for (uint32_t i = 0; i < live + count_kept(ledger); i++) {
        const struct tn_check_resource *at =
            i < live ? live_at(ledger, i) : &ledger->ended[i - live];
        bool contains = at->what != 0 && at->space != 0 && !is_identified_by_object(at->what) &&
                        addr - at->addr < at->bytes;
        if (contains && (best == NULL || at->serial > best->serial)) best = at;
    }
    return best != NULL ? best->space : 0;
}

// `back` counts from 1, the resource that ended last.
static const struct tn_check_resource *ended_at(const struct tn_check_ledger *ledger,
                                                uint32_t back) {
    return &ledger->ended[(ledger->ended_count - back) % TN_CHECK_LEDGER_ENDED];
}

const struct tn_check_resource *tn_check_ledger_find_ended(const struct tn_check_ledger *ledger,
                                                           uint16_t what,
                                                           const struct tn_check_resource *like) {
    for (uint32_t back = 1; back <= count_kept(ledger); back++) {
        const struct tn_check_resource *ended = ended_at(ledger, back);
        if ((what == 0 || ended->what == what) &&
            scope_of(ended->what, ended) == scope_of(ended->what, like) &&
            identity_of(ended->what, ended) == identity_of(ended->what, like))
            return ended;
    }
    return NULL;
}

const struct tn_check_resource *
tn_check_ledger_find_ended_around(const struct tn_check_ledger *ledger, uint64_t addr) {
    const struct tn_check_resource like = {.addr = addr};
    for (uint32_t back = 1; back <= count_kept(ledger); back++) {
        const struct tn_check_resource *ended = ended_at(ledger, back);
        bool has_bytes = ended->what == TN_MEM_MEMORY || ended->what == TN_MEM_PINNED ||
                         ended->what == TN_MEM_RESERVATION;
        if (has_bytes && ended->space == 0 && addr - ended->addr < ended->bytes) {
            bool reserved = tn_check_ledger_find_around(ledger, TN_MEM_RESERVATION, &like) != NULL;
            return reserved ? NULL : ended;
        }
    }
    return NULL;
}
