// SPDX-License-Identifier: Apache-2.0
// The reader of text traces: one event on each line, "a TIME ID BYTES", "f TIME ID" or "m TIME
// LABEL...". Ids increase and are never reused, so the blocks are sorted by id. One thread at a
// time.
#include <inttypes.h>

#include "base/error.h"
#include "base/options.h"
#include "trace/parse/cell.h"
#include "trace/read/read.h"

enum { LINE_MAX_BYTES = 1024 };

struct text {
    struct tn_source *source;
    struct tn_builder *builder;
    uint64_t line;    // number of the line in `bytes`, from 1
    size_t length;    // of the line, without its newline
    const char *next; // the part of the line that is not parsed yet
    uint8_t *freed;   // a flag for each block
    size_t freed_room;
    char bytes[LINE_MAX_BYTES + 1];
};

static tarn_status fail_line(const struct text *text, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s", text->builder->name, text->line, what);
}

static tarn_status fail_malformed(const struct text *text, const char *expected) {
    char shown[TN_CELL_SHOWN];
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": expected %s, found \"%s\"", text->builder->name,
                   text->line, expected,
                   tn_cell_quote((struct tn_cell){text->bytes, text->length}, shown));
}

// Reads the next line. *more is false at the end of the file.
static tarn_status next_line(struct text *text, bool *more) {
    const uint8_t *bytes = NULL;
    size_t size = 0;
    text->line++;
    TN_TRY(tn_source_look(text->source, LINE_MAX_BYTES + 1, &bytes, &size));
    const uint8_t *newline = (const uint8_t *)memchr(bytes, '\n', size);
    size_t length = newline != NULL ? (size_t)(newline - bytes) : size;
    *more = size > 0;
    text->length = length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES;
    memcpy(text->bytes, bytes, text->length);
    text->bytes[text->length] = '\0';
    text->next = text->bytes;
    if (length > LINE_MAX_BYTES) return fail_malformed(text, "a line of at most 1024 bytes");
    if (*more && newline == NULL)
        return fail_line(text, "the last line has no newline: the file is truncated");
    tn_source_take(text->source, *more ? length + 1 : 0);
    return TARN_OK;
}

// Parses " NUMBER": one space, and decimal digits that fit into 64 bits.
static bool parse_number(struct text *text, uint64_t *value) {
    const char *digits = text->next + 1;
    if (*text->next != ' ') return false;
    text->next = digits + strspn(digits, "0123456789");
    return tn_parse_unsigned(digits, (size_t)(text->next - digits), value);
}

static bool at_end(const struct text *text) { return text->next == text->bytes + text->length; }

// Finds the block with this id. The blocks are sorted by id, without gaps in most traces.
static bool find_block(const struct text *text, uint64_t id, uint32_t *index) {
    const struct tn_trace *trace = &text->builder->trace;
    const struct tn_block *block =
        id < trace->block_count && trace->blocks[id].id == id
            ? &trace->blocks[id]
            : tn_numbers_find(trace->blocks, trace->block_count, sizeof *block, id);
    if (block != NULL) *index = (uint32_t)(block - trace->blocks);
    return block != NULL;
}

static tarn_status add_block(struct text *text, uint64_t id, uint64_t size, uint32_t *index) {
    const struct tn_trace *trace = &text->builder->trace;
    TN_REFUSE(trace->block_count > 0 && id <= trace->blocks[trace->block_count - 1].id,
              TARN_CORRUPT, "%s:%" PRIu64 ": id %" PRIu64 " %s: ids count up and are never reused",
              text->builder->name, text->line, id,
              find_block(text, id, index) ? "was used before" : "is below an earlier one");
    if (size == 0) return fail_line(text, "an allocation of 0 bytes");
    struct tn_block block = {.id = id, .size = size, .stream = 0};
    TN_TRY(tn_builder_block(text->builder, &block, index));
    void *grown = tn_grow(text->freed, &text->freed_room, trace->block_count, 1);
    if (grown == NULL) return tn_builder_fail_room(text->builder);
    text->freed = (uint8_t *)grown;
    text->freed[*index] = 0;
    return TARN_OK;
}

static tarn_status parse_alloc(struct text *text, uint64_t time) {
    uint64_t id, size;
    uint32_t index;
    if (!parse_number(text, &id) || !parse_number(text, &size) || !at_end(text))
        return fail_malformed(text, "\"a TIME ID BYTES\"");
    TN_TRY(add_block(text, id, size, &index));
    return tn_builder_event(text->builder, TN_EVENT_ALLOC, time, text->line, index);
}

static tarn_status parse_free(struct text *text, uint64_t time) {
    uint64_t id;
    uint32_t index;
    if (!parse_number(text, &id) || !at_end(text)) return fail_malformed(text, "\"f TIME ID\"");
    TN_REFUSE(!find_block(text, id, &index), TARN_CORRUPT,
              "%s:%" PRIu64 ": id %" PRIu64 " is freed before it is allocated", text->builder->name,
              text->line, id);
    TN_REFUSE(text->freed[index], TARN_CORRUPT, "%s:%" PRIu64 ": id %" PRIu64 " is freed twice",
              text->builder->name, text->line, id);
    text->freed[index] = 1;
    return tn_builder_event(text->builder, TN_EVENT_FREE, time, text->line, index);
}

static tarn_status parse_mark(struct text *text, uint64_t time) {
    size_t left = text->length - (size_t)(text->next - text->bytes);
    uint32_t label;
    if (left < 2 || text->next[0] != ' ' || memchr(text->next, '\0', left) != NULL)
        return fail_malformed(text, "\"m TIME LABEL\"");
    TN_TRY(tn_builder_text(text->builder, text->next + 1, left - 1, &label));
    return tn_builder_event(text->builder, TN_EVENT_MARK, time, text->line, label);
}

static tarn_status parse_line(struct text *text) {
    uint64_t time;
    char kind = *text->next++;
    if ((kind != 'a' && kind != 'f' && kind != 'm') || !parse_number(text, &time))
        return fail_malformed(text, "\"a TIME ID BYTES\", \"f TIME ID\" or \"m TIME LABEL\"");
    if (kind == 'a') return parse_alloc(text, time);
    return kind == 'f' ? parse_free(text, time) : parse_mark(text, time);
}

static tarn_status read_lines(struct text *text) {
    for (;;) {
        bool more = false;
        TN_TRY(next_line(text, &more));
        if (!more) return TARN_OK;
        if (text->length == 0) return fail_line(text, "an empty line");
        TN_TRY(parse_line(text));
    }
}

// A line of one letter, a space and a digit.
bool tn_text_detect(const uint8_t *bytes, size_t size) {
    return size >= 2 && (bytes[0] == 'a' || bytes[0] == 'f' || bytes[0] == 'm') && bytes[1] == ' ';
}

tarn_status tn_text_read(struct tn_source *source, struct tn_builder *builder) {
    struct text text = {.source = source, .builder = builder};
    struct tn_trace_device *device = NULL;
    uint32_t stream;
    builder->trace.lacks = TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS | TN_TRACE_NO_ADDRESSES;
    TN_TRY(tn_builder_device(builder, 0, &device));
    TN_TRY(tn_builder_stream(builder, 0, &stream));
    tarn_status status = read_lines(&text);
    free(text.freed);
    return status;
}
