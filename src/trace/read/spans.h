// SPDX-License-Identifier: Apache-2.0
// Spans: the calls of the recorded threads, each with its time. They answer which calls a thread
// was in at a moment. Spans of a thread lie in each other, as its calls did. A reader owns them.
// One thread at a time.
#pragma once

#include "trace/builder.h"

struct tn_span {
    int64_t start_ns;
    int64_t end_ns;
    uint64_t process;
    uint64_t thread;
    uint64_t order;   // private
    uint32_t name;    // text of the builder: a function, or one with its file and line
    uint32_t callers; // stack of the call, where no span says it; or 0
    uint32_t stack;   // private: of the call itself, if `known`
    bool known;
};

struct tn_spans {
    struct tn_builder *builder;
    TN_LIST(struct tn_span) all;
    size_t next;            // the first that was not opened yet
    TN_LIST(uint32_t) open; // the calls that the current thread is in, outermost first
};

// Zeroed spans with a builder are empty.
void tn_spans_release(struct tn_spans *spans);

tarn_status tn_spans_add(struct tn_spans *spans, const struct tn_span *span);

// Sorts the spans, once all are added.
void tn_spans_sort(struct tn_spans *spans);

// Finds the stack of a thread at a moment, 0 if it was in no call. The questions come in the order
// of processes, threads and times.
tarn_status tn_spans_stack(struct tn_spans *spans, uint64_t process, uint64_t thread,
                           int64_t time_ns, uint32_t *stack);
