// SPDX-License-Identifier: Apache-2.0
// Writes the records of a binary trace into frames; see binary.h.
#include "trace/write/binary.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/assert.h"
#include "base/error.h"
#include "trace/varint.h"

// A frame ends when it has this many bytes; the room behind them is for the longest record.
enum { FRAME_BYTES = 256 * 1024, BYTES_MAX = 64 * 1024, FRAME_ROOM = FRAME_BYTES + 2 * BYTES_MAX };

struct tn_binary {
    struct tn_output *output;
    ZSTD_CCtx *zstd;
    tarn_status status;
    uint64_t time_us; // of the last event
    uint64_t where;
    size_t used;
    size_t packed_room;
    uint8_t *packed;
    uint8_t frame[FRAME_ROOM];
};

static void put_word(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static void write_header(struct tn_output *output) {
    uint8_t header[TN_BINARY_HEADER];
    put_word(header, TN_BINARY_SKIPPABLE);
    put_word(header + 4, TN_BINARY_HEADER - 8);
    memcpy(header + 8, TN_BINARY_NAME, sizeof TN_BINARY_NAME);
    put_word(header + 20, TN_BINARY_VERSION);
    tn_output_put(output, header, sizeof header);
}

static void free_binary(struct tn_binary *binary) {
    (void)ZSTD_freeCCtx(binary->zstd);
    free(binary->packed);
    free(binary);
}

tarn_status tn_binary_writer_open(struct tn_output *output, struct tn_binary **binary) {
    struct tn_binary *fresh = (struct tn_binary *)calloc(1, sizeof *fresh);
    TN_REFUSE(fresh == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a binary trace");
    fresh->output = output;
    fresh->zstd = ZSTD_createCCtx();
    fresh->packed_room = ZSTD_compressBound(FRAME_ROOM);
    fresh->packed = (uint8_t *)malloc(fresh->packed_room);
    if (fresh->zstd == NULL || fresh->packed == NULL) {
        free_binary(fresh);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a binary trace");
    }
    (void)ZSTD_CCtx_setParameter(fresh->zstd, ZSTD_c_checksumFlag, 1);
    write_header(output);
    *binary = fresh;
    return TARN_OK;
}

void tn_binary_hurry(struct tn_binary *binary) {
    (void)ZSTD_CCtx_setParameter(binary->zstd, ZSTD_c_compressionLevel, 1);
}

static void end_frame(struct tn_binary *binary) {
    size_t size = ZSTD_compress2(binary->zstd, binary->packed, binary->packed_room, binary->frame,
                                 binary->used);
    binary->used = 0;
    if (ZSTD_isError(size) != 0 && binary->status == TARN_OK)
        binary->status =
            tn_fail(TARN_NO_HOST_MEMORY, "a frame of a binary trace: %s", ZSTD_getErrorName(size));
    if (binary->status == TARN_OK) tn_output_put(binary->output, binary->packed, size);
}

void tn_binary_bytes(struct tn_binary *binary, enum tn_record record, const void *bytes,
                     size_t size) {
    if (size > BYTES_MAX) size = BYTES_MAX;
    binary->frame[binary->used++] = (uint8_t)record;
    binary->used += tn_varint_put(binary->frame + binary->used, size);
    memcpy(binary->frame + binary->used, bytes, size);
    binary->used += size;
    if (binary->used >= FRAME_BYTES) end_frame(binary);
}

// Begins a record of numbers; end_fields() writes its length, which has one byte for nearly all.
static uint8_t *begin_fields(struct tn_binary *binary, enum tn_record record) {
    uint8_t *at = binary->frame + binary->used;
    *at = (uint8_t)record;
    return at + 2;
}

static void end_fields(struct tn_binary *binary, uint8_t *end) {
    uint8_t *length = binary->frame + binary->used + 1, bytes[TN_VARINT_MAX];
    size_t size = (size_t)(end - length) - 1, more = tn_varint_put(bytes, size) - 1;
    if (more > 0) memmove(length + 1 + more, length + 1, size);
    memcpy(length, bytes, more + 1);
    binary->used += 2 + more + size;
    if (binary->used >= FRAME_BYTES) end_frame(binary);
}

static uint8_t *put_fields(uint8_t *at, const uint64_t *fields, size_t count) {
    TARN_ASSERT(count <= TN_RECORD_FIELDS_MAX - 2);
    for (size_t i = 0; i < count; i++) at += tn_varint_put(at, fields[i]);
    return at;
}

void tn_binary_fields(struct tn_binary *binary, enum tn_record record, const uint64_t *fields,
                      size_t count) {
    end_fields(binary, put_fields(begin_fields(binary, record), fields, count));
}

void tn_binary_event(struct tn_binary *binary, enum tn_record record, uint64_t time_us,
                     uint64_t where, const uint64_t *fields, size_t count) {
    uint8_t *at = begin_fields(binary, record);
    at += tn_varint_put(at, tn_varint_fold(time_us - binary->time_us));
    at += tn_varint_put(at, tn_varint_fold(where - binary->where));
    binary->time_us = time_us;
    binary->where = where;
    end_fields(binary, put_fields(at, fields, count));
}

void tn_binary_flush(struct tn_binary *binary) {
    if (binary->used > 0) end_frame(binary);
    tn_output_flush(binary->output);
}

tarn_status tn_binary_end(struct tn_binary *binary, bool complete) {
    if (complete) tn_binary_fields(binary, TN_RECORD_END, NULL, 0);
    tn_binary_flush(binary);
    tarn_status status = binary->status;
    free_binary(binary);
    return status;
}
