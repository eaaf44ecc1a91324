// SPDX-License-Identifier: Apache-2.0
// Any binary trace in each format: a writer refuses it, or the reader accepts what is written and
// builds a trace that holds together. A binary trace and a Chrome trace keep all blocks and events.
// The input is the records of a frame.
#include "trace/write/binary.h"
#include "trace/write/write.h"
#include "unit/trace/sound.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t header[TN_BINARY_HEADER] = {0x50, 0x2a, 0x4d, 0x18, 16,  0,   0,   0,
                                                 't',  'a',  'r',  'n',  '-', 't', 'r', 'a',
                                                 'c',  'e',  '\n', 0,    1,   0,   0,   0};

static const struct writer {
    enum tn_writer writer;
    const char *name;
    tarn_status (*write)(const struct tn_trace *trace, const struct tn_write_options *options,
                         struct tn_output *output);
} writers[] = {
#define WRITER(format, name, writer, endings, help) {TN_WRITER_##format, name, writer},
    TN_WRITER_LIST(WRITER)
#undef WRITER
};

static bool read_trace(const uint8_t *records, size_t size, struct tn_trace *trace) {
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    size_t room = TN_BINARY_HEADER + ZSTD_compressBound(size);
    uint8_t *file = (uint8_t *)malloc(room);
    SOUND_DEMAND(file != NULL);
    memcpy(file, header, sizeof header);
    size_t used = ZSTD_compress(file + TN_BINARY_HEADER, room - TN_BINARY_HEADER, records, size, 1);
    bool is_read =
        tn_trace_read_memory("fuzz", file, TN_BINARY_HEADER + used, &limits, trace) == TARN_OK;
    free(file);
    return is_read;
}

// Writes the trace to memory, and returns the descriptor, or -1 if the writer refuses it.
static int write_trace(const struct tn_trace *trace, const struct writer *writer) {
    const struct tn_write_options options = {.device = TN_WRITE_ALL_DEVICES};
    struct tn_output *output = NULL;
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    SOUND_DEMAND(file >= 0 && tn_output_attach(dup(file), "fuzz", &output) == TARN_OK);
    tarn_status status = tn_output_close(output, writer->write(trace, &options, output));
    SOUND_DEMAND(status == TARN_OK || status == TARN_UNSUPPORTED);
    if (status == TARN_OK) return file;
    SOUND_DEMAND(writer->writer != TN_WRITER_BINARY && writer->writer != TN_WRITER_CHROME &&
                 writer->writer != TN_WRITER_CSV);
    (void)close(file);
    return -1;
}

static void compare_formats(const struct tn_trace *trace, const struct writer *writer) {
    struct tn_trace again;
    struct stat info;
    int file = write_trace(trace, writer);
    if (file < 0) return;
    SOUND_DEMAND(fstat(file, &info) == 0);
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    SOUND_DEMAND(bytes != MAP_FAILED);
    tarn_status status =
        tn_trace_read_memory(writer->name, bytes, (size_t)info.st_size, NULL, &again);
    tarn_error error = {.message = ""};
    if (status != TARN_OK) {
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
    }
    SOUND_DEMAND(status == TARN_OK);
    sound_trace(&again);
    if (writer->writer == TN_WRITER_BINARY || writer->writer == TN_WRITER_CHROME) {
        SOUND_DEMAND(again.block_count == trace->block_count);
        SOUND_DEMAND(again.event_count == trace->event_count);
        SOUND_DEMAND(again.origin == trace->origin && again.lacks == trace->lacks);
    }
    tn_trace_release(&again);
    (void)munmap(bytes, (size_t)info.st_size);
    (void)close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    if (!read_trace(data, size, &trace)) return 0;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        compare_formats(&trace, &writers[i]);
    tn_trace_release(&trace);
    return 0;
}
