// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers: the fields of a message in memory, one after another. A
// message that lies in a field is read in the same way, so nothing is copied and nothing recurses.
// Has no state; any thread may call.
#pragma once

#include <tarn/base.h>

// The bytes of a message, or of a text, that are not read yet.
struct tn_wire {
    const uint8_t *at;
    const uint8_t *end;
    const uint8_t *file; // its first byte, for error texts
    const char *name;    // of the file
};

enum tn_wire_type {
    TN_WIRE_VARINT = 0,
    TN_WIRE_FIXED64 = 1,
    TN_WIRE_BYTES = 2,
    TN_WIRE_FIXED32 = 5
};

struct tn_wire_field {
    uint32_t number; // from 1; 0 is the end of the message
    enum tn_wire_type kind;
    uint64_t value;       // of a number
    struct tn_wire bytes; // of BYTES
};

struct tn_wire tn_wire_of(const char *name, const uint8_t *bytes, size_t size);

static inline size_t tn_wire_size(const struct tn_wire *wire) {
    return (size_t)(wire->end - wire->at);
}

// Reads the next field. Returns false if it is damaged or truncated.
bool tn_wire_parse(struct tn_wire *wire, struct tn_wire_field *field);

// Reads the next field. The failure names the file and the position.
tarn_status tn_wire_next(struct tn_wire *wire, struct tn_wire_field *field);

// Reads all fields of a message, and stores the last one of each number below `count` at its
// number. Those that the message lacks are zero. The failure names the file and the position.
tarn_status tn_wire_fields(struct tn_wire message, struct tn_wire_field *fields, uint32_t count);

// Begins to read the message in the first field, if that has the number. Its end may lie behind the
// bytes, as in the beginning of a file. Returns false if it is another field or damaged.
bool tn_wire_enter(struct tn_wire *wire, uint32_t number);

// Reads the next number of a packed field.
tarn_status tn_wire_number(struct tn_wire *wire, uint64_t *number);

bool tn_wire_is(const struct tn_wire *wire, const char *text);

// Returns true if the bytes are printable ASCII, and at least one.
bool tn_wire_is_printable(const struct tn_wire *wire);

// Returns the first decimal number in a text, such as that of a device in its name. 0 if there is
// none or it has more than 4 digits.
uint32_t tn_wire_index(const struct tn_wire *wire);
