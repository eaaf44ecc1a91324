// SPDX-License-Identifier: Apache-2.0
// Finds the calls that a thread was in by a sweep over the sorted spans; see spans.h. A stack is
// built when it is first needed, since most calls allocate nothing.
#include "trace/read/spans.h"

#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/callstack.h"

void tn_spans_release(struct tn_spans *spans) {
    free(spans->all.items);
    free(spans->open.items);
    *spans = (struct tn_spans){.builder = spans->builder};
}

tarn_status tn_spans_add(struct tn_spans *spans, const struct tn_span *span) {
    struct tn_span fresh = *span;
    fresh.order = spans->all.count;
    TN_REFUSE(spans->all.count >= spans->builder->memory / sizeof fresh ||
                  spans->all.count >= UINT32_MAX,
              TARN_NO_HOST_MEMORY, "%s: the calls need more than the %" PRIu64 " bytes allowed",
              spans->builder->name, spans->builder->memory);
    return TN_APPEND(spans->builder, &spans->all, &fresh, "calls");
}

// By thread, then by start; a longer span is around a shorter one that starts at the same time.
static int compare_spans(const void *left, const void *right) {
    const struct tn_span *a = (const struct tn_span *)left;
    const struct tn_span *b = (const struct tn_span *)right;
    if (a->process != b->process) return a->process > b->process ? 1 : -1;
    if (a->thread != b->thread) return a->thread > b->thread ? 1 : -1;
    if (a->start_ns != b->start_ns) return a->start_ns > b->start_ns ? 1 : -1;
    if (a->end_ns != b->end_ns) return a->end_ns < b->end_ns ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

void tn_spans_sort(struct tn_spans *spans) {
    if (spans->all.count > 0)
        qsort(spans->all.items, spans->all.count, sizeof *spans->all.items, compare_spans);
}

static struct tn_span *top_span(const struct tn_spans *spans) {
    return spans->open.count > 0 ? &spans->all.items[spans->open.items[spans->open.count - 1]]
                                 : NULL;
}

static bool is_of_thread(const struct tn_span *span, uint64_t process, uint64_t thread) {
    return span->process == process && span->thread == thread;
}

static tarn_status open_span(struct tn_spans *spans, uint32_t index) {
    const struct tn_span *span = &spans->all.items[index], *top = top_span(spans);
    if (top != NULL && !is_of_thread(top, span->process, span->thread)) spans->open.count = 0;
    while ((top = top_span(spans)) != NULL && top->end_ns <= span->start_ns) spans->open.count--;
    return TN_APPEND(spans->builder, &spans->open, &index, "calls");
}

// Returns true if the span begins at or before the moment, in the order of the questions.
static bool is_before(const struct tn_span *span, uint64_t process, uint64_t thread,
                      int64_t time_ns) {
    if (span->process != process) return span->process < process;
    if (span->thread != thread) return span->thread < thread;
    return span->start_ns <= time_ns;
}

// Builds the stacks of the open calls from the first one that has none.
static tarn_status build_stack(struct tn_spans *spans, uint32_t *stack) {
    size_t known = spans->open.count;
    while (known > 0 && !spans->all.items[spans->open.items[known - 1]].known) known--;
    *stack = known > 0 ? spans->all.items[spans->open.items[known - 1]].stack : 0;
    for (size_t i = known; i < spans->open.count; i++) {
        struct tn_span *span = &spans->all.items[spans->open.items[i]];
        const char *name = spans->builder->trace.texts[span->name];
        uint32_t caller = *stack != 0 ? *stack : span->callers;
        TN_TRY(tn_callstack_add(spans->builder, (struct tn_cell){name, strlen(name)}, caller,
                                &span->stack));
        span->known = true;
        *stack = span->stack;
    }
    return TARN_OK;
}

tarn_status tn_spans_stack(struct tn_spans *spans, uint64_t process, uint64_t thread,
                           int64_t time_ns, uint32_t *stack) {
    *stack = 0;
    for (; spans->next < spans->all.count &&
           is_before(&spans->all.items[spans->next], process, thread, time_ns);
         spans->next++)
        TN_TRY(open_span(spans, (uint32_t)spans->next));
    const struct tn_span *top = top_span(spans);
    if (top != NULL && !is_of_thread(top, process, thread)) spans->open.count = 0;
    while ((top = top_span(spans)) != NULL && top->end_ns < time_ns) spans->open.count--;
    return build_stack(spans, stack);
}
