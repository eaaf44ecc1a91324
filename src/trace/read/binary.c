// SPDX-License-Identifier: Apache-2.0
// The reader of binary traces. It unpacks the complete frames into memory, checks every record in
// the order of the file, and then adds the records of each device to the trace. A file that ends
// inside a frame is read up to that frame, with a note. One thread at a time.
#include <inttypes.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/error.h"
#include "trace/progress.h"
#include "trace/read/read.h"
#include "trace/varint.h"
#include "trace/write/binary.h"

enum { WHY = sizeof(struct tn_trace_refusal) / sizeof(uint64_t) }; // the last fields of a failure

// A record of one device, in the order of the file.
struct item {
    uint64_t time_us;
    uint64_t where;
    uint64_t fields; // index in `fields`: those after time and where
    uint32_t order;  // of its device, and the start before the events
    uint32_t record; // enum tn_record
};

struct file_device {
    uint32_t number, kind;
    uint64_t memory_bytes;
};

struct file_block {
    uint32_t device;
    uint32_t index; // in the trace, once it is added
    bool is_freed;
};

struct reader {
    struct tn_builder *builder;
    uint8_t *bytes; // unpacked records
    size_t size, room;
    const uint8_t *at; // the current record
    uint64_t time_us, where;
    TN_LIST(struct item) items;
    uint64_t *fields;
    size_t field_count, field_room;
    TN_LIST(uint32_t) texts; // numbers of the file to numbers of the trace, as are `calls`
    TN_LIST(uint32_t) calls;
    TN_LIST(struct file_device) devices;
    TN_LIST(struct tn_stream) streams;
    TN_LIST(struct file_block) blocks;
    bool is_sorted, is_complete;
};

static tarn_status fail_record(const struct reader *reader, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s: unpacked byte %zu: %s", reader->builder->name,
                   (size_t)(reader->at - reader->bytes), what);
}

// ---- frames

static uint32_t get_word(const uint8_t *from) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--) value = value << 8 | from[i];
    return value;
}

static tarn_status fail_frame(const struct reader *reader, size_t at, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s: byte %zu: a damaged frame: %s", reader->builder->name, at,
                   what);
}

static tarn_status unpack_frame(struct reader *reader, size_t at, const uint8_t *frame,
                                size_t size) {
    unsigned long long content = ZSTD_getFrameContentSize(frame, size);
    if (get_word(frame) >> 4 == TN_BINARY_SKIPPABLE >> 4) return TARN_OK;
    if (content > TN_BINARY_FRAME_MAX)
        return fail_frame(reader, at, "it does not tell its size, or is larger than 1 MiB");
    TN_REFUSE(reader->size + content > reader->builder->memory, TARN_NO_HOST_MEMORY,
              "%s: more than the %" PRIu64 " bytes allowed", reader->builder->name,
              reader->builder->memory);
    void *grown = tn_grow(reader->bytes, &reader->room, reader->size + (size_t)content + 1, 1);
    if (grown == NULL) return tn_builder_fail_room(reader->builder);
    reader->bytes = (uint8_t *)grown;
    size_t got = ZSTD_decompress(reader->bytes + reader->size, (size_t)content, frame, size);
    if (ZSTD_isError(got) != 0) return fail_frame(reader, at, ZSTD_getErrorName(got));
    reader->size += got;
    return TARN_OK;
}

// Unpacks the frames that are there completely. *cut is where an incomplete one begins, or the
// size.
static tarn_status unpack_frames(struct reader *reader, const uint8_t *file, size_t size,
                                 size_t *cut) {
    size_t at = TN_BINARY_HEADER;
    while (size - at >= 4) {
        size_t frame = ZSTD_findFrameCompressedSize(file + at, size - at);
        if (ZSTD_isError(frame) != 0 && ZSTD_getErrorCode(frame) == ZSTD_error_srcSize_wrong) break;
        if (ZSTD_isError(frame) != 0) return fail_frame(reader, at, ZSTD_getErrorName(frame));
        TN_TRY(unpack_frame(reader, at, file + at, frame));
        at += frame;
    }
    *cut = at;
    return TARN_OK;
}

// ---- records, in the order of the file

