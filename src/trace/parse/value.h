// SPDX-License-Identifier: Apache-2.0
// Plain Python values, as a graph in which branches may be shared or circular. A walk must
// therefore follow a known shape and not descend until the end. A value is an index into arrays
// that only grow, so values are released together and nothing recurses. One reader owns them. One
// thread at a time.
#pragma once

#include "trace/builder.h"

enum tn_value_kind {
    TN_VALUE_NONE,
    TN_VALUE_BOOL,
    TN_VALUE_INT,      // fits int64_t
    TN_VALUE_UNSIGNED, // fits uint64_t only
    TN_VALUE_BIG,      // an integer that fits neither; its value is not stored
    TN_VALUE_FLOAT,
    TN_VALUE_DECIMAL, // a number with a fraction or an exponent, kept as its text
    TN_VALUE_TEXT,    // str
    TN_VALUE_BYTES,
    TN_VALUE_TUPLE,
    TN_VALUE_LIST,
    TN_VALUE_DICT // items are key, value, key, value...
};

typedef uint32_t tn_value;

struct tn_node {
    uint32_t kind;
    uint32_t count; // items of a container, bytes of a text or of a decimal
    union {
        int64_t number;
        uint64_t bits; // UNSIGNED; for a text or a decimal, its offset in `bytes`
        double real;
        struct {
            uint32_t first; // chunk of items, or 0
            uint32_t last;
        } chunks;
    } as;
};

struct tn_values {
    struct tn_node *nodes;
    size_t node_count, node_room;
    uint32_t *items; // chunks: {next chunk, count, count items}
    size_t item_count, item_room;
    char *bytes;
    size_t byte_count, byte_room;
    const char *name; // of the file, for error texts
    uint64_t limit;   // of the bytes in all three arrays together
};

// Walks the items of a container, in order.
struct tn_items {
    const struct tn_values *values;
    uint32_t chunk;
    uint32_t index; // within the chunk
};

void tn_values_begin(struct tn_values *values, const char *name, uint64_t limit);
void tn_values_release(struct tn_values *values);

// Each adds a value, or fails with TARN_NO_HOST_MEMORY.
tarn_status tn_values_add(struct tn_values *values, struct tn_node node, tn_value *value);
tarn_status tn_values_extend(struct tn_values *values, tn_value container, const tn_value *items,
                             size_t count);
// Reserves `size` more bytes, which the caller writes.
tarn_status tn_values_bytes(struct tn_values *values, size_t size, char **bytes);

// The values that exist at a moment. Rewinding to it releases the later ones.
struct tn_values_mark {
    size_t nodes, items, bytes;
};
struct tn_values_mark tn_values_mark(const struct tn_values *values);
void tn_values_rewind(struct tn_values *values, struct tn_values_mark mark);

struct tn_items tn_items_of(const struct tn_values *values, tn_value container);
bool tn_items_next(struct tn_items *items, tn_value *value);

enum tn_value_kind tn_value_kind(const struct tn_values *values, tn_value value);
uint32_t tn_value_count(const struct tn_values *values, tn_value value);
bool tn_value_unsigned(const struct tn_values *values, tn_value value, uint64_t *number);
// Returns a number in units of 10^-digits, with further digits cut. Returns false unless it is an
// INT, an UNSIGNED or a DECIMAL that fits.
bool tn_value_scaled(const struct tn_values *values, tn_value value, int digits, int64_t *number);
// Returns false unless the value is a str. `text` is not terminated.
bool tn_value_text(const struct tn_values *values, tn_value value, const char **text,
                   size_t *length);
bool tn_value_is(const struct tn_values *values, tn_value value, const char *text);
// Finds the value of a key. If keys are equal the last one counts, as in Python.
bool tn_value_get(const struct tn_values *values, tn_value dict, const char *key, tn_value *value);
// Finds the value of a key as a number, or compares it with True or a text.
bool tn_value_get_unsigned(const struct tn_values *values, tn_value dict, const char *key,
                           uint64_t *number);
bool tn_value_get_true(const struct tn_values *values, tn_value dict, const char *key);
bool tn_value_get_is(const struct tn_values *values, tn_value dict, const char *key,
                     const char *text);
// Adds a text to a trace; other values change nothing.
tarn_status tn_value_intern(const struct tn_values *values, tn_value value,
                            struct tn_builder *builder, uint32_t *text);
// Adds the text of a key to a trace; text 0 if there is none.
tarn_status tn_value_get_text(const struct tn_values *values, tn_value dict, const char *key,
                              struct tn_builder *builder, uint32_t *text);
