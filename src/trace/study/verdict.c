// SPDX-License-Identifier: Apache-2.0
// Judges a failed allocation; see verdict.h. Allocators give a request only memory of its own
// stream, so free bytes of other streams do not count.
#include "trace/study/verdict.h"

enum { RETRY_EVENTS = 256 };

// PyTorch keeps blocks of up to 1 MiB in segments of 2 MiB, which larger requests cannot use.
static bool is_small_segment(const struct tn_moment *moment, const struct tn_trace_segment *segment,
                             uint64_t asked) {
    return moment->trace->origin == TN_TRACE_SNAPSHOT && !segment->mapped && asked > 1 << 20 &&
           segment->bytes <= 2 << 20;
}

static void add_usable(const struct tn_moment *moment, const struct tn_fragments *fragments,
                       struct tn_verdict *verdict) {
    for (size_t i = 0; i < fragments->count; i++) {
        const struct tn_segment_use *use = &fragments->uses[i];
        const struct tn_trace_segment *segment = &moment->segments[use->segment];
        if (segment->stream != verdict->failure->stream || segment->is_private ||
            is_small_segment(moment, segment, verdict->failure->size))
            continue;
        verdict->usable += use->free;
        verdict->largest = use->largest > verdict->largest ? use->largest : verdict->largest;
    }
}

static enum tn_verdict_cause judge_failure(const struct tn_moment *moment,
                                           const struct tn_fragments *fragments,
                                           const struct tn_verdict *verdict) {
    uint64_t asked = verdict->failure->size, free = verdict->usable;
    if (fragments != NULL && verdict->largest >= asked) return TN_VERDICT_SETTING;
    if (verdict->device_free == UINT64_MAX)
        return free >= asked ? TN_VERDICT_FRAGMENTATION : TN_VERDICT_UNKNOWN;
    if (verdict->device_free >= asked) return TN_VERDICT_LIMIT;
    free += verdict->device_free;
    if (fragments == NULL) return TN_VERDICT_UNKNOWN;
    if (free >= asked) return TN_VERDICT_FRAGMENTATION;
    if (free + moment->waiting >= asked) return TN_VERDICT_WAITING;
    return free + moment->waiting + fragments->private_free >= asked ? TN_VERDICT_PRIVATE
                                                                     : TN_VERDICT_SHORTAGE;
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
    if (fragments != NULL) add_usable(moment, fragments, verdict);
    uint64_t device_free = verdict->device_free != UINT64_MAX ? verdict->device_free : 0;
    uint64_t free = verdict->usable + device_free;
    verdict->cause = judge_failure(moment, fragments, verdict);
    verdict->fits = verdict->largest > device_free ? verdict->largest : device_free;
    verdict->missing = verdict->failure->size > free ? verdict->failure->size - free : 0;
    verdict->retried = find_retry(moment, verdict->failure->size);
}
