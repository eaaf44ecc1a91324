// SPDX-License-Identifier: Apache-2.0
// Writes opcodes of pickles; see pickler.h.
#include "algo/pickler.h"

#include <string.h>

#include "base/assert.h"
#include "base/unicode.h"

enum opcode {
    OP_PROTO = 0x80,
    OP_STOP = '.',
    OP_EMPTY_DICT = '}',
    OP_EMPTY_LIST = ']',
    OP_MARK = '(',
    OP_SETITEMS = 'u',
    OP_APPENDS = 'e',
    OP_TUPLE2 = 0x86,
    OP_NEWTRUE = 0x88,
    OP_NEWFALSE = 0x89,
    OP_BININT = 'J',
    OP_BININT1 = 'K',
    OP_BININT2 = 'M',
    OP_LONG1 = 0x8a,
    OP_SHORT_BINUNICODE = 0x8c,
    OP_BINUNICODE = 'X',
    OP_MEMOIZE = 0x94,
    OP_BINGET = 'h',
    OP_LONG_BINGET = 'j'
};

enum { BATCH = 1000 };

static void put_byte(struct tn_pickler *pickler, uint8_t byte) {
    pickler->put(pickler->sink, &byte, 1);
}

static void put_op(struct tn_pickler *pickler, enum opcode op) { put_byte(pickler, (uint8_t)op); }

static void put_little_endian(struct tn_pickler *pickler, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) put_byte(pickler, (uint8_t)(i < 8 ? value >> (8 * i) : 0));
}

void tn_pickler_begin(struct tn_pickler *pickler,
                      void (*put)(void *sink, const void *bytes, size_t size), void *sink) {
    *pickler = (struct tn_pickler){.put = put, .sink = sink};
    put_op(pickler, OP_PROTO);
    put_byte(pickler, 4);
}

void tn_pickler_end(struct tn_pickler *pickler) { put_op(pickler, OP_STOP); }

// Each form is the shortest that holds the number. Numbers are signed in all but the first two.
void tn_pickler_number(struct tn_pickler *pickler, uint64_t number) {
    size_t bytes = 1;
    if (number <= UINT16_MAX) {
        put_op(pickler, number <= UINT8_MAX ? OP_BININT1 : OP_BININT2);
        put_little_endian(pickler, number, number <= UINT8_MAX ? 1 : 2);
        return;
    }
    if (number <= INT32_MAX) {
        put_op(pickler, OP_BININT);
        put_little_endian(pickler, number, 4);
        return;
    }
    while (bytes < 9 && number >> (8 * bytes - 1) != 0) bytes++; // the top bit is the sign
    TARN_ASSERT(bytes >= 5 && bytes <= 9); // shorter numbers have a form of their own
    put_op(pickler, OP_LONG1);
    put_byte(pickler, (uint8_t)bytes);
    put_little_endian(pickler, number, bytes);
}

void tn_pickler_signed(struct tn_pickler *pickler, int64_t number) {
    if (number >= 0) {
        tn_pickler_number(pickler, (uint64_t)number);
    } else if (number >= INT32_MIN) {
        put_op(pickler, OP_BININT);
        put_little_endian(pickler, (uint64_t)number, 4);
    } else {
        put_op(pickler, OP_LONG1);
        put_byte(pickler, 8);
        put_little_endian(pickler, (uint64_t)number, 8);
    }
}

void tn_pickler_bool(struct tn_pickler *pickler, bool value) {
    put_op(pickler, value ? OP_NEWTRUE : OP_NEWFALSE);
}

void tn_pickler_text(struct tn_pickler *pickler, const char *text) {
    size_t size = 0; // as UTF-8
    for (const char *at = text; *at != '\0';) {
        size_t length = tn_unicode_length(at);
        size += length > 0 ? length : strlen(TN_UNICODE_REPLACEMENT);
        at += length > 0 ? length : 1;
    }
    TARN_ASSERT(size <= UINT32_MAX); // the length has four bytes
    put_op(pickler, size <= UINT8_MAX ? OP_SHORT_BINUNICODE : OP_BINUNICODE);
    put_little_endian(pickler, size, size <= UINT8_MAX ? 1 : 4);
    while (*text != '\0') {
        size_t length = tn_unicode_length(text);
        if (length > 0)
            pickler->put(pickler->sink, text, length);
        else
            pickler->put(pickler->sink, TN_UNICODE_REPLACEMENT, strlen(TN_UNICODE_REPLACEMENT));
        text += length > 0 ? length : 1;
    }
}

void tn_pickler_pair(struct tn_pickler *pickler, uint32_t first, uint32_t second) {
    tn_pickler_number(pickler, first);
    tn_pickler_number(pickler, second);
    put_op(pickler, OP_TUPLE2);
}

void tn_pickler_open_dict(struct tn_pickler *pickler) {
    put_op(pickler, OP_EMPTY_DICT);
    put_op(pickler, OP_MARK);
}

void tn_pickler_close_dict(struct tn_pickler *pickler) { put_op(pickler, OP_SETITEMS); }

void tn_pickler_open_list(struct tn_pickler *pickler, size_t *count) {
    put_op(pickler, OP_EMPTY_LIST);
    *count = 0;
}

void tn_pickler_item(struct tn_pickler *pickler, size_t *count) {
    if (*count % BATCH == 0) {
        if (*count > 0) put_op(pickler, OP_APPENDS);
        put_op(pickler, OP_MARK);
    }
    (*count)++;
}

void tn_pickler_close_list(struct tn_pickler *pickler, size_t count) {
    if (count > 0) put_op(pickler, OP_APPENDS);
}

uint32_t tn_pickler_remember(struct tn_pickler *pickler) {
    put_op(pickler, OP_MEMOIZE);
    return ++pickler->memo;
}

void tn_pickler_again(struct tn_pickler *pickler, uint32_t remembered) {
    uint32_t slot = remembered - 1;
    TARN_ASSERT(remembered != 0 && remembered <= pickler->memo);
    put_op(pickler, slot <= UINT8_MAX ? OP_BINGET : OP_LONG_BINGET);
    put_little_endian(pickler, slot, slot <= UINT8_MAX ? 1 : 4);
}