static tarn_status add_item(struct reader *reader, enum tn_record record, uint32_t device,
                            bool is_start, const uint64_t *fields, size_t count) {
    struct item item = {.time_us = reader->time_us,
                        .where = reader->where,
                        .fields = reader->field_count,
                        .order = 2 * device + (is_start ? 0 : 1),
                        .record = (uint32_t)record};
    if (reader->devices.items[device].kind == TN_DEVICE_HOST)
        item.order |= UINT32_C(1) << 31; // devices of the host are last
    void *grown =
        tn_grow(reader->fields, &reader->field_room, reader->field_count + count, sizeof *fields);
    if (grown == NULL) return tn_builder_fail_room(reader->builder);
    reader->fields = (uint64_t *)grown;
    memcpy(reader->fields + reader->field_count, fields, count * sizeof *fields);
    reader->field_count += count;
    if (reader->items.count > 0 && reader->items.items[reader->items.count - 1].order > item.order)
        reader->is_sorted = false;
    return TN_APPEND_LIMITED(reader->builder, &reader->items, &item, "records");
}

// Adds the number of the block to the fields.
static tarn_status scan_block(struct reader *reader, enum tn_record record, uint64_t fields[8]) {
    if (fields[1] == 0 || fields[3] >= reader->streams.count || fields[4] >= reader->calls.count ||
        fields[5] >= reader->texts.count || fields[6] >= TN_CATEGORY_COUNT)
        return fail_record(reader, "a block without size, or with an undefined part");
    struct file_block block = {.device = reader->streams.items[fields[3]].device};
    TN_TRY(TN_APPEND_LIMITED(reader->builder, &reader->blocks, &block, "records"));
    fields[7] = reader->blocks.count - 1;
    return add_item(reader, record, block.device, record == TN_RECORD_STARTING_BLOCK, fields, 8);
}

static tarn_status scan_segment(struct reader *reader, enum tn_record record,
                                const uint64_t fields[5]) {
    if (fields[2] >= reader->streams.count || fields[3] >= reader->calls.count)
        return fail_record(reader, "a segment with an undefined part");
    return add_item(reader, record, reader->streams.items[fields[2]].device,
                    record == TN_RECORD_STARTING_SEGMENT, fields, 5);
}

static tarn_status scan_free(struct reader *reader, enum tn_record record, uint64_t number) {
    struct file_block *block = number < reader->blocks.count ? &reader->blocks.items[number] : NULL;
    if (block == NULL || block->is_freed)
        return fail_record(reader, "a block is freed that is not live");
    block->is_freed = record == TN_RECORD_FREE;
    return add_item(reader, record, block->device, false, &number, 1);
}

static tarn_status scan_event(struct reader *reader, enum tn_record record, uint64_t *fields) {
    reader->time_us += tn_varint_unfold(fields[0]);
    reader->where += tn_varint_unfold(fields[1]);
    fields += 2;
    switch (record) {
    case TN_RECORD_ALLOC: return scan_block(reader, record, fields);
    case TN_RECORD_FREE:
    case TN_RECORD_FREE_REQUEST: return scan_free(reader, record, fields[0]);
    case TN_RECORD_MARK:
    case TN_RECORD_MARK_END:
        if (fields[0] >= reader->devices.count || fields[1] >= reader->texts.count)
            return fail_record(reader, "a mark with an undefined part");
        return add_item(reader, record, (uint32_t)fields[0], false, fields, 2);
    case TN_RECORD_FAILURE:
        if (fields[2] >= reader->streams.count || fields[3] >= reader->calls.count)
            return fail_record(reader, "a failure with an undefined part");
        for (size_t i = 4; i < 4 + WHY; i++)
            if (fields[i] > TN_TRACE_BYTES_MAX)
                return fail_record(reader, "a failure in a pool of more than 2^63 - 1 bytes");
        return add_item(reader, record, reader->streams.items[fields[2]].device, false, fields,
                        4 + WHY);
    default: return scan_segment(reader, record, fields);
    }
}

static tarn_status scan_call(struct reader *reader, const uint64_t fields[4]) {
    uint32_t index;
    if (fields[0] >= reader->calls.count || fields[1] >= reader->texts.count ||
        fields[2] >= reader->texts.count || fields[3] > UINT32_MAX)
        return fail_record(reader, "a call with an undefined part");
    struct tn_trace_call call = {.caller = reader->calls.items[fields[0]],
                                 .function = reader->texts.items[fields[1]],
                                 .file = reader->texts.items[fields[2]],
                                 .line = (uint32_t)fields[3]};
    TN_TRY(tn_builder_stack(reader->builder, &call, &index));
    return TN_APPEND_LIMITED(reader->builder, &reader->calls, &index, "records");
}

