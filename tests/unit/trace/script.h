// SPDX-License-Identifier: Apache-2.0
// Small traces for tests, written event by event. A test builds one, and asks an analysis about it.
// Each failed call ends the test.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trace/builder.h"

struct trace_script {
    struct tn_builder builder;
    uint64_t where; // number of the next event
    uint32_t stack; // of what is allocated next
    uint64_t stream;
};

static inline void script_begin(struct trace_script *script, enum tn_trace_format format) {
    struct tn_trace_device *device;
    *script = (struct trace_script){.where = 0};
    assert_int_equal(tn_builder_begin(&script->builder, "script", format, NULL), TARN_OK);
    assert_int_equal(tn_builder_device(&script->builder, 0, &device), TARN_OK);
}

static inline void script_end(struct trace_script *script, struct tn_trace *trace) {
    assert_int_equal(tn_builder_end(&script->builder, TARN_OK, trace), TARN_OK);
}

static inline void script_event(struct trace_script *script, enum tn_event_kind kind,
                                uint32_t item) {
    uint64_t where = script->where++;
    assert_int_equal(tn_builder_event(&script->builder, kind, 10 * (where + 1), where, item),
                     TARN_OK);
}

static inline struct tn_block script_block(struct trace_script *script, uint64_t address,
                                           uint64_t size) {
    struct tn_block block = {.id = address, .size = size, .stack = script->stack};
    assert_int_equal(tn_builder_stream(&script->builder, script->stream, &block.stream), TARN_OK);
    return block;
}

static inline uint32_t script_starting(struct trace_script *script, uint64_t address,
                                       uint64_t size) {
    struct tn_block block = script_block(script, address, size);
    uint32_t index;
    assert_int_equal(tn_builder_starting(&script->builder, &block, &index), TARN_OK);
    return index;
}

static inline uint32_t script_alloc(struct trace_script *script, uint64_t address, uint64_t size) {
    struct tn_block block = script_block(script, address, size);
    uint32_t index;
    assert_int_equal(tn_builder_block(&script->builder, &block, &index), TARN_OK);
    script_event(script, TN_EVENT_ALLOC, index);
    return index;
}

static inline void script_free(struct trace_script *script, uint32_t block) {
    script_event(script, TN_EVENT_FREE, block);
}

static inline struct tn_trace_segment script_range(struct trace_script *script, uint64_t address,
                                                   uint64_t bytes, bool mapped) {
    struct tn_trace_segment segment = {.address = address, .bytes = bytes, .mapped = mapped};
    assert_int_equal(tn_builder_stream(&script->builder, script->stream, &segment.stream), TARN_OK);
    return segment;
}

static inline void script_segment(struct trace_script *script, enum tn_event_kind kind,
                                  uint64_t address, uint64_t bytes, bool mapped) {
    struct tn_trace_segment segment = script_range(script, address, bytes, mapped);
    uint32_t index;
    assert_int_equal(tn_builder_segment(&script->builder, &segment, &index), TARN_OK);
    script_event(script, kind, index);
}

static inline void script_failure(struct trace_script *script, uint64_t size,
                                  uint64_t device_free) {
    uint32_t index;
    assert_int_equal(
        tn_builder_refusal(&script->builder, size, device_free, script->stream, 0, &index),
        TARN_OK);
    script_event(script, TN_EVENT_FAILURE, index);
}

static inline uint32_t script_text(struct trace_script *script, const char *text) {
    uint32_t index;
    assert_int_equal(tn_builder_text(&script->builder, text, strlen(text), &index), TARN_OK);
    return index;
}

static inline void script_mark(struct trace_script *script, enum tn_event_kind kind,
                               const char *label) {
    script_event(script, kind, script_text(script, label));
}

// Adds a call to a stack, which becomes that of what is allocated next.
static inline uint32_t script_call(struct trace_script *script, uint32_t caller,
                                   const char *function, const char *file, uint32_t line) {
    struct tn_trace_call call = {.caller = caller, .line = line};
    call.function = script_text(script, function);
    call.file = script_text(script, file);
    assert_int_equal(tn_builder_stack(&script->builder, &call, &script->stack), TARN_OK);
    return script->stack;
}
