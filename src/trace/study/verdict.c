// SPDX-License-Identifier: Apache-2.0
// Judges a failed allocation; see verdict.h. Allocators give a request only memory of its own
// stream, so free bytes of other streams do not count.
#include "trace/study/verdict.h"

#include <tarn/pool.h>

enum { RETRY_EVENTS = 256 };

enum { SMALL = 1 << 20, SMALL_SEGMENT = 2 << 20, MIDDLE = 10 << 20, MIDDLE_SEGMENT = 20 << 20 };

static uint64_t round_up(uint64_t bytes, uint64_t page) { return (bytes + page - 1) / page * page; }

// Returns the bytes that the device must give for so many. PyTorch keeps blocks of up to 1 MiB in
// segments of 2 MiB, which larger requests cannot use, and those below 10 MiB in segments of 20 MiB.
// It gets larger ones in whole 2 MiB, and expandable segments in pages of 20 MiB.
static uint64_t segment_for(const struct tn_moment *moment, uint64_t bytes, bool expands) {
    uint64_t page = expands ? MIDDLE_SEGMENT : SMALL_SEGMENT;
    if (moment->trace->origin != TN_TRACE_SNAPSHOT || bytes > TN_TRACE_BYTES_MAX) return bytes;
    if (bytes <= SMALL) return SMALL_SEGMENT;
    return bytes < MIDDLE ? MIDDLE_SEGMENT : round_up(bytes, page);
}

static void add_usable(const struct tn_moment *moment, const struct tn_fragments *fragments,
                       struct tn_verdict *verdict) {
    bool is_small = verdict->needs == SMALL_SEGMENT;
    for (size_t i = 0; i < fragments->count; i++) {
        const struct tn_segment_use *use = &fragments->uses[i];
        const struct tn_trace_segment *segment = &moment->segments[use->segment];
        bool holds_small = segment->bytes <= SMALL_SEGMENT;
        if (segment->is_private || (moment->trace->origin == TN_TRACE_SNAPSHOT &&
                                    !segment->mapped && holds_small != is_small))
            continue;
        if (segment->stream != verdict->failure->stream) {
            verdict->apart += use->free;
            continue;
        }
        verdict->usable += use->free;
        verdict->largest = use->largest > verdict->largest ? use->largest : verdict->largest;
    }
}

// A refusal by Tarn states what its pool had, which no free memory of other pools changes.
static void add_pool(const struct tn_moment *moment, const struct tn_fragments *fragments,
                     struct tn_verdict *verdict) {
    uint64_t card = moment->device->memory_bytes, known = moment->reserved;
    verdict->usable = verdict->failure->why.free;
    verdict->largest = verdict->failure->why.largest;
    for (size_t i = 0; fragments != NULL && i < fragments->count; i++)
        verdict->pooled += fragments->uses[i].free;
    if (verdict->device_free <= card && known <= card - verdict->device_free)
        verdict->others = card - verdict->device_free - known;
}