static tarn_status scan_device(struct reader *reader, const uint64_t fields[3]) {
    struct file_device device = {(uint32_t)fields[0], (uint32_t)fields[1], fields[2]};
    if (fields[0] > UINT32_MAX || fields[1] > TN_DEVICE_HOST || reader->devices.count >= 4096)
        return fail_record(reader, "a device of an unknown kind, or more than 4096 devices");
    return TN_APPEND_LIMITED(reader->builder, &reader->devices, &device, "records");
}

static tarn_status scan_stream(struct reader *reader, const uint64_t fields[2]) {
    struct tn_stream stream = {.native = fields[1], .device = (uint32_t)fields[0]};
    if (fields[0] >= reader->devices.count)
        return fail_record(reader, "a stream of an undefined device");
    return TN_APPEND_LIMITED(reader->builder, &reader->streams, &stream, "records");
}

static tarn_status scan_setting(struct reader *reader, const uint64_t fields[2]) {
    if (fields[0] >= reader->texts.count || fields[1] >= reader->texts.count)
        return fail_record(reader, "a setting of undefined texts");
    return tn_builder_setting(reader->builder, reader->texts.items[fields[0]],
                              reader->texts.items[fields[1]]);
}

static tarn_status scan_text(struct reader *reader, const uint8_t *bytes, size_t size) {
    uint32_t index;
    TN_TRY(tn_builder_text(reader->builder, (const char *)bytes, size, &index));
    return TN_APPEND_LIMITED(reader->builder, &reader->texts, &index, "records");
}

static tarn_status scan_state(struct reader *reader, enum tn_record record,
                              const uint64_t *fields) {
    uint64_t device = record == TN_RECORD_SAMPLE ? fields[1] : fields[0];
    if (device >= reader->devices.count) return fail_record(reader, "an undefined device");
    if (record == TN_RECORD_RESERVED && (fields[2] < fields[1] || fields[2] < fields[3]))
        return fail_record(reader, "a peak of reserved bytes below the start or the end");
    return add_item(reader, record, (uint32_t)device, false, fields,
                    record == TN_RECORD_SAMPLE ? 4 + TN_CATEGORY_COUNT : 12);
}

// Adds the text of a contradiction, which ABOUT has counted.
static tarn_status scan_contradiction(struct reader *reader, const uint8_t *bytes, size_t size) {
    struct tn_trace *trace = &reader->builder->trace;
    size_t slot = 0;
    while (slot < TN_TRACE_NOTES && trace->notes[slot] != NULL) slot++;
    if (slot == TN_TRACE_NOTES || slot >= trace->note_count)
        return fail_record(reader, "more contradictions than are counted");
    trace->notes[slot] = tn_copy_text((const char *)bytes, size);
    return trace->notes[slot] != NULL ? TARN_OK : tn_builder_fail_room(reader->builder);
}

static tarn_status scan_fields(struct reader *reader, enum tn_record record, uint64_t *fields) {
    switch (record) {
    case TN_RECORD_CALL: return scan_call(reader, fields);
    case TN_RECORD_DEVICE: return scan_device(reader, fields);
    case TN_RECORD_STREAM: return scan_stream(reader, fields);
    case TN_RECORD_SETTING: return scan_setting(reader, fields);
    case TN_RECORD_STARTING_BLOCK: return scan_block(reader, record, fields);
    case TN_RECORD_STARTING_SEGMENT: return scan_segment(reader, record, fields);
    case TN_RECORD_SAMPLE:
    case TN_RECORD_RESERVED: return scan_state(reader, record, fields);
    case TN_RECORD_ABOUT:
        reader->builder->trace.lacks |= (unsigned)(fields[0] & 0xff);
        reader->builder->trace.note_count = (size_t)fields[1];
        return TARN_OK;
    case TN_RECORD_END: reader->is_complete = true; return TARN_OK;
    default: return scan_event(reader, record, fields);
    }
}

// The least number of fields of each record.
#define LEAST(name, number, fields) [number] = (fields),
static const uint8_t least_fields[256] = {TN_RECORD_LIST(LEAST)};

static tarn_status scan_record(struct reader *reader, uint8_t record, const uint8_t *bytes,
                               size_t size) {
    uint64_t fields[TN_RECORD_FIELDS_MAX] = {0};
    size_t count = 0;
    if (record == TN_RECORD_TEXT) return scan_text(reader, bytes, size);
    if (record == TN_RECORD_CONTRADICTION) return scan_contradiction(reader, bytes, size);
    if (record == TN_RECORD_ORIGIN)
        (void)tn_trace_format_parse((const char *)bytes, size, &reader->builder->trace.origin);
    if (least_fields[record] == 0 && record != TN_RECORD_END) return TARN_OK; // of a later version
    for (const uint8_t *at = bytes; at < bytes + size && count < TN_RECORD_FIELDS_MAX; count++)
        if (!tn_varint_get(&at, bytes + size, &fields[count]))
            return fail_record(reader, "a number does not end");
    if (count < least_fields[record]) return fail_record(reader, "a record is too short");
    return scan_fields(reader, (enum tn_record)record, fields);
}

