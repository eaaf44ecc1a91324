// SPDX-License-Identifier: Apache-2.0
// One or more samples for each reader of read.h, from the corpora of the fuzzers. The binary trace
// is made of one of them, because a writer of today exists.
#pragma once

#include "trace/write/write.h"
#include "unit/trace/story.h"

#include <unistd.h>

#define SAMPLE_BINARY "trace_pickle/story-newest"

static const struct sample {
    const char *name;
    const char *columns; // of a table without a reader of its own
    bool is_binary;      // written as a binary trace first
} samples[] = {
    {"trace_text/story", NULL, false},
    {"trace_text/gzip", NULL, false},
    {SAMPLE_BINARY, NULL, true},
    {"trace_pickle/story-newest", NULL, false},
    {"trace_pickle/story-npu", NULL, false},
    {"trace_pickle/contradictions-p2", NULL, false},
    {"trace_pickle/lost_beginning-p4", NULL, false},
    {"trace_json/torch-snapshot.json", NULL, false},
    {"trace_json/torch-memory-snapshot-list.json", NULL, false},
    {"trace_json/torch-memory-viz.html", NULL, false},
    {"trace_json/torch-timeline.json", NULL, false},
    {"trace_json/torch-timeline.raw.json.gz", NULL, false},
    {"trace_json/kineto.pt.trace.json", NULL, false},
    {"trace_json/umpire.json", NULL, false},
    {"trace_json/umpire-2019.json", NULL, false},
    {"trace_json/rocprof.json", NULL, false},
    {"trace_json/tarn-chrome.json", NULL, false},
    {"trace_csv/tarn-table", NULL, false},
    {"trace_csv/memscope", NULL, false},
    {"trace_csv/rmm", NULL, false},
    {"trace_csv/rmm-dev1", NULL, false},
    {"trace_csv/rocprof", NULL, false},
    {"trace_csv/scratch", NULL, false},
    {"trace_csv/npu-operators", NULL, false},
    {"trace_csv/npu-sums", NULL, false},
    {"trace_csv/rmm", "time=Time,action=Action,address=Pointer,size=Size,stream=Stream", false},
    {"trace_sqlite/nsys", NULL, false},
    {"trace_sqlite/rocpd", NULL, false},
    {"trace_sqlite/memscope", NULL, false},
    {"trace_protobuf/jax", NULL, false},
    {"trace_protobuf/jax-gzip", NULL, false},
    {"trace_protobuf/go", NULL, false},
    {"trace_protobuf/xplane", NULL, false},
    {"trace_protobuf/bfc", NULL, false},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

static inline struct tn_trace_limits sample_limits(const struct sample *sample) {
    return (struct tn_trace_limits){.columns = sample->columns};
}

// Makes an empty file whose name is stored in `path`. The caller removes it.
static inline void sample_file(char path[64]) {
    (void)strcpy(path, "/tmp/tarn-sample-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
}

// Loads the bytes of a sample. The caller frees them.
static inline uint8_t *sample_load(const struct sample *sample, size_t *size) {
    const struct tn_write_options whole = {.device = TN_WRITE_ALL_DEVICES};
    struct tn_trace trace;
    char path[64];
    if (!sample->is_binary) return story_load(sample->name, size);
    story_read(sample->name, &trace);
    sample_file(path);
    assert_int_equal(tn_trace_write(&trace, path, TN_WRITER_BINARY, &whole), TARN_OK);
    tn_trace_release(&trace);
    uint8_t *bytes = damage_load(path, size);
    (void)unlink(path);
    return bytes;
}
