// SPDX-License-Identifier: Apache-2.0
// The reader of memory dumps of TensorFlow's BFC allocator, which it writes when memory runs out.
// They are a state: the chunks, used and free, one behind the other. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/wire.h"
#include "trace/read/history.h"
#include "trace/read/read.h"

// Numbers of fields.
enum { DUMP_ALLOCATOR = 1, DUMP_CHUNK = 3, DUMP_LAST = 5 };
enum { CHUNK_ADDRESS = 1, CHUNK_SIZE = 2, CHUNK_REQUESTED = 3, CHUNK_OPERATOR = 5, CHUNK_USED = 8 };

struct chunk {
    uint64_t address;
    uint64_t size;
    uint64_t requested;
    struct tn_wire owner;
    bool used;
};

struct bfc {
    struct tn_builder *builder;
    TN_LIST(struct chunk) chunks;
    struct tn_history history;
};

static tarn_status read_chunk(struct bfc *bfc, struct tn_wire message) {
    struct tn_wire_field fields[CHUNK_USED + 1];
    uint64_t end;
    TN_TRY(tn_wire_fields(message, fields, CHUNK_USED + 1));
    const struct chunk chunk = {.address = fields[CHUNK_ADDRESS].value,
                                .size = fields[CHUNK_SIZE].value,
                                .requested = fields[CHUNK_REQUESTED].value,
                                .owner = fields[CHUNK_OPERATOR].bytes,
                                .used = fields[CHUNK_USED].value != 0};
    TN_REFUSE(chunk.size == 0 || chunk.size > INT64_MAX || chunk.requested > chunk.size ||
                  __builtin_add_overflow(chunk.address, chunk.size, &end),
              TARN_CORRUPT,
              "%s: chunk %zu: %" PRIu64 " requested of %" PRIu64 " bytes at 0x%" PRIx64,
              bfc->builder->name, bfc->chunks.count, chunk.requested, chunk.size, chunk.address);
    return TN_APPEND_LIMITED(bfc->builder, &bfc->chunks, &chunk, "chunks");
}

// The dump does not have the allocator's regions. Chunks that adjoin are taken for one.
static tarn_status add_chunk(struct bfc *bfc, const struct chunk *chunk) {
    struct tn_history *history = &bfc->history;
    struct tn_held held = {.address = chunk->address,
                           .size = chunk->requested != 0 ? chunk->requested : chunk->size,
                           .occupied = chunk->size,
                           .device = history->device};
    const struct tn_held_segment region = {
        .address = chunk->address, .bytes = chunk->size, .device = history->device};
    struct tn_held_segment *last =
        history->segments.count > 0 ? &history->segments.items[history->segments.count - 1] : NULL;
    if (last != NULL && last->address + last->bytes == chunk->address)
        last->bytes += chunk->size;
    else
        TN_TRY(TN_APPEND(bfc->builder, &history->segments, &region, "chunks"));
    if (!chunk->used) return TARN_OK;
    TN_TRY(tn_builder_text(bfc->builder, (const char *)chunk->owner.at, tn_wire_size(&chunk->owner),
                           &held.tag));
    return TN_APPEND(bfc->builder, &history->held, &held, "chunks");
}

static tarn_status add_chunks(struct bfc *bfc) {
    TN_REFUSE(bfc->chunks.count == 0, TARN_CORRUPT, "%s: a dump without chunks",
              bfc->builder->name);
    TN_SORT(&bfc->chunks, 1);
    for (size_t i = 0; i < bfc->chunks.count; i++) TN_TRY(add_chunk(bfc, &bfc->chunks.items[i]));
    return tn_history_add(&bfc->history, bfc->builder);
}

static tarn_status read_dump(struct bfc *bfc, struct tn_wire file) {
    struct tn_wire_field field;
    do {
        TN_TRY(tn_wire_next(&file, &field));
        if (field.number == DUMP_ALLOCATOR) bfc->history.device = tn_wire_index(&field.bytes);
        if (field.number == DUMP_CHUNK && field.kind == TN_WIRE_BYTES)
            TN_TRY(read_chunk(bfc, field.bytes));
    } while (field.number != 0);
    return add_chunks(bfc);
}

// Begins with the name of an allocator, which is followed by messages.
bool tn_bfc_detect(const uint8_t *bytes, size_t size) {
    enum { ALLOCATOR_MAX = 64 };
    struct tn_wire file = tn_wire_of("", bytes, size);
    struct tn_wire_field field;
    if (!tn_wire_parse(&file, &field) || field.number != DUMP_ALLOCATOR ||
        field.kind != TN_WIRE_BYTES || tn_wire_size(&field.bytes) > ALLOCATOR_MAX ||
        !tn_wire_is_printable(&field.bytes))
        return false;
    return file.at < file.end && *file.at >> 3 > DUMP_ALLOCATOR && *file.at >> 3 <= DUMP_LAST &&
           (*file.at & 7) == TN_WIRE_BYTES;
}

tarn_status tn_bfc_read(struct tn_source *source, struct tn_builder *builder) {
    struct bfc bfc = {.builder = builder};
    uint8_t *bytes = NULL;
    size_t size = 0;
    TN_TRY(tn_source_read_all(source, builder->memory, &bytes, &size));
    builder->trace.lacks = TN_TRACE_NO_STREAMS;
    tarn_status status = read_dump(&bfc, tn_wire_of(builder->name, bytes, size));
    free(bfc.history.segments.items);
    free(bfc.history.held.items);
    free(bfc.chunks.items);
    free(bytes);
    return status;
}
