// SPDX-License-Identifier: Apache-2.0
// The story that the samples of all formats tell: blocks A (2 MiB), B (2 MiB), C (1.5 MiB, at the
// address of A) and D (4 MiB), of which B is never freed. The first three live together with D.
#pragma once

#include "unit/trace/damage.h"

// Sums over one device.
struct story_sums {
    uint64_t allocations, frees, failures, marks, segments;
    uint64_t live, peak;
    size_t peak_event; // index from the device's first
};

static inline struct story_sums story_sums(const struct tn_trace *trace, size_t number) {
    const struct tn_trace_device *device = &trace->devices[number];
    struct story_sums sums = {0};
    for (size_t i = 0; i < device->starting_count; i++)
        sums.live += trace->blocks[device->first_starting + i].size;
    sums.peak = sums.live;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC) sums.live += trace->blocks[event->item].size;
        if (event->kind == TN_EVENT_FREE) sums.live -= trace->blocks[event->item].size;
        sums.allocations += event->kind == TN_EVENT_ALLOC;
        sums.frees += event->kind == TN_EVENT_FREE;
        sums.failures += event->kind == TN_EVENT_FAILURE;
        sums.marks += event->kind == TN_EVENT_MARK || event->kind == TN_EVENT_MARK_END;
        sums.segments += event->kind == TN_EVENT_SEGMENT;
        if (sums.live > sums.peak) {
            sums.peak = sums.live;
            sums.peak_event = i;
        }
    }
    return sums;
}

// The answers that every sample with a history gives.
static inline void assert_story(const struct tn_trace *trace, size_t device) {
    struct story_sums sums = story_sums(trace, device);
    sound_trace(trace);
    assert_int_equal(sums.allocations, 4);
    assert_int_equal(sums.frees, 3);
    assert_int_equal(sums.peak, 7864320);
    assert_int_equal(sums.live, 2097152);
    assert_int_equal(trace->devices[device].starting_count, 0);
}

// Loads a sample of the corpus of a fuzzer. The caller frees it.
static inline uint8_t *story_load(const char *name, size_t *size) {
    char path[4096];
    const char *root = getenv("SRC");
    assert_non_null(root);
    (void)snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", root, name);
    return damage_load(path, size);
}

static inline void story_read(const char *name, struct tn_trace *trace) {
    size_t size = 0;
    uint8_t *bytes = story_load(name, &size);
    tarn_status status = tn_trace_read_memory("file", bytes, size, NULL, trace);
    free(bytes);
    assert_int_equal(status, TARN_OK);
}

static inline void story_read_text(const char *text, struct tn_trace *trace) {
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), NULL, trace), TARN_OK);
    sound_trace(trace);
}

// Returns the function of the innermost call of a stack.
static inline const char *story_function(const struct tn_trace *trace, uint32_t stack) {
    return trace->texts[trace->calls[stack].function];
}

// Reads text and checks the error.
static inline void assert_story_refused(const char *text, const char *message) {
    struct tn_trace trace = {.event_count = 77};
    tarn_error error;
    tarn_clear_error();
    assert_int_not_equal(tn_trace_read_memory("file", text, strlen(text), NULL, &trace), TARN_OK);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, message);
    assert_int_equal(trace.event_count, 77);
}