// Tarn states why it refused.
static enum tn_verdict_cause stated_cause(const struct tn_trace_refusal *why) {
    static const struct {
        int status;
        tarn_pool_cause pool; // 0: any
        enum tn_verdict_cause cause;
    } table[] = {{TARN_NO_HOST_MEMORY, 0, TN_VERDICT_HOST},
                 {TARN_NO_HANDLES, 0, TN_VERDICT_HANDLES},
                 {TARN_NO_MAPPINGS, 0, TN_VERDICT_MAPPINGS},
                 {TARN_NO_ADDRESS_SPACE, 0, TN_VERDICT_SPACE},
                 {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_FULL, TN_VERDICT_SHORTAGE},
                 {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_FRAGMENTED, TN_VERDICT_FRAGMENTATION},
                 {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_STREAMS, TN_VERDICT_WAITING},
                 {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_LIMIT, TN_VERDICT_POOL_LIMIT},
                 {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_OTHERS, TN_VERDICT_OTHERS}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (why->failed == (uint64_t)-table[i].status &&
            (table[i].pool == 0 || why->cause == (uint64_t)table[i].pool))
            return table[i].cause;
    return TN_VERDICT_UNKNOWN;
}

// A request to the device itself, as the recorder sees it, has nothing of the memory of pools.
static enum tn_verdict_cause judge_plain(const struct tn_moment *moment,
                                         const struct tn_verdict *verdict) {
    uint64_t tenth = moment->device->memory_bytes / 10;
    if (verdict->missing == 0) return TN_VERDICT_LIMIT;
    if (verdict->pooled >= verdict->missing) return TN_VERDICT_POOLS;
    return tenth > 0 && verdict->others >= tenth && verdict->others >= verdict->missing
               ? TN_VERDICT_OTHERS
               : TN_VERDICT_SHORTAGE;
}

static enum tn_verdict_cause judge_failure(const struct tn_moment *moment,
                                           const struct tn_fragments *fragments,
                                           const struct tn_verdict *verdict) {
    const struct {
        uint64_t bytes;
        enum tn_verdict_cause cause;
    } parts[] = {{moment->waiting, TN_VERDICT_WAITING},
                 {verdict->apart, TN_VERDICT_STREAMS},
                 {fragments != NULL ? fragments->private_free : 0, TN_VERDICT_PRIVATE}};
    uint64_t asked = verdict->failure->size, missing = verdict->missing, sum = 0;
    enum tn_verdict_cause stated = stated_cause(&verdict->failure->why);
    bool knows_free = verdict->device_free != UINT64_MAX;
    if (stated != TN_VERDICT_UNKNOWN) return stated;
    if (verdict->failure->why.failed != 0)
        return knows_free ? judge_plain(moment, verdict) : TN_VERDICT_UNKNOWN;
    if (fragments != NULL && verdict->largest >= asked) return TN_VERDICT_SETTING;
    if (!knows_free)
        return verdict->usable >= asked ? TN_VERDICT_FRAGMENTATION : TN_VERDICT_UNKNOWN;
    if (verdict->device_free >= verdict->needs) return TN_VERDICT_LIMIT;
    if (fragments == NULL) return TN_VERDICT_UNKNOWN;
    if (missing == 0) return TN_VERDICT_FRAGMENTATION;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].bytes >= missing) return parts[i].cause;
        sum += parts[i].bytes;
    }
    return sum >= missing ? TN_VERDICT_TOGETHER : TN_VERDICT_SHORTAGE;
}

// Programs that search for a batch size catch the failure, and allocators retry.
static uint64_t find_retry(const struct tn_moment *moment, uint64_t size) {
    const struct tn_trace_device *device = moment->device;
    for (size_t i = moment->at + 1; i < device->event_count && i < moment->at + RETRY_EVENTS; i++) {
        const struct tn_event *event = &moment->trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC && moment->trace->blocks[event->item].size == size)
            return tn_trace_event_number(moment->trace, device, device->first_event + i);
    }
    return 0;
}

void tn_verdict_make(const struct tn_moment *moment, const struct tn_fragments *fragments,
                     struct tn_verdict *verdict) {
    const struct tn_event *event = &moment->trace->events[moment->device->first_event + moment->at];
    *verdict = (struct tn_verdict){
        .failure = &moment->trace->failures[event->item],
        .at = moment->at,
        .where = event->where,
        .event = tn_trace_event_number(moment->trace, moment->device,
                                       moment->device->first_event + moment->at)};
    verdict->device_free = verdict->failure->device_free;
    uint64_t device_free = verdict->device_free != UINT64_MAX ? verdict->device_free : 0;
    const struct tn_trace_refusal *why = &verdict->failure->why;
    uint64_t asked = verdict->failure->size;
    bool is_torch = moment->trace->origin == TN_TRACE_SNAPSHOT, expands = false;
    for (size_t i = 0; i < moment->segment_count; i++)
        expands |= is_torch && moment->segments[i].mapped;
    verdict->needs = segment_for(moment, asked, expands);
    if (why->failed == 0 && fragments != NULL) add_usable(moment, fragments, verdict);
    if (why->failed != 0) add_pool(moment, fragments, verdict);
    uint64_t room = why->limit > why->held ? why->limit - why->held : 0;
    uint64_t more = why->limit != 0 && room < device_free ? room : device_free;
    uint64_t free = verdict->free = verdict->usable + more;
    verdict->fits = verdict->largest > more ? verdict->largest : more;
    uint64_t wanted = verdict->needs; // an expandable segment grows by what its free pieces lack
    if (expands && verdict->usable < asked)
        wanted = verdict->usable +
                 round_up(asked - verdict->usable, asked <= SMALL ? SMALL_SEGMENT : MIDDLE_SEGMENT);
    if (verdict->usable < asked && free < wanted) verdict->missing = wanted - free;
    uint64_t all = device_free + moment->reserved, live = free + moment->live;
    all = all > live ? all : live;
    verdict->alone = verdict->needs > all ? verdict->needs - all : 0;
    verdict->cause = judge_failure(moment, fragments, verdict);
    verdict->retried = find_retry(moment, asked);
}
