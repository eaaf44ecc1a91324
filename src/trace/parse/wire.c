// SPDX-License-Identifier: Apache-2.0
// Reads the fields of protocol buffers; see wire.h.
#include "trace/parse/wire.h"

#include <string.h>

#include "base/error.h"
#include "trace/varint.h"

struct tn_wire tn_wire_of(const char *name, const uint8_t *bytes, size_t size) {
    return (struct tn_wire){.at = bytes, .end = bytes + size, .file = bytes, .name = name};
}

static bool parse_varint(struct tn_wire *wire, uint64_t *value) {
    return tn_varint_get(&wire->at, wire->end, value);
}

// A number of `size` bytes, the lowest first.
static bool parse_fixed(struct tn_wire *wire, size_t size, uint64_t *value) {
    *value = 0;
    if (tn_wire_size(wire) < size) return false;
    for (size_t i = 0; i < size; i++) *value |= (uint64_t)wire->at[i] << (8 * i);
    wire->at += size;
    return true;
}

static bool parse_bytes(struct tn_wire *wire, struct tn_wire *bytes) {
    uint64_t size;
    if (!parse_varint(wire, &size) || size > tn_wire_size(wire)) return false;
    *bytes = *wire;
    bytes->end = wire->at + size;
    wire->at += size;
    return true;
}

bool tn_wire_parse(struct tn_wire *wire, struct tn_wire_field *field) {
    uint64_t tag;
    *field = (struct tn_wire_field){0};
    if (wire->at == wire->end) return true;
    if (!parse_varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX) return false;
    field->number = (uint32_t)(tag >> 3);
    field->kind = (enum tn_wire_type)(tag & 7);
    switch (field->kind) {
    case TN_WIRE_VARINT: return parse_varint(wire, &field->value);
    case TN_WIRE_FIXED64: return parse_fixed(wire, 8, &field->value);
    case TN_WIRE_FIXED32: return parse_fixed(wire, 4, &field->value);
    case TN_WIRE_BYTES: return parse_bytes(wire, &field->bytes);
    default: // groups, which no format uses
        return false;
    }
}

bool tn_wire_enter(struct tn_wire *wire, uint32_t number) {
    uint64_t tag, size;
    if (!parse_varint(wire, &tag) || tag != ((uint64_t)number << 3 | TN_WIRE_BYTES) ||
        !parse_varint(wire, &size))
        return false;
    if (size < tn_wire_size(wire)) wire->end = wire->at + size;
    return true;
}

static tarn_status fail_wire(const struct tn_wire *wire, const uint8_t *at) {
    return tn_fail(TARN_CORRUPT, "%s: byte %zu: a damaged or truncated field of a protocol buffer",
                   wire->name, (size_t)(at - wire->file));
}

tarn_status tn_wire_next(struct tn_wire *wire, struct tn_wire_field *field) {
    const uint8_t *at = wire->at;
    return tn_wire_parse(wire, field) ? TARN_OK : fail_wire(wire, at);
}

tarn_status tn_wire_fields(struct tn_wire message, struct tn_wire_field *fields, uint32_t count) {
    struct tn_wire_field field;
    memset(fields, 0, count * sizeof *fields);
    do {
        TN_TRY(tn_wire_next(&message, &field));
        if (field.number < count) fields[field.number] = field;
    } while (field.number != 0);
    return TARN_OK;
}

tarn_status tn_wire_number(struct tn_wire *wire, uint64_t *number) {
    const uint8_t *at = wire->at;
    return parse_varint(wire, number) ? TARN_OK : fail_wire(wire, at);
}

bool tn_wire_is(const struct tn_wire *wire, const char *text) {
    return tn_wire_size(wire) == strlen(text) && memcmp(wire->at, text, strlen(text)) == 0;
}

bool tn_wire_is_printable(const struct tn_wire *wire) {
    for (const uint8_t *at = wire->at; at < wire->end; at++)
        if (*at < 0x20 || *at > 0x7e) return false;
    return wire->at < wire->end;
}

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

uint32_t tn_wire_index(const struct tn_wire *wire) {
    const uint8_t *at = wire->at;
    uint32_t number = 0;
    while (at < wire->end && !is_digit(*at)) at++;
    for (; at < wire->end && is_digit(*at); at++) {
        number = number * 10 + (uint32_t)(*at - '0');
        if (number > 9999) return 0;
    }
    return number;
}
