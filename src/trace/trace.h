// SPDX-License-Identifier: Apache-2.0
// A trace: what a program allocated and freed, in order, as recorded. Built by one of the readers,
// then never changed, so any thread may read it. Owned by whoever called tn_trace_read().
#ifndef TARN_TRACE_TRACE_H
#define TARN_TRACE_TRACE_H

#include <tarn/base.h>

enum tn_event_kind {
    TN_EVENT_ALLOC, // `item` is the block that is asked for
    TN_EVENT_FREE,  // `item` is the block that is given back, free for reuse from here on
    TN_EVENT_MARK   // `item` is the label of a step or phase that begins here
};

struct tn_event {
    uint64_t time_us; // since some start; 0 throughout when the recording has no time stamps
    uint64_t where;   // the line of a text trace, the index in its device's list of a snapshot
    uint32_t item;
    uint32_t kind; // enum tn_event_kind
};

struct tn_block {
    uint64_t
        id; // as recorded: an id that is never reused (text), an address that may be (snapshot)
    uint64_t size;   // bytes asked, never 0
    uint32_t stream; // index into `streams`
};

struct tn_stream {
    uint64_t native; // as recorded; 0 is the default stream
    uint32_t device; // index into `devices`
};

// One device of the recording. Its events and its starting blocks are contiguous.
struct tn_trace_device {
    uint32_t number; // as recorded
    size_t first_event;
    size_t event_count;
    size_t first_starting; // blocks that were live before the first event
    size_t starting_count;
    bool says_reserved; // the recording tells what its own allocator held:
    uint64_t reserved_at_start;
    uint64_t reserved_peak;
    uint64_t reserved_at_end;
};

enum tn_trace_format { TN_TRACE_TEXT, TN_TRACE_SNAPSHOT };

#define TN_TRACE_NOTES 4

struct tn_trace {
    enum tn_trace_format format;
    struct tn_trace_device *devices;
    size_t device_count;
    struct tn_stream *streams;
    size_t stream_count;
    struct tn_block *blocks;
    size_t block_count;
    struct tn_event *events;
    size_t event_count;
    char **labels;
    size_t label_count;
    // Where the recording contradicts itself: how often, and the first few in words.
    size_t note_count;
    char *notes[TN_TRACE_NOTES];
};

// What a reader may use before it gives up. Zero means the default.
struct tn_trace_limits {
    uint64_t events; // default 16 Mi
    uint64_t memory; // bytes of a snapshot's values, default 1 GiB
};

// Reads a trace of any known format; the format is told by the content, never by the name.
//  TARN_SYSTEM          the file cannot be opened or read
//  TARN_CORRUPT         the content is damaged or of no known format
//  TARN_UNSUPPORTED     a pickle that wants more than plain data
//  TARN_NO_HOST_MEMORY  a limit was reached
// The last error names the file and the position. Release with tn_trace_release().
tarn_status tn_trace_read(const char *path, const struct tn_trace_limits *limits,
                          struct tn_trace *trace);

// The same from memory; `name` stands for the file in error texts.
tarn_status tn_trace_read_memory(const char *name, const void *bytes, size_t size,
                                 const struct tn_trace_limits *limits, struct tn_trace *trace);

// Gives back what a reader allocated and leaves an empty trace. An empty trace is fine.
void tn_trace_release(struct tn_trace *trace);

#endif
