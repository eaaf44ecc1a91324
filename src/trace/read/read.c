// SPDX-License-Identifier: Apache-2.0
// Chooses the reader by the first bytes of the unpacked content. Has no state; any thread may call.
#include "trace/read/read.h"

#include "base/error.h"

#define READER(format, reader) {TN_TRACE_##format, reader##_detect, reader##_read},
static const struct reader {
    enum tn_trace_format format;
    bool (*detect)(const uint8_t *bytes, size_t size);
    tarn_status (*read)(struct tn_source *source, struct tn_builder *builder);
} readers[] = {TN_READER_LIST(READER)};

static const struct reader columns_reader = {TN_TRACE_CSV, NULL, tn_columns_read};

static const struct reader *find_reader(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].detect(bytes, size)) return &readers[i];
    return NULL;
}

static bool is_printable(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < 0x20 && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t')
            return false;
    return true;
}

// Names what a file that no reader knows looks like.
static tarn_status fail_unknown(const char *name, const uint8_t *bytes, size_t size) {
    static const struct {
        const char *magic, *what;
    } known[] = {
        {"PK\x03\x04", "a zip archive"},
        {"\177ELF", "a program"},
        {"\x89PNG", "a picture (PNG)"},
        {"BZh", "compressed by bzip2"},
        {"\xff\xfe", "text in UTF-16"},
        {"(d", "a pickle of protocol 0 or 1"},
        {"(l", "a pickle of protocol 0 or 1"},
        {"}(", "a pickle of protocol 1"},
        {"{", "JSON without the keys of a known recording"},
        {"[", "JSON without the shape of a known recording"},
        {"<", "a web page without a recording in it"},
    };
    const char *what = is_printable(bytes, size)
                           ? "a text or a table of another program, which --columns describes"
                           : "binary data of another program";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].magic);
        if (size >= length && memcmp(bytes, known[i].magic, length) == 0) what = known[i].what;
    }
    return tn_fail(TARN_CORRUPT, "%s: not a recording of a known format; it looks like %s", name,
                   what);
}

static tarn_status read_content(struct tn_source *source, const struct tn_trace_limits *limits,
                                struct tn_trace *trace) {
    const char *name = tn_source_name(source);
    const uint8_t *bytes = NULL;
    size_t size = 0;
    struct tn_builder builder;
    TN_TRY(tn_source_look(source, TN_DETECT_BYTES, &bytes, &size));
    TN_REFUSE(size == 0, TARN_CORRUPT, "%s:1: the file is empty", name);
    bool names_columns = limits != NULL && limits->columns != NULL;
    const struct reader *reader = names_columns ? &columns_reader : find_reader(bytes, size);
    if (reader == NULL) return fail_unknown(name, bytes, size);
    tarn_status status = tn_builder_begin(&builder, name, reader->format, limits);
    if (status == TARN_OK) status = reader->read(source, &builder);
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
