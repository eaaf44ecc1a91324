// SPDX-License-Identifier: Apache-2.0
// Protocol buffers of the tests: messages that are written field by field.
#pragma once

#include "unit/trace/story.h"

struct message {
    uint8_t bytes[8192];
    size_t size;
};

static inline void put_varint(struct message *message, uint64_t value) {
    do {
        assert_true(message->size < sizeof message->bytes);
        message->bytes[message->size++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
}

static inline void put_number(struct message *message, uint32_t field, uint64_t value) {
    put_varint(message, (uint64_t)field << 3);
    put_varint(message, value);
}

static inline void put_bytes(struct message *message, uint32_t field, const void *bytes,
                             size_t size) {
    put_varint(message, (uint64_t)field << 3 | 2);
    put_varint(message, size);
    assert_true(message->size + size <= sizeof message->bytes);
    memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static inline void put_text(struct message *message, uint32_t field, const char *text) {
    put_bytes(message, field, text, strlen(text));
}

// Adds a message as a field of another one, and empties it.
static inline void put_message(struct message *outer, uint32_t field, struct message *inner) {
    put_bytes(outer, field, inner->bytes, inner->size);
    inner->size = 0;
}

static inline tarn_status read_message(const struct message *message, struct tn_trace *trace) {
    tarn_status status = tn_trace_read_memory("file", message->bytes, message->size, NULL, trace);
    if (status == TARN_OK) sound_trace(trace);
    return status;
}

static inline void assert_message_refused(const struct message *message, tarn_status status,
                                          const char *text) {
    struct tn_trace trace;
    tarn_error error;
    assert_int_equal(read_message(message, &trace), status);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, text);
}
