// SPDX-License-Identifier: Apache-2.0
// The writers, one for each format. Each writes a trace to an output; the caller of
// tn_trace_write() need not know which. To add one: a file that defines its function, and a line in
// the list. One thread at a time.
#pragma once

#include "trace/progress.h"
#include "trace/write/output.h"

// X(NAME, "name", writer, "endings of file names", "text for people")
#define TN_WRITER_LIST(X)                                                                          \
    X(TEXT, "text", tn_write_text, ".trace .txt", "a text trace of Tarn: one device, no stacks")   \
    X(BINARY, "binary", tn_write_binary, ".tarn", "a binary trace of Tarn: holds everything")      \
    X(SNAPSHOT, "snapshot", tn_write_snapshot, ".pickle .pkl",                                     \
      "a memory snapshot that PyTorch's viewer opens")                                             \
    X(CHROME, "chrome", tn_write_chrome, ".json", "events for Perfetto and chrome://tracing")      \
    X(PPROF, "pprof", tn_write_pprof, ".pb .prof .pprof",                                          \
      "the live blocks of one moment by stack, gzip")                                              \
    X(CSV, "csv", tn_write_csv, ".csv", "a table with a row for each event")

#define TN_WRITER_ENUM(name, text, writer, endings, help) TN_WRITER_##name,
enum tn_writer { TN_WRITER_LIST(TN_WRITER_ENUM) TN_WRITERS };

// The moment that a writer of a state describes.
enum tn_write_moment {
    TN_MOMENT_PEAK, // of live bytes, of each device
    TN_MOMENT_START,
    TN_MOMENT_END,
    TN_MOMENT_FAILURE, // the first failure, or the peak of a device that has none
    TN_MOMENT_EVENT    // after event `event` of the device, counted from 1
};

#define TN_WRITE_ALL_DEVICES UINT64_MAX

struct tn_write_options {
    uint64_t device; // number of the only device to write, or TN_WRITE_ALL_DEVICES
    enum tn_write_moment moment;
    uint64_t event;
    const uint32_t
        *owners; // by stack: the call that owns its memory, in `calls`. NULL: the innermost
};

// Finds a writer by the ending of a path, before ".gz" if there is one.
bool tn_writer_of_path(const char *path, enum tn_writer *writer);

// Writes a trace to a file, or to standard output if the path is "-". A path that ends with ".gz"
// is packed by gzip. An existing file is replaced by a complete one or not at all.
//  TARN_SYSTEM           the file cannot be written
//  TARN_UNSUPPORTED      the format cannot hold the trace; the text says why
//  TARN_BAD_ARGUMENT     the recording has no such device or event
//  TARN_NO_HOST_MEMORY
tarn_status tn_trace_write(const struct tn_trace *trace, const char *path, enum tn_writer writer,
                           const struct tn_write_options *options);

// Returns true if the options select the device.
static inline bool tn_write_selects(const struct tn_write_options *options,
                                    const struct tn_trace_device *device) {
    return options->device == TN_WRITE_ALL_DEVICES ||
           (device->number == options->device && device->kind == TN_DEVICE_ACCELERATOR);
}

// Returns the call of a stack that owns its memory, or 0 without a stack.
static inline uint32_t tn_write_owner(const struct tn_write_options *options, uint32_t stack) {
    return options->owners != NULL ? options->owners[stack] : stack;
}

#define TN_WRITER_DECLARE(name, text, writer, endings, help)                                       \
    tarn_status writer(const struct tn_trace *trace, const struct tn_write_options *options,       \
                       struct tn_output *output);
TN_WRITER_LIST(TN_WRITER_DECLARE)
