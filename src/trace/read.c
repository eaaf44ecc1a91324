// SPDX-License-Identifier: Apache-2.0
// Chooses the reader by the first byte of the unpacked content. Has no state; any thread may call.
#include "trace/read.h"

#include "base/error.h"

enum { PICKLE_PROTO = 0x80 }; // the first byte of a pickle of protocol 2 or later, never of a text

static const uint64_t default_memory = UINT64_C(1) << 30;

static tarn_status read_content(struct tn_source *source, const struct tn_trace_limits *limits,
                                struct tn_trace *trace) {
    const uint8_t *bytes = NULL;
    size_t size = 0;
    struct tn_builder builder;
    tarn_status status = tn_source_peek(source, &bytes, &size);
    if (status != TARN_OK)
        return status;
    if (size == 0)
        return tn_fail(TARN_CORRUPT, "%s:1: the file is empty", tn_source_name(source));
    bool pickle = bytes[0] == PICKLE_PROTO;
    uint64_t memory = limits != NULL && limits->memory != 0 ? limits->memory : default_memory;
    status = tn_builder_begin(&builder, tn_source_name(source),
                              pickle ? TN_TRACE_SNAPSHOT : TN_TRACE_TEXT, limits);
    if (status == TARN_OK)
        status =
            pickle ? tn_snapshot_read(source, memory, &builder) : tn_text_read(source, &builder);
    return tn_builder_end(&builder, status, trace);
}

static tarn_status read_source(struct tn_source *source, const struct tn_trace_limits *limits,
                               struct tn_trace *trace) {
    tarn_status status = read_content(source, limits, trace);
    tn_source_close(source);
    return status;
}

tarn_status tn_trace_read(const char *path, const struct tn_trace_limits *limits,
                          struct tn_trace *trace) {
    struct tn_source *source = NULL;
    tarn_status status = tn_source_open(path, &source);
    return status != TARN_OK ? status : read_source(source, limits, trace);
}

tarn_status tn_trace_read_memory(const char *name, const void *bytes, size_t size,
                                 const struct tn_trace_limits *limits, struct tn_trace *trace) {
    struct tn_source *source = NULL;
    tarn_status status = tn_source_open_memory(name, bytes, size, &source);
    return status != TARN_OK ? status : read_source(source, limits, trace);
}