static tarn_status scan_records(struct reader *reader) {
    if (reader->size == 0) return TARN_OK;
    const uint8_t *end = reader->bytes + reader->size;
    for (reader->at = reader->bytes; reader->at < end;) {
        const uint8_t *at = reader->at;
        if (reader->items.count % 1024 == 0)
            tn_trace_report(TN_STAGE_BUILD, (uint64_t)(at - reader->bytes), 2 * reader->size);
        uint8_t record = *at++;
        uint64_t size = 0;
        if (!tn_varint_get(&at, end, &size) || size > (size_t)(end - at))
            return fail_record(reader, "a record does not end");
        TN_TRY(scan_record(reader, record, at, (size_t)size));
        reader->at = at + size;
    }
    return TARN_OK;
}

// ---- the trace, device by device

static int by_order(const void *left, const void *right) {
    const struct item *a = (const struct item *)left;
    const struct item *b = (const struct item *)right;
    if (a->order != b->order) return a->order > b->order ? 1 : -1;
    return (a->fields > b->fields) - (a->fields < b->fields); // the order of the file
}

static tarn_status add_block_item(const struct reader *reader, const struct item *item,
                                  const uint64_t fields[8], uint32_t *index) {
    struct tn_block block = {.id = fields[0],
                             .size = fields[1],
                             .occupied = fields[2],
                             .stack = reader->calls.items[fields[4]],
                             .tag = reader->texts.items[fields[5]],
                             .category = (uint32_t)fields[6]};
    TN_TRY(
        tn_builder_stream(reader->builder, reader->streams.items[fields[3]].native, &block.stream));
    TN_TRY(item->record == TN_RECORD_ALLOC ? tn_builder_block(reader->builder, &block, index)
                                           : tn_builder_starting(reader->builder, &block, index));
    reader->blocks.items[fields[7]].index = *index;
    return TARN_OK;
}

static tarn_status add_segment_item(const struct reader *reader, const struct item *item,
                                    const uint64_t fields[5], uint32_t *index) {
    struct tn_trace_segment segment = {.address = fields[0],
                                       .bytes = fields[1],
                                       .stack = reader->calls.items[fields[3]],
                                       .mapped = (fields[4] & 1) != 0,
                                       .is_private = (fields[4] & 2) != 0};
    TN_TRY(tn_builder_stream(reader->builder, reader->streams.items[fields[2]].native,
                             &segment.stream));
    return item->record == TN_RECORD_STARTING_SEGMENT
               ? tn_builder_starting_segment(reader->builder, &segment)
               : tn_builder_segment(reader->builder, &segment, index);
}

static tarn_status add_sample_item(const struct reader *reader, const uint64_t *fields) {
    struct tn_trace_sample sample = {
        .time_us = fields[0], .live = fields[2], .reserved = fields[3]};
    memcpy(sample.by_category, fields + 4, sizeof sample.by_category);
    return tn_builder_sample(reader->builder, &sample);
}

static void set_reserved(struct tn_trace_device *device, const uint64_t fields[12]) {
    device->says_reserved = true;
    device->reserved_at_start = fields[1];
    device->reserved_peak = fields[2];
    device->reserved_at_end = fields[3];
    memcpy(&device->calls, fields + 4, sizeof device->calls);
}

