// SPDX-License-Identifier: Apache-2.0
// Chooses the writer by the ending of a path. Has no state; any thread may call.
#include "trace/write/write.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

#define WRITER(name, text, writer, endings, help) {endings, writer},
static const struct writer {
    const char *endings; // each begins with a dot; a space between them
    tarn_status (*write)(const struct tn_trace *trace, const struct tn_write_options *options,
                         struct tn_output *output);
} writers[] = {TN_WRITER_LIST(WRITER)};

static bool ends_with(const char *path, size_t length, const char *ending, size_t size) {
    return length > size && memcmp(path + length - size, ending, size) == 0;
}

static size_t length_without_gz(const char *path) {
    size_t length = strlen(path);
    return ends_with(path, length, ".gz", 3) ? length - 3 : length;
}

bool tn_writer_of_path(const char *path, enum tn_writer *writer) {
    size_t length = length_without_gz(path);
    for (int i = 0; i < TN_WRITERS; i++) {
        for (const char *at = writers[i].endings; *at != '\0';) {
            size_t size = strcspn(at, " ");
            if (ends_with(path, length, at, size)) {
                *writer = (enum tn_writer)i;
                return true;
            }
            at += size + strspn(at + size, " ");
        }
    }
    return false;
}

static tarn_status check_device(const struct tn_trace *trace,
                                const struct tn_write_options *options) {
    for (size_t i = 0; i < trace->device_count; i++)
        if (tn_write_selects(options, &trace->devices[i])) return TARN_OK;
    return tn_fail(TARN_BAD_ARGUMENT, "the recording has no device %" PRIu64, options->device);
}

tarn_status tn_trace_write(const struct tn_trace *trace, const char *path, enum tn_writer writer,
                           const struct tn_write_options *options) {
    struct tn_output *output = NULL;
    TN_TRY(check_device(trace, options));
    // pprof files are packed by definition.
    bool packs = writer == TN_WRITER_PPROF || length_without_gz(path) != strlen(path);
    TN_TRY(tn_output_open(path, packs ? TN_OUTPUT_GZIP : TN_OUTPUT_PLAIN, &output));
    return tn_output_close(output, writers[writer].write(trace, options, output));
}