static tarn_status add_record(const struct reader *reader, const struct item *item,
                              struct tn_trace_device *device) {
    const uint64_t *fields = reader->fields + item->fields;
    uint32_t index = 0;
    switch (item->record) {
    case TN_RECORD_STARTING_BLOCK: return add_block_item(reader, item, fields, &index);
    case TN_RECORD_STARTING_SEGMENT: return add_segment_item(reader, item, fields, &index);
    case TN_RECORD_SAMPLE: return add_sample_item(reader, fields);
    case TN_RECORD_RESERVED: set_reserved(device, fields); return TARN_OK;
    case TN_RECORD_ALLOC: TN_TRY(add_block_item(reader, item, fields, &index)); break;
    case TN_RECORD_FREE:
    case TN_RECORD_FREE_REQUEST: index = reader->blocks.items[fields[0]].index; break;
    case TN_RECORD_MARK:
    case TN_RECORD_MARK_END: index = reader->texts.items[fields[1]]; break;
    case TN_RECORD_FAILURE:
        TN_TRY(tn_builder_refusal(reader->builder, fields[0], fields[1],
                                  reader->streams.items[fields[2]].native,
                                  reader->calls.items[fields[3]], &index));
        memcpy(&reader->builder->trace.failures[index].why, fields + 4, WHY * sizeof *fields);
        break;
    default: TN_TRY(add_segment_item(reader, item, fields, &index)); break;
    }
    return tn_builder_event(reader->builder, (enum tn_event_kind)(item->record - TN_RECORD_ALLOC),
                            item->time_us, item->where, index);
}

static tarn_status add_file_device(const struct reader *reader, const struct file_device *from,
                                   struct tn_trace_device **device) {
    TN_TRY(tn_builder_device(reader->builder, from->number, device));
    (*device)->kind = (enum tn_trace_device_kind)from->kind;
    (*device)->memory_bytes = from->memory_bytes;
    return TARN_OK;
}

// A device without records was not used, unless the complete recording has no records at all.
static tarn_status add_devices(struct reader *reader) {
    struct tn_trace_device *device = NULL;
    uint32_t last = UINT32_MAX;
    if (reader->items.count == 0 && reader->is_complete && reader->devices.count > 0)
        return add_file_device(reader, &reader->devices.items[0], &device);
    if (!reader->is_sorted)
        qsort(reader->items.items, reader->items.count, sizeof *reader->items.items, by_order);
    for (size_t i = 0; i < reader->items.count; i++) {
        const struct item *item = &reader->items.items[i];
        if (i % 1024 == 0)
            tn_trace_report(TN_STAGE_BUILD, reader->items.count + i, 2 * reader->items.count);
        uint32_t number = (item->order & UINT32_MAX >> 1) / 2;
        if (number != last) {
            TN_TRY(add_file_device(reader, &reader->devices.items[number], &device));
            last = number;
        }
        TN_TRY(add_record(reader, item, device));
    }
    return TARN_OK;
}

static tarn_status read_records(struct reader *reader, const uint8_t *file, size_t size) {
    const uint32_t zero = 0;
    size_t cut = 0;
    TN_REFUSE(size < TN_BINARY_HEADER, TARN_CORRUPT, "%s: byte %zu: the file ends in its header",
              reader->builder->name, size);
    TN_REFUSE(get_word(file + 20) != TN_BINARY_VERSION, TARN_UNSUPPORTED,
              "%s: a binary trace of version %" PRIu32 ", not %d", reader->builder->name,
              get_word(file + 20), TN_BINARY_VERSION);
    TN_TRY(TN_APPEND_LIMITED(reader->builder, &reader->texts, &zero, "records"));
    TN_TRY(TN_APPEND_LIMITED(reader->builder, &reader->calls, &zero, "records"));
    TN_TRY(unpack_frames(reader, file, size, &cut));
    TN_TRY(scan_records(reader));
    TN_TRY(add_devices(reader));
    TN_REFUSE(reader->builder->trace.device_count == 0, TARN_CORRUPT,
              "%s: no complete frame has an event", reader->builder->name);
    if (cut < size)
        return tn_builder_note(reader->builder,
                               "the file ends inside the frame that begins at byte %zu", cut);
    return reader->is_complete
               ? TARN_OK
               : tn_builder_note(reader->builder, "the recording was cut off at its end");
}

bool tn_binary_detect(const uint8_t *bytes, size_t size) {
    return size >= 8 + sizeof TN_BINARY_NAME && get_word(bytes) == TN_BINARY_SKIPPABLE &&
           memcmp(bytes + 8, TN_BINARY_NAME, sizeof TN_BINARY_NAME) == 0;
}

tarn_status tn_binary_read(struct tn_source *source, struct tn_builder *builder) {
    struct reader reader = {.builder = builder, .is_sorted = true};
    uint8_t *file = NULL;
    size_t size = 0;
    TN_TRY(tn_source_read_all(source, builder->memory, &file, &size));
    tarn_status status = read_records(&reader, file, size);
    free(file);
    free(reader.bytes);
    free(reader.items.items);
    free(reader.fields);
    free(reader.texts.items);
    free(reader.calls.items);
    free(reader.devices.items);
    free(reader.streams.items);
    free(reader.blocks.items);
    return status;
}
